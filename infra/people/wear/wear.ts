import { equipmentOf, type ProviderConnection } from '../connection.ts';
import { settle } from '../options.ts';
import { homes, natureOf, type Person } from '../person.ts';
import { providerOf } from '../provider.ts';
import { randomOf, seedOf, stream } from '../random.ts';
import { timeZone } from '../time-zone.ts';
import { wearableOf } from './wearables.ts';

interface Worn {
  /** slug of one of the `wearables` */
  readonly slug: string;
  /** ms since 1970 */
  readonly connectedAt: number;
  /** birth date (`YYYY-MM-DD`) that the service uses if the provider does not give the person's age. Default: none */
  readonly fallbackBirthDate?: string | undefined;
  /** time slots per event of a timeseries. Values depend on it. Default: 100 */
  readonly samplesPerEvent?: number;
  /** seconds between heart-rate samples. Default: depends on the provider, from 60 (fitbit) to 300 (oura) */
  readonly heartRateSeconds?: number;
}

/**
 * Returns a person's connection to a provider from `connectedAt` on, without end. The same person and provider give the
 * same data, whenever the person connects. Throws {@link RangeError} if the provider has no generated data, or if a number
 * is out of range.
 */
export function wear(person: Person, { slug, connectedAt, fallbackBirthDate, ...density }: Worn): ProviderConnection {
  const { sourceTypes, resources } = wearableOf(slug);
  if (!Number.isSafeInteger(connectedAt)) throw new RangeError('connectedAt must be a whole number of ms since 1970');
  const { samplesPerEvent, heartRateSeconds } = settle({ seed: 0, people: 1, days: 1, ...density });
  const provider = providerOf(slug);
  const seed = seedOf(person.seed, stream.connection, provider.number);
  return {
    person,
    provider,
    seed,
    generation: 'both',
    periods: [{ from: connectedAt, until: Number.POSITIVE_INFINITY }],
    heartRateSeconds: heartRateSeconds ?? provider.heartRateSeconds,
    samplesPerEvent,
    ...equipmentOf(randomOf(seed, stream.connection), provider, sourceTypes),
    externalUserId: null,
    fallbackBirthDate: resources.includes('profile') ? undefined : fallbackBirthDate,
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
  return {
    seed: own,
    userId,
    clientUserId,
    teamId,
    // Only recordings have partitions.
    partition: 0,
    zone: timeZone(zone ?? home),
    ...natureOf(random, { fitness, early }),
  };
}

/** Returns the number of the person's local day that contains an instant (ms): days since 1970-01-01. */
export function localDayOf(person: Person, instant: number): number {
  return person.zone.localDay(instant);
}
