import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Random, randomOf, writeDeliveryFiles } from '@aorta/people';
import { Progress, type Step, silentLogger, silentMetrics } from '@aorta/runtime';
import { configuredSources, readSetting, runPipeline } from 'aorta/internals';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { flipped } from '../../infra/machine/damage.fixture.ts';
import { aorta } from '../faults/command-line.ts';
import { configuration, DATA, fillIntake, rowsQuery, runOnce } from './place.ts';

/**
 * Damages every file of a data folder, one at a time. The next runs must give the same tables, or an error that names the file. A row
 * must never be wrong, and never be missing without an error.
 */

const MESSAGES = 4;

/** Runs until everything is loaded. At the given occurrence of a step, calls `look`, while nothing else runs. */
async function runWatched(folder: string, step: Step, occurrence: number, look: () => void): Promise<void> {
  const setting = readSetting({ data: DATA }, {}, folder);
  const observed = { logger: silentLogger, metrics: silentMetrics, progress: new Progress() };
  let seen = 0;
  await runPipeline({
    setting,
    sources: () => configuredSources(setting, { ...observed, once: true, worker: 'w' }).all,
    ...observed,
    onStep: (passed) => {
      if (passed === step && ++seen === occurrence) look();
    },
  });
  expect(seen).toBeGreaterThanOrEqual(occurrence);
}

/** The rows of the tables, without the times of processing. Undefined if they cannot be read. */
async function rowsOf(folder: string): Promise<{ rows: readonly string[]; told: string }> {
  const tables = ['activity', 'sleep', 'body', 'workouts', 'timeseries', 'deliveries', 'connection_events', 'historical_pulls'];
  const said = await aorta(folder, ['query', rowsQuery(tables), '--csv', '--data', DATA]);
  return { rows: said.code === 0 ? said.out.trimEnd().split('\r\n').slice(1) : [], told: said.err };
}

/** A pull is the state that follows from its evidence. Without a lost part of the evidence, it is an earlier state. */
const isDerived = (row: string): boolean => row.startsWith('historical_pulls,');

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();
}

const damages: readonly (readonly [string, (bytes: Buffer, random: Random) => Buffer])[] = [
  ['a bit is flipped', (bytes, random) => flipped(bytes, Math.floor(random.uniform() * bytes.length * 8))],
  ['the end is cut', (bytes, random) => bytes.subarray(0, Math.floor(random.uniform() * bytes.length))],
  ['a bit is flipped', (bytes, random) => flipped(bytes, Math.floor(random.uniform() * bytes.length * 8))],
  ['the last byte is cut', (bytes) => bytes.subarray(0, -1)],
  ['a bit is flipped', (bytes, random) => flipped(bytes, Math.floor(random.uniform() * bytes.length * 8))],
  [
    'a part is repeated',
    (bytes, random) => Buffer.concat([bytes.subarray(0, Math.floor(random.uniform() * bytes.length)), bytes]),
  ],
  ['a bit is flipped', (bytes, random) => flipped(bytes, Math.floor(random.uniform() * bytes.length * 8))],
  ['it is empty', () => Buffer.alloc(0)],
];

/** Number of damages of each file. */
const DAMAGES = 2;

/** Damages the files of a data folder that a run had left at an occurrence of a step. */
export function damagedFiles(state: string, step: Step, occurrence: number, seed: number): void {
  const root = mkdtempSync(join(tmpdir(), 'aorta-damage-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const place = join(root, 'place');
  const snapshot = join(root, 'snapshot');
  let expected: readonly string[];
  let before: ReadonlySet<string>;
  let names: readonly string[];

  /** Puts the data folder back into the state, and returns what the file contains. */
  function restore(): void {
    rmSync(join(place, DATA), { recursive: true, force: true });
    cpSync(snapshot, join(place, DATA), { recursive: true, preserveTimestamps: true });
  }

  beforeAll(async () => {
    mkdirSync(place);
    writeFileSync(join(place, 'aorta.yaml'), configuration);
    const [first = ''] = writeDeliveryFiles(join(root, 'first'), { seed: 5, people: 2, days: 2, partitions: 1 });
    const [second = ''] = writeDeliveryFiles(join(root, 'second'), { seed: 6, people: 2, days: 2, partitions: 1 });
    mkdirSync(join(place, 'drop'));
    cpSync(first, join(place, 'drop', '1.ndjson'), { preserveTimestamps: true });
    await fillIntake(place, 0, MESSAGES);
    expect((await runOnce(place)).code).toBe(0);
    before = new Set((await rowsOf(place)).rows);
    cpSync(second, join(place, 'drop', '2.ndjson'), { preserveTimestamps: true });
    await fillIntake(place, MESSAGES, MESSAGES);
    await runWatched(place, step, occurrence, () => {
      cpSync(join(place, DATA), snapshot, { recursive: true, preserveTimestamps: true });
      // The lock of this process would keep the next run out.
      rmSync(join(snapshot, 'streams', 'lock'));
    });
    expect((await runOnce(place)).code).toBe(0);
    expected = (await rowsOf(place)).rows;
    expect(expected.length).toBeGreaterThan(before.size + 50);
    names = filesIn(snapshot);
    restore();
    expect((await runOnce(place)).code).toBe(0);
    const again = new Set((await rowsOf(place)).rows);
    expect([...again].filter((row) => !expected.includes(row))).toEqual([]);
    expect(expected.filter((row) => !again.has(row))).toEqual([]);
  });

  describe(state, () => {
    test('after damage to any file, the tables are the same, or an error names the file', async () => {
      const random = randomOf(seed);
      const known = new Set(expected);
      const outcomes = { same: 0, reported: 0 };
      const wrong: string[] = [];
      for (const [index, name] of names.entries()) {
        const bytes = readFileSync(join(snapshot, name));
        for (let number = 0; number < DAMAGES; number += 1) {
          const [what, damage] = damages[(seed + DAMAGES * index + number) % damages.length]!;
          const damaged = bytes.length === 0 ? Buffer.from('{') : damage(bytes, random);
          restore();
          writeFileSync(join(place, DATA, name), damaged);
          const ran = await runOnce(place);
          const { rows, told } = await rowsOf(place);
          const ranTold = `${ran.out}${ran.err}${ran.log.join('')}`;
          const isSame = JSON.stringify(rows) === JSON.stringify(expected);
          const isNamed = `${ranTold}${told}`.includes(name.replace(/^streams\//, ''));
          const isTrue = rows.every((row) => known.has(row) || before.has(row) || isDerived(row));
          if (isSame && (ran.code === 0 || isNamed)) outcomes.same += 1;
          else if (isTrue && isNamed && (ran.code === 1 || told !== '')) outcomes.reported += 1;
          else
            wrong.push(
              `${name}, ${what}: code ${ran.code}, ${rows.length} of ${expected.length} rows, ${isTrue ? '' : 'wrong rows, '}${isNamed ? 'named' : 'not named'}\n${ranTold.slice(0, 400)}${told}`,
            );
        }
      }
      expect(wrong).toEqual([]);
      expect(outcomes.same + outcomes.reported).toBeGreaterThanOrEqual(60);
    });
  });
}
