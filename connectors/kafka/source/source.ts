import {
  AortaError,
  isAortaError,
  type Logger,
  type Metrics,
  Progress,
  silentLogger,
  silentMetrics,
  within,
} from '@aorta/runtime';
import type { DeadLetter } from '@aorta/schemas';
import type { Delivery, DeliveryBatch, Source } from '../../source.ts';
import { HandOver } from '../../sources/hand-over.ts';
import type { SourceMetrics } from '../../sources/metrics.ts';
import { consumerPart, startPositionOf } from '../../sources/partition.ts';
import { topicsOfStreams } from '../../streams/topic-names.ts';
import type {
  AssignedPartition,
  KafkaAdmin,
  KafkaClient,
  KafkaConnection,
  KafkaConsumer,
  KafkaRecord,
  TopicPartition,
} from '../client/client.ts';
import { brokersOf, connectionOf, contentOf, type TopicContent } from './cluster.ts';
import { ClusterMonitor } from './cluster-monitor.ts';
import { DeadLetterTopic, ORIGIN_HEADER } from './dead-letter-topic.ts';
import { deliveryOfRecord } from './delivery-of-record.ts';
import { isOf, type KafkaSettings, topicsOf } from './options.ts';
import type { RecordsOfPartition, TopicPartitionReader } from './partition-reader.ts';
import { TopicPartitionReaders } from './partition-readers.ts';
import { FirstOffsets } from './start-offset.ts';

/** Position of a partition after a batch. */
export interface KafkaPosition {
  readonly reader: TopicPartitionReader;
  /** Whether the batch precedes the position where reading resumes. Such deliveries are already durable. */
  readonly before: boolean;
  readonly next: number;
  /** Offset of the last record in the batch; undefined if the batch has none. */
  readonly last: number | undefined;
}

export interface KafkaSourceOptions {
  readonly settings: KafkaSettings;
  readonly open: (connection: KafkaConnection, options: { readonly logger: Logger }) => KafkaClient;
  /** Size of the redelivery window in offsets; 0 if the window is off. */
  readonly window: number;
  /** Id of the streams that contain the deliveries once they are durable. Commits contain it. */
  readonly streams?: string;
  /** Name of this process among the workers that share the partitions. */
  readonly worker?: string;
  /** Whether to end when the workers have read every partition up to the last stable offset that it had at the start. */
  readonly once?: boolean;
  readonly logger?: Logger;
  readonly progress?: Progress;
  readonly metrics?: Metrics<SourceMetrics>;
  /** Milliseconds between two requests for the ends of the logs. Default: 3,000. Only tests set this. */
  readonly askEveryMs?: number;
}

const ASK_EVERY_MS = 3000;
/** Maximum time to wait for an answer from the cluster, in milliseconds. */
const ANSWER_MS = 5000;
const ASK_COMPLETE_EVERY_MS = 500;
/**
 * Reads deliveries from topics of one Kafka cluster. The consumer group assigns the partitions to the workers. Records
 * of all assigned partitions are emitted in order of arrival.
 *
 * Throws AORTA-KAFKA-… if the cluster cannot be used or a committed offset is not in the log.
 */
export class KafkaSource implements Source<KafkaPosition> {
  readonly name: string;
  readonly #options: KafkaSourceOptions;
  readonly #logger: Logger;
  readonly #metrics: Metrics<SourceMetrics>;
  readonly #progress: Progress;
  readonly #handOver: HandOver<TopicPartitionReader, RecordsOfPartition>;
  readonly #readers: TopicPartitionReaders;
  readonly #timers: NodeJS.Timeout[] = [];
  /**
   * Original records of emitted deliveries. Filled only if dead letters are copied to a topic, because a delivery lacks
   * some of the data that the copy needs.
   */
  readonly #records = new WeakMap<Delivery, { readonly from: TopicPartition; readonly record: KafkaRecord }>();
  /** The topics that the source leaves out and has already logged. */
  readonly #reported = new Set<string>();
  readonly #stopping = new AbortController();
  #finishing: Promise<void> | undefined;
  #deadLetters: DeadLetterTopic | undefined;
  #client: KafkaClient | undefined;
  #consumer: KafkaConsumer | undefined;
  #monitor: ClusterMonitor | undefined;
  #closing = false;
  #unwatch: () => void = () => {};

  constructor(options: KafkaSourceOptions) {
    this.name = options.settings.name;
    this.#options = options;
    this.#logger = options.logger ?? silentLogger;
    this.#metrics = options.metrics ?? silentMetrics;
    this.#progress = options.progress ?? new Progress();
    this.#handOver = new HandOver(options.settings.held_bytes);
    this.#readers = new TopicPartitionReaders({
      settings: options.settings,
      handOver: this.#handOver,
      window: options.window,
      streams: options.streams,
      answerMs: ANSWER_MS,
      logger: this.#logger,
      metrics: this.#metrics,
      progress: this.#progress,
      onIncident: (incident, count) => this.#count(incident, count),
    });
  }

  /** Total size of the received records that the consumer has not taken yet, in bytes. */
  get heldBytes(): number {
    return this.#handOver.bytes;
  }

  /** Names of the assigned partitions, sorted. */
  get partitions(): readonly string[] {
    return this.#readers
      .all()
      .map(({ name }) => name)
      .sort();
  }

  async *batches(signal: AbortSignal): AsyncGenerator<DeliveryBatch<KafkaPosition>> {
    await this.#progress.during(consumerPart(this.name), 'the cluster is asked for its topics', this.#begin());
    signal.addEventListener('abort', () => this.#endSoon(), { once: true });
    for (;;) {
      const handed = await this.#handOver.take(signal);
      if (handed === undefined) return;
      const { owner: reader, thing } = handed;
      const { records, from, next, before } = thing;
      const position = { reader, before, next, last: records.at(-1)?.offset };
      if (thing.releasing === true) {
        yield { deliveries: [], position, awaited: true };
        continue;
      }
      const deliveries = records.map((record) => deliveryOfRecord(this.name, reader.name, record));
      if (this.#deadLetters !== undefined && !before) this.#remember(reader, deliveries, records);
      this.#readers.noteShown(reader.name, from, next);
      if (!before) reader.handedOn(next);
      yield before ? { deliveries, position, before } : { deliveries, position };
      if (this.#options.once === true && this.#monitor?.isComplete() === true) this.#finish(this.#monitor);
    }
  }

  #remember(from: TopicPartition, deliveries: readonly Delivery[], records: readonly KafkaRecord[]): void {
    for (const [index, delivery] of deliveries.entries()) this.#records.set(delivery, { from, record: records[index]! });
  }

  onDeadLetter(delivery: Delivery, letter: DeadLetter): void {
    const known = this.#records.get(delivery);
    if (known === undefined || this.#isCopyOfOwn(known.record)) return;
    this.#deadLetters?.add(known.from, known.record, letter);
  }

  /**
   * Whether another source copied this record from a topic that this source reads. If this source copied it
   * again, the record could circulate for ever.
   */
  #isCopyOfOwn({ headers }: KafkaRecord): boolean {
    const topics = topicsOf(this.#options.settings);
    return headers.some(([name, value]) => name === ORIGIN_HEADER && value !== null && isOf(topics, value.toString('utf8')));
  }

  async commit(positions: readonly KafkaPosition[]): Promise<void> {
    if (this.#deadLetters !== undefined) {
      const written = this.#deadLetters.write(this.#stopping.signal);
      await this.#progress.during(consumerPart(this.name), 'dead letters are copied to their topic', written);
    }
    for (const { reader, before, next, last } of positions) if (!before) reader.durable(next, last);
  }

  /**
   * Commits durable positions, leaves the group and closes the connections. Waits at most `release_s` seconds for the
   * commits. Never rejects.
   */
  async close(): Promise<void> {
    this.#closing = true;
    this.#stopping.abort();
    for (const timer of this.#timers) clearInterval(timer);
    this.#unwatch();
    this.#monitor?.close();
    this.#handOver.end();
    const { release_s } = this.#options.settings;
    const commits = this.#readers.all().map((reader) => reader.commit());
    await within(release_s * 1000, Promise.all(commits)).catch(() => {});
    await this.#consumer?.stop();
    this.#readers.end();
    await this.#deadLetters?.close();
    await this.#client?.close();
  }

  async #begin(): Promise<void> {
    const { settings, open, worker } = this.#options;
    const connection = await connectionOf(settings, worker);
    if (this.#closing) return;
    const client = open(connection, { logger: this.#logger });
    this.#client = client;
    const atStart = await contentOf(client.admin, settings);
    if (this.#closing) return;
    const dead = settings.dead_letters?.topic;
    if (dead !== undefined) this.#deadLetters = await DeadLetterTopic.open(client, dead, this.#logger);
    if (atStart.length === 0) this.#logger.warn('no topic matches yet', { source: this.name });
    const consumer = await this.#consume(client, atStart);
    this.#consumer = consumer;
    if (this.#closing) return consumer.stop();
    this.#watch(client.admin, atStart);
    this.#logger.info('kafka opened', {
      source: this.name,
      brokers: brokersOf(settings).join(', '),
      group: settings.consumer_group,
      topics: atStart.length,
      partitions: atStart.reduce((sum, { partitions }) => sum + partitions.length, 0),
    });
  }

  #watch(admin: KafkaAdmin, atStart: readonly TopicContent[]): void {
    const { settings, once, askEveryMs } = this.#options;
    const monitor = new ClusterMonitor({
      source: this.name,
      brokers: brokersOf(settings),
      group: settings.consumer_group,
      admin,
      onHeld: () => this.#count('transaction', 1),
      readers: this.#readers,
      atStart,
      answerMs: ANSWER_MS,
      logger: this.#logger,
      progress: this.#progress,
    });
    this.#monitor = monitor;
    this.#unwatch = this.#metrics.watch((set) => {
      set('aorta_source_held_bytes', { source: this.name }, this.#handOver.bytes);
    });
    this.#every(settings.commit_s * 1000, () => {
      for (const reader of this.#readers.all()) void reader.commit();
    });
    this.#every(askEveryMs ?? ASK_EVERY_MS, () => monitor.pollEnds());
    if (once !== true) return;
    if (monitor.isComplete()) this.#finish(monitor);
    this.#every(ASK_COMPLETE_EVERY_MS, () => monitor.checkCompletion(() => this.#finish(monitor)));
  }

  /** Ends a run with `once`. */
  #finish(monitor: ClusterMonitor): void {
    this.#finishing ??= monitor.reportOpenTransactions().finally(() => this.#handOver.end());
  }

  #consume(client: KafkaClient, atStart: readonly TopicContent[]): Promise<KafkaConsumer> {
    const { settings, window } = this.#options;
    const firstOffsets = new FirstOffsets({
      source: this.name,
      admin: client.admin,
      start: startPositionOf(settings.start_position),
      atStart,
      window,
      logger: this.#logger,
      onLost: () => this.#count('beginning_lost', 1),
    });
    return client.consume({
      group: settings.consumer_group,
      topics: topicsOf(settings),
      except: (topics) => this.#leftOut(topics),
      sessionMs: settings.session_s * 1000,
      releaseMs: settings.release_s * 1000,
      metadataAgeMs: settings.metadata_s * 1000,
      onAssigned: (assigned) => this.#readers.take(assigned, firstOffsets),
      onBatch: ({ topic, partition, lost }, batch) => {
        if (!lost.aborted) this.#readers.find({ topic, partition })?.arrived(batch);
      },
      onRelease: (partitions) => this.#release(partitions),
      onFailure: (error) => this.#handOver.fail(isAortaError(error) ? error : unexpected(error)),
      onIncident: (incident) => this.#count(incident, 1),
    });
  }

  /** Returns the topics of Aorta's streams, and logs each once if it matches a pattern. */
  #leftOut(topics: readonly string[]): ReadonlySet<string> {
    const own = topicsOfStreams(topics);
    const wanted = topicsOf(this.#options.settings);
    const found = [...own].filter((topic) => isOf(wanted, topic) && !this.#reported.has(topic)).sort();
    for (const topic of found) this.#reported.add(topic);
    if (found.length > 0)
      this.#logger.info('topics with streams of Aorta are left out', { source: this.name, topics: found.join(', ') });
    return own;
  }

  async #release(partitions: readonly AssignedPartition[]): Promise<void> {
    // When the source closes, everything that the consumer has taken is already durable. The rest is left to other
    // workers.
    if (this.#closing) return;
    await this.#readers.release(partitions);
  }

  /** After a stop, allows at most `release_s` seconds for writing copies of dead letters. */
  #endSoon(): void {
    this.#timers.push(setTimeout(() => this.#stopping.abort(), this.#options.settings.release_s * 1000));
  }

  #every(milliseconds: number, work: () => void): void {
    this.#timers.push(setInterval(work, milliseconds));
  }

  #count(incident: string, count: number): void {
    this.#metrics.count('aorta_source_incidents_total', { source: this.name, incident }, count);
  }
}

/** Wraps an unexpected error. Reports only its name, because its message may quote health data. */
function unexpected(error: Error): AortaError {
  return new AortaError('AORTA-BUG', { place: 'source of kafka', problem: error.name });
}
