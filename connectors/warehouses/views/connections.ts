import { columnsOf } from './columns.ts';
import { eventsOnce } from './copies.ts';
import type { View, ViewDialect } from './dialect.ts';

/**
 * State of each user's connection to each provider: the newest event, and the resources that the last `created` event listed as
 * available. A retired `updated` event does not say whether the connection works, so it does not change the status.
 */
export function connectionsView(dialect: ViewDialect): View {
  const { latest } = dialect;
  const created = "event_type = 'provider.connection.created'";
  const failed = "event_type = 'provider.connection.error'";
  return {
    name: 'connections',
    doc: 'The current state of the connection of a user to a provider.',
    columns: [
      ...columnsOf('connection_events', ['user_id', 'provider']),
      { name: 'status', type: 'string', doc: '`connected`, or `error` if the connection broke.' },
      {
        name: 'connected_at',
        type: 'timestamp',
        doc: 'When the user connected the provider; NULL if no such event arrived.',
      },
      { name: 'changed_at', type: 'timestamp', doc: 'When the last event of the connection was received.' },
      { name: 'error_type', type: 'string', doc: 'Kind of the error in the last event; NULL if it has none.' },
      {
        name: 'resource_availability',
        type: 'json',
        doc: 'For each resource, its status and the scopes that the user granted or denied, as of the last time the user connected.',
      },
      { name: 'errors', type: 'int64', unit: 'count', doc: 'Number of times that the connection broke.' },
    ],
    query: `select
  user_id, provider,
  coalesce(
    ${latest(`case when ${failed} then 'error' else 'connected' end`, 'version', "event_type in ('provider.connection.created', 'provider.connection.error')")},
    'connected'
  ) as status,
  max(case when ${created} then _received_at end) as connected_at,
  max(_received_at) as changed_at,
  ${latest('error_type', 'version')} as error_type,
  ${latest('resource_availability', 'version', created)} as resource_availability,
  count(case when ${failed} then 1 end) as errors
from (
  select
    user_id, provider, event_type, error_type, resource_availability, _received_at,
    row_number() over (partition by user_id, provider order by _received_at, _origin, _offset, _reader) as version
  from (
${eventsOnce(dialect, 'connection_events')}
  ) events
) numbered
group by user_id, provider`,
  };
}
