import type { StreamLogAt, StreamLogModule } from '@aorta/connectors';
import { errorFields, type Logger, within } from '@aorta/runtime';

/** Group of the processes that append to the topics. It exists only so that `aorta status` on other machines can list them. */
export const INGESTION = 'ingestion';

/** Maximum time, in milliseconds, that an ending process waits for an unfinished join. */
const LEAVING_MS = 3_000;

/**
 * Joins the group in the background and returns a function that leaves it. A refused join is only logged, because nothing
 * depends on the group.
 */
export function joinIngestion(streamLog: Pick<StreamLogModule, 'own'>, at: StreamLogAt, logger: Logger): () => Promise<void> {
  const joining = streamLog.own!(at, { work: INGESTION, shares: [] });
  joining.catch((error: unknown) => logger.warn('other machines do not see this worker in aorta status', errorFields(error)));
  return async () => {
    // Do not wait longer for unreachable brokers. They remove this member after its session timeout.
    const joined = await within(LEAVING_MS, joining).catch(() => undefined);
    await joined?.close();
  };
}
