import { type ColumnMeasure, columnMeasures } from '@aorta/schemas';

const byColumn: ReadonlyMap<string, ColumnMeasure> = new Map(columnMeasures.map((measure) => [measure.id, measure]));

/**
 * Expression for a value of a column of a summary in its canonical unit: NULL if it is not in the plausible range of its measure.
 * A share above 1 is a percentage.
 */
export function plausibleValue(table: string, column: string, value = column): string {
  const {
    plausible: [low, high],
    mayBePercent,
  } = byColumn.get(`${table}.${column}`)!;
  const canonical = mayBePercent ? `case when ${value} > 1 then ${value} / 100 else ${value} end` : value;
  return `case when ${canonical} between ${low} and ${high} then ${canonical} end`;
}
