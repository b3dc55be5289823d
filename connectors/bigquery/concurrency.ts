import PQueue from 'p-queue';

const AT_ONCE = 8;

/** Maps values concurrently, with at most `atOnce` calls at a time. Keeps the order of results. */
export function forMany<T, R>(all: readonly T[], work: (one: T) => Promise<R>, atOnce = AT_ONCE): Promise<R[]> {
  return new PQueue({ concurrency: atOnce }).addAll(all.map((one) => () => work(one)));
}
