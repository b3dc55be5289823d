import type { TopicPartition } from '../client.ts';
import type { OffsetManager } from './internals.ts';
import type { Partition } from './partition.ts';
import { nameOf } from './positions.ts';

/** One generation of the group, as a member is in it: what it was assigned, until that is lost. */
export class Generation {
  /** Commits of this generation go by it; undefined before the group was first joined. */
  readonly offsets: OffsetManager | undefined;
  readonly #over = new AbortController();
  #partitions = new Map<string, Partition>();
  #released: Promise<void> | undefined;

  constructor(offsets?: OffsetManager) {
    this.offsets = offsets;
  }

  /** Tells those who wait within the generation that it is over. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Partitions are being given back, or were: nothing is handed over. */
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

  /** Assigned partitions whose first position is known. */
  assigned(): readonly Partition[] {
    return [...this.#partitions.values()].filter(({ position }) => position !== undefined);
  }

  /** Gives the partitions back by `giveBack`: once, whoever asks for it. */
  release(giveBack: () => Promise<void>): Promise<void> {
    this.#released ??= giveBack();
    return this.#released;
  }

  end(): void {
    this.#over.abort();
  }

  /** Ends it; its partitions are somebody else's from now on. */
  lose(): void {
    this.end();
    for (const partition of this.#partitions.values()) partition.lose();
    this.#partitions = new Map();
  }
}
