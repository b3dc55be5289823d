import { randomUUID } from 'node:crypto';
import { errorFields, type Logger } from '@aorta/runtime';
import { z } from 'zod';
import type { KafkaClient, KafkaProducer, KafkaRecord, LogBounds } from '../client/client.ts';
import { readToEnd } from './compacted-topic.ts';
import { TopicError } from './errors.ts';
import type { KnownSchemas } from './record-form.ts';

/** The note about a topic: its incarnation, and the highest known end of each partition. */
const topicNote = z.object({
  incarnation: z.string().min(1),
  /** The previous incarnation. If two processes replaced the same incarnation, the first note counts. */
  replaces: z.string().nullable(),
  ends: z.array(z.int().nonnegative()),
});
type TopicNote = z.output<typeof topicNote>;

const TOPIC = 'topic/';
const SCHEMA = 'schema/';

/** Timeout for reading the register, in milliseconds. It includes the time for creating a new consumer group. */
const READ_MS = 30_000;

/**
 * Notes about the topics of the streams, in a compacted topic: the incarnation of each topic, and the schemas of its records.
 *
 * A topic that is deleted and created again has the same name, and Kafka does not report the change. If a partition is
 * shorter than the note says, its topic gets a new incarnation, and positions of the old incarnation become invalid. This also
 * happens if a topic has lost records at its end. All records of the topic are then read and merged again, which changes nothing
 * in the tables.
 */
export class Register implements KnownSchemas {
  readonly #client: KafkaClient;
  readonly #topic: string;
  readonly #prefix: string;
  readonly #logger: Logger;
  readonly #topics = new Map<string, TopicNote>();
  readonly #schemas = new Map<string, string>();
  #producer: Promise<KafkaProducer> | undefined;
  #read = 0;
  #reading: Promise<void> | undefined;

  private constructor(client: KafkaClient, topic: string, prefix: string, logger: Logger) {
    this.#client = client;
    this.#topic = topic;
    this.#prefix = prefix;
    this.#logger = logger;
  }

  /**
   * Opens the register and reads all notes. `topic` is the register's own topic, and `prefix` is the prefix of the consumer
   * groups that read it. Rejects with AORTA-STREAM-TOPIC-MISSING if the topic does not exist.
   */
  static async open(client: KafkaClient, topic: string, prefix: string, logger: Logger): Promise<Register> {
    if ((await client.admin.partitions(topic)) === undefined) throw new TopicError('AORTA-STREAM-TOPIC-MISSING', { topic });
    const register = new Register(client, topic, prefix, logger);
    await register.readNew();
    return register;
  }

  /**
   * Compares the bounds of topics with their notes. A topic gets a new incarnation if it has no note, or if one of its partitions
   * is shorter than the note says.
   */
  async settle(topics: ReadonlyMap<string, readonly LogBounds[]>): Promise<void> {
    const notes: [string, TopicNote][] = [];
    for (const [topic, bounds] of topics) {
      const note = this.#topics.get(topic);
      const ends = bounds.map(({ end }) => end);
      const short = note?.ends.findIndex((end, partition) => (ends[partition] ?? 0) < end) ?? -1;
      if (note !== undefined && short < 0) continue;
      notes.push([topic, { incarnation: randomUUID(), replaces: note?.incarnation ?? null, ends }]);
      if (note === undefined) continue;
      const details = { topic, partition: short, end: ends[short] ?? 0, known: note.ends[short]! };
      this.#logger.warn('topic was created again', errorFields(new TopicError('AORTA-STREAM-RECREATED', details)));
    }
    if (notes.length === 0) return;
    await this.#write(notes.map(([topic, note]) => [`${TOPIC}${topic}`, note]));
    // Another process may have written its note first.
    await this.readNew();
  }

  /** Returns the incarnation of a topic. {@link settle} must be called first. */
  incarnation(topic: string): string {
    return this.#topics.get(topic)?.incarnation ?? '';
  }

  /** Notes the new ends of topics that have grown. A topic that is created again can be recognized only if a note says that the old topic held records. */
  async reached(topics: ReadonlyMap<string, readonly number[]>): Promise<void> {
    const notes: [string, TopicNote][] = [];
    for (const [topic, ends] of topics) {
      const note = this.#topics.get(topic);
      if (note === undefined || ends.every((end, partition) => end <= (note.ends[partition] ?? 0))) continue;
      notes.push([topic, { ...note, ends: highest(ends, note.ends) }]);
    }
    if (notes.length === 0) return;
    for (const [topic, note] of notes) this.#topics.set(topic, note);
    await this.#write(notes.map(([topic, note]) => [`${TOPIC}${topic}`, note]));
  }

  /** Whether a note says that the topic has held records. */
  heldRecords(topic: string): boolean {
    return this.#topics.get(topic)?.ends.some((end) => end > 0) ?? false;
  }

  async keep(fingerprint: string, schema: string): Promise<void> {
    if (this.#schemas.has(fingerprint)) return;
    await this.#write([[`${SCHEMA}${fingerprint}`, { schema }]]);
    this.#schemas.set(fingerprint, schema);
  }

  async find(fingerprint: string): Promise<string | undefined> {
    // A newer version of Aorta may have started to write since the register was last read.
    if (!this.#schemas.has(fingerprint)) await this.readNew();
    return this.#schemas.get(fingerprint);
  }

  /** Reads the notes that were added since the last read. */
  readNew(): Promise<void> {
    this.#reading ??= this.#readNewOnce().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** Never rejects. */
  async close(): Promise<void> {
    const producer = await this.#producer?.catch(() => undefined);
    await producer?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #readNewOnce(): Promise<void> {
    const register = { client: this.#client, topic: this.#topic, partition: 0, prefix: this.#prefix, silentMs: READ_MS };
    this.#read = await readToEnd(register, this.#read, (record) => this.#take(record));
  }

  /** Applies a note. Ignores a note that this version of Aorta cannot read: a newer version must have written it. */
  #take({ key, value }: KafkaRecord): void {
    const name = key?.toString('utf8') ?? '';
    let content: unknown;
    try {
      content = JSON.parse(value?.toString('utf8') ?? 'null');
    } catch {
      return;
    }
    if (name.startsWith(TOPIC)) {
      const note = topicNote.safeParse(content);
      if (note.success) this.#takeNote(name.slice(TOPIC.length), note.data);
    } else if (name.startsWith(SCHEMA)) {
      const note = z.object({ schema: z.string() }).safeParse(content);
      if (note.success) this.#schemas.set(name.slice(SCHEMA.length), note.data.schema);
    }
  }

  #takeNote(topic: string, note: TopicNote): void {
    const known = this.#topics.get(topic);
    if (known === undefined || note.replaces === known.incarnation) this.#topics.set(topic, note);
    else if (note.incarnation === known.incarnation) this.#topics.set(topic, { ...known, ends: highest(note.ends, known.ends) });
  }

  async #write(notes: readonly (readonly [key: string, note: object])[]): Promise<void> {
    this.#producer ??= this.#client.producer({});
    const producer = await this.#producer;
    const records = notes.map(([key, note]) => ({ key: Buffer.from(key), value: Buffer.from(JSON.stringify(note)) }));
    await producer.produce({ topic: this.#topic, partition: 0 }, records);
  }
}

function highest(ends: readonly number[], others: readonly number[]): number[] {
  const length = Math.max(ends.length, others.length);
  return Array.from({ length }, (_, partition) => Math.max(ends[partition] ?? 0, others[partition] ?? 0));
}
