import type { KafkaAdmin, KafkaClient, KafkaProducer, ProducedRecord } from '../../kafka/client/client.ts';
import { openKafka } from '../../kafka/client/open.ts';
import { connectionOf } from '../../kafka/source/cluster.ts';
import type { KafkaSettings } from '../../kafka/source/options.ts';
import { type KafkaPosition, KafkaSource } from '../../kafka/source/source.ts';
import type { Delivery, DeliveryBatch, Source, SourceSurroundings } from '../../source.ts';
import { type IntakeLog, type Message, partitionByUser } from '../message.ts';
import type { IntakeTopic } from '../options.ts';

const HOUR_MS = 3_600_000;

interface TopicIntakeOptions {
  readonly client: KafkaClient;
  readonly topic: string;
  readonly partitions: number;
  /** Reads the topic as a member of the workers' consumer group. */
  readonly reader: Source<KafkaPosition>;
  /** Returns the partition of a message. Default: by user. Only tests set this. */
  readonly partitionOf?: (message: Message) => number;
}

/** Headers with the times of a message, in microseconds since 1970. The timestamp of the record may be the broker's. */
const RECEIVED_AT = 'aorta-received-at';
const ARRIVED_AT = 'aorta-arrived-at';
/** Maximum bytes of bodies in one produce call. */
const CALL_BYTES = 512 * 1024;

interface Waiting {
  readonly record: ProducedRecord;
  readonly bytes: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** An intake log in a Kafka topic. Any number of receivers append to it, and any number of workers share its partitions. */
export class TopicIntake implements IntakeLog<KafkaPosition> {
  readonly #options: TopicIntakeOptions;
  readonly #producer: KafkaProducer;
  /** By partition: messages for the next produce call. Absent if no call runs. */
  readonly #waiting = new Map<number, Waiting[]>();
  readonly #running = new Set<Promise<void>>();

  private constructor(options: TopicIntakeOptions, producer: KafkaProducer) {
    this.#options = options;
    this.#producer = producer;
  }

  /** Rejects with AORTA-KAFKA-… if the cluster cannot be used. */
  static async open(options: TopicIntakeOptions): Promise<TopicIntake> {
    return new TopicIntake(options, await options.client.producer({ compression: 'zstd', inFlight: options.partitions }));
  }

  append(message: Message): Promise<void> {
    const { partitions, partitionOf = (one) => partitionByUser(one, partitions) } = this.#options;
    const partition = partitionOf(message);
    return new Promise((resolve, reject) => {
      const one = { record: recordOf(message), bytes: message.body.length, resolve, reject };
      const waiting = this.#waiting.get(partition);
      if (waiting !== undefined) {
        waiting.push(one);
        return;
      }
      this.#waiting.set(partition, [one]);
      const running = this.#produceAll(partition).finally(() => this.#running.delete(running));
      this.#running.add(running);
    });
  }

  /** The topic has its own retention, so the backlog is not bounded here. */
  backlogBytes(): number {
    return 0;
  }

  async *batches(signal: AbortSignal): AsyncGenerator<DeliveryBatch<KafkaPosition>> {
    for await (const batch of this.#options.reader.batches(signal)) {
      yield { ...batch, deliveries: batch.deliveries.map(withTimes) };
    }
  }

  commit(positions: readonly KafkaPosition[]): Promise<void> {
    return this.#options.reader.commit(positions);
  }

  async close(): Promise<void> {
    await Promise.all(this.#running);
    await this.#options.reader.close?.();
    await this.#options.client.close();
  }

  /** Produces everything that waits for the partition, one call at a time. Never rejects. */
  async #produceAll(partition: number): Promise<void> {
    for (;;) {
      const waiting = this.#waiting.get(partition)!;
      if (waiting.length === 0) break;
      const call = takeCall(waiting);
      try {
        await this.#producer.produce(
          { topic: this.#options.topic, partition },
          call.map(({ record }) => record),
        );
        for (const { resolve } of call) resolve();
      } catch (error) {
        for (const { reject } of call) reject(error);
      }
    }
    this.#waiting.delete(partition);
  }
}

/** Removes the messages of one call from the list: at least one, and at most {@link CALL_BYTES}. */
function takeCall(waiting: Waiting[]): Waiting[] {
  let bytes = 0;
  const over = waiting.findIndex((one) => {
    bytes += one.bytes;
    return bytes > CALL_BYTES;
  });
  return waiting.splice(0, over === -1 ? waiting.length : Math.max(over, 1));
}

function recordOf({ receivedAt, arrivedAt, user, headers, body }: Message): ProducedRecord {
  const facts: [string, string][] = [...headers, [RECEIVED_AT, String(receivedAt)], [ARRIVED_AT, String(arrivedAt)]];
  return {
    key: user === null ? null : Buffer.from(user, 'utf8'),
    value: body,
    headers: facts.map(([name, value]) => [name, Buffer.from(value, 'utf8')] as const),
    timestamp: Math.floor(arrivedAt / 1000),
  };
}

/** Moves the times from the headers to the members of the delivery. A record of another program keeps its timestamp. */
function withTimes(delivery: Delivery): Delivery {
  const headers = new Map(delivery.headers);
  const received = timeIn(headers, RECEIVED_AT);
  const arrived = timeIn(headers, ARRIVED_AT);
  if (received === undefined || arrived === undefined) return delivery;
  headers.delete(RECEIVED_AT);
  headers.delete(ARRIVED_AT);
  return { ...delivery, headers, receivedAt: received, arrivedAt: arrived };
}

function timeIn(headers: ReadonlyMap<string, string | Buffer>, name: string): number | undefined {
  const value = headers.get(name);
  return typeof value === 'string' && /^[0-9]{1,16}$/.test(value) ? Number(value) : undefined;
}

/** Opens the intake log in a topic, and creates the topic if it does not exist. Rejects with AORTA-KAFKA-…. */
export async function openTopicIntake(
  intake: IntakeTopic,
  settings: KafkaSettings,
  surroundings: SourceSurroundings,
): Promise<TopicIntake> {
  const { topic } = intake;
  const client = openKafka(await connectionOf(settings, surroundings.worker), surroundings);
  try {
    const partitions = (await client.admin.partitions(topic)) ?? (await create(client.admin, intake));
    const reader = new KafkaSource({ ...surroundings, settings, open: openKafka });
    return await TopicIntake.open({ client, topic, partitions, reader });
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** Creates the topic. Another receiver may have created it at the same time, with its own number of partitions. */
async function create(admin: KafkaAdmin, { topic, partitions, replicas, retention_hours }: IntakeTopic): Promise<number> {
  const settings = {
    'cleanup.policy': 'delete',
    'retention.ms': String(Math.round(retention_hours * HOUR_MS)),
    'retention.bytes': '-1',
    'message.timestamp.type': 'LogAppendTime',
  };
  await admin.create({ topic, partitions, settings, replicas });
  return (await admin.partitions(topic)) ?? partitions;
}
