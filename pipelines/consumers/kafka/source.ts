import type {
  AssignedPartition,
  KafkaAdmin,
  KafkaClient,
  KafkaConnection,
  KafkaConsumer,
  KafkaRecord,
  TopicPartition,
} from '@aorta/kafka-client';
import type { DeadLetter } from '@aorta/schemas';
import {
  AortaError,
  isAortaError,
  type Logger,
  type Metrics,
  Progress,
  silentLogger,
  silentMetrics,
  within,
} from '@aorta/telemetry';
import { consumerPart } from '../consumer.ts';
import type { Delivery, DeliveryBatch, Source } from '../delivery.ts';
import { HandOver } from '../partitions/hand-over.ts';
import { type Shown, shownAfter } from '../partitions/reading.ts';
import { type StartPosition, startPositionOf } from '../partitions/start-position.ts';
import { beginningOf, notedBeginning, presumedBeginning } from './beginning.ts';
import { brokersOf, connectionOf } from './connection.ts';
import { DeadLetterTopic } from './dead-letter-topic.ts';
import { deliveryOfRecord, partitionName } from './delivery-of-record.ts';
import { type KafkaSettings, topicsOf } from './options.ts';
import { PartitionShare, type RecordsOfPartition } from './partition-share.ts';
import { contentOf, type TopicContent } from './topics.ts';

/** How far a partition is taken after a batch. */
export interface KafkaPosition {
  readonly share: PartitionShare;
  /** The batch stands before the position: what it covers was durable before. */
  readonly before: boolean;
  /** The offset after the batch. */
  readonly next: number;
}

export interface KafkaSourceOptions {
  readonly settings: KafkaSettings;
  /** Opens the cluster. */
  readonly open: (connection: KafkaConnection, options: { readonly logger: Logger }) => KafkaClient;
  /** Offsets that the redelivery window reaches back; 0 where it is off. */
  readonly window: number;
  /** Name of this process among those who share the partitions out. */
  readonly worker?: string;
  /** Ends when every partition's end as of the start was reached, by this worker or another one. */
  readonly once?: boolean;
  readonly logger?: Logger;
  readonly progress?: Progress;
  readonly metrics?: Metrics;
  /** For tests: milliseconds between two questions for the end of each log. Default 3,000. */
  readonly askEveryMs?: number;
}

const ASK_EVERY_MS = 3000;
/** Milliseconds that an answer may take before the cluster counts as silent. */
const ANSWER_MS = 5000;
const ASK_THROUGH_EVERY_MS = 500;
/** A partition of which nothing was heard for so long, neither records nor the end of its log, is not well. */
const HEARD_EVERY_MS = 30_000;

/**
 * Deliveries out of topics of one Kafka cluster. The consumer group shares the partitions out among all workers; what
 * comes of those that this one has is taken in the order of arrival.
 *
 * Ends with AORTA-KAFKA-… where the cluster cannot be used, and where an offset that the group committed is not one of the log.
 */
export class KafkaSource implements Source<KafkaPosition> {
  readonly name: string;
  readonly #options: KafkaSourceOptions;
  readonly #logger: Logger;
  readonly #metrics: Metrics;
  readonly #progress: Progress;
  readonly #start: StartPosition;
  readonly #handOver: HandOver<PartitionShare, RecordsOfPartition>;
  readonly #shares = new Map<string, PartitionShare>();
  readonly #shown = new Map<string, Shown>();
  /** Where the group began, by partition, as far as this process has seen it: what stands beside commits may be lost. */
  readonly #beginnings = new Map<string, number>();
  readonly #timers: NodeJS.Timeout[] = [];
  /** What the topics held at the start. */
  #atStart: readonly TopicContent[] = [];
  /** The records behind deliveries, where dead letters are copied: a delivery has not everything of them. */
  readonly #records = new WeakMap<Delivery, { readonly from: TopicPartition; readonly record: KafkaRecord }>();
  readonly #stopping = new AbortController();
  #deadLetters: DeadLetterTopic | undefined;
  #client: KafkaClient | undefined;
  #consumer: KafkaConsumer | undefined;
  #closing = false;
  #asking = false;
  #askingThrough = false;
  #unwatch: () => void = () => {};
  /** Ends the wait for a cluster that does not answer. */
  #answered: (() => void) | undefined;

  constructor(options: KafkaSourceOptions) {
    this.name = options.settings.name;
    this.#options = options;
    this.#logger = options.logger ?? silentLogger;
    this.#metrics = options.metrics ?? silentMetrics;
    this.#progress = options.progress ?? new Progress();
    this.#start = startPositionOf(options.settings.start_position);
    this.#handOver = new HandOver(options.settings.held_bytes);
  }

  /** Bytes of records that were received and are not taken yet. */
  get heldBytes(): number {
    return this.#handOver.bytes;
  }

  /** Partitions that this worker has now, by name. */
  get partitions(): readonly string[] {
    return [...this.#shares.keys()].sort();
  }

  async *batches(signal: AbortSignal): AsyncGenerator<DeliveryBatch<KafkaPosition>> {
    await this.#progress.during(consumerPart(this.name), 'the cluster is asked for its topics', this.#begin());
    signal.addEventListener('abort', () => this.#endSoon(), { once: true });
    for (;;) {
      const handed = await this.#handOver.take(signal);
      if (handed === undefined) return;
      const { owner: share, thing } = handed;
      const { records, from, next, before } = thing;
      const position = { share, before, next };
      if (thing.releasing === true) {
        yield { deliveries: [], position, awaited: true };
        continue;
      }
      const deliveries = records.map((record) => deliveryOfRecord(this.name, share.name, record));
      if (this.#deadLetters !== undefined && !before) {
        for (const [index, delivery] of deliveries.entries())
          this.#records.set(delivery, { from: share, record: records[index]! });
      }
      this.#shown.set(share.name, shownAfter(this.#shown.get(share.name), from, next));
      if (!before) share.handedOn(next);
      yield before ? { deliveries, position, before } : { deliveries, position };
      if (this.#options.once === true) this.#endIfThrough();
    }
  }

  buried(delivery: Delivery, letter: DeadLetter): void {
    const known = this.#records.get(delivery);
    if (known !== undefined) this.#deadLetters?.add(known.from, known.record, letter);
  }

  async commit(positions: readonly KafkaPosition[]): Promise<void> {
    if (this.#deadLetters !== undefined) {
      const written = this.#deadLetters.write(this.#stopping.signal);
      await this.#progress.during(consumerPart(this.name), 'dead letters are copied to their topic', written);
    }
    for (const { share, before, next } of positions) if (!before) share.durable(next);
  }

  /** Commits what is durable, leaves the group and closes the connections. Never rejects, and never takes long. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#stopping.abort();
    for (const timer of this.#timers) clearInterval(timer);
    this.#unwatch();
    this.#answered?.();
    this.#handOver.end();
    const { release_s } = this.#options.settings;
    const shares = [...this.#shares.values()];
    await within(release_s * 1000, Promise.all(shares.map((share) => share.commit()))).catch(() => {});
    await this.#consumer?.stop();
    for (const share of shares) share.end();
    this.#shares.clear();
    await this.#deadLetters?.close();
    await this.#client?.close();
  }

  async #begin(): Promise<void> {
    const { settings, open, worker, once, askEveryMs } = this.#options;
    const connection = await connectionOf(settings, worker);
    if (this.#closing) return;
    const client = open(connection, { logger: this.#logger });
    this.#client = client;
    this.#atStart = await contentOf(client.admin, settings);
    if (this.#closing) return;
    const dead = settings.dead_letters?.topic;
    if (dead !== undefined) this.#deadLetters = await DeadLetterTopic.open(client, dead, this.#logger);
    if (this.#atStart.length === 0) this.#logger.warn('no topic matches yet', { source: this.name });
    const consumer = await this.#consume(client);
    this.#consumer = consumer;
    if (this.#closing) return consumer.stop();
    this.#unwatch = this.#metrics.watch((set) => {
      set('aorta_source_held_bytes', { source: this.name }, this.#handOver.bytes);
    });
    this.#every(settings.commit_s * 1000, () => {
      for (const share of this.#shares.values()) void share.commit();
    });
    this.#every(askEveryMs ?? ASK_EVERY_MS, () => this.#askForEnds(client.admin));
    if (once === true) {
      this.#endIfThrough();
      this.#every(ASK_THROUGH_EVERY_MS, () => this.#askWhetherThrough(client.admin));
    }
    this.#logger.info('kafka opened', {
      source: this.name,
      brokers: brokersOf(settings).join(', '),
      group: settings.consumer_group,
      topics: this.#atStart.length,
      partitions: this.#atStart.reduce((sum, { partitions }) => sum + partitions.length, 0),
    });
  }

  #consume(client: KafkaClient): Promise<KafkaConsumer> {
    const { settings } = this.#options;
    return client.consume({
      group: settings.consumer_group,
      topics: topicsOf(settings),
      sessionMs: settings.session_s * 1000,
      releaseMs: settings.release_s * 1000,
      metadataAgeMs: settings.metadata_s * 1000,
      onAssigned: (assigned) => this.#assigned(assigned, client.admin),
      onBatch: ({ topic, partition, lost }, batch) => {
        if (!lost.aborted) this.#shares.get(partitionName({ topic, partition }))?.arrived(batch);
      },
      onRelease: (partitions) => this.#release(partitions),
      onFailure: (error) => this.#handOver.fail(isAortaError(error) ? error : unexpected(error)),
      onIncident: (incident) => this.#count(incident, 1),
    });
  }

  async #assigned(assigned: AssignedPartition, admin: KafkaAdmin): Promise<number> {
    const { settings, window } = this.#options;
    const name = partitionName(assigned);
    this.#shares.get(name)?.end();
    const beginning = beginningOf({
      assigned,
      group: settings.consumer_group,
      first: await this.#beganAt(assigned, admin),
      window,
      shown: this.#shown.get(name),
      whenExpired: settings.when_expired,
    });
    const { from, position, expired, blind, first } = beginning;
    this.#beginnings.set(name, first);
    if (expired > 0) {
      this.#count('expired', expired);
      this.#logger.warn('records expired before they were read', {
        source: this.name,
        partition: name,
        records: expired,
        from: position,
      });
    }
    if (blind > 0) {
      this.#count('blind', blind);
      this.#logger.warn('the redelivery window reaches back behind the log', {
        source: this.name,
        partition: name,
        records: blind,
      });
    }
    const share = new PartitionShare(assigned, beginning, {
      handOver: this.#handOver,
      lane: this.#progress.lane(
        { kind: 'partition', reader: this.name, of: name },
        { part: consumerPart(this.name), heardEveryMs: HEARD_EVERY_MS },
      ),
      logger: this.#logger,
      onIncident: (incident, count) => this.#count(incident, count),
      onWindowRead: (records, bytes, milliseconds) => {
        const ms = Math.round(milliseconds);
        this.#logger.info('redelivery window read again', { source: this.name, partition: name, records, bytes, ms });
        this.#metrics.count('aorta_redelivery_window_restores_total', { source: this.name });
        this.#metrics.observe('aorta_redelivery_window_restore_seconds', { source: this.name }, milliseconds / 1000);
      },
      clock: () => performance.now(),
    });
    this.#shares.set(name, share);
    const lost = (): void => {
      share.end();
      if (this.#shares.get(name) === share) this.#shares.delete(name);
      this.#logger.info('partition given up', { source: this.name, partition: name });
    };
    assigned.lost.addEventListener('abort', lost, { once: true });
    // Where a partition begins is decided once: who takes it over before anything was taken must not decide anew.
    if (assigned.committed === undefined && this.#start !== 'earliest') await within(ANSWER_MS, share.commit()).catch(() => {});
    if (assigned.lost.aborted) lost();
    this.#logger.info('partition assigned', { source: this.name, partition: name, from, position });
    return from;
  }

  /** The offset with which the group begins, or began: as it is noted beside its commit, or as this process remembers. */
  async #beganAt(assigned: AssignedPartition, admin: KafkaAdmin): Promise<number> {
    const { topic, partition, committed, note, low } = assigned;
    if (committed === undefined) return this.#firstOf(assigned, admin);
    const name = partitionName(assigned);
    const known = notedBeginning(note) ?? this.#beginnings.get(name);
    if (known !== undefined) return known;
    const from = await presumedBeginning(this.#start, committed, async (time) => (await admin.since(topic, time))[partition]);
    this.#count('beginning_lost', 1);
    this.#logger.warn('where the group began is not known any more', {
      source: this.name,
      partition: name,
      from,
      // Of the redelivery window, as far as it may have been read: redeliveries of these are not recognised.
      unread: this.#start === 'latest' ? Math.min(committed - low, this.#options.window) : 0,
    });
    return from;
  }

  /** The offset with which the group begins in a partition where it has never been. */
  async #firstOf({ topic, partition, low, end }: AssignedPartition, admin: KafkaAdmin): Promise<number> {
    if (this.#start === 'earliest') return low;
    if (this.#start === 'latest') {
      // What was not there when this process began is new from its first record on.
      return this.#atStart.find((one) => one.topic === topic)?.partitions[partition]?.end ?? low;
    }
    return (await admin.since(topic, this.#start))[partition] ?? end;
  }

  async #release(partitions: readonly AssignedPartition[]): Promise<void> {
    // Everything that was taken is durable when a source is closed, and what was not is nobody's.
    if (this.#closing) return;
    const shares = partitions.map((one) => this.#shares.get(partitionName(one)));
    await Promise.all(shares.map((share) => share?.release()));
  }

  /** A stop waits for what has to be written behind it, but not for ever. */
  #endSoon(): void {
    this.#timers.push(setTimeout(() => this.#stopping.abort(), this.#options.settings.release_s * 1000));
  }

  #every(milliseconds: number, work: () => void): void {
    this.#timers.push(setInterval(work, milliseconds));
  }

  #count(incident: string, count: number): void {
    this.#metrics.count('aorta_source_incidents_total', { source: this.name, incident }, count);
  }

  /** Asks where the logs end, so that who stands still is found out. */
  #askForEnds(admin: KafkaAdmin): void {
    if (this.#asking) return;
    this.#asking = true;
    const topics = [...new Set([...this.#shares.values()].map(({ topic }) => topic))];
    // Whoever has no partition, or has lost them all with the broker, has to hear something, too.
    const alive = topics.length === 0 ? admin.topics() : Promise.resolve();
    const asked = alive.then(() => Promise.all(topics.map(async (topic) => ({ topic, partitions: await admin.bounds(topic) }))));
    within(ANSWER_MS, asked)
      .then(
        (contents) => {
          this.#answered?.();
          this.#answered = undefined;
          for (const { topic, partitions } of contents) {
            for (const [partition, { end }] of partitions.entries()) {
              this.#shares.get(partitionName({ topic, partition }))?.logEnds(end);
            }
          }
        },
        () => {
          if (!this.#closing) this.#answered ??= this.#progress.wait(consumerPart(this.name), 'the brokers do not answer');
          this.#logger.debug('the ends of the logs were not told', { source: this.name });
        },
      )
      .finally(() => {
        this.#asking = false;
      });
  }

  /** Asks the group, too: partitions of other workers are through when their commits are. */
  #askWhetherThrough(admin: KafkaAdmin): void {
    if (this.#askingThrough) return;
    this.#askingThrough = true;
    const group = this.#options.settings.consumer_group;
    const asked = Promise.all(this.#atStart.map(async ({ topic }) => [topic, await admin.committed(group, topic)] as const));
    within(ANSWER_MS, asked)
      .then(
        (committed) => this.#endIfThrough(new Map(committed)),
        () => this.#logger.debug('the commits of the group were not told', { source: this.name }),
      )
      .finally(() => {
        this.#askingThrough = false;
      });
  }

  #endIfThrough(committed: ReadonlyMap<string, readonly (number | undefined)[]> = new Map()): void {
    for (const { topic, partitions } of this.#atStart) {
      for (const [partition, { low, end }] of partitions.entries()) {
        if (end === low) continue;
        const taken = this.#shares.get(partitionName({ topic, partition }))?.taken ?? 0;
        if (Math.max(taken, committed.get(topic)?.[partition] ?? 0) < end) return;
      }
    }
    this.#handOver.end();
  }
}

/** An exception that is not out of the catalogue: only its kind is told, since its message may quote a value. */
function unexpected(error: Error): AortaError {
  return new AortaError('AORTA-BUG', { place: 'source of kafka', problem: error.name });
}
