import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { writeDeliveryFiles } from '@aorta/people';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aorta } from './command.ts';

/** Tests that the same deliveries give identical tables, however they are divided into files and ordered. */

const root = mkdtempSync(join(tmpdir(), 'aorta-same-'));
let files: string[];
let expected: string;

const summaries = ['activity', 'body', 'profile', 'sleep', 'workouts', 'workout_stream_events'];
const tables = [...summaries, 'timeseries', 'blood_pressure', 'connection_events', 'historical_completions', 'deliveries'];

async function load(folder: string, ...list: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await aorta(folder, ['load', ...list, '--warehouse', 'duckdb:health.duckdb', '--json']);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  const report = JSON.parse(stdout) as {
    received: number;
    redelivered: number;
    streams: Record<string, number>;
    unrouted: number;
    dead_letters: Record<string, number>;
  };
  const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((total, count) => total + count, 0);
  expect(report.received).toBe(report.redelivered + sum(report.streams) + report.unrouted + sum(report.dead_letters));
  return report;
}

/** Returns the rows that `aorta query` prints for all tables. Runs the command only once, because it takes a second to start. */
async function printed(folder: string): Promise<string> {
  const rows = tables.map(
    (table) => `select '${table}' as stands_in, to_json(r)::varchar as line from (select * exclude (_loaded_at) from ${table}) r`,
  );
  const sql = `${rows.join(' union all ')} order by all`;
  const { code, stdout } = await aorta(folder, ['query', sql, '--warehouse', 'duckdb:health.duckdb', '--json']);
  expect(code).toBe(0);
  return stdout;
}

const newFolder = (): string => mkdtempSync(join(root, 'folder-'));

/** Compares the rows, without printing megabytes of them if they differ. */
function same(actual: string): void {
  const differsAt = actual === expected ? -1 : [...actual].findIndex((character, index) => character !== expected[index]);
  expect({ length: actual.length, differsAt }).toEqual({
    length: expected.length,
    differsAt: -1,
  });
}

beforeAll(async () => {
  files = writeDeliveryFiles(join(root, 'deliveries'), { seed: 11, people: 5, days: 3, partitions: 3 });
  const folder = newFolder();
  const report = await load(folder, ...files);
  expect(report.redelivered).toBeGreaterThan(0);
  expected = await printed(folder);
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

test('loading every file twice with one command, in a different order, gives the same tables', async () => {
  const folder = newFolder();
  const [a, b, c] = files as [string, string, string];
  const once = await load(newFolder(), a, b, c);
  const twice = await load(folder, c, a, b, b, c, a);
  const doubled = (counts: object): object =>
    Object.fromEntries(
      Object.entries(counts).map(([name, count]) => [name, typeof count === 'object' ? doubled(count) : 2 * count]),
    );
  expect(twice, 'a delivery that is read again counts again').toEqual({ ...doubled(once), tables: once.tables });
  same(await printed(folder));
});

test('loading the files one by one in reverse order, and then again in order, gives the same tables', async () => {
  const folder = newFolder();
  for (const file of [...files.toReversed(), ...files]) await load(folder, file);
  same(await printed(folder));
});

test('gzipped files give the same tables, even if their names do not end with gz', async () => {
  const folder = newFolder();
  const zipped = files.map((file, index) => {
    const copy = join(folder, `copy-${index}${index === 0 ? '.gz' : '.ndjson'}`);
    writeFileSync(copy, gzipSync(readFileSync(file)));
    return copy;
  });
  await load(folder, ...zipped);
  same(await printed(folder));
});

test('files that are split into parts give the same tables if several commands load the parts in offset order', async () => {
  const folder = newFolder();
  for (const file of files) {
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    // With these parts, the redelivery window reaches back into records that an earlier command loaded.
    for (const [from, to] of [
      [0, 0.3],
      [0.3, 0.31],
      [0.31, 1],
    ] as const) {
      const part = join(folder, `${basename(file)}-${from}`);
      writeFileSync(part, `${lines.slice(Math.floor(from * lines.length), Math.floor(to * lines.length)).join('\n')}\n`);
      await load(folder, part);
    }
  }
  same(await printed(folder));
});

test('a removed warehouse is rebuilt from the streams', async () => {
  const folder = newFolder();
  await load(folder, ...files);
  rmSync(join(folder, 'health.duckdb'));
  rmSync(join(folder, 'health.published.duckdb'));
  const [first] = files as [string];
  await load(folder, first);
  same(await printed(folder));
});
