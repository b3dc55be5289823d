import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorFields, type LogFields } from '@aorta/runtime';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { diskOperations } from '../../infra/runtime/files/file-operations.ts';
import { partitionOf } from '../stream-log.ts';
import { numbered, numbersOf, range, readAll, segmentsOf, temporaryFolder } from '../streams/records.fixture.ts';
import { decodeBlockStart, decodeHeader } from './container.ts';
import { SegmentError } from './errors.ts';
import { openLocalLog } from './local-log.ts';
import type { RecoveredTail } from './recovery.ts';
import { openStreamFolder } from './stream-folder.ts';

const TOTAL = 9;
const options = { blockBytes: 250 };
let folder: string;
let segment: string;
let whole: Buffer;
/** File offset and first record of each block. The last entry marks the end of the file. */
let blocks: { offset: number; record: number }[];

beforeEach(async () => {
  folder = await temporaryFolder(true);
  const log = await openLocalLog({ folder, ...options });
  for (const number of range(0, TOTAL)) log.append('unrouted', numbered(number));
  await log.flush();
  await log.close();
  segment = (await segmentsOf(folder, 'unrouted'))[0]!;
  whole = await readFile(segment);
  blocks = blocksOf(whole);
  expect(blocks.length).toBeGreaterThan(4);
  expect(blocks.at(-1)).toEqual({ offset: whole.length, record: TOTAL });
});

function blocksOf(file: Buffer): { offset: number; record: number }[] {
  const header = decodeHeader(file);
  if (typeof header === 'string') throw new Error(header);
  const found = [{ offset: header.bytes, record: 0 }];
  for (let { offset, record } = found[0]!; offset < file.length; ) {
    const block = decodeBlockStart(file, offset)!;
    offset += block.bytes + block.size + 16;
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
    await writeFile(segment, whole.subarray(0, length));
    const good = blocks.findLast(({ offset }) => offset <= length);
    const count = good?.record ?? 0;
    const tail = length - (count === 0 ? 0 : good!.offset);
    const recovered: RecoveredTail[] = [];
    const stream = await openStreamFolder(folder, 'unrouted', {
      writable: true,
      operations: diskOperations,
      recovered: (cut) => recovered.push(cut),
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
  await writeFile(segment, whole.subarray(0, -1));
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
    await writeFile(segment, whole);
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

describe('damage in the middle of a segment', () => {
  const file = 'unrouted/00000000000000000000.avro';

  /** Expects that records before the damage are readable, that reading the damaged block fails with its location, and that the file stays unchanged. */
  async function expectDamage(damaged: Buffer, record: number): Promise<void> {
    await writeFile(segment, damaged);
    for (const readOnly of [true, false]) {
      const log = await openLocalLog({ folder, ...options, readOnly });
      expect(log.recovered).toEqual([]);
      expect(log.end(partitionOf('unrouted'))).toBeGreaterThan(record);
      if (record > 0) {
        expect(numbersOf((await log.read(partitionOf('unrouted'), 0, { records: 99, bytes: 1e9 })).records)).toEqual(
          range(0, record),
        );
      }
      const corrupt = { code: 'AORTA-SEGMENT-CORRUPT', details: { file, record } };
      await expect(log.read(partitionOf('unrouted'), record, { records: 1, bytes: 1 })).rejects.toMatchObject(corrupt);
      await expect(log.read(partitionOf('unrouted'), record, { records: 1, bytes: 1 })).rejects.toMatchObject(corrupt);
      await log.close();
      expect((await readFile(segment)).equals(damaged)).toBe(true);
    }
  }

  function flipped(offset: number): Buffer {
    const damaged = Buffer.from(whole);
    damaged[offset]! ^= 0xff;
    return damaged;
  }

  test('a damaged block start or sync marker before the last block is reported and not cut', async () => {
    for (const [index, { offset, record }] of blocks.slice(0, -2).entries()) {
      const end = blocks[index + 1]!.offset;
      for (const at of [offset, offset + 1, end - 16, end - 1]) await expectDamage(flipped(at), record);
    }
  });

  test('a damaged start of the last block is reported and not cut, because the sync marker shows that the block was finished', async () => {
    const { offset, record } = blocks.at(-2)!;
    await expectDamage(flipped(offset), record);
  });

  test('missing and additional bytes are reported and not cut', async () => {
    const { offset, record } = blocks[2]!;
    await expectDamage(Buffer.concat([whole.subarray(0, offset + 30), whole.subarray(offset + 35)]), record);
    await expectDamage(Buffer.concat([whole.subarray(0, offset), Buffer.alloc(1), whole.subarray(offset)]), record);
  });

  test('a damaged header is reported and not cut', async () => {
    for (const at of [0, 4, 5, blocks[0]!.offset - 1]) await expectDamage(flipped(at), 0);
    // Makes the schema's length field point beyond the end of the file.
    const longer = Buffer.from(whole);
    const length = longer.indexOf('avro.schema') + 'avro.schema'.length;
    longer[length + 1] = 0xff;
    await expectDamage(longer, 0);
  });

  test('a damaged stream rejects appends while other streams accept them', async () => {
    await writeFile(segment, flipped(blocks[1]!.offset));
    const log = await openLocalLog({ folder, ...options });
    const { record } = blocks[1]!;
    expect(() => log.append('unrouted', numbered(0))).toThrow(
      expect.objectContaining({ code: 'AORTA-SEGMENT-CORRUPT', details: { file, record } }),
    );
    log.append('redelivered', numbered(0));
    await log.flush();
    expect(log.end(partitionOf('redelivered'))).toBe(1);
    await log.close();
  });

  test('records that do not fill their block are reported as damage', async () => {
    const { offset, record } = blocks[1]!;
    // Changes the encoded length of the first record's `source` field, so that the bytes after it are misaligned.
    const damaged = Buffer.from(whole);
    const at = damaged.indexOf('hub', offset) - 1;
    expect(damaged[at]).toBe(6);
    damaged[at] = 8;
    await writeFile(segment, damaged);
    const log = await openLocalLog({ folder, ...options });
    expect(log.end(partitionOf('unrouted'))).toBe(TOTAL);
    expect((await log.read(partitionOf('unrouted'), 0, { records: 99, bytes: 1e9 })).to).toBe(record);
    await expect(log.read(partitionOf('unrouted'), record, { records: 99, bytes: 1e9 })).rejects.toMatchObject({
      code: 'AORTA-SEGMENT-CORRUPT',
      details: { file, record },
    });
    await log.close();
  });

  test('a block that declares fewer records than it holds is reported as damage', async () => {
    const { offset, record } = blocks[1]!;
    const damaged = Buffer.from(whole);
    expect(decodeBlockStart(damaged, offset)).toMatchObject({ count: 2 });
    damaged[offset] = 2;
    await writeFile(segment, damaged);
    const log = await openLocalLog({ folder, ...options });
    expect(log.end(partitionOf('unrouted'))).toBe(TOTAL - 1);
    await expect(log.read(partitionOf('unrouted'), record, { records: 99, bytes: 1e9 })).rejects.toMatchObject({
      code: 'AORTA-SEGMENT-CORRUPT',
      details: { file, record },
    });
    await log.close();
  });

  test('a wrong sync marker in a segment before the last one is reported as damage', async () => {
    let log = await openLocalLog({ folder, segmentBytes: 1 });
    log.append('unrouted', numbered(TOTAL));
    await log.flush();
    await log.close();
    const { offset, record } = blocks[2]!;
    await writeFile(segment, flipped(offset - 1));
    log = await openLocalLog({ folder });
    const damagedFrom = blocks[1]!.record;
    expect((await log.read(partitionOf('unrouted'), 0, { records: 99, bytes: 1e9 })).to).toBe(damagedFrom);
    for (const from of [damagedFrom, record, TOTAL - 1]) {
      await expect(log.read(partitionOf('unrouted'), from, { records: 1, bytes: 1 })).rejects.toMatchObject({
        code: 'AORTA-SEGMENT-CORRUPT',
        details: { file, record: damagedFrom },
      });
    }
    await log.close();
  });

  test('a block that overlaps the next segment is reported as damage', async () => {
    const { record } = blocks[1]!;
    expect(blocks[2]!.record).toBe(record + 2);
    await writeFile(join(dirname(segment), `${String(record + 1).padStart(20, '0')}.avro`), whole);
    const log = await openLocalLog({ folder });
    expect((await log.read(partitionOf('unrouted'), 0, { records: 99, bytes: 1e9 })).to).toBe(record);
    await expect(log.read(partitionOf('unrouted'), record, { records: 1, bytes: 1 })).rejects.toMatchObject({
      details: { file, record },
    });
    await log.close();
  });

  test('a segment that is too short is reported as damage unless it is the last one', async () => {
    let log = await openLocalLog({ folder, segmentBytes: 1 });
    log.append('unrouted', numbered(TOTAL));
    await log.flush();
    await log.close();
    expect(await segmentsOf(folder, 'unrouted')).toHaveLength(2);
    for (const length of [whole.length - 3, blocks.at(-2)!.offset]) {
      await truncate(segment, length);
      log = await openLocalLog({ folder });
      const { record } = blocks.at(-2)!;
      expect([log.end(partitionOf('unrouted')), log.recovered]).toEqual([TOTAL + 1, []]);
      expect((await log.read(partitionOf('unrouted'), 0, { records: 99, bytes: 1e9 })).to).toBe(record);
      await expect(log.read(partitionOf('unrouted'), record, { records: 1, bytes: 1 })).rejects.toMatchObject({
        code: 'AORTA-SEGMENT-CORRUPT',
        details: { file, record },
      });
      expect(numbersOf((await log.read(partitionOf('unrouted'), TOTAL, { records: 1, bytes: 1 })).records)).toEqual([TOTAL]);
      await log.close();
    }
  });
});
