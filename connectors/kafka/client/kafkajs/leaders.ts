import { createRequire } from 'node:module';
import { AortaError } from '@aorta/runtime';
import type { Message } from 'kafkajs';
import type { TopicPartition } from '../client.ts';
import { atMost, type OpenCluster } from './connection.ts';
import type { Broker, PartitionAnswer, RequestDefinition } from './internals.ts';
import { nameOf } from './offsets.ts';

const require = createRequire(import.meta.url);

/** Transaction timeout in milliseconds. The request for a producer id requires it, but it has no effect without transactions. */
const TRANSACTION_MS = 60_000;

const CLOSE_MS = 3_000;

/** The number that identifies a produce request in the Kafka protocol. */
const PRODUCE = 0;

/** Maximum time, in milliseconds, that a broker waits for its replicas. */
const REPLICAS_MS = 30_000;

/** The `acks` setting that waits for all in-sync replicas. */
const ALL_IN_SYNC = -1;

/** Sequence numbers have 31 bits and wrap to 0. */
const NUMBERS = 2 ** 31;

export interface LeadersSettings {
  readonly open: () => Promise<OpenCluster>;
  readonly compression: number;
  /** Approximate maximum size of a request, in bytes. */
  readonly requestBytes: number;
}

/** A batch, and the sequence numbers of its partition. */
export interface Unsent {
  readonly to: TopicPartition;
  readonly messages: readonly Message[];
  readonly bytes: number;
  readonly sequences: Sequences;
}

interface Waiting extends Unsent {
  readonly written: (offset: string) => void;
  readonly failed: (error: unknown) => void;
}

interface LeaderQueue {
  waiting: Waiting[];
  working: boolean;
}

/**
 * Sends batches to the leaders of their partitions. Each leader gets one request at a time. New batches for a leader wait, and
 * the next request contains as many of them as fit.
 */
export class Leaders {
  readonly #settings: LeadersSettings;
  readonly #queues = new Map<string, LeaderQueue>();
  #opened: Promise<OpenCluster> | undefined;
  /** The producer id for partitions whose sequence numbers restart. */
  #identity: Promise<ProducerIdentity> | undefined;
  /** Set if a leader has changed or did not answer, so the metadata must be refreshed. */
  #outdated = false;

  constructor(settings: LeadersSettings) {
    this.#settings = settings;
  }

  /** Connects, so that configuration errors are reported at once. */
  async connect(): Promise<void> {
    await this.#cluster();
  }

  /**
   * Sends a batch once and returns the offset of its first record. Rejects if the batch was refused or its outcome is unknown.
   * The batch may then be sent again with the same sequence numbers. Returns undefined, without sending, if the cluster does not
   * know the partition.
   */
  async send(batch: Unsent): Promise<string | undefined> {
    const leader = await this.#leaderOf(batch.to);
    if (leader === undefined) return undefined;
    const queue = this.#queues.get(leader) ?? { waiting: [], working: false };
    this.#queues.set(leader, queue);
    try {
      return await new Promise<string>((written, failed) => {
        queue.waiting.push({ ...batch, written, failed });
        if (!queue.working) void this.#serve(leader, queue);
      });
    } catch (error) {
      this.#outdated = true;
      throw error;
    }
  }

  /** From now on, partitions that restart their sequence numbers get a new producer id. */
  renewIdentity(): void {
    this.#identity = undefined;
  }

  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    if (opened !== undefined)
      await atMost(
        CLOSE_MS,
        opened.then((open) => open.disconnect()),
      );
  }

  /** Sends the batches that wait for a leader. Never rejects, because errors are passed to the batches. */
  async #serve(leader: string, queue: LeaderQueue): Promise<void> {
    queue.working = true;
    // Waits for other batches in the same event-loop turn, so that they can share a request.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.waiting.length > 0) {
      const request = this.#take(queue);
      try {
        const { cluster } = await this.#cluster();
        const broker = await cluster.findBroker({ nodeId: leader });
        await this.#try(broker, request);
      } catch (error) {
        for (const { failed } of request) failed(error);
      }
    }
    queue.working = false;
  }

  /**
   * Removes and returns as many waiting batches as fit into one request. Either all of them have the same producer id, or none
   * has an id.
   */
  #take(queue: LeaderQueue): Waiting[] {
    let bytes = 0;
    const producer = ({ sequences }: Waiting): string | undefined => sequences.next()?.identity.producerId;
    const first = producer(queue.waiting[0]!);
    const [request, rest]: [Waiting[], Waiting[]] = [[], []];
    for (const batch of queue.waiting) {
      const fits = request.length === 0 || (producer(batch) === first && bytes + batch.bytes <= this.#settings.requestBytes);
      if (fits) bytes += batch.bytes;
      (fits ? request : rest).push(batch);
    }
    queue.waiting = rest;
    return request;
  }

  async #try(broker: Broker, request: readonly Waiting[]): Promise<void> {
    const numbered: NumberedBatch[] = [];
    for (const { to, messages, sequences } of request)
      numbered.push({ to, messages, sequence: sequences.next() ?? (await this.#begin(broker, sequences)) });
    const results = await produceOnce(broker, numbered, this.#settings.compression);
    for (const { to, written, failed } of request) {
      const result = results.get(nameOf(to));
      if (typeof result === 'string') written(result);
      else failed(result ?? new AortaError('AORTA-BUG', { place: 'the Kafka producer', problem: 'an answer omits a partition' }));
    }
  }

  async #begin(broker: Broker, sequences: Sequences): Promise<BatchSequence> {
    this.#identity ??= broker.initProducerId({ transactionTimeout: TRANSACTION_MS });
    const asked = this.#identity;
    try {
      const { producerId, producerEpoch } = await asked;
      return sequences.begin({ producerId, producerEpoch });
    } catch (error) {
      if (this.#identity === asked) this.#identity = undefined;
      throw error;
    }
  }

  async #leaderOf({ topic, partition }: TopicPartition): Promise<string | undefined> {
    const { cluster } = await this.#cluster();
    const opened = this.#opened;
    try {
      const outdated = this.#outdated;
      this.#outdated = false;
      await cluster.addMultipleTargetTopics([topic]);
      if (outdated) await cluster.refreshMetadata();
      const known = Object.keys(cluster.findLeaderForPartitions(topic, [partition]))[0];
      if (known !== undefined) return known;
      // The partition may be new.
      await cluster.refreshMetadata();
      return Object.keys(cluster.findLeaderForPartitions(topic, [partition]))[0];
    } catch (error) {
      // Close the connection: it may have cached deleted topics and outdated broker addresses.
      if (this.#opened === opened) await this.close();
      throw error;
    }
  }

  async #cluster(): Promise<OpenCluster> {
    this.#opened ??= this.#settings.open();
    const opening = this.#opened;
    try {
      return await opening;
    } catch (error) {
      if (this.#opened === opening) this.#opened = undefined;
      throw error;
    }
  }
}

/** Records of one partition, with the sequence number that all attempts share. */
interface NumberedBatch {
  readonly to: TopicPartition;
  readonly messages: readonly Message[];
  readonly sequence: BatchSequence;
}

/**
 * Sends batches of one producer to the leader of their partitions, without retries. Returns the outcome of each batch, keyed by
 * {@link nameOf}: the offset of its first record, or the error with which it was refused. If no answer arrives, the call
 * rejects, and the outcome of every batch is unknown.
 *
 * The library's own producer is not used, for two reasons. First, it assigns sequence numbers when it sends records. If one of
 * several brokers fails, a retry sends new numbers to the other brokers. If the leader of a partition has changed in the
 * meantime, its records are then written twice or not at all. tulios/kafkajs#22 fixes that only for a single call. Second, if
 * an answer reports an error for one partition, the library drops the results of the other partitions.
 */
async function produceOnce(
  broker: Broker,
  batches: readonly NumberedBatch[],
  compression: number,
): Promise<ReadonlyMap<string, string | Error>> {
  const { requests } = require('kafkajs/src/protocol/requests') as { requests: { Produce: RequestDefinition } };
  const { createErrorFromCode } = require('kafkajs/src/protocol/error') as { createErrorFromCode(code: number): Error };
  const { identity } = batches[0]!.sequence;
  const produce = broker.lookupRequest(PRODUCE, requests.Produce);
  const { request, response } = produce({
    acks: ALL_IN_SYNC,
    timeout: REPLICAS_MS,
    compression,
    ...identity,
    topicData: topicDataOf(batches),
  });
  // Does not parse the response, because the library's own `parse` throws the first error and drops the other results.
  const told = { decode: response.decode, parse: async (data: unknown) => data };
  let answer: { readonly topics: readonly { readonly topicName: string; readonly partitions: readonly PartitionAnswer[] }[] };
  try {
    answer = (await broker.connectionPool.send({ request, response: told })) as typeof answer;
  } catch (error) {
    if ((error as Error).name === 'KafkaJSConnectionClosedError') await broker.disconnect();
    throw error;
  }
  const results = new Map<string, string | Error>();
  for (const { topicName: topic, partitions } of answer.topics) {
    for (const { partition, errorCode, baseOffset } of partitions)
      results.set(nameOf({ topic, partition }), errorCode === 0 ? baseOffset : createErrorFromCode(errorCode));
  }
  return results;
}

function topicDataOf(batches: readonly NumberedBatch[]): object[] {
  const topics = Map.groupBy(batches, ({ to }) => to.topic);
  return [...topics].map(([topic, some]) => ({
    topic,
    partitions: some.map(({ to, messages, sequence }) => ({
      partition: to.partition,
      firstSequence: sequence.first,
      messages,
    })),
  }));
}

/** A producer's id. Brokers recognize a repeated batch by this id and its first sequence number. */
interface ProducerIdentity {
  readonly producerId: string;
  readonly producerEpoch: number;
}

/** The producer of a batch, and the sequence number of its first record. */
interface BatchSequence {
  readonly identity: ProducerIdentity;
  readonly first: number;
}

export function sequenceAfter(first: number, records: number): number {
  return (first + records) % NUMBERS;
}

/**
 * The sequence numbers of one partition. All attempts to write a batch use the same number, and the next batch gets its number
 * only after the previous batch is written. A broker therefore recognizes every attempt, and no number is used for two batches.
 */
export class Sequences {
  #identity: ProducerIdentity | undefined;
  #next = 0;

  /** Returns the sequence number of the next batch, or undefined if there is no identity. */
  next(): BatchSequence | undefined {
    return this.#identity === undefined ? undefined : { identity: this.#identity, first: this.#next };
  }

  /** Restarts the sequence numbers at 0 with a new identity. */
  begin(identity: ProducerIdentity): BatchSequence {
    this.#identity = identity;
    this.#next = 0;
    return { identity, first: 0 };
  }

  /** Advances the sequence number after a batch with this many records was written. */
  written(records: number): void {
    this.#next = sequenceAfter(this.#next, records);
  }

  /** Drops the identity, because the brokers' state is unknown or lost. The next batch needs a new identity. */
  forget(): void {
    this.#identity = undefined;
  }
}
