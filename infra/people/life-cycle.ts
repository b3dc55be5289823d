import { microText } from './calendar.ts';
import { type Connection, type Period, pullStart } from './connection.ts';
import { Ingestion } from './ingestion.ts';
import type { Resource } from './provider.ts';
import { randomOf, stream } from './random.ts';
import { describeProvider } from './source.ts';

/** Details that other resources need, as the service lists them; a person may have denied an optional one. */
function availability(connection: Connection): Record<string, object> {
  const random = randomOf(connection.seed, stream.history);
  const entries: [string, object][] = connection.provider.resources.map((resource) => {
    const denied = random.chance(0.1) ? [`${resource}_details`] : [];
    const grants = { user_granted: { required: [resource], optional: [] }, user_denied: { required: [], optional: denied } };
    return [resource, { status: 'available', scope_requirements: random.chance(0.8) ? grants : null }];
  });
  const refused = { user_granted: { required: [], optional: [] }, user_denied: { required: ['profile'], optional: [] } };
  return Object.fromEntries([...entries, ['profile', { status: 'unavailable', scope_requirements: refused }]]);
}

/** `data` of `provider.connection.created`; `source` is the deprecated twin of `provider`. */
export function connectedData(connection: Connection): object {
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

/** `data` of `provider.connection.error`: terminal until the person connects again. The provider is a plain slug here. */
function brokenData(connection: Connection, period: Period): object {
  const [error_type, error_details] = randomOf(connection.seed, stream.history, period.until).pick(reasons);
  const message = 'Data of this user can no longer be fetched. The user has to connect the provider again.';
  return { user_id: connection.person.userId, provider: connection.provider.slug, error_type, error_details, message };
}

/** The event of a break, as a visit of its own. */
export function breakOff(connection: Connection, period: Period): Ingestion {
  const visit = new Ingestion(connection, period.until);
  visit.add('provider.connection.error', () => brokenData(connection, period));
  return visit;
}

/** `data` of `historical.data.{resource}.created`: the range pulled, with microseconds, and sometimes the deprecated `is_final`. */
export function markerData(connection: Connection, period: Period, resource: Resource, days: number): object {
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
