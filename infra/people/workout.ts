import type { ProviderConnection } from './connection.ts';
import { type DayRhythm, dayRhythm, quarterMs } from './day-rhythm.ts';
import { heartRateAt } from './heart-rate.ts';
import { randomOf, stream } from './random.ts';

/** A sport, as the service describes it. The id differs between the service's environments. */
interface Sport {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
}

/** A workout as one provider recorded it. Instants are in ms, and its length is a multiple of {@link pointSeconds}. */
export interface Workout {
  /** local day on which the workout starts */
  readonly day: number;
  readonly start: number;
  readonly stop: number;
  readonly sport: Sport;
}

/** The points of a workout. All arrays have the same length, with one element for every {@link pointSeconds}. */
export interface WorkoutPoints {
  /** seconds since 1970 */
  readonly time: number[];
  /** bpm */
  readonly heartrate: number[];
  /** steps per minute */
  readonly cadence: number[];
  /** m/s */
  readonly velocity_smooth: number[];
  /** meters since the start */
  readonly distance: number[];
  /** meters above sea level */
  readonly altitude: number[];
}

export const pointSeconds = 5;

const walking: Sport = { id: 2, name: 'Walking', slug: 'walking' };
const hiking: Sport = { id: 3, name: 'Hiking', slug: 'hiking' };
const running: Sport = { id: 1, name: 'Running', slug: 'running' };

/** Returns the workouts of a local day: at most one. A few workouts are not recorded. */
export function workoutsOf(connection: ProviderConnection, day: number): Workout[] {
  const { workout } = dayRhythm(connection.person, day);
  const random = randomOf(connection.seed, stream.workout, day);
  const delay = random.whole(-3, 6) * pointSeconds * 1000;
  if (workout === undefined || random.chance(0.04)) return [];
  const sport = workout.intensity < 0.6 ? walking : workout.intensity < 0.75 ? hiking : running;
  return [{ day, start: workout.start + delay, stop: workout.stop + delay, sport }];
}

const rounded = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits;

/** Returns how many steps the device counts per second at an instant within the rhythm's day. */
function pace({ stepFactor }: ProviderConnection, rhythm: DayRhythm, instant: number): number {
  const steps = rhythm.quarters[Math.floor((instant - rhythm.start) / quarterMs)] ?? 0;
  return (steps * stepFactor * 1000) / quarterMs;
}

/** Returns the points of a workout. The steps are those of the step count, and the person sometimes pauses. */
export function workoutPoints(connection: ProviderConnection, workout: Workout): WorkoutPoints {
  const { person } = connection;
  const rhythm = dayRhythm(person, workout.day);
  const random = randomOf(connection.seed, stream.workout, workout.day, 1);
  const points: WorkoutPoints = { time: [], heartrate: [], cadence: [], velocity_smooth: [], distance: [], altitude: [] };
  const steepness = workout.sport === hiking ? 0.006 : 0.002;
  let [meters, altitude, slope, wander, pause] = [0, random.between(20, 500), 0, 0, 0];
  for (let at = workout.start; at < workout.stop; at += pointSeconds * 1000) {
    const [noise, gust, bend] = [random.bell(), random.bell(), random.bell()];
    pause = pause > 0 ? pause - 1 : random.chance(0.004) ? random.whole(3, 12) : 0;
    const steps = pause > 0 ? 0 : pace(connection, rhythm, at);
    const velocity = rounded(Math.max(0, steps * person.strideM * (1 + 0.05 * gust)), 2);
    wander = 0.9 * wander + 0.8 * noise;
    slope = Math.max(-0.15, Math.min(0.15, 0.98 * slope + steepness * bend));
    meters += velocity * pointSeconds;
    altitude = Math.max(0, altitude + velocity * pointSeconds * slope);
    points.time.push(at / 1000);
    const rate = Math.round(heartRateAt(person, rhythm, at) + wander);
    points.heartrate.push(Math.max(35, Math.min(person.highestRate, rate)));
    points.cadence.push(Math.round(steps * 60));
    points.velocity_smooth.push(velocity);
    points.distance.push(rounded(meters, 1));
    points.altitude.push(rounded(altitude, 1));
  }
  return points;
}
