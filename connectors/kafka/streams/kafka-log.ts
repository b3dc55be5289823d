import {
  type Logger,
  type Metrics,
  type ProgressReports,
  type StepObserver,
  silentLogger,
  silentMetrics,
  unobserved,
  within,
} from '@aorta/runtime';
import { type StreamName, type StreamRecords, streamNames } from '@aorta/schemas';
import { type ReadBatch, type ReadLimit, type StreamLog, type StreamPartition, streamsBug } from '../../stream-log.ts';
import type { StreamMetrics } from '../../streams/metrics.ts';
import { registerTopic, topicOf } from '../../streams/topic-names.ts';
import type { KafkaAdmin, KafkaClient, KafkaIncident, LogBounds } from '../client/client.ts';
import { TopicError } from './errors.ts';
import { type KafkaStreamsSettings, streamsConnection } from './options.ts';
import { type RecordForm, RegisteredForm, SingleObject } from './record-form.ts';
import { Register } from './register.ts';
import { openRegistry } from './schema-registry.ts';
import { TopicAppender, type WrittenTopic } from './topic-appender.ts';
import { type MergedPosition, TopicReader } from './topic-reader.ts';
import { groupOf } from './topics.ts';

const ASK_EVERY_MS = 3_000;
const ANSWER_MS = 5_000;

interface KafkaLogOptions {
  /** The caller owns the client: closing the log does not close it. */
  readonly client: KafkaClient;
  readonly settings: KafkaStreamsSettings;
  readonly append?: boolean;
  /** The consumer group to join for reading. If omitted, no partitions are assigned to the log. */
  readonly read?: {
    readonly group: string;
    /** Default: all streams. */
    readonly streams?: readonly StreamName[];
    /** What to do if retention deleted unread records. Default: `settings.overtaken`. */
    readonly overtaken?: KafkaStreamsSettings['overtaken'];
    /** Returns the position up to which a partition has been merged into the tables. Reading starts there. */
    readonly carried: (of: StreamPartition) => MergedPosition | undefined | Promise<MergedPosition | undefined>;
    /** Called when more records can be read, when partitions were assigned or revoked, and when reading has failed. */
    readonly onNews: () => void;
  };
  readonly logger?: Logger;
  readonly metrics?: Metrics<StreamMetrics>;
  readonly onStep?: StepObserver;
  readonly onIncident?: (incident: KafkaIncident) => void;
  /** Used to report that the log is waiting while the brokers do not answer. */
  readonly progress?: ProgressReports;
}

/** The name used for the log in the message that explains why readiness fails. */
const PART = 'streams';

/**
 * Opens a stream log that is stored in Kafka topics. Rejects with AORTA-STREAM-TOPIC-MISSING if a topic does not exist, and with
 * the client's error if the cluster is unreachable.
 *
 * The Kafka log differs from the local log in four ways. Positions may have gaps. A partition can only be read forward. A
 * read may return no records because the records of the partition have not arrived yet. Kafka assigns and revokes partitions.
 */
export async function openKafkaLog(options: KafkaLogOptions): Promise<StreamLog> {
  const { client, settings, logger = silentLogger } = options;
  const topics = new Map(streamNames.map((stream) => [stream, topicOf(settings, stream)]));
  const present = new Set(await client.admin.topics());
  const missing = [...topics.values()].find((topic) => !present.has(topic));
  if (missing !== undefined) throw new TopicError('AORTA-STREAM-TOPIC-MISSING', { topic: missing });
  return await TopicLog.open(options, topics, await Register.open(client, registerTopic(settings), settings.prefix, logger));
}

interface KafkaStreamsOpening extends Omit<KafkaLogOptions, 'client'> {
  readonly clientId: string;
}

/** Like {@link openKafkaLog}, but opens its own connection. Closing the log also closes the connection. */
export async function openKafkaStreams({ clientId, ...options }: KafkaStreamsOpening): Promise<StreamLog> {
  // Imported here, so that the Kafka client is loaded only when it is needed.
  const { openKafka } = await import('../client/open.ts');
  await using opening = new AsyncDisposableStack();
  const { settings, logger = silentLogger } = options;
  const client = opening.use(openKafka(streamsConnection(settings, clientId), { logger }));
  const log = await openKafkaLog({ ...options, client });
  const close = log.close.bind(log);
  const connection = opening.move();
  log.close = async () => {
    await close();
    await connection.disposeAsync();
  };
  return log;
}

/** Selects the record format: Confluent's wire format if a registry is configured, otherwise Avro single-object encoding. */
export function formOf(
  { registry }: KafkaStreamsSettings,
  topics: ReadonlyMap<StreamName, string>,
  register: Register,
): RecordForm {
  const single = new SingleObject(register);
  // By default, Confluent's clients use this subject name, too.
  return registry === undefined
    ? single
    : new RegisteredForm(openRegistry(registry), (stream) => `${topics.get(stream)}-value`, single);
}

class TopicLog implements StreamLog {
  readonly #register: Register;
  #appender: TopicAppender | undefined;
  #topicReader: TopicReader | undefined;
  #unwatch: () => void = () => {};
  #closed: Promise<void> | undefined;

  private constructor(register: Register) {
    this.#register = register;
  }

  /** Opens the log. The log owns the register and closes it, even if opening fails. */
  static async open(options: KafkaLogOptions, topics: ReadonlyMap<StreamName, string>, register: Register): Promise<TopicLog> {
    const { client, settings, read, metrics = silentMetrics, logger = silentLogger } = options;
    await using opening = new AsyncDisposableStack();
    const log = new TopicLog(register);
    opening.defer(() => log.close());
    const form = formOf(settings, topics, register);
    const written = new Map<StreamName, WrittenTopic>();
    const bounds = new Map<string, readonly LogBounds[]>();
    await Promise.all([...topics.values()].map(async (topic) => bounds.set(topic, await client.admin.bounds(topic))));
    for (const [stream, topic] of topics) written.set(stream, { topic, ends: bounds.get(topic)!.map(({ end }) => end) });
    await register.settle(bounds);
    if (options.append === true) await register.reached(new Map([...written.values()].map(({ topic, ends }) => [topic, ends])));
    if (options.append === true) {
      log.#appender = new TopicAppender({
        producer: await client.producer({ compression: settings.compression }),
        form,
        topics: written,
        metrics,
        onStep: options.onStep ?? unobserved,
        onGrown: (stream, partition, end) => log.#grown(written.get(stream)!, { stream, partition }, end),
      });
    }
    if (read !== undefined) {
      log.#topicReader = await TopicReader.open({
        client,
        form,
        group: read.group,
        groupId: groupOf(settings, read.group),
        streams: new Map((read.streams ?? streamNames).map((stream) => [topics.get(stream)!, stream])),
        incarnation: (topic) => log.#incarnationNow(topic, client),
        carried: read.carried,
        onNews: read.onNews,
        bufferBytes: settings.buffer_bytes,
        overtaken: read.overtaken ?? settings.overtaken,
        logger,
        onIncident: options.onIncident,
      });
    }
    const unwatchBytes = metrics.watch((set) => set('aorta_stream_pending_bytes', {}, log.pendingBytes()));
    const unwatchBrokers = options.progress === undefined ? () => {} : watchBrokers(client.admin, options.progress, PART);
    log.#unwatch = () => {
      unwatchBytes();
      unwatchBrokers();
    };
    opening.move();
    return log;
  }

  assigned(): readonly StreamPartition[] {
    return this.#topicReader?.assigned() ?? [];
  }

  incarnation(of: StreamPartition): string {
    return this.#topicReader?.incarnation(of) ?? '';
  }

  start(of: StreamPartition): number {
    return this.#topicReader?.start(of) ?? 0;
  }

  end(of: StreamPartition): number {
    return this.#topicReader?.end(of) ?? 0;
  }

  async look(): Promise<void> {
    await this.#topicReader?.look();
  }

  append<S extends StreamName>(stream: S, record: StreamRecords[S]): void {
    this.#checkOpen();
    if (this.#appender === undefined) throw streamsBug('write to a log that was opened for reading');
    this.#appender.append(stream, record);
  }

  pendingBytes(): number {
    return this.#appender?.pendingBytes() ?? 0;
  }

  async flush(): Promise<void> {
    this.#checkOpen();
    if (this.#appender === undefined) throw streamsBug('write to a log that was opened for reading');
    await this.#appender.flush();
  }

  onDurable(listener: () => void): () => void {
    return this.#appender?.onDurable(listener) ?? (() => {});
  }

  async read<S extends StreamName>(of: StreamPartition<S>, from: number, limit: ReadLimit): Promise<ReadBatch<S>> {
    this.#checkOpen();
    return this.#reader().read(of, from, limit);
  }

  async commit(group: string, of: StreamPartition, position: number): Promise<void> {
    this.#checkOpen();
    await this.#reader().commit(group, of, position);
  }

  committed(group: string, of: StreamPartition): number | undefined {
    return this.#topicReader?.committed(group, of);
  }

  groups(of: StreamPartition): readonly string[] {
    return this.#topicReader?.groups(of) ?? [];
  }

  close(): Promise<void> {
    this.#closed ??= this.#closeOnce();
    return this.#closed;
  }

  async #closeOnce(): Promise<void> {
    this.#unwatch();
    await this.#topicReader?.close();
    await this.#appender?.close();
    await this.#register.close();
  }

  /**
   * Returns the current incarnation of a topic. The topic may have been created again since this log was opened, and another
   * process may already have noted the new incarnation.
   */
  async #incarnationNow(topic: string, { admin }: KafkaClient): Promise<string> {
    // Read the notes before the bounds: if a noted end were newer than the bounds, the topic would look shorter than it is.
    // Compare all partitions, because a single partition of a new topic may already be as long as that of the old one.
    await this.#register.readNew();
    await this.#register.settle(new Map([[topic, await admin.bounds(topic)]]));
    return this.#register.incarnation(topic);
  }

  async #grown({ topic, ends }: WrittenTopic, of: StreamPartition, end: number): Promise<void> {
    this.#topicReader?.grown(of, end);
    // When the first records are in the topic, note its ends, so that a new topic with the same name can be recognized.
    if (!this.#register.heldRecords(topic)) await this.#register.reached(new Map([[topic, ends]]));
  }

  #reader(): TopicReader {
    if (this.#topicReader === undefined) throw streamsBug('read from a log that was opened for writing');
    return this.#topicReader;
  }

  #checkOpen(): void {
    if (this.#closed !== undefined) throw streamsBug('the log was used after it was closed');
  }
}

/**
 * Polls the brokers that hold the streams, so that readiness fails if none of them answers. Without polling, a process that only
 * waits for records or acknowledgements would not notice that the brokers are unreachable. A request that takes
 * longer than {@link ANSWER_MS} counts as unanswered. Returns a function that stops the polling.
 */
export function watchBrokers(admin: Pick<KafkaAdmin, 'topics'>, progress: ProgressReports, part: string): () => void {
  let answered: (() => void) | undefined;
  let asking = false;
  let ended = false;
  const ask = async (): Promise<void> => {
    asking = true;
    try {
      await within(ANSWER_MS, admin.topics());
      answered?.();
      answered = undefined;
    } catch {
      if (!ended) answered ??= progress.wait(part, 'the brokers of the streams do not answer');
    } finally {
      asking = false;
    }
  };
  const timer = setInterval(() => {
    if (!asking) void ask();
  }, ASK_EVERY_MS);
  return () => {
    ended = true;
    clearInterval(timer);
    answered?.();
  };
}
