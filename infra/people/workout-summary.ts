import { dayText, instantText } from './calendar.ts';
import { type ProviderConnection, summarySource } from './connection.ts';
import { highestRateAt, type Person } from './person.ts';
import { coversEnd, type Pull, pulledDays } from './pull.ts';
import { randomOf, stream } from './random.ts';
import { summaryId, summaryKind } from './summary.ts';
import type { EventContents, Poll } from './visit.ts';
import { pointSeconds, type Workout, type WorkoutPoints, workoutPoints, workoutsOf } from './workout.ts';

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const tenths = (value: number) => Math.round(value * 10) / 10;

/** Returns the age in whole years on a day. */
function ageOn(day: number, birthDate: string): number {
  const date = dayText(day);
  const years = Number(date.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return Math.max(0, date.slice(5) < birthDate.slice(5) ? years - 1 : years);
}

/** Returns the highest heart rate (bpm): as the provider knows it, or as the service estimates it from the birth date. */
function highestRateOf({ person, fallbackBirthDate }: ProviderConnection, day: number): number {
  return fallbackBirthDate === undefined ? person.highestRate : highestRateAt(ageOn(day, fallbackBirthDate));
}

/** Returns the seconds in each of six zones: below 50 % of the highest heart rate, four zones of 10 %, and from 90 % on. */
function zonesOf(highestRate: number, { heartrate }: WorkoutPoints): number[] {
  const zones = [0, 0, 0, 0, 0, 0];
  for (const rate of heartrate) {
    const zone = Math.max(0, Math.min(5, Math.floor((rate / highestRate) * 10) - 4));
    zones[zone] = zones[zone]! + pointSeconds;
  }
  return zones;
}

/** Returns the energy in kcal. It is computed as in the activity summary, but from the workout's own steps and rates. */
function energy({ restingRate, highestRate }: Person, { heartrate }: WorkoutPoints, steps: number): number {
  const perMinute = (rate: number) => {
    const reserve = (rate - restingRate) / (highestRate - restingRate);
    return reserve > 0.6 ? 7 : reserve > 0.4 ? 3.5 : 0;
  };
  return tenths(steps * 0.038 + (sum(heartrate.map(perMinute)) * pointSeconds) / 60);
}

function climb({ altitude }: WorkoutPoints): number {
  return tenths(sum(altitude.map((meters, i) => Math.max(0, meters - (altitude[i - 1] ?? meters)))));
}

/** Returns the provider's own id of a workout. */
function providerId(connection: ProviderConnection, { day }: Workout): string {
  return String(randomOf(connection.seed, stream.workout, day, 2).whole(1_000_000_000, 9_999_999_999));
}

/** Returns the `data` of a workouts event. All values follow from the workout's points. */
export function workoutData(connection: ProviderConnection, workout: Workout): object {
  const { person, provider } = connection;
  const points = workoutPoints(connection, workout);
  const steps = Math.floor((sum(points.cadence) * pointSeconds) / 60);
  const moving = points.velocity_smooth.filter((velocity) => velocity > 0).length * pointSeconds;
  const distance = points.distance.at(-1) ?? 0;
  const part = person.zone.wallSecond(workout.start) < 43_200 ? 'Morning' : 'Evening';
  return {
    id: summaryId(connection, summaryKind.workout, workout.day),
    user_id: person.userId,
    title: `${part} ${workout.sport.slug}`,
    timezone_offset: person.zone.offsetSeconds(workout.start),
    average_hr: Math.round(sum(points.heartrate) / points.heartrate.length),
    max_hr: Math.max(...points.heartrate),
    distance,
    calendar_date: dayText(workout.day),
    time_start: instantText(workout.start, 'offset'),
    time_end: instantText(workout.stop, 'offset'),
    calories: energy(person, points, steps),
    sport: workout.sport,
    hr_zones: zonesOf(highestRateOf(connection, workout.day), points),
    moving_time: moving,
    total_elevation_gain: climb(points),
    elev_high: Math.max(...points.altitude),
    elev_low: Math.min(...points.altitude),
    average_speed: Math.round((distance / Math.max(1, moving)) * 100) / 100,
    max_speed: Math.max(...points.velocity_smooth),
    average_watts: null,
    device_watts: null,
    max_watts: null,
    weighted_average_watts: null,
    steps,
    map: null,
    provider_id: providerId(connection, workout),
    source: summarySource(connection, provider.sourceTypes[0]),
  };
}

/** Returns the `data` of a workout_stream event, which says that the stream can be read, and does not contain it. */
export function shallowStreamData(connection: ProviderConnection, workout: Workout): object {
  return {
    user_id: connection.person.userId,
    workout_id: summaryId(connection, summaryKind.workout, workout.day),
    provider_id: providerId(connection, workout),
    message: 'The stream is too large for an event. Read it with GET /v2/timeseries/workouts/{workout_id}/stream.',
    source: summarySource(connection, connection.provider.sourceTypes[0]),
    sport: workout.sport,
  };
}

/** Returns the stream of a workout, as the service's API does. Measures that the device does not have are empty. */
export function workoutStream(connection: ProviderConnection, workout: Workout): object {
  return { ...workoutPoints(connection, workout), lat: [], lng: [], power: [], resistance: [], temperature: [] };
}

/** Returns the workouts that ended since the previous visit. */
function ended({ visit, day, since }: Poll): Workout[] {
  const { connection, instant } = visit;
  return [day - 1, day].flatMap((of) => workoutsOf(connection, of)).filter(({ stop }) => stop > since && stop <= instant);
}

function streamContents(connection: ProviderConnection, workout: Workout): EventContents {
  return { data: () => shallowStreamData(connection, workout), stream: () => workoutStream(connection, workout) };
}

/** Adds the workouts that ended since the previous visit. */
export function liveWorkouts(poll: Poll): void {
  const { connection } = poll.visit;
  for (const workout of ended(poll)) poll.visit.add('workouts', 'created', { data: () => workoutData(connection, workout) });
}

/** Adds the streams of the workouts that ended since the previous visit. */
export function liveStreams(poll: Poll): void {
  for (const workout of ended(poll)) poll.visit.add('workout_stream', 'created', streamContents(poll.visit.connection, workout));
}

function pulled(pull: Pull): Workout[] {
  return pulledDays(pull)
    .flatMap((day) => workoutsOf(pull.connection, day))
    .filter(({ stop }) => coversEnd(pull, stop));
}

/** Returns the workouts of a pull. */
export function pastWorkouts(pull: Pull): EventContents[] {
  return pulled(pull).map((workout) => ({ data: () => workoutData(pull.connection, workout) }));
}

/** Returns the workout streams of a pull. */
export function pastStreams(pull: Pull): EventContents[] {
  return pulled(pull).map((workout) => streamContents(pull.connection, workout));
}
