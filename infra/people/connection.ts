import { dayMs, hourMs } from './calendar.ts';
import type { Settings } from './options.ts';
import { dealt, type Person, personOf } from './person.ts';
import { type Provider, providerOf, wardrobes } from './provider.ts';
import { freshUuid, type Random, randomOf, seedOf, stream } from './random.ts';

/**
 * The form of the source object in a connection's events: the oldest form, both forms during the transition, or the
 * current form.
 */
type Generation = 'old' | 'both' | 'current';

/**
 * An interval in which the service may fetch data. It begins with `provider.connection.created` and ends with
 * `provider.connection.error`. Instants are in ms.
 */
export interface Period {
  from: number;
  /** Infinity if the connection does not break */
  until: number;
}

export interface ProviderConnection {
  person: Person;
  provider: Provider;
  seed: number;
  generation: Generation;
  periods: readonly Period[];
  /** number of steps that the device counts per actual step */
  stepFactor: number;
  heartRateSeconds: number;
  samplesPerEvent: number;
  /** device id of each source type, or null if the service does not know it for certain */
  deviceIds: Readonly<Record<string, string | null>>;
  appId: string | null;
  externalUserId: string | null;
  /**
   * Birth date (`YYYY-MM-DD`) from which the service estimates the highest heart rate. Undefined if the provider gives the rate
   * or the age
   */
  fallbackBirthDate?: string | undefined;
}

const generations: readonly Generation[] = ['both', 'current', 'old', 'both', 'current'];

/**
 * Marks one of every ten people. This person's first connection breaks in the middle of the recording, so that a recording
 * of ten or more people always contains a break.
 */
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

/** Draws a person's devices of a provider: one for each source type. */
export function equipmentOf(random: Random, provider: Provider, sourceTypes: readonly string[]) {
  const uuidOrNull = () => (random.chance(0.6) ? freshUuid(random) : null);
  return {
    stepFactor: random.between(0.94, 1.04),
    deviceIds: Object.fromEntries(sourceTypes.map((type) => [type, uuidOrNull()])),
    appId: provider.slug === 'apple_health_kit' ? `com.apple.health.${freshUuid(random).toUpperCase()}` : null,
  };
}

interface Connecting {
  readonly person: Person;
  /** The person's number. Numbers start at 0. */
  readonly index: number;
  readonly provider: Provider;
  /** True if the connection must break in the middle of the recording. */
  readonly sure: boolean;
}

function connect(settings: Settings, { person, index, provider, sure }: Connecting): ProviderConnection {
  const seed = seedOf(person.seed, stream.connection, provider.number);
  const random = randomOf(seed, stream.connection);
  const dealtGeneration = dealt(settings, 3 + provider.number, generations, index);
  const account = random.word().toString(36);
  return {
    person,
    provider,
    seed,
    generation: provider.neverOld && dealtGeneration === 'old' ? 'current' : dealtGeneration,
    periods: periodsOf(person, settings, sure, random),
    heartRateSeconds: settings.heartRateSeconds ?? provider.heartRateSeconds,
    samplesPerEvent: settings.samplesPerEvent,
    ...equipmentOf(random, provider, provider.sourceTypes),
    // If the provider's clock is `floating`, its users log in with an e-mail address. Otherwise, the id is an opaque account
    // name or null.
    externalUserId:
      provider.clock === 'floating' ? `person-${account}@example.com` : random.chance(0.5) ? `acct-${account}` : null,
  };
}

export interface Member {
  person: Person;
  connections: readonly ProviderConnection[];
}

/** Returns the person with the given number and the person's connections. Numbers start at 0. */
export function memberOf(settings: Settings, index: number): Member {
  const person = personOf(settings, index);
  const slugs = dealt(settings, 2, wardrobes, index);
  const sure = dealt(settings, 20, breaksForSure, index);
  const connections = slugs.map((slug, number) =>
    connect(settings, { person, index, provider: providerOf(slug), sure: sure && number === 0 }),
  );
  return { person, connections };
}

/** Returns whether the service may fetch data at an instant (ms). */
export function isConnected(connection: ProviderConnection, instant: number): boolean {
  return connection.periods.some((period) => instant > period.from && instant < period.until);
}

/**
 * Returns the start (ms) of the data that a period's pull fetches. The first period's pull goes back `days` days. The data
 * of a later pull starts one day before the break that preceded its period.
 */
export function pullStart(connection: ProviderConnection, period: Period, days: number): number {
  const before = connection.periods[connection.periods.indexOf(period) - 1];
  return before === undefined ? period.from - days * dayMs : before.until - dayMs;
}

/** Returns the deprecated description of a provider. */
export function describeProvider(provider: Provider): { name: string; slug: string; logo: string } {
  return { name: provider.name, slug: provider.slug, logo: `https://images.example.com/${provider.slug}.png` };
}

/**
 * Returns the source object of summaries and timeseries, in the form that the connection uses. The oldest form has 3
 * members, the transitional form has all 9 (some null), and the current form has 4. Only summaries have an `app_id`.
 */
export function sourceObject(connection: ProviderConnection, sourceType: string, summary: boolean): Record<string, unknown> {
  const { provider, generation } = connection;
  if (generation === 'old') return describeProvider(provider);
  const current = {
    provider: provider.slug,
    type: sourceType,
    app_id: summary ? connection.appId : null,
    device_id: connection.deviceIds[sourceType] ?? null,
  };
  return generation === 'both' ? { ...current, sport: null, workout_id: null, ...describeProvider(provider) } : current;
}
