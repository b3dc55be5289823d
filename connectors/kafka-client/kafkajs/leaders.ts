import { AortaError } from '@aorta/runtime';
import type { Message } from 'kafkajs';
import type { TopicPartition } from '../client.ts';
import { atMost } from './deadline.ts';
import type { Broker, Cluster } from './internals.ts';
import { nameOf } from './positions.ts';
import { type NumberedBatch, produceOnce } from './produce-request.ts';
import type { BatchSequence, ProducerIdentity, Sequences } from './sequences.ts';

/** A connection to the cluster, as it is opened anew after a failure. */
export interface OpenCluster {
  readonly cluster: Cluster;
  disconnect(): Promise<void>;
}

export interface LeadersSettings {
  readonly open: () => Promise<OpenCluster>;
  readonly compression: number;
  /** Bytes of a request, about. */
  readonly requestBytes: number;
}

/** A batch, and the numbers of its partition. */
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

interface Desk {
  waiting: Waiting[];
  working: boolean;
}

/** The request demands a transaction timeout, in milliseconds. Without transactions the brokers do not use it. */
const TRANSACTION_MS = 60_000;
const CLOSE_MS = 3_000;

/** Sends batches to the leaders of their partitions: one request at a time to each, with everything that waits for it. */
export class Leaders {
  readonly #settings: LeadersSettings;
  readonly #desks = new Map<string, Desk>();
  #opened: Promise<OpenCluster> | undefined;
  /** As whom partitions are written that begin to count. */
  #identity: Promise<ProducerIdentity> | undefined;
  /** Somebody was told that a partition is led by another broker, or got no answer. */
  #outdated = false;

  constructor(settings: LeadersSettings) {
    this.#settings = settings;
  }

  /** Connects, so that what a person has to set right is said at once. */
  async connect(): Promise<void> {
    await this.#cluster();
  }

  /**
   * One try to write a batch; gives the offset of its first record. Rejects with why it was not written, or with a failure
   * that leaves that open: the same batch may be sent again, with the same numbers. Undefined where the cluster does not
   * know the partition, and nothing was sent.
   */
  async send(batch: Unsent): Promise<string | undefined> {
    const leader = await this.#leaderOf(batch.to);
    if (leader === undefined) return undefined;
    const desk = this.#desks.get(leader) ?? { waiting: [], working: false };
    this.#desks.set(leader, desk);
    try {
      return await new Promise<string>((written, failed) => {
        desk.waiting.push({ ...batch, written, failed });
        if (!desk.working) void this.#serve(leader, desk);
      });
    } catch (error) {
      this.#outdated = true;
      throw error;
    }
  }

  /** Partitions that begin to count from now on are written by another producer. */
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

  /** Never rejects: what goes wrong is told to those who wait. */
  async #serve(leader: string, desk: Desk): Promise<void> {
    desk.working = true;
    // Whatever comes in the same turn goes into the same request.
    await new Promise((resolve) => setImmediate(resolve));
    while (desk.waiting.length > 0) {
      const request = this.#take(desk);
      try {
        const { cluster } = await this.#cluster();
        const broker = await cluster.findBroker({ nodeId: leader });
        await this.#try(broker, request);
      } catch (error) {
        for (const { failed } of request) failed(error);
      }
    }
    desk.working = false;
  }

  /** As much as fits into one request, which is of one producer; those that begin to count come with any. */
  #take(desk: Desk): Waiting[] {
    let bytes = 0;
    const producer = ({ sequences }: Waiting): string | undefined => sequences.next()?.identity.producerId;
    const first = producer(desk.waiting[0]!);
    const [request, rest]: [Waiting[], Waiting[]] = [[], []];
    for (const batch of desk.waiting) {
      const fits = request.length === 0 || (producer(batch) === first && bytes + batch.bytes <= this.#settings.requestBytes);
      if (fits) bytes += batch.bytes;
      (fits ? request : rest).push(batch);
    }
    desk.waiting = rest;
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
      else
        failed(
          result ?? new AortaError('AORTA-BUG', { place: 'the Kafka producer', problem: 'an answer leaves a partition out' }),
        );
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
      // It may be new.
      await cluster.refreshMetadata();
      return Object.keys(cluster.findLeaderForPartitions(topic, [partition]))[0];
    } catch (error) {
      // Another connection knows nothing of topics that are gone, or of brokers that were where others are now.
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
