import { setTimeout as sleep } from 'node:timers/promises';
import { publishDeliveries, type RawEvent } from '@aorta/event-hubs-server';
import { deliveries } from '@aorta/people';
import { HUB, type Hubs } from './hubs.ts';

const BEAT_EVERY_MS = 100;

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
        this.#hubs.faults.append({ hub: HUB, partition: String(id), events: [stepsOf(id, beat)] }),
      );
      await Promise.allSettled(appends);
      await sleep(BEAT_EVERY_MS);
    }
  }
}

const FIRST_MINUTE = Date.UTC(2026, 2, 28);

/** A minute's steps of the person of a partition; every third corrects an earlier minute, so that versions compete. */
function stepsOf(partition: number, beat: number): RawEvent {
  const minute = beat % 3 === 2 ? beat - 2 : beat;
  const [start, end] = [minute, minute + 1].map((at) => new Date(FIRST_MINUTE + at * 60_000).toISOString());
  const user_id = `pulse-${partition}`;
  const event_type = 'daily.data.steps.created';
  const data = { source: { provider: 'fitbit', type: 'watch' }, data: [{ start, end, unit: 'count', value: beat }] };
  return {
    body: Buffer.from(JSON.stringify({ event_type, user_id, team_id: 'team', data })).toString('base64'),
    properties: {
      'event-type': event_type,
      'user-id': user_id,
      'team-id': 'team',
      'idempotency-key': `beat-${partition}-${beat}`,
    },
    partitionKey: user_id,
  };
}

/** Deliveries of synthetic people, published in portions through the official client. */
export class Crowd {
  readonly #hubs: Hubs;
  readonly #deliveries: ReturnType<typeof deliveries>;
  /** Events that the hub has accepted. */
  published = 0;

  constructor(hubs: Hubs, seed: number) {
    this.#hubs = hubs;
    this.#deliveries = deliveries({ seed, people: 3, days: 1 });
  }

  /** Publishes the next `count` deliveries, or those that are left. */
  async publish(count: number): Promise<void> {
    const portion = [];
    for (; portion.length < count; ) {
      const { done, value } = this.#deliveries.next();
      if (done === true) break;
      // The plain model of the tables has no sleep.
      if (!value.headers['event-type']!.startsWith('daily.data.sleep.')) portion.push(value);
    }
    const { connectionString } = this.#hubs;
    const { events } = await publishDeliveries({ connectionString, routing: { default_event_hub: HUB }, deliveries: portion });
    this.published += events;
  }
}
