import type { QueryResult, QueryValue, WarehouseReader } from '@aorta/connectors';
import { nullMark, type TableColumn, table } from '../cli/printing/table.ts';
import { DAY_MS, type Days, dayOf } from './period.ts';

/** First and last local day of a week. */
export interface Week {
  readonly from: string;
  readonly to: string;
}

interface Measure {
  /** Column of `person_days`. */
  readonly column: string;
  readonly name: string;
  readonly show: (value: QueryValue) => string;
}

const whole = (value: QueryValue): string => Number(value).toLocaleString('en-US', { maximumFractionDigits: 0 });
const fixed = (digits: number) => (value: QueryValue) => Number(value).toFixed(digits);

const measures: readonly Measure[] = [
  { column: 'steps', name: 'steps', show: whole },
  { column: 'steps_source', name: 'from', show: String },
  { column: 'steps_others', name: 'others', show: whole },
  { column: 'heart_rate_resting_bpm', name: 'resting bpm', show: whole },
  { column: 'sleep_total_s', name: 'asleep h', show: (value) => (Number(value) / 3600).toFixed(1) },
  { column: 'hrv_avg_ms', name: 'HRV ms', show: whole },
  { column: 'blood_oxygen_avg_pct', name: 'SpO2 %', show: fixed(1) },
  { column: 'weight_kg', name: 'weight kg', show: fixed(1) },
  { column: 'glucose_avg_mmol_l', name: 'glucose mmol/l', show: fixed(1) },
  { column: 'workouts', name: 'workouts', show: whole },
];

/** Returns the dates on which the week starts and ends: the last seven days, or all days if there are fewer. */
export function lastWeek({ days, until }: Days): Week {
  return { from: dayOf(Date.parse(until) - (Math.min(7, days) - 1) * DAY_MS), to: until };
}

/** Returns a query for the person to show: the one with the most values in the week. */
function wearerQuery({ from, to }: Week): string {
  return `select user_id from person_days where local_date between ${literal(from)} and ${literal(to)}
group by user_id order by ${measures.map(({ column }) => `count(${column})`).join(' + ')} desc, user_id limit 1`;
}

/** Returns a query for the days of a person's week, in order. A day without data has no row. */
export function weekQuery(user: string, { from, to }: Week): string {
  return `select local_date, ${measures.map(({ column }) => column).join(', ')}
from person_days where user_id = ${literal(user)} and local_date between ${literal(from)} and ${literal(to)}
order by local_date`;
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Formats the week as a table. A measure that has no values has no column. */
export async function weekTable(result: QueryResult): Promise<string> {
  const rows = await rowsOf(result);
  const at = (row: readonly QueryValue[], measure: Measure): QueryValue => row[measures.indexOf(measure) + 1] ?? null;
  const taken = measures.filter((measure) => rows.some((row) => at(row, measure) !== null));
  const columns: TableColumn[] = taken.map(({ name, show }) => ({ name, align: show === String ? undefined : 'right' }));
  const shown = rows.map((row) => [
    String(row[0]),
    ...taken.map((measure) => {
      const value = at(row, measure);
      return value === null ? nullMark : measure.show(value);
    }),
  ]);
  return table([{ name: 'day' }, ...columns], shown);
}

/** Returns the person to show; undefined if no person has data in the week. */
export async function wearerIn(reader: WarehouseReader, week: Week): Promise<string | undefined> {
  const [row] = await rowsOf(await reader.query(wearerQuery(week)));
  return row === undefined ? undefined : String(row[0]);
}

async function rowsOf({ rows }: QueryResult): Promise<(readonly QueryValue[])[]> {
  const all: (readonly QueryValue[])[] = [];
  for await (const batch of rows) all.push(...batch);
  return all;
}
