import { dayNumber, dayText } from './calendar.ts';
import { type ProviderConnection, scale, summarySource } from './connection.ts';
import { dayRhythm } from './day-rhythm.ts';
import type { Person } from './person.ts';
import { covers, coversEnd, type Pull, pulledDays } from './pull.ts';
import { randomOf, stream } from './random.ts';
import { datesOf, summaryId, summaryKind } from './summary.ts';
import type { EventContents } from './visit.ts';

/** One measurement on a scale. */
export interface WeighIn {
  readonly day: number;
  /** ms */
  readonly at: number;
  /** kg */
  readonly weight: number;
  /** percent */
  readonly fat: number;
}

const tenths = (value: number) => Math.round(value * 10) / 10;

/** Days from a person's highest weight to the lowest and back. */
const cycle = 200;

/** Returns how far a person's weight is above its mean on a day, in kg: a slow rise and fall, and the water of the day. */
function drift(person: Person, day: number): number {
  const place = ((day + (person.seed % cycle)) % cycle) / cycle;
  return 1.5 * (4 * Math.abs(place - 0.5) - 1) + 0.3 * randomOf(person.seed, stream.weighIn, day).bell();
}

interface Physique {
  readonly sex: 'female' | 'male';
  /** mean weight in kg */
  readonly weight: number;
  /** mean body fat in percent */
  readonly fat: number;
  /** `YYYY-MM-DD` */
  readonly birthDate: string;
}

const within = (low: number, value: number, high: number) => Math.max(low, Math.min(high, value));

/** The day on which a person has the age `person.age`. */
const ageDay = dayNumber('2026-01-01');

/** Returns a person's build. Tall people are more often male, and people who walk more weigh less. */
function physiqueOf(person: Person): Physique {
  const random = randomOf(person.seed, stream.physique);
  const sex = person.heightCm + 7 * random.bell() > 170 ? 'male' : 'female';
  const index = within(19, 31 - person.meanSteps / 1600 + 2 * random.bell(), 36);
  // Deurenberg's formula estimates body fat from the body mass index, age and sex.
  const fat = within(8, 1.2 * index + 0.23 * person.age - (sex === 'male' ? 16.2 : 5.4), 45);
  return {
    sex,
    weight: index * (person.heightCm / 100) ** 2,
    fat,
    birthDate: dayText(ageDay - Math.floor(person.age * 365.25) - random.whole(1, 364)),
  };
}

/** Returns the `data` of a profile event. A person has one profile for each provider. Height is in cm. */
export function profileData(connection: ProviderConnection): object {
  const { person, provider } = connection;
  const { sex, birthDate } = physiqueOf(person);
  return {
    id: summaryId(connection, summaryKind.profile, 0),
    user_id: person.userId,
    height: person.heightCm,
    birth_date: birthDate,
    wheelchair_use: null,
    gender: sex,
    sex,
    source: summarySource(connection, provider.sourceTypes[0]),
  };
}

/** Returns the measurements of a local day: one soon after waking on most days. */
export function weighIns(connection: ProviderConnection, day: number): WeighIn[] {
  const { person } = connection;
  const random = randomOf(connection.seed, stream.weighIn, day);
  const at = dayRhythm(person, day).wake + random.whole(3 * 60, 15 * 60) * 1000;
  const error = random.bell();
  if (!random.chance(0.85)) return [];
  const { weight, fat } = physiqueOf(person);
  const over = drift(person, day);
  return [{ day, at, weight: tenths(weight + over), fat: tenths(fat + 0.4 * over + 0.3 * error) }];
}

/** Returns the `data` of a body event: the summary of one measurement. Percentages refer to the whole weight. */
export function bodyData(connection: ProviderConnection, { day, weight, fat }: WeighIn): object {
  const lean = 100 - fat;
  return {
    id: summaryId(connection, summaryKind.body, day),
    user_id: connection.person.userId,
    ...datesOf(day),
    weight,
    fat,
    // Lean mass is 73 % water, and almost all of it is muscle and organs, except for the bones.
    water_percentage: tenths(0.73 * lean),
    muscle_mass_percentage: tenths(0.95 * lean),
    visceral_fat_index: null,
    bone_mass_percentage: tenths(0.05 * lean),
    body_mass_index: tenths(weight / (connection.person.heightCm / 100) ** 2),
    lean_body_mass_kilogram: tenths((weight * lean) / 100),
    waist_circumference_centimeter: null,
    source: summarySource(connection, scale),
  };
}

/** Returns the body summaries of a pull. */
export function pastBody(pull: Pull): EventContents[] {
  const { connection } = pull;
  return pulledDays(pull)
    .flatMap((day) => weighIns(connection, day))
    .filter(({ at }) => covers(pull, at))
    .map((weighIn) => ({ data: () => bodyData(connection, weighIn) }));
}

/** Returns the profile if the pull covers the present. */
export function pastProfile(pull: Pull): EventContents[] {
  return coversEnd(pull, pull.asOf) ? [{ data: () => profileData(pull.connection) }] : [];
}
