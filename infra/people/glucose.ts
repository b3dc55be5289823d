import { minuteMs } from './calendar.ts';
import type { ProviderConnection } from './connection.ts';
import { isAsleep, rhythmAt } from './day-rhythm.ts';
import type { Ingestion } from './ingestion.ts';
import type { Person } from './person.ts';
import { randomOf, stream } from './random.ts';
import { type DiscreteSample, handwriting, timeseriesData } from './timeseries.ts';

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
export function glucoseSamples(connection: ProviderConnection, first: number, last: number, corrected = false): DiscreteSample[] {
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

/** Returns the first slot whose reading is after an instant. */
export function slotAfter(connection: ProviderConnection, instant: number): number {
  return Math.floor((instant - phase(connection)) / slotMs(connection)) + 1;
}

/** Returns whether the person scans the sensor by hand at a visit of the service, which the scan causes. */
export function scans(connection: ProviderConnection, visit: number): boolean {
  return randomOf(connection.seed, stream.glucose, visit).chance(0.5);
}

/** Returns the reading (mmol/L) of a manual scan at an instant. */
export function scanAt(connection: ProviderConnection, instant: number): DiscreteSample {
  const written = handwriting(connection, stream.glucose, instant);
  return {
    timestamp: written.instant(instant),
    timezone_offset: written.offset(instant),
    type: 'manual_scan',
    unit: 'mmol/L',
    value: Math.round(glucoseAt(connection.person, instant) * 10) / 10,
  };
}

/** Adds live glucose readings: those since the previous visit, and often a manual scan at the visit itself. */
export function ingestGlucose(visit: Ingestion, since: number, correction: number): void {
  const { connection, instant } = visit;
  const [automatic, manual] = connection.provider.sourceTypes;
  const end = slotAfter(connection, instant);
  for (let first = slotAfter(connection, since); first < end; first += connection.samplesPerEvent) {
    const last = Math.min(end, first + connection.samplesPerEvent);
    if (glucoseSamples(connection, first, last).length === 0) continue;
    visit.add('daily.data.glucose.created', () => timeseriesData(connection, automatic, glucoseSamples(connection, first, last)));
    if (!randomOf(connection.seed, stream.glucose, first, 1).chance(correction)) continue;
    if (glucoseSamples(connection, first, last, true).length === 0) continue;
    visit.add('daily.data.glucose.updated', () =>
      timeseriesData(connection, automatic, glucoseSamples(connection, first, last, true)),
    );
  }
  if (manual !== undefined && scans(connection, instant))
    visit.add('daily.data.glucose.created', () => timeseriesData(connection, manual, [scanAt(connection, instant)]));
}
