/**
 * Where each user's connection to each provider stands: the newest event, with what the last `created` said was available.
 * A retired `updated` says nothing of whether the connection works, so it changes no status.
 */
export const connectionsView = `create or replace view connections as
select
  user_id, provider,
  coalesce(
    arg_max(case when event_type = 'provider.connection.error' then 'error' else 'connected' end, version)
      filter (where event_type in ('provider.connection.created', 'provider.connection.error')),
    'connected'
  ) as status,
  max(_received_at) filter (where event_type = 'provider.connection.created') as connected_at,
  max(_received_at) as changed_at,
  arg_max(error_type, version) as error_type,
  arg_max(resource_availability, version) filter (where event_type = 'provider.connection.created') as resource_availability,
  count(*) filter (where event_type = 'provider.connection.error') as errors
from (
  select *, (_received_at, _origin, _offset, _reader) as version from connection_events
)
group by user_id, provider`;
