import type { Delivery, DeliveryBatch, Source } from './source.ts';

/** Returns a delivery with defaults for all members that a test does not set. */
export function delivery(
  parts: Partial<Omit<Delivery, 'headers'>> & { headers?: Record<string, string | Buffer> } = {},
): Delivery {
  const { headers = {}, ...rest } = parts;
  return {
    source: 'hub',
    partition: '0',
    offset: 0,
    receivedAt: 1_700_000_000_000_000,
    key: null,
    body: Buffer.from('{}'),
    inline: false,
    ...rest,
    headers: new Map(Object.entries(headers)),
  };
}

/** A source that yields the given batches. The position of a batch is its index. */
export class ListSource implements Source<number> {
  readonly name = 'list';
  readonly committed: number[] = [];
  readonly #batches: readonly (readonly Delivery[])[];
  handedOver = 0;
  /** Called and awaited before each batch. */
  beforeBatch: (ordinal: number, signal: AbortSignal) => Promise<void> = async () => {};

  constructor(batches: readonly (readonly Delivery[])[]) {
    this.#batches = batches;
  }

  async *batches(signal: AbortSignal): AsyncGenerator<DeliveryBatch<number>> {
    for (const [position, deliveries] of this.#batches.entries()) {
      await this.beforeBatch(position, signal);
      this.handedOver += 1;
      yield { deliveries, position };
    }
  }

  async commit(positions: readonly number[]): Promise<void> {
    this.committed.push(...positions);
  }
}

/** Returns the offsets of a partition's deliveries, in the order of emission. */
export function offsetsOf(deliveries: readonly Delivery[], partition: string): number[] {
  return deliveries.filter((delivery) => delivery.partition === partition).map(({ offset }) => offset);
}

export function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}
