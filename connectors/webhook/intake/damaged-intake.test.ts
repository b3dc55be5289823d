import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AortaError, type Logger, Progress, silentLogger } from '@aorta/runtime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { damagesOf } from '../../../infra/machine/damage.fixture.ts';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import type { Delivery } from '../../source.ts';
import { probe, problems } from '../module.ts';
import { webhookSourceOptions } from '../options.ts';
import { message, newFolder, numberOf, openIntake, type Taken, take } from './intake.fixture.ts';
import type { LocalIntake, LocalIntakeOptions } from './local-intake.ts';

let folder: string;
let found: AortaError[];
let warnings: unknown[];
let progress: Progress;
beforeEach(async () => {
  folder = await newFolder();
  found = [];
  warnings = [];
});
afterEach(() => rm(folder, { recursive: true }));

const logger: Logger = { ...silentLogger, warn: (_, fields) => void warnings.push(fields) };

/** Opens the log, and collects its problems. */
function open(options: Partial<LocalIntakeOptions> = {}): Promise<LocalIntake> {
  found = [];
  warnings = [];
  progress = new Progress();
  return openIntake(folder, { logger, progress, onProblem: (error) => void found.push(error), ...options });
}

/** Reads the log as a process that commits nothing. */
async function read(options: Partial<LocalIntakeOptions> = {}): Promise<Taken> {
  const intake = await open(options);
  const taken = await take(intake);
  await intake.close();
  return taken;
}

const MESSAGES = 6;
const all = Array.from({ length: MESSAGES }, (_, number) => number);
const place = ({ partition, offset }: Delivery): string => `${partition}/${offset}`;

/** Content of every file, by name. */
async function files(): Promise<Map<string, Buffer>> {
  const names = await readdir(folder);
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)));
}

async function restore(contents: ReadonlyMap<string, Buffer>): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name));
  for (const [name, content] of contents) await writeFile(join(folder, name), content);
}

/** Expects that messages are either read unchanged or reported as missing, and that no offset is used again. */
async function expectNoSilentLoss(original: ReadonlyMap<number, Delivery>, damaged: string, what: string): Promise<void> {
  const { deliveries } = await read();
  expect([what, deliveries]).toEqual([what, deliveries.map((one) => original.get(numberOf(one)))]);
  expect(new Set(deliveries.map(numberOf)).size).toBe(deliveries.length);
  const lost = MESSAGES - deliveries.length;
  const messages = `${lost} acknowledged message${lost === 1 ? '' : 's'} cannot be read`;
  const details = { file: damaged, kept: `${damaged}.damaged`, lost: messages };
  expect([what, found.map(({ code, details }) => ({ code, details }))]).toEqual([
    what,
    lost === 0 ? [] : [{ code: 'AORTA-WEBHOOK-INTAKE-DAMAGED', details }],
  ]);
  const later = await open();
  await later.append(message(0));
  const again = await take(later);
  await later.close();
  const used = [...original.values()].map(place);
  expect([what, used.includes(place(again.deliveries.at(-1)!))]).toEqual([what, false]);
  // The report remains, and nothing is found again.
  expect([what, found.map(({ details }) => details.lost)]).toEqual([
    what,
    lost === 0 ? [] : ['acknowledged messages may be missing'],
  ]);
}

async function filled(segmentBytes: number): Promise<ReadonlyMap<number, Delivery>> {
  const intake = await open({ segmentBytes });
  for (const number of all) await intake.append(message(number));
  const { deliveries } = await take(intake);
  await intake.close();
  expect([deliveries.map(numberOf), found, warnings]).toEqual([all, [], []]);
  return new Map(deliveries.map((one) => [numberOf(one), one]));
}

describe.each([
  ['the only segment', 1e9, '0000000000.intake'],
  ['a segment with successors', 200, '0000000001.intake'],
  ['the last segment', 200, '0000000002.intake'],
])('damage to %s', (_, segmentBytes, name) => {
  test('is reported with the number of missing messages, and all other messages are read', async () => {
    const original = await filled(segmentBytes);
    const contents = await files();
    const path = join(folder, name);
    const written = contents.get(name)!;
    for (const { what, content } of damagesOf(written, 251)) {
      await restore(contents);
      await writeFile(path, content);
      await expectNoSilentLoss(original, path, what);
      if (found.length > 0) expect(await readFile(`${path}.damaged`)).toEqual(content);
    }
    await restore(contents);
    await rm(path);
    await expectNoSilentLoss(original, path, 'missing');
    expect(await readFile(`${path}.damaged`)).toEqual(Buffer.alloc(0));
  });
});

test('each of the last bytes that is cut off a segment is noticed', async () => {
  const original = await filled(1e9);
  const contents = await files();
  const path = join(folder, '0000000000.intake');
  const written = contents.get('0000000000.intake')!;
  for (let length = written.length - 40; length < written.length; length += 1) {
    await restore(contents);
    await writeFile(path, written.subarray(0, length));
    await expectNoSilentLoss(original, path, `${length} bytes`);
    expect(found).toHaveLength(1);
  }
});

test('the beginning of an append that was never acknowledged is no damage', async () => {
  const original = await filled(1e9);
  const contents = await files();
  const path = join(folder, '0000000000.intake');
  const written = contents.get('0000000000.intake')!;
  const frame = written.subarray(written.lastIndexOf(Buffer.from('a0a71a5e', 'hex')));
  for (let length = 0; length < frame.length; length += 1) {
    await restore(contents);
    await appendFile(path, frame.subarray(0, length));
    expect((await read()).deliveries).toEqual([...original.values()]);
    expect([found, warnings]).toEqual([[], []]);
  }
});

test('damage to the ends loses no message, is logged, and no offset is used again', async () => {
  const original = await filled(500);
  const contents = await files();
  const path = join(folder, 'ends.ndjson');
  for (const { what, content } of damagesOf(contents.get('ends.ndjson')!, 67)) {
    await restore(contents);
    await writeFile(path, content);
    expect([what, (await read()).deliveries]).toEqual([what, [...original.values()]]);
    const isNoticed = warnings.length > 0;
    if (isNoticed) {
      expect(warnings).toMatchObject([{ code: 'AORTA-STATE-DAMAGED', message: expect.stringContaining(path) }]);
      expect(await readFile(`${path}.damaged`)).toEqual(content);
    }
    // Whole lines at the end may be missing unnoticed: they would only show that messages are missing.
    expect([what, isNoticed || content.length < contents.get('ends.ndjson')!.length || what.startsWith('bit')]).toEqual([
      what,
      true,
    ]);
    await expectNoSilentLoss(original, '', what);
  }
});

test('with a damaged checkpoint, all kept messages are read again with the same offsets, also if segments were removed', async () => {
  const original = await filled(500);
  const first = await open();
  const { positions } = await take(first);
  await first.commit(positions.slice(0, 2));
  await first.close();
  const contents = await files();
  expect(contents.has('0000000000.intake')).toBe(false);
  const path = join(folder, 'checkpoint.json');
  for (const { what, content } of damagesOf(contents.get('checkpoint.json')!, 41)) {
    await restore(contents);
    await writeFile(path, content);
    const { deliveries } = await read();
    const kept = [...original.values()].slice(-deliveries.length);
    expect([what, deliveries, found]).toEqual([what, kept, []]);
    expect(deliveries.length).toBeGreaterThanOrEqual(2);
    expect(warnings).toMatchObject([{ code: 'AORTA-STATE-DAMAGED', message: expect.stringContaining(path) }]);
    expect(await readFile(`${path}.damaged`)).toEqual(content);
  }
});

test('if all segments were removed and the checkpoint is damaged, offsets and segment numbers go on', async () => {
  const original = await filled(500);
  const first = await open({ keepMs: 0 });
  await first.commit((await take(first)).positions);
  await first.close();
  expect([...(await files()).keys()].filter((name) => name.endsWith('.intake'))).toEqual([]);
  await writeFile(join(folder, 'checkpoint.json'), '');
  const later = await open();
  for (const number of all) await later.append(message(number));
  const places = (await take(later)).deliveries.map(place);
  await later.close();
  expect(places.filter((one) => [...original.values()].map(place).includes(one))).toEqual([]);
  expect([...(await files()).keys()].filter((name) => name.endsWith('.intake'))).toEqual(['0000000002.intake']);
});

test('damage before the committed position loses nothing, because the streams have those messages', async () => {
  await filled(1e9);
  const first = await open({ window: 100 });
  await first.commit((await take(first)).positions);
  await first.append(message(6));
  await first.close();
  const contents = await files();
  const written = contents.get('0000000000.intake')!;
  for (const content of [written.subarray(0, 300), Buffer.alloc(0), Buffer.alloc(written.length, 1)]) {
    await restore(contents);
    await writeFile(join(folder, '0000000000.intake'), content);
    expect((await read({ window: 100 })).deliveries.map(numberOf)).toEqual([6]);
    expect(found).toEqual([]);
  }
});

test('a segment in which messages are missing makes the source unready, until the operator deletes the kept file', async () => {
  const root = folder;
  const state = join(root, 'hook');
  folder = `${state}.intake`;
  await filled(1e9);
  const settings = webhookSourceOptions.parse({
    type: 'webhook',
    name: 'hook',
    listen: '127.0.0.1:0',
    secrets: [`whsec_${Buffer.alloc(24, 7).toString('base64')}`],
  });
  const surroundings = { stateOf: () => state, patience: { connectMs: 1, requestMs: 1 } };
  const doctor = async () => (await probe([settings], surroundings)).filter(({ check }) => check === 'intake log of hook');
  expect([await doctor(), await problems(settings, state)]).toEqual([[], []]);

  const path = join(folder, '0000000000.intake');
  await writeFile(path, (await readFile(path)).subarray(0, -1));
  const intake = await open({ once: false });
  const stop = new AbortController();
  const reading = (async () => {
    for await (const _ of intake.batches(stop.signal));
  })();
  await until('the damage', () => found.length, 1);
  expect(progress.stalls()).toMatchObject([{ reason: expect.stringContaining('1 acknowledged message cannot be read') }]);
  expect(await doctor()).toMatchObject([{ state: 'fail', found: expect.stringContaining(path), remedy: expect.any(String) }]);
  expect(await problems(settings, state)).toMatchObject([{ code: 'AORTA-WEBHOOK-INTAKE-DAMAGED' }]);
  await rm(`${path}.damaged`);
  await until('readiness', () => progress.stalls().length === 0);
  expect([await doctor(), await problems(settings, state)]).toEqual([[], []]);
  stop.abort();
  await reading;
  await intake.close();
  await read();
  expect(found).toEqual([]);
  folder = root;
});
