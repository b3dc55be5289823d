import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FilesCheckpoints } from './checkpoints.ts';
import { LateTimeScan } from './late-times.ts';
import { FilesSource, type FilesSourceOptions } from './source.ts';

const NOW = Date.UTC(2026, 10, 30);
const RECEIVED = '2026-05-04T12:00:00.000Z';

let root: string;
let folder: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'behind-'));
});
afterAll(() => rm(root, { recursive: true }));
beforeEach(async () => {
  folder = await mkdtemp(join(root, 'files-'));
});

const summary = (data: object) =>
  JSON.stringify({ event_type: 'daily.data.sleep.created', user_id: 'u', data: { id: 's', ...data } });
const samples = (...data: object[]) =>
  JSON.stringify({ event_type: 'daily.data.heartrate.created', user_id: 'u', data: { source: { provider: 'oura' }, data } });
const at = (timestamp: string) => samples({ timestamp, unit: 'bpm', value: 61 });
const lines = (...events: string[]) => `${events.join('\n')}\n`;

async function put(content: string | Buffer, modified = RECEIVED, name = 'file'): Promise<void> {
  await writeFile(join(folder, name), content);
  await utimes(join(folder, name), new Date(modified), new Date(modified));
}

/** Returns the number of deliveries that were read, and the codes of the errors. */
async function read(options: Partial<FilesSourceOptions> = {}): Promise<readonly [deliveries: number, ...codes: string[]]> {
  const source = new FilesSource({ paths: [folder], now: () => NOW, ...options });
  let taken = 0;
  for await (const { deliveries, position } of source.batches(new AbortController().signal)) {
    taken += deliveries.length;
    await source.commit([position]);
  }
  return [taken, ...source.errors.map(({ code }) => code)];
}

const refused = [0, 'AORTA-FILE-BEHIND'];

describe('a plain event file is refused if its events happened after its modification time', () => {
  test.each(['1901-12-14T00:00:00Z', '1970-01-01T00:00:00Z', '1985-10-26T08:15:00Z'])('%s', async (modified) => {
    await put(lines(at('2026-05-04T12:00:00Z')), modified);
    expect(await read()).toEqual(refused);
  });

  test.each([
    ['a sample a microsecond over 24 hours later', lines(at('2026-05-05T12:00:00.000001Z'))],
    ['a sample with an offset', lines(at('2026-05-05T05:00:00.5-07:30'))],
    ['a sample with an offset without a colon', lines(at('2026-05-05T20:00:00+0700'))],
    ['a sample with an escaped offset', lines(at('2026-05-06T14:00:00+02:00')).replace('+', '\\u002B')],
    ['a sample with a space in its time', lines(at('2026-05-06 00:00:00'))],
    ['the end of a sample', lines(samples({ start: '2026-05-04T12:00:00Z', end: '2026-05-05T12:00:01Z', value: 1 }))],
    ['the last of several samples', lines(samples({ timestamp: '2026-05-04T12:00:00Z' }, { timestamp: '2026-05-06T12:00:00Z' }))],
    ['the end of a night', lines(summary({ bedtime_start: '2026-05-04T22:00:00Z', bedtime_stop: '2026-05-05T12:00:01Z' }))],
    ['a calendar date', lines(summary({ calendar_date: '2026-05-06' }))],
    ['two of three events', lines(at('2026-05-06T00:00:00Z'), at('2026-05-07T00:00:00Z'), at('2026-05-04T00:00:00Z'))],
    ['one of two events, because the other has no time', lines(at('2026-05-06T00:00:00Z'), summary({}))],
    ['an updated_at more than 5 minutes later', lines(summary({ updated_at: '2026-05-04T12:05:00.001Z' }))],
    [
      'one updated_at among many events',
      lines(...Array(9).fill(summary({ updated_at: '2026-05-04T12:00:00Z' })), summary({ updated_at: '2026-05-04T12:06:00Z' })),
    ],
    ['an updated_at with an offset', lines(summary({ updated_at: '2026-05-04T05:00:00-08:00' }))],
    ['an array', JSON.stringify([JSON.parse(at('2026-05-06T00:00:00Z'))], null, 2)],
    ['one event', JSON.stringify(JSON.parse(summary({ updated_at: '2026-05-05T00:00:00Z' })), null, 2)],
    ['gzip', gzipSync(lines(at('2026-05-06T00:00:00Z')))],
    ['zstd', zstdCompressSync(lines(at('2026-05-06T00:00:00Z')))],
    ['gzip that is cut off', gzipSync(lines(at('2026-05-06T00:00:00Z'))).subarray(0, -6)],
    ['a broken first line', `{"no\n${lines(at('2026-05-06T00:00:00Z'))}`],
  ])('as shown by %s', async (_, content) => {
    await put(content);
    expect(await read()).toEqual(refused);
  });

  test('and the files next to it are read', async () => {
    await put(lines(at('2026-05-04T12:00:00Z')), '2026-05-04T12:00:00Z', 'a');
    await put(lines(at('2026-05-04T12:00:00Z')), '1970-01-01T00:00:00Z', 'b');
    await put(lines(at('2026-05-04T12:00:00Z')), '2026-05-04T12:00:00Z', 'c');
    expect(await read()).toEqual([2, 'AORTA-FILE-BEHIND']);
  });

  test.each([
    ['an event', lines(at('2026-05-04T12:00:00Z')), 'more than 24 hours earlier than the newest times of 1 of 1 deliveries'],
    [
      'an update',
      lines(at('1970-01-01T00:00:00Z'), summary({ updated_at: '2026-05-04T12:00:00Z' })),
      'earlier than `updated_at` in line 2',
    ],
  ])('and the error names the time, its origin, the reason and the remedy: %s', async (_, content, problem) => {
    await put(content, '1970-01-01T00:00:00Z');
    for (const [receivedAt, origin] of [
      [undefined, 'its modification time'],
      [0, 'as stated'],
    ] as const) {
      const source = new FilesSource({ paths: [folder], now: () => NOW, receivedAt });
      for await (const _ of source.batches(new AbortController().signal));
      expect(source.errors.map(({ message }) => message)).toEqual([
        `${join(folder, 'file')} was not loaded, because its events cannot have been received at 1970-01-01T00:00:00.000Z (${origin}): that is ${problem}.`,
      ]);
      expect(source.errors[0]?.remedy).toContain('--received-at');
    }
  });
});

describe('a plain event file is read', () => {
  const late = '2031-01-01T00:00:00Z';
  test.each([
    ['a sample exactly 24 hours after the receipt', lines(at('2026-05-05T12:00:00Z'))],
    ['local times marked as UTC', lines(at('2026-05-05T02:00:00Z'))],
    ['a calendar date that has begun in the east', lines(summary({ calendar_date: '2026-05-05' }))],
    ['an updated_at exactly 5 minutes after the receipt', lines(summary({ updated_at: '2026-05-04T12:05:00Z' }))],
    ['a sample in the future', lines(samples({ timestamp: '2026-05-04T11:00:00Z' }, { timestamp: late }))],
    ['only samples in the future', lines(at(late))],
    ['an updated_at in the future', lines(summary({ updated_at: late }))],
    ['one of two events with a wrong clock', lines(at('2026-08-01T00:00:00Z'), at('2026-05-04T11:00:00Z'))],
    ['a planned time', lines(summary({ start_at: '2026-08-01T00:00:00Z', activate_by: '2026-08-01' }))],
    ['a time in a text', lines(summary({ title: 'until 2026-08-01T00:00:00Z', calendar_date: '2026-05-04' }))],
    ['no time at all', lines(summary({}))],
    ['times that are not valid', lines(summary({ updated_at: '2026-13-01T00:00:00Z', calendar_date: 'x' }))],
  ])('with %s', async (_, content) => {
    await put(content);
    expect((await read())[1]).toBeUndefined();
  });

  test('if the time of receipt is stated, and refused if that is too early as well', async () => {
    await put(lines(at('2026-05-04T12:00:00Z')), '1970-01-01T00:00:00Z');
    expect(await read({ receivedAt: Date.parse('2026-05-04T13:00:00Z') * 1000 })).toEqual([1]);
    expect(await read({ receivedAt: Date.parse('2026-05-03T11:00:00Z') * 1000 })).toEqual(refused);
  });

  test('if it states its times of receipt', async () => {
    const delivery = {
      source: 'hub',
      partition: 3,
      offset: 1,
      received_at: '2026-01-01T00:00:00Z',
      body: JSON.parse(at('2026-05-04T12:00:00Z')),
    };
    await put(lines(JSON.stringify(delivery)), '1970-01-01T00:00:00Z');
    expect(await read()).toEqual([1]);
  });
});

describe('a scan with checkpoints', () => {
  const open = async () => ({ checkpoints: await FilesCheckpoints.open(join(folder, '.state.json')) });

  test('reports a refused file again without reading it, and reads it when its time is right', async () => {
    await put(lines(at('2026-05-04T12:00:00Z')), '1970-01-01T00:00:00Z');
    expect(await read(await open())).toEqual(refused);
    // The size and the modification time are the same, so a scan that reads the file would find no late time.
    await put(lines(at('1970-01-01T00:00:00Z')), '1970-01-01T00:00:00Z');
    expect(await read(await open())).toEqual(refused);
    await put(lines(at('2026-05-04T12:00:00Z')));
    expect(await read(await open())).toEqual([1]);
    expect(await read(await open())).toEqual([0]);
  });

  test('reads a refused file when the stated time of receipt has been corrected', async () => {
    await put(lines(at('2026-05-04T12:00:00Z')));
    expect(await read({ ...(await open()), receivedAt: 0 })).toEqual(refused);
    expect(await read({ ...(await open()), receivedAt: Date.parse(RECEIVED) * 1000 })).toEqual([1]);
  });

  test('never refuses a file that it has read in part', async () => {
    await put(lines(...Array(600).fill(at('2026-05-04T12:00:00Z')), at('2026-05-04T12:00:00Z')));
    const source = new FilesSource({ paths: [folder], now: () => NOW, ...(await open()) });
    for await (const { position } of source.batches(new AbortController().signal)) {
      await source.commit([position]);
      break;
    }
    // The stated time of receipt is now too early.
    expect(await read({ ...(await open()), receivedAt: 0 })).toEqual([101]);
  });
});

test('the scan finds a late time wherever the text is cut into chunks', () => {
  const claim = { receivedAt: Date.parse(RECEIVED) * 1000, now: NOW };
  const early = fc.constantFrom(
    at('2026-05-04T12:00:00Z'),
    summary({ id: '6f1c2f0e-8a4e-4d59-9c3e-1f2e3d4c5b6a' }),
    `"${'é'.repeat(60)}-"`,
  );
  const late = fc.constantFrom(
    at('2026-05-05T12:00:01+00:00'),
    summary({ calendar_date: '2026-11-30' }),
    JSON.stringify({ updated_at: '2026-05-04T12:06:00Z' }, null, 4),
  );
  fc.assert(
    fc.property(
      fc.array(early),
      late,
      fc.array(early),
      fc.array(fc.integer({ min: 1, max: 150 }), { minLength: 1 }),
      (before, found, after, cuts) => {
        const holds = (events: readonly string[]) => {
          const scan = new LateTimeScan(claim);
          const bytes = Buffer.from(events.join('\n'));
          for (let start = 0, cut = 0; start < bytes.length; cut += 1) {
            const size = cuts[cut % cuts.length]!;
            scan.push(bytes.subarray(start, start + size));
            start += size;
          }
          return scan.found;
        };
        expect([holds([...before, found, ...after]), holds([...before, ...after])]).toEqual([true, false]);
      },
    ),
  );
});
