import type { DeliveryBatch, Source } from '@aorta/connectors';

interface Watching<Position> {
  readonly onBatch: (batch: DeliveryBatch<Position>) => void;
  readonly onCommit?: (positions: readonly Position[]) => void;
}

/** Wraps a source, and reports its batches and commits. */
export function watching<Position>(source: Source<Position>, { onBatch, onCommit }: Watching<Position>): Source<Position> {
  return {
    name: source.name,
    close: async () => source.close?.(),
    commit: async (positions) => {
      await source.commit(positions);
      onCommit?.(positions);
    },
    async *batches(signal) {
      for await (const batch of source.batches(signal)) {
        onBatch(batch);
        yield batch;
      }
    },
  };
}

/** A source that is watched until all its deliveries are committed. */
export interface Watched<Position> {
  readonly source: Source<Position>;
  /** Resolves with the first batch that has deliveries. */
  readonly begun: Promise<void>;
  /** Resolves when the expected deliveries are durable and their positions committed. */
  readonly committed: Promise<void>;
}

export function watched<Position>(source: Source<Position>, deliveries: number): Watched<Position> {
  const begun = Promise.withResolvers<void>();
  const committed = Promise.withResolvers<void>();
  const counts = new Map<Position, number>();
  let count = 0;
  return {
    begun: begun.promise,
    committed: committed.promise,
    source: watching(source, {
      onBatch: ({ deliveries: some, position }) => {
        if (some.length > 0) begun.resolve();
        counts.set(position, some.length);
      },
      onCommit: (positions) => {
        for (const position of positions) count += counts.get(position)!;
        if (count === deliveries) committed.resolve();
      },
    }),
  };
}
