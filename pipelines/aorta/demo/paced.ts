import type { Source } from '@aorta/connectors';
import { pause } from '@aorta/runtime';

/**
 * Wraps a source so that at least `everyMs` milliseconds pass between two batches, until `end` settles. Batches are then larger,
 * and each of them costs a few durable writes.
 */
export function paced<Position>(source: Source<Position>, everyMs: number, end: Promise<unknown>): Source<Position> {
  const ended = new AbortController();
  const stop = (): void => ended.abort();
  end.then(stop, stop);
  return {
    name: source.name,
    commit: (positions) => source.commit(positions),
    ...(source.close === undefined ? {} : { close: () => source.close!() }),
    async *batches(signal) {
      const waiting = AbortSignal.any([signal, ended.signal]);
      for await (const batch of source.batches(signal)) {
        const begun = performance.now();
        yield batch;
        await pause(Math.max(0, begun + everyMs - performance.now()), waiting);
      }
    },
  };
}
