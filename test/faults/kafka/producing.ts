import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { bareKafka } from '../../../connectors/kafka/client/kafka.fixture.ts';
import { inTime } from '../../../infra/machine/waiting.fixture.ts';
import { Portions } from '../stage/portions.ts';
import { type Sent, stepsOf, TICK_MS } from '../stage/steps.ts';
import type { Topic } from './topic.ts';
import { TOPIC } from './topic-name.ts';

type Producer = ReturnType<ReturnType<typeof bareKafka>['producer']>;
type Message = Parameters<Producer['send']>[0]['messages'][number];

/** Every seventh tick repeats the event from 30 ticks ago, which was often sent before the fault. */
const AGAIN_EVERY = 7;
const AGAIN_AFTER = 30;

/** Returns `tick`, or the number of the earlier tick whose event is repeated at `tick`. */
const repeatedOrNew = (tick: number): number => (tick > AGAIN_AFTER && tick % AGAIN_EVERY === 0 ? tick - AGAIN_AFTER : tick);

/**
 * Sends one record to every partition ten times a second, so that a new record is always due. If a send fails because the
 * broker is down, the next tick tries again. So if a worker reads nothing for a while, the producer is not the cause.
 */
export class Ticker {
  readonly #topic: Topic;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #tick = 0;
  #step = 'nothing';

  constructor(topic: Topic) {
    this.#topic = topic;
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    const seen = (): string => `tick ${this.#tick}, which waits for the library's ${this.#step}`;
    await inTime('the ticker to stop', this.#running, seen);
  }

  async #run(): Promise<void> {
    let producer: Producer | undefined;
    let partitions = 0;
    const drop = async (): Promise<void> => {
      this.#step = 'disconnect';
      await producer?.disconnect().catch(() => {});
      producer = undefined;
    };
    while (!this.#stopping.signal.aborted) {
      // The library silently ignores partitions that were added after it connected.
      if (partitions !== this.#topic.partitions) await drop();
      partitions = this.#topic.partitions;
      const tick = repeatedOrNew(this.#tick++);
      try {
        this.#step = 'connect';
        producer ??= await connected(this.#topic.brokers, 0);
        const messages = Array.from({ length: partitions }, (_, id) => ({ ...messageOf(stepsOf(id, tick)), partition: id }));
        this.#step = 'send';
        await producer.send({ topic: TOPIC, messages });
      } catch {
        await drop();
      }
      await sleep(TICK_MS);
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

/** Number of retries, which take about 35 s. Brokers that restart together refuse writes until enough replicas are in sync. */
const RETRIES = 40;

/** Converts an event to a Kafka record in the format of the service's bridge. */
function messageOf({ user, headers, body }: Sent): Message {
  if (body.length <= compressedAbove) return { key: user, headers: { ...headers }, value: body };
  return { key: user, headers: { ...headers, 'content-encoding': 'gzip' }, value: gzipSync(body) };
}

/** Publishes deliveries of synthetic people in portions. All records of a person are in the same partition. */
export class Publisher {
  readonly #topic: Topic;
  readonly #portions: Portions;
  /** Number of records that the broker has accepted. */
  published = 0;

  constructor(topic: Topic, seed: number) {
    this.#topic = topic;
    // These people have enough deliveries for several minutes of load.
    this.#portions = new Portions(seed, { people: 24, days: 10 });
  }

  /** Publishes the next `count` deliveries, or all that are left. */
  async publish(count: number): Promise<void> {
    const messages = this.#portions.next(count).map(({ headers, body }) => {
      return messageOf({ user: headers['user-id']!, headers, body: Buffer.from(JSON.stringify(body)) });
    });
    await this.put(messages);
  }

  /** Publishes records unchanged. */
  async put(messages: Message[]): Promise<void> {
    if (messages.length === 0) return;
    let step = 'connect';
    const seen = (): string => `the producer still waits for the library's ${step}`;
    await inTime(
      `the brokers to accept ${messages.length} records`,
      this.#put(messages, (next) => (step = next)),
      seen,
    );
    this.published += messages.length;
  }

  async #put(messages: Message[], onStep: (step: string) => void): Promise<void> {
    const producer = await connected(this.#topic.brokers, RETRIES);
    onStep('send');
    await producer.send({ topic: TOPIC, messages });
    onStep('disconnect');
    await producer.disconnect();
  }
}
