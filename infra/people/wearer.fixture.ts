import fc from 'fast-check';
import { wear } from './connection.ts';
import { liveEvents } from './events.ts';
import { localDayOf, wearerOf } from './person.ts';
import { type Provider, wearables } from './provider.ts';
import type { AnySample } from './recording.fixture.ts';
import type { DataEvent } from './visit.ts';

export const dayMs = 86_400_000;
export const hourMs = 3_600_000;

/** A value with its identity: the primary key that the service documents, as one string. */
export interface Keyed {
  readonly key: string;
  /** ms since 1970, from the data itself. Undefined for a profile */
  readonly moment: number | undefined;
  readonly value: string;
}

interface Contents {
  source: { provider: string; type: string };
  id?: string;
  workout_id?: string;
  calendar_date?: string;
  bedtime_start?: string;
  data?: AnySample[];
}

function keyedSample(resource: string, { source }: Contents, sample: AnySample): Keyed {
  const moment = Date.parse(sample.start ?? sample.timestamp!);
  const end = sample.end === undefined ? '' : Date.parse(sample.end);
  const { value, systolic, diastolic, unit, timezone_offset } = sample;
  return {
    key: [resource, source.provider, source.type, moment, sample.type].join(' '),
    moment,
    value: JSON.stringify([end, value, systolic, diastolic, unit, timezone_offset]),
  };
}

/** Returns the samples of an event, or its summary. */
export function keyed({ resource, data, stream }: DataEvent): Keyed[] {
  const contents = data() as Contents;
  if (contents.data !== undefined) return contents.data.map((sample) => keyedSample(resource, contents, sample));
  const streamed = stream?.() as { time: number[] } | undefined;
  // The calendar date of sleep may change when the provider confirms it.
  const text =
    contents.bedtime_start ??
    contents.calendar_date ??
    (streamed === undefined ? undefined : new Date(streamed.time[0]! * 1000).toISOString());
  return [
    {
      key: `${resource} ${contents.id ?? contents.workout_id}`,
      moment: text === undefined ? undefined : Date.parse(text),
      value: JSON.stringify([contents, streamed]),
    },
  ];
}

/** Returns the samples of a timeseries event, or undefined for a summary. */
export function samplesIn({ data }: DataEvent): AnySample[] | undefined {
  return (data() as Contents).data;
}

/** Returns the last value of each key, in the range (ms) that contains the key's moment. */
export function latest(events: readonly DataEvent[], [from, until]: readonly [number, number]): Map<string, string> {
  const list = events.flatMap(keyed).filter(({ moment = from }) => moment >= from && moment < until);
  return new Map(list.map(({ key, value }) => [key, value]));
}

/** Returns the live events of the local days that overlap [from, until] (ms). */
export function liveBetween(connection: ReturnType<typeof wear>, from: number, until: number): DataEvent[] {
  const first = localDayOf(connection.person, from);
  const last = localDayOf(connection.person, until);
  return Array.from({ length: last - first + 1 }, (_, i) => liveEvents(connection, first + i)).flat();
}

/** Draws a person with a wearable. The instant is near a change of the clocks in many zones, or in the middle of winter. */
export const anyWearer = fc.record({
  wearable: fc.constantFrom(...wearables),
  seed: fc.integer(),
  userId: fc.uuid(),
  instant: fc
    .constantFrom('2026-01-15', '2026-03-08', '2026-03-29')
    .chain((date) => fc.integer({ min: 0, max: 2 * dayMs - 1 }).map((ms) => Date.parse(date) + ms)),
});

interface Given {
  readonly wearable: Provider;
  readonly seed: number;
  readonly userId: string;
  readonly timeZone?: string;
  /** mean bedtime in seconds after midnight */
  readonly bedSecond?: number;
}

/** Connects the wearable of a new person object at an instant (ms). */
export function connected({ wearable, bedSecond, seed, userId, timeZone }: Given, connectedAt: number) {
  const zone = timeZone === undefined ? {} : { timeZone };
  const person = wearerOf({ seed, userId, ...zone, clientUserId: 'client', teamId: 'team' });
  return wear(bedSecond === undefined ? person : { ...person, bedSecond }, { slug: wearable.slug, connectedAt });
}
