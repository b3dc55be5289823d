import { consumerPart } from '@aorta/connectors/sources';
import type { DeliveryIntake } from '@aorta/enrichment';
import { AortaError, errorFields, firstError, isAortaError, type Logger, type Progress } from '@aorta/runtime';

/** A worker of enrichment. */
export interface WorkerOfRun {
  /** Name in receipts and logs. */
  readonly name: string;
  /** Works until the signal aborts; in a run that ends, until nothing is due. */
  work(surroundings: WorkerSurroundings): Promise<void>;
  /** Hears what the others have brought: in a run that ends, it begins when they have. */
  readonly behindOthers?: true;
}

interface WorkerSurroundings {
  readonly signal: AbortSignal;
  /** Opens what takes in the deliveries of the worker. */
  readonly openIntake: () => DeliveryIntake;
}

/**
 * Lets a worker work, and gives what ended it before its time: everything that it took in until then is durable. Rejects
 * if its deliveries cannot be taken in.
 */
export async function worked(
  worker: WorkerOfRun,
  { signal, openIntake }: Parameters<WorkerOfRun['work']>[0],
  { logger, progress }: { readonly logger: Logger; readonly progress: Progress },
): Promise<AortaError | undefined> {
  const { name } = worker;
  /** The streams cannot be written, or the loader has failed: neither is of this worker. */
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
    const working = worker.work({ signal, openIntake: intake });
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

/** An exception that is not out of the catalogue: only its kind is told, since its message may quote a value. */
function unexpected(source: string, error: unknown): AortaError {
  return new AortaError('AORTA-BUG', { place: `source ${source}`, problem: error instanceof Error ? error.name : typeof error });
}
