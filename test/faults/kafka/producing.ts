import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { bareKafka } from '../../../connectors/kafka-client/kafka.fixture.ts';
import { Portions } from '../stage/portions.ts';
import { BEAT_EVERY_MS, type Sent, stepsOf } from '../stage/steps.ts';
import type { Topic } from './topic.ts';
import { TOPIC } from './topic-name.ts';

type Producer = ReturnType<ReturnType<typeof bareKafka>['producer']>;
type Message = Parameters<Producer['send']>[0]['messages'][number];

/** One beat in so many is one of so many beats ago, delivered again: often on the other side of a fault. */
const AGAIN_EVERY = 7;
const AGAIN_AFTER = 30;

/** Which beat is told. */
const toldAt = (beat: number): number => (beat > AGAIN_AFTER && beat % AGAIN_EVERY === 0 ? beat - AGAIN_AFTER : beat);

/**
 * Puts one record into every partition ten times a second: what comes next is always due. While the broker is away
 * nothing is put; it tries anew at the next beat, so that no silence is its own.
 */
export class Pulse {
  readonly #topic: Topic;
  readonly #stopping = new AbortController();
  readonly #beating: Promise<void>;
  #beat = 0;

  constructor(topic: Topic) {
    this.#topic = topic;
    this.#beating = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#beating;
  }

  async #run(): Promise<void> {
    let producer: Producer | undefined;
    let partitions = 0;
    const drop = async (): Promise<void> => {
      await producer?.disconnect().catch(() => {});
      producer = undefined;
    };
    while (!this.#stopping.signal.aborted) {
      // The library puts nothing into partitions that it did not know at its start, and says nothing.
      if (partitions !== this.#topic.partitions) await drop();
      partitions = this.#topic.partitions;
      const beat = toldAt(this.#beat++);
      try {
        producer ??= await connected(this.#topic.brokers, 0);
        const messages = Array.from({ length: partitions }, (_, id) => ({ ...messageOf(stepsOf(id, beat)), partition: id }));
        await producer.send({ topic: TOPIC, messages });
      } catch {
        await drop();
      }
      await sleep(BEAT_EVERY_MS);
    }
    await drop();
  }
}

async function connected(brokers: readonly string[], retries: number): Promise<Producer> {
  const producer = bareKafka(brokers, retries).producer();
  await producer.connect();
  return producer;
}

const compressedAbove = 1024;

/** Retries of one send: about 35 s. Brokers that came back all at once refuse writes until enough copies are in sync. */
const RETRIES = 40;

/** The record of an event, as the service's bridge writes it. */
function messageOf({ user, headers, body }: Sent): Message {
  if (body.length <= compressedAbove) return { key: user, headers: { ...headers }, value: body };
  return { key: user, headers: { ...headers, 'content-encoding': 'gzip' }, value: gzipSync(body) };
}

/** Deliveries of synthetic people, published in portions; the records of a person are in one partition. */
export class Crowd {
  readonly #topic: Topic;
  readonly #portions: Portions;
  /** Records that the broker has accepted. */
  published = 0;

  constructor(topic: Topic, seed: number) {
    this.#topic = topic;
    // More than minutes of load take.
    this.#portions = new Portions(seed, { people: 24, days: 10 });
  }

  /** Publishes the next `count` deliveries, or those that are left. */
  async publish(count: number): Promise<void> {
    const messages = this.#portions.next(count).map(({ headers, body }) => {
      return messageOf({ user: headers['user-id']!, headers, body: Buffer.from(JSON.stringify(body)) });
    });
    await this.put(messages);
  }

  /** Publishes records as they are. */
  async put(messages: Message[]): Promise<void> {
    if (messages.length === 0) return;
    const producer = await connected(this.#topic.brokers, RETRIES);
    await producer.send({ topic: TOPIC, messages });
    await producer.disconnect();
    this.published += messages.length;
  }
}
