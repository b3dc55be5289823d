import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isAhead } from '../sources/delivery.ts';
import { FilesCheckpoints } from './checkpoints.ts';
import { filesSourceOptions } from './options.ts';
import { FilesSource, type FilesSourceOptions } from './source.ts';

const NOW_S = 1_700_000_000;
/** Five minutes after {@link NOW_S}: the last second that is not refused. */
const LAST_S = 1_700_000_300;

let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ahead-'));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  await rm(folder, { recursive: true });
  folder = await mkdtemp(join(tmpdir(), 'ahead-'));
  path = join(folder, 'file');
});

const event = JSON.stringify({ event_type: 'daily.data.steps.created', user_id: 'u', data: {} });
const delivery = JSON.stringify({ source: 'hub', partition: 3, offset: 1, received_at: '2206-01-02T03:04:05Z', body: {} });

async function put(content: string | Buffer, modifiedAt: number, name = 'file'): Promise<void> {
  await writeFile(join(folder, name), content);
  // Node replaces a negative number with the current time, but not a date.
  const time = new Date(modifiedAt * 1000);
  await utimes(join(folder, name), time, time);
}

interface Read {
  /** Times of receipt in seconds since 1970. */
  readonly times: readonly number[];
  readonly codes: readonly string[];
}

async function read(options: Partial<FilesSourceOptions> = {}): Promise<Read> {
  const source = new FilesSource({ paths: [folder], now: () => NOW_S * 1000, ...options });
  const times: number[] = [];
  for await (const { deliveries, position } of source.batches(new AbortController().signal)) {
    times.push(...deliveries.map(({ receivedAt }) => receivedAt / 1e6));
    await source.commit([position]);
  }
  return { times, codes: source.errors.map(({ code }) => code) };
}

const refused: Read = { times: [], codes: ['AORTA-FILE-AHEAD'] };

test('a time of receipt is ahead from the first microsecond after five minutes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), fc.integer({ min: -1e9, max: 1e9 }), (now, micros) => {
      expect(isAhead(now * 1000 + 300_000_000 + micros, now)).toBe(micros > 0);
    }),
  );
});

describe('a plain event file whose modification time is more than five minutes ahead', () => {
  test.each([
    ['NDJSON', `${event}\n${event}\n`],
    ['an array', `[${event}]`],
    ['one event', event],
    ['gzip', gzipSync(`${event}\n`)],
    ['lines that are not JSON', '{no\n{no\n'],
    ['a broken first line', `{"no\n${event}\n`],
    ['a gzip file that is cut off', gzipSync(`${event}\n`).subarray(0, -6)],
  ])('is refused, and no event of it is read: %s', async (_, content) => {
    await put(content, LAST_S + 1);
    expect(await read()).toEqual(refused);
  });

  test('is read if its time is exactly five minutes ahead', async () => {
    await put(`${event}\n`, LAST_S);
    expect(await read()).toEqual({ times: [LAST_S], codes: [] });
  });

  test('does not affect the files next to it', async () => {
    await put(`${event}\n`, 5, 'a');
    await put(`${event}\n`, 3_124_000_000, 'b');
    await put(`${event}\n`, 6, 'c');
    expect(await read()).toEqual({ times: [5, 6], codes: ['AORTA-FILE-AHEAD'] });
  });

  test('is read if the time of receipt is given', async () => {
    await put(`${event}\n`, LAST_S + 1);
    expect(await read({ receivedAt: 7e6 })).toEqual({ times: [7], codes: [] });
  });

  test('names its modification time and the remedy', async () => {
    await put(`${event}\n`, Date.UTC(2069, 0) / 1000);
    const source = new FilesSource({ paths: [path], now: () => NOW_S * 1000 });
    for await (const _ of source.batches(new AbortController().signal));
    expect(source.errors[0]?.message).toBe(
      `${path} was last modified at 2069-01-01T00:00:00.000Z, more than 5 minutes ahead of the clock of this computer, so Aorta did not load it.`,
    );
    expect(source.errors[0]?.remedy).toContain('--received-at');
  });

  test('is read by a later scan once the clock has reached its time, or its time has been corrected', async () => {
    const open = async () => ({ checkpoints: await FilesCheckpoints.open(join(folder, '.state.json')) });
    await put(`${event}\n`, LAST_S + 1);
    expect(await read(await open())).toEqual(refused);
    expect(await read(await open())).toEqual(refused);
    expect(await read({ ...(await open()), now: () => (NOW_S + 1) * 1000 })).toEqual({ times: [LAST_S + 1], codes: [] });
    await put(`${event}\n`, LAST_S + 9, 'other');
    expect(await read(await open())).toEqual(refused);
    await utimes(join(folder, 'other'), 8, 8);
    expect(await read(await open())).toEqual({ times: [8], codes: [] });
    expect(await read(await open())).toEqual({ times: [], codes: [] });
  });
});

test.each([
  ['a delivery file, which states its times of receipt', `${delivery}\n`, [Date.UTC(2206, 0, 2, 3, 4, 5) / 1000], []],
  ['an empty file', '', [], ['AORTA-FILE-EMPTY']],
  ['an incomplete file', event.slice(0, 9), [], ['AORTA-FILE-INCOMPLETE']],
  ['a binary file', '\0'.repeat(100), [], ['AORTA-FILE-FORMAT']],
])('a modification time ahead does not matter for %s', async (_, content, times, codes) => {
  await put(content, LAST_S + 1);
  expect(await read()).toEqual({ times, codes });
});

test.each([0, -86_400, 1])(
  'a file that was modified %s seconds after 1970 is read with this time of receipt',
  async (seconds) => {
    await put(`${event}\n`, seconds);
    expect(await read()).toEqual({ times: [seconds], codes: [] });
  },
);

test('the configuration of a source refuses a time of receipt in the future', () => {
  const issues = (received_at: string) =>
    filesSourceOptions.safeParse({ type: 'files', paths: ['a'], received_at }).error?.issues.map(({ message }) => message);
  expect(issues('2026-01-31T08:00:00Z')).toBeUndefined();
  expect(issues('2206-01-31T08:00:00Z')).toEqual([expect.stringContaining('5 minutes ahead')]);
  expect(issues('2206-01-31')).toEqual([expect.stringContaining('not an RFC 3339 date-time')]);
});
