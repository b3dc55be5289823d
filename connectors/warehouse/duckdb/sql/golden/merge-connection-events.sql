merge into connection_events t using (
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
    current_timestamp as _loaded_at
  from (
    select * from landed.e1
  )
) s
on t._origin = s._origin and t._offset = s._offset and t._received_at = s._received_at
when matched and s._reader > t._reader then update set
  event_type = s.event_type,
  team_id = s.team_id,
  user_id = s.user_id,
  client_user_id = s.client_user_id,
  provider = s.provider,
  provider_name = s.provider_name,
  provider_logo = s.provider_logo,
  data_user_id = s.data_user_id,
  resource_availability = s.resource_availability,
  legacy_source = s.legacy_source,
  message = s.message,
  error_type = s.error_type,
  error_details = s.error_details,
  _received_at = s._received_at,
  _origin = s._origin,
  _offset = s._offset,
  _reader = s._reader,
  _loaded_at = s._loaded_at
when not matched then insert (event_type, team_id, user_id, client_user_id, provider, provider_name, provider_logo, data_user_id, resource_availability, legacy_source, message, error_type, error_details, _received_at, _origin, _offset, _reader, _loaded_at)
values (s.event_type, s.team_id, s.user_id, s.client_user_id, s.provider, s.provider_name, s.provider_logo, s.data_user_id, s.resource_availability, s.legacy_source, s.message, s.error_type, s.error_details, s._received_at, s._origin, s._offset, s._reader, s._loaded_at);
