import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorFields, type LogFields } from '@aorta/runtime';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { diskOperations } from '../../infra/runtime/files/file-operations.ts';
import { partitionOf } from '../stream-log.ts';
import { numbered, numbersOf, range, readAll, segmentsOf, temporaryFolder } from '../streams/records.fixture.ts';
import { decodeBlockStart, decodeHeader } from './container.ts';
import { DurableEnds } from './durable-ends.ts';
import { SegmentError } from './errors.ts';
import { openLocalLog } from './local-log.ts';
import type { RecoveredTail } from './recovery.ts';
import { openStreamFolder } from './stream-folder.ts';

const TOTAL = 9;
const options = { blockBytes: 250 };
let folder: string;
let segment: string;
let whole: Buffer;
/** The file of ends, as it is while a process crashes during its first flush. */
let endsBefore: Buffer;
/** File offset and first record of each block. The last entry marks the end of the file. */
let blocks: { offset: number; record: number }[];

beforeEach(async () => {
  folder = await temporaryFolder(true);
  const log = await openLocalLog({ folder, ...options });
  await log.commit('job', partitionOf('unrouted'), 0);
  await log.close();
  await (await openLocalLog({ folder })).close();
  endsBefore = await readFile(join(folder, 'ends.ndjson'));
  await writeRecords();
  segment = (await segmentsOf(folder, 'unrouted'))[0]!;
  whole = await readFile(segment);
  blocks = blocksOf(whole);
  expect(blocks.length).toBeGreaterThan(4);
  expect(blocks.at(-1)).toEqual({ offset: whole.length, record: TOTAL });
});

async function writeRecords(): Promise<void> {
  const log = await openLocalLog({ folder, ...options });
  for (const number of range(0, TOTAL)) log.append('unrouted', numbered(number));
  await log.flush();
  await log.close();
}

/** Leaves the files as a crash during the first flush does, with `content` in the segment. */
async function crashWith(content: Buffer): Promise<void> {
  await writeFile(segment, content);
  await writeFile(join(folder, 'ends.ndjson'), endsBefore);
}

function blocksOf(file: Buffer): { offset: number; record: number }[] {
  const header = decodeHeader(file);
  if (typeof header === 'string') throw new Error(header);
  const found = [{ offset: header.bytes, record: 0 }];
  for (let { offset, record } = found[0]!; offset < file.length; ) {
    const block = decodeBlockStart(file, offset)!;
    offset += block.whole;
    record += block.count;
    found.push({ offset, record });
  }
  return found;
}

/** Opens the log and expects records 0 to count-1. Appends a record, reopens the log and expects all records. */
async function expectRecovered(count: number): Promise<void> {
  const log = await openLocalLog({ folder, ...options });
  expect(log.end(partitionOf('unrouted'))).toBe(count);
  expect(numbersOf(await readAll(log, 'unrouted'))).toEqual(range(0, count));
  log.append('unrouted', numbered(count));
  await log.flush();
  await log.close();
  const again = await openLocalLog({ folder, ...options });
  expect(again.recovered).toEqual([]);
  expect(numbersOf(await readAll(again, 'unrouted'))).toEqual(range(0, count + 1));
  await again.close();
}

test('a segment cut at any length keeps its complete blocks after recovery and accepts appends', async () => {
  const file = 'unrouted/00000000000000000000.avro';
  for (let length = 0; length < whole.length; length += 1) {
    await crashWith(whole.subarray(0, length));
    const good = blocks.findLast(({ offset }) => offset <= length);
    const count = good?.record ?? 0;
    const tail = length - (count === 0 ? 0 : good!.offset);
    const recovered: RecoveredTail[] = [];
    const ends = await DurableEnds.open(folder);
    const stream = await openStreamFolder(folder, 'unrouted', ends.of('unrouted'), {
      writable: true,
      operations: diskOperations,
      recovered: (cut) => recovered.push(cut),
      repaired: () => expect.fail('nothing is damaged'),
    });
    expect(stream.end).toBe(count);
    // If the tail has 0 bytes, an empty file may have been removed, but nothing was cut.
    expect(recovered).toEqual(tail === 0 ? [] : [{ stream: 'unrouted', file, bytes: tail, record: count }]);
    expect(await readFile(segment).catch(() => undefined)).toEqual(count === 0 ? undefined : whole.subarray(0, good!.offset));
    // A segment cut anywhere within the same block recovers to the same state, so checking a few lengths is enough.
    if (length % 16 === 0 || tail < 2) await expectRecovered(count);
  }
});

test('cutting a torn tail logs a warning with the file, the byte count and the record', async () => {
  await crashWith(whole.subarray(0, -1));
  const warnings: LogFields[] = [];
  const logger = { debug() {}, info() {}, error() {}, warn: (_: string, fields?: LogFields) => void warnings.push(fields!) };
  const log = await openLocalLog({ folder, ...options, logger });
  expect(log.recovered).toHaveLength(1);
  const { file, bytes, record } = log.recovered[0]!;
  expect(warnings).toEqual([errorFields(new SegmentError('AORTA-SEGMENT-TORN', { file, bytes, record }))]);
  await log.close();
});

test('a tail of random bytes is cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 400 }), async (garbage) => {
      await writeFile(segment, Buffer.concat([whole, garbage]));
      const log = await openLocalLog({ folder, ...options });
      expect(log.recovered).toMatchObject([{ bytes: garbage.length, record: TOTAL }]);
      expect(log.end(partitionOf('unrouted'))).toBe(TOTAL);
      await log.close();
      expect((await readFile(segment)).equals(whole)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('trailing zeros and an all-zero segment are removed, because after a crash a file may have its length but not its content', async () => {
  await writeFile(segment, Buffer.concat([whole, Buffer.alloc(5000)]));
  await writeFile(join(dirname(segment), '00000000000000000009.avro'), Buffer.alloc(3000));
  const log = await openLocalLog({ folder, ...options });
  expect(log.recovered.map(({ bytes, record }) => [bytes, record])).toEqual([
    [3000, TOTAL],
    [5000, TOTAL],
  ]);
  await log.close();
  expect(await segmentsOf(folder, 'unrouted')).toEqual([segment]);
  await expectRecovered(TOTAL);
});

test('a second segment with a torn header is removed, and the first segment becomes the last one', async () => {
  const second = join(dirname(segment), '00000000000000000009.avro');
  for (const length of [0, 3, 4, 5, 300, blocks[0]!.offset - 1, blocks[0]!.offset, blocks[0]!.offset + 9]) {
    await crashWith(whole);
    await writeFile(second, whole.subarray(0, length));
    await expectRecovered(TOTAL);
    expect(await segmentsOf(folder, 'unrouted')).toEqual([segment]);
  }
});

test('unfinished small files left behind by a crash are removed', async () => {
  const log = await openLocalLog({ folder });
  await log.commit('job', partitionOf('unrouted'), 1);
  await log.close();
  for (const path of ['format.json', 'unrouted/stream.json', 'unrouted/groups/job.json']) {
    await writeFile(join(folder, `${path}.unfinished`), '{"half');
  }
  const again = await openLocalLog({ folder });
  expect(again.committed('job', partitionOf('unrouted'))).toBe(1);
  await again.close();
  expect((await readdir(folder, { recursive: true })).filter((name) => name.includes('unfinished'))).toEqual([]);
});
