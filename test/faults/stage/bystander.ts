import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { inTime } from '../../../infra/machine/waiting.fixture.ts';

/**
 * The time limits assume that no other program uses the machine. Two measurements show how much other programs slow it down: how
 * long a process takes to start, and how long a process takes for small durable writes. These processes do not run our code.
 */

const root = join(import.meta.dirname, '..', '..', '..');

/** Starts Node and loads the third-party libraries of a worker process. */
const start = `await Promise.all(['kafkajs', '@azure/event-hubs', '@duckdb/node-api', 'zod'].map((name) => import(name)));`;
/** Duration of `start`, in milliseconds, on the reference machine: 2 idle cores of a Xeon at 2.5 GHz. */
const START_MS = 800;
const STARTS = 3;

/** Returns how many times slower this machine is now than the reference machine, but at least 1. */
export async function slowness(): Promise<number> {
  const times: number[] = [];
  while (times.length < STARTS) {
    const begun = performance.now();
    const [code] = await once(
      spawn(process.execPath, ['--input-type=module', '-e', start], { cwd: root, stdio: 'inherit' }),
      'exit',
    );
    if (code !== 0) throw new Error('the libraries of a worker process do not load');
    times.push(performance.now() - begun);
  }
  return Math.max(1, times.sort((a, b) => a - b)[STARTS >> 1]! / START_MS);
}

/** A period without progress. Its start and end are timestamps from `performance.now()`. */
interface Stall {
  readonly from: number;
  readonly to: number;
}

/** A process that uses almost no resources, so that its stalls show how busy the machine is. */
export class Bystander {
  readonly #process: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #stalls: Stall[] = [];

  private constructor(child: ChildProcess) {
    this.#process = child;
    this.#ended = once(child, 'exit');
    child.on('message', ({ from, to }: Stall) => {
      const { timeOrigin } = performance;
      this.#stalls.push({ from: from - timeOrigin, to: to - timeOrigin });
    });
  }

  static async start(): Promise<Bystander> {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'bystander.process.ts')], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    await inTime('the bystander process to start', once(child, 'message'));
    return new Bystander(child);
  }

  /** Returns for how many milliseconds between `from` and `to` the process made no progress. */
  stalledMs(from: number, to: number): number {
    return this.#stalls.reduce((sum, stall) => sum + Math.max(0, Math.min(to, stall.to) - Math.max(from, stall.from)), 0);
  }

  async stop(): Promise<void> {
    if (this.#process.connected) this.#process.disconnect();
    await inTime('the bystander process to end', this.#ended);
  }
}
