import type { LocalLog } from '@aorta/connectors/log';
import { Emitter, type OpenJob, openHistoricalPulls, PULLS_GROUP, runWorkers, runWorkersOnce } from '@aorta/enrichment';

type Options = Omit<Parameters<typeof openHistoricalPulls>[0], 'openLog' | 'openEmitter' | 'once'>;

/** A tracker of historical pulls that runs in this process. */
export interface RunningTracker {
  /** Reads the streams, asks the service for the users that are due, and sends notices. Can be called again. */
  once(signal?: AbortSignal): Promise<void>;
  run(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Runs the tracker on a log, which the caller must close. */
export function trackerOn(log: LocalLog, options: Options): RunningTracker {
  const now = options.clock ?? Date.now;
  let job: OpenJob | undefined;
  const open = async (once: boolean): Promise<OpenJob> => {
    await close();
    job = await openHistoricalPulls({
      ...options,
      once,
      openLog: async () => ({
        log,
        commit: (of, position) => log.commit(PULLS_GROUP, of, position),
        close: async () => {},
      }),
      openEmitter: (source) =>
        new Emitter({
          source,
          log,
          openIntake: () => {
            throw new Error('the tracker emits no events');
          },
        }),
    });
    return job;
  };
  const close = async (): Promise<void> => {
    for (const worker of job?.workers ?? []) await worker.close(false);
    await job?.close();
    job = undefined;
  };
  return {
    once: async (signal = new AbortController().signal) => runWorkersOnce(job ?? (await open(true)), { signal, now }),
    run: async (signal) => runWorkers(await open(false), { signal, now }),
    close,
  };
}
