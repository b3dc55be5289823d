import type { TopicPartition } from '../client.ts';
import type { OffsetManager } from './internals.ts';
import type { Partition } from './partition.ts';
import { nameOf } from './positions.ts';

/** The partitions that are assigned to a member in one generation of its group. */
export class Generation {
  /** Offset manager for commits in this generation; undefined before the first join. */
  readonly offsets: OffsetManager | undefined;
  readonly #over = new AbortController();
  #partitions = new Map<string, Partition>();
  #released: Promise<void> | undefined;

  constructor(offsets?: OffsetManager) {
    this.offsets = offsets;
  }

  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Whether the release of the partitions has started. No batch is delivered from then on. */
  get isReleased(): boolean {
    return this.#released !== undefined;
  }

  get isEmpty(): boolean {
    return this.#partitions.size === 0;
  }

  give(partitions: readonly Partition[]): void {
    this.#partitions = new Map(partitions.map((partition) => [nameOf(partition), partition]));
  }

  find(at: TopicPartition): Partition | undefined {
    return this.#partitions.get(nameOf(at));
  }

  assigned(): readonly Partition[] {
    return [...this.#partitions.values()].filter(({ position }) => position !== undefined);
  }

  /** Runs `giveBack` only once, even if `release` is called several times. */
  release(giveBack: () => Promise<void>): Promise<void> {
    this.#released ??= giveBack();
    return this.#released;
  }

  end(): void {
    this.#over.abort();
  }

  /** Ends the generation and marks its partitions as lost. */
  lose(): void {
    this.end();
    for (const partition of this.#partitions.values()) partition.lose();
    this.#partitions = new Map();
  }
}
