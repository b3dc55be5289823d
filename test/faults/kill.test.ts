import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { openDuckDbReader } from '@aorta/connectors/warehouses/duckdb/module';
import { randomOf, writeDeliveryFiles } from '@aorta/people';
import type { Step } from '@aorta/runtime';
import { load, readSetting } from 'aorta/internals';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** kill -9 against real processes: at each step, and at random times. Nothing lost, nothing doubled. */

const script = join(import.meta.dirname, 'life.process.ts');
const root = mkdtempSync(join(tmpdir(), 'aorta-kill-'));
let files: string[];
let whole: Life & { tables: string };

interface Life {
  /** What it reported; empty if it died before. */
  readonly output: string;
  readonly signal: NodeJS.Signals | null;
  readonly code: number | null;
  /** How many steps it passed. */
  readonly steps: number;
  readonly milliseconds: number;
}

/** When a life is killed from outside: so many steps after its start, and so many milliseconds after that. */
interface Kill {
  readonly steps: number;
  readonly milliseconds: number;
}

/** Runs one life to its end, or until it is killed. */
function live(folder: string, step: Step | 'never', count: number, kill?: Kill): Promise<Life> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const child = spawn(process.execPath, [script, folder, step, String(count), ...files], {
      stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    });
    let output = '';
    let steps = 0;
    let timer: NodeJS.Timeout | undefined;
    const reached = (): void => {
      if (kill === undefined || steps < kill.steps || timer !== undefined) return;
      timer = setTimeout(() => child.kill('SIGKILL'), kill.milliseconds);
    };
    reached();
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.stdio[3]!.on('data', (bytes: Buffer) => {
      steps += bytes.length;
      reached();
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ output, signal, code, steps, milliseconds: performance.now() - begun });
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
  files = (await writeDeliveryFiles({ seed: 7, people: 2, days: 2, folder: deliveries, partitions: 3 })).files;
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
  whole = { ...life, tables: await printed(folder) };
  expect(JSON.parse(whole.output).received).toBeGreaterThan(300);
}, 120_000);

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Loads again, in this process, and compares. */
async function recovered(folder: string): Promise<void> {
  const { report } = await load({ setting: readSetting({ warehouse: 'duckdb:health.duckdb' }, {}, folder), files });
  expect(report).toEqual(JSON.parse(whole.output));
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

describe.concurrent('killed at', () => {
  test.each(steps)('%s, time %i', async (step, count) => {
    const folder = newFolder();
    expectKilled(await live(folder, step, count));
    await recovered(folder);
  });
});

const RUNS = 30 * Number(process.env.SOAK ?? 1);

describe.concurrent('killed twice at random times', () => {
  test.each(Array.from({ length: RUNS }, (_, seed) => seed + 1))('seed %i', async (seed) => {
    const random = randomOf(seed);
    const folder = newFolder();
    const pauseMs = whole.milliseconds / whole.steps;
    for (const _ of ['once', 'again']) {
      // Counted in steps, so that the kill falls into the same work on every machine; the rest falls anywhere between two.
      const at = random.between(0, whole.steps);
      expectKilled(await killed(folder, at, random.between(0, pauseMs)));
    }
    await recovered(folder);
  });
});

/**
 * A life that was killed. One that had nothing left to do ends before its moment comes, and shows nothing: then another one
 * is killed after half as many steps.
 */
async function killed(folder: string, steps: number, milliseconds: number): Promise<Life> {
  const life = await live(folder, 'never', 0, { steps, milliseconds });
  return life.signal !== null || steps === 0 ? life : killed(folder, steps >> 1, milliseconds);
}

/** The process was alive, and at work, when it was killed. */
function expectKilled({ signal, code, output }: Life): void {
  expect({ signal, code, output }).toEqual({ signal: 'SIGKILL', code: null, output: '' });
}
