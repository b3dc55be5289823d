import { type ProviderConnection, summarySource } from './connection.ts';
import { type DayRhythm, dayRhythm, isAsleep, quarterMs } from './day-rhythm.ts';
import { heartRateAt } from './heart-rate.ts';
import { coversEnd, type Pull, pulledDays } from './pull.ts';
import { randomOf, stream } from './random.ts';
import { stepsUntil } from './steps.ts';
import { datesOf, summaryId, summaryKind } from './summary.ts';
import type { EventContents, Poll, Verb } from './visit.ts';

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
 * Returns the `data` of an activity event, which covers the day up to `asOf` (ms). Distance is in meters, energy in
 * kcal, and effort in minutes. `steps` is the sum of the buckets of the provider's first source type.
 */
export function activityData(connection: ProviderConnection, day: number, asOf: number): object {
  const { person, provider } = connection;
  const rhythm = dayRhythm(person, day);
  const until = Math.min(asOf, rhythm.end);
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
    ...datesOf(day),
    calories_total: Math.round((resting + active) * 10) / 10,
    calories_active: active,
    steps,
    daily_movement: distance,
    distance,
    ...minutes,
    floors_climbed: Math.floor((steps * floors) / 900),
    source: summarySource(connection, provider.sourceTypes[0]),
    time_zone: person.zone.name,
    timezone_offset: person.zone.offsetSeconds(noon),
    heart_rate: rates,
  };
}

/** The probability that a visit sends a new version of the day's summary. */
const updatedShare = 0.8;

/**
 * Adds live activity to a visit. The first visit of a day creates the day's summary and completes the previous day's
 * summary. Most later visits update the summary.
 */
export function liveActivity({ visit, day, firstOfDay }: Poll): void {
  const { connection, instant } = visit;
  const send = (verb: Verb, of: number) => visit.add('activity', verb, { data: () => activityData(connection, of, instant) });
  if (firstOfDay) {
    send('updated', day - 1);
    // If the connection began earlier on this day, its first pull has already sent the summary.
    send(connection.connectedAt >= dayRhythm(connection.person, day).start ? 'updated' : 'created', day);
  } else if (randomOf(connection.seed, stream.activity, instant).chance(updatedShare)) send('updated', day);
}

/** Returns the activity summaries of a pull: of the days that are over, and of the current day. */
export function pastActivity(pull: Pull): EventContents[] {
  const { connection, until, asOf } = pull;
  const today = coversEnd(pull, asOf) ? connection.person.zone.localDay(asOf) : undefined;
  return pulledDays(pull)
    .filter((day) => coversEnd(pull, dayRhythm(connection.person, day).end) || day === today)
    .map((day) => ({ data: () => activityData(connection, day, Math.max(until, asOf)) }));
}
