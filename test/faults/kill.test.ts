import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { writeDeliveryFiles } from '@aorta/people';
import type { Step } from '@aorta/telemetry';
import { openDuckDbReader } from '@aorta/warehouse/duckdb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** kill -9 against real processes: at each step, and at random times. Nothing lost, nothing doubled. */

const script = join(import.meta.dirname, 'life.process.ts');
const root = mkdtempSync(join(tmpdir(), 'aorta-kill-'));
let files: string[];
let whole: { report: string; tables: string; milliseconds: number };

interface Life {
  readonly output: string;
  readonly signal: NodeJS.Signals | null;
  readonly code: number | null;
  readonly milliseconds: number;
}

/** Runs one life to its end; `killAfter` milliseconds end it from outside. */
function live(folder: string, step: Step | 'never', count: number, killAfter?: number): Promise<Life> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const child = spawn(process.execPath, [script, folder, step, String(count), ...files], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ output, signal, code, milliseconds: performance.now() - begun });
    });
  });
}

const tables = ['activity', 'sleep', 'timeseries', 'blood_pressure', 'connection_events', 'historical_completions', 'deliveries'];

/** Every row of every table, in one text. */
async function printed(folder: string): Promise<string> {
  const reader = await openDuckDbReader({ path: join(folder, 'health.duckdb') });
  try {
    const parts: string[] = [];
    for (const table of tables) {
      const { rows } = await reader.query(
        `select md5(string_agg(r::text, chr(10) order by r::text)), count(*) from (select * exclude (_loaded_at) from ${table}) r`,
      );
      for await (const chunk of rows) parts.push(`${table} ${chunk.join(' ')}`);
    }
    return parts.join('\n');
  } finally {
    await reader.close();
  }
}

function newFolder(): string {
  return mkdtempSync(join(root, 'life-'));
}

beforeAll(async () => {
  const deliveries = join(root, 'deliveries');
  files = (await writeDeliveryFiles({ seed: 7, people: 4, days: 3, folder: deliveries, partitions: 3 })).files;
  // Paths as a load is given them: the files are copied once, so that nothing depends on the generator any more.
  const copies = join(root, 'files');
  mkdirSync(copies);
  files = files.map((file) => {
    const copy = join(copies, basename(file));
    copyFileSync(file, copy);
    return copy;
  });
  const folder = newFolder();
  const life = await live(folder, 'never', 0);
  expect(life.code).toBe(0);
  whole = { report: life.output, tables: await printed(folder), milliseconds: life.milliseconds };
  expect(JSON.parse(whole.report).received).toBeGreaterThan(300);
}, 120_000);

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Loads again until a life ends by itself, and compares. */
async function recovered(folder: string): Promise<void> {
  const last = await live(folder, 'never', 0);
  expect(last.code).toBe(0);
  expect(JSON.parse(last.output)).toEqual(JSON.parse(whole.report));
  expect(await printed(folder)).toBe(whole.tables);
}

// Steps that a load passes; `source:committed` only a source that keeps positions, which the checkpoints of `run` test.
const steps: readonly (readonly [Step, number])[] = [
  ['append:written', 1],
  ['append:durable', 1],
  ['source:committed', 1],
  ['land:begun', 1],
  ['land:begun', 5],
  ['land:durable', 1],
  ['land:durable', 6],
  ['group:committed', 2],
  ['merge:begun', 1],
  ['merge:begun', 4],
  ['merge:durable', 1],
  ['merge:durable', 5],
  ['batch:dropped', 1],
  ['publish:copied', 1],
  ['publish:renamed', 1],
];

describe('killed at', () => {
  test.each(steps)('%s, time %i', async (step, count) => {
    const folder = newFolder();
    const life = await live(folder, step, count);
    expect(life.signal).toBe('SIGKILL');
    await recovered(folder);
  });
});

describe('killed twice at random times', () => {
  test.each(Array.from({ length: 10 * Number(process.env.SOAK ?? 1) }, (_, seed) => seed + 1))('seed %i', async (seed) => {
    const folder = newFolder();
    // A fixed fraction of a whole life: times differ between machines, the spread over the life does not.
    const fraction = (salt: number): number => ((seed * 7919 + salt * 104_729) % 1000) / 1000;
    for (const salt of [1, 2]) await live(folder, 'never', 0, whole.milliseconds * (0.3 + 0.7 * fraction(salt)));
    await recovered(folder);
  });
});
