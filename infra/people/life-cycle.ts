import { microText } from './calendar.ts';
import { describeProvider, type Period, type ProviderConnection, pullStart } from './connection.ts';
import { Ingestion } from './ingestion.ts';
import type { Resource } from './provider.ts';
import { randomOf, stream } from './random.ts';

/**
 * Returns the availability and the scopes of each resource, in the form that the service uses. A person may have denied
 * an optional scope.
 */
function availability(connection: ProviderConnection): Record<string, object> {
  const random = randomOf(connection.seed, stream.history);
  const entries: [string, object][] = connection.provider.resources.map((resource) => {
    const denied = random.chance(0.1) ? [`${resource}_details`] : [];
    const grants = { user_granted: { required: [resource], optional: [] }, user_denied: { required: [], optional: denied } };
    return [resource, { status: 'available', scope_requirements: random.chance(0.8) ? grants : null }];
  });
  const refused = { user_granted: { required: [], optional: [] }, user_denied: { required: ['profile'], optional: [] } };
  return Object.fromEntries([...entries, ['profile', { status: 'unavailable', scope_requirements: refused }]]);
}

/** Returns the `data` of `provider.connection.created`. `source` is the deprecated copy of `provider`. */
export function connectedData(connection: ProviderConnection): object {
  const provider = describeProvider(connection.provider);
  return {
    user_id: connection.person.userId,
    ...(connection.generation === 'current' ? {} : { source: provider }),
    provider,
    external_user_id: connection.externalUserId,
    resource_availability: availability(connection),
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
function brokenData(connection: ProviderConnection, period: Period): object {
  const [error_type, error_details] = randomOf(connection.seed, stream.history, period.until).pick(reasons);
  const message = 'Data of this user can no longer be fetched. The user has to connect the provider again.';
  return { user_id: connection.person.userId, provider: connection.provider.slug, error_type, error_details, message };
}

/** Returns a visit with only the `provider.connection.error` event of a break. */
export function breakOff(connection: ProviderConnection, period: Period): Ingestion {
  const visit = new Ingestion(connection, period.until);
  visit.add('provider.connection.error', () => brokenData(connection, period));
  return visit;
}

/** Returns the `data` of `historical.data.{resource}.created`: the pulled range, and sometimes the deprecated `is_final`. */
export function markerData(connection: ProviderConnection, period: Period, resource: Resource, days: number): object {
  const text = (instant: number) => microText(instant * 1000 + ((connection.seed + resource.length * 7919) % 1000), '+00:00');
  const final = connection.generation !== 'current' || connection.seed % 3 === 0;
  return {
    user_id: connection.person.userId,
    start_date: text(pullStart(connection, period, days)),
    end_date: text(period.from),
    ...(final ? { is_final: true } : {}),
    provider: connection.provider.slug,
  };
}
