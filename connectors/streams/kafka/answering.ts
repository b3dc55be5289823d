import { type ProgressReports, within } from '@aorta/runtime';
import type { KafkaAdmin } from '../../kafka-client/index.ts';

const ASK_EVERY_MS = 3_000;
const ANSWER_MS = 5_000;

/**
 * Polls the brokers that hold the streams, so that readiness fails if none of them answers. Without polling, a process that only
 * waits for records or acknowledgements would not notice that the brokers are unreachable. A request that takes
 * longer than {@link ANSWER_MS} counts as unanswered. Returns a function that stops the polling.
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
