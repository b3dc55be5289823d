import type { AssignedPartition, KafkaBatch, KafkaRecord, LogBounds, TopicPartition } from '../client.ts';
import type { FetchedBatch, FetchedMessage } from './internals.ts';
import { wholeNumber } from './offsets.ts';
import type { Committed } from './positions.ts';

export interface PartitionOwner {
  pause(partition: TopicPartition): void;
  resume(partition: TopicPartition): void;
  commit(partition: Partition, next: number, note?: string): Promise<boolean>;
}

/** Converts a fetched batch. Returns undefined if the batch contains nothing, not even messages to skip. */
function batchOf(fetched: FetchedBatch): KafkaBatch | undefined {
  if (fetched.rawMessages.length === 0) return undefined;
  const { topic, partition } = fetched;
  const next = wholeNumber(fetched.lastOffset(), topic, partition) + 1;
  let bytes = 0;
  const records = new Array<KafkaRecord>(fetched.messages.length);
  for (const [at, message] of fetched.messages.entries()) {
    const record = recordOf(message);
    bytes += bytesOf(record);
    records[at] = record;
  }
  return { records, next, end: wholeNumber(fetched.highWatermark, topic, partition), bytes };
}

function recordOf({ offset, timestamp, key, value, headers }: FetchedMessage): KafkaRecord {
  return { offset: Number(offset), timestamp: Number(timestamp), key, value, headers };
}

function bytesOf({ key, value, headers }: KafkaRecord): number {
  let bytes = (key?.length ?? 0) + (value?.length ?? 0);
  for (const [name, content] of headers) bytes += Buffer.byteLength(name) + (content?.length ?? 0);
  return bytes;
}

/** A partition in one generation of the group, with its read position. */
export class Partition implements AssignedPartition {
  readonly topic: string;
  readonly partition: number;
  readonly committed: number | undefined;
  readonly note: string | undefined;
  readonly low: number;
  readonly end: number;
  readonly #owner: PartitionOwner;
  readonly #lost = new AbortController();
  /** The next offset to deliver; undefined until the start offset is known. */
  #position: number | undefined;

  constructor(
    { topic, partition }: TopicPartition,
    committed: Committed | undefined,
    { low, end }: LogBounds,
    owner: PartitionOwner,
  ) {
    this.topic = topic;
    this.partition = partition;
    this.committed = committed?.next;
    this.note = committed?.note;
    this.low = low;
    this.end = end;
    this.#owner = owner;
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  get position(): number | undefined {
    return this.#position;
  }

  pause(): void {
    if (!this.lost.aborted) this.#owner.pause(this);
  }

  resume(): void {
    if (!this.lost.aborted) this.#owner.resume(this);
  }

  async commit(next: number, note?: string): Promise<boolean> {
    if (this.lost.aborted) return false;
    return await this.#owner.commit(this, next, note);
  }

  begin(position: number): void {
    this.#position = position;
  }

  /**
   * Returns the fetched batch if it starts at the current position, and advances the position. Returns `nothing` if the batch is
   * empty. Returns `elsewhere` if the batch starts at a different offset, because an earlier generation fetched it or the library
   * changed its position.
   */
  take(fetched: FetchedBatch): KafkaBatch | 'nothing' | 'elsewhere' {
    if (this.#position === undefined || Number(fetched.fetchedOffset) !== this.#position) return 'elsewhere';
    const batch = batchOf(fetched);
    if (batch === undefined) return 'nothing';
    this.#position = batch.next;
    return batch;
  }

  lose(): void {
    this.#lost.abort();
  }
}
