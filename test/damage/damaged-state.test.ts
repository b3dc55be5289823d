import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeDeliveryFiles } from '@aorta/people';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { flipped } from '../../infra/machine/damage.fixture.ts';
import { aorta, codesOf } from '../faults/command-line.ts';
import { configuration, DATA, fillIntake, rowsQuery, runOnce, streams } from './place.ts';

/** Damages the small state of a data folder. The tables stay the same, or an error names the file and its remedy works. */

const root = mkdtempSync(join(tmpdir(), 'aorta-damaged-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const MESSAGES = 5;

/** Damages a file of a copy of the whole folder in two ways. Calls `look` after each. */
async function damagedInTwoWays(name: string, look: (damaged: Damage) => Promise<void>): Promise<void> {
  const folder = copy();
  const path = streams(folder, name);
  const written = readFileSync(path);
  for (const content of [flipped(written, written.length * 4), Buffer.alloc(0)]) {
    writeFileSync(path, content);
    await look({ folder, path, written, content });
  }
}

interface Damage {
  readonly folder: string;
  readonly path: string;
  /** The content of the file before the damage. */
  readonly written: Buffer;
  readonly content: Buffer;
}

/** Rows of the tables that this test loads, without the times of processing. */
async function tablesOf(folder: string): Promise<string> {
  const tables = ['activity', 'sleep', 'timeseries', 'deliveries', 'connection_events', 'historical_pulls'];
  const said = await aorta(folder, ['query', rowsQuery(tables), '--csv', '--data', DATA]);
  expect(said).toMatchObject({ code: 0, err: '' });
  return said.out;
}

let whole: { folder: string; tables: string };
let folders = 0;

function copy(): string {
  const folder = join(root, String(folders++));
  // Modification times are times of receipt.
  cpSync(whole.folder, folder, { recursive: true, preserveTimestamps: true });
  return folder;
}

beforeAll(async () => {
  const folder = join(root, String(folders++));
  mkdirSync(folder);
  writeFileSync(join(folder, 'aorta.yaml'), configuration);
  writeDeliveryFiles(join(folder, 'drop'), { seed: 5, people: 2, days: 2, partitions: 1 });
  await fillIntake(folder, 0, MESSAGES);
  expect(await runOnce(folder)).toMatchObject({ code: 0 });
  whole = { folder, tables: await tablesOf(folder) };
  expect(whole.tables.split('\n').length).toBeGreaterThan(50);
});

describe('a damaged file that is derived from the streams', () => {
  test.each([
    ['redelivery-window/index.json', 'the redelivery window is built again from the records in the streams'],
    ['state/historical-pulls.ndjson', 'the job starts over, and does its work again'],
    ['sources/hook.intake/checkpoint.json', 'all messages that the intake log still has are read again'],
    ['sources/hook.intake/ends.ndjson', 'the messages in the segments are read'],
  ])('%s is kept, and the tables stay the same', async (name, consequence) => {
    await damagedInTwoWays(name, async ({ folder, path, content }) => {
      const said = await runOnce(folder);
      expect(said.code).toBe(0);
      const logged = said.log.filter((line) => line.includes('AORTA-STATE-DAMAGED'));
      expect(logged).toEqual([expect.stringContaining(consequence)]);
      expect(logged[0]).toContain(path);
      expect(readFileSync(`${path}.damaged`)).toEqual(content);
      expect(await tablesOf(folder)).toBe(whole.tables);
    });
  });
});

test('a damaged stream.json is written again, and the tables stay the same', async () => {
  await damagedInTwoWays('activity/stream.json', async ({ folder, path, written }) => {
    const said = await runOnce(folder);
    expect(said.code).toBe(0);
    expect(said.log.filter((line) => line.includes('AORTA-STREAM-REPAIRED'))).toEqual([
      expect.stringContaining('activity/stream.json'),
    ]);
    expect(readFileSync(path)).toEqual(written);
    expect(await tablesOf(folder)).toBe(whole.tables);
  });
});

describe('a damaged file that cannot be derived', () => {
  test.each([
    ['format.json', 'AORTA-FORMAT-DAMAGED'],
    ['activity/groups/warehouse.json', 'AORTA-POSITION-DAMAGED'],
    ['sources/drop.json', 'AORTA-FILE-CHECKPOINTS-DAMAGED'],
  ])('%s is refused, and after its deletion the tables are the same', async (name, code) => {
    await damagedInTwoWays(name, async ({ folder, path }) => {
      const said = await runOnce(folder);
      expect([said.code, codesOf(said)]).toEqual([1, [code]]);
      expect(said.err).toContain(path);
      expect(await tablesOf(folder)).toBe(whole.tables);
      rmSync(path);
      expect(await runOnce(folder)).toMatchObject({ code: 0 });
      expect(await tablesOf(folder)).toBe(whole.tables);
    });
  });
});

describe('a damaged intake log', () => {
  test('ends a run with 1 until the kept segment is deleted, and `doctor` and `status` report it', async () => {
    const folder = join(root, String(folders++));
    mkdirSync(folder);
    writeFileSync(join(folder, 'aorta.yaml'), configuration);
    mkdirSync(join(folder, 'drop'));
    await fillIntake(folder, 0, MESSAGES);
    const intake = streams(folder, 'sources', 'hook.intake');
    const [name = ''] = readdirSync(intake).filter((one) => one.endsWith('.intake'));
    const segment = join(intake, name);
    writeFileSync(segment, readFileSync(segment).subarray(0, -10));

    const first = await runOnce(folder);
    expect(first.code).toBe(1);
    expect(first.log.filter((line) => line.includes('AORTA-WEBHOOK-INTAKE-DAMAGED'))).toEqual([
      expect.stringContaining(`${segment} was damaged: 1 acknowledged message cannot be read.`),
    ]);
    const rows = await aorta(folder, ['query', 'select steps from activity order by steps', '--csv', '--data', 'd']);
    expect(rows.out).toBe('steps\r\n0\r\n1\r\n2\r\n3\r\n');
    expect((await runOnce(folder)).code).toBe(1);
    const doctor = await aorta(folder, ['doctor', '--data', 'd']);
    expect(doctor).toMatchObject({ code: 1, out: expect.stringContaining(`${segment} was damaged`) });
    const status = await aorta(folder, ['status', '--json', '--data', 'd']);
    expect(JSON.parse(status.out).source_problems).toMatchObject([{ source: 'hook', code: 'AORTA-WEBHOOK-INTAKE-DAMAGED' }]);
    rmSync(`${segment}.damaged`);
    expect((await runOnce(folder)).code).toBe(0);
    expect(existsSync(`${segment}.damaged`)).toBe(false);
  });
});
