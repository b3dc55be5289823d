import { setTimeout as sleep } from 'node:timers/promises';
import { publishDeliveries, type RawEvent } from '@aorta/event-hubs-server';
import { Portions } from '../stage/portions.ts';
import { BEAT_EVERY_MS, stepsOf } from '../stage/steps.ts';
import { HUB, type Hubs } from './hubs.ts';

/**
 * Puts one event into every partition ten times a second, whatever the network does: what comes next is always due. While
 * the server is away nothing is put.
 */
export class Pulse {
  readonly #hubs: Hubs;
  readonly #stopping = new AbortController();
  readonly #beating: Promise<void>;
  #beat = 0;

  constructor(hubs: Hubs) {
    this.#hubs = hubs;
    this.#beating = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#beating;
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const beat = this.#beat++;
      const appends = Array.from({ length: this.#hubs.partitions }, (_, id) =>
        this.#hubs.faults.append({ hub: HUB, partition: String(id), events: [eventOf(id, beat)] }),
      );
      await Promise.allSettled(appends);
      await sleep(BEAT_EVERY_MS);
    }
  }
}

function eventOf(partition: number, beat: number): RawEvent {
  const { user, headers, body } = stepsOf(partition, beat);
  return { body: body.toString('base64'), properties: headers, partitionKey: user };
}

/** Deliveries of synthetic people, published in portions through the official client. */
export class Crowd {
  readonly #hubs: Hubs;
  readonly #portions: Portions;
  /** Events that the hub has accepted. */
  published = 0;

  constructor(hubs: Hubs, seed: number) {
    this.#hubs = hubs;
    this.#portions = new Portions(seed);
  }

  /** Publishes the next `count` deliveries, or those that are left. */
  async publish(count: number): Promise<void> {
    const { connectionString } = this.#hubs;
    const routing = { default_event_hub: HUB };
    const { events } = await publishDeliveries({ connectionString, routing, deliveries: this.#portions.next(count) });
    this.published += events;
  }
}
