import { ingestActivity } from './activity.ts';
import { bloodPressureVisits } from './blood-pressure.ts';
import { dayMs, hourMs, microText, minuteMs } from './calendar.ts';
import { isConnected, type Member, memberOf, type ProviderConnection } from './connection.ts';
import { dayRhythm } from './day-rhythm.ts';
import { ingestGlucose } from './glucose.ts';
import { ingestHeartRate } from './heart-rate.ts';
import { beginPeriod } from './history.ts';
import { Ingestion, type PlannedEvent, syncTimes } from './ingestion.ts';
import { breakOff } from './life-cycle.ts';
import { type PeopleOptions, type Rates, type Settings, settle } from './options.ts';
import { randomOf, stream } from './random.ts';
import { ingestSleep } from './sleep.ts';
import { ingestSteps } from './steps.ts';

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

/** A local day begins at most 14 hours before the same day begins in UTC. */
const earliestZone = 14 * hourMs;

/**
 * Returns the end of the recording (ms): noon UTC after the last day, when that day is over in every time zone. Later
 * events are dropped.
 */
function recordingEnd(settings: Settings): number {
  return (settings.firstDay + settings.days) * dayMs + dayMs / 2;
}

function deliver(event: PlannedEvent, settings: Settings, offsets: number[]): Delivery {
  const { person } = event.connection;
  const offset = offsets[person.partition]!;
  offsets[person.partition] = offset + 1;
  const ids = { team_id: person.teamId, user_id: person.userId, client_user_id: person.clientUserId };
  const body: HealthEvent = { event_type: event.eventType, ...ids, data: event.data() };
  return {
    source: settings.source,
    partition: person.partition,
    offset,
    received_at: microText(event.at),
    headers: {
      'event-type': event.eventType,
      'user-id': person.userId,
      'team-id': person.teamId,
      'idempotency-key': event.deliveryId,
    },
    body,
  };
}

interface Waiting {
  event: PlannedEvent;
  /** position in the planning order, which breaks ties between events with the same time */
  turn: number;
}

function sooner(a: Waiting, b: Waiting): boolean {
  return a.event.at < b.event.at || (a.event.at === b.event.at && a.turn < b.turn);
}

/** A binary heap of planned events, ordered by time of arrival. */
export class ArrivalQueue {
  readonly #heap: Waiting[] = [];
  #turns = 0;

  get size(): number {
    return this.#heap.length;
  }

  push(event: PlannedEvent): void {
    const heap = this.#heap;
    const waiting = { event, turn: this.#turns++ };
    let at = heap.length;
    heap.push(waiting);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!sooner(waiting, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = waiting;
  }

  /** Removes and returns the next event if it arrives before the given time (microseconds). */
  shiftBefore(micros: number): PlannedEvent | undefined {
    const heap = this.#heap;
    const first = heap[0];
    if (first === undefined || first.event.at >= micros) return undefined;
    const last = heap.pop()!;
    if (heap.length > 0) this.#sink(last);
    return first.event;
  }

  #sink(waiting: Waiting): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && sooner(heap[child + 1]!, heap[child]!)) child++;
      if (!sooner(heap[child]!, waiting)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = waiting;
  }
}

/** Returns the visits of a day. The times of the two previous visits determine what a visit sends. */
function visits(connection: ProviderConnection, day: number, rates: Rates): Ingestion[] {
  const { resources } = connection.provider;
  const yesterday = syncTimes(connection, day - 1);
  const today = syncTimes(connection, day);
  const past = [...yesterday.slice(-2), ...today];
  const known = past.length - today.length;
  const list: Ingestion[] = [];
  for (const [number, instant] of today.entries()) {
    const period = connection.periods.find(({ from, until }) => instant > from && instant < until);
    if (period === undefined) continue;
    const previous = past[known + number - 1] ?? period.from;
    const before = past[known + number - 2] ?? previous;
    const visit = new Ingestion(connection, instant);
    const since = Math.max(previous, period.from);
    if (resources.includes('heartrate')) ingestHeartRate(visit, since, rates.sampleUpdate);
    if (resources.includes('steps')) ingestSteps(visit, since, rates.bucketUpdate, previous < period.from);
    if (resources.includes('glucose')) ingestGlucose(visit, since, rates.sampleUpdate);
    if (resources.includes('sleep')) ingestSleep(visit, day, { since: previous, before }, rates.summaryUpdate / 10);
    if (resources.includes('activity')) ingestActivity(visit, day, number === 0, rates.summaryUpdate);
    list.push(visit);
  }
  return list;
}

function ofConnection(connection: ProviderConnection, day: number, rates: Rates): PlannedEvent[] {
  const { start, end } = dayRhythm(connection.person, day);
  const today = (instant: number) => instant >= start && instant < end;
  const list: Ingestion[] = [];
  for (const period of connection.periods) {
    if (today(period.from)) list.push(beginPeriod(connection, period));
    if (today(period.until)) list.push(breakOff(connection, period));
  }
  if (connection.provider.resources.includes('blood_pressure')) {
    const measured = bloodPressureVisits(connection, day, rates.sampleUpdate);
    list.push(...measured.filter(({ instant }) => isConnected(connection, instant)));
  } else list.push(...visits(connection, day, rates));
  return list.flatMap(({ events }) => events);
}

/**
 * Returns all events of a person's local day with the times at which they arrive if no mishap occurs. No event arrives
 * before the day begins.
 */
function dayOf(member: Member, day: number, settings: Settings): PlannedEvent[] {
  return member.connections.flatMap((connection) => ofConnection(connection, day, settings.rates));
}

function isSummary({ eventType }: PlannedEvent): boolean {
  return eventType.startsWith('daily.data.activity.') || eventType.startsWith('daily.data.sleep.');
}

/**
 * Returns whether the event is an update in the oldest event format, which has no `updated_at`. Only the order of receipt
 * shows how new such an update is. A late update would win against a newer version, so updates without `updated_at` are
 * never delayed. A late first version does no harm, because it loses to any update.
 */
function isUntimedUpdate(event: PlannedEvent): boolean {
  return isSummary(event) && event.connection.generation === 'old' && !event.eventType.endsWith('.created');
}

/**
 * Returns a different body for the same delivery id, with one value increased by one. `updated_at` stays the same, so
 * that only the offset shows which of the two bodies is newer.
 */
export function otherBody(data: object): object {
  const copy = structuredClone(data) as Record<string, unknown>;
  const last = Array.isArray(copy.data) ? (copy.data.at(-1) as Record<string, unknown> | undefined) : copy;
  for (const name of ['value', 'systolic', 'steps', 'hr_average']) {
    const value = last?.[name];
    if (last === undefined || typeof value !== 'number') continue;
    last[name] = Math.round((value + 1) * 10) / 10;
    return copy;
  }
  return copy;
}

/** Returns the delay of an event's arrival, in microseconds. */
function delay(event: PlannedEvent, rates: Rates, draw: () => number): number {
  const [late, failed, amount] = [draw() < rates.late, draw() < rates.failedRetry, draw()];
  const daily = event.eventType.startsWith('daily.');
  if (!daily || isUntimedUpdate(event)) return 0;
  if (failed && isSummary(event)) return Math.round((1 + 9 * amount) * hourMs) * 1000;
  return late ? Math.round((3 + 93 * amount * amount * amount) * hourMs) * 1000 : 0;
}

/**
 * Returns a day's events with faults in their delivery. Some events arrive late. Some are redelivered, mostly within half
 * an hour, at a nearby offset. A few delivery ids arrive again with a different body. The result depends only on
 * the events, the day, the rates and the seed.
 */
function withMishaps(events: readonly PlannedEvent[], day: number, rates: Rates): PlannedEvent[] {
  const list: PlannedEvent[] = [];
  for (const [number, event] of events.entries()) {
    const random = randomOf(event.connection.seed, stream.faults, day, number);
    const arrived = { ...event, at: event.at + delay(event, rates, () => random.uniform()) };
    list.push(arrived);
    const [again, far, wait, other] = [
      random.chance(rates.redelivery),
      random.chance(0.03),
      random.uniform(),
      random.chance(rates.otherBody),
    ];
    const soon = 20_000_000 + Math.round(wait * 30 * minuteMs) * 1000;
    if (again) list.push({ ...arrived, at: arrived.at + (far ? Math.round((20 + 50 * wait) * hourMs) * 1000 : soon) });
    else if (other && event.eventType.startsWith('daily.'))
      list.push({ ...arrived, at: arrived.at + soon, data: () => otherBody(event.data()) });
  }
  return list;
}

/**
 * Yields the deliveries of synthetic people in order of `received_at`. The same options give the same deliveries on every
 * machine, in every locale and time zone. UTC offsets come from the runtime's time-zone data.
 *
 * The generator plans one day at a time, and builds a body only when it yields the delivery. So memory holds only the
 * people and the planned events of about one day, regardless of the number of days.
 */
export function* deliveries(options: PeopleOptions): Generator<Delivery, void, undefined> {
  const settings = settle(options);
  const members: Member[] = Array.from({ length: settings.people }, (_, index) => memberOf(settings, index));
  const queue = new ArrivalQueue();
  const offsets = new Array<number>(settings.partitions).fill(0);
  const end = recordingEnd(settings) * 1000;
  const lastDay = settings.firstDay + settings.days - 1;
  for (let day = settings.firstDay; day <= lastDay; day++) {
    for (const member of members) {
      for (const event of withMishaps(dayOf(member, day, settings), day, settings.rates)) if (event.at < end) queue.push(event);
    }
    const settled = day === lastDay ? end : ((day + 1) * dayMs - earliestZone) * 1000;
    for (let event = queue.shiftBefore(settled); event !== undefined; event = queue.shiftBefore(settled))
      yield deliver(event, settings, offsets);
  }
}
