import { AortaError } from '@aorta/runtime';
import type { Message } from 'kafkajs';
import type { TopicPartition } from '../client.ts';
import { atMost } from './deadline.ts';
import type { Broker, Cluster } from './internals.ts';
import { nameOf } from './positions.ts';
import { type NumberedBatch, produceOnce } from './produce-request.ts';
import type { BatchSequence, ProducerIdentity, Sequences } from './sequences.ts';

/** An open connection to the cluster. It is replaced after a failure. */
export interface OpenCluster {
  readonly cluster: Cluster;
  disconnect(): Promise<void>;
}

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

/** Transaction timeout in milliseconds. The request for a producer id requires it, but it has no effect without transactions. */
const TRANSACTION_MS = 60_000;
const CLOSE_MS = 3_000;

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
