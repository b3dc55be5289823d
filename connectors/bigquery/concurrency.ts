import PQueue from 'p-queue';

const AT_ONCE = 8;

/**
 * Maps values concurrently, with at most `atOnce` calls at a time. Keeps the order of results. After a failure, no further call
 * starts, so an outage does not cause a failing call for each value.
 */
export function forMany<T, R>(all: readonly T[], work: (one: T) => Promise<R>, atOnce = AT_ONCE): Promise<R[]> {
  const queue = new PQueue({ concurrency: atOnce });
  queue.on('error', () => queue.clear());
  return queue.addAll(all.map((one) => () => work(one)));
}
