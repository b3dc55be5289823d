create temp table compared as
select t.rowid as row, coalesce(s._reader > t._reader, false) as superseded, t._origin, t._offset, t._received_at
from connection_events t join (
  select c_event_type as event_type,
    c_team_id as team_id,
    c_user_id as user_id,
    c_client_user_id as client_user_id,
    c_provider as provider,
    c_provider_name as provider_name,
    c_provider_logo as provider_logo,
    c_data_user_id as data_user_id,
    c_resource_availability::json as resource_availability,
    c_legacy_source::json as legacy_source,
    c_message as message,
    c_error_type as error_type,
    c_error_details as error_details,
    make_timestamptz(nullif(_received_at, 'nan'::double)::bigint) as _received_at,
    _origin as _origin,
    nullif(_offset, 'nan'::double)::bigint as _offset,
    nullif(_reader, 'nan'::double)::bigint as _reader,
    c__source as _source,
    nullif(c__body_bytes, 'nan'::double)::bigint as _body_bytes,
    nullif(c__body_crc32, 'nan'::double)::bigint as _body_crc32,
    current_timestamp as _loaded_at
  from (
    select * from landed.e1
  )
  where coalesce(sha256((select min(key) from control.suppression_key) || c_user_id), '') not in (select user_hash from control.suppressed)
    and coalesce(sha256((select min(key) from control.suppression_key) || c_data_user_id), '') not in (select user_hash from control.suppressed)
) s on t._origin = s._origin and t._offset = s._offset and t._received_at = s._received_at;

insert into connection_events by name
  select c_event_type as event_type,
    c_team_id as team_id,
    c_user_id as user_id,
    c_client_user_id as client_user_id,
    c_provider as provider,
    c_provider_name as provider_name,
    c_provider_logo as provider_logo,
    c_data_user_id as data_user_id,
    c_resource_availability::json as resource_availability,
    c_legacy_source::json as legacy_source,
    c_message as message,
    c_error_type as error_type,
    c_error_details as error_details,
    make_timestamptz(nullif(_received_at, 'nan'::double)::bigint) as _received_at,
    _origin as _origin,
    nullif(_offset, 'nan'::double)::bigint as _offset,
    nullif(_reader, 'nan'::double)::bigint as _reader,
    c__source as _source,
    nullif(c__body_bytes, 'nan'::double)::bigint as _body_bytes,
    nullif(c__body_crc32, 'nan'::double)::bigint as _body_crc32,
    current_timestamp as _loaded_at
  from (
    select * from landed.e1
  )
  where coalesce(sha256((select min(key) from control.suppression_key) || c_user_id), '') not in (select user_hash from control.suppressed)
    and coalesce(sha256((select min(key) from control.suppression_key) || c_data_user_id), '') not in (select user_hash from control.suppressed);
