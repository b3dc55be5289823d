import { type Random, randomOf, seedOf, stream } from './random.ts';
import { type TimeZone, timeZone } from './time-zone.ts';

/**
 * A synthetic person. Heart rates are in beats per minute, glucose is in mmol/L, and blood pressure is in mmHg. Times of the
 * day are in seconds since midnight.
 */
export interface Person {
  seed: number;
  userId: string;
  clientUserId: string;
  teamId: string;
  zone: TimeZone;
  /** years */
  age: number;
  heightCm: number;
  restingRate: number;
  highestRate: number;
  strideM: number;
  basalKcal: number;
  meanSteps: number;
  wakeSecond: number;
  bedSecond: number;
  workoutChance: number;
  workoutSecond: number;
  fastingGlucose: number;
  glucoseSwing: number;
  systolic: number;
  diastolic: number;
}

/**
 * The time zones of people. They include zones in both hemispheres, zones with and without daylight saving time, and zones
 * whose UTC offset includes half an hour.
 */
export const homes = [
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Europe/Berlin',
  'Europe/London',
  'America/Los_Angeles',
  'Asia/Tokyo',
  'Europe/Athens',
  'America/Sao_Paulo',
] as const;

/** Estimates the highest heart rate (bpm) at an age in years, by the formula of Nes et al. (2013). */
export function highestRateAt(age: number): number {
  return 211 - Math.round(0.64 * age);
}

/** Draws the body and the habits of a person, whose fitness is from 0 to 1, and who works out early or late. */
function natureOf(random: Random, fitness: number, early: boolean) {
  const wakeSecond = Math.round(6.8 * 3600 + 2400 * random.bell());
  const bedSecond = Math.round(22.9 * 3600 + 2400 * random.bell());
  const age = random.whole(22, 74);
  const heightM = 1.7 + 0.09 * random.bell();
  const diabetic = random.chance(0.5);
  return {
    wakeSecond,
    bedSecond,
    workoutSecond: early ? 7.4 * 3600 : 17.5 * 3600,
    age,
    heightCm: Math.round(heightM * 100),
    restingRate: Math.round(72 - 18 * fitness + 3 * random.bell()),
    highestRate: highestRateAt(age),
    strideM: Math.round(heightM * 0.415 * 1000) / 1000,
    basalKcal: Math.round(1550 + 180 * random.bell()),
    meanSteps: Math.round(3800 + 9000 * fitness + 700 * random.bell()),
    workoutChance: 0.05 + 0.55 * fitness,
    fastingGlucose: Math.round((diabetic ? random.between(6.4, 8.2) : random.between(4.7, 5.4)) * 100) / 100,
    glucoseSwing: diabetic ? random.between(3.2, 5.5) : random.between(1.1, 2.2),
    systolic: Math.round(112 + age * 0.25 - 6 * fitness + 6 * random.bell()),
    diastolic: Math.round(72 + age * 0.1 - 3 * fitness + 4 * random.bell()),
  };
}

interface Wearer {
  /** any safe integer */
  readonly seed: number;
  readonly userId: string;
  readonly clientUserId: string;
  readonly teamId: string;
  /** IANA name. Default: depends on the seed and the user id */
  readonly timeZone?: string;
}

/**
 * Makes a person from a seed and the service's ids. The same arguments give the same person. Body and habits depend only on
 * the seed and `userId`. Throws {@link RangeError} if the time zone is unknown.
 */
export function wearerOf({ seed, userId, clientUserId, teamId, timeZone: zone }: Wearer): Person {
  const own = seedOf(seed, stream.wearer, ...Array.from(userId, (character) => character.codePointAt(0)!));
  const random = randomOf(own, stream.wearer);
  const [home, fitness, early] = [random.pick(homes), random.uniform(), random.chance(0.5)];
  return { seed: own, userId, clientUserId, teamId, zone: timeZone(zone ?? home), ...natureOf(random, fitness, early) };
}

/** Returns the number of the person's local day that contains an instant (ms): days since 1970-01-01. */
export function localDayOf(person: Person, instant: number): number {
  return person.zone.localDay(instant);
}
