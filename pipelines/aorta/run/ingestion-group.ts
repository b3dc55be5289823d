import type { StreamLogAt, StreamLogModule } from '@aorta/connectors';
import { errorFields, type Logger, within } from '@aorta/runtime';

/**
 * Consumer group of the processes that append to the topics. The group exists only so that `aorta status` on other
 * machines can list these processes.
 */
export const INGESTION = 'ingestion';

/** Maximum time, in milliseconds, that a stopping process waits for an unfinished join. */
const LEAVING_MS = 3_000;

/**
 * Joins the group in the background and returns a function that leaves it. If joining fails, the error is only logged,
 * because nothing depends on the group.
 */
export function joinIngestion(streamLog: Pick<StreamLogModule, 'own'>, at: StreamLogAt, logger: Logger): () => Promise<void> {
  const joining = streamLog.own!(at, { work: INGESTION, shares: [] });
  joining.catch((error: unknown) => logger.warn('other machines do not see this worker in aorta status', errorFields(error)));
  return async () => {
    // If the brokers do not answer in time, stop waiting. They remove this member after its session timeout.
    const joined = await within(LEAVING_MS, joining).catch(() => undefined);
    await joined?.close();
  };
}
