import type { ProviderConnection } from './connection.ts';
import { type DayRhythm, isAsleep, quarterMs, rhythmAt } from './day-rhythm.ts';
import type { Person } from './person.ts';
import type { Pull } from './pull.ts';
import { randomOf, stream } from './random.ts';
import {
  correctedShare,
  type DiscreteSample,
  handwriting,
  samplesPerEvent,
  timeseriesData,
  withCorrections,
} from './timeseries.ts';
import type { EventContents, Poll, Verb } from './visit.ts';

/** Returns the heart rate (bpm) at an instant, without noise. The rate depends on sleep, workouts and steps. */
export function heartRateAt(person: Person, rhythm: DayRhythm, instant: number): number {
  const { restingRate, highestRate } = person;
  if (isAsleep(rhythm, instant)) {
    const night = Math.max(0, instant - rhythm.asleep) / Math.max(1, rhythm.wake - rhythm.asleep);
    // The rate is lowest in the second half of the night.
    const depth = instant < rhythm.wake ? 1 - ((night - 0.65) / 0.65) ** 2 : 0;
    return restingRate + 4 - 5 * Math.max(0, depth);
  }
  const { workout } = rhythm;
  if (workout !== undefined && instant >= workout.start && instant < workout.stop + 600_000) {
    const warm = Math.min(1, (instant - workout.start) / 480_000);
    const cool = instant < workout.stop ? 1 : 1 - (instant - workout.stop) / 600_000;
    return restingRate + 12 + (highestRate - restingRate - 12) * (0.3 + 0.6 * workout.intensity) * warm * cool;
  }
  const steps = rhythm.quarters[Math.floor((instant - rhythm.start) / quarterMs)] ?? 0;
  return restingRate + 11 + Math.min(55, steps * 0.032);
}

/**
 * Returns the length of a chunk, in ms. A chunk consists of the slots of one event. A slot is `heartRateSeconds` long,
 * and slot 0 begins at 1970-01-01 UTC.
 */
export function chunkMs({ provider }: ProviderConnection): number {
  return provider.heartRateSeconds * samplesPerEvent * 1000;
}

/**
 * Returns the samples of one chunk, in bpm. The samples depend only on the connection and the chunk, so a second pull
 * repeats the same values. With `corrected`, returns only the samples that the provider changed afterwards, with their new
 * values.
 */
export function heartRateSamples(connection: ProviderConnection, chunk: number, corrected = false): DiscreteSample[] {
  const { person, provider } = connection;
  const { heartRateSeconds } = provider;
  const random = randomOf(connection.seed, stream.heartRate, chunk);
  const written = handwriting(connection, stream.heartRate, chunk, 1, corrected ? 1 : 0);
  const stepMs = heartRateSeconds * 1000;
  const start = chunk * chunkMs(connection);
  const follow = Math.min(1, heartRateSeconds / 150);
  const gap = random.chance(0.05)
    ? { from: random.whole(0, samplesPerEvent), slots: random.whole(3, 12) }
    : { from: -1, slots: 0 };
  const change = {
    from: random.whole(0, samplesPerEvent - 12),
    slots: random.whole(4, 12),
    by: random.pick([-3, -2, -1, 1, 2, 3]),
  };
  const samples: DiscreteSample[] = [];
  let rhythm: DayRhythm | undefined;
  let level = Number.NaN;
  let wander = 0;
  for (let slot = 0; slot < samplesPerEvent; slot++) {
    const noise = random.bell();
    const missed = random.uniform() < 0.01 || (slot >= gap.from && slot < gap.from + gap.slots);
    const jitter = provider.irregular ? random.whole(0, stepMs - 1) : 0;
    const at = start + slot * stepMs + jitter;
    rhythm = rhythmAt(person, at, rhythm);
    const target = heartRateAt(person, rhythm, at);
    level = slot === 0 ? target : level + (target - level) * follow;
    wander = 0.75 * wander + (isAsleep(rhythm, at) ? 0.9 : 2.4) * noise;
    const changed = slot >= change.from && slot < change.from + change.slots;
    if (missed || (corrected && !changed)) continue;
    const value = Math.max(35, Math.min(person.highestRate + 3, Math.round(level + wander))) + (corrected ? change.by : 0);
    samples.push({ timestamp: written.instant(at), timezone_offset: written.offset(at), type: null, unit: 'bpm', value });
  }
  return samples;
}

function isCorrected(connection: ProviderConnection, chunk: number): boolean {
  return randomOf(connection.seed, stream.heartRate, chunk, 1).chance(correctedShare);
}

/** Returns the samples in [from, until). */
function within(samples: DiscreteSample[], from: number, until = Number.POSITIVE_INFINITY): DiscreteSample[] {
  return samples.filter(({ timestamp }) => Date.parse(timestamp) >= from && Date.parse(timestamp) < until);
}

/** Adds the chunks that were completed since the previous visit, and occasionally a correction of such a chunk. */
export function liveHeartRate({ visit, since }: Poll): void {
  const { connection, instant } = visit;
  const length = chunkMs(connection);
  const from = connection.connectedAt;
  const send = (verb: Verb, chunk: number, corrected: boolean) => {
    const all = () => heartRateSamples(connection, chunk, corrected);
    const whole = chunk * length >= from;
    const samples = whole ? all : () => within(all(), from);
    // A whole chunk always has samples, because a gap is much shorter.
    if (!(whole && !corrected) && samples().length === 0) return;
    visit.add('heartrate', verb, { data: () => timeseriesData(connection, connection.provider.sourceTypes[0], samples()) });
  };
  // Depending on the length of a chunk, there may be no such chunk or many.
  for (let chunk = Math.floor(since / length); (chunk + 1) * length <= instant; chunk++) {
    send('created', chunk, false);
    if (isCorrected(connection, chunk)) send('updated', chunk, true);
  }
}

/** Returns the heart rate of a pull, with one event for each chunk. */
export function pastHeartRate({ connection, from, until }: Pull): EventContents[] {
  const length = chunkMs(connection);
  const events: EventContents[] = [];
  for (let chunk = Math.ceil(until / length) - 1; (chunk + 1) * length > from; chunk--) {
    const whole = chunk * length >= from && (chunk + 1) * length <= until;
    const samples = () => {
      const all = heartRateSamples(connection, chunk);
      const final = isCorrected(connection, chunk) ? withCorrections(all, heartRateSamples(connection, chunk, true)) : all;
      return whole ? final : within(final, from, until);
    };
    if (!whole && samples().length === 0) continue;
    events.push({ data: () => timeseriesData(connection, connection.provider.sourceTypes[0], samples()) });
  }
  return events;
}
