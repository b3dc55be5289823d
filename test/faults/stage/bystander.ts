import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/**
 * Goals in seconds are those of a machine that has nothing else to do. Where others use it too, that is measured by what
 * runs none of our code: a process that starts, and one that asks for a small durable write all the time.
 */

const root = join(import.meta.dirname, '..', '..', '..');

/** Starts Node and loads the libraries that a working process has: pure third party. */
const start = `await Promise.all(['kafkajs', '@azure/event-hubs', '@duckdb/node-api', 'zod'].map((name) => import(name)));`;
/** What that takes on the machine that the goals were set on (2 cores of a Xeon at 2.5 GHz, quiet), in milliseconds. */
const START_MS = 800;
const STARTS = 3;

/** How many times slower this machine is at the moment than the one of the goals; never less than 1. */
export async function slowness(): Promise<number> {
  const times: number[] = [];
  while (times.length < STARTS) {
    const begun = performance.now();
    const [code] = await once(
      spawn(process.execPath, ['--input-type=module', '-e', start], { cwd: root, stdio: 'inherit' }),
      'exit',
    );
    if (code !== 0) throw new Error('the libraries of a working process do not load');
    times.push(performance.now() - begun);
  }
  return Math.max(1, times.sort((a, b) => a - b)[STARTS >> 1]! / START_MS);
}

/** A time without a turn or a durable write, between two moments of `performance.now()`. */
interface Stall {
  readonly from: number;
  readonly to: number;
}

/** The process that asks for next to nothing. */
export class Bystander {
  readonly #process: ChildProcess;
  readonly #stalls: Stall[] = [];

  private constructor(child: ChildProcess) {
    this.#process = child;
    child.on('message', ({ from, to }: Stall) => {
      const { timeOrigin } = performance;
      this.#stalls.push({ from: from - timeOrigin, to: to - timeOrigin });
    });
  }

  static async start(): Promise<Bystander> {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'bystander.process.ts')], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    await once(child, 'message');
    return new Bystander(child);
  }

  /** For how many milliseconds between two moments it got nothing at all from the machine. */
  stalledMs(from: number, to: number): number {
    return this.#stalls.reduce((sum, stall) => sum + Math.max(0, Math.min(to, stall.to) - Math.max(from, stall.from)), 0);
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.disconnect();
    await ended;
  }
}
