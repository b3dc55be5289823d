import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Receipt } from '@aorta/schemas';
import { openLocalLog } from '../../../../connectors/log/local-log.ts';

export interface WorkerSettings {
  readonly brokers: readonly string[];
  readonly topic: string;
  readonly group: string;
  /** The folder of the worker's streams. */
  readonly folder: string;
}

export interface KillableWorker {
  kill(): void;
  /** Suspends the process until {@link thaw} is called. Its connections stay open. */
  freeze(): void;
  thaw(): void;
  readonly ended: Promise<unknown>;
}

/** Starts a worker in a child process, which the test can kill or suspend at any time. */
export function killableWorker(place: WorkerSettings): KillableWorker {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'worker.process.ts'), JSON.stringify(place)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return {
    kill: () => child.kill('SIGKILL'),
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
    ended: once(child, 'exit'),
  };
}

/** The stream partition that contains the records of these tests. */
export const completions = { stream: 'historical_completions', partition: 0 } as const;

/** Returns the receipts of the records that a worker made durable before it ended. */
export async function recordsOf(folder: string): Promise<Receipt[]> {
  const log = await openLocalLog({ folder });
  const receipts: Receipt[] = [];
  let at = 0;
  for (;;) {
    const { records, to } = await log.read(completions, at, { records: 1000, bytes: 2 ** 24 });
    if (records.length === 0) break;
    receipts.push(...records.map(({ receipt }) => receipt));
    at = to;
  }
  await log.close();
  return receipts;
}
