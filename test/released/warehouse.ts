import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privacyOptions } from '@aorta/connectors';
import { duckDbOptions } from '@aorta/connectors/duckdb';
import { openDuckDbWarehouse } from '@aorta/connectors/duckdb/module';
import { type StreamName, type StreamRecords, streamNames, streamSchemas } from '@aorta/schemas';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { example } from '../../schemas/codec/example.fixture.ts';
import type { AvroType, FieldDeclaration } from '../../schemas/streams/declaration.ts';
import type { Fields } from './as-read-by.ts';

/** A table that every opening fills, so it is empty in released databases. */
const TIME_ZONES = 'time_zone_transitions';

/** Columns that depend on the time of loading. */
const ofLoading = new Set(['_loaded_at', 'last_loaded_at', 'answer_loaded_at', 'age_s']);

/** Rows of the tables and views in `main`, sorted by their JSON text, without the columns {@link ofLoading}. */
export type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

export async function withDatabase<T>(path: string, look: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  try {
    await connection.run("set TimeZone = 'UTC'");
    return await look(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

async function texts(connection: DuckDBConnection, sql: string): Promise<string[]> {
  return (await connection.runAndReadAll(sql)).getRows().map(([text]) => String(text));
}

export async function rowsOf(connection: DuckDBConnection): Promise<Rows> {
  const relations = await texts(
    connection,
    `select table_name from information_schema.tables
     where table_schema = 'main' and table_name <> '${TIME_ZONES}' order by 1`,
  );
  const rows: Record<string, Record<string, unknown>[]> = {};
  for (const name of relations) {
    const found = (await texts(connection, `select to_json(t)::varchar as row from ${name} t order by row`)).map(
      (text) => JSON.parse(text) as Record<string, unknown>,
    );
    rows[name] = found.map((row) => Object.fromEntries(Object.entries(row).filter(([column]) => !ofLoading.has(column))));
  }
  return rows;
}

/** Returns an SQL script that recreates the database. */
async function scriptOf(connection: DuckDBConnection): Promise<string> {
  const lines = ['create schema control;', 'create schema kept;', 'create schema landed;'];
  const tables = await connection.runAndReadAll(
    'select schema_name, table_name, sql from duckdb_tables() where not internal order by all',
  );
  for (const [schema, name, sql] of tables.getRows()) {
    lines.push(String(sql));
    if (name === TIME_ZONES) continue;
    const table = `${schema}.${name}`;
    const columns = (await connection.runAndReadAll(`select * from ${table} limit 0`)).columnNames();
    // In an INSERT, a quoted string is a valid literal for any type.
    const values = columns.map((column) => `coalesce('''' || replace("${column}"::varchar, '''', '''''') || '''', 'null')`);
    const rows = await texts(connection, `select concat_ws(', ', ${values.join(', ')}) from ${table} order by rowid`);
    lines.push(...rows.map((row) => `insert into ${table} values (${row});`));
  }
  // Views were created after the views that they use.
  lines.push(...(await texts(connection, 'select sql from duckdb_views() where not internal order by view_oid')));
  return `${lines.join('\n')}\n`;
}

/** Returns records of a stream. The keys repeat after every four records. Records from a call with a higher `from` are newer. */
export function records(stream: StreamName, from: number, count: number): StreamRecords[StreamName][] {
  return Array.from({ length: count }, (_, index) => {
    const seed = 1 + ((from + index) % 4);
    const record = withJson(streamSchemas[stream].fields, example(stream, seed)) as Fields & { receipt: Fields };
    const receivedAt = (record.receipt.received_at as number) + from * 1_000_000;
    const receipt = { ...record.receipt, offset: from + index, received_at: receivedAt };
    const updated = 'updated_at' in record ? { updated_at: receivedAt } : {};
    // The warehouse stores a value only once if it is the same for all samples of an event. Test equal and different values.
    const samples = 'start_at' in record && seed === 1 ? twoSamples(record) : {};
    return { ...record, ...samples, receipt, ...updated } as unknown as StreamRecords[StreamName];
  });
}

/** Fills JSON fields with valid JSON, because the codec's examples have arbitrary text there. */
function withJson(fields: readonly FieldDeclaration[], record: Fields): Fields {
  const filled = ({ json, type }: FieldDeclaration, value: unknown): unknown => {
    if (Array.isArray(value)) {
      const items = (type as { items?: AvroType }).items;
      return value.map((item) => filled({ json, type: items } as FieldDeclaration, item));
    }
    const inner = (type as { fields?: readonly FieldDeclaration[] }).fields;
    if (inner !== undefined) return withJson(inner, value as Fields);
    return json === true && value !== null ? JSON.stringify({ text: value }) : value;
  };
  return Object.fromEntries(fields.map((field) => [field.name, filled(field, record[field.name])]));
}

function twoSamples(record: Fields): Fields {
  const at = 1_774_000_000_000_000;
  const of = (value: unknown): unknown => {
    if (!Array.isArray(value)) return value;
    const [one] = value as [unknown];
    return typeof one === 'number' ? [one, one + 1] : [one ?? null, one ?? null];
  };
  return { ...Object.fromEntries(Object.entries(record).map(([name, value]) => [name, of(value)])), start_at: [at, at + 60e6] };
}

/**
 * Creates a database that contains merged rows of every stream, and batches that wait for a merge. Returns a script that
 * recreates this database, and the rows that it contains after all merges.
 */
export async function warehouseOfThisVersion(): Promise<{ script: string; rows: Rows }> {
  const place = mkdtempSync(join(tmpdir(), 'aorta-freeze-'));
  const path = join(place, 'warehouse.duckdb');
  const settings = { ...duckDbOptions.parse({ type: 'duckdb', path }), privacy: privacyOptions.parse({}), clock: () => 0 };
  try {
    const warehouse = await openDuckDbWarehouse(settings);
    const land = async (from: number, to: number) => {
      for (const stream of streamNames)
        await warehouse.land({ stream, incarnation: 'frozen', from, to, records: records(stream, from, to - from) });
    };
    await land(0, 4);
    await warehouse.merge('all');
    await land(4, 6);
    await land(6, 9);
    // Closing a file merges its batches if there are many. This is the file that a killed process would leave.
    const killed = join(place, 'killed.duckdb');
    for (const end of ['', '.wal']) copyFileSync(`${path}${end}`, `${killed}${end}`);
    await warehouse.close();
    const script = await withDatabase(killed, scriptOf);
    const again = await openDuckDbWarehouse({ ...settings, path: killed });
    await again.merge('all');
    await again.close();
    return { script, rows: await withDatabase(killed, rowsOf) };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
