import type { QueryResult, QueryValue, WarehouseReader } from '@aorta/connectors';
import { nullMark, type TableColumn, table } from '../cli/printing/table.ts';
import { DAY_MS, type Days, dayOf } from './period.ts';

/** A person, and the first and last local day of the week. */
export interface Week {
  readonly user: string;
  readonly from: string;
  readonly to: string;
}

/** The person of a week, with the devices that count steps. */
export interface Wearer {
  readonly user: string;
  readonly timeZone: string;
  readonly providers: readonly string[];
}

/** Returns the dates on which the week starts and ends: the last seven days, or all days if there are fewer. */
export function lastWeek({ days, until }: Days): { readonly from: string; readonly to: string } {
  return { from: dayOf(Date.parse(until) - (Math.min(7, days) - 1) * DAY_MS), to: until };
}

/**
 * Returns a query for the person to show: the one with the most devices in the week. Among these, the one with the most days,
 * and then the one farthest to the east, whose last day has ended.
 */
export function wearerQuery({ from, to }: Omit<Week, 'user'>): string {
  return `select user_id, any_value(time_zone) as time_zone, string_agg(distinct provider, ', ' order by provider) as providers
from activity where calendar_date between date '${from}' and date '${to}'
group by user_id
order by count(distinct provider) desc, count(distinct calendar_date) desc, max(timezone_offset_s) desc, user_id
limit 1`;
}

/** Returns a query with one row per local day. Every device that counts steps has a column of its own. */
export function weekQuery({ user, from, to }: Week, providers: readonly string[]): string {
  const [person, first, last] = [user, from, to].map(literal);
  const counts = providers.map((provider) => `max(steps) filter (provider = ${literal(provider)}) as ${column(provider)}`);
  return `with days as (
  select unnest(generate_series(date ${first}, date ${last}, interval 1 day))::date as day
), movement as (
  select calendar_date as day, ${[...counts, 'avg(heart_rate_resting_bpm) as resting_bpm'].join(', ')}
  from activity where user_id = ${person} group by all
), phone as (
  select local_date as day, sum(value)::bigint as phone_steps
  from timeseries where user_id = ${person} and resource = 'steps' and source_type = 'phone' group by all
), nights as (
  select calendar_date as day, max(total_s) as asleep_s from sleep where user_id = ${person} group by all
), samples as (
  select
    local_date as day,
    avg(value) filter (resource = 'hrv') as hrv_ms,
    avg(value) filter (resource = 'blood_oxygen') as oxygen_pct,
    avg(value) filter (resource = 'weight') as weight_kg
  from timeseries where user_id = ${person} group by all
), sports as (
  select calendar_date as day, count(distinct time_start) as workouts from workouts where user_id = ${person} group by all
)
select strftime(day, '%a') as weekday, day, ${providers.map(column).join(', ')}${providers.length > 0 ? ', ' : ''}phone_steps, resting_bpm, asleep_s, hrv_ms, oxygen_pct, weight_kg, workouts
from days left join movement using (day) left join phone using (day) left join nights using (day)
left join samples using (day) left join sports using (day)
order by day`;
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const column = (provider: string): string => `"${provider.replaceAll('"', '""')}_steps"`;

interface Measure {
  readonly name: string;
  readonly column: string;
  readonly show: (value: number) => string;
}

const whole = (value: number): string => value.toLocaleString('en-US');
const fixed = (digits: number) => (value: number) => value.toFixed(digits);

/** Formats the week as a table. A measure that has no values has no column. */
export async function weekTable(result: QueryResult, providers: readonly string[]): Promise<string> {
  // The watch of Apple HealthKit is worn by the same person as its phone.
  const steps = providers.map((provider) => ({
    name: `${provider.replace('apple_health_kit', 'apple')} steps`,
    column: `${provider}_steps`,
    show: whole,
  }));
  const measures: readonly Measure[] = [
    ...steps,
    { name: 'phone steps', column: 'phone_steps', show: whole },
    { name: 'resting bpm', column: 'resting_bpm', show: fixed(0) },
    { name: 'asleep h', column: 'asleep_s', show: (value) => (value / 3600).toFixed(1) },
    { name: 'HRV ms', column: 'hrv_ms', show: fixed(0) },
    { name: 'SpO2 %', column: 'oxygen_pct', show: fixed(1) },
    { name: 'weight kg', column: 'weight_kg', show: fixed(1) },
    { name: 'workouts', column: 'workouts', show: whole },
  ];
  const names = result.columns.map(({ name }) => name);
  const rows = await rowsOf(result);
  const at = (row: readonly QueryValue[], name: string): QueryValue => row[names.indexOf(name)] ?? null;
  const taken = measures.filter((measure) => rows.some((row) => at(row, measure.column) !== null));
  const columns: TableColumn[] = [{ name: 'day' }, ...taken.map(({ name }) => ({ name, align: 'right' as const }))];
  return table(
    columns,
    rows.map((row) => [
      `${String(at(row, 'weekday'))} ${String(at(row, 'day'))}`,
      ...taken.map((measure) => {
        const value = at(row, measure.column);
        return value === null ? nullMark : measure.show(Number(value));
      }),
    ]),
  );
}

/** Returns the person to show; undefined if nobody has an activity summary in the week. */
export async function wearerIn(reader: WarehouseReader, week: Omit<Week, 'user'>): Promise<Wearer | undefined> {
  const [row] = await rowsOf(await reader.query(wearerQuery(week)));
  if (row === undefined) return undefined;
  const [user, timeZone, providers] = row;
  return { user: String(user), timeZone: String(timeZone), providers: String(providers).split(', ') };
}

async function rowsOf({ rows }: QueryResult): Promise<(readonly QueryValue[])[]> {
  const all: (readonly QueryValue[])[] = [];
  for await (const batch of rows) all.push(...batch);
  return all;
}
