import type { Source } from '@aorta/connectors';

/**
 * Wraps an endless source so that it ends after `total` deliveries. `total` may resolve while the source is being read. If
 * `total` rejects, the source fails with that error.
 */
export function endingAt<Position>(source: Source<Position>, total: Promise<number>): Source<Position> {
  return {
    name: source.name,
    commit: (positions) => source.commit(positions),
    ...(source.close === undefined ? {} : { close: () => source.close!() }),
    async *batches(signal) {
      const ended = new AbortController();
      let failure: { readonly reason: unknown } | undefined;
      let wanted = Number.POSITIVE_INFINITY;
      let taken = 0;
      const look = (): void => {
        if (taken >= wanted) ended.abort();
      };
      total.then(
        (known) => {
          wanted = known;
          look();
        },
        (reason: unknown) => {
          failure = { reason };
          ended.abort();
        },
      );
      for await (const batch of source.batches(AbortSignal.any([signal, ended.signal]))) {
        if (batch.before !== true) taken += batch.deliveries.length;
        look();
        yield batch;
      }
      if (failure !== undefined && !signal.aborted) throw failure.reason;
    },
  };
}
