import { dayNumber, dayText } from './calendar.ts';
import type { ProviderConnection } from './connection.ts';
import type { Person } from './person.ts';
import { randomOf, stream } from './random.ts';
import { sourceObject } from './source.ts';
import { summaryId, summaryKind, versionTimes } from './summary.ts';

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
export function physiqueOf(person: Person): Physique {
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
export function profileData(connection: ProviderConnection, updatedAt: number): object {
  const { person, provider, periods } = connection;
  const { sex, birthDate } = physiqueOf(person);
  return {
    id: summaryId(connection, summaryKind.profile, 0),
    user_id: person.userId,
    height: person.heightCm,
    birth_date: birthDate,
    wheelchair_use: null,
    gender: sex,
    sex,
    source: sourceObject(connection, provider.sourceTypes[0], true),
    ...versionTimes(connection, periods[0]?.from ?? updatedAt, updatedAt),
  };
}
