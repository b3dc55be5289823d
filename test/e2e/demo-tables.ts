import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openDuckDbReader } from '@aorta/connectors/duckdb/module';
import { startService } from '@aorta/service';
import { Answers } from '../reference-service/record/answers.ts';
import { type Accepts, differencesOf } from '../reference-service/record/differences.ts';
import { serviceRecord } from '../reference-service/record/record.ts';
import { inTables } from '../reference-service/record/tables.ts';

/** Reads the tables that `aorta demo` has left in a folder. */

type Row = readonly unknown[];
export type Query = (sql: string) => Promise<Row[]>;

/** Reads the tables of a demonstration. `names`: the tables. */
export async function reading<Result>(
  folder: string,
  read: (query: Query, names: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const reader = await openDuckDbReader({ path: join(folder, 'aorta-demo', 'warehouse.duckdb') });
  const query: Query = async (sql) => {
    const { rows } = await reader.query(sql);
    const all: Row[] = [];
    for await (const batch of rows) all.push(...batch);
    return all;
  };
  try {
    return await read(query, Object.keys(await reader.rows()));
  } finally {
    await reader.close();
  }
}

/**
 * Returns the number of rows and a hash of the rows of each table. The hash leaves out what depends on processing: when Aorta
 * loads a row, and the order in which it fetches answers. Events of lab orders contain signed addresses with the port of the
 * service, so the hash leaves out their ids and checksums.
 */
export function contents(folder: string): Promise<Record<string, Row[]>> {
  // The offset of a fetched answer is a time. All other offsets are ordinals.
  const ordinal = (offset: string) => `if(${offset} > 1e12, 0, ${offset}) as ${offset}`;
  const withoutAddress = (column: string) => `if(starts_with(event_type, 'labtest.order.'), null, ${column}) as ${column}`;
  return reading(folder, async (query, names) => {
    const tables: Record<string, Row[]> = {};
    for (const name of names) {
      const described = await query(`select column_name from information_schema.columns where table_name = '${name}'`);
      const has = (column: string): boolean => described.some(([one]) => one === column);
      const replaced = ['source_offset', '_offset'].filter(has).map(ordinal);
      if (name === 'deliveries') replaced.push(...['delivery_id', 'body_crc32'].map(withoutAddress));
      const columns = `*${has('_loaded_at') ? ' exclude (_loaded_at)' : ''}${replaced.length > 0 ? ` replace (${replaced.join(', ')})` : ''}`;
      tables[name] = await query(`select count(*), sum(hash(one)::hugeint) from (select ${columns} from "${name}") one`);
    }
    return tables;
  });
}

/**
 * Tables that the service's record cannot decide, because it knows one connection and one pull of each resource, and not what
 * Aorta has heard before. These people reconnect, and their pulls are started again. An uninterrupted run decides about them.
 */
export const undecided = [
  'connection_events',
  'connections',
  'historical_completions',
  'historical_pulls',
  'historical_pull_board',
];

/** The record takes samples for sent once. A corrected sample keeps the type of its correction. */
const isCorrected: Accepts = (_, column, __, value) => column === 'event_type' && String(value).endsWith('.updated');

/** Ids of summaries in events that the service holds back until a later time, as its rule for reordered events says. */
function heldBack(service: string): string[] {
  const database = new DatabaseSync(service, { readOnly: true });
  try {
    const rows = database
      .prepare("select body ->> '$.data.id' as id from events join deliveries using (event_id) where due_at is not null")
      .all();
    return rows.flatMap(({ id }) => (id === null ? [] : [String(id)]));
  } finally {
    database.close();
  }
}

/**
 * Compares the tables of a demonstration with the state of its service. Ignores the {@link undecided} tables, and summaries whose
 * events are {@link heldBack}.
 */
export async function differencesFromService(data: string): Promise<string[]> {
  const service = join(data, 'service', 'service.sqlite');
  const held = heldBack(service);
  await using served = await startService({ path: service });
  const [team] = served.service.teams.list();
  const record = await serviceRecord(new Answers(served.url, served.service.teams.addKey(team!.team_id)));
  const decided = new Map([...record].filter(([table]) => !undecided.includes(table)));
  const differences = await inTables(data, (select) => differencesOf(select, decided, isCorrected), 'warehouse.duckdb');
  return differences.filter((difference) => !held.some((id) => difference.includes(`[${id}]`)));
}
