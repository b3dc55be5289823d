import { microText } from './calendar.ts';
import type { ProviderConnection } from './connection.ts';
import { describeProvider, type Generation } from './forms.ts';
import type { Resource } from './provider.ts';
import { type Random, randomOf, stream } from './random.ts';

/**
 * Returns the availability and the scopes of each resource, in the form that the service uses. A person may have denied
 * an optional scope.
 */
function availability({ provider }: ProviderConnection, random: Random): Record<string, object> {
  const entries: [string, object][] = provider.resources.map((resource) => {
    const denied = random.chance(0.1) ? [`${resource}_details`] : [];
    const grants = { user_granted: { required: [resource], optional: [] }, user_denied: { required: [], optional: denied } };
    return [resource, { status: 'available', scope_requirements: random.chance(0.8) ? grants : null }];
  });
  const refused = { user_granted: { required: [], optional: [] }, user_denied: { required: ['meal'], optional: [] } };
  return Object.fromEntries([...entries, ['meal', { status: 'unavailable', scope_requirements: refused }]]);
}

/**
 * Returns the user's id at the provider. If the provider's clock is `floating`, its users log in with an e-mail address.
 * Otherwise, the id is an opaque account name or null.
 */
function externalUserId({ provider }: ProviderConnection, random: Random): string | null {
  const account = random.word().toString(36);
  if (provider.clock === 'floating') return `person-${account}@example.com`;
  return random.chance(0.5) ? `acct-${account}` : null;
}

/** Returns the `data` of `provider.connection.created`. `source` is the deprecated copy of `provider`. */
export function connectedData(connection: ProviderConnection, generation: Generation): object {
  const random = randomOf(connection.seed, stream.history);
  const provider = describeProvider(connection.provider);
  return {
    user_id: connection.person.userId,
    ...(generation === 'current' ? {} : { source: provider }),
    provider,
    external_user_id: externalUserId(connection, random),
    resource_availability: availability(connection, random),
  };
}

const reasons = [
  ['token_refresh_failed', 'The provider no longer accepts our token.'],
  ['provider_credential_error', 'The credentials are no longer valid.'],
  ['deregistered_per_provider', 'The user has removed the access at the provider.'],
  ['required_scopes_not_granted', 'A required permission was withdrawn.'],
] as const;

/**
 * Returns the `data` of `provider.connection.error`, after which the person must connect again. In this event, the
 * provider is given only by its slug.
 */
export function brokenData({ person, provider, seed }: ProviderConnection, at: number): object {
  const [error_type, error_details] = randomOf(seed, stream.history, at).pick(reasons);
  const message = 'Data of this user can no longer be fetched. The user has to connect the provider again.';
  return { user_id: person.userId, provider: provider.slug, error_type, error_details, message };
}

interface PulledResource {
  readonly resource: Resource;
  /** start of the pulled range (ms). It ends when the connection begins */
  readonly start: number;
  readonly generation: Generation;
}

/** Returns the `data` of `historical.data.{resource}.created`: the pulled range, and sometimes the deprecated `is_final`. */
export function markerData(connection: ProviderConnection, { resource, start, generation }: PulledResource): object {
  const { person, provider, seed, connectedAt } = connection;
  const text = (instant: number) => microText(instant * 1000 + ((seed + resource.length * 7919) % 1000), '+00:00');
  return {
    user_id: person.userId,
    start_date: text(start),
    end_date: text(connectedAt),
    ...(generation !== 'current' || seed % 3 === 0 ? { is_final: true } : {}),
    provider: provider.slug,
  };
}
