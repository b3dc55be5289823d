/** A producer's id. Brokers recognize a repeated batch by this id and its first sequence number. */
export interface ProducerIdentity {
  readonly producerId: string;
  readonly producerEpoch: number;
}

/** The producer of a batch, and the sequence number of its first record. */
export interface BatchSequence {
  readonly identity: ProducerIdentity;
  readonly first: number;
}

/** Sequence numbers have 31 bits and wrap to 0. */
const NUMBERS = 2 ** 31;

export function sequenceAfter(first: number, records: number): number {
  return (first + records) % NUMBERS;
}

/**
 * The sequence numbers of one partition. All attempts to write a batch use the same number, and the next batch gets its number
 * only after the previous batch is written. A broker therefore recognizes every attempt, and no number is used for two batches.
 */
export class Sequences {
  #identity: ProducerIdentity | undefined;
  #next = 0;

  /** Returns the sequence number of the next batch, or undefined if there is no identity. */
  next(): BatchSequence | undefined {
    return this.#identity === undefined ? undefined : { identity: this.#identity, first: this.#next };
  }

  /** Restarts the sequence numbers at 0 with a new identity. */
  begin(identity: ProducerIdentity): BatchSequence {
    this.#identity = identity;
    this.#next = 0;
    return { identity, first: 0 };
  }

  /** Advances the sequence number after a batch with this many records was written. */
  written(records: number): void {
    this.#next = sequenceAfter(this.#next, records);
  }

  /** Drops the identity, because the brokers' state is unknown or lost. The next batch needs a new identity. */
  forget(): void {
    this.#identity = undefined;
  }
}
