import { ByPartition } from '../by-partition.ts';

/** Checks that the offsets of a delivery file strictly increase within each partition. */
export class Ascent {
  readonly #previous = new ByPartition<{ offset: number }>();

  /** Records an offset. Returns the previous offset of the partition if the new one is not greater, else undefined. */
  take(source: string, partition: string, offset: number): number | undefined {
    const previous = this.#previous.get(source, partition);
    if (previous === undefined) this.#previous.set(source, partition, { offset });
    else if (offset <= previous.offset) return previous.offset;
    else previous.offset = offset;
    return undefined;
  }
}
