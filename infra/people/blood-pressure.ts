import { minuteMs } from './calendar.ts';
import type { ProviderConnection } from './connection.ts';
import { dayRhythm } from './day-rhythm.ts';
import { covers, newestFirst, type Pull, pulledDays } from './pull.ts';
import { type Random, randomOf, stream } from './random.ts';
import { handwriting, samplesPerEvent, timeseriesData } from './timeseries.ts';
import { type EventContents, type Verb, Visit } from './visit.ts';

/** A sitting has at most three readings. */
const readingsPerSitting = 3;

/** One blood pressure reading. As in the service's events, it has `systolic` and `diastolic` instead of `value`. */
interface PressureSample {
  timestamp: string;
  timezone_offset: number | null;
  type: string | null;
  unit: string;
  systolic: number;
  diastolic: number;
  grouping?: (string | null)[];
}

/** Returns the instants (ms) at which the person measures blood pressure: on most mornings and some evenings. */
function sittings(connection: ProviderConnection, day: number): number[] {
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
function pressureSamples(connection: ProviderConnection, sitting: number, corrected = false): PressureSample[] {
  const random = randomOf(connection.seed, stream.bloodPressure, sitting);
  const written = handwriting(connection, stream.bloodPressure, sitting, corrected ? 1 : 0);
  const count = random.pick([1, 1, 2, 3]);
  const grouped = connection.provider.slug === 'omron';
  const samples: PressureSample[] = [];
  let at = sitting;
  for (let repeat = 0; repeat < count; repeat++) {
    const { systolic, diastolic } = reading(connection, random, at, repeat);
    samples.push({
      timestamp: written.instant(at),
      timezone_offset: written.offset(at),
      type: null,
      unit: 'mmHg',
      systolic: systolic - (corrected ? 4 : 0),
      diastolic,
      ...(grouped ? { grouping: ['cuff', null, null, connection.deviceIds.cuff ?? null] } : {}),
    });
    at += random.whole(60, 140) * 1000;
  }
  return corrected ? samples.slice(0, 1) : samples;
}

/** The probability that the first reading of a sitting is corrected. People correct typing errors more often than sensors err. */
const correctedShare = 0.06;

/**
 * Returns the visits in which the service fetches the readings of a sitting. A cuff sends its readings within 20 minutes.
 * A few readings are corrected later, in a second visit.
 */
function sittingVisits(connection: ProviderConnection, sitting: number): Visit[] {
  const [sourceType] = connection.provider.sourceTypes;
  const send = (visit: Visit, verb: Verb, corrected: boolean) =>
    visit.add('blood_pressure', verb, {
      data: () => timeseriesData(connection, sourceType, pressureSamples(connection, sitting, corrected)),
    });
  const random = randomOf(connection.seed, stream.bloodPressure, sitting, 1);
  const first = new Visit(connection, sitting + random.whole(5, 20) * minuteMs);
  send(first, 'created', false);
  if (!random.chance(correctedShare)) return [first];
  const second = new Visit(connection, first.instant + random.whole(10, 90) * minuteMs);
  send(second, 'updated', true);
  return [first, second];
}

/** Returns the visits for the sittings that `isLive` accepts by their instant (ms). The evening's sitting may follow midnight. */
export function cuffVisits(connection: ProviderConnection, day: number, isLive: (at: number) => boolean): Visit[] {
  return [day - 1, day]
    .flatMap((of) => sittings(connection, of))
    .filter(isLive)
    .flatMap((sitting) => sittingVisits(connection, sitting));
}

/** Returns the readings of a sitting. If the provider corrects the first reading, returns its corrected value. */
function finalSamples(connection: ProviderConnection, sitting: number): PressureSample[] {
  const samples = pressureSamples(connection, sitting);
  if (sittingVisits(connection, sitting).length === 1) return samples;
  return [...pressureSamples(connection, sitting, true), ...samples.slice(1)];
}

/** Returns the readings of a pull. The readings of a sitting stay together. */
export function pastBloodPressure(pull: Pull): EventContents[] {
  const { connection } = pull;
  const list = pulledDays(pull)
    .flatMap((day) => sittings(connection, day))
    .filter((sitting) => covers(pull, sitting))
    .sort((a, b) => a - b);
  return newestFirst(list, Math.floor(samplesPerEvent / readingsPerSitting)).map((group) => ({
    data: () =>
      timeseriesData(
        connection,
        connection.provider.sourceTypes[0],
        group.flatMap((sitting) => finalSamples(connection, sitting)),
      ),
  }));
}
