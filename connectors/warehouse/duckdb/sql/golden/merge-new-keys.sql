select exists (
  select 1 from connection_events semi join (
    select make_timestamptz(nullif(_received_at, 'nan'::double)::bigint) as _received_at, _origin as _origin, nullif(_offset, 'nan'::double)::bigint as _offset
    from (
    select * from landed.e1
    union all by name
    select * from landed.e2
    )
  ) using (_origin, _offset, _received_at)
);

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
    current_timestamp as _loaded_at
  from (
    select * from landed.e1
    union all by name
    select * from landed.e2
  )
  where coalesce(sha256((select min(key) from aorta.suppression_key) || c_user_id), '') not in (select user_hash from aorta.suppressed)
    and coalesce(sha256((select min(key) from aorta.suppression_key) || c_data_user_id), '') not in (select user_hash from aorta.suppressed);

select exists (
  select 1 from deliveries t semi join (
    select d_source as source, d_source_partition as source_partition, nullif(d_source_offset, 'nan'::double)::bigint as source_offset, make_timestamptz(nullif(d_received_at, 'nan'::double)::bigint) as received_at from landed.e1 where d_counts = 1
    union all
    select d_source as source, d_source_partition as source_partition, nullif(d_source_offset, 'nan'::double)::bigint as source_offset, make_timestamptz(nullif(d_received_at, 'nan'::double)::bigint) as received_at from landed.e2 where d_counts = 1
  ) using (source, source_partition, source_offset, received_at)
  where t._day in (date '2026-03-28', date '2026-03-29')
);

insert into deliveries by name
  select *, current_timestamp as _loaded_at
  from (
    select d_source as source, d_source_partition as source_partition, nullif(d_source_offset, 'nan'::double)::bigint as source_offset, make_timestamptz(nullif(d_received_at, 'nan'::double)::bigint) as received_at, d_event_type as event_type, d_delivery_id as delivery_id, d_team_id as team_id, d_user_id as user_id, d_provider as provider, d_resource as resource, nullif(d_samples, 'nan'::double)::bigint as samples, 'connection_events' as stream, d_dead_letter_reason as dead_letter_reason, nullif(d_redelivered, 'nan'::double) = 1 as redelivered, nullif(d_body_bytes, 'nan'::double)::bigint as body_bytes, nullif(_reader, 'nan'::double)::bigint as _reader, greatest(date '2010-01-01', least(date '2036-12-31', make_timestamp(d_received_at::bigint)::date)) as _day from landed.e1 where d_counts = 1
    union all
    select d_source as source, d_source_partition as source_partition, nullif(d_source_offset, 'nan'::double)::bigint as source_offset, make_timestamptz(nullif(d_received_at, 'nan'::double)::bigint) as received_at, d_event_type as event_type, d_delivery_id as delivery_id, d_team_id as team_id, d_user_id as user_id, d_provider as provider, d_resource as resource, nullif(d_samples, 'nan'::double)::bigint as samples, 'connection_events' as stream, d_dead_letter_reason as dead_letter_reason, nullif(d_redelivered, 'nan'::double) = 1 as redelivered, nullif(d_body_bytes, 'nan'::double)::bigint as body_bytes, nullif(_reader, 'nan'::double)::bigint as _reader, greatest(date '2010-01-01', least(date '2036-12-31', make_timestamp(d_received_at::bigint)::date)) as _day from landed.e2 where d_counts = 1
  ) d
  where coalesce(sha256((select min(key) from aorta.suppression_key) || d.user_id), '') not in (select user_hash from aorta.suppressed);
