import { join } from 'node:path';
import { openDuckDbReader } from '@aorta/connectors/duckdb/module';
import type { Row, Tables } from '../../model/model.ts';
import { printedTables } from '../../model/printed.ts';
import type { Machine } from './machine.ts';

/** The key columns of each table. */
const keys: Readonly<Record<string, readonly string[]>> = {
  activity: ['id'],
  blood_pressure: ['user_id', 'resource', 'provider', 'source_type', 'start_at', 'sample_type', 'source_workout_id'],
  timeseries: ['user_id', 'resource', 'provider', 'source_type', 'start_at', 'sample_type', 'source_workout_id'],
  notes: ['user_id', 'resource', 'provider', 'source_type', 'start_at', 'sample_type', 'source_workout_id'],
  connection_events: ['_origin', '_offset'],
  historical_completions: ['_origin', '_offset'],
  deliveries: ['source', 'source_partition', 'source_offset'],
};

/** The version columns, most significant first. Columns that a table lacks are skipped. */
const version = ['_version_time', '_received_at', '_origin', '_offset', '_reader'];

export interface Folded {
  readonly tables: Tables;
  /** Number of receipts that more than one machine has stored. */
  readonly twice: number;
  /** Tables in which one machine has two rows with the same key. */
  readonly doubled: readonly string[];
}

/** Merges the tables of several machines: the newest version of each key wins. */
export async function folded(machines: readonly Machine[]): Promise<Folded> {
  return foldedTables(await Promise.all(machines.map(({ folder }) => tablesIn(join(folder, 'health.duckdb')))));
}

/** Merges the tables of several warehouses. */
export function foldedTables(all: readonly Tables[]): Folded {
  const tables: Tables = {};
  const doubled: string[] = [];
  let twice = 0;
  for (const [name, key] of Object.entries(keys)) {
    const newest = new Map<string, Row>();
    const keyOf = (row: Row): string => JSON.stringify(key.map((column) => String(row[column])));
    for (const { [name]: rows = [] } of all) if (new Set(rows.map(keyOf)).size < rows.length) doubled.push(name);
    for (const row of all.flatMap((one) => one[name] ?? [])) {
      const of = keyOf(row);
      const held = newest.get(of);
      if (held !== undefined && name === 'deliveries') twice++;
      if (held === undefined || isNewer(row, held)) newest.set(of, row);
    }
    tables[name] = [...newest.values()];
  }
  return { tables, twice, doubled };
}

async function tablesIn(path: string): Promise<Tables> {
  const reader = await openDuckDbReader({ path });
  try {
    return await printedTables(reader);
  } finally {
    await reader.close();
  }
}

function isNewer(row: Row, than: Row): boolean {
  for (const column of version) {
    const [a, b] = [row[column], than[column]] as (string | number | bigint)[];
    if (a === b || a === undefined || b === undefined) continue;
    // Times are strings with or without fractional seconds. They sort correctly if the `Z` is removed.
    if (typeof a === 'string' && typeof b === 'string') return a.replace('Z', '') > b.replace('Z', '');
    return a > b;
  }
  return false;
}
