import type { StreamLogAt, StreamLogModule } from '@aorta/connectors';
import { errorFields, type Logger, within } from '@aorta/runtime';

/** Group of the processes that append to the topics. They share nothing in it: it makes them known to `aorta status` on other machines. */
export const INGESTION = 'ingestion';

/** A process that ends waits so long for its own joining. */
const LEAVING_MS = 3_000;

/** Joins the group in the background and returns a function that leaves it. Nothing depends on the group, so a refusal is only logged. */
export function joinIngestion(streamLog: Pick<StreamLogModule, 'own'>, at: StreamLogAt, logger: Logger): () => Promise<void> {
  const joining = streamLog.own!(at, { work: INGESTION, shares: [] });
  joining.catch((error: unknown) => logger.warn('other machines do not see this worker in aorta status', errorFields(error)));
  return async () => {
    // Brokers that are away are not waited for: they forget this worker by themselves.
    const joined = await within(LEAVING_MS, joining).catch(() => undefined);
    await joined?.close();
  };
}
