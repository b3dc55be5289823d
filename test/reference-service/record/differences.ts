import { isDeepStrictEqual } from 'node:util';
import type { ServiceRecord } from './record.ts';
import { type Row, tableNamed } from './row.ts';
import type { Select } from './tables.ts';

/** Columns that the test cannot compute from answers of the API, by table, each with the reason. */
const undecided: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  timeseries: { data_source_id: 'only events have the number of a source' },
  blood_pressure: { data_source_id: 'only events have the number of a source' },
  notes: { data_source_id: 'only events have the number of a source' },
  workout_stream_events: { message: 'only events have the message' },
  user_states: { since: 'Aorta has seen the user at this time' },
  introspection_polls: { stale_at: 'a setting of Aorta', stalled_after_s: 'a setting of Aorta' },
  connections: { connected_at: 'Aorta has got the event at this time', changed_at: 'Aorta has got the event at this time' },
  historical_pulls: Object.fromEntries(
    [
      'since',
      'progressed_at',
      'retrying_since',
      'expected_at',
      'announced_at',
      'broken_at',
      'service_since',
      'service_retrying_since',
    ].map((column) => [column, 'Aorta has heard of it at this time']),
  ),
  historical_pull_board: {
    since: 'Aorta has seen the state since this time',
    broken_at: 'Aorta has heard of it at this time',
    as_of: 'Aorta has asked at this time',
    answer_loaded_at: 'Aorta has loaded the answer at this time',
  },
  lab_results: { items: 'compared as lab_results_items', missing: 'compared as lab_results_missing' },
};

/** The columns that identify a row of a view. A table declares its own. */
const keys: Readonly<Record<string, readonly string[]>> = {
  connections: ['user_id', 'provider'],
  connection_events: ['user_id', 'provider', 'event_type'],
  historical_completions: ['user_id', 'provider', 'resource'],
  historical_pulls: ['user_id', 'provider', 'resource'],
  historical_pull_board: ['user_id', 'provider', 'resource'],
  lab_order_history: ['order_id', 'event_id'],
  lab_results_items: ['order_id', 'ordinal'],
  lab_results_missing: ['order_id', 'ordinal'],
};

/** Tables that keep one row per event and source. The test merges these rows, and lists the sources in `sources`. */
const eachSource = new Set(['connection_events', 'historical_completions']);

/** Most differences that are listed for one table. */
const MOST_SHOWN = 10;

/** Returns whether a column may have another value than the record. */
export type Accepts = (table: string, column: string, expected: Row, value: unknown) => boolean;

/** Compares every row and column of all tables with the record. Each difference names the table, the row and the column. */
export async function differencesOf(select: Select, record: ServiceRecord, accepts: Accepts = () => false): Promise<string[]> {
  const differences: string[] = [];
  for (const [table, rows] of record) {
    const expected = eachSource.has(table) ? rows.map((row) => ({ ...row, sources: ['event-hubs', 'webhook'] })) : rows;
    const some = differencesIn(table, expected, await ownRows(select, table), accepts);
    differences.push(...some.slice(0, MOST_SHOWN));
    if (some.length > MOST_SHOWN) differences.push(`${table}: ${some.length - MOST_SHOWN} more differences`);
  }
  return differences;
}

/** Returns the rows of a table, without the columns that say where and when Aorta got a row. */
export async function ownRows(select: Select, table: string): Promise<Row[]> {
  const names = Object.keys(undecided[table] ?? {});
  const own = `columns(lambda name: name not like '\\_%' escape '\\'${names.map((name) => ` and name <> '${name}'`).join('')})`;
  return eachSource.has(table)
    ? await select(`select ${own}, list(_source order by _source) as sources from ${table} group by all`)
    : await select(`select ${own} from ${table}`);
}

function differencesIn(table: string, expected: readonly Row[], found: readonly Row[], accepts: Accepts): string[] {
  const key = keys[table] ?? tableNamed(table).key;
  const nameOf = (row: Row): string => `${table} [${key.map((name) => row[name] ?? '').join(' ')}]`;
  const left = new Map<string, Row>();
  const differences: string[] = [];
  for (const row of found) {
    const name = nameOf(row);
    if (left.has(name)) differences.push(`${name}: there are two such rows`);
    left.set(name, row);
  }
  for (const row of expected) {
    const name = nameOf(row);
    const other = left.get(name);
    if (other === undefined) differences.push(`${name}: the row is missing`);
    else {
      const isAccepted = (column: string, value: unknown) =>
        undecided[table]?.[column] !== undefined || accepts(table, column, row, value);
      differences.push(...differencesBetween(row, other, isAccepted).map((one) => `${name} ${one}`));
    }
    left.delete(name);
  }
  return [...differences, ...[...left.keys()].map((name) => `${name}: the service has no such row`)];
}

function differencesBetween(expected: Row, found: Row, isAccepted: (column: string, value: unknown) => boolean): string[] {
  const differences: string[] = [];
  const compare = (column: string): void => {
    const [wanted, value] = [expected[column], found[column]];
    if (wanted === value || isDeepStrictEqual(wanted, value) || isAccepted(column, value)) return;
    differences.push(firstDifference(column, value, wanted));
  };
  for (const column in found) compare(column);
  for (const column in expected) if (!(column in found)) compare(column);
  return differences;
}

/** Names the first member in which two values differ, such as `points.3.cadence`. */
function firstDifference(path: string, value: unknown, wanted: unknown): string {
  if (isObject(value) && isObject(wanted)) {
    const members = Object.keys({ ...wanted, ...value });
    const member = members.find((name) => !isDeepStrictEqual(value[name], wanted[name]))!;
    return firstDifference(`${path}.${member}`, value[member], wanted[member]);
  }
  return `${path}: ${shown(value)}, but the service has ${shown(wanted)}`;
}

const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null;

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 200);
