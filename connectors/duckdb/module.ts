// A separate entry point, because loading DuckDB's library takes most of the startup time and most commands do not need it. It
// imports the reader and the warehouse only when they are opened, because no process needs both at once.

import { count, duration } from '@aorta/runtime/quantity';
import type { Finding } from '../adapter.ts';
import type { CopyDifference, Warehouse, WarehouseModule, WarehouseReader } from '../warehouse.ts';
import type { DuckDbReaderOptions } from './duckdb-reader.ts';
import { addressOf, type DuckDbSettings, type DuckDbWarehouseOptions } from './options.ts';
import { probeFile } from './warehouse-file.ts';

/** See `openDuckDbWarehouse` in `duckdb-warehouse.ts`. */
export async function openDuckDbWarehouse(options: DuckDbWarehouseOptions): Promise<Warehouse> {
  return (await import('./duckdb-warehouse.ts')).openDuckDbWarehouse(options);
}

/** See `openDuckDbReader` in `duckdb-reader.ts`. */
export async function openDuckDbReader(options: DuckDbReaderOptions): Promise<WarehouseReader> {
  return (await import('./duckdb-reader.ts')).openDuckDbReader(options);
}

/** Returns findings for `doctor` about the tables, the warehouse file, DuckDB's version and the published copy. */
async function probeDuckDb(reader: WarehouseReader, settings: DuckDbSettings, deep: boolean): Promise<Finding[]> {
  const rows = Object.values(await reader.rows()).reduce((sum, one) => sum + one, 0);
  const { rows: batches } = await reader.query('select version() as version');
  let version = '';
  for await (const batch of batches) version = String(batch[0]?.[0] ?? version);
  return [
    { check: 'warehouse', state: 'ok', found: `${addressOf(settings)} opens, ${count(rows)} rows` },
    await probeFile(settings.path, deep),
    { check: 'duckdb', state: 'ok', found: `DuckDB ${version}` },
    await published(reader, deep),
  ];
}

const differenceFound: Readonly<Record<CopyDifference['kind'], (what: string) => Omit<Finding, 'check'>>> = {
  changed: (what) => ({
    state: 'fail',
    found: `another program or a disk fault changed it after its publication: ${what}`,
    remedy: 'Let that program open the copy read-only. Run `aorta run --only loading --once` to publish a new copy.',
  }),
  replaced: (what) => ({
    state: 'warn',
    found: `not the file that was published, as after a restore: its ${what}`,
    remedy: '`aorta doctor --deep` compares its content with what was published. The next publication replaces it.',
  }),
  unrecorded: (what) => ({
    state: 'warn',
    found: `not compared with what was published, because ${what} is missing or cannot be read`,
    remedy: 'Run `aorta run --only loading --once` to publish a new copy.',
  }),
};

async function published(reader: WarehouseReader, deep: boolean): Promise<Finding> {
  const check = 'published copy';
  const { publishedAt: at } = reader;
  if (at === undefined)
    return {
      check,
      state: 'warn',
      found: 'none: readers open the warehouse itself, which blocks writers',
      remedy: 'Run `aorta run --only loading --once` to publish one.',
    };
  const difference = await reader.copyDifference?.(deep);
  if (difference !== undefined) return { check, ...differenceFound[difference.kind](difference.what) };
  return { check, state: 'ok', found: `${duration(Math.max(0, Date.now() - Date.parse(at)))} old (${at})` };
}

export const duckDb: WarehouseModule<DuckDbSettings> = {
  open: ({ settings, ...opening }) => openDuckDbWarehouse({ ...settings, ...opening }),
  openReader: (settings, bounds = {}) => openDuckDbReader({ path: settings.path, pace: settings, ...bounds }),
  probe: probeDuckDb,
};
