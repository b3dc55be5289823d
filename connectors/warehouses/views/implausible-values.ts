import { columnMeasures } from '@aorta/schemas';
import type { ViewDialect } from './dialect.ts';
import { measuredAt } from './observations.ts';
import { plausibleValue } from './plausible.ts';
import { conversion } from './unit-conversions.ts';

/**
 * Queries for values outside the plausible range of their measure, in all tables except `timeseries`. They return the
 * columns of `data_issues`.
 */
export function implausibleValues(dialect: ViewDialect): string[] {
  const { rows, startOfDay, table, text } = dialect;
  const names = [...new Set(columnMeasures.map((measure) => measure.table))];
  return names.map((name) => {
    const own = columnMeasures.filter((measure) => measure.table === name);
    const { start, date } = measuredAt[name]!;
    const hasUnit = own.some(({ sent }) => sent !== undefined);
    // All measures of a table with units have the same units.
    const converted = (column: string) => conversion(dialect, text(own[0]!.id), `s.${column}`, 's.unit');
    const isImplausible = own.map(({ id, column }) => {
      const value = hasUnit ? converted(column).value : `s.${column}`;
      return `when ${text(id)} then ${value} is not null and (${plausibleValue(name, column, value)}) is null`;
    });
    const ids = rows(
      [{ name: 'measure', type: 'string' }],
      own.map(({ id }) => [id]),
    );
    const day = date === undefined ? 's._received_at' : startOfDay(`s.${date}`);
    return `  select
    s.user_id, s.provider, s.source_type, ${text(name)}, measured.measure, ${hasUnit ? 's.unit' : 'cast(null as string)'}, 'implausible',
    ${start === undefined ? day : `coalesce(s.${start}, ${day})`}, s._received_at
  from ${table(name)} s
  ${hasUnit ? converted(own[0]!.column).join : ''}
  cross join (${ids}) measured
  where case measured.measure ${isImplausible.join(' ')} end`;
  });
}
