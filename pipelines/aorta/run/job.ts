import { consumerPart } from '@aorta/connectors/sources';
import type { DeliveryIntake } from '@aorta/enrichment';
import { AortaError, errorFields, firstError, isAortaError, type Logger, type Progress } from '@aorta/runtime';

/** An enrichment job. */
export interface JobOfRun {
  /** Name of the job in receipts and logs. */
  readonly name: string;
  /** Runs the job until the signal is aborted. In a run with `--once`, returns as soon as no work is due. */
  work(surroundings: JobSurroundings): Promise<void>;
  /** Whether the job processes records that other jobs append. In a run with `--once`, it starts after the other jobs. */
  readonly behindOthers?: boolean;
}

interface JobSurroundings {
  readonly signal: AbortSignal;
  /** Opens the intake for the job's deliveries. */
  readonly openIntake: () => DeliveryIntake;
}

/**
 * Runs a job. Returns the error that stopped the job, if any. Deliveries before the error are durable. Rejects if the
 * job's deliveries cannot be appended to the streams.
 */
export async function runJob(
  job: JobOfRun,
  { signal, openIntake }: Parameters<JobOfRun['work']>[0],
  { logger, progress }: { readonly logger: Logger; readonly progress: Progress },
): Promise<AortaError | undefined> {
  const { name } = job;
  /** An error of the streams or the loader, as opposed to a failure of the job. */
  let refused: { readonly error: unknown } | undefined;
  const noting = async <T>(step: Promise<T>): Promise<T> => {
    try {
      return await step;
    } catch (error) {
      refused ??= { error };
      throw error;
    }
  };
  const intake = () => {
    const opened = openIntake();
    return {
      take: (deliveries: Parameters<typeof opened.take>[0]) => noting(opened.take(deliveries)),
      settle: () => noting(opened.settle()),
      close: () => noting(opened.close()),
    };
  };
  try {
    const working = job.work({ signal, openIntake: intake });
    await progress.during(consumerPart(name), 'nothing new from the source', working, { deadlineMs: Number.POSITIVE_INFINITY });
    return undefined;
  } catch (thrown) {
    if (refused !== undefined) throw refused.error;
    const error = firstError(thrown);
    const failure = isAortaError(error) ? error : unexpected(name, error);
    logger.error('source failed', { source: name, ...errorFields(failure) });
    return failure;
  }
}

/** Converts an exception without a code into AORTA-BUG. Drops the exception's message, because it may quote a value. */
function unexpected(source: string, error: unknown): AortaError {
  return new AortaError('AORTA-BUG', { place: `source ${source}`, problem: error instanceof Error ? error.name : typeof error });
}
