import { type StreamPartition, shortPartitionName } from '../stream-log.ts';

export interface ReadPosition {
  readonly incarnation: string;
  readonly position: number;
}

/** Read positions by partition name, for readers that store them outside the log. */
export class ReadPositions {
  readonly #all: Map<string, ReadPosition>;
  readonly #nameOf: (of: StreamPartition) => string;

  constructor(kept: Readonly<Record<string, ReadPosition>>, nameOf: (of: StreamPartition) => string = shortPartitionName) {
    this.#all = new Map(Object.entries(kept));
    this.#nameOf = nameOf;
  }

  get(of: StreamPartition): ReadPosition | undefined {
    return this.#all.get(this.#nameOf(of));
  }

  set(of: StreamPartition, position: ReadPosition): void {
    this.#all.set(this.#nameOf(of), position);
  }

  /** Forgets all positions, so every partition is read from its start. */
  clear(): void {
    this.#all.clear();
  }

  all(): Readonly<Record<string, ReadPosition>> {
    return Object.fromEntries(this.#all);
  }
}
