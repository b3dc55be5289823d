import { type ColumnMeasure, columnMeasures } from '@aorta/schemas';

const byColumn: ReadonlyMap<string, ColumnMeasure> = new Map(columnMeasures.map((measure) => [measure.id, measure]));

/**
 * Expression for the value of a summary column in the canonical unit. It is NULL if the value is outside the plausible range
 * of its measure. A share above 1 is read as a percentage.
 */
export function plausibleValue(table: string, column: string, value = column): string {
  const {
    plausible: [low, high],
    mayBePercent,
  } = byColumn.get(`${table}.${column}`)!;
  const canonical = mayBePercent ? `case when ${value} > 1 then ${value} / 100 else ${value} end` : value;
  return `case when ${canonical} between ${low} and ${high} then ${canonical} end`;
}
