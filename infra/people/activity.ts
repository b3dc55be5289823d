import { dayText } from './calendar.ts';
import { type ProviderConnection, sourceObject } from './connection.ts';
import { type DayRhythm, dayRhythm, isAsleep, quarterMs } from './day-rhythm.ts';
import { heartRateAt } from './heart-rate.ts';
import type { Ingestion, Verb } from './ingestion.ts';
import { randomOf, stream } from './random.ts';
import { stepsUntil } from './steps.ts';
import { deprecatedDate, discoveredAt, summaryId, summaryKind, versionTimes } from './summary.ts';

/** Returns a day's minutes of light, medium and hard effort and its heart rates, up to the instant `until` (ms). */
function effort(connection: ProviderConnection, rhythm: DayRhythm, until: number) {
  const { person } = connection;
  const minutes = { low: 0, medium: 0, high: 0 };
  let [lowest, highest, sum, count] = [999, 0, 0, 0];
  for (let quarter = 0; quarter < rhythm.quarters.length; quarter++) {
    const at = rhythm.start + quarter * quarterMs;
    if (at >= until) break;
    const rate = heartRateAt(person, rhythm, at);
    lowest = Math.min(lowest, rate);
    highest = Math.max(highest, rate);
    sum += rate;
    count++;
    if (isAsleep(rhythm, at)) continue;
    const reserve = (rate - person.restingRate) / (person.highestRate - person.restingRate);
    const level = reserve > 0.6 ? 'high' : reserve > 0.4 ? 'medium' : reserve > 0.18 ? 'low' : undefined;
    if (level !== undefined) minutes[level] += 15;
  }
  const average = sum / Math.max(1, count);
  return {
    minutes,
    rates: {
      avg_bpm: Math.round(average),
      min_bpm: Math.round(Math.min(lowest, average)),
      max_bpm: Math.round(highest),
      resting_bpm: person.restingRate,
      avg_walking_bpm: Math.round(person.restingRate + 34),
    },
  };
}

/**
 * Returns the `data` of an activity event, which covers the day up to `updatedAt` (ms). Distance is in meters, energy in
 * kcal, and effort in minutes. `steps` is the sum of the buckets of the provider's first source type.
 */
export function activityData(connection: ProviderConnection, day: number, updatedAt: number): object {
  const { person, provider, generation } = connection;
  const rhythm = dayRhythm(person, day);
  const until = Math.min(updatedAt, rhythm.end);
  const steps = stepsUntil(connection, rhythm, provider.sourceTypes[0], until);
  const { minutes, rates } = effort(connection, rhythm, until);
  const distance = Math.round(steps * person.strideM * 10) / 10;
  const active = Math.round((steps * 0.038 + minutes.medium * 3.5 + minutes.high * 7) * 10) / 10;
  const resting = (person.basalKcal * Math.max(0, until - rhythm.start)) / (rhythm.end - rhythm.start);
  const floors = randomOf(connection.seed, stream.activity, day).between(0.4, 1.6);
  const noon = person.zone.instantOf(day, 43_200);
  return {
    id: summaryId(connection, summaryKind.activity, day),
    user_id: person.userId,
    ...deprecatedDate(connection, day),
    calendar_date: dayText(day),
    calories_total: Math.round((resting + active) * 10) / 10,
    calories_active: active,
    steps,
    ...(generation === 'current' ? {} : { daily_movement: distance }),
    distance,
    ...minutes,
    floors_climbed: Math.floor((steps * floors) / 900),
    source: sourceObject(connection, provider.sourceTypes[0], true),
    time_zone: person.zone.name,
    timezone_offset: person.zone.offsetSeconds(noon),
    heart_rate: rates,
    ...versionTimes(connection, discoveredAt(connection, day, rhythm.start), updatedAt),
  };
}

/**
 * Adds live activity to a visit. The first visit of a day creates the day's summary and completes the previous day's
 * summary. Each later visit updates the summary with probability `share`.
 */
export function ingestActivity(visit: Ingestion, day: number, firstOfDay: boolean, share: number): void {
  const { connection, instant } = visit;
  const send = (verb: Verb, of: number) => visit.add(`daily.data.activity.${verb}`, () => activityData(connection, of, instant));
  if (firstOfDay) {
    send('updated', day - 1);
    // If the connection began earlier on this day, its first pull has already sent the summary.
    const { start } = dayRhythm(connection.person, day);
    send(discoveredAt(connection, day, start) < instant ? 'updated' : 'created', day);
  } else if (randomOf(connection.seed, stream.activity, instant).chance(share)) send('updated', day);
}
