import type { Person } from './person.ts';
import { type Provider, providerOf } from './provider.ts';
import { freshUuid, randomOf, seedOf, stream } from './random.ts';

/** A person's connection to a provider, which has no end. */
export interface ProviderConnection {
  readonly person: Person;
  readonly provider: Provider;
  readonly seed: number;
  /** ms since 1970 */
  readonly connectedAt: number;
  /** number of steps that the device counts per actual step */
  readonly stepFactor: number;
  /** device id of each source type, or null if the service does not know it for certain */
  readonly deviceIds: Readonly<Record<string, string | null>>;
  readonly appId: string | null;
  /**
   * Birth date (`YYYY-MM-DD`) from which the service estimates the highest heart rate. Undefined if the provider gives the rate
   * or the age
   */
  readonly fallbackBirthDate: string | undefined;
}

/** The source type of scales. */
export const scale = 'scale';

interface Worn {
  /** slug of one of the `wearables` */
  readonly slug: string;
  /** ms since 1970 */
  readonly connectedAt: number;
  /** birth date (`YYYY-MM-DD`) that the service uses if the provider does not give the person's age. Default: none */
  readonly fallbackBirthDate?: string | undefined;
}

/**
 * Returns a person's connection to a provider from `connectedAt` on. The same person and provider give the same data,
 * whenever the person connects. Throws {@link RangeError} if the provider has no generated data, or if `connectedAt` is no
 * whole number.
 */
export function wear(person: Person, { slug, connectedAt, fallbackBirthDate }: Worn): ProviderConnection {
  const provider = providerOf(slug);
  if (!Number.isSafeInteger(connectedAt)) throw new RangeError('connectedAt must be a whole number of ms since 1970');
  const seed = seedOf(person.seed, stream.connection, provider.number);
  const random = randomOf(seed, stream.connection);
  const stepFactor = random.between(0.94, 1.04);
  const devices = provider.resources.includes('weight') ? [...provider.sourceTypes, scale] : provider.sourceTypes;
  const deviceIds = Object.fromEntries(devices.map((type) => [type, random.chance(0.6) ? freshUuid(random) : null]));
  return {
    person,
    provider,
    seed,
    connectedAt,
    stepFactor,
    deviceIds,
    appId: slug === 'apple_health_kit' ? `com.apple.health.${freshUuid(random).toUpperCase()}` : null,
    fallbackBirthDate: provider.resources.includes('profile') ? undefined : fallbackBirthDate,
  };
}

/** The source object of summaries and timeseries. */
export interface Source {
  readonly provider: string;
  readonly type: string;
  readonly app_id: string | null;
  readonly device_id: string | null;
}

/** Returns the source of a summary. */
export function summarySource({ provider, appId, deviceIds }: ProviderConnection, type: string): Source {
  return { provider: provider.slug, type, app_id: appId, device_id: deviceIds[type] ?? null };
}

/** Returns the source of samples, which has no app. */
export function sampleSource(connection: ProviderConnection, type: string): Source {
  return { ...summarySource(connection, type), app_id: null };
}
