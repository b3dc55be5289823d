import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privacyOptions } from '@aorta/connectors';
import { duckDbOptions } from '@aorta/connectors/duckdb';
import { openDuckDbReader, openDuckDbWarehouse } from '@aorta/connectors/duckdb/module';
import { deliveries, isObject, tables } from '@aorta/schemas';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { releasedName, releasedValue } from './compatibility.ts';
import { folder, readReleases } from './released.ts';
import { type Rows, rowsOf, withDatabase } from './warehouse.ts';

/** Opens databases that were written by released versions. The files contain merged rows, and batches that wait for a merge. */

let place: string;
let path: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'aorta-'));
  path = join(place, 'warehouse.duckdb');
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

/** Views with rows for each measure. A version may add measures. */
const viewsOfMeasures = new Set(['measures', 'unit_conversions']);

/** Reduces `rows` to the tables, columns, members and measures that existed in a release. */
function knownTo(release: Rows, rows: Rows): Rows {
  const reduced = Object.entries(release).map(([table, before]) => {
    const measures = new Set(before.map(({ measure }) => measure));
    const present = rows[table]!.filter(({ measure }) => !viewsOfMeasures.has(table) || measures.has(measure)).map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [releasedName(table, name), releasedValue(table, name, value)]),
      ),
    );
    return [table, known(before, present) as Rows[string]] as const;
  });
  return Object.fromEntries(reduced);
}

/** Reduces a value to the members that occur in values of a release. Null and scalars stay as they are. */
function known(before: readonly unknown[], value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => known(before.flat(), one));
  if (!isObject(value)) return value;
  const objects = before.filter(isObject);
  return Object.fromEntries(
    [...new Set(objects.flatMap(Object.keys))].map((name) => [
      name,
      known(
        objects.map((one) => one[name]),
        value[name],
      ),
    ]),
  );
}

/** Returns each column that was added to an existing table after a release, with the column's distinct values as JSON. */
function added(release: Rows, rows: Rows): (readonly [table: string, column: string, values: readonly string[]])[] {
  return [...tables, deliveries].flatMap(({ name: table }) => {
    const names = new Set(Object.keys(release[table]?.[0] ?? {}));
    const columns = Object.keys(rows[table]?.[0] ?? {}).filter((name) => !names.has(name));
    return names.size === 0
      ? []
      : columns.map((name) => [table, name, [...new Set(rows[table]!.map((row) => JSON.stringify(row[name])))]] as const);
  });
}

const sorted = (rows: Rows): Rows =>
  Object.fromEntries(
    Object.entries(rows).map(([table, list]) => [
      table,
      [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    ]),
  );

test.each(Object.keys(readReleases()))('this version reads, merges and publishes the database of %s', async (version) => {
  const left = JSON.parse(readFileSync(join(folder, 'warehouse', `${version}.json`), 'utf8')) as Rows;
  await withDatabase(path, async (connection) => {
    await connection.run(readFileSync(join(folder, 'warehouse', `${version}.sql`), 'utf8'));
  });
  const settings = { ...duckDbOptions.parse({ type: 'duckdb', path }), privacy: privacyOptions.parse({}) };
  const warehouse = await openDuckDbWarehouse(settings);
  expect(warehouse.backlog().batches).toBeGreaterThan(0);
  await warehouse.merge('all');
  expect(warehouse.backlog().batches).toBe(0);
  await warehouse.publish('now');
  await warehouse.close();

  const rows = await withDatabase(path, rowsOf);
  expect(sorted(knownTo(left, rows))).toEqual(sorted(left));
  for (const [table, name, values] of added(left, rows)) {
    const column = [...tables, deliveries].find((one) => one.name === table)!.columns.find((one) => one.name === name)!;
    expect(values, `${table}.${name}`).toEqual([JSON.stringify(column.default ?? null)]);
  }

  // Opening the database again changes nothing, and readers see the same rows.
  await (await openDuckDbWarehouse(settings)).close();
  const reader = await openDuckDbReader({ path });
  const counts = await reader.rows();
  await reader.close();
  for (const [table, count] of Object.entries(counts)) if (left[table] !== undefined) expect(count).toBe(left[table].length);
});
