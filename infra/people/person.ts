import type { Settings } from './options.ts';
import { customerId, freshUuid, type Random, randomOf, scatter, seedOf, stream } from './random.ts';
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
  partition: number;
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
 * The time zones of each block of ten people. They include zones in both hemispheres, zones with and without daylight saving
 * time, and zones whose UTC offset includes half an hour.
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

/**
 * Returns one person's entry from a list. The people are divided into blocks as long as the list. Within a block, every
 * entry goes to one person, in a shuffled order.
 */
export function dealt<T>(settings: Settings, deck: number, cards: readonly T[], index: number): T {
  const block = Math.floor(index / cards.length);
  const card = randomOf(settings.seed, stream.roster, deck, block).shuffled(cards)[index % cards.length];
  if (card === undefined) throw new RangeError('cannot deal out an empty list');
  return card;
}

/** Returns the id of the team to which all people of a recording belong. */
function teamId(settings: Settings): string {
  return freshUuid(randomOf(settings.seed, stream.team));
}

/** Estimates the highest heart rate (bpm) at an age in years, by the formula of Nes et al. (2013). */
export function highestRateAt(age: number): number {
  return 211 - Math.round(0.64 * age);
}

function body(random: Random, fitness: number) {
  const age = random.whole(22, 74);
  const heightM = 1.7 + 0.09 * random.bell();
  const diabetic = random.chance(0.5);
  return {
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

/** Draws the habits and the body of a person, whose fitness is from 0 to 1, and who works out early or late. */
export function natureOf(random: Random, { fitness, early }: { fitness: number; early: boolean }) {
  return {
    wakeSecond: Math.round(6.8 * 3600 + 2400 * random.bell()),
    bedSecond: Math.round(22.9 * 3600 + 2400 * random.bell()),
    workoutSecond: early ? 7.4 * 3600 : 17.5 * 3600,
    ...body(random, fitness),
  };
}

/** Returns the person with the given number. Numbers start at 0. The result does not depend on the number of people. */
export function personOf(settings: Settings, index: number): Person {
  const random = randomOf(settings.seed, stream.person, index);
  const userId = freshUuid(random);
  const fitness = random.uniform();
  const early = random.chance(0.5);
  return {
    seed: seedOf(settings.seed, stream.person, index),
    userId,
    clientUserId: customerId(random),
    teamId: teamId(settings),
    partition: scatter(userId) % settings.partitions,
    zone: timeZone(dealt(settings, 1, homes, index)),
    ...natureOf(random, { fitness, early }),
  };
}
