import type { StreamLogAt, StreamLogModule } from '@aorta/connectors';
import { errorFields, type Logger, within } from '@aorta/runtime';

/** Group of the processes that append to the topics. It only makes them visible to `aorta status` on other machines. */
export const INGESTION = 'ingestion';

/** Milliseconds that an ending process waits for a join under way. */
const LEAVING_MS = 3_000;

/** Joins the group in the background and returns a function that leaves it. Nothing depends on the group, so a refusal is only logged. */
export function joinIngestion(streamLog: Pick<StreamLogModule, 'own'>, at: StreamLogAt, logger: Logger): () => Promise<void> {
  const joining = streamLog.own!(at, { work: INGESTION, shares: [] });
  joining.catch((error: unknown) => logger.warn('other machines do not see this worker in aorta status', errorFields(error)));
  return async () => {
    // Do not wait for unreachable brokers: they drop this member by themselves.
    const joined = await within(LEAVING_MS, joining).catch(() => undefined);
    await joined?.close();
  };
}
