import type { ProviderConnection } from './connection.ts';
import { type DayRhythm, isAsleep, quarterMs, rhythmAt } from './day-rhythm.ts';
import type { Ingestion } from './ingestion.ts';
import type { Person } from './person.ts';
import { randomOf, stream } from './random.ts';
import { type DiscreteSample, handwriting, timeseriesData } from './timeseries.ts';

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
export function chunkMs(connection: ProviderConnection): number {
  return connection.heartRateSeconds * connection.samplesPerEvent * 1000;
}

/**
 * Returns the samples of one chunk, in bpm. The samples depend only on the connection and the chunk, so a second pull
 * repeats the same values.
 * With a `stride` of n, uses only every n-th slot, because the first pull is sparser than live data. With `corrected`,
 * returns only the samples that the provider changed afterwards, with their new values.
 */
export function heartRateSamples(connection: ProviderConnection, chunk: number, stride = 1, corrected = false): DiscreteSample[] {
  const { person, heartRateSeconds, samplesPerEvent, provider } = connection;
  const random = randomOf(connection.seed, stream.heartRate, chunk);
  const written = handwriting(connection, stream.heartRate, chunk, stride, corrected ? 1 : 0);
  const stepMs = heartRateSeconds * 1000;
  const start = chunk * chunkMs(connection);
  const follow = Math.min(1, heartRateSeconds / 150);
  const gap = random.chance(0.05)
    ? { from: random.whole(0, samplesPerEvent), slots: random.whole(3, 12) }
    : { from: -1, slots: 0 };
  const change = {
    from: random.whole(0, Math.max(0, samplesPerEvent - 12)),
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
    if (missed || slot % stride !== 0) continue;
    const changed = slot >= change.from && slot < change.from + change.slots;
    if (corrected && !changed) continue;
    const value = Math.max(35, Math.min(person.highestRate + 3, Math.round(level + wander))) + (corrected ? change.by : 0);
    samples.push({
      timestamp: written.instant(at),
      timezone_offset: written.offset(at),
      type: written.absentType,
      unit: 'bpm',
      value,
    });
  }
  return samples;
}

/** Returns whether the provider corrects some samples of a chunk later, with the probability `correction`. */
export function isChunkCorrected(connection: ProviderConnection, chunk: number, correction: number): boolean {
  return randomOf(connection.seed, stream.heartRate, chunk, 1).chance(correction);
}

/**
 * Adds live heart rate to a visit: every chunk that was completed since the previous visit, and occasionally a correction
 * of such a chunk.
 */
export function ingestHeartRate(visit: Ingestion, since: number, correction: number): void {
  const { connection } = visit;
  const length = chunkMs(connection);
  const [sourceType] = connection.provider.sourceTypes;
  const send = (verb: string, chunk: number, corrected: boolean) => {
    const data = () => timeseriesData(connection, sourceType, heartRateSamples(connection, chunk, 1, corrected));
    visit.add(`daily.data.heartrate.${verb}`, data);
  };
  // Send the chunks that end in (since, now]. Depending on the length of a chunk, there may be no such chunk or many.
  for (let chunk = Math.floor(since / length); (chunk + 1) * length <= visit.instant; chunk++) {
    if ((chunk + 1) * length <= since) continue;
    send('created', chunk, false);
    const correct = isChunkCorrected(connection, chunk, correction);
    if (correct && heartRateSamples(connection, chunk, 1, true).length > 0) send('updated', chunk, true);
  }
}
