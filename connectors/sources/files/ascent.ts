import { ByPartition } from '../by-partition.ts';

/** The offsets of a delivery file: they ascend strictly within a partition. */
export class Ascent {
  readonly #previous = new ByPartition<{ offset: number }>();

  /** Takes an offset; or gives the one before it, where it does not ascend. */
  take(source: string, partition: string, offset: number): number | undefined {
    const previous = this.#previous.get(source, partition);
    if (previous === undefined) this.#previous.set(source, partition, { offset });
    else if (offset <= previous.offset) return previous.offset;
    else previous.offset = offset;
    return undefined;
  }
}
