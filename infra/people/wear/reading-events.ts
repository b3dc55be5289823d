import { type PressureSample, pressureSamples, sittings, sittingVisits } from '../blood-pressure.ts';
import { minuteMs } from '../calendar.ts';
import type { ProviderConnection } from '../connection.ts';
import { Ingestion } from '../ingestion.ts';
import { bloodOxygen, heartRateVariability, type Reading, respiratoryRate } from '../night-series.ts';
import { defaultRates } from '../options.ts';
import { randomOf, stream } from '../random.ts';
import { type DiscreteSample, handwriting, timeseriesData } from '../timeseries.ts';
import { bodyData, scale, type WeighIn, weighIns } from '../weigh-in.ts';
import type { LiveVisit } from './live-visit.ts';
import { covers, type EventContents, newestFirst, type Pull, pulledDays } from './pull.ts';

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
    type: written.absentType,
    unit: kind.unit,
    value,
  }));
}

/** Returns the events of readings, the newest first. */
function readingEvents(connection: ProviderConnection, resource: ReadingResource, readings: readonly Reading[]): EventContents[] {
  const kind: ReadingKind = kinds[resource];
  const sourceType = kind.sourceType ?? connection.provider.sourceTypes[0];
  return newestFirst(readings, connection.samplesPerEvent).map((group) => ({
    data: () => timeseriesData(connection, sourceType, samplesOf(connection, kind, group)),
  }));
}

/** Adds the readings of a night to the first visit after it. */
export function liveReadings({ ingestion, day, since }: LiveVisit, resource: ReadingResource): void {
  const { connection, instant } = ingestion;
  const kind: ReadingKind = kinds[resource];
  const readings = kind.ofDay(connection, day, since, instant).filter(({ at }) => at >= since && at < instant);
  for (const { data } of readingEvents(connection, resource, readings).reverse())
    ingestion.add(`daily.data.${resource}.created`, data);
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
function visitAfter(connection: ProviderConnection, weighIn: WeighIn): Ingestion {
  const { at, weight, fat } = weighIn;
  const delay = randomOf(connection.seed, stream.weighIn, weighIn.day, 1).whole(1, 10) * minuteMs;
  const visit = new Ingestion(connection, at + delay);
  for (const [resource, value] of [
    ['weight', weight],
    ['fat', fat],
  ] as const)
    for (const { data } of readingEvents(connection, resource, [{ at, value }]))
      visit.add(`daily.data.${resource}.created`, data);
  visit.add('daily.data.body.created', () => bodyData(connection, weighIn, visit.instant));
  return visit;
}

/** Returns the visits for the measurements that `isLive` accepts by their instant (ms). */
export function scaleVisits(connection: ProviderConnection, day: number, isLive: (at: number) => boolean): Ingestion[] {
  return weighIns(connection, day)
    .filter(({ at }) => isLive(at))
    .map((weighIn) => visitAfter(connection, weighIn));
}

/** Returns the body summaries of a pull. */
export function pastBody(pull: Pull): EventContents[] {
  const { connection, until, asOf } = pull;
  return pulledDays(pull)
    .flatMap((day) => weighIns(connection, day))
    .filter(({ at }) => covers(pull, at))
    .map((weighIn) => ({ data: () => bodyData(connection, weighIn, Math.max(until, asOf)) }));
}

/** A sitting has at most three readings. */
const readingsPerSitting = 3;

/** Returns the visits for the sittings that `isLive` accepts by their instant (ms). The evening's sitting may follow midnight. */
export function cuffVisits(connection: ProviderConnection, day: number, isLive: (at: number) => boolean): Ingestion[] {
  return [day - 1, day]
    .flatMap((of) => sittings(connection, of))
    .filter(isLive)
    .flatMap((sitting) => sittingVisits(connection, sitting, defaultRates.sampleUpdate));
}

/** Returns the readings of a sitting. If the provider corrects the first reading, returns its corrected value. */
function finalSamples(connection: ProviderConnection, sitting: number): PressureSample[] {
  const samples = pressureSamples(connection, sitting);
  if (sittingVisits(connection, sitting, defaultRates.sampleUpdate).length === 1) return samples;
  return [...pressureSamples(connection, sitting, true), ...samples.slice(1)];
}

/** Returns the readings of a pull. The readings of a sitting stay together. */
export function pastBloodPressure(pull: Pull): EventContents[] {
  const { connection } = pull;
  const list = pulledDays(pull)
    .flatMap((day) => sittings(connection, day))
    .filter((sitting) => covers(pull, sitting))
    .sort((a, b) => a - b);
  const size = Math.max(1, Math.floor(connection.samplesPerEvent / readingsPerSitting));
  return newestFirst(list, size).map((group) => ({
    data: () =>
      timeseriesData(
        connection,
        connection.provider.sourceTypes[0],
        group.flatMap((sitting) => finalSamples(connection, sitting)),
      ),
  }));
}
