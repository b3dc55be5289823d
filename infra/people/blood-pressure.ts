import { minuteMs } from './calendar.ts';
import type { ProviderConnection } from './connection.ts';
import { dayRhythm } from './day-rhythm.ts';
import { Ingestion } from './ingestion.ts';
import { type Random, randomOf, stream } from './random.ts';
import { handwriting, timeseriesData } from './timeseries.ts';

/** One blood pressure reading. As in the service's events, it has `systolic` and `diastolic` instead of `value`. */
export interface PressureSample {
  timestamp: string;
  timezone_offset: number | null;
  type: string | null;
  unit: string;
  systolic: number;
  diastolic: number;
  grouping?: (string | null)[];
}

/** Returns the instants (ms) at which the person measures blood pressure: on most mornings and some evenings. */
export function sittings(connection: ProviderConnection, day: number): number[] {
  const { wake, bed } = dayRhythm(connection.person, day);
  const random = randomOf(connection.seed, stream.bloodPressure, day);
  const morning = wake + random.whole(15 * 60, 70 * 60) * 1000;
  const evening = bed - random.whole(40 * 60, 150 * 60) * 1000;
  return [...(random.chance(0.8) ? [morning] : []), ...(random.chance(0.45) ? [evening] : [])];
}

function reading(connection: ProviderConnection, random: Random, at: number, repeat: number) {
  const { person } = connection;
  const wave = random.bell();
  const later = person.zone.wallSecond(at) > 43_200 ? 3 : 0;
  // The first of several readings tends to be the highest.
  const systolic = Math.round(person.systolic + later + 6 * wave - 2.5 * repeat);
  return { systolic, diastolic: Math.min(systolic - 20, Math.round(person.diastolic + later / 2 + 3.5 * wave - repeat)) };
}

/**
 * Returns the one to three readings of a sitting, a minute or two apart. With `corrected`, returns only the first
 * reading, with a corrected value.
 */
export function pressureSamples(connection: ProviderConnection, sitting: number, corrected = false): PressureSample[] {
  const random = randomOf(connection.seed, stream.bloodPressure, sitting);
  const written = handwriting(connection, stream.bloodPressure, sitting, corrected ? 1 : 0);
  const count = random.pick([1, 1, 2, 3]);
  const grouped = connection.generation !== 'old' && connection.provider.slug === 'omron';
  const samples: PressureSample[] = [];
  let at = sitting;
  for (let repeat = 0; repeat < count; repeat++) {
    const { systolic, diastolic } = reading(connection, random, at, repeat);
    samples.push({
      timestamp: written.instant(at),
      timezone_offset: written.offset(at),
      type: written.absentType,
      unit: 'mmHg',
      systolic: systolic - (corrected ? 4 : 0),
      diastolic,
      ...(grouped ? { grouping: ['cuff', null, null, connection.deviceIds.cuff ?? null] } : {}),
    });
    at += random.whole(60, 140) * 1000;
  }
  return corrected ? samples.slice(0, 1) : samples;
}

/**
 * Returns the visits in which the service fetches the readings of a sitting. A cuff sends its readings within 20 minutes.
 * A few readings are corrected later, in a second visit.
 */
export function sittingVisits(connection: ProviderConnection, sitting: number, correction: number): Ingestion[] {
  const [sourceType] = connection.provider.sourceTypes;
  const send = (visit: Ingestion, verb: string, corrected: boolean) =>
    visit.add(`daily.data.blood_pressure.${verb}`, () =>
      timeseriesData(connection, sourceType, pressureSamples(connection, sitting, corrected)),
    );
  const random = randomOf(connection.seed, stream.bloodPressure, sitting, 1);
  const first = new Ingestion(connection, sitting + random.whole(5, 20) * minuteMs);
  send(first, 'created', false);
  // People correct typing errors more often than sensors are recalibrated.
  if (!random.chance(correction * 3)) return [first];
  const second = new Ingestion(connection, first.instant + random.whole(10, 90) * minuteMs);
  send(second, 'updated', true);
  return [first, second];
}

/** Returns the visits in which the service fetches the live readings of a local day. */
export function bloodPressureVisits(connection: ProviderConnection, day: number, correction: number): Ingestion[] {
  return sittings(connection, day).flatMap((sitting) => sittingVisits(connection, sitting, correction));
}
