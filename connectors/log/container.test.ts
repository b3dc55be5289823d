import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { codecOf, type StreamRecords } from '@aorta/schemas';
import avsc from 'avsc';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numbered, range, segmentsOf, temporaryFolder } from '../streams/records.fixture.ts';
import { decodeBlockStart, decodeHeader, encodeHeader, writeBlockStart } from './container.ts';
import { openLocalLog } from './local-log.ts';

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
    for await (const record of avsc.createFileDecoder(segment)) records.push({ ...record });
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
    avsc.createFileDecoder(second).on('metadata', (_type, _codec, decoded) => resolve({ metadata: decoded.meta })),
  );
  expect(metadata['avro.codec']?.toString()).toBe('null');
  expect(second).toContain(String(metadata['aorta.first']).padStart(20, '0'));
});

test('every encoded header decodes to the original, and every truncated header is reported as incomplete', () => {
  fc.assert(
    fc.property(fc.json(), (schema) => {
      const { bytes, sync } = encodeHeader(schema, { 'aorta.first': '7' });
      expect(decodeHeader(Buffer.concat([bytes, Buffer.from('more')]))).toEqual({ schema, sync, bytes: bytes.length });
      for (let length = 0; length < bytes.length; length += 1) expect(decodeHeader(bytes.subarray(0, length))).toBe('incomplete');
    }),
  );
});

test('every encoded block start decodes to the original, and a truncated or negative block start decodes to undefined', () => {
  const counts = fc.oneof(fc.nat(300), fc.integer({ min: 1, max: 2 ** 40 }));
  fc.assert(
    fc.property(counts, counts, (count, size) => {
      const buffer = Buffer.alloc(24);
      const start = writeBlockStart(buffer, 20, count, size);
      const expected = count === 0 ? undefined : { count, size, bytes: 20 - start };
      expect(decodeBlockStart(buffer, start)).toEqual(expected);
      expect(decodeBlockStart(buffer.subarray(0, 19), start)).toBeUndefined();
      // Zig-zag encoding uses the lowest bit for the sign.
      buffer[start]! |= 1;
      expect(decodeBlockStart(buffer, start)).toBeUndefined();
    }),
  );
});
