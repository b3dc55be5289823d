import { minuteMs } from './calendar.ts';
import { type ProviderConnection, scale } from './connection.ts';
import { bloodOxygen, heartRateVariability, type Reading, respiratoryRate } from './night-series.ts';
import { covers, newestFirst, type Pull, pulledDays } from './pull.ts';
import { randomOf, stream } from './random.ts';
import { type DiscreteSample, handwriting, samplesPerEvent, timeseriesData } from './timeseries.ts';
import { type EventContents, type Poll, Visit } from './visit.ts';
import { bodyData, type WeighIn, weighIns } from './weigh-in.ts';

/** A resource whose samples are single values. */
interface ReadingKind {
  /** distinguishes the kinds in random draws */
  readonly number: number;
  readonly unit: string;
  /** returns the readings of a local day, or of the night that ends on it, in order. It may omit all that are not in [from, until) */
  readonly ofDay: (connection: ProviderConnection, day: number, from?: number, until?: number) => Reading[];
  readonly sourceType?: string;
}

const kinds = {
  hrv: { number: 1, unit: 'rmssd', ofDay: heartRateVariability },
  blood_oxygen: { number: 2, unit: '%', ofDay: bloodOxygen },
  respiratory_rate: { number: 3, unit: 'bpm', ofDay: respiratoryRate },
  weight: {
    number: 4,
    unit: 'kg',
    sourceType: scale,
    ofDay: (connection, day) => weighIns(connection, day).map(({ at, weight }) => ({ at, value: weight })),
  },
  fat: {
    number: 5,
    unit: '%',
    sourceType: scale,
    ofDay: (connection, day) => weighIns(connection, day).map(({ at, fat }) => ({ at, value: fat })),
  },
} as const satisfies Record<string, ReadingKind>;

type ReadingResource = keyof typeof kinds;

function samplesOf(connection: ProviderConnection, kind: ReadingKind, readings: readonly Reading[]): DiscreteSample[] {
  const written = handwriting(connection, stream.reading, kind.number, readings[0]?.at ?? 0);
  return readings.map(({ at, value }) => ({
    timestamp: written.instant(at),
    timezone_offset: written.offset(at),
    type: null,
    unit: kind.unit,
    value,
  }));
}

/** Returns the events of readings, the newest first. */
function readingEvents(connection: ProviderConnection, resource: ReadingResource, readings: readonly Reading[]): EventContents[] {
  const kind: ReadingKind = kinds[resource];
  const sourceType = kind.sourceType ?? connection.provider.sourceTypes[0];
  return newestFirst(readings, samplesPerEvent).map((group) => ({
    data: () => timeseriesData(connection, sourceType, samplesOf(connection, kind, group)),
  }));
}

/** Adds the readings of a night to the first visit after it. */
export function liveReadings({ visit, day, since }: Poll, resource: ReadingResource): void {
  const { connection, instant } = visit;
  const kind: ReadingKind = kinds[resource];
  const readings = kind.ofDay(connection, day, since, instant).filter(({ at }) => at >= since && at < instant);
  for (const contents of readingEvents(connection, resource, readings).reverse()) visit.add(resource, 'created', contents);
}

/** Returns the readings of a pull. */
export function pastReadings(pull: Pull, resource: ReadingResource): EventContents[] {
  const readings = pulledDays(pull)
    .reverse()
    .flatMap((day) => kinds[resource].ofDay(pull.connection, day))
    .filter(({ at }) => covers(pull, at));
  return readingEvents(pull.connection, resource, readings);
}

/** Returns the visit that a measurement causes: a scale sends its data within ten minutes. */
function visitAfter(connection: ProviderConnection, weighIn: WeighIn): Visit {
  const { at, weight, fat } = weighIn;
  const delay = randomOf(connection.seed, stream.weighIn, weighIn.day, 1).whole(1, 10) * minuteMs;
  const visit = new Visit(connection, at + delay);
  for (const [resource, value] of [
    ['weight', weight],
    ['fat', fat],
  ] as const)
    for (const contents of readingEvents(connection, resource, [{ at, value }])) visit.add(resource, 'created', contents);
  visit.add('body', 'created', { data: () => bodyData(connection, weighIn) });
  return visit;
}

/** Returns the visits for the measurements that `isLive` accepts by their instant (ms). */
export function scaleVisits(connection: ProviderConnection, day: number, isLive: (at: number) => boolean): Visit[] {
  return weighIns(connection, day)
    .filter(({ at }) => isLive(at))
    .map((weighIn) => visitAfter(connection, weighIn));
}
