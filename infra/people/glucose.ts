import { minuteMs } from './calendar.ts';
import type { ProviderConnection } from './connection.ts';
import { isAsleep, rhythmAt } from './day-rhythm.ts';
import type { Person } from './person.ts';
import { covers, newestFirst, type Pull, pulledDays } from './pull.ts';
import { randomOf, stream } from './random.ts';
import {
  correctedShare,
  type DiscreteSample,
  handwriting,
  samplesPerEvent,
  timeseriesData,
  withCorrections,
} from './timeseries.ts';
import { type EventContents, type Poll, syncTimes, type Verb } from './visit.ts';

/** The slots that the provider recalibrates together. */
const blockSlots = 16;

/** Returns the time between two readings of a connection's sensor, in ms. */
function slotMs({ provider }: ProviderConnection): number {
  return provider.glucoseMinutes * minuteMs;
}

/**
 * Returns the interstitial glucose (mmol/L) at an instant. The level peaks after each meal, rises before waking and falls
 * during exercise.
 */
function glucoseAt(person: Person, instant: number): number {
  const rhythm = rhythmAt(person, instant);
  let value = person.fastingGlucose;
  for (const [number, meal] of rhythm.meals.entries()) {
    const minutes = (instant - meal) / minuteMs;
    if (minutes <= 0) continue;
    // The effect of a meal rises to 1 after 55 minutes and then declines slowly.
    const share = (minutes / 55) ** 2;
    const bump = (2 * share) / (1 + share * share);
    value += person.glucoseSwing * (0.75 + 0.2 * ((rhythm.day + number) % 3)) * bump;
  }
  const toWake = (rhythm.wake - instant) / minuteMs;
  if (toWake > 0 && toWake < 150) value += 0.5 * (1 - toWake / 150);
  if (isAsleep(rhythm, instant)) value -= 0.25;
  const { workout } = rhythm;
  if (workout !== undefined && instant > workout.start && instant < workout.stop + 40 * minuteMs)
    value -= 0.9 * workout.intensity;
  return value;
}

/**
 * Returns how long after the beginning of each slot a sensor takes its reading, in ms. This depends on when the person put
 * the sensor on.
 */
function phase(connection: ProviderConnection): number {
  return (connection.seed % (slotMs(connection) / 1000)) * 1000;
}

/**
 * Returns the automatic readings (mmol/L) from slot `first` up to, but not including, slot `last`. If `corrected` is true,
 * returns only some of these readings, with recalibrated values.
 */
function glucoseSamples(connection: ProviderConnection, first: number, last: number, corrected = false): DiscreteSample[] {
  const written = handwriting(connection, stream.glucose, first, last, corrected ? 1 : 0);
  const samples: DiscreteSample[] = [];
  for (let slot = first; slot < last; slot++) {
    const random = randomOf(connection.seed, stream.glucose, slot);
    if (random.chance(0.01)) continue;
    const noise = 0.12 * random.bell();
    if (corrected && slot % 4 !== 0) continue;
    const at = slot * slotMs(connection) + phase(connection);
    const value = Math.max(2.2, Math.round((glucoseAt(connection.person, at) + noise + (corrected ? 0.3 : 0)) * 10) / 10);
    samples.push({
      timestamp: written.instant(at),
      timezone_offset: written.offset(at),
      type: 'automatic',
      unit: 'mmol/L',
      value,
    });
  }
  return samples;
}

/** Returns whether the person scans the sensor by hand at a visit of the service, which the scan causes. */
function scans(connection: ProviderConnection, visit: number): boolean {
  return randomOf(connection.seed, stream.glucose, visit).chance(0.5);
}

/** Returns the reading (mmol/L) of a manual scan at an instant. */
function scanAt(connection: ProviderConnection, instant: number): DiscreteSample {
  const written = handwriting(connection, stream.glucose, instant);
  return {
    timestamp: written.instant(instant),
    timezone_offset: written.offset(instant),
    type: 'manual_scan',
    unit: 'mmol/L',
    value: Math.round(glucoseAt(connection.person, instant) * 10) / 10,
  };
}

function isCorrected(connection: ProviderConnection, block: number): boolean {
  return randomOf(connection.seed, stream.glucose, block, 2).chance(correctedShare);
}

/** Returns the first slot whose reading is not before an instant (ms). */
function slotFrom(connection: ProviderConnection, instant: number): number {
  return Math.ceil((instant - phase(connection)) / slotMs(connection));
}

/** Returns the readings of the slots from `first` up to, but not including, `last`, with their final values. */
function finalSamples(connection: ProviderConnection, first: number, last: number): DiscreteSample[] {
  const corrected: DiscreteSample[] = [];
  for (let block = Math.floor(first / blockSlots); block * blockSlots < last; block++) {
    const [from, until] = [Math.max(first, block * blockSlots), Math.min(last, (block + 1) * blockSlots)];
    if (isCorrected(connection, block)) corrected.push(...glucoseSamples(connection, from, until, true));
  }
  return withCorrections(glucoseSamples(connection, first, last), corrected);
}

/** Adds the readings since the previous visit, the corrections of completed blocks, and often a manual scan. */
export function liveGlucose({ visit, since }: Poll): void {
  const { connection, instant } = visit;
  const [automatic, manual] = connection.provider.sourceTypes;
  const send = (verb: Verb, sourceType: string, samples: readonly DiscreteSample[]) => {
    if (samples.length > 0) visit.add('glucose', verb, { data: () => timeseriesData(connection, sourceType, samples) });
  };
  const end = slotFrom(connection, instant);
  const start = slotFrom(connection, since);
  for (let first = start; first < end; first += samplesPerEvent) {
    const last = Math.min(end, first + samplesPerEvent);
    send('created', automatic, glucoseSamples(connection, first, last));
  }
  for (let block = Math.floor(start / blockSlots); (block + 1) * blockSlots <= end; block++) {
    const first = Math.max(block * blockSlots, slotFrom(connection, connection.connectedAt));
    const last = (block + 1) * blockSlots;
    if (isCorrected(connection, block)) send('updated', automatic, glucoseSamples(connection, first, last, true));
  }
  if (manual !== undefined && scans(connection, instant)) send('created', manual, [scanAt(connection, instant)]);
}

/** Returns the scans at the visits that a connection would have had. */
function pastScans(pull: Pull): EventContents[] {
  const { connection } = pull;
  const [, manual] = connection.provider.sourceTypes;
  if (manual === undefined) return [];
  const visits = pulledDays(pull)
    .flatMap((day) => syncTimes(connection, day))
    .filter((instant) => covers(pull, instant) && scans(connection, instant))
    .sort((a, b) => a - b);
  return newestFirst(visits, samplesPerEvent).map((group) => ({
    data: () =>
      timeseriesData(
        connection,
        manual,
        group.map((instant) => scanAt(connection, instant)),
      ),
  }));
}

/** Returns the glucose readings of a pull. */
export function pastGlucose(pull: Pull): EventContents[] {
  const { connection } = pull;
  const oldest = slotFrom(connection, pull.from);
  const events: EventContents[] = [];
  for (let last = slotFrom(connection, pull.until); last > oldest; last -= samplesPerEvent) {
    const [first, end] = [Math.max(oldest, last - samplesPerEvent), last];
    const samples = finalSamples(connection, first, end);
    if (samples.length > 0) events.push({ data: () => timeseriesData(connection, connection.provider.sourceTypes[0], samples) });
  }
  return [...events, ...pastScans(pull)];
}
