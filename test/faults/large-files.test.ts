import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';

/** Checks that memory use depends on the configuration, not on the size of files or of their inflated content. */

const program = join(import.meta.dirname, '../bench/load.process.ts');
const root = mkdtempSync(join(tmpdir(), 'aorta-large-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const MB = 2 ** 20;

interface LoadResult {
  readonly rows: Readonly<Record<string, number>>;
  readonly peakMb: number;
}

function load(file: string): LoadResult {
  const child = spawnSync(process.execPath, [program, mkdtempSync(join(root, 'loaded-')), file], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  expect(child.status).toBe(0);
  return JSON.parse(child.stdout) as LoadResult;
}

/** Returns a gzip file that inflates to this many gigabytes. It consists of gzip members of 64 MB each. */
function bomb(gigabytes: number): Buffer {
  const member = gzipSync(Buffer.alloc(64 * MB, ' '));
  return Buffer.concat(Array.from({ length: gigabytes * 16 }, () => member));
}

const SAMPLES_A_EVENT = 1_000;
const EVENTS = 3_250;

/** Writes 200 MB of heart rates, one event per line or as one array. The samples of an event are in different minutes. */
function heartRates(name: string, form: 'array' | 'lines'): string {
  const path = join(root, name);
  const file = openSync(path, 'w');
  const [open, between, close] = form === 'array' ? ['[', ',', ']'] : ['', '\n', '\n'];
  writeSync(file, open);
  for (let event = 0; event < EVENTS; event++) {
    const samples = Array.from({ length: SAMPLES_A_EVENT }, (_, at) => {
      const timestamp = new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString();
      return `{"timestamp":"${timestamp}","unit":"bpm","value":${60 + ((event + at) % 40)}}`;
    });
    const data = `{"source":{"provider":"oura","type":"ring"},"data":[${samples.join(',')}]}`;
    writeSync(
      file,
      `${event === 0 ? '' : between}{"event_type":"daily.data.heartrate.created","user_id":"u-${event}","data":${data}}`,
    );
  }
  writeSync(file, close);
  closeSync(file);
  expect(statSync(path).size).toBeGreaterThan(190 * MB);
  return path;
}

describe('the peak memory of a load', () => {
  test.each([
    ['lines', 1_000],
    ['array', 1_200],
  ] as const)('a load of 200 MB of samples as %s peaks below %i MB, and every sample is in the table', (form, mostMb) => {
    const { rows, peakMb } = load(heartRates(`samples.${form}`, form));
    expect(rows).toEqual({ deliveries: EVENTS, timeseries: EVENTS * SAMPLES_A_EVENT });
    process.stdout.write(`200 MB as ${form}: peak ${peakMb.toFixed(0)} MB\n`);
    expect(peakMb).toBeLessThan(mostMb);
  });

  test('a load of a gzip file with one line of 4 GB peaks below 700 MB', () => {
    const file = join(root, 'bomb.gz');
    writeFileSync(file, bomb(4));
    expect(statSync(file).size).toBeLessThan(8 * MB);
    const { rows, peakMb } = load(file);
    expect(rows).toEqual({});
    expect(peakMb).toBeLessThan(700);
  });

  test('a load of a delivery whose body inflates to 4 GB peaks below 500 MB', () => {
    const file = join(root, 'body.ndjson');
    const headers = { 'content-encoding': 'gzip' };
    const delivery = { source: 'hub', partition: 0, offset: 0, received_at: '2026-03-28T12:00:00Z', headers };
    writeFileSync(file, `${JSON.stringify({ ...delivery, body_base64: bomb(4).toString('base64') })}\n`);
    const loaded = load(file);
    expect(loaded.rows).toEqual({ deliveries: 1 });
    expect(loaded.peakMb).toBeLessThan(500);
  });
});
