import { isTakenOver } from '@aorta/connectors';
import { errorFields, type Logger, pause, silentLogger, whenAborted } from '@aorta/runtime';
import type { JobAssignment, JobAssignments } from './job-assignments.ts';
import { runWorkers, runWorkersOnce, type Team } from './worker.ts';

/**
 * Milliseconds after a refused write of the state until this process may run the job again. After twice the session timeout,
 * the brokers have confirmed that the job is still assigned to this process.
 */
const CONFIRMED_MS = 60_000;

export interface JobOptions {
  /** Name of the job. Jobs are assigned by name. */
  readonly name: string;
  /** Opens the workers of the job for one run. */
  readonly open: () => Promise<OpenJob>;
  /** Assigns jobs to processes; undefined if there is only one process. */
  readonly assignments: JobAssignments | undefined;
  /** Whether to end when no work is due. If so, a job that is assigned to another process is skipped. */
  readonly once: boolean;
  readonly logger?: Logger;
  readonly now?: () => number;
}

export interface OpenJob extends Team {
  /** Closes the resources of the job, after its workers are closed. */
  close(): Promise<void>;
}

/**
 * Runs a job whenever it is assigned to this process. If another process has taken over the state of the job, stops the job and
 * waits for the next assignment. Rejects if a worker fails or the process leaves the consumer group.
 */
export async function doJob(job: JobOptions, signal: AbortSignal): Promise<void> {
  const { name, assignments, once, logger = silentLogger } = job;
  if (assignments === undefined) return live(job, signal, undefined);
  do {
    using assignment = once ? await assignments.now(name) : await assignments.next(name, signal);
    if (assignment === undefined) return;
    try {
      await live(job, signal, assignment);
    } catch (error) {
      if (!isTakenOver(error)) throw error;
      logger.warn('job stopped', { job: name, ...errorFields(error) });
      // The brokers may still count this process as the owner, until they notice that its session has ended.
      if (!once) await Promise.race([whenAborted(assignment.lost), pause(CONFIRMED_MS, signal)]);
    }
  } while (!once && !signal.aborted);
}

async function live({ open, once, now }: JobOptions, signal: AbortSignal, assignment: JobAssignment | undefined): Promise<void> {
  if (signal.aborted) return;
  const job = await open();
  const until = assignment === undefined ? signal : AbortSignal.any([signal, assignment.leave]);
  const options = { signal: until, lost: assignment?.lost, now };
  try {
    await (once ? runWorkersOnce(job, options) : runWorkers(job, options));
  } catch (error) {
    // Ignores a further error while closing, because the first error is more informative.
    await end(job, isTakenOver(error) || assignment?.lost.aborted === true).catch(() => {});
    throw error;
  }
  const refused = await end(job, assignment?.lost.aborted === true);
  if (refused !== undefined) throw refused;
}

/** Returns the error if a worker could not save its state because another process has taken over the job. */
async function end(job: OpenJob, lost: boolean): Promise<unknown> {
  let refused: unknown;
  for (const worker of job.workers.toReversed())
    await worker.close(lost).catch((error: unknown) => {
      if (isTakenOver(error)) refused = error;
    });
  await job.close();
  return refused;
}
