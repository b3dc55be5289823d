import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dayMs, hourMs, microText, minuteMs } from './calendar.ts';
import { randomOf, scatter, stream } from './random.ts';
import { eventsOf, firstDay, memberOf, type People, type SentEvent } from './schedule.ts';

/** Probabilities, each from 0 to 1. */
interface Rates {
  /** probability that an event is redelivered with the same headers and bytes, at a later offset */
  readonly redelivery: number;
  /** probability that an event arrives 3 hours to 4 days late */
  readonly late: number;
  /**
   * probability that the first attempt to deliver a summary fails. The retry arrives 1 to 10 hours later, with the same
   * `updated_at`
   */
  readonly failedRetry: number;
  /** probability that a delivery id is used a second time, with a different body */
  readonly otherBody: number;
  /** probability that a connection breaks on a given day */
  readonly outage: number;
}

const usualRates: Rates = { redelivery: 0.02, late: 0.02, failedRetry: 0.03, otherBody: 0.0005, outage: 0.01 };

/** An event as the service sends it. It contains no id, sequence number or time of emission. */
export interface HealthEvent {
  event_type: string;
  team_id: string;
  user_id: string;
  client_user_id: string;
  data: object;
}

export interface Delivery {
  source: string;
  partition: number;
  /** offset in the partition, from 0 */
  offset: number;
  /** RFC 3339 in UTC with microseconds. It never decreases from one delivery to the next, even across partitions */
  received_at: string;
  /** `event-type`, `user-id`, `team-id` and `idempotency-key`, as the service sends them to Event Hubs */
  headers: Record<string, string>;
  /** a `HealthEvent` */
  body: unknown;
}

export interface RecordingOptions extends People {
  /** default: 4 */
  readonly partitions?: number;
  readonly rates?: Partial<Rates>;
}

/** An event and when the broker receives it, in microseconds since 1970. */
interface Arrival {
  readonly micros: number;
  readonly event: SentEvent;
}

/** A local day begins at most 14 hours before the same day begins in UTC. */
const earliestZone = 14 * hourMs;

function isSummary({ eventType, data }: SentEvent): boolean {
  return eventType.startsWith('daily.') && 'id' in data;
}

/**
 * Returns whether the event is an update in the oldest event format, which has no `updated_at`. Only the order of receipt
 * shows how new such an update is. A late update would win against a newer version, so updates without `updated_at` are
 * never delayed. A late first version does no harm, because it loses to any update.
 */
function isUntimedUpdate(event: SentEvent): boolean {
  return isSummary(event) && !('updated_at' in event.data) && !event.eventType.endsWith('.created');
}

/**
 * Returns a different body for the same delivery id, with one value increased by one. `updated_at` stays the same, so
 * that only the offset shows which of the two bodies is newer.
 */
export function otherBody(data: object): object {
  const copy = structuredClone(data) as Record<string, unknown>;
  const last = Array.isArray(copy.data) ? (copy.data.at(-1) as Record<string, unknown> | undefined) : copy;
  for (const name of ['value', 'systolic', 'steps', 'hr_average', 'weight', 'height']) {
    const value = last?.[name];
    if (last === undefined || typeof value !== 'number') continue;
    last[name] = Math.round((value + 1) * 10) / 10;
    return copy;
  }
  return copy;
}

/** Returns the delay of an event's arrival, in microseconds. */
function delay(event: SentEvent, rates: Rates, draw: () => number): number {
  const [late, failed, amount] = [draw() < rates.late, draw() < rates.failedRetry, draw()];
  if (!event.eventType.startsWith('daily.') || isUntimedUpdate(event)) return 0;
  if (failed && isSummary(event)) return Math.round((1 + 9 * amount) * hourMs) * 1000;
  return late ? Math.round((3 + 93 * amount * amount * amount) * hourMs) * 1000 : 0;
}

/**
 * Returns the arrivals of a person's events of a day. Some events arrive late. Some are redelivered, mostly within half an
 * hour, at a nearby offset. A few delivery ids arrive again with a different body. The result depends only on the events,
 * the day, the rates and the person.
 */
function arrivalsOf(events: readonly SentEvent[], day: number, rates: Rates): Arrival[] {
  return events.flatMap((event, number) => {
    const random = randomOf(event.person.seed, stream.faults, day, number);
    const micros = event.at * 1000 + random.whole(0, 999) + delay(event, rates, () => random.uniform());
    const [again, far, wait, other] = [
      random.chance(rates.redelivery),
      random.chance(0.03),
      random.uniform(),
      random.chance(rates.otherBody),
    ];
    const soon = 20_000_000 + Math.round(wait * 30 * minuteMs) * 1000;
    if (again)
      return [
        { micros, event },
        { micros: micros + (far ? Math.round((20 + 50 * wait) * hourMs) * 1000 : soon), event },
      ];
    if (other && event.eventType.startsWith('daily.'))
      return [
        { micros, event },
        { micros: micros + soon, event: { ...event, data: otherBody(event.data) } },
      ];
    return [{ micros, event }];
  });
}

/**
 * Yields the deliveries of synthetic people in order of `received_at`: the events of the live model, with breaks, delays and
 * redeliveries. The same options give the same deliveries on every machine, in every locale and time zone. UTC offsets come
 * from the runtime's time-zone data.
 *
 * The generator plans one day at a time. So memory holds only the people and the events of about one day, regardless of the
 * number of days. The recording ends at noon UTC after the last day, when that day is over in every time zone. Later events
 * are dropped.
 */
export function* deliveries(options: RecordingOptions): Generator<Delivery, void, undefined> {
  const { people, days, partitions = 4 } = options;
  const rates = { ...usualRates, ...options.rates };
  const members = Array.from({ length: people }, (_, index) => memberOf(options, index, rates.outage));
  const offsets = new Array<number>(partitions).fill(0);
  const end = ((firstDay + days) * dayMs + dayMs / 2) * 1000;
  let waiting: Arrival[] = [];
  for (let day = firstDay; day < firstDay + days; day++) {
    for (const member of members) waiting.push(...arrivalsOf(eventsOf(member, day), day, rates));
    // Arrivals with the same time keep the order in which they were planned.
    waiting.sort((a, b) => a.micros - b.micros);
    const settled = day === firstDay + days - 1 ? end : ((day + 1) * dayMs - earliestZone) * 1000;
    const ready = waiting.findIndex(({ micros }) => micros >= settled);
    const due = waiting.slice(0, ready === -1 ? undefined : ready);
    waiting = waiting.slice(due.length);
    for (const { micros, event } of due) {
      const partition = scatter(event.person.userId) % partitions;
      yield deliveryOf(event, { partition, offset: offsets[partition]!++, received_at: microText(micros) });
    }
  }
}

function deliveryOf(
  { person: { teamId, userId, clientUserId }, eventType, deliveryId, data }: SentEvent,
  place: Pick<Delivery, 'partition' | 'offset' | 'received_at'>,
): Delivery {
  const body: HealthEvent = { event_type: eventType, team_id: teamId, user_id: userId, client_user_id: clientUserId, data };
  const headers = { 'event-type': eventType, 'user-id': userId, 'team-id': teamId, 'idempotency-key': deliveryId };
  return { source: 'people', ...place, headers, body };
}

/** Returns a delivery as a line of a delivery file, with its members in a fixed order. */
export function deliveryLine(delivery: Delivery): string {
  const { source, partition, offset, received_at, headers, body } = delivery;
  return JSON.stringify({ source, partition, offset, received_at, headers, body });
}

/**
 * Writes all deliveries as NDJSON, one file for each partition that has some. Creates the folder. Returns the paths, in order
 * of partition.
 */
export function writeDeliveryFiles(folder: string, options: RecordingOptions): string[] {
  mkdirSync(folder, { recursive: true });
  const partitions = Map.groupBy(deliveries(options), ({ partition }) => partition);
  return [...partitions]
    .sort(([a], [b]) => a - b)
    .map(([partition, some]) => {
      const path = join(folder, `people-p${partition}.ndjson`);
      writeFileSync(path, some.map((delivery) => `${deliveryLine(delivery)}\n`).join(''));
      return path;
    });
}
