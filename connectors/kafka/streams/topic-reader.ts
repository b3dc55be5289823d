import { AortaError, errorFields, isAortaError, type Logger } from '@aorta/runtime';
import type { StreamName, StreamRecords } from '@aorta/schemas';
import type { ReadableLog, ReadBatch, ReadLimit, StreamPartition } from '../../stream-log.ts';
import type { AssignedPartition, KafkaClient, KafkaConsumer, KafkaIncident, LogBounds } from '../client/client.ts';
import { TopicError } from './errors.ts';
import { OwnedTopicPartition } from './owned-topic-partition.ts';
import { type RecordForm, Unreadable } from './record-form.ts';

/** The incarnation of a partition, and the position up to which the partition has been merged into the tables. */
export interface MergedPosition {
  readonly incarnation: string;
  readonly position: number;
}

export interface TopicReaderOptions {
  readonly client: KafkaClient;
  readonly form: RecordForm;
  /** The name of the consumer group, without the prefix of this installation. */
  readonly group: string;
  /** The name of the group as the brokers know it, including the prefix. */
  readonly groupId: string;
  /** Streams by topic. */
  readonly streams: ReadonlyMap<string, StreamName>;
  /** Returns the current incarnation of a topic. Called at each assignment. */
  readonly incarnation: (topic: string) => Promise<string> | string;
  /** Returns the position up to which a partition has been merged into the tables. Reading starts there. The group's committed position may be behind it. */
  readonly carried: (of: StreamPartition) => MergedPosition | undefined | Promise<MergedPosition | undefined>;
  /** Returns the start position for a partition that has no position in the tables. Default: the start of the partition. */
  readonly begin?: (low: number, end: number) => number;
  /** Called when more records can be read, when partitions were assigned or revoked, and when reading has failed. */
  readonly onNews: () => void;
  /** Approximate maximum size of the records that all partitions together may buffer, in bytes. */
  readonly bufferBytes: number;
  readonly overtaken: 'stop' | 'continue';
  readonly logger: Logger;
  readonly onIncident?: (incident: KafkaIncident) => void;
}

/** Number of bytes that a partition may always buffer, even if the other partitions use the whole buffer: about one batch from the broker. */
const LEAST_BYTES = 256 * 1024;

/** If partitions of one topic are assigned within this time, in milliseconds, they share one lookup of the topic's incarnation. */
const SAME_MS = 5_000;

/** Reads the topics as a member of a consumer group. */
export class TopicReader implements ReadableLog {
  readonly #options: TopicReaderOptions;
  readonly #owned = new Map<string, OwnedTopicPartition>();
  #assigned: readonly OwnedTopicPartition[] = [];
  readonly #identities = new Map<string, { readonly identity: Promise<string>; readonly at: number }>();
  #consumer: KafkaConsumer | undefined;
  #failure: Error | undefined;

  private constructor(options: TopicReaderOptions) {
    this.#options = options;
  }

  /** Joins the group. Resolves after the first assignment. */
  static async open(options: TopicReaderOptions): Promise<TopicReader> {
    const reading = new TopicReader(options);
    const { client, groupId, streams, onIncident } = options;
    reading.#consumer = await client.consume({
      group: groupId,
      topics: [...streams.keys()],
      onAssigned: (partition) => reading.#take(partition),
      onBatch: (partition, batch) => {
        const owned = reading.#owned.get(nameOf(partition));
        // Drop late records of a partition that was revoked or has a problem. They are not committed, so they can be read again.
        if (owned === undefined || owned.problem !== undefined) return;
        owned.take(batch);
        options.onNews();
      },
      onRelease: (partitions) => reading.#release(partitions),
      onFailure: (error) => {
        reading.#failure = error;
        options.onNews();
      },
      onIncident,
    });
    return reading;
  }

  /** Returns the assigned partitions. Throws the error that ended reading, if any. */
  assigned(): readonly OwnedTopicPartition[] {
    if (this.#failure !== undefined) throw this.#failure;
    return this.#assigned;
  }

  incarnation(of: StreamPartition): string {
    return this.#find(of)?.incarnation ?? '';
  }

  start(of: StreamPartition): number {
    return this.#find(of)?.start ?? 0;
  }

  end(of: StreamPartition): number {
    return this.#find(of)?.end ?? 0;
  }

  async look(): Promise<void> {
    const topics = new Set(this.assigned().map(({ topic }) => topic));
    await Promise.all(
      [...topics].map(async (topic) => {
        const bounds = await this.#options.client.admin.bounds(topic);
        for (const owned of this.#owned.values()) {
          const now = bounds[owned.partition];
          if (owned.topic === topic && now !== undefined) this.#bounded(owned, now);
        }
      }),
    );
  }

  /** Notifies the reader that this process has appended records up to `end`. The reader may not have received them yet. */
  grown(of: StreamPartition, end: number): void {
    const owned = this.#find(of);
    if (owned !== undefined && owned.heldAt === undefined) owned.end = Math.max(owned.end, end);
  }

  /** Notes how far a partition can be read. Logs an open transaction, which only another program can have begun. */
  #bounded(owned: OwnedTopicPartition, { stable, end }: Pick<LogBounds, 'stable' | 'end'>): void {
    owned.end = Math.max(owned.end, stable);
    const heldAt = stable < end ? stable : undefined;
    if (heldAt !== undefined && heldAt !== owned.heldAt) {
      const { topic, partition } = owned;
      const error = new TopicError('AORTA-STREAM-TRANSACTION-OPEN', { topic, partition, offset: heldAt, end });
      this.#options.logger.warn('an open transaction holds a topic of the streams', errorFields(error));
    }
    owned.heldAt = heldAt;
  }

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the last record and the gap after it must be handled in one turn, or records that arrive meanwhile are skipped
  async read<S extends StreamName>(of: StreamPartition<S>, from: number, limit: ReadLimit): Promise<ReadBatch<S>> {
    if (this.#failure !== undefined) throw this.#failure;
    const owned = this.#find(of);
    if (owned === undefined || owned.leaving) return { stream: of.stream, from, to: from, records: [], bytes: 0 };
    if (owned.problem !== undefined) throw owned.problem;
    if (!Number.isInteger(from) || from < 0 || from > owned.end)
      throw bug(`read at position ${from}, but the partition ends at ${owned.end}`);
    if (from < owned.from) throw bug(`read at position ${from}, but records before ${owned.from} were already dropped`);
    const records: StreamRecords[S][] = [];
    let [to, bytes] = [from, 0];
    let whole = true;
    for (const { offset, value } of owned.recordsFrom(from)) {
      if (records.length >= limit.records || (records.length > 0 && bytes >= limit.bytes)) {
        whole = false;
        break;
      }
      try {
        // A tombstone holds no record. Topics of streams are not compacted, but may have been in the past.
        if (value !== null) records.push(await this.#options.form.decode(of.stream, value));
      } catch (error) {
        // Return the records before the undecodable one first. The next read starts at the undecodable record and rejects.
        if (records.length === 0) throw unreadable(error, owned, offset);
        whole = false;
        break;
      }
      bytes += value?.length ?? 0;
      to = offset + 1;
    }
    // Skip a gap after the last record.
    if (whole) to = Math.max(to, owned.next);
    if (to > from) owned.handedOut = to;
    return { stream: of.stream, from, to, records, bytes };
  }

  async commit(group: string, of: StreamPartition, position: number): Promise<void> {
    const { logger } = this.#options;
    if (group !== this.#options.group) throw bug('a commit for a group that does not read here');
    const owned = this.#find(of);
    if (owned === undefined) return;
    if (!Number.isInteger(position) || position < 0 || position > owned.end)
      throw bug(`commit at position ${position}, but the partition ends at ${owned.end}`);
    const { stream, partition } = owned;
    // No reader depends on the commit: the next owner resumes where merging into the tables stopped.
    if ((await owned.commit(position)) === 'failed') logger.warn('position was not committed', { stream, partition, position });
  }

  committed(group: string, of: StreamPartition): number | undefined {
    return group === this.#options.group ? this.#find(of)?.committed : undefined;
  }

  groups(of: StreamPartition): readonly string[] {
    return this.#find(of)?.committed === undefined ? [] : [this.#options.group];
  }

  bytes(): number {
    let bytes = 0;
    for (const owned of this.#owned.values()) bytes += owned.bytes;
    return bytes;
  }

  async close(): Promise<void> {
    for (const owned of this.#assigned) owned.settle();
    await this.#consumer?.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #take(assigned: AssignedPartition): Promise<number> {
    const { client, streams, carried, overtaken, logger, begin } = this.#options;
    const { topic, partition } = assigned;
    const of = { stream: streams.get(topic)!, partition };
    const identity = await this.#identityOf(topic);
    const known = await carried(of);
    const position = known?.incarnation === identity ? known.position : undefined;
    const { low, stable } = assigned;
    let { end } = assigned;
    let from = position ?? begin?.(low, stable) ?? low;
    // The previous owner may have merged records that were appended after the assignment.
    if (from > end) end = Math.max(end, (await client.admin.bounds(topic))[partition]?.end ?? 0);
    let problem: AortaError | undefined;
    if (from > end) {
      problem = new TopicError('AORTA-STREAM-TOPIC-SHORTER', { topic, partition, end, position: from });
      from = end;
    } else if (from < low) {
      problem = new TopicError('AORTA-STREAM-OVERTAKEN', { topic, partition, low, position: from });
      if (overtaken === 'continue') {
        logger.warn('retention deleted unread records', errorFields(problem));
        problem = undefined;
      }
    }
    const owned = new OwnedTopicPartition(of, {
      assigned,
      incarnation: identity,
      from,
      limit: () => this.#limit(),
      // The tables may contain records from after the start of an open transaction, if a different client has read them.
      known: { low, end: Math.max(stable, from) },
    });
    owned.problem = problem;
    this.#bounded(owned, { stable, end });
    // Do not fetch records that would be dropped.
    if (problem !== undefined) assigned.pause();
    const name = nameOf(assigned);
    // The start offset must not exceed the end that the assignment reported. Records that are already merged are skipped later.
    const first = Math.max(Math.min(from, assigned.end), low);
    if (assigned.lost.aborted) return first;
    this.#owned.set(name, owned);
    this.#changed();
    assigned.lost.addEventListener(
      'abort',
      () => {
        owned.settle();
        if (this.#owned.get(name) === owned) this.#owned.delete(name);
        this.#changed();
      },
      { once: true },
    );
    return first;
  }

  async #release(partitions: readonly AssignedPartition[]): Promise<void> {
    const leaving = partitions.flatMap((partition) => this.#owned.get(nameOf(partition)) ?? []);
    for (const owned of leaving) owned.leaving = true;
    this.#changed();
    await Promise.all(leaving.map((owned) => owned.settled()));
  }

  #changed(): void {
    this.#assigned = [...this.#owned.values()].filter(({ leaving }) => !leaving);
    this.#options.onNews();
  }

  /**
   * Returns the maximum number of bytes that one partition may buffer now. It is high while the other partitions buffer little,
   * because landing records in large batches is faster.
   */
  #limit(): number {
    const { bufferBytes } = this.#options;
    return this.bytes() > bufferBytes ? LEAST_BYTES : Math.max(LEAST_BYTES, bufferBytes / 4);
  }

  #identityOf(topic: string): Promise<string> {
    const known = this.#identities.get(topic);
    if (known !== undefined && performance.now() - known.at < SAME_MS) return known.identity;
    const identity = Promise.resolve(this.#options.incarnation(topic));
    this.#identities.set(topic, { identity, at: performance.now() });
    return identity;
  }

  #find(of: StreamPartition): OwnedTopicPartition | undefined {
    if (of instanceof OwnedTopicPartition) return this.#owned.get(nameOf(of)) === of ? of : undefined;
    for (const owned of this.#owned.values()) if (owned.stream === of.stream && owned.partition === of.partition) return owned;
    return undefined;
  }
}

function nameOf({ topic, partition }: { readonly topic: string; readonly partition: number }): string {
  return `${topic}/${partition}`;
}

function unreadable(error: unknown, { topic, partition }: OwnedTopicPartition, position: number): unknown {
  if (isAortaError(error)) return error;
  if (!(error instanceof Unreadable)) return bug('a record could not be decoded');
  return new TopicError('AORTA-STREAM-UNREADABLE', { topic, partition, position, problem: error.problem });
}

function bug(problem: string): AortaError {
  return new AortaError('AORTA-BUG', { place: 'streams', problem });
}
