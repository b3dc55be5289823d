import type { Landed, LandedPartition } from '../../../warehouse.ts';

const AGAIN = '+again';

/**
 * The streams that an upgrade lands again from their beginning. Their new batches have a different incarnation in the dataset,
 * so that older positions and landing tables do not count. Because no state is reset, neither a crash nor another worker can
 * undo the upgrade.
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

  /** Returns the incarnation of a stream as stored in the dataset. */
  written(stream: string, incarnation: string): string {
    return this.has(stream) ? `${incarnation}${AGAIN}` : incarnation;
  }

  /** Returns the position of a partition with the incarnation that the stream log uses. */
  read({ stream }: Pick<LandedPartition, 'stream'>, landed: Landed): Landed {
    return this.has(stream) ? { ...landed, incarnation: landed.incarnation.slice(0, -AGAIN.length) } : landed;
  }

  /** Whether positions stored under this incarnation count as progress of the stream. */
  counts(stream: string, written: string): boolean {
    return !this.has(stream) || written.endsWith(AGAIN);
  }
}
