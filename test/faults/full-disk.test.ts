import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deliveries, deliveryLine } from '@aorta/people';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MissedTime } from '../../infra/machine/goal.fixture.ts';
import { until } from '../../infra/machine/waiting.fixture.ts';
import { aorta } from './command-line.ts';
import { SmallDisk } from './small-disk.ts';
import { slowness } from './stage/bystander.ts';

/** Fills a disk during `aorta run`, which must report this within a minute and recover within 30 s after space is freed. */

const bin = join(import.meta.dirname, '../../pipelines/aorta/bin/aorta.js');
/** A folder from which Node can resolve the DuckDB package. */
const warehouseFolder = join(import.meta.dirname, '../../connectors/warehouses');
const root = mkdtempSync(join(tmpdir(), 'aorta-full-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const TOLD_WITHIN_MS = 60_000;
const REPAIRED_WITHIN_MS = 30_000;
const DISK_MB = 192;
/** Free space on the full disk, in bytes. A few more deliveries fit, but a copy of the 40 MB DuckDB file does not. */
const GROWTH = 24 * 2 ** 20;
/** Number of deliveries that arrive after the disk is full. They fit into {@link GROWTH}. */
const LATE = 60;

/** The files that `aorta run` reads, one written before and one after the disk is full, and the number of deliveries in each. */
const parts: string[] = [];
const counts: number[] = [];
let expected: string;

const digest = `select count(*), md5(string_agg(t::text, chr(10) order by t::text)) from (select * exclude (_loaded_at) from timeseries) t
  union all select count(*), md5(string_agg(t::text, chr(10) order by t::text)) from (select * exclude (_loaded_at) from deliveries) t`;

/** Returns the row counts and digests of the tables. */
async function held(folder: string, ...place: string[]): Promise<string> {
  return (await aorta(folder, ['query', digest, '--csv', ...place])).out;
}

beforeAll(async () => {
  const lines = [...deliveries({ seed: 11, people: 4, days: 3, partitions: 1 })].map(deliveryLine);
  for (const [index, some] of [lines.slice(0, -LATE), lines.slice(-LATE)].entries()) {
    parts.push(join(root, `${index}.ndjson`));
    counts.push(some.length);
    writeFileSync(parts[index]!, `${some.join('\n')}\n`);
  }
  const load = await aorta(root, ['load', ...parts, '--data', 'whole']);
  expect(load.code).toBe(0);
  expected = await held(root, '--data', 'whole');
  expect(expected.split('\n')).toHaveLength(4);
});

/** Adds 40 MB of incompressible data to a DuckDB file. */
function enlarge(database: string): void {
  const script = `import { DuckDBInstance } from '@duckdb/node-api';
    const connection = await (await DuckDBInstance.create(process.argv[1])).connect();
    await connection.run('create table ballast as select random() as number from range(5_000_000)');
    await connection.run('checkpoint');
    connection.closeSync();`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', script, database], { cwd: warehouseFolder });
  expect(statSync(database).size).toBeGreaterThan(GROWTH);
}

/** An `aorta run` process, with its log and its health endpoints. */
class Running {
  readonly #child: ChildProcess;
  #said = '';

  constructor(folder: string) {
    this.#child = spawn(process.execPath, [bin, 'run'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.#said += text;
    });
  }

  get said(): string {
    return this.#said;
  }

  get code(): number | null {
    return this.#child.exitCode;
  }

  /** Returns the response from `/readyz`, or undefined if the process does not answer. */
  async ready(): Promise<{ status: number; text: string } | undefined> {
    return this.#get('/readyz');
  }

  /** Returns why the process is not ready. Undefined if it is ready, is only starting, or does not answer. */
  async redness(): Promise<string | undefined> {
    const answer = await this.ready();
    return answer?.status === 503 && !answer.text.includes(': starting') ? answer.text : undefined;
  }

  /** Returns the number of landed stream records, one for each delivery. */
  async landed(): Promise<number> {
    const text = (await this.#get('/metrics'))?.text ?? '';
    return [...text.matchAll(/^aorta_stream_position\{[^}]*\} (\d+)/gm)].reduce((sum, [, position]) => sum + Number(position), 0);
  }

  async #get(path: string): Promise<{ status: number; text: string } | undefined> {
    const port = /"port":(\d+)[^\n]*"health server started"/.exec(this.#said)?.[1];
    if (port === undefined) return undefined;
    try {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(1000) });
      return { status: answer.status, text: await answer.text() };
    } catch {
      return undefined;
    }
  }

  async stop(): Promise<number | null> {
    if (this.#child.exitCode === null) {
      this.#child.kill('SIGTERM');
      await once(this.#child, 'close');
    }
    return this.#child.exitCode;
  }
}

/**
 * Waits until a condition holds. Allows more time on a slow machine, so it can wait longer than `until`. Throws an error with the
 * process's log if the goal is missed.
 */
async function within(milliseconds: number, what: string, running: () => Running, holds: () => Promise<boolean>): Promise<void> {
  const begun = performance.now();
  let allowedMs = milliseconds;
  while (!(await holds())) {
    if (performance.now() - begun > allowedMs) allowedMs = milliseconds * (await slowness());
    if (performance.now() - begun > allowedMs)
      throw new MissedTime(`${what} within ${allowedMs} ms: ${running().said}${JSON.stringify(await running().ready())}`);
    await sleep(200);
  }
}

interface Case {
  readonly name: string;
  readonly on: 'streams' | 'warehouse';
  /** Free space to leave on the disk, in bytes. */
  readonly free: number;
  /** If true, the test stops the process, enlarges the DuckDB file, fills the disk, and then starts a new process. */
  readonly large?: true;
  /** The file that the error must name. */
  readonly named: RegExp;
}

const cases: readonly Case[] = [
  { name: 'the streams', on: 'streams', free: 0, named: /\/streams\/[^ ]* cannot be written \(ENOSPC: the disk is full\)/ },
  {
    name: 'the DuckDB file',
    on: 'warehouse',
    free: 0,
    named: /health\.duckdb[^ ]* cannot be written \(ENOSPC: the disk is full\)/,
  },
  {
    name: 'the published copy',
    on: 'warehouse',
    free: GROWTH,
    large: true,
    named: /health\.published\.duckdb[^ ]*\.part cannot be written \(ENOSPC: the disk is full\)/,
  },
];

describe.skipIf(process.platform !== 'linux').concurrent('a full disk', () => {
  test.each(cases)('if it holds $name, the error names the file, and no record is lost', async ({ on, free, large, named }) => {
    const folder = mkdtempSync(join(root, 'run-'));
    const disk = await SmallDisk.make(DISK_MB);
    const at = (what: Case['on']) => (what === on ? disk.folder : folder);
    const database = join(at('warehouse'), 'health.duckdb');
    mkdirSync(join(folder, 'in'));
    writeFileSync(
      join(folder, 'aorta.yaml'),
      `streams: { type: local, folder: ${join(at('streams'), 'streams')} }
warehouse: { type: duckdb, path: ${database}, publish_every_s: 1, old_after_s: 1 }
sources: [{ type: files, paths: [in], poll_s: 1 }]
health: { port: 0, stalled_after_s: 20 }
`,
    );
    /** Moves a complete file into the folder of the source. */
    const arrives = (part: number): void => {
      const copy = join(folder, `${part}.part`);
      copyFileSync(parts[part]!, copy);
      renameSync(copy, join(folder, 'in', `${part}.ndjson`));
    };
    let running = new Running(folder);
    try {
      arrives(0);
      const published = database.replace('.duckdb', '.published.duckdb');
      const started = async () => ({ landed: await running.landed(), isPublished: existsSync(published) });
      const log = (): string => running.said;
      await until('the first deliveries to be landed and published', started, { landed: counts[0]!, isPublished: true }, log);
      // A running process may pause before it publishes a copy, because publishing takes at most 1 % of its time. A new process
      // publishes its first copy without this pause.
      if (large) {
        expect(await running.stop()).toBe(0);
        enlarge(database);
      }
      disk.fill(free);
      if (large) running = new Running(folder);
      arrives(1);
      // If space is only short, the process is red only briefly, so the test collects the reasons of every red response.
      let red = '';
      await within(
        TOLD_WITHIN_MS,
        'not reported',
        () => running,
        async () => {
          red += (await running.redness()) ?? '';
          return red !== '' && named.test(`${running.said}${red}`);
        },
      );

      disk.makeRoom();
      await within(
        REPAIRED_WITHIN_MS,
        'not recovered',
        () => running,
        async () => {
          expect(running.code).toBe(null);
          return (await running.ready())?.status === 200 && (await running.landed()) >= counts[0]! + counts[1]!;
        },
      );
      expect(await running.stop()).toBe(0);
      // Merges the batches that were not due yet.
      expect(await aorta(folder, ['run', '--once'])).toMatchObject({ code: 0 });
      expect(await held(folder)).toBe(expected);
    } finally {
      await running.stop();
      await disk.remove();
    }
  });
});
