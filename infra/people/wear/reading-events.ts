import type { ProviderConnection } from '../connection.ts';
import { bloodOxygen, heartRateVariability, type Reading, respiratoryRate } from '../night-series.ts';
import { stream } from '../random.ts';
import { type DiscreteSample, handwriting, timeseriesData } from '../timeseries.ts';
import { scale, weighIns } from '../weigh-in.ts';
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
export function readingEvents(
  connection: ProviderConnection,
  resource: ReadingResource,
  readings: readonly Reading[],
): EventContents[] {
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
