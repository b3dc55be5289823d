import { type ProgressReports, within } from '@aorta/runtime';
import type { KafkaAdmin } from '../../kafka-client/index.ts';

const ASK_EVERY_MS = 3_000;
/** Milliseconds that an answer may take before the brokers count as silent. */
const ANSWER_MS = 5_000;

/**
 * Asks the brokers of the streams all the time, so that readiness knows when none answers: whoever only waits for records
 * or for acknowledgements hears nothing either way. Gives what ends it.
 */
export function watchBrokers(admin: Pick<KafkaAdmin, 'topics'>, progress: ProgressReports, part: string): () => void {
  let answered: (() => void) | undefined;
  let asking = false;
  let ended = false;
  const ask = async (): Promise<void> => {
    asking = true;
    try {
      await within(ANSWER_MS, admin.topics());
      answered?.();
      answered = undefined;
    } catch {
      if (!ended) answered ??= progress.wait(part, 'the brokers of the streams do not answer');
    } finally {
      asking = false;
    }
  };
  const timer = setInterval(() => {
    if (!asking) void ask();
  }, ASK_EVERY_MS);
  return () => {
    ended = true;
    clearInterval(timer);
    answered?.();
  };
}
