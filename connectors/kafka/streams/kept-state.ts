import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AortaError, isAortaError, silentLogger } from '@aorta/runtime';
import type { KeptEntries } from '../../ownership.ts';
import { stateTopic } from '../../streams/topic-names.ts';
import type { KafkaClient, KafkaProducer, ProducedRecord } from '../client/client.ts';
import { readToEnd } from './compacted-topic.ts';
import { TopicError } from './errors.ts';
import { type KafkaStreamsSettings, streamsConnection } from './options.ts';
import { inCalls, partitionOfKey } from './topic-appender.ts';

/** A read fails if it has not reached the end and no record arrives for this many milliseconds. */
const SILENT_MS = 60_000;
/** Name of the entry that holds the claim of the worker that opened the state last. */
const CLAIM = '';
/** Milliseconds after which a write gives up, and the pause between two attempts. */
const WRITE_MS = 120_000;
const PAUSE_MS = 500;

export interface KeptStateOpening {
  /** The caller owns the client: closing the state does not close it. */
  readonly client: KafkaClient;
  readonly prefix: string;
  /** Name of the job that owns the state. It may contain letters, digits and dashes. Several jobs share the topic. */
  readonly owner: string;
}

/**
 * State that a worker stores for the worker that takes over its job: named strings in a compacted topic. Opening the state
 * claims it and reads all entries. A worker that is frozen while it owns the job can wake up after the next worker has claimed
 * the state. Two fences refuse its writes:
 *
 * - All writes use the job's transactional id. Claiming takes this id over, so the brokers refuse the writes of earlier owners.
 * - The first record of an owner is its claim. After a failed write, the owner takes the id over again, and goes on only if
 *   the newest claim in the topic is its own.
 */
export class KeptState implements KeptEntries {
  readonly #opening: KeptStateOpening;
  readonly #partition: number;
  readonly #claim = randomUUID();
  #entries: ReadonlyMap<string, string> = new Map();
  #producer: KafkaProducer;
  /** Set once another worker has claimed the state. */
  #taken: AortaError | undefined;

  private constructor(opening: KeptStateOpening, partition: number, producer: KafkaProducer) {
    this.#opening = opening;
    this.#partition = partition;
    this.#producer = producer;
  }

  /** Rejects with AORTA-STREAM-TOPIC-MISSING if the topic does not exist, and with AORTA-STREAM-SILENT if no record of a non-empty topic arrives. */
  static async open(opening: KeptStateOpening): Promise<KeptState> {
    const topic = stateTopic(opening);
    const partitions = await opening.client.admin.partitions(topic);
    if (partitions === undefined) throw new TopicError('AORTA-STREAM-TOPIC-MISSING', { topic });
    const partition = partitionOfKey(Buffer.from(opening.owner), partitions);
    const state = new KeptState(opening, partition, await producerOf(opening));
    try {
      await state.#produce([{ key: Buffer.from(`${opening.owner}/${CLAIM}`), value: Buffer.from(state.#claim) }]);
      state.#entries = await state.#readOwn();
      return state;
    } catch (error) {
      await state.close();
      throw error;
    }
  }

  /** Returns the entries read at opening and releases them, because they may need much memory. Later calls return an empty map. */
  take(): ReadonlyMap<string, string> {
    const entries = this.#entries;
    this.#entries = new Map();
    return entries;
  }

  /**
   * Durably writes entries in order; null deletes an entry. If the call rejects, the first entries may already be written.
   * Rejects with AORTA-STREAM-STATE-TAKEN if another worker has claimed the state.
   */
  async write(entries: readonly (readonly [name: string, text: string | null])[]): Promise<void> {
    const { owner } = this.#opening;
    const records = entries.map(
      ([name, text]): ProducedRecord => ({
        key: Buffer.from(`${owner}/${name}`),
        value: text === null ? null : Buffer.from(text),
      }),
    );
    for (const some of inCalls(records)) await this.#writeOwn(some);
  }

  /** Never rejects. */
  close(): Promise<void> {
    return this.#producer.close();
  }

  /** Writes records. After a failure, tries again, unless another worker has claimed the state. */
  async #writeOwn(records: readonly ProducedRecord[]): Promise<void> {
    const deadline = performance.now() + WRITE_MS;
    for (let attempt = 1; ; attempt++) {
      if (this.#taken !== undefined) throw this.#taken;
      try {
        if (attempt > 1) await this.#resume();
        return await this.#produce(records);
      } catch (error) {
        const mayPass = isAortaError(error) && error.class === 'transient';
        if (!mayPass || this.#taken !== undefined || performance.now() > deadline) throw error;
        await sleep(PAUSE_MS);
      }
    }
  }

  /** Takes the transactional id over again, because the last write was refused, or its outcome is unknown. */
  async #resume(): Promise<void> {
    await this.#producer.close();
    this.#producer = await producerOf(this.#opening);
    await this.#readOwn();
  }

  async #produce(records: readonly ProducedRecord[]): Promise<void> {
    await this.#producer.produce({ topic: stateTopic(this.#opening), partition: this.#partition }, records);
  }

  async #readOwn(): Promise<ReadonlyMap<string, string>> {
    const entries = await readAll(this.#opening, this.#partition);
    const isOwn = entries.get(CLAIM) === this.#claim;
    entries.delete(CLAIM);
    if (isOwn) return entries;
    this.#taken = new TopicError('AORTA-STREAM-STATE-TAKEN', { job: this.#opening.owner });
    throw this.#taken;
  }
}

function producerOf({ client, prefix, owner }: KeptStateOpening): Promise<KafkaProducer> {
  return client.producer({ compression: 'gzip', transactionalId: `${stateTopic({ prefix })}.${owner}` });
}

async function readAll({ client, prefix, owner }: KeptStateOpening, partition: number): Promise<Map<string, string>> {
  const entries = new Map<string, string>();
  const begins = `${owner}/`;
  const topic = stateTopic({ prefix });
  await readToEnd({ client, topic, partition, prefix, silentMs: SILENT_MS }, 0, ({ key, value }) => {
    const name = key?.toString('utf8') ?? '';
    if (!name.startsWith(begins)) return;
    if (value === null) entries.delete(name.slice(begins.length));
    else entries.set(name.slice(begins.length), value.toString('utf8'));
  });
  return entries;
}

/** Like {@link KeptState.open}, but opens its own connection. Closing the state also closes the connection. */
export async function openKeptState(settings: KafkaStreamsSettings, clientId: string, owner: string): Promise<KeptState> {
  // Imported here, so that the Kafka client is loaded only when it is needed.
  const { openKafka } = await import('../client/open.ts');
  await using opening = new AsyncDisposableStack();
  const client = opening.use(openKafka(streamsConnection(settings, clientId), { logger: silentLogger }));
  const state = await KeptState.open({ client, prefix: settings.prefix, owner });
  const close = state.close.bind(state);
  const connection = opening.move();
  state.close = async () => {
    await close();
    await connection.disposeAsync();
  };
  return state;
}
