import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { writeDurably } from '@aorta/runtime';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Delivery } from '../source.ts';
import { type FilePosition, FilesCheckpoints } from './checkpoints.ts';
import { FilesSource, type FilesSourceOptions } from './source.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'files-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

const event = (value: number) => JSON.stringify({ event_type: 'daily.data.steps.created', user_id: 'u', data: { value } });
const line = (offset: number, more: object = {}, body: unknown = { value: offset }) =>
  JSON.stringify({
    source: 'hub',
    partition: 3,
    offset,
    received_at: '2026-01-02T03:04:05.123456Z',
    headers: { A: 'b' },
    ...more,
    body,
  });

async function put(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

interface Taken {
  readonly deliveries: Delivery[];
  readonly positions: FilePosition[];
  readonly source: FilesSource;
  readonly thrown: unknown;
}

async function take(paths: readonly string[], options: Partial<FilesSourceOptions> = {}): Promise<Taken> {
  const source = new FilesSource({ paths, ...options });
  const deliveries: Delivery[] = [];
  const positions: FilePosition[] = [];
  let thrown: unknown;
  try {
    for await (const batch of source.batches(new AbortController().signal)) {
      deliveries.push(...batch.deliveries);
      positions.push(batch.position);
    }
  } catch (error) {
    thrown = error;
  }
  return { deliveries, positions, source, thrown };
}

const bodies = ({ deliveries }: Taken) => deliveries.map(({ body }) => body.toString());
const hashOf = (content: string | Buffer) => createHash('sha256').update(content).digest('hex').slice(0, 16);

describe('the format is detected from the content', () => {
  const formats: Record<string, { content: string; expected: string[] }> = {
    'one event': { content: event(1), expected: [event(1)] },
    'one event over several lines': {
      content: `${JSON.stringify(JSON.parse(event(1)), null, 2)}\n`,
      expected: [JSON.stringify(JSON.parse(event(1)), null, 2)],
    },
    'an array on one line': { content: `[${event(1)}, ${event(2)}]\n`, expected: [event(1), event(2)] },
    'an array over several lines': { content: `[\n  ${event(1)},\n  ${event(2)}\n]`, expected: [event(1), event(2)] },
    'an array with one element per line': { content: `[\n${event(1)},\n${event(2)}\n]\n`, expected: [event(1), event(2)] },
    'an empty array': { content: '[ ]', expected: [] },
    'two lines': { content: `${event(1)}\n${event(2)}\n`, expected: [event(1), event(2)] },
    'lines with CRLF, blank lines and no final line end': {
      content: `\r\n${event(1)}\r\n\r\n  \n${event(2)}`,
      expected: [event(1), event(2)],
    },
    'a byte order mark': { content: `\uFEFF${event(1)}\n${event(2)}\n`, expected: [event(1), event(2)] },
    'a byte order mark before an array': { content: `\uFEFF[${event(1)}]`, expected: [event(1)] },
    'a broken first line': { content: `{"event\n${event(2)}\n`, expected: ['{"event', event(2)] },
    'text that is not JSON': { content: '{once upon}\na time\n', expected: ['{once upon}', 'a time'] },
    'no content': { content: '', expected: [] },
    'only white space': { content: ' \n\n', expected: [] },
  };
  for (const [name, { content, expected }] of Object.entries(formats)) {
    for (const gzip of [false, true]) {
      test(`${name}${gzip ? ', gzipped' : ''}`, async () => {
        const path = await put('whatever.txt', gzip ? gzipSync(content) : content);
        const taken = await take([path], { receivedAt: 42 });
        expect(bodies(taken)).toEqual(expected);
        const nothing = content.trim() === '';
        expect(taken.source.errors.map(({ code }) => code)).toEqual(nothing ? ['AORTA-FILE-EMPTY'] : []);
        expect(taken.deliveries.map(({ source, partition, offset }) => [source, partition, offset])).toEqual(
          expected.map((_, ordinal) => ['files', hashOf(content), ordinal]),
        );
        for (const { receivedAt, headers, inline, malformed } of taken.deliveries) {
          expect([receivedAt, headers.size, inline, malformed]).toEqual([42, 0, true, undefined]);
        }
        expect(taken.positions.at(-1)).toMatchObject({ path, taken: expected.length, done: true });
      });
    }
  }

  /** A PNG's signature, followed by filler bytes with hundreds of newlines. */
  const binary = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    Buffer.concat(Array.from({ length: 489 }, (_, n) => Buffer.from([n % 256, 0, 0x1f, 0xff, 0x80, 0x7b, 0x0a]))),
  ]);

  test('a binary file above the document limit is reported', async () => {
    const taken = await take([await put('a', binary)], { documentBytes: 1000 });
    expect(taken.deliveries).toEqual([]);
    expect(taken.source.errors).toMatchObject([{ code: 'AORTA-FILE-TOO-LARGE' }]);
  });

  test('an event line among binary lines is read as an event', async () => {
    const lines = [Buffer.from([0, 1, 2, 3]), Buffer.from(event(1)), Buffer.from([0, 4]), Buffer.from(event(2))];
    const taken = await take([await put('a', Buffer.concat(lines.flatMap((one) => [one, Buffer.from('\n')])))]);
    expect(bodies(taken).filter((body) => body.startsWith('{'))).toEqual([event(1), event(2)]);
    expect(taken.deliveries).toHaveLength(4);
  });

  test('a gzip file with several members is read completely', async () => {
    const taken = await take([await put('a', Buffer.concat([gzipSync(`${event(1)}\n`), gzipSync(`${event(2)}\n`)]))]);
    expect(bodies(taken)).toEqual([event(1), event(2)]);
    expect(taken.source.errors).toEqual([]);
  });

  test('deliveries in an array and a delivery that spans several lines are read as deliveries', async () => {
    const pretty = JSON.stringify(JSON.parse(line(7)), null, 1);
    const taken = await take([await put('a', `[${line(1)},${line(2)}]`), await put('b', pretty)]);
    expect(taken.deliveries.map(({ source, partition, offset }) => [source, partition, offset])).toEqual([
      ['hub', '3', 1],
      ['hub', '3', 2],
      ['hub', '3', 7],
    ]);
    expect(JSON.parse(bodies(taken)[2]!)).toEqual({ value: 7 });
  });

  const nextToEachOther = `[${event(1)},${event(2)}]`;
  test.each([
    ['lines', `${event(1)}\n\n${event(2)}\nno JSON\n`, [1, 3, 4]],
    ['an array with one element per line', `[\n${event(1)},\n${event(2)}\n]`, [2, 3]],
    [
      'an array with elements of several lines',
      `\n[\n${JSON.stringify(JSON.parse(event(1)), null, 1)},\n\n${event(2)}\n]`,
      [3, 11],
    ],
    ['an array on the second line', `\n${nextToEachOther}`, [2, 2]],
    ['one event of several lines', `\uFEFF\n\n${JSON.stringify(JSON.parse(event(1)), null, 1)}`, [3]],
    ['delivery lines', `${line(1)}\n${line(2)}\n\n{"source":"hub","partition":1,"offset":3}\n${line(4)}`, [1, 2, 4, 5]],
    ['an array of deliveries', `[${line(1)},\n${line(2)}]`, [1, 2]],
  ])('each delivery names the file and line it was read from: %s', async (_, content, numbers) => {
    const path = await put('a', content);
    const { deliveries } = await take([path]);
    expect(deliveries.map(({ found }) => found)).toEqual(numbers.map((number) => ({ file: path, line: number })));
  });

  test('an invalid element of an array of deliveries is reported with its line and index', async () => {
    const { errors } = (await take([await put('a', `\n[${line(1)}, 5,\n 6]`)])).source;
    expect(errors.map(({ details }) => details.line)).toEqual(['2 (element 2)', '3 (element 3)']);
  });

  test('the receipt time of a plain event is the modification time of its file', async () => {
    const path = await put('a', event(1));
    await utimes(path, 1_600_000_000.5, 1_600_000_000.5);
    expect((await take([path])).deliveries[0]?.receivedAt).toBe(1_600_000_000_500_000);
  });

  test('a document or line above the limit is reported and skipped, and later lines are read', async () => {
    const big = await put('a', `[${event(1)},\n${event(2)}]`);
    const lines = await put('b', `{"broken\n${event(1)}\n"${'x'.repeat(500)}"\n${event(2)}\n`);
    const taken = await take([big, lines], { documentBytes: 100 });
    expect(bodies(taken)).toEqual(['{"broken', event(1), event(2)]);
    expect(taken.source.errors.map(({ code, details }) => [code, details.line])).toEqual([
      ['AORTA-FILE-TOO-LARGE', 1],
      ['AORTA-FILE-TOO-LARGE', 3],
    ]);
    expect(taken.positions.at(-1)?.done).toBe(true);
  });
});

describe('delivery files', () => {
  test('a delivery takes its values from the JSON object in its line', async () => {
    const taken = await take([await put('a', `${line(1, { key: 'k' })}\n`)]);
    expect(taken.deliveries).toHaveLength(1);
    const { source, partition, offset, receivedAt, headers, key, body, inline } = taken.deliveries[0]!;
    expect({
      source,
      partition,
      offset,
      receivedAt,
      headers: [...headers],
      key: key?.toString(),
      body: body.toString(),
      inline,
    }).toEqual({
      source: 'hub',
      partition: '3',
      offset: 1,
      receivedAt: Date.UTC(2026, 0, 2, 3, 4, 5) * 1000 + 123456,
      headers: [['a', 'b']],
      key: 'k',
      body: '{"value":1}',
      inline: true,
    });
  });

  test('a malformed line is emitted as raw bytes with its index as the offset, and other lines are read normally', async () => {
    const broken = ['{"source":"hub"', '17', event(1), line(2, { offset: -1 })];
    const content = [line(1), ...broken, line(5)].join('\n');
    const taken = await take([await put('a', content)], { name: 'mine', receivedAt: 7 });
    expect(taken.deliveries.map(({ offset, malformed = false }) => [offset, malformed])).toEqual([
      [1, false],
      [1, true],
      [2, true],
      [3, true],
      [4, true],
      [5, false],
    ]);
    for (const [index, text] of broken.entries()) {
      const { source, partition, receivedAt, body, headers } = taken.deliveries[index + 1]!;
      expect([source, partition, receivedAt, body.toString(), headers.size]).toEqual(['mine', hashOf(content), 7, text, 0]);
    }
    expect(taken.source.errors.map(({ code, details }) => [code, details.line])).toEqual(
      [2, 3, 4, 5].map((number) => ['AORTA-FILE-ENTRY', number]),
    );
  });

  test('if an offset does not increase, the source yields all earlier deliveries and then fails', async () => {
    const path = await put('a', [line(1), line(9, { partition: 4 }), line(2), line(2), line(3)].join('\n'));
    const taken = await take([path, await put('b', event(1))]);
    expect(taken.deliveries.map(({ offset }) => offset)).toEqual([1, 9, 2]);
    expect(taken.thrown).toMatchObject({
      code: 'AORTA-FILE-OFFSETS',
      details: { file: path, line: 4, offset: 2, source: 'hub', partition: '3', previous: 2 },
    });
  });

  test('offsets may start over in the next file', async () => {
    const taken = await take([await put('a', line(5)), await put('b', line(5))]);
    expect(taken.thrown).toBeUndefined();
    expect(taken.deliveries).toHaveLength(2);
  });

  test('for any content, the lines read do not depend on chunk boundaries', async () => {
    const text = fc.array(
      fc.oneof(
        fc.integer({ min: 0, max: 99 }).map((n) => line(n)),
        fc.string(),
        fc.constant('\uFEFF'),
        fc.constant('\r'),
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.constantFrom('\n', '\r\n'),
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }),
        async (lines, end, cuts) => {
          const { LineSplitter } = await import('./lines.ts');
          const bytes = Buffer.from(lines.join(end));
          const whole = new LineSplitter(1e6);
          const expected = [...whole.push(bytes), ...[whole.end()].flatMap((last) => last ?? [])];
          const splitter = new LineSplitter(1e6);
          const got = [];
          for (let at = 0, cut = 0; at < bytes.length; cut += 1) {
            const size = cuts[cut % cuts.length]!;
            got.push(...splitter.push(bytes.subarray(at, at + size)));
            at += size;
          }
          got.push(...[splitter.end()].flatMap((last) => last ?? []));
          expect(got).toEqual(expected);
          const texts = bytes.toString().split('\n');
          if (texts.at(-1) === '') texts.pop();
          expect(got.map((one) => one.bytes?.toString())).toEqual(texts.map((one) => one.replace(/\r$/, '')));
        },
      ),
    );
  });
});

describe('damaged files', () => {
  const lines = Array.from({ length: 3000 }, (_, offset) =>
    line(offset, {}, { filling: createHash('sha256').update(`${offset}`).digest('hex') }),
  );

  test('a truncated gzip file yields everything before the cut, and the next file is read', async () => {
    const gzip = gzipSync(lines.join('\n'));
    const cut = gzip.subarray(0, gzip.length - 20_000);
    const path = await put('a.gz', cut);
    const taken = await take([path, await put('b', line(9000))]);
    const before = taken.deliveries.length - 1;
    // Most of the file is before the cut, so at least 70% of the lines can be inflated.
    expect(before).toBeGreaterThan(lines.length * 0.7);
    expect(taken.deliveries.slice(0, -1).map(({ offset }) => offset)).toEqual(Array.from({ length: before }, (_, n) => n));
    expect(taken.deliveries.at(-1)?.offset).toBe(9000);
    expect(taken.source.errors).toMatchObject([{ code: 'AORTA-FILE-COMPRESSION', details: { file: path, line: before } }]);
    expect(taken.positions.filter((position) => position.path === path).some(({ done }) => done)).toBe(false);
  });

  test('a gzip file with damaged bytes yields everything before the damage', async () => {
    const halves = [gzipSync(`${lines.slice(0, 1500).join('\n')}\n`), gzipSync(lines.slice(1500).join('\n'))];
    halves[1]!.fill(0xff, 10, 200);
    const taken = await take([await put('a.gz', Buffer.concat(halves))]);
    expect(taken.deliveries.filter(({ malformed }) => !malformed).map(({ offset }) => offset)).toEqual(
      Array.from({ length: 1500 }, (_, n) => n),
    );
    expect(taken.source.errors).toMatchObject([{ code: 'AORTA-FILE-COMPRESSION', details: { line: 1500 } }]);
  });

  test('text after a gzip member is reported as damage', async () => {
    const taken = await take([await put('a', Buffer.concat([gzipSync(`${event(3)}\n`), Buffer.from('behind')]))]);
    expect(bodies(taken)).toEqual([event(3)]);
    expect(taken.source.errors).toMatchObject([{ code: 'AORTA-FILE-COMPRESSION', details: { line: 1 } }]);
  });

  test('a file with a gzip magic number but no gzip data is reported', async () => {
    const taken = await take([await put('a', Buffer.from([0x1f, 0x8b, 1, 2, 3])), await put('b', event(1))]);
    expect(bodies(taken)).toEqual([event(1)]);
    expect(taken.source.errors).toMatchObject([{ code: 'AORTA-FILE-COMPRESSION', details: { line: 0 } }]);
  });

  test('a missing path is reported, and the next file is read', async () => {
    const path = join(folder, 'nothing');
    const taken = await take([path, await put('b', event(1))]);
    expect(taken.source.errors).toMatchObject([{ code: 'AORTA-FILE-NOT-FOUND', details: { file: path } }]);
    expect(bodies(taken)).toEqual([event(1)]);
  });
});

describe('expanding paths', () => {
  test('folders are read in sorted order, skipping hidden files and link cycles', async () => {
    await mkdir(join(folder, 'b', 'c'), { recursive: true });
    await put('d', event(4));
    await put('a', event(1));
    await put('.hidden', event(9));
    await put(join('b', 'x'), event(3));
    await put(join('b', 'c', 'x'), event(2));
    await symlink(folder, join(folder, 'b', 'circle'));
    expect(bodies(await take([folder]))).toEqual([1, 2, 3, 4].map(event));
  });

  test('a dangling link, a named pipe and a socket are reported, and the files next to them are read', async () => {
    await put('a', event(1));
    await symlink(join(folder, 'nothing'), join(folder, 'b'));
    execFileSync('mkfifo', [join(folder, 'c')]);
    const server = createServer().listen(join(folder, 'd'));
    await once(server, 'listening');
    await symlink('e', join(folder, 'e'));
    await symlink('c', join(folder, 'f'));
    await put('g', event(2));
    try {
      const taken = await take([folder]);
      expect(bodies(taken)).toEqual([event(1), event(2)]);
      expect(taken.source.errors.map(({ code, details }) => [code, details.file, details.problem ?? details.code])).toEqual([
        ['AORTA-FILE-LEFT-OUT', join(folder, 'b'), 'it is a dangling link'],
        ['AORTA-FILE-LEFT-OUT', join(folder, 'c'), 'it is a named pipe'],
        ['AORTA-FILE-LEFT-OUT', join(folder, 'd'), 'it is a socket'],
        ['AORTA-FILE-UNREADABLE', join(folder, 'e'), 'ELOOP'],
        ['AORTA-FILE-LEFT-OUT', join(folder, 'f'), 'it is a named pipe'],
      ]);
    } finally {
      server.close();
    }
  });

  test('standard input can be read twice and leaves no temporary files', async () => {
    // Other processes also write to the system's temporary folder, so this test uses its own.
    const temporary = join(folder, 'temporary');
    await mkdir(temporary);
    vi.stubEnv('TMPDIR', temporary);
    const content = gzipSync(`${event(1)}\n${event(2)}\n`);
    const chunks = Array.from(content, (byte) => Buffer.from([byte]));
    let spooled = 0;
    const stdin = Readable.from(chunks).on('end', () => {
      spooled = readdirSync(temporary).length;
    });
    const taken = await take(['-'], { stdin });
    expect(bodies(taken)).toEqual([event(1), event(2)]);
    expect(taken.deliveries[0]?.partition).toBe(hashOf(`${event(1)}\n${event(2)}\n`));
    expect(spooled).toBe(1);
    expect(await readdir(temporary)).toEqual([]);
  });

  test('a source’s progress is measured in bytes on disk', async () => {
    const compressed = gzipSync(event(2));
    const taken = await take([await put('a', event(1)), await put('b', compressed)]);
    const bytes = event(1).length + compressed.length;
    expect(taken.source.progress).toEqual({ files: 2, filesDone: 2, bytes, bytesRead: bytes });
  });
});

describe('checkpoints of files', () => {
  const count = 1200;
  const content = Array.from({ length: count }, (_, offset) => line(offset)).join('\n');

  test('a finished file is not read again, and an unfinished one resumes at its checkpoint', async () => {
    const path = await put('a', content);
    const file = join(folder, 'state', 'files.json');
    const first = new FilesSource({ paths: [path], checkpoints: await FilesCheckpoints.open(file) });
    const batches = first.batches(new AbortController().signal);
    const { value } = await batches.next();
    await first.commit([value!.position]);
    await batches.return(undefined);

    const second = await take([path], { checkpoints: await FilesCheckpoints.open(file) });
    expect(second.deliveries.map(({ offset }) => offset)).toEqual(Array.from({ length: count - 500 }, (_, n) => n + 500));
    await second.source.commit(second.positions);

    const third = await take([path], { checkpoints: await FilesCheckpoints.open(file) });
    expect(third.deliveries).toEqual([]);
    expect(third.source.progress).toMatchObject({ filesDone: 1, bytesRead: content.length });
  });

  test('a file with other content is read from its start', async () => {
    const path = await put('a', line(1));
    const file = join(folder, 'state', 'files.json');
    const first = await take([path], { checkpoints: await FilesCheckpoints.open(file) });
    await first.source.commit(first.positions);
    await put('a', `${line(2)}\n${line(3)}`);
    expect((await take([path], { checkpoints: await FilesCheckpoints.open(file) })).deliveries).toHaveLength(2);
  });

  test('checkpoints in a newer format are rejected', async () => {
    const file = join(folder, 'files.json');
    await writeDurably(file, { format: 2 });
    await expect(FilesCheckpoints.open(file)).rejects.toMatchObject({ code: 'AORTA-DATA-NEWER' });
  });
});
