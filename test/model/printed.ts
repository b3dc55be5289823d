import type { WarehouseReader } from '@aorta/warehouse';
import type { Row, Tables } from './model.ts';

const NAMES = [
  'activity',
  'blood_pressure',
  'connection_events',
  'deliveries',
  'historical_completions',
  'notes',
  'timeseries',
] as const;

const plain = (value: unknown): unknown =>
  typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;

/** Rows in an order that does not depend on how they came: of their own text. */
export function ordered(tables: Tables): Tables {
  const text = (row: Row): string =>
    JSON.stringify(
      Object.entries(row).sort(([a], [b]) => a.localeCompare(b)),
      (_, value) => (typeof value === 'bigint' ? String(value) : value),
    );
  return Object.fromEntries(
    NAMES.map((name) => [
      name,
      (tables[name] ?? [])
        .map((row) => ({ row, text: text(row) }))
        .sort((a, b) => (a.text < b.text ? -1 : 1))
        .map(({ row }) => row),
    ]),
  );
}

/** The whole tables as a query prints them, `_loaded_at` aside. */
export async function printedTables(reader: WarehouseReader): Promise<Tables> {
  const tables: Tables = {};
  for (const name of NAMES) {
    const { columns, rows } = await reader.query(`select * exclude (_loaded_at) from ${name}`);
    const list: Row[] = [];
    for await (const chunk of rows) {
      for (const values of chunk)
        list.push(Object.fromEntries(columns.map((column, index) => [column.name, plain(values[index])])));
    }
    tables[name] = list;
  }
  return tables;
}
