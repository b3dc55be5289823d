import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { codecOf, type StreamRecords } from '@aorta/schemas';
import avsc from 'avsc';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numbered, range, segmentsOf, temporaryFolder } from '../streams/records.fixture.ts';
import { decodeBlockStart, decodeHeader, encodeHeader, type StoredHeader, writeBlockStart } from './container.ts';
import { openLocalLog } from './local-log.ts';
import { decompress, snappy } from './segment.fixture.ts';

async function writeSegments(): Promise<string[]> {
  const folder = await temporaryFolder();
  const log = await openLocalLog({ folder, blockBytes: 2000, segmentBytes: 20_000 });
  for (const number of range(0, 300)) {
    log.append('unrouted', numbered(number, (number * 37) % 400));
    if (number % 50 === 49) await log.flush();
  }
  await log.close();
  return segmentsOf(folder, 'unrouted');
}

test('the file decoder of the avsc package reads the segments', async () => {
  const segments = await writeSegments();
  expect(segments.length).toBeGreaterThan(1);
  const records: StreamRecords['unrouted'][] = [];
  for (const segment of segments) {
    for await (const record of avsc.createFileDecoder(segment, { codecs: { snappy } })) records.push({ ...record });
  }
  expect(JSON.parse(JSON.stringify(records))).toEqual(
    JSON.parse(JSON.stringify(range(0, 300).map((number) => numbered(number, (number * 37) % 400)))),
  );
});

test('fastavro (Python) reads the segments', async (context) => {
  const run = promisify(execFile);
  const found = await run('python3', ['-c', 'import fastavro']).then(
    () => true,
    () => false,
  );
  if (!found) context.skip('python3 with fastavro is not installed, so only avsc reads the segments here (pip install fastavro)');
  const program = [
    'import sys, json, fastavro',
    'for path in sys.argv[1:]:',
    '    with open(path, "rb") as file:',
    '        reader = fastavro.reader(file)',
    '        for r in reader:',
    '            print(json.dumps([r["receipt"]["offset"], r["user_id"], len(r["body"]), reader.metadata["aorta.stream"]]))',
  ].join('\n');
  const { stdout } = await run('python3', ['-c', program, ...(await writeSegments())]);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(range(0, 300).map((n) => [n, 'é漢😀', (n * 37) % 400, 'unrouted']));
});

test('a header contains the schema text, the codec and the position of the first record', async () => {
  const [, second = ''] = await writeSegments();
  const header = decodeHeader(await readFile(second));
  expect(header).toMatchObject({ schema: codecOf('unrouted').schema });
  const { metadata } = await new Promise<{ metadata: Record<string, Buffer> }>((resolve) =>
    avsc
      .createFileDecoder(second, { codecs: { snappy } })
      .on('metadata', (_type, _codec, decoded) => resolve({ metadata: decoded.meta })),
  );
  expect(metadata['avro.codec']?.toString()).toBe('snappy');
  expect(second).toContain(String(metadata['aorta.first']).padStart(20, '0'));
});

test('every encoded header decodes to the original, and every truncated header is reported as incomplete', () => {
  fc.assert(
    fc.property(fc.json(), (schema) => {
      const { bytes, sync } = encodeHeader(schema, { 'aorta.first': '7' });
      const { metadata, ...header } = decodeHeader(Buffer.concat([bytes, Buffer.from('more')])) as StoredHeader;
      expect(header).toEqual({ schema, sync, bytes: bytes.length });
      expect(metadata.get('aorta.first')).toBe('7');
      for (let length = 0; length < bytes.length; length += 1) expect(decodeHeader(bytes.subarray(0, length))).toBe('incomplete');
    }),
  );
});

test('any changed byte of a header is noticed', () => {
  const { bytes } = encodeHeader(codecOf('unrouted').schema, { 'aorta.first': '7' });
  for (let at = 0; at < bytes.length; at += 1) {
    const damaged = Buffer.from(bytes);
    damaged[at]! ^= 1 << (at % 8);
    expect(decodeHeader(damaged), `byte ${at}`).toBeTypeOf('string');
  }
});

test('every encoded block start decodes to the original, and a truncated or negative block start decodes to undefined', () => {
  const counts = fc.oneof(fc.nat(300), fc.integer({ min: 1, max: 2 ** 31 }));
  fc.assert(
    fc.property(counts, fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 2 ** 31 })), (count, size) => {
      const buffer = Buffer.alloc(34);
      const start = writeBlockStart(buffer, 30, count, size);
      const bytes = 30 - start;
      const expected = count === 0 ? undefined : { count, size, bytes, whole: bytes + size + 20 };
      expect(decodeBlockStart(buffer, start)).toEqual(expected);
      expect(decodeBlockStart(buffer.subarray(0, 29), start)).toBeUndefined();
      // Zig-zag encoding uses the lowest bit for the sign.
      buffer[start]! |= 1;
      expect(decodeBlockStart(buffer, start)).toBeUndefined();
    }),
  );
});

test('the records of a block are one Snappy literal, as another implementation reads it', async () => {
  for (const size of [1, 59, 60, 61, 127, 128, 255, 256, 257, 16_384, 65_536, 65_537, 2_097_152, 16_777_217]) {
    const records = Buffer.alloc(size, size % 251);
    const buffer = Buffer.concat([Buffer.alloc(30), records]);
    const start = writeBlockStart(buffer, 30, 1, size);
    let literal = start;
    // The record count and the byte size come first. The last byte of an encoded number is below 128.
    for (let numbers = 0; numbers < 2; literal += 1) if (buffer[literal]! < 128) numbers += 1;
    expect(Buffer.from(await decompress(buffer.subarray(literal))).equals(records), `${size} bytes`).toBe(true);
  }
});
