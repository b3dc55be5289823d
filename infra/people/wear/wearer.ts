import { homes, natureOf, type Person } from '../person.ts';
import { randomOf, seedOf, stream } from '../random.ts';
import { timeZone } from '../time-zone.ts';

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
