import type { QueryResult, QueryValue } from '@aorta/connectors';
import { nullMark, type TableColumn, table } from '../printing/table.ts';

/** A user, and the first and last local day of the week (`YYYY-MM-DD`). */
export interface Week {
  readonly user: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Returns the dates on which the week starts and ends. The week is the last seven whole days of a recording, or all its whole
 * days if there are fewer.
 */
export function lastWeek(firstWholeDay: string, lastWholeDay: string): { from: string; to: string } {
  const sixEarlier = new Date(Date.parse(lastWholeDay) - 6 * 86_400_000).toISOString().slice(0, 10);
  return { from: sixEarlier > firstWholeDay ? sixEarlier : firstWholeDay, to: lastWholeDay };
}

/**
 * Returns a query with one row per local day. If several providers report a day, the row contains the highest step count and
 * the longest night, because a sum would count the same steps twice.
 */
export function weekQuery({ user, from, to }: Week): string {
  const [person, first, last] = [user, from, to].map((text) => `'${text.replaceAll("'", "''")}'`);
  return `with days as (
  select unnest(generate_series(date ${first}, date ${last}, interval 1 day))::date as day
), movement as (
  select calendar_date as day, max(steps) as steps, max_by(distance_m, steps) as distance_m, max_by(heart_rate_resting_bpm, steps) as resting_bpm
  from activity where user_id = ${person} group by all
), nights as (
  select calendar_date as day, max(total_s) as asleep_s from sleep where user_id = ${person} group by all
), samples as (
  select local_date as day, avg(value) filter (resource = 'heartrate') as heart_rate_bpm, avg(value) filter (resource = 'glucose') as glucose_mmol_l
  from timeseries where user_id = ${person} group by all
)
select strftime(day, '%a') as weekday, day, steps, distance_m, resting_bpm, heart_rate_bpm, asleep_s, glucose_mmol_l
from days left join movement using (day) left join nights using (day) left join samples using (day)
order by day`;
}

interface Measure {
  readonly name: string;
  readonly column: string;
  readonly show: (value: number) => string;
}

const measures: readonly Measure[] = [
  { name: 'steps', column: 'steps', show: (value) => value.toLocaleString('en-US') },
  { name: 'distance km', column: 'distance_m', show: (value) => (value / 1000).toFixed(1) },
  { name: 'resting bpm', column: 'resting_bpm', show: (value) => value.toFixed(0) },
  { name: 'average bpm', column: 'heart_rate_bpm', show: (value) => value.toFixed(0) },
  { name: 'asleep h', column: 'asleep_s', show: (value) => (value / 3600).toFixed(1) },
  { name: 'glucose mmol/L', column: 'glucose_mmol_l', show: (value) => value.toFixed(1) },
];

/** Formats the week as a table. A measure that has no values has no column. */
export async function weekTable(result: QueryResult): Promise<string> {
  const names = result.columns.map((column) => column.name);
  const rows: (readonly QueryValue[])[] = [];
  for await (const batch of result.rows) rows.push(...batch);
  const at = (row: readonly QueryValue[], name: string): QueryValue => row[names.indexOf(name)] ?? null;
  const taken = measures.filter(({ column }) => rows.some((row) => at(row, column) !== null));
  const columns: TableColumn[] = [{ name: 'day' }, ...taken.map(({ name }) => ({ name, align: 'right' as const }))];
  return table(
    columns,
    rows.map((row) => [
      `${String(at(row, 'weekday'))} ${String(at(row, 'day'))}`,
      ...taken.map(({ column, show }) => {
        const value = at(row, column);
        return value === null ? nullMark : show(Number(value));
      }),
    ]),
  );
}
