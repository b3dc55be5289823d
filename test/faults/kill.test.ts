import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { openDuckDbReader } from '@aorta/connectors/duckdb/module';
import { randomOf, writeDeliveryFiles } from '@aorta/people';
import type { Step } from '@aorta/runtime';
import { load, readSetting } from 'aorta/internals';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** Kills real processes with SIGKILL, at each step and at random times. Checks that no delivery is lost or duplicated. */

const script = join(import.meta.dirname, 'life.process.ts');
const root = mkdtempSync(join(tmpdir(), 'aorta-kill-'));
let files: string[];
let whole: LoadRun & { tables: string };

interface LoadRun {
  /** The report of the load, or an empty string if the process was killed before it printed the report. */
  readonly output: string;
  readonly signal: NodeJS.Signals | null;
  readonly code: number | null;
  /** Number of steps that the process passed. */
  readonly steps: number;
  readonly milliseconds: number;
}

/** When to kill a process: `milliseconds` after it has passed `steps` steps. */
interface Kill {
  readonly steps: number;
  readonly milliseconds: number;
}

/** Runs a load until it ends or is killed. */
function runLoad(folder: string, step: Step | 'never', count: number, kill?: Kill): Promise<LoadRun> {
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

const summaries = ['activity', 'body', 'profile', 'sleep', 'workouts', 'workout_stream_events'];
const tables = [...summaries, 'timeseries', 'blood_pressure', 'connection_events', 'historical_completions', 'deliveries'];

/** Returns a digest and the row count of every table, as one string. */
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
  return mkdtempSync(join(root, 'run-'));
}

beforeAll(async () => {
  const deliveries = join(root, 'deliveries');
  files = writeDeliveryFiles(deliveries, { seed: 7, people: 2, days: 2, partitions: 3 });
  // Copies the files, so that nothing depends on the generator's folder.
  const copies = join(root, 'files');
  mkdirSync(copies);
  files = files.map((file) => {
    const copy = join(copies, basename(file));
    copyFileSync(file, copy);
    return copy;
  });
  const folder = newFolder();
  const run = await runLoad(folder, 'never', 0);
  expect(run.code).toBe(0);
  whole = { ...run, tables: await printed(folder) };
  expect(JSON.parse(whole.output).received).toBeGreaterThan(300);
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Loads again in this process, and expects the report and tables of an uninterrupted load. */
async function recovered(folder: string): Promise<void> {
  const { report } = await load({ setting: readSetting({ warehouse: 'duckdb:health.duckdb' }, {}, folder), files });
  expect(report).toEqual(JSON.parse(whole.output));
  expect(await printed(folder)).toBe(whole.tables);
}

// Steps at which a process kills itself. With the number 5, it kills itself when it passes the step for the fifth time.
const steps: readonly (readonly [Step, number])[] = [
  ['append:written', 1],
  ['append:synced', 1],
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
  ['kept:begun', 1],
  ['kept:durable', 1],
  ['publish:copied', 1],
  ['publish:renamed', 1],
];

describe.concurrent('a load that is killed at a step', () => {
  test.each(steps)('is completed by the next load: %s, pass %i', async (step, count) => {
    const folder = newFolder();
    expectKilled(await runLoad(folder, step, count));
    await recovered(folder);
  });
});

const RUNS = 30 * Number(process.env.SOAK ?? 1);

describe.concurrent('a load killed twice at random times', () => {
  test.each(Array.from({ length: RUNS }, (_, seed) => seed + 1))('is completed by the next load (seed %i)', async (seed) => {
    const random = randomOf(seed);
    const folder = newFolder();
    const pauseMs = whole.milliseconds / whole.steps;
    for (const _ of ['once', 'again']) {
      // The kill waits for a number of steps, so that it interrupts the same work on every machine. The random delay then puts it
      // at some point between two steps.
      const at = random.between(0, whole.steps);
      expectKilled(await killed(folder, at, random.between(0, pauseMs)));
    }
    await recovered(folder);
  });
});

/** Runs a load and kills it. If the load prints its report before the kill, tries again with half as many steps. */
async function killed(folder: string, steps: number, milliseconds: number): Promise<LoadRun> {
  const run = await runLoad(folder, 'never', 0, { steps, milliseconds });
  return (run.signal !== null && run.output === '') || steps === 0 ? run : killed(folder, steps >> 1, milliseconds);
}

/** Expects that the process was killed before it could report. */
function expectKilled({ signal, code, output }: LoadRun): void {
  expect({ signal, code, output }).toEqual({ signal: 'SIGKILL', code: null, output: '' });
}
