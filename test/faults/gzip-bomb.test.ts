import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';

/** Memory is bounded by the configuration, not by what compressed data inflates to: loads in processes of their own, and their peaks. */

const program = join(import.meta.dirname, '../bench/load.process.ts');
const root = mkdtempSync(join(tmpdir(), 'aorta-large-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const MB = 2 ** 20;

interface Life {
  readonly rows: Readonly<Record<string, number>>;
  readonly peakMb: number;
}

function load(file: string): Life {
  const child = spawnSync(process.execPath, [program, mkdtempSync(join(root, 'life-')), file], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  expect(child.status).toBe(0);
  return JSON.parse(child.stdout) as Life;
}

/** 64 MB in a few kilobytes, as often as it takes: gzip files may be strung together. */
function bomb(gigabytes: number): Buffer {
  const member = gzipSync(Buffer.alloc(64 * MB, ' '));
  return Buffer.concat(Array.from({ length: gigabytes * 16 }, () => member));
}

describe('the peak of a load', () => {
  test('of a gzip file whose one line has 4 GB stays below 700 MB', () => {
    const file = join(root, 'bomb.gz');
    writeFileSync(file, bomb(4));
    expect(statSync(file).size).toBeLessThan(8 * MB);
    const { rows, peakMb } = load(file);
    expect(rows).toEqual({});
    expect(peakMb).toBeLessThan(700);
  });

  test('of a delivery whose body inflates to 4 GB stays below 500 MB', () => {
    const file = join(root, 'body.ndjson');
    const headers = { 'content-encoding': 'gzip' };
    const delivery = { source: 'hub', partition: 0, offset: 0, received_at: '2026-03-28T12:00:00Z', headers };
    writeFileSync(file, `${JSON.stringify({ ...delivery, body_base64: bomb(4).toString('base64') })}\n`);
    const life = load(file);
    expect(life.rows).toEqual({ deliveries: 1 });
    expect(life.peakMb).toBeLessThan(500);
  });
});
