import type { Landed, LandedPartition } from '../../../warehouse.ts';

const AGAIN = '+again';

/**
 * The streams that an upgrade lands again from their beginning. What is landed of them since then has another
 * incarnation in the dataset, so that positions and landing tables from before do not count as progress. Nothing is
 * reset, so a crash or another worker cannot undo it.
 */
export class LandedAgain {
  readonly #streams: Set<string>;

  constructor(streams: Iterable<string> = []) {
    this.#streams = new Set(streams);
  }

  add(streams: Iterable<string>): void {
    for (const stream of streams) this.#streams.add(stream);
  }

  has(stream: string): boolean {
    return this.#streams.has(stream);
  }

  get streams(): readonly string[] {
    return [...this.#streams];
  }

  /** The incarnation of a stream, as it is written in the dataset. */
  written(stream: string, incarnation: string): string {
    return this.has(stream) ? `${incarnation}${AGAIN}` : incarnation;
  }

  /** The position of a partition, with the incarnation as the stream log knows it. */
  read({ stream }: Pick<LandedPartition, 'stream'>, landed: Landed): Landed {
    return this.has(stream) ? { ...landed, incarnation: landed.incarnation.slice(0, -AGAIN.length) } : landed;
  }

  /** Whether what is written of a stream under this incarnation says how far it is landed. */
  counts(stream: string, written: string): boolean {
    return !this.has(stream) || written.endsWith(AGAIN);
  }
}
