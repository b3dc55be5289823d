import { runWorkers, runWorkersOnce, type Team } from './running.ts';
import type { Turn, Turns } from './turns.ts';

export interface JobOptions {
  /** Name of the job, and of its share of the work. */
  readonly name: string;
  /** Opens its workers, for one life. */
  readonly open: () => Promise<OpenJob>;
  /** Where several processes could do it; undefined where this one is alone. */
  readonly turns: Turns | undefined;
  /** Ends when nothing is due. What another process does is left to it. */
  readonly once: boolean;
  readonly now?: () => number;
}

export interface OpenJob extends Team {
  /** Gives up what the job itself holds: what its workers hold they give up before. */
  close(): Promise<void>;
}

/**
 * Does a job for as long as it is this process's to do, in one life after the other: one ends when another process is
 * given the job. Rejects when a worker fails, and when taking part in the turns has ended.
 */
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
    // What fails in closing after that is its consequence, and says less.
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
