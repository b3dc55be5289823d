import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from '@aorta/connectors';
import { writeDeliveryFiles } from '@aorta/people';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { flipped } from '../../infra/machine/damage.fixture.ts';
import { aorta } from '../faults/command-line.ts';
import { configuration, DATA, rowsQuery, runOnce, streams } from './place.ts';

/** `aorta doctor` and `aorta status` report damage to a data folder before a run reads it. */

const root = mkdtempSync(join(tmpdir(), 'aorta-doctor-'));
const pristine = join(root, 'pristine');
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folder: string;
beforeAll(async () => {
  mkdirSync(join(pristine, 'drop'), { recursive: true });
  writeFileSync(join(pristine, 'aorta.yaml'), configuration);
  await writeDeliveryFiles(join(pristine, 'drop'), { people: 1, seed: 7, days: 4 });
  expect(await runOnce(pristine)).toMatchObject({ code: 0 });
});
beforeEach(() => {
  folder = mkdtempSync(join(root, 'damaged-'));
  cpSync(pristine, folder, { recursive: true });
});

/** Returns the findings that are not ok, without those about the copied publication. */
async function doctor(...flags: readonly string[]): Promise<Finding[]> {
  const { code, out } = await aorta(folder, ['doctor', '--json', '--data', DATA, ...flags]);
  const findings: Finding[] = JSON.parse(out);
  expect(code).toBe(findings.some(({ state }) => state === 'fail') ? 1 : 0);
  return findings.filter(({ check, state }) => state !== 'ok' && check !== 'published copy');
}

const warehouse = () => join(folder, DATA, 'warehouse.duckdb');

test('a sound folder has no finding', async () => {
  expect([await doctor(), await doctor('--deep')]).toEqual([[], []]);
});

test('a damaged small file, and one that was kept', async () => {
  const path = streams(folder, 'ends.ndjson');
  writeFileSync(path, flipped(readFileSync(path), 400));
  writeFileSync(streams(folder, 'sources', 'old.json.damaged'), '');
  const found = `damaged in ${streams(folder)}: ends.ndjson`;
  expect(await doctor()).toMatchObject([{ check: 'small files', state: 'fail', found }]);
  expect((await runOnce(folder)).code).toBe(0);
  const kept = `damaged files were kept in ${streams(folder)}: ends.ndjson.damaged; sources/old.json.damaged`;
  expect(await doctor()).toMatchObject([{ check: 'small files', state: 'warn', found: kept }]);
});

test.each([
  ['missing', 'AORTA-WAREHOUSE-MISSING', () => rmSync(warehouse())],
  ['empty', 'AORTA-WAREHOUSE-UNREADABLE', () => truncateSync(warehouse())],
  ['replaced', 'AORTA-WAREHOUSE-UNREADABLE', () => writeFileSync(warehouse(), 'nothing')],
])('the warehouse is %s, although its published copy is sound', async (_, code, damage) => {
  damage();
  expect(await doctor()).toMatchObject([{ check: 'warehouse file', state: 'fail', code }]);
});

test('with --deep, each block of the warehouse that tables use', async () => {
  const written = readFileSync(warehouse());
  const header = 3 * 4096;
  // DuckDB does not use the rest of the blocks of a small warehouse.
  const found: boolean[] = [];
  for (let at = header + 100; at < statSync(warehouse()).size; at += 262_144) {
    writeFileSync(warehouse(), flipped(written, at * 8));
    const findings = await doctor('--deep');
    if (findings.length > 0)
      expect(findings).toMatchObject([{ check: 'warehouse file', state: 'fail', code: 'AORTA-WAREHOUSE-UNREADABLE' }]);
    found.push(findings.length > 0);
  }
  expect(found.filter((isFound) => isFound).length).toBeGreaterThan(3);
  truncateSync(warehouse(), written.length / 2);
  expect(await doctor('--deep')).toMatchObject([{ check: 'warehouse file', code: 'AORTA-WAREHOUSE-UNREADABLE' }]);
});

test('damage to records that are in the tables, so no run reads them: --repair keeps the segment and says what is lost', async () => {
  const rows = () => aorta(folder, ['query', rowsQuery(['activity', 'sleep', 'timeseries']), '--csv', '--data', DATA]);
  const before = await rows();
  const name = 'timeseries/00000000000000000000.avro';
  const path = streams(folder, name);
  const written = readFileSync(path);
  writeFileSync(path, flipped(written, (written.length / 2) * 8));
  expect((await runOnce(folder)).code).toBe(0);
  expect(await doctor('--deep')).toMatchObject([{ check: 'streams', code: 'AORTA-SEGMENT-CORRUPT' }]);
  const [lost] = await doctor('--deep', '--repair');
  expect(lost).toMatchObject({ check: 'streams', code: 'AORTA-SEGMENT-LOST', found: expect.stringContaining(name) });
  expect(existsSync(`${path}.damaged`)).toBe(true);
  const status = await aorta(folder, ['status', '--data', DATA]);
  const listed = await aorta(folder, ['streams', '--data', DATA]);
  for (const { out } of [status, listed]) expect(out).toContain(`${lost!.found} [AORTA-SEGMENT-LOST]\n`);
  expect((await runOnce(folder)).code).toBe(1);

  writeFileSync(path, written);
  rmSync(`${path}.damaged`);
  expect([(await runOnce(folder)).code, await doctor('--deep')]).toEqual([0, []]);
  expect(await rows()).toEqual(before);
});

test('--repair needs --deep', async () => {
  const { code, err } = await aorta(folder, ['doctor', '--repair', '--data', DATA]);
  expect([code, err]).toEqual([2, expect.stringContaining('--repair needs --deep')]);
});
