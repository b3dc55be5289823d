import { columnsOf } from './columns.ts';
import { eventsOnce } from './copies.ts';
import type { View, ViewColumn, ViewDialect } from './dialect.ts';

const columns: readonly ViewColumn[] = [
  ...columnsOf('connection_events', ['user_id', 'provider']),
  {
    name: 'status',
    type: 'string',
    doc: '`connected`, or `error` if the newest event that tells the status is an error.',
  },
  {
    name: 'connected_at',
    type: 'timestamp',
    doc: 'Receipt of the first `created` event. A reconnection does not move it. NULL if no such event has arrived.',
  },
  {
    name: 'changed_at',
    type: 'timestamp',
    doc: 'Receipt of the newest event of any type: a connection, an error, a reconnection or a retired `updated` event.',
  },
  {
    name: 'error_type',
    type: 'string',
    doc: 'Kind of the newest error. It stays after a reconnection. NULL if no error has occurred.',
  },
  {
    name: 'resource_availability',
    type: 'json',
    doc: 'For each resource, the status and scopes in the newest `created` event.',
  },
  { name: 'errors', type: 'int64', unit: 'count', doc: 'Number of `error` events.' },
];

/**
 * State of each user's connection to each provider: the newest event, and the resources that the last `created` event listed as
 * available. A retired `updated` event does not say whether the connection works, so it does not change the status. The service
 * sends no event when a user disconnects a provider.
 */
export function connectionsView(dialect: ViewDialect): View {
  const { latest } = dialect;
  const created = "event_type = 'provider.connection.created'";
  const failed = "event_type = 'provider.connection.error'";
  const events = eventsOnce(dialect, 'connection_events');
  return {
    name: 'connections',
    doc: 'The current state of a user’s connection to a provider. The service sends no event when a user disconnects.',
    columns,
    query: `with ${events.tables}
select
  user_id, provider,
  coalesce(
    ${latest(`case when ${failed} then 'error' else 'connected' end`, 'version', "event_type in ('provider.connection.created', 'provider.connection.error')")},
    'connected'
  ) as status,
  min(case when ${created} then _received_at end) as connected_at,
  max(_received_at) as changed_at,
  ${latest('error_type', 'version')} as error_type,
  ${latest('resource_availability', 'version', created)} as resource_availability,
  count(case when ${failed} then 1 end) as errors
from (
  select
    user_id, provider, event_type, error_type, resource_availability, _received_at,
    row_number() over (partition by user_id, provider order by _received_at, _origin, _offset, _reader) as version
  from (
${events.query}
  ) events
) numbered
group by user_id, provider`,
  };
}
