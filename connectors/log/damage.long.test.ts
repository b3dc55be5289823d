import { readFileSync } from 'node:fs';
import { cp, readdir, readFile, readlink, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorFields, type LogFields, Progress, silentLogger } from '@aorta/runtime';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { until } from '../../infra/machine/waiting.fixture.ts';
import { partitionOf } from '../stream-log.ts';
import { numbered, numbersOf, range, readAll, segmentsOf, temporaryFolder } from '../streams/records.fixture.ts';
import { type ContainerHeader, decodeBlockStart, decodeHeader } from './container.ts';
import { SegmentError } from './errors.ts';
import { FollowedLog } from './followed-log.ts';
import { type LocalLog, openLocalLog } from './local-log.ts';
import { headerFor } from './salvage.ts';

const unrouted = partitionOf('unrouted');
const options = { blockBytes: 250, segmentBytes: 4000 };
const TOTAL = 60;

/** Writes records 0 to TOTAL-1 in several flushes, blocks and segments. Returns the paths of the segments. */
async function written(folder: string, total = TOTAL): Promise<string[]> {
  await using log = await openLocalLog({ folder, ...options });
  for (const number of range(0, total)) {
    log.append('unrouted', numbered(number));
    if (number % 7 === 6) await log.flush();
  }
  await log.flush();
  return segmentsOf(folder, 'unrouted');
}

/** File offset and first record of each block in a segment that begins with record `first`, and those after the last block. */
function blocksOf(file: Buffer, first: number): { offset: number; record: number }[] {
  const header = decodeHeader(file);
  if (typeof header === 'string') throw new Error(header);
  const found = [{ offset: header.bytes, record: first }];
  for (let { offset, record } = found[0]!; offset < file.length; ) {
    const block = decodeBlockStart(file, offset)!;
    offset += block.whole;
    record += block.count;
    found.push({ offset, record });
  }
  return found;
}

/** The numbers of the records that the log reports as lost. */
function lostIn(log: LocalLog): number[] {
  return log.losses().flatMap(({ details }) => range(Number(details.first), Number(details.last) + 1));
}

/**
 * Opens the log, reads everything, and expects that each record is either read or reported as lost, and that damaged files
 * are kept. Returns the lost records.
 */
async function examined(folder: string, total = TOTAL): Promise<number[]> {
  await using log = await openLocalLog({ folder, ...options });
  const read = new Set<number>();
  for (let at = 0; at < log.end(unrouted); ) {
    const batch = await log.read(unrouted, at, { records: 5, bytes: 1e9 });
    for (const [index, number] of numbersOf(batch.records).entries()) {
      read.add(number);
      // A record never moves to an earlier position, which a reader may have passed already.
      expect(batch.to - batch.records.length + index).toBeGreaterThanOrEqual(number);
    }
    at = batch.to;
  }
  const lost = lostIn(log);
  expect([...read, ...lost].sort((a, b) => a - b)).toEqual(range(0, total));
  const files = await readdir(folder, { recursive: true });
  for (const { details } of log.losses()) expect(files).toContain(details.aside);
  return lost;
}

const kinds = ['flip', 'cut', 'remove', 'repeat', 'blank', 'empty', 'delete'] as const;
interface Mutation {
  readonly kind: (typeof kinds)[number];
  /** Place in the file, from 0 to 1. */
  readonly at: number;
  readonly length: number;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom(...kinds),
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  length: fc.integer({ min: 1, max: 700 }),
});

/**
 * Bytes that are removed from the middle leave no trace if they are exactly a block. Disks do not lose bytes in this way, so this
 * case is only tested with fewer bytes than a block has.
 */
const shortest = 100;

function mutated(bytes: Buffer, { kind, at: place, length }: Mutation): Buffer {
  const at = Math.floor(place * bytes.length);
  const damaged = Buffer.from(bytes);
  const before = damaged.subarray(0, at);
  if (kind === 'flip') damaged[at]! ^= 1 << (length % 8);
  if (kind === 'blank') damaged.fill(0, at, Math.min(at + length, bytes.length));
  if (kind === 'cut') return before;
  if (kind === 'remove') return Buffer.concat([before, damaged.subarray(at + (length % shortest))]);
  if (kind === 'repeat') return Buffer.concat([damaged.subarray(0, at + length), damaged.subarray(at)]);
  return kind === 'empty' ? Buffer.alloc(0) : damaged;
}

test('after any damage to a segment, each record is read or reported as lost, now and after more appends', async () => {
  const pristine = await temporaryFolder(true);
  const { length: count } = await written(pristine);
  expect(count).toBeGreaterThan(2);
  let withLoss = 0;
  let withoutLoss = 0;
  await fc.assert(
    fc.asyncProperty(fc.nat(count - 1), mutation, async (which, how) => {
      const folder = await temporaryFolder(true);
      await cp(pristine, folder, { recursive: true });
      const path = (await segmentsOf(folder, 'unrouted'))[which]!;
      if (how.kind === 'delete') await rm(path);
      else await writeFile(path, mutated(await readFile(path), how));
      const lost = await examined(folder);
      if (lost.length > 0) withLoss += 1;
      else withoutLoss += 1;

      const log = await openLocalLog({ folder, ...options });
      expect(lostIn(log)).toEqual(lost);
      for (const number of range(TOTAL, TOTAL + 10)) log.append('unrouted', numbered(number));
      await log.flush();
      await log.close();
      const before = await readdir(folder, { recursive: true });
      expect(await examined(folder, TOTAL + 10)).toEqual(lost);
      expect(await readdir(folder, { recursive: true })).toEqual(before);
      await rm(folder, { recursive: true });
    }),
    { numRuns: 120 },
  );
  expect(Math.min(withLoss, withoutLoss)).toBeGreaterThan(10);
});

test('a flipped bit anywhere in a segment is noticed, or it is corrected', async () => {
  const folder = await temporaryFolder(true);
  const [segment] = await written(folder, 6);
  const whole = await readFile(segment!);
  const ends = await readFile(join(folder, 'ends.ndjson'));
  const headerEnd = blocksOf(whole, 0)[0]!.offset;
  // The schema in the header is long, and all its bytes are alike.
  const places = range(0, whole.length).filter((at) => at < 40 || at > headerEnd - 120 || at % 50 === 0);
  for (const at of places) {
    const damaged = Buffer.from(whole);
    damaged[at]! ^= 1 << (at % 8);
    for (const path of await segmentsOf(folder, 'unrouted')) await rm(path);
    await writeFile(segment!, damaged);
    await writeFile(join(folder, 'ends.ndjson'), ends);
    const lost = await examined(folder, 6);
    // A header that this version wrote can be written again.
    if (at < headerEnd) expect(lost, `byte ${at}`).toEqual([]);
    for (const name of await readdir(join(folder, 'unrouted')))
      if (name.endsWith('.damaged')) await rm(join(folder, 'unrouted', name));
  }
});

test('a byte or a block cut from the end of a stream is a loss that names the segment, the positions and the kept file', async () => {
  for (const cutBlock of [false, true]) {
    const folder = await temporaryFolder(true);
    const last = (await written(folder)).at(-1)!;
    const file = last.slice(folder.length + 1);
    const whole = await readFile(last);
    const blocks = blocksOf(whole, Number(/(\d+)\.avro$/.exec(last)![1]));
    const { offset, record } = blocks.at(-2)!;
    const damaged = whole.subarray(0, cutBlock ? offset : whole.length - 1);
    await writeFile(last, damaged);

    const logged: LogFields[] = [];
    const logger = { ...silentLogger, error: (_event: string, fields: LogFields = {}) => void logged.push(fields) };
    const progress = new Progress();
    const log = await openLocalLog({ folder, ...options, logger, progress });
    const since = new Date(1_760_000_000_000 + Math.floor((record - 1) / 1000)).toISOString();
    const details = { file, first: record, last: TOTAL - 1, since, aside: `${file}.damaged` };
    const expected = new SegmentError('AORTA-SEGMENT-LOST', details);
    expect(log.losses()).toEqual([expected]);
    expect(log.recovered).toEqual([]);
    expect(logged).toEqual([errorFields(expected)]);
    // The program is not ready as long as the file is there.
    expect(progress.stalls().map(({ reason }) => reason)).toEqual([expect.stringContaining(expected.message)]);
    expect((await readFile(`${last}.damaged`)).equals(damaged)).toBe(true);
    expect([log.end(unrouted), numbersOf(await readAll(log, 'unrouted'))]).toEqual([TOTAL, range(0, record)]);
    await rm(`${last}.damaged`);
    expect(log.losses()).toEqual([]);
    await until('the loss is settled', () => progress.stalls().length, 0);
    await log.close();
    const again = await openLocalLog({ folder, ...options });
    expect([again.losses(), again.end(unrouted)]).toEqual([[], TOTAL]);
    await again.close();
  }
});

test('a deleted folder of a stream, or all its segments, is a loss, and its positions are not used again', async () => {
  for (const isWhole of [true, false]) {
    const folder = await temporaryFolder(true);
    const segments = await written(folder);
    if (isWhole) await rm(join(folder, 'unrouted'), { recursive: true });
    else for (const segment of segments) await rm(segment);
    expect(await examined(folder)).toEqual(range(0, TOTAL));
    await using log = await openLocalLog({ folder, ...options });
    log.append('unrouted', numbered(TOTAL));
    await log.flush();
    expect(numbersOf((await log.read(unrouted, TOTAL, { records: 9, bytes: 1e9 })).records)).toEqual([TOTAL]);
  }
});

test('a log with a missing file of ends says so, and notices later damage', async () => {
  const folder = await temporaryFolder(true);
  const last = (await written(folder)).at(-1)!;
  await rm(join(folder, 'ends.ndjson'));
  const logged: string[] = [];
  const logger = { ...silentLogger, warn: (_event: string, fields: LogFields = {}) => void logged.push(String(fields.code)) };
  await (await openLocalLog({ folder, ...options, logger })).close();
  await (await openLocalLog({ folder, ...options, logger })).close();
  expect(logged).toEqual(['AORTA-ENDS-UNKNOWN']);
  await writeFile(last, (await readFile(last)).subarray(0, -1));
  expect((await examined(folder)).length).toBeGreaterThan(0);
});

test('damage in the last segment of a log with unknown ends is a loss, also at its end', async () => {
  const folder = await temporaryFolder(true);
  const [segment] = await written(folder, 9);
  const whole = await readFile(segment!);
  const blocks = blocksOf(whole, 0);
  await rm(join(folder, 'ends.ndjson'));
  await writeFile(segment!, whole.subarray(0, -1));
  const torn = await openLocalLog({ folder, ...options });
  // It is unknown how many records the broken block had.
  expect([torn.recovered, lostIn(torn)]).toEqual([[], [blocks.at(-2)!.record]]);
  expect(await readFile(`${segment}.damaged`)).toEqual(whole.subarray(0, -1));
  await torn.close();
  await rm(`${segment}.damaged`);

  await rm(join(folder, 'ends.ndjson'));
  const damaged = Buffer.from(whole);
  damaged[blocks[1]!.offset]! ^= 0xff;
  await writeFile(segment!, damaged);
  await using log = await openLocalLog({ folder, ...options });
  const { record } = blocks[1]!;
  expect(lostIn(log)).toEqual([record]);
  const all = numbersOf(await readAll(log, 'unrouted'));
  expect(all).toEqual([...range(0, record), ...range(blocks[2]!.record, 9)]);
});

test('the end of a new stream is recorded before its first records are written', async () => {
  const folder = await temporaryFolder(true);
  const recorded: string[] = [];
  const onStep = (step: string) => {
    if (step === 'append:written') recorded.push(readFileSync(join(folder, 'ends.ndjson'), 'utf8'));
  };
  await using log = await openLocalLog({ folder, ...options, onStep });
  log.append('unrouted', numbered(0));
  await log.flush();
  expect(recorded).toEqual([expect.stringContaining('\\"end\\":0')]);
});

test('a sound copy of a damaged segment is read again, from its start, once the damaged file is deleted', async () => {
  const folder = await temporaryFolder(true);
  const segments = await written(folder);
  const path = segments[1]!;
  const sound = await readFile(path);
  const damaged = Buffer.from(sound);
  const { offset } = blocksOf(sound, 0)[1]!;
  damaged.fill(0, offset + 30, offset + 40);
  await writeFile(path, damaged);
  expect((await examined(folder)).length).toBeGreaterThan(0);
  const before = await openLocalLog({ folder, ...options });
  await before.commit('job', unrouted, TOTAL);
  const incarnation = before.incarnation(unrouted);
  await before.close();

  await writeFile(path, sound);
  await rm(`${path}.damaged`);
  expect(await examined(folder)).toEqual([]);
  const log = await openLocalLog({ folder, ...options });
  expect(log.incarnation(unrouted)).not.toBe(incarnation);
  expect([log.committed('job', unrouted), numbersOf(await readAll(log, 'unrouted'))]).toEqual([undefined, range(0, TOTAL)]);
  log.append('unrouted', numbered(TOTAL));
  await log.flush();
  await log.close();
  expect(await examined(folder, TOTAL + 1)).toEqual([]);
});

test('a crash while a damaged segment is being replaced leaves a log that the next process repairs to the same', async () => {
  const folder = await temporaryFolder(true);
  const segments = await written(folder);
  const path = segments[1]!;
  const damaged = await readFile(path);
  const { offset } = blocksOf(damaged, 0)[1]!;
  damaged.fill(0, offset + 30, offset + 40);
  await writeFile(path, damaged);
  const ends = await readFile(join(folder, 'ends.ndjson'));
  const lost = await examined(folder);
  // The state before the last step: the later blocks have their own segment, and the damaged segment is still in its place.
  await rm(path);
  await rename(`${path}.damaged`, path);
  await writeFile(join(folder, 'ends.ndjson'), ends);
  expect(await segmentsOf(folder, 'unrouted')).toHaveLength(segments.length + 1);
  expect(await examined(folder)).toEqual(lost);
  expect((await stat(`${path}.damaged`)).size).toBe(damaged.length);
  // A crash after the damaged segment was replaced, and before its loss was recorded.
  await writeFile(join(folder, 'ends.ndjson'), ends);
  expect(await examined(folder)).toEqual(lost);
});

test('a segment in the place of another one is a loss of the records that should be there', async () => {
  const folder = await temporaryFolder(true);
  const [first, second, ...others] = (await written(folder)) as [string, string, ...string[]];
  const last = others.at(-1)!;
  const contents = await Promise.all([first, second, last].map((path) => readFile(path)));
  const swap = async (one: string, other: string) => {
    const [content, otherContent] = [await readFile(one), await readFile(other)];
    await writeFile(one, otherContent);
    await writeFile(other, content);
  };
  await swap(first, second);
  const third = Number(/([0-9]+)\.avro$/.exec(others[0]!)![1]);
  expect(await examined(folder)).toEqual(range(0, third));
  expect([await readFile(`${first}.damaged`), await readFile(`${second}.damaged`)]).toEqual([contents[1], contents[0]]);

  const fresh = await temporaryFolder(true);
  await written(fresh);
  const path = last.replaceAll(folder, fresh);
  const file = await readFile(path);
  const header = decodeHeader(file) as ContainerHeader;
  const from = Number(/([0-9]+)\.avro$/.exec(path)![1]);
  const { bytes } = headerFor('activity', from, header.schema, header.sync);
  await writeFile(path, Buffer.concat([bytes, file.subarray(header.bytes)]));
  expect(await examined(fresh)).toEqual(range(from, TOTAL));
});

test('a file that vanishes while it is being read is a loss', async () => {
  const folder = await temporaryFolder(true);
  const segments = await written(folder);
  await using log = await openLocalLog({ folder, ...options });
  await rm(segments[1]!);
  const numbers = numbersOf(await readAll(log, 'unrouted'));
  expect([...numbers, ...lostIn(log)].sort((a, b) => a - b)).toEqual(range(0, TOTAL));
  expect(lostIn(log).length).toBeGreaterThan(0);
});

test('a running log replaces a segment that was damaged behind its back, and appends go on', async () => {
  const folder = await temporaryFolder(true);
  await using log = await openLocalLog({ folder, ...options, segmentBytes: 1e6 });
  const followed = new FollowedLog(folder, async (of, position) => {
    await log.replaceDamaged(of, position);
    followed.see(log.views(new Map()));
  });
  for (const number of range(0, 20)) log.append('unrouted', numbered(number));
  await log.flush();
  const [segment] = await segmentsOf(folder, 'unrouted');
  const file = await readFile(segment!);
  file[blocksOf(file, 0)[2]!.offset + 60]! ^= 1;
  await writeFile(segment!, file);
  followed.see(log.views(new Map()));
  const numbersIn = async (reader: Pick<LocalLog, 'read' | 'end'>): Promise<number[]> => {
    const numbers: number[] = [];
    for (let at = 0; at < reader.end(unrouted); ) {
      const { records, to } = await reader.read(unrouted, at, { records: 100, bytes: 1e9 });
      numbers.push(...numbersOf(records));
      at = to;
    }
    return numbers;
  };
  const read = await numbersIn(followed);
  expect([...read, ...lostIn(log)].sort((a, b) => a - b)).toEqual(range(0, 20));
  expect(lostIn(log).length).toBeGreaterThan(0);
  for (const number of range(20, 30)) log.append('unrouted', numbered(number));
  await log.flush();
  followed.see(log.views(new Map([['unrouted', 20]])));
  expect(await numbersIn(followed)).toEqual([...read, ...range(20, 30)]);
  expect(await numbersIn(log)).toEqual([...read, ...range(20, 30)]);
  await followed.close();
});

test('a read-only log does not change a damaged segment, and its reads say where the damage is', async () => {
  const folder = await temporaryFolder(true);
  const segments = await written(folder);
  const [first] = segments;
  const damaged = await readFile(first!);
  const { offset, record } = blocksOf(damaged, 0)[1]!;
  damaged[offset + 60]! ^= 1;
  await writeFile(first!, damaged);
  const files = await readdir(folder, { recursive: true });
  await using log = await openLocalLog({ folder, readOnly: true });
  expect((await log.read(unrouted, 0, { records: 99, bytes: 1e9 })).to).toBe(record);
  await expect(log.read(unrouted, record, { records: 1, bytes: 1 })).rejects.toMatchObject({
    code: 'AORTA-SEGMENT-CORRUPT',
    details: { file: 'unrouted/00000000000000000000.avro', record },
  });
  expect((await readFile(first!)).equals(damaged)).toBe(true);
  expect(await readdir(folder, { recursive: true })).toEqual(files);
});

test('a closed log leaves no file open', async () => {
  const folder = await temporaryFolder();
  await written(folder);
  const open = await Promise.all((await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  expect(open.filter((path) => path.startsWith(folder))).toEqual([]);
});
