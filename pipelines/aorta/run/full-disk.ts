import type { StandIn } from '@aorta/connectors';
import type { Tally } from '@aorta/ingestion';
import {
  type AortaError,
  errorFields,
  firstError,
  fullDiskAt,
  fullDiskIn,
  isAortaError,
  type Logger,
  type Progress,
  pause,
} from '@aorta/runtime';
import { addTallies, noTally } from '../report/load-report.ts';
import { keepWorkerReport } from '../report/worker-report.ts';
import type { PipelineOptions, PipelineOutcome } from './pipeline.ts';

/** Opens the pipeline, runs it until it is stopped or fails, and closes it. */
export type Opening = (hooks: Pick<PipelineOptions, 'onProgress' | 'onFailure'>) => Promise<PipelineOutcome>;

export interface FullDiskOptions {
  readonly open: Opening;
  /** Opens the stand-ins for the sources. `signal` aborts when the sources may be opened again. */
  readonly standIn: (error: AortaError, signal: AbortSignal) => Promise<StandIn>;
  /** Facts for the worker report while the pipeline is closed. */
  readonly worker: Omit<Parameters<typeof keepWorkerReport>[0], 'progress' | 'logger' | 'upcoming'>;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  readonly progress: Progress;
  readonly onProgress?: (tally: Tally) => void;
  /** Milliseconds between two checks of the disk. Default: 1 s. Only tests set this. */
  readonly checkMs?: number;
}

const REMEDY = 'Free space. The run then continues by itself.';
/** The errors of files that another command has opened. */
const LOCKED: ReadonlySet<string> = new Set(['AORTA-DATA-LOCKED', 'AORTA-DATA-LOCKED-ELSEWHERE', 'AORTA-WAREHOUSE-LOCKED']);
const CHECK_MS = 1_000;
/** If the pipeline ran for this many milliseconds, it had enough space. */
const STEADY_MS = 60_000;
/** Maximum number of checks to wait before reopening a run that keeps failing. */
const MOST_CHECKS = 10;

/** A full disk that closed the pipeline, and the wait that reports it. */
interface Full {
  readonly error: AortaError;
  readonly hasSpace: AbortController;
  readonly endWait: () => void;
}

/**
 * Runs a pipeline until it is stopped. If a disk is full, closes the pipeline, waits until there is space, and opens it again.
 * Rejects with any other error that ends the run.
 */
export async function runThroughFullDisks(options: FullDiskOptions): Promise<PipelineOutcome> {
  const { open, signal, onProgress } = options;
  await using standIns = new StandIns();
  let earlier = noTally;
  let checks = 1;
  let full: Full | undefined;
  for (;;) {
    let tally = noTally;
    let found: Promise<Full | undefined> | undefined;
    const openedAt = performance.now();
    const isReopened = full !== undefined;
    const running = open({
      onProgress: (now) => {
        tally = now;
        onProgress?.(addTallies([earlier, now]));
      },
      // A run that was asked to stop before it failed does not wait.
      onFailure: async (error) => {
        if (!signal.aborted) found ??= fullDisk(error, isReopened, options, standIns);
        await found;
      },
    });
    // The reopened pipeline reports that it is starting.
    full?.endWait();
    try {
      const outcome = await running;
      return { ...outcome, tally: addTallies([earlier, outcome.tally]) };
    } catch (error) {
      full = await found;
      if (full === undefined) throw error;
    }
    earlier = addTallies([earlier, tally]);
    checks = performance.now() - openedAt < STEADY_MS ? checks : 1;
    await untilSpace(full, checks, options);
    checks = Math.min(2 * checks, MOST_CHECKS);
    if (!signal.aborted) continue;
    full.endWait();
    return { ended: 'stopped', tally: earlier, tables: undefined, losses: [] };
  }
}

/** If a disk is full, begins to report it, and opens the stand-ins. */
async function fullDisk(
  thrown: unknown,
  isReopened: boolean,
  options: FullDiskOptions,
  standIns: StandIns,
): Promise<Full | undefined> {
  const { logger, progress } = options;
  const error = fullDiskIn(thrown) ?? (isReopened ? lockIn(thrown) : undefined);
  if (error === undefined) return undefined;
  const isFull = fullDiskIn(error) !== undefined;
  const endWait = progress.wait('run', `waiting for ${isFull ? 'space' : 'the lock'}: ${error.message}`, { deadlineMs: 0 });
  if (isFull) logger.error('waiting for space on a disk', { ...errorFields(error), remedy: REMEDY });
  else logger.warn('waiting for another command', errorFields(error));
  const hasSpace = new AbortController();
  await standIns.replace(await options.standIn(error, hasSpace.signal));
  return { error, hasSpace, endWait };
}

/**
 * While the pipeline was closed, another command may have locked its files. That command ends soon, so the run waits for it.
 */
function lockIn(thrown: unknown): AortaError | undefined {
  const error = firstError(thrown);
  return isAortaError(error) && LOCKED.has(error.code) ? error : undefined;
}

/** Waits until there is space on the disk, or the run is stopped. */
async function untilSpace({ error, hasSpace }: Full, checks: number, options: FullDiskOptions): Promise<void> {
  const { worker, signal, logger, progress, checkMs = CHECK_MS } = options;
  const report = await keepWorkerReport({ ...worker, progress, logger, upcoming: () => undefined });
  await pause(checks * checkMs, signal);
  while (!signal.aborted && (await fullDiskAt(String(error.details.path ?? error.details.folder))) !== undefined)
    await pause(checkMs, signal);
  await report.close();
  hasSpace.abort();
  if (!signal.aborted) logger.info('the run continues');
}

/** The stand-ins of the last opening that failed. A reopened source replaces its stand-in. */
class StandIns implements AsyncDisposable {
  #current: StandIn | undefined;

  async replace(standIn: StandIn): Promise<void> {
    const before = this.#current;
    this.#current = standIn;
    await before?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#current?.close();
  }
}
