import { setTimeout as sleep } from 'node:timers/promises';
import { publishDeliveries, type RawEvent } from '@aorta/event-hubs-server';
import { Portions } from '../stage/portions.ts';
import { stepsOf, TICK_MS } from '../stage/steps.ts';
import { HUB, type Hubs } from './hubs.ts';

/**
 * Appends one event to each partition ten times a second, even during network faults. Events that are due while the server is
 * down are skipped.
 */
export class Ticker {
  readonly #hubs: Hubs;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #tick = 0;

  constructor(hubs: Hubs) {
    this.#hubs = hubs;
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const tick = this.#tick++;
      const appends = Array.from({ length: this.#hubs.partitions }, (_, id) =>
        this.#hubs.faults.append({ hub: HUB, partition: String(id), events: [eventOf(id, tick)] }),
      );
      await Promise.allSettled(appends);
      await sleep(TICK_MS);
    }
  }
}

function eventOf(partition: number, tick: number): RawEvent {
  const { user, headers, body } = stepsOf(partition, tick);
  return { body: body.toString('base64'), properties: headers, partitionKey: user };
}

/** Publishes deliveries of synthetic people in portions, with the official client. */
export class Publisher {
  readonly #hubs: Hubs;
  readonly #portions: Portions;
  /** Number of events that the hub has accepted. */
  published = 0;

  constructor(hubs: Hubs, seed: number) {
    this.#hubs = hubs;
    this.#portions = new Portions(seed);
  }

  /** Publishes the next `count` deliveries, or all that are left. */
  async publish(count: number): Promise<void> {
    const { connectionString } = this.#hubs;
    const routing = { default_event_hub: HUB };
    const { events } = await publishDeliveries({ connectionString, routing, deliveries: this.#portions.next(count) });
    this.published += events;
  }
}
