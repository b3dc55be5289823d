import { runWorkers, runWorkersOnce, type Team } from './running.ts';
import type { Turn, Turns } from './turns.ts';

export interface JobOptions {
  /** Name of the job. Jobs are assigned by name. */
  readonly name: string;
  /** Opens the workers of the job for one run. */
  readonly open: () => Promise<OpenJob>;
  /** Assigns jobs to processes; undefined if there is only one process. */
  readonly turns: Turns | undefined;
  /** Whether to end when no work is due. If so, a job that is assigned to another process is skipped. */
  readonly once: boolean;
  readonly now?: () => number;
}

export interface OpenJob extends Team {
  /** Closes the resources of the job, after its workers are closed. */
  close(): Promise<void>;
}

/** Runs a job whenever it is assigned to this process. Rejects if a worker fails or the process leaves the consumer group. */
export async function doJob(job: JobOptions, signal: AbortSignal): Promise<void> {
  const { name, turns, once } = job;
  if (turns === undefined) return live(job, signal, undefined);
  do {
    using turn = once ? await turns.now(name) : await turns.next(name, signal);
    if (turn === undefined) return;
    await live(job, signal, turn);
  } while (!once && !signal.aborted);
}

async function live({ open, once, now }: JobOptions, signal: AbortSignal, turn: Turn | undefined): Promise<void> {
  if (signal.aborted) return;
  const job = await open();
  const until = turn === undefined ? signal : AbortSignal.any([signal, turn.leave]);
  const options = { signal: until, lost: turn?.lost, ...(now === undefined ? {} : { now }) };
  try {
    await (once ? runWorkersOnce(job, options) : runWorkers(job, options));
  } catch (error) {
    // Ignores a further error while closing, because the first error is more informative.
    await end(job, turn).catch(() => {});
    throw error;
  }
  await end(job, turn);
}

async function end(job: OpenJob, turn: Turn | undefined): Promise<void> {
  const lost = turn?.lost.aborted === true;
  for (const worker of job.workers.toReversed()) await worker.close(lost).catch(() => {});
  await job.close();
}
