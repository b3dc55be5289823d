/** As whom records are written: the brokers recognise a batch by this and by its first sequence number. */
export interface ProducerIdentity {
  readonly producerId: string;
  readonly producerEpoch: number;
}

/** The sequence number of a batch's first record, and as whom it is written. */
export interface BatchSequence {
  readonly identity: ProducerIdentity;
  readonly first: number;
}

/** Sequence numbers are 32-bit and not negative; 0 comes after the highest. */
const NUMBERS = 2 ** 31;

/** The number after a batch. */
export function sequenceAfter(first: number, records: number): number {
  return (first + records) % NUMBERS;
}

/**
 * Sequence numbers of one partition. A batch has one number for all of its tries, and the next batch is numbered when
 * that one is known to be written: so a broker recognises each try of a batch, and no number is used twice.
 */
export class Sequences {
  #identity: ProducerIdentity | undefined;
  #next = 0;

  /** The number of the next batch; undefined while nobody is known as whom it is written. */
  next(): BatchSequence | undefined {
    return this.#identity === undefined ? undefined : { identity: this.#identity, first: this.#next };
  }

  /** Numbers begin with 0 for each identity. */
  begin(identity: ProducerIdentity): BatchSequence {
    this.#identity = identity;
    this.#next = 0;
    return { identity, first: 0 };
  }

  /** The batch of the next number was written. */
  written(records: number): void {
    this.#next = sequenceAfter(this.#next, records);
  }

  /** What the brokers know is unknown, or gone: another identity is needed. */
  forget(): void {
    this.#identity = undefined;
  }
}
