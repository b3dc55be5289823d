import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@aorta/runtime';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { privacyOptions } from '../privacy.ts';
import { runIn } from './closed-file.fixture.ts';
import { Database } from './database.ts';
import { openDuckDbWarehouse } from './duckdb-warehouse.ts';
import { duckDbOptions } from './options.ts';
import { createFromTemplate } from './template.ts';

let folder: string;
let cache: string;
let templates: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-template-'));
  cache = join(folder, 'cache');
  templates = join(cache, 'warehouses');
  vi.stubEnv('AORTA_CACHE', cache);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const file = (name: string): string => join(folder, `${name}.duckdb`);

/** Creates a warehouse, and returns its identifier and what its catalog says. */
async function created(name: string): Promise<{ readonly identifier: string; readonly catalog: unknown[][] }> {
  const { type: _, ...settings } = duckDbOptions.parse({ type: 'duckdb', path: file(name) });
  await (await openDuckDbWarehouse({ ...settings, privacy: privacyOptions.parse({}) })).close();
  const catalog = await runIn(
    file(name),
    `select 'table', table_name, sql, comment from duckdb_tables() where not internal
     union all select 'view', view_name, '', comment from duckdb_views() where not internal
     union all select 'column', table_name, column_name, comment from duckdb_columns() where not internal
     union all select 'made', content, '', '' from control.made_schema
     union all select 'format', format::varchar, '', '' from control.format
     union all select 'zones', count(*)::varchar, '', '' from time_zone_transitions order by all`,
  );
  return { identifier: readFileSync(file(name)).toString('hex', 124, 140), catalog };
}

/** Creates files from a template with one row, which counts how many templates were made. */
function counting(): { readonly create: (name: string, hash?: string) => Promise<boolean>; readonly made: () => number } {
  let made = 0;
  const make = async (path: string): Promise<void> => {
    made += 1;
    using database = await Database.open(path, {});
    await database.run('', `create table one as select ${made} as template`);
  };
  return { create: (name, hash = 'h') => createFromTemplate(file(name), { hash, make }, silentLogger), made: () => made };
}

const templateIn = (name: string): Promise<unknown[][]> => runIn(file(name), 'select template from one');

test('warehouses from one template have the same catalog and different identifiers', async () => {
  const [first, second] = [await created('first'), await created('second')];
  vi.stubEnv('AORTA_CACHE', join(folder, 'first.duckdb'));
  const without = await created('without');
  expect(readdirSync(templates)).toHaveLength(1);
  expect(second.catalog).toEqual(first.catalog);
  expect(without.catalog).toEqual(first.catalog);
  expect(first.catalog.length).toBeGreaterThan(3000);
  expect(new Set([first, second, without].map(({ identifier }) => identifier)).size).toBe(3);
});

test('a template is made once for each hash, and only its owner can read the file', async () => {
  const { create, made } = counting();
  expect([await create('a'), await create('b'), await create('c', 'other')]).toEqual([true, true, true]);
  expect([made(), await templateIn('a'), await templateIn('b'), await templateIn('c')]).toEqual([2, [[1]], [[1]], [[2]]]);
  expect(statSync(file('b')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).sort()).toEqual(['a.duckdb', 'b.duckdb', 'c.duckdb', 'cache']);
});

test('an existing file, and the place of a leftover log, are left as they are', async () => {
  const { create, made } = counting();
  writeFileSync(file('there'), 'mine');
  writeFileSync(`${file('log')}.wal`, 'log');
  expect([await create('there'), await create('log'), made()]).toEqual([false, false, 0]);
  expect([readFileSync(file('there'), 'utf8'), existsSync(file('log'))]).toEqual(['mine', false]);
});

test.each([
  [
    'a changed byte',
    (path: string) => {
      const bytes = readFileSync(path);
      bytes[bytes.length >> 1]! ^= 1;
      writeFileSync(path, bytes);
    },
  ],
  ['a missing end', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 8192))],
  ['no content', (path: string) => writeFileSync(path, '')],
])('a template with %s is made again', async (_, damage) => {
  const { create, made } = counting();
  await create('a');
  const [name] = readdirSync(templates);
  damage(join(templates, name!));
  expect([await create('b'), made(), await templateIn('b')]).toEqual([true, 2, [[2]]]);
  expect([await create('c'), made()]).toEqual([true, 2]);
});

test('callers at the same time each get a whole file', async () => {
  const { create } = counting();
  const names = ['a', 'b', 'c', 'd'];
  expect(await Promise.all(names.map((name) => create(name)))).toEqual([true, true, true, true]);
  for (const name of names) expect(await templateIn(name)).toHaveLength(1);
});

test('if two processes create the same file, the second one leaves the first one’s file', async () => {
  const { create } = counting();
  const both = await Promise.all([create('same'), create('same')]);
  expect(both.toSorted()).toEqual([false, true]);
  expect(await templateIn('same')).toHaveLength(1);
});

test('nothing is created if the cache cannot be written', async () => {
  writeFileSync(cache, '');
  const { create } = counting();
  expect([await create('a'), existsSync(file('a'))]).toEqual([false, false]);
});

test('the cache keeps the ten templates that were used last, and drops what killed processes left', async () => {
  const { create, made } = counting();
  await create('first', 'first');
  const setTime = (name: string, hours: number): void => utimesSync(join(templates, name), hours * 3600, hours * 3600);
  for (const name of readdirSync(templates)) setTime(name, 1);
  for (const name of ['killed.unfinished', 'working.unfinished']) writeFileSync(join(templates, name), '');
  setTime('killed.unfinished', 100);
  await create('again', 'first');
  for (let index = 0; index < 10; index += 1) {
    await create(`n${index}`, `n${index}`);
    for (const name of readdirSync(templates)) if (name.startsWith(`n${index}-`)) setTime(name, 10 + index);
  }
  const names = readdirSync(templates).map((name) => name.replace(/-.*/, ''));
  expect(names.sort()).toEqual(
    ['first', ...Array.from({ length: 9 }, (_, index) => `n${index + 1}`), 'working.unfinished'].sort(),
  );
  expect(made()).toBe(11);
});
