import type { Delivery, Source } from '../source.ts';

export interface Collected {
  readonly deliveries: Delivery[];
  /** Offsets of deliveries that only fill the redelivery window, by partition. */
  readonly before: Map<string, number[]>;
  error: unknown;
  /** Stops the source as ingestion does: aborts reading, waits until it ends, then closes the source. */
  stop(): Promise<void>;
  /** Resolves when the source has ended on its own. */
  readonly ended: Promise<void>;
}

/** Reads a source until stopped, and commits each batch at once unless `commit` is false. */
export function collect<Position>(source: Source<Position>, { commit = true } = {}): Collected {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    try {
      for await (const { deliveries, position, before } of source.batches(stopping.signal)) {
        if (before === true) {
          for (const { partition, offset } of deliveries) {
            collected.before.set(partition, [...(collected.before.get(partition) ?? []), offset]);
          }
        } else collected.deliveries.push(...deliveries);
        if (commit) await source.commit([position]);
      }
    } catch (error) {
      collected.error = error;
    }
  };
  const collected: Collected = {
    deliveries: [],
    before: new Map(),
    error: undefined,
    stop: async () => {
      stopping.abort();
      await collected.ended;
      await source.close?.();
    },
    ended: Promise.resolve().then(() => running),
  };
  const running = run();
  return collected;
}
