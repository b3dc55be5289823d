import { AortaError, errorFields, isAortaError, type Logger } from '@aorta/runtime';
import type { StreamName, StreamRecords } from '@aorta/schemas';
import type { AssignedPartition, KafkaClient, KafkaConsumer, KafkaIncident } from '../../kafka-client/index.ts';
import type { ReadableLog, ReadBatch, ReadLimit, StreamPartition } from '../../stream-log.ts';
import { TopicError } from './errors.ts';
import { type RecordForm, Unreadable } from './record-form.ts';
import { Share } from './share.ts';

/** How far the records of a partition are in the tables. */
export interface Carried {
  readonly incarnation: string;
  readonly position: number;
}

export interface ReadingOptions {
  readonly client: KafkaClient;
  readonly form: RecordForm;
  /** The group that shares the partitions out among its members. */
  readonly group: string;
  /** Its name at the brokers. */
  readonly groupId: string;
  /** Streams by their topics. */
  readonly streams: ReadonlyMap<string, StreamName>;
  /** The incarnation of a topic, at every assignment anew. */
  readonly incarnation: (topic: string) => Promise<string> | string;
  /** How far a partition is where its records go: reading begins there. The group's own position only follows it. */
  readonly carried: (of: StreamPartition) => Carried | undefined | Promise<Carried | undefined>;
  /** Where a partition begins that nothing is known of; default: at its start. */
  readonly begin?: (low: number, end: number) => number;
  /** Hears that there is more to read, that partitions came or went, or that reading has ended. */
  readonly onNews: () => void;
  /** Bytes that all partitions together may hold, about. */
  readonly bufferBytes: number;
  readonly overtaken: 'stop' | 'continue';
  readonly logger: Logger;
  readonly onIncident?: (incident: KafkaIncident) => void;
}

/** A share may hold so much however full the others are: about one batch of the broker. */
const LEAST_BYTES = 256 * 1024;

/** The topic of partitions that are assigned together is looked at once. */
const SAME_MS = 5_000;

/** Reads the topics as a member of a group. */
export class Reading implements ReadableLog {
  readonly #options: ReadingOptions;
  readonly #shares = new Map<string, Share>();
  #assigned: readonly Share[] = [];
  readonly #identities = new Map<string, { readonly identity: Promise<string>; readonly at: number }>();
  #consumer: KafkaConsumer | undefined;
  #failure: Error | undefined;

  private constructor(options: ReadingOptions) {
    this.#options = options;
  }

  /** Joins the group; resolves when the first partitions are known. */
  static async open(options: ReadingOptions): Promise<Reading> {
    const reading = new Reading(options);
    const { client, groupId, streams, onIncident } = options;
    reading.#consumer = await client.consume({
      group: groupId,
      topics: [...streams.keys()],
      onAssigned: (partition) => reading.#take(partition),
      onBatch: (partition, batch) => {
        const share = reading.#shares.get(nameOf(partition));
        // What may still come of a partition that is not read is dropped: it is not committed.
        if (share === undefined || share.problem !== undefined) return;
        share.take(batch);
        options.onNews();
      },
      onRelease: (partitions) => reading.#release(partitions),
      onFailure: (error) => {
        reading.#failure = error;
        options.onNews();
      },
      ...(onIncident === undefined ? {} : { onIncident }),
    });
    return reading;
  }

  /** Throws what ended the reading. */
  assigned(): readonly Share[] {
    if (this.#failure !== undefined) throw this.#failure;
    return this.#assigned;
  }

  incarnation(of: StreamPartition): string {
    return this.#share(of)?.incarnation ?? '';
  }

  start(of: StreamPartition): number {
    return this.#share(of)?.start ?? 0;
  }

  end(of: StreamPartition): number {
    return this.#share(of)?.end ?? 0;
  }

  async look(): Promise<void> {
    const topics = new Set(this.assigned().map(({ topic }) => topic));
    await Promise.all(
      [...topics].map(async (topic) => {
        const bounds = await this.#options.client.admin.bounds(topic);
        for (const share of this.#shares.values())
          if (share.topic === topic) share.end = Math.max(share.end, bounds[share.partition]?.end ?? 0);
      }),
    );
  }

  /** The log that appends beside this one has more than has arrived. */
  grown(of: StreamPartition, end: number): void {
    const share = this.#share(of);
    if (share !== undefined) share.end = Math.max(share.end, end);
  }

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the last record and what follows it are looked at in one turn, or records that arrive meanwhile are skipped
  async read<S extends StreamName>(of: StreamPartition<S>, from: number, limit: ReadLimit): Promise<ReadBatch<S>> {
    if (this.#failure !== undefined) throw this.#failure;
    const share = this.#share(of);
    if (share === undefined || share.leaving) return { stream: of.stream, from, to: from, records: [], bytes: 0 };
    if (share.problem !== undefined) throw share.problem;
    if (!Number.isInteger(from) || from < 0 || from > share.end)
      throw bug(`read at position ${from}, and the partition ends at ${share.end}`);
    if (from < share.from) throw bug(`read at position ${from}, and what was before ${share.from} was handed out`);
    const records: StreamRecords[S][] = [];
    let [to, bytes] = [from, 0];
    let whole = true;
    for (const { offset, value } of share.recordsFrom(from)) {
      if (records.length >= limit.records || (records.length > 0 && bytes >= limit.bytes)) {
        whole = false;
        break;
      }
      try {
        // A tombstone holds nothing: topics of streams are not compacted, but might have been.
        if (value !== null) records.push(await this.#options.form.decode(of.stream, value));
      } catch (error) {
        // What is whole is handed out first; the next read begins with it.
        if (records.length === 0) throw unreadable(error, share, offset);
        whole = false;
        break;
      }
      bytes += value?.length ?? 0;
      to = offset + 1;
    }
    // Where positions are left out behind the last record, the next read begins behind them.
    if (whole) to = Math.max(to, share.next);
    if (to > from) share.handedOut = to;
    return { stream: of.stream, from, to, records, bytes };
  }

  async commit(group: string, of: StreamPartition, position: number): Promise<void> {
    const { logger } = this.#options;
    if (group !== this.#options.group) throw bug('a group committed that does not read here');
    const share = this.#share(of);
    if (share === undefined) return;
    if (!Number.isInteger(position) || position < 0 || position > share.end)
      throw bug(`commit at position ${position}, and the partition ends at ${share.end}`);
    const { stream, partition } = share;
    // Nothing depends on it: the next reader begins where the tables are.
    if ((await share.commit(position)) === 'failed') logger.warn('position was not committed', { stream, partition, position });
  }

  committed(group: string, of: StreamPartition): number | undefined {
    return group === this.#options.group ? this.#share(of)?.committed : undefined;
  }

  groups(of: StreamPartition): readonly string[] {
    return this.#share(of)?.committed === undefined ? [] : [this.#options.group];
  }

  /** Bytes that are held. */
  bytes(): number {
    let bytes = 0;
    for (const share of this.#shares.values()) bytes += share.bytes;
    return bytes;
  }

  async close(): Promise<void> {
    for (const share of this.#assigned) share.settle();
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
    const { low } = assigned;
    let { end } = assigned;
    let from = position ?? begin?.(low, end) ?? low;
    // Whoever had it before may have taken what came after the assignment.
    if (from > end) end = Math.max(end, (await client.admin.bounds(topic))[partition]?.end ?? 0);
    let problem: AortaError | undefined;
    if (from > end) {
      problem = new TopicError('AORTA-STREAM-TOPIC-SHORTER', { topic, partition, end, position: from });
      from = end;
    } else if (from < low) {
      problem = new TopicError('AORTA-STREAM-OVERTAKEN', { topic, partition, low, position: from });
      if (overtaken === 'continue') {
        logger.warn('retention overtook the tables', errorFields(problem));
        problem = undefined;
      }
    }
    const share = new Share(of, { assigned, incarnation: identity, from, limit: () => this.#limit(), known: { low, end } });
    share.problem = problem;
    // Nothing is fetched to be dropped.
    if (problem !== undefined) assigned.pause();
    const name = nameOf(assigned);
    // Reading begins where the partition ended when it was assigned; what is taken already is left out.
    const first = Math.max(Math.min(from, assigned.end), low);
    if (assigned.lost.aborted) return first;
    this.#shares.set(name, share);
    this.#changed();
    assigned.lost.addEventListener(
      'abort',
      () => {
        share.settle();
        if (this.#shares.get(name) === share) this.#shares.delete(name);
        this.#changed();
      },
      { once: true },
    );
    return first;
  }

  async #release(partitions: readonly AssignedPartition[]): Promise<void> {
    const leaving = partitions.flatMap((partition) => this.#shares.get(nameOf(partition)) ?? []);
    for (const share of leaving) share.leaving = true;
    this.#changed();
    await Promise.all(leaving.map((share) => share.settled()));
  }

  #changed(): void {
    this.#assigned = [...this.#shares.values()].filter(({ leaving }) => !leaving);
    this.#options.onNews();
  }

  /** Bytes that one share may hold now: much as long as the others hold little, since large batches are landed quicker. */
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

  #share(of: StreamPartition): Share | undefined {
    if (of instanceof Share) return this.#shares.get(nameOf(of)) === of ? of : undefined;
    for (const share of this.#shares.values()) if (share.stream === of.stream && share.partition === of.partition) return share;
    return undefined;
  }
}

function nameOf({ topic, partition }: { readonly topic: string; readonly partition: number }): string {
  return `${topic}/${partition}`;
}

function unreadable(error: unknown, { topic, partition }: Share, position: number): unknown {
  if (isAortaError(error)) return error;
  if (!(error instanceof Unreadable)) return bug('a record could not be decoded');
  return new TopicError('AORTA-STREAM-UNREADABLE', { topic, partition, position, problem: error.problem });
}

function bug(problem: string): AortaError {
  return new AortaError('AORTA-BUG', { place: 'streams', problem });
}
