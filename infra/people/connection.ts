import { dayMs, hourMs } from './calendar.ts';
import { freshUuid } from './identifier.ts';
import type { Settings } from './options.ts';
import { dealt, type Person, personOf } from './person.ts';
import { type Provider, providerOf, wardrobes } from './provider.ts';
import { type Random, randomOf, seedOf, stream } from './random.ts';

/** Which form of the source object a connection's events have: the oldest, the transition with both, or the current one. */
type Generation = 'old' | 'both' | 'current';

/** A time in which the service may fetch: from a `provider.connection.created` to a `provider.connection.error`. Instants in ms. */
export interface Period {
  from: number;
  /** Infinity while it lasts */
  until: number;
}

/** One person's connection to one provider. */
export interface Connection {
  person: Person;
  provider: Provider;
  seed: number;
  generation: Generation;
  periods: readonly Period[];
  /** what the device counts of a true step */
  stepFactor: number;
  heartRateSeconds: number;
  samplesPerEvent: number;
  /** device id of each source type, or null where the service is not certain */
  deviceIds: Readonly<Record<string, string | null>>;
  appId: string | null;
  externalUserId: string | null;
}

const generations: readonly Generation[] = ['both', 'current', 'old', 'both', 'current'];

/** One of every ten neighbours has a break in the middle of the recording, so that no recording of that size is without one. */
const breaksForSure: readonly boolean[] = [true, ...new Array<boolean>(9).fill(false)];

function periodsOf(person: Person, settings: Settings, sure: boolean, random: Random): Period[] {
  const { days, firstDay } = settings;
  const connectDay = firstDay + (random.chance(0.75) ? 0 : random.whole(0, Math.floor(days / 5)));
  const sureDay = sure && settings.rates.outage > 0 ? Math.ceil((connectDay + firstDay + days) / 2) : Number.NaN;
  const periods: Period[] = [];
  let from: number | undefined = person.zone.instantOf(connectDay, random.whole(7 * 3600, 21 * 3600)) + random.whole(0, 999);
  for (let day = connectDay + 1; day < firstDay + days && from !== undefined; day++) {
    const breaks: boolean = random.chance(settings.rates.outage) || day === sureDay;
    const second: number = random.whole(0, 86_399);
    const returns: boolean = random.chance(0.75);
    const pause: number = Math.round(random.between(3, 40) * hourMs);
    if (!breaks) continue;
    const until: number = person.zone.instantOf(day, second);
    if (until < from + hourMs) continue;
    periods.push({ from, until });
    from = returns ? until + pause : undefined;
  }
  if (from !== undefined) periods.push({ from, until: Number.POSITIVE_INFINITY });
  return periods;
}

interface Connecting {
  readonly person: Person;
  /** Number of the person, from 0. */
  readonly index: number;
  readonly provider: Provider;
  /** Whether the connection breaks for sure. */
  readonly sure: boolean;
}

function connect(settings: Settings, { person, index, provider, sure }: Connecting): Connection {
  const seed = seedOf(person.seed, stream.connection, provider.number);
  const random = randomOf(seed, stream.connection);
  const dealtGeneration = dealt(settings, 3 + provider.number, generations, index);
  const uuidOrNull = () => (random.chance(0.6) ? freshUuid(random) : null);
  const account = random.word().toString(36);
  return {
    person,
    provider,
    seed,
    generation: provider.neverOld && dealtGeneration === 'old' ? 'current' : dealtGeneration,
    periods: periodsOf(person, settings, sure, random),
    stepFactor: random.between(0.94, 1.04),
    heartRateSeconds: settings.heartRateSeconds ?? provider.heartRateSeconds,
    samplesPerEvent: settings.samplesPerEvent,
    deviceIds: Object.fromEntries(provider.sourceTypes.map((type) => [type, uuidOrNull()])),
    appId: provider.slug === 'apple_health_kit' ? `com.apple.health.${freshUuid(random).toUpperCase()}` : null,
    // An e-mail for providers that log in with one, an opaque account elsewhere, often nothing.
    externalUserId:
      provider.clock === 'floating' ? `person-${account}@example.com` : random.chance(0.5) ? `acct-${account}` : null,
  };
}

/** A person with every connection. */
export interface Member {
  person: Person;
  connections: readonly Connection[];
}

/** The member with the given number (from 0). */
export function memberOf(settings: Settings, index: number): Member {
  const person = personOf(settings, index);
  const slugs = dealt(settings, 2, wardrobes, index);
  const sure = dealt(settings, 20, breaksForSure, index);
  const connections = slugs.map((slug, number) =>
    connect(settings, { person, index, provider: providerOf(slug), sure: sure && number === 0 }),
  );
  return { person, connections };
}

/** Whether the service may fetch at an instant. */
export function isConnected(connection: Connection, instant: number): boolean {
  return connection.periods.some((period) => instant > period.from && instant < period.until);
}

/** How far back a period's pull reaches: the provider's window at first, after a break one day before it. */
export function pullStart(connection: Connection, period: Period, days: number): number {
  const before = connection.periods[connection.periods.indexOf(period) - 1];
  return before === undefined ? period.from - days * dayMs : before.until - dayMs;
}
