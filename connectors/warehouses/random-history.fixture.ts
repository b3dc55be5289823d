import type { randomOf } from '@aorta/people';
import { type EventStream, readEvent, type StreamRecords } from '@aorta/schemas';
import { expect } from 'vitest';
import type { Preferences } from '../preferences.ts';
import type { Warehouse } from '../warehouse.ts';

const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const BEGIN = Date.UTC(2026, 2, 27);
const users = ['u1', 'u2', 'u3'];

/** The shape of random events: over how many days they lie, and whether some samples are in the first or the last year of all. */
interface Shape {
  readonly days: number;
  readonly isFar: boolean;
  /** The dates move forward by this many days with each step. */
  readonly drift?: number;
}

type Random = ReturnType<typeof randomOf>;
export type Event = readonly [stream: EventStream, type: string, user: string, data: object];

const pick = <T>(random: Random, list: readonly T[]): T => list[random.whole(0, list.length - 1)]!;

/** Offsets of Honolulu, London, Berlin in summer, Kathmandu and Kiritimati, and none. */
const offsets = [-36_000, 0, 7200, 20_700, 50_400, null];

/** The first and the last day on which a sample may lie. */
const farYears = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-30T00:00:00Z')];

/** Returns samples at full minutes near midnight, so that their local dates differ from their dates in UTC. */
function samplesOf(random: Random, kind: 'point' | 'interval', first: number, { days, isFar }: Shape): object[] {
  const day = isFar && random.chance(0.05) ? pick(random, farYears) : first + random.whole(0, days) * DAY;
  // The samples of some events are far apart.
  const step = pick(random, [HOUR / 2, 5 * HOUR, 40 * DAY]);
  // Most samples have no offset, so that observations of the user's time zone are days apart.
  const offset = random.chance(0.3) ? pick(random, offsets) : null;
  return Array.from({ length: random.whole(1, 5) }, (_, index) => {
    const at = day + random.whole(0, 3) * 7 * HOUR + (day === farYears[1] ? 0 : index * step);
    const start = new Date(at).toISOString();
    const time =
      kind === 'point' ? { timestamp: start } : { start, end: new Date(at + random.whole(1, 90) * 60_000).toISOString() };
    return { ...time, timezone_offset: offset, type: null, value: random.whole(0, 200) };
  });
}

const sources = [
  { provider: 'oura', type: 'ring' },
  // Two watches have the same rank, so the days before decide.
  { provider: 'fitbit', type: 'watch' },
  { provider: 'garmin', type: 'watch' },
  { provider: 'apple_health_kit', type: 'phone' },
];

const zones = ['Europe/Berlin', 'America/New_York', 'UTC+05:00', 'nowhere'];

/** Returns a reading for each of ten days, which lasts the whole day. */
const glucoseOf = (random: Random, date: string): object[] =>
  Array.from({ length: 10 }, (_, index) => {
    const start = Date.parse(`${date}T00:00:00Z`) + index * DAY;
    const times = { start: new Date(start).toISOString(), end: new Date(start + DAY).toISOString() };
    return { ...times, unit: 'mg/dL', type: null, value: random.whole(60, 200) };
  });

const pressureOf = (random: Random, date: string): object => ({
  timestamp: new Date(Date.parse(`${date}T00:00:00Z`) + random.whole(0, 3) * 7 * HOUR).toISOString(),
  timezone_offset: random.chance(0.2) ? pick(random, offsets) : null,
  unit: 'mmHg',
  systolic: random.whole(100, 140),
  diastolic: 80,
});

const sports = ['running', 'cycling', undefined];

function activityOf(random: Random, user: string, date: string, source: object): object {
  return {
    id: `a-${random.whole(1, 30)}`,
    user_id: user,
    calendar_date: date,
    steps: pick(random, [0, 4000, 9000]),
    time_zone: random.chance(0.2) ? pick(random, zones) : undefined,
    source,
  };
}

/** Returns a workout. Some last for days, so that chains of overlapping workouts span many days. */
function workoutOf(random: Random, user: string, date: string, source: object): object {
  const begin = Date.parse(`${date}T00:00:00Z`) + random.whole(0, 23) * HOUR;
  return {
    id: `w-${random.whole(1, 20)}`,
    user_id: user,
    calendar_date: random.chance(0.8) ? date : null,
    time_start: new Date(begin).toISOString(),
    time_end: new Date(begin + pick(random, [1, 2, 30, 60]) * HOUR).toISOString(),
    timezone_offset: pick(random, offsets),
    sport: { id: 1, name: 'x', slug: pick(random, sports) },
    distance: random.whole(0, 9) * 1000,
    source,
  };
}

function eventOf(random: Random, first: number, shape: Shape): Event {
  const user = pick(random, users);
  const source = pick(random, sources);
  const created = pick(random, ['created', 'updated']);
  const date = new Date(first + random.whole(0, shape.days) * DAY).toISOString().slice(0, 10);
  const series = (resource: string, kind: 'point' | 'interval'): Event => [
    'timeseries',
    `daily.data.${resource}.${created}`,
    user,
    { source, data: samplesOf(random, kind, first, shape) },
  ];
  const number = random.whole(0, 20);
  if (number < 3) return series('heartrate', 'point');
  if (number < 7) return series('steps', 'interval');
  if (number < 8) return series('glucose', 'point');
  if (number < 12) return ['activity', `daily.data.activity.${created}`, user, activityOf(random, user, date, source)];
  if (number < 16) return ['workouts', `daily.data.workouts.${created}`, user, workoutOf(random, user, date, source)];
  if (number === 16)
    return ['blood_pressure', `daily.data.blood_pressure.${created}`, user, { source, data: [pressureOf(random, date)] }];
  if (number === 17) return ['timeseries', `daily.data.glucose.${created}`, user, { source, data: glucoseOf(random, date) }];
  const begin = Date.parse(`${date}T22:00:00Z`) - (random.chance(0.2) ? random.whole(1, 20) * DAY : 0);
  return [
    'sleep',
    `daily.data.sleep.${created}`,
    user,
    {
      id: `s-${random.whole(1, 6)}`,
      user_id: user,
      calendar_date: random.chance(0.9) ? date : null,
      bedtime_start: new Date(begin).toISOString(),
      bedtime_stop: new Date(begin + 8 * HOUR).toISOString(),
      type: 'long_sleep',
      timezone_offset: random.chance(0.3) ? pick(random, offsets) : null,
      duration: 8 * 3600,
      total: 7 * 3600,
      awake: 3600,
      light: 3 * 3600,
      rem: 2 * 3600,
      deep: 2 * 3600,
      source,
    },
  ];
}

/** A clock in milliseconds that stands still until the test moves it. */
export interface Clock {
  now: number;
}

/** Opens the same warehouse again and again. */
export type Opening = (clock: Clock, preferences: Preferences) => Promise<Warehouse>;

/** Every merge is due after this time. */
const MERGED_AFTER_MS = HOUR;

/** Lands random events. A step sometimes merges or publishes them, or opens the file again. */
export class History {
  readonly #random: Random;
  readonly #opening: Opening;
  readonly #clock: Clock;
  readonly #shape: Shape;
  #warehouse: Warehouse;
  #preferences: Preferences = {};
  #at: Record<string, number> = {};
  #offset = 0;
  /** First date of the next events. */
  #first = BEGIN;
  /** When the next event is received, in milliseconds. */
  #receivedAt = BEGIN + 20 * DAY;

  private constructor(random: Random, opening: Opening, warehouse: Warehouse, clock: Clock, shape: Shape) {
    this.#shape = shape;
    this.#random = random;
    this.#opening = opening;
    this.#clock = clock;
    this.#warehouse = warehouse;
  }

  static async begin(random: Random, opening: Opening, shape: Shape): Promise<History> {
    const clock = { now: 0 };
    return new History(random, opening, await opening(clock, {}), clock, shape);
  }

  /** Lands events, and merges everything. */
  async merge(events: readonly Event[]): Promise<void> {
    await this.#land(events);
    await this.#warehouse.merge('all');
  }

  /** Lands events, publishes their rows, and opens the file again. */
  async load(events: readonly Event[]): Promise<void> {
    await this.merge(events);
    await this.#warehouse.publish('now');
    await this.#reopen();
  }

  /** Returns random events, which are received some time after those before. */
  events(): Event[] {
    this.#receivedAt += pick(this.#random, [0, 1, 5, 30, 200]) * HOUR;
    this.#first += (this.#shape.drift ?? 0) * DAY;
    return Array.from({ length: this.#random.whole(1, 12) }, () => eventOf(this.#random, this.#first, this.#shape));
  }

  /** Lands events, merges them when they are due, and opens the file again without a publication. */
  async mergeLater(events: readonly Event[]): Promise<void> {
    await this.#land(events);
    this.#clock.now += MERGED_AFTER_MS;
    await this.#warehouse.merge('due');
    await this.#warehouse.settled?.();
    expect(this.#warehouse.backlog().batches).toBe(0);
    await this.#reopen();
  }

  async #reopen(): Promise<void> {
    await this.#warehouse.close();
    this.#warehouse = await this.#opening(this.#clock, this.#preferences);
  }

  /** Opens the file with other preferences. */
  async prefer(preferences: Preferences): Promise<void> {
    this.#preferences = preferences;
    await this.#reopen();
  }

  /** Later events are received this many milliseconds later. */
  wait(milliseconds: number): void {
    this.#receivedAt += milliseconds;
  }

  async publish(): Promise<void> {
    await this.#warehouse.publish('now');
  }

  async #land(events: readonly Event[]): Promise<void> {
    for (const [stream, list] of Map.groupBy(events, ([name]) => name)) {
      const records = list.map((event) => this.#record(event));
      const from = this.#at[stream] ?? 0;
      const to = from + records.length;
      await this.#warehouse.land({ stream, incarnation: 'i', from, to, records } as never);
      this.#at[stream] = to;
    }
  }

  async step(): Promise<void> {
    await this.#land(this.events());
    this.#clock.now += this.#random.whole(0, 2) * MERGED_AFTER_MS;
    const next = this.#random.whole(0, 9);
    if (next < 4) await this.#warehouse.merge('due');
    if (next === 4) await this.#warehouse.publish('now');
    if (next === 5) await this.#warehouse.merge('all');
    if (next === 6) await this.#reopen();
  }

  async erase(user: string): Promise<void> {
    await this.#warehouse.erase(user);
  }

  async end(): Promise<void> {
    await this.#warehouse.merge('all');
    await this.#warehouse.publish('now');
    await this.close();
  }

  async close(): Promise<void> {
    await this.#warehouse.close();
  }

  #record([stream, type, user, data]: Event): StreamRecords[EventStream] {
    const offset = this.#offset++;
    const receipt = {
      source: 's',
      partition: '0',
      offset,
      delivery_id: null,
      header_facts: 0,
      body_bytes: 1,
      body_crc32: 0,
      received_at: this.#receivedAt * 1000 + offset,
      arrived_at: null,
    };
    const reading = readEvent(stream, type, { user_id: user, data }, receipt);
    if (reading.kind !== 'record') throw new Error(reading.reason);
    return reading.record;
  }
}
