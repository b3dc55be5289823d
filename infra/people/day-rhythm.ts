import { minuteMs, weekday } from './calendar.ts';
import type { Person } from './person.ts';
import { type Random, randomOf, stream } from './random.ts';

export const quarterMs = 15 * minuteMs;

/** A workout. Instants are in ms; the intensity ranges from 0.4 (brisk walk) to 1 (race). */
interface Workout {
  start: number;
  stop: number;
  intensity: number;
}

/** One person's local day as it really was, before any provider measures it. Instants are in ms. */
export interface DayRhythm {
  day: number;
  /**
   * first instant of the local day. `end` is the first instant of the next day. A day has 24 hours, or between 23 and 25
   * hours when the clocks change
   */
  start: number;
  end: number;
  /** when the person falls asleep for the night before this day, which may be before or after midnight */
  asleep: number;
  wake: number;
  /** when the person goes to bed at the end of this day, which may be before or after midnight */
  bed: number;
  meals: readonly number[];
  workout: Workout | undefined;
  /** number of steps taken in each quarter of an hour, beginning at `start` */
  quarters: Uint16Array;
}

function bedOf(person: Person, day: number): number {
  const random = randomOf(person.seed, stream.bedtime, day);
  const weekend = weekday(day) === 5 || weekday(day) === 6;
  return person.zone.instantOf(day, Math.round(person.bedSecond + 1500 * random.bell() + (weekend ? 2700 : 0)));
}

function workoutOf(person: Person, day: number, wake: number, random: Random): Workout | undefined {
  const minutes = random.whole(25, 80);
  const second = Math.round(person.workoutSecond + 1800 * random.bell());
  const intensity = random.between(0.4, 1);
  if (!random.chance(person.workoutChance)) return undefined;
  const start = Math.max(person.zone.instantOf(day, second), wake + 20 * minuteMs);
  return { start, stop: start + minutes * minuteMs, intensity };
}

/** Returns the relative amount of walking at a time of the day (seconds). It peaks at lunch and on the way to and from work. */
function walking(second: number): number {
  const hour = second / 3600;
  const peak = (at: number, width: number) => 1 / (1 + ((hour - at) / width) ** 2);
  return 0.35 + 1.6 * peak(8.2, 0.6) + 0.9 * peak(12.6, 0.5) + 1.5 * peak(17.7, 0.8);
}

function quartersOf(person: Person, rhythm: Omit<DayRhythm, 'quarters'>, random: Random): Uint16Array {
  const count = Math.round((rhythm.end - rhythm.start) / quarterMs);
  const weights = new Float64Array(count);
  let whole = 0;
  for (let i = 0; i < count; i++) {
    const at = rhythm.start + i * quarterMs;
    const draw = random.uniform();
    const awake = at >= rhythm.wake && at < rhythm.bed;
    // While awake, the person sits for 40 % of the time. At night, the person sometimes walks to the bathroom.
    const weight = awake ? (draw < 0.4 ? 0 : walking(person.zone.wallSecond(at)) * (draw - 0.3)) : draw > 0.985 ? 0.02 : 0;
    weights[i] = weight;
    whole += weight;
  }
  const target = Math.max(900, person.meanSteps * (1 + 0.28 * random.bell()) * (weekday(rhythm.day) === 7 ? 0.75 : 1));
  const quarters = new Uint16Array(count);
  for (let i = 0; i < count; i++) {
    const at = rhythm.start + i * quarterMs;
    const moving = rhythm.workout !== undefined && at + quarterMs > rhythm.workout.start && at < rhythm.workout.stop;
    const exercise = moving ? Math.round(1100 + 1000 * rhythm.workout!.intensity + 120 * random.bell()) : 0;
    quarters[i] = Math.min(3000, Math.round((target * weights[i]!) / (whole || 1)) + exercise);
  }
  return quarters;
}

function compose(person: Person, day: number): DayRhythm {
  const random = randomOf(person.seed, stream.day, day);
  const weekend = weekday(day) >= 6;
  const wakeSecond = Math.round(person.wakeSecond + 1100 * random.bell() + (weekend ? 3000 : 0));
  const wake = person.zone.instantOf(day, wakeSecond);
  const meals = [wakeSecond + 2400, 12.6 * 3600, 19.1 * 3600].map((second) =>
    person.zone.instantOf(day, Math.round(second + 1200 * random.bell())),
  );
  const rhythm = {
    day,
    start: person.zone.instantOf(day, 0),
    end: person.zone.instantOf(day + 1, 0),
    asleep: bedOf(person, day - 1),
    wake,
    bed: bedOf(person, day),
    meals,
    workout: workoutOf(person, day, wake, random),
  };
  return { ...rhythm, quarters: quartersOf(person, rhythm, random) };
}

const kept = new WeakMap<Person, Map<number, DayRhythm>>();
const keptDays = 5;

/** Returns the rhythm of one person's local day, which depends only on the person and the day. The last few days are cached. */
export function dayRhythm(person: Person, day: number): DayRhythm {
  let days = kept.get(person);
  if (days === undefined) {
    days = new Map();
    kept.set(person, days);
  }
  let rhythm = days.get(day);
  if (rhythm === undefined) {
    rhythm = compose(person, day);
    if (days.size >= keptDays) for (const oldest of [...days.keys()].slice(0, days.size - keptDays + 1)) days.delete(oldest);
    days.set(day, rhythm);
  }
  return rhythm;
}

/** Returns the rhythm of the day that contains an instant. To save a lookup, pass the previous result as `last`. */
export function rhythmAt(person: Person, instant: number, last?: DayRhythm): DayRhythm {
  if (last !== undefined && instant >= last.start && instant < last.end) return last;
  return dayRhythm(person, person.zone.localDay(instant));
}

/** Returns whether the person is asleep at an instant within the rhythm's day. */
export function isAsleep(rhythm: DayRhythm, instant: number): boolean {
  return (instant >= rhythm.asleep && instant < rhythm.wake) || instant >= rhythm.bed;
}

/** Returns the local days that overlap an interval, in order. */
export function localDays(person: Person, from: number, to: number): number[] {
  const first = person.zone.localDay(from);
  const last = person.zone.localDay(to);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
}
