import type { AortaError } from '@aorta/runtime';
import type { StreamName } from '@aorta/schemas';
import type { AssignedPartition, KafkaBatch, KafkaRecord } from '../../kafka-client/index.ts';
import type { StreamPartition } from '../../stream-log.ts';

export interface ShareOptions {
  readonly assigned: AssignedPartition;
  readonly incarnation: string;
  /** The position at which reading begins. */
  readonly from: number;
  /** How many bytes the share may hold at the moment. */
  readonly limit: () => number;
  /** The first position, and the one after the last record. */
  readonly known: Pick<AssignedPartition, 'low' | 'end'>;
}

/**
 * A partition of a topic for as long as this reader has it, with what has arrived of it and was not taken yet. It is what
 * stands for the partition in {@link ReadableLog.assigned}: when the partition comes back it is another one.
 */
export class Share implements StreamPartition {
  readonly stream: StreamName;
  readonly partition: number;
  readonly topic: string;
  readonly incarnation: string;
  readonly start: number;
  /** Position after the last record that is known of. */
  end: number;
  /** Why it is not read. */
  problem: AortaError | undefined;
  committed: number | undefined;
  /** A rebalance takes it away: nothing more is handed out. */
  leaving = false;
  /** Position after what was handed out last and is not committed. */
  handedOut: number | undefined;
  readonly #assigned: AssignedPartition;
  readonly #limit: () => number;
  #records: KafkaRecord[] = [];
  /** Records before it were taken. */
  #taken = 0;
  #bytes = 0;
  /** From here on nothing is missing. */
  #from: number;
  /** Position after what has arrived. */
  #next: number;
  #paused = false;
  #settled: (() => void)[] = [];

  constructor(of: StreamPartition, { assigned, incarnation, from, limit, known }: ShareOptions) {
    this.stream = of.stream;
    this.partition = of.partition;
    this.topic = assigned.topic;
    this.incarnation = incarnation;
    this.start = known.low;
    this.end = known.end;
    this.committed = assigned.committed;
    this.#assigned = assigned;
    this.#limit = limit;
    this.#from = from;
    this.#next = from;
  }

  /** Bytes that are held. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Takes in what has arrived. */
  take({ records, next, end, bytes }: KafkaBatch): void {
    for (const record of records) this.#records.push(record);
    this.#next = next;
    this.end = Math.max(this.end, end, next);
    this.#bytes += bytes;
    if (!this.#paused && this.#bytes > this.#limit()) {
      this.#paused = true;
      this.#assigned.pause();
    }
  }

  /** Where reading can go on from at the earliest. */
  get from(): number {
    return this.#from;
  }

  /** Whether something at or behind the position is here, be it only that there are no records. */
  has(position: number): boolean {
    return this.#next > position;
  }

  /** What is here from a position on, that is not below {@link from}; what is before it is forgotten. */
  *recordsFrom(position: number): Generator<KafkaRecord> {
    this.#forget(position);
    for (let index = this.#taken; index < this.#records.length; index++) yield this.#records[index]!;
  }

  /** Position after what has arrived. */
  get next(): number {
    return this.#next;
  }

  /** Commits a position. Never rejects: gives what became of it. */
  async commit(position: number): Promise<'committed' | 'lost' | 'failed'> {
    try {
      const done = await this.#assigned.commit(position);
      if (done) this.committed = position;
      return done ? 'committed' : 'lost';
    } catch {
      return 'failed';
    } finally {
      if (this.handedOut !== undefined && position >= this.handedOut) this.settle();
    }
  }

  /** Resolves when what was handed out is committed, or will not be. */
  async settled(): Promise<void> {
    if (this.handedOut !== undefined) await new Promise<void>((resolve) => void this.#settled.push(resolve));
  }

  /** Nothing that was handed out is waited for. */
  settle(): void {
    this.handedOut = undefined;
    for (const resolve of this.#settled.splice(0)) resolve();
  }

  #forget(position: number): void {
    while (this.#taken < this.#records.length && this.#records[this.#taken]!.offset < position)
      this.#bytes -= sizeOf(this.#records[this.#taken++]!);
    this.#from = Math.max(this.#from, position);
    // Moving the rest to the front for every few records would cost more than reading them.
    if (this.#taken > 1000 || this.#taken === this.#records.length) {
      this.#records = this.#records.slice(this.#taken);
      this.#taken = 0;
    }
    if (this.#paused && this.#bytes <= this.#limit() / 2) {
      this.#paused = false;
      this.#assigned.resume();
    }
  }
}

function sizeOf({ key, value, headers }: KafkaRecord): number {
  let bytes = (key?.length ?? 0) + (value?.length ?? 0);
  for (const [name, header] of headers) bytes += Buffer.byteLength(name) + (header?.length ?? 0);
  return bytes;
}
