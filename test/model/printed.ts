import type { WarehouseReader } from '@aorta/connectors';
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

/** Sorts the rows of each table by their text, so that the order of arrival does not matter. */
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

/** Returns the rows of a table as a query prints them, without `_loaded_at`. The query is valid in every SQL dialect. */
export async function printedRows(reader: WarehouseReader, table: string): Promise<Row[]> {
  const { columns, rows } = await reader.query(`SELECT * FROM ${table}`);
  const list: Row[] = [];
  for await (const chunk of rows) {
    for (const values of chunk) {
      const named = columns.map(({ name }, index) => [name, plain(values[index])] as const);
      list.push(Object.fromEntries(named.filter(([name]) => name !== '_loaded_at')));
    }
  }
  return list;
}

/** Returns the {@link printedRows} of the tables that the model covers. */
export async function printedTables(reader: WarehouseReader): Promise<Tables> {
  const tables: Tables = {};
  for (const name of NAMES) {
    tables[name] = await printedRows(reader, name);
  }
  return tables;
}
