import { appendFile, mkdtemp, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { writeDurably } from '@aorta/runtime';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FilesCheckpoints } from './checkpoints.ts';
import { problems } from './module.ts';
import { filesSourceOptions } from './options.ts';
import { FilesSource } from './source.ts';

let folder: string;
let path: string;
/** The modification time that the next change gives the file, in seconds since 1970. */
let time: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'growing-'));
  path = join(folder, 'log.jsonl');
  time = 1_700_000_000;
});
afterEach(() => rm(folder, { recursive: true }));

const event = (value: number) => JSON.stringify({ event_type: 'daily.data.steps.created', user_id: 'u', data: { value } });
const delivery = (offset: number) =>
  JSON.stringify({ source: 'hub', partition: 3, offset, received_at: '2026-01-02T03:04:05Z', body: { offset } });

const touch = () => utimes(path, ++time, time);
async function put(content: string | Buffer): Promise<void> {
  await writeFile(path, content);
  await touch();
}
async function add(content: string | Buffer): Promise<void> {
  await appendFile(path, content);
  await touch();
}

/** One scan by a new process: returns the bodies that it read, and the codes of its errors. */
async function scan({ stopAfter = Number.POSITIVE_INFINITY } = {}): Promise<readonly [bodies: string[], codes: string[]]> {
  const checkpoints = await FilesCheckpoints.open(join(folder, 'state.json'));
  const source = new FilesSource({ paths: [path], checkpoints });
  const bodies: string[] = [];
  for await (const { deliveries, position } of source.batches(new AbortController().signal)) {
    bodies.push(...deliveries.map(({ body }) => body.toString()));
    await source.commit([position]);
    if (bodies.length >= stopAfter) break;
  }
  return [bodies, source.errors.map(({ code }) => code)];
}

const nothing = [[], []];
const grown = [[], ['AORTA-FILE-GROWN']];
const bodyOf = (line: string) => JSON.stringify(JSON.parse(line).body);

describe('a file that has only grown since it was read', () => {
  test.each([
    ['plain events', `${event(1)}\n`, `${event(2)}\n`, [event(1)]],
    ['plain events without a last line end', event(1), `\n${event(2)}`, [event(1)]],
    ['deliveries', `${delivery(1)}\n`, `${delivery(2)}\n`, [bodyOf(delivery(1))]],
    ['gzip members', gzipSync(`${event(1)}\n`), gzipSync(`${event(2)}\n`), [event(1)]],
    ['zstd frames', zstdCompressSync(`${event(1)}\n`), zstdCompressSync(`${event(2)}\n`), [event(1)]],
    ['an array', `[${event(1)}]`, `[${event(2)}]`, [event(1)]],
  ])('is reported and not read again: %s', async (_, content, more, bodies) => {
    await put(content);
    expect(await scan()).toEqual([bodies, []]);
    await add(more);
    expect(await scan()).toEqual(grown);
  });

  test('is reported once, also if it grows again, and also by later processes', async () => {
    await put(`${event(1)}\n`);
    await scan();
    await add(`${event(2)}\n`);
    expect(await scan()).toEqual(grown);
    expect(await scan()).toEqual(nothing);
    await add(event(3).slice(0, 20));
    expect(await scan()).toEqual(nothing);
    await add(`${event(3).slice(20)}\n`);
    expect(await scan()).toEqual(nothing);
  });

  test('is not read again when its incomplete last line is completed', async () => {
    await put(`${event(1)}\n${event(2).slice(0, 20)}`);
    expect(await scan()).toEqual([[event(1)], ['AORTA-FILE-INCOMPLETE']]);
    expect(await scan()).toEqual(nothing);
    await add(`${event(2).slice(20)}\n`);
    expect(await scan()).toEqual(grown);
  });

  test('is read if nothing had been read from it', async () => {
    await put('');
    expect(await scan()).toEqual([[], ['AORTA-FILE-EMPTY']]);
    await put(event(1).slice(0, 20));
    expect(await scan()).toEqual([[], ['AORTA-FILE-INCOMPLETE']]);
    await add(`${event(1).slice(20)}\n`);
    expect(await scan()).toEqual([[event(1)], []]);
    await add(`${event(2)}\n`);
    expect(await scan()).toEqual(grown);
  });

  test('keeps its receipts if it grows before all of it was read', async () => {
    const lines = Array.from({ length: 1200 }, (_, value) => event(value));
    await put(`${lines.join('\n')}\n`);
    const [first] = await scan({ stopAfter: 1 });
    expect(first).toEqual(lines.slice(0, 500));
    await add(`${event(1200)}\n`);
    const source = new FilesSource({ paths: [path], checkpoints: await FilesCheckpoints.open(join(folder, 'state.json')) });
    const receipts: [string, number, number][] = [];
    for await (const { deliveries, position } of source.batches(new AbortController().signal)) {
      receipts.push(
        ...deliveries.map(({ partition, offset, receivedAt }): [string, number, number] => [partition, offset, receivedAt]),
      );
      await source.commit([position]);
    }
    const { createHash } = await import('node:crypto');
    const partition = createHash('sha256')
      .update(`${lines.join('\n')}\n`)
      .digest('hex')
      .slice(0, 16);
    expect(receipts).toEqual(lines.slice(500).map((_, index) => [partition, index + 500, 1_700_000_001_000_000]));
    expect(source.errors.map(({ code }) => code)).toEqual(['AORTA-FILE-GROWN']);
    expect(await scan()).toEqual(nothing);
  });

  test('is reported if it was a gzip file that was cut off', async () => {
    const bytes = gzipSync(Array.from({ length: 9 }, (_, value) => event(value)).join('\n'));
    const whole = Buffer.concat([gzipSync(`${event(0)}\n`), bytes]);
    await put(whole.subarray(0, whole.length - 10));
    const [bodies, codes] = await scan();
    expect([bodies[0], codes]).toEqual([event(0), ['AORTA-FILE-COMPRESSION']]);
    await put(whole);
    const [more, again] = await scan();
    expect([more, again]).toEqual([[], ['AORTA-FILE-COMPRESSION', 'AORTA-FILE-GROWN']]);
    expect(await scan()).toEqual(nothing);
  });

  test('is read up to the size that it had when it was opened', async () => {
    const lines = Array.from({ length: 600 }, (_, value) => event(value));
    await put(`${lines.join('\n')}\n`);
    const source = new FilesSource({ paths: [path], checkpoints: await FilesCheckpoints.open(join(folder, 'state.json')) });
    const bodies: string[] = [];
    for await (const { deliveries, position } of source.batches(new AbortController().signal)) {
      if (bodies.length === 0) await add(`${event(600)}\n`);
      bodies.push(...deliveries.map(({ body }) => body.toString()));
      await source.commit([position]);
    }
    expect(bodies).toEqual(lines);
    expect(await scan()).toEqual(grown);
  });

  test('is listed until it is removed or replaced', async () => {
    const listed = async () => (await problems(settings, join(folder, 'state'))).map(({ details }) => details);
    const settings = filesSourceOptions.parse({ type: 'files', paths: [folder] });
    await put(`${event(1)}\n`);
    await scan();
    expect(await listed()).toEqual([]);
    await add(`${event(2)}\n`);
    await scan();
    expect(await listed()).toEqual([
      { file: path, line: 1, command: expect.stringContaining(`${path} | tail -n +2 | aorta load - `) },
    ]);
    expect(await problems({ ...settings, paths: [join(folder, 'other')] }, join(folder, 'state'))).toEqual([]);
    await put(`${event(3)}\n${event(4)}\n${event(5)}\n`);
    expect(await scan()).toEqual([[event(3), event(4), event(5)], []]);
    expect(await listed()).toEqual([]);
    await add(`${event(6)}\n`);
    expect(await scan()).toEqual(grown);
    await rm(path);
    expect(await listed()).toEqual([]);
  });
});

describe('a file that was read is no file that has grown if', () => {
  test('only its modification time changed', async () => {
    await put(`${event(1)}\n`);
    await scan();
    await touch();
    expect(await scan()).toEqual(nothing);
  });

  test('only line ends were added', async () => {
    await put(event(1));
    await scan();
    await add('\n');
    expect(await scan()).toEqual(nothing);
    await add('\r\n \n');
    expect(await scan()).toEqual(nothing);
    await add(`${event(2)}\n`);
    expect(await scan()).toEqual(grown);
  });

  test('its first bytes changed', async () => {
    await put(`${event(1)}\n`);
    await scan();
    await put(`${event(2)}\n${event(3)}\n`);
    expect(await scan()).toEqual([[event(2), event(3)], []]);
  });

  test('it became shorter', async () => {
    await put(`${event(1)}\n${event(2)}\n`);
    await scan();
    await truncate(path, event(1).length + 1);
    await touch();
    expect(await scan()).toEqual([[event(1)], []]);
  });

  test('another file took its name', async () => {
    await put(`${event(1)}\n`);
    await scan();
    await writeFile(join(folder, 'next'), `${event(2)}\n${event(3)}\n`);
    await rename(join(folder, 'next'), path);
    expect(await scan()).toEqual([[event(2), event(3)], []]);
  });

  test('an earlier version of Aorta read it, and stored no hash', async () => {
    await put(`${event(1)}\n`);
    const stored = { format: 1, files: { [path]: { size: 1, modified_at: 1, taken: 1, done: true } } };
    await writeDurably(join(folder, 'state.json'), stored);
    expect(await scan()).toEqual([[event(1)], []]);
    await add(`${event(2)}\n`);
    expect(await scan()).toEqual(grown);
  });
});

test('however a file grows, each of its lines is read at most once, and one report names the file', async () => {
  const lines = Array.from({ length: 6 }, (_, value) => `${event(value)}\n`).join('');
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 0, max: lines.length }), { minLength: 2 }), async (cuts) => {
      await rm(join(folder, 'state.json'), { force: true });
      const bodies: string[] = [];
      const codes: string[] = [];
      for (const cut of [...cuts].sort((a, b) => a - b)) {
        await put(lines.slice(0, cut));
        const [some, more] = await scan();
        bodies.push(...some);
        codes.push(...more);
      }
      expect(new Set(bodies).size).toBe(bodies.length);
      expect(lines.split('\n')).toEqual(expect.arrayContaining(bodies));
      expect(codes.filter((code) => code === 'AORTA-FILE-GROWN').length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 40 },
  );
});
