import { spawnSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { headersOf, heartRateEvent, receivedAt, SAMPLES } from './events.ts';
import { type Figure, figure } from './measure.ts';

const PARTITIONS = 4;
const program = join(import.meta.dirname, 'load.process.ts');

function* lines(partition: number, events: number): Generator<string> {
  for (let index = partition; index < events; index += PARTITIONS) {
    const received_at = new Date(receivedAt(index)).toISOString();
    const delivery = {
      source: 'hub',
      partition,
      offset: Math.floor(index / PARTITIONS),
      received_at,
      headers: headersOf(index),
      body: heartRateEvent(index),
    };
    yield `${JSON.stringify(delivery)}\n`;
  }
}

async function writeFiles(folder: string, events: number): Promise<string[]> {
  const files = Array.from({ length: PARTITIONS }, (_, partition) => join(folder, `hub-p${partition}.ndjson.gz`));
  for (const [partition, file] of files.entries())
    await pipeline(Readable.from(lines(partition, events)), createGzip({ level: 6 }), createWriteStream(file));
  return files;
}

interface Life {
  readonly milliseconds: number;
  readonly rows: number;
  readonly peakMb: number;
}

/** Gzipped delivery files to published tables, each round in a process of its own; without its start. */
export async function whole(rounds: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-bench-'));
  const measure = (files: readonly string[], name: string): Life => {
    const child = spawnSync(process.execPath, [program, join(folder, name), ...files], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (child.status !== 0) throw new Error(`the load ended with ${child.status}`);
    return JSON.parse(child.stdout) as Life;
  };
  try {
    const events = 60_000;
    const files = await writeFiles(folder, events);
    const lives = Array.from({ length: rounds }, (_, round) => measure(files, `round-${round}`));
    if (lives.some(({ rows }) => rows !== events * SAMPLES)) throw new Error('the tables do not hold what the files held');
    return [
      figure(
        'gzipped delivery files → published tables',
        'samples/s',
        lives.map(({ rows, milliseconds }) => (rows * 1000) / milliseconds),
        { target: '≥ 300,000', met: (value) => value >= 300_000 },
      ),
      figure(
        'peak memory of the process',
        'MB',
        lives.map(({ peakMb }) => peakMb),
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
