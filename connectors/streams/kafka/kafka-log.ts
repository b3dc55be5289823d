import {
  type Logger,
  type Metrics,
  type ProgressReports,
  type StepObserver,
  silentLogger,
  silentMetrics,
  unobserved,
} from '@aorta/runtime';
import { type StreamName, type StreamRecords, streamNames } from '@aorta/schemas';
import type { KafkaClient, KafkaIncident, LogBounds } from '../../kafka-client/index.ts';
import type { ReadBatch, ReadLimit, StreamLog, StreamPartition } from '../../stream-log.ts';
import { streamsBug } from '../bug.ts';
import type { StreamMetrics } from '../metrics.ts';
import { watchBrokers } from './answering.ts';
import { Appending, type WrittenTopic } from './appending.ts';
import { TopicError } from './errors.ts';
import type { KafkaStreamsSettings } from './options.ts';
import { type Carried, Reading } from './reading.ts';
import { type RecordForm, SingleObject } from './record-form.ts';
import { Register } from './register.ts';
import { RegisteredForm } from './registry/registered-form.ts';
import { openRegistry } from './registry/schema-registry.ts';
import { groupOf, registerTopic, topicOf } from './topics.ts';

export interface KafkaLogOptions {
  /** Stays the caller's: it is not closed with the log. */
  readonly client: KafkaClient;
  readonly settings: KafkaStreamsSettings;
  /** Whether the log can be appended to. */
  readonly append?: boolean;
  /** As which member it reads; where left out, it has no partitions. */
  readonly read?: {
    readonly group: string;
    /** Default: all. */
    readonly streams?: readonly StreamName[];
    /** Where retention has dropped what was not read yet; default: as the settings say. */
    readonly overtaken?: KafkaStreamsSettings['overtaken'];
    /** How far a partition is in the tables: reading begins there. */
    readonly carried: (of: StreamPartition) => Carried | undefined | Promise<Carried | undefined>;
    /** Hears that there is more to read, that partitions came or went, or that reading has ended. */
    readonly onNews: () => void;
  };
  readonly logger?: Logger;
  readonly metrics?: Metrics<StreamMetrics>;
  readonly onStep?: StepObserver;
  readonly onIncident?: (incident: KafkaIncident) => void;
  /** Hears when the brokers do not answer. */
  readonly progress?: ProgressReports;
}

/** What waits for the brokers, in the reasons of readiness. */
const PART = 'streams';

/**
 * The stream log on topics. Rejects with AORTA-STREAM-TOPIC-MISSING where a topic was not made yet, and as the client
 * does where the cluster cannot be used.
 *
 * Beyond the local form: positions may leave numbers out; a partition is read onwards from where it was begun, never
 * back; a read may give nothing though the partition has more, which has not arrived yet; partitions come and go.
 */
export async function openKafkaLog(options: KafkaLogOptions): Promise<StreamLog> {
  const { client, settings, logger = silentLogger } = options;
  const topics = new Map(streamNames.map((stream) => [stream, topicOf(settings, stream)]));
  const present = new Set(await client.admin.topics());
  const missing = [...topics.values()].find((topic) => !present.has(topic));
  if (missing !== undefined) throw new TopicError('AORTA-STREAM-TOPIC-MISSING', { topic: missing });
  return await TopicLog.open(options, topics, await Register.open(client, registerTopic(settings), settings.prefix, logger));
}

/** How records are written and read: single objects, or by a registry. */
export function formOf(
  { registry }: KafkaStreamsSettings,
  topics: ReadonlyMap<StreamName, string>,
  register: Register,
): RecordForm {
  const single = new SingleObject(register);
  // Subjects are called by their topics, as Confluent's own clients do.
  return registry === undefined
    ? single
    : new RegisteredForm(openRegistry(registry), (stream) => `${topics.get(stream)}-value`, single);
}

class TopicLog implements StreamLog {
  readonly #register: Register;
  #appending: Appending | undefined;
  #reading: Reading | undefined;
  #unwatch: () => void = () => {};
  #closed: Promise<void> | undefined;

  private constructor(register: Register) {
    this.#register = register;
  }

  /** Opens the log. It closes the register with itself, and also if opening fails. */
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
      log.#appending = new Appending({
        producer: await client.producer({ compression: settings.compression }),
        form,
        topics: written,
        metrics,
        onStep: options.onStep ?? unobserved,
        onGrown: (stream, partition, end) => log.#grown(written.get(stream)!, { stream, partition }, end),
      });
    }
    if (read !== undefined) {
      log.#reading = await Reading.open({
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
        ...(options.onIncident === undefined ? {} : { onIncident: options.onIncident }),
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
    return this.#reading?.assigned() ?? [];
  }

  incarnation(of: StreamPartition): string {
    return this.#reading?.incarnation(of) ?? '';
  }

  start(of: StreamPartition): number {
    return this.#reading?.start(of) ?? 0;
  }

  end(of: StreamPartition): number {
    return this.#reading?.end(of) ?? 0;
  }

  async look(): Promise<void> {
    await this.#reading?.look();
  }

  append<S extends StreamName>(stream: S, record: StreamRecords[S]): void {
    this.#checkOpen();
    if (this.#appending === undefined) throw streamsBug('a log for reading was written to');
    this.#appending.append(stream, record);
  }

  pendingBytes(): number {
    return this.#appending?.pendingBytes() ?? 0;
  }

  async flush(): Promise<void> {
    this.#checkOpen();
    if (this.#appending === undefined) throw streamsBug('a log for reading was written to');
    await this.#appending.flush();
  }

  onDurable(listener: () => void): () => void {
    return this.#appending?.onDurable(listener) ?? (() => {});
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
    return this.#reading?.committed(group, of);
  }

  groups(of: StreamPartition): readonly string[] {
    return this.#reading?.groups(of) ?? [];
  }

  close(): Promise<void> {
    this.#closed ??= this.#closeOnce();
    return this.#closed;
  }

  async #closeOnce(): Promise<void> {
    this.#unwatch();
    await this.#reading?.close();
    await this.#appending?.close();
    await this.#register.close();
  }

  /** The topic may have been made anew since this log was opened, and somebody else have noted it. */
  async #incarnationNow(topic: string, { admin }: KafkaClient): Promise<string> {
    // The notes first: an end that somebody notes after a look at the topic would make it look shorter than it was. All
    // partitions are looked at: of a topic that was made anew the one that is assigned may be full already.
    await this.#register.readOn();
    await this.#register.settle(new Map([[topic, await admin.bounds(topic)]]));
    return this.#register.incarnation(topic);
  }

  async #grown({ topic, ends }: WrittenTopic, of: StreamPartition, end: number): Promise<void> {
    this.#reading?.grown(of, end);
    // Once: after that the topic can be told from one that is made anew.
    if (!this.#register.heldRecords(topic)) await this.#register.reached(new Map([[topic, ends]]));
  }

  #reader(): Reading {
    if (this.#reading === undefined) throw streamsBug('a log for writing was read');
    return this.#reading;
  }

  #checkOpen(): void {
    if (this.#closed !== undefined) throw streamsBug('the log was used after it was closed');
  }
}
