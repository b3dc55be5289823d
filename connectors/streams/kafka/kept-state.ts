import { randomUUID } from 'node:crypto';
import { silentLogger } from '@aorta/runtime';
import type { KafkaClient, KafkaProducer, ProducedRecord } from '../../kafka-client/index.ts';
import type { KeptEntries } from '../../kept-entries.ts';
import { inCalls } from './appending.ts';
import { TopicError } from './errors.ts';
import { partitionOfKey } from './key.ts';
import { type KafkaStreamsSettings, streamsConnection } from './options.ts';
import { stateTopic } from './topics.ts';

/** A read fails if it has not reached the end and no record arrives for this many milliseconds. */
const SILENT_MS = 30_000;

export interface KeptStateOpening {
  /** The caller owns the client: closing the state does not close it. */
  readonly client: KafkaClient;
  readonly prefix: string;
  /** Name of the job that owns the state. It may contain letters, digits and dashes. Several jobs share the topic. */
  readonly owner: string;
}

/**
 * State that a worker stores for the worker that takes over its job: named strings in a compacted topic. Opening the
 * state reads all entries. The caller ensures that only one worker writes at a time.
 */
export class KeptState implements KeptEntries {
  readonly #options: KeptStateOpening;
  readonly #partition: number;
  #entries: ReadonlyMap<string, string>;
  #producer: Promise<KafkaProducer> | undefined;

  private constructor(options: KeptStateOpening, partition: number, entries: ReadonlyMap<string, string>) {
    this.#options = options;
    this.#partition = partition;
    this.#entries = entries;
  }

  /** Rejects with AORTA-STREAM-TOPIC-MISSING if the topic does not exist, and with AORTA-STREAM-SILENT if no record of a non-empty topic arrives. */
  static async open(options: KeptStateOpening): Promise<KeptState> {
    const topic = stateTopic(options);
    const partitions = await options.client.admin.partitions(topic);
    if (partitions === undefined) throw new TopicError('AORTA-STREAM-TOPIC-MISSING', { topic });
    const partition = partitionOfKey(Buffer.from(options.owner), partitions);
    return new KeptState(options, partition, await readAll(options, topic, partition));
  }

  /** Returns the entries read at opening and releases them, because they may need much memory. Later calls return an empty map. */
  take(): ReadonlyMap<string, string> {
    const entries = this.#entries;
    this.#entries = new Map();
    return entries;
  }

  /** Durably writes entries in order; null deletes an entry. If the call rejects, the first entries may already be written. */
  async write(entries: readonly (readonly [name: string, text: string | null])[]): Promise<void> {
    if (entries.length === 0) return;
    const { client, owner } = this.#options;
    this.#producer ??= client.producer({ compression: 'gzip' });
    const producer = await this.#producer;
    const records = entries.map(
      ([name, text]): ProducedRecord => ({
        key: Buffer.from(`${owner}/${name}`),
        value: text === null ? null : Buffer.from(text),
      }),
    );
    const to = { topic: stateTopic(this.#options), partition: this.#partition };
    for (const some of inCalls(records)) await producer.produce(to, some);
  }

  /** Never rejects. */
  async close(): Promise<void> {
    const producer = await this.#producer?.catch(() => undefined);
    await producer?.close();
  }
}

async function readAll({ client, prefix, owner }: KeptStateOpening, topic: string, partition: number) {
  const entries = new Map<string, string>();
  const bounds = (await client.admin.bounds(topic))[partition];
  if (bounds === undefined || bounds.low >= bounds.end) return entries;
  const begins = `${owner}/`;
  const done = Promise.withResolvers<void>();
  done.promise.catch(() => {});
  using silence = setTimeout(
    () => done.reject(new TopicError('AORTA-STREAM-SILENT', { topic, seconds: SILENT_MS / 1000 })),
    SILENT_MS,
  );
  await using _consumer = await client.consume({
    // Use a new consumer group, so that all partitions are assigned to this reader.
    group: `${prefix}_look.${randomUUID()}`,
    topics: [topic],
    onAssigned: (assigned) => (assigned.partition === partition ? assigned.low : assigned.end),
    onBatch: (from, { records, next }) => {
      if (from.partition !== partition) return;
      silence.refresh();
      for (const { key, value } of records) {
        const name = key?.toString('utf8') ?? '';
        if (!name.startsWith(begins)) continue;
        if (value === null) entries.delete(name.slice(begins.length));
        else entries.set(name.slice(begins.length), value.toString('utf8'));
      }
      if (next >= bounds.end) done.resolve();
    },
    onFailure: (error) => done.reject(error),
  });
  await done.promise;
  return entries;
}

/** Like {@link KeptState.open}, but opens its own connection. Closing the state also closes the connection. */
export async function openKeptState(settings: KafkaStreamsSettings, clientId: string, owner: string): Promise<KeptState> {
  // Imported here, so that the Kafka client is loaded only when it is needed.
  const { openKafka } = await import('../../kafka-client/index.ts');
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
