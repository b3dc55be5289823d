select exists (
  from (
    select d_source, d_source_partition, d_source_offset, d_received_at from landed.e1 where d_counts = 1
    union all
    select d_source, d_source_partition, d_source_offset, d_received_at from landed.e3 where d_counts = 1
  )
  select 1 group by d_source, d_source_partition, d_source_offset, d_received_at having count(*) > 1
);

merge into deliveries t using (
  select *, current_timestamp as _loaded_at
  from (
    select d_source as source, d_source_partition as source_partition, nullif(d_source_offset, 'nan'::double)::bigint as source_offset, make_timestamptz(nullif(d_received_at, 'nan'::double)::bigint) as received_at, d_event_type as event_type, d_delivery_id as delivery_id, d_team_id as team_id, d_user_id as user_id, d_provider as provider, d_resource as resource, nullif(d_samples, 'nan'::double)::bigint as samples, 'timeseries' as stream, d_dead_letter_reason as dead_letter_reason, nullif(d_redelivered, 'nan'::double) = 1 as redelivered, nullif(d_body_bytes, 'nan'::double)::bigint as body_bytes, nullif(_reader, 'nan'::double)::bigint as _reader, greatest(date '2010-01-01', least(date '2036-12-31', make_timestamp(d_received_at::bigint)::date)) as _day from landed.e1 where d_counts = 1
    union all
    select d_source as source, d_source_partition as source_partition, nullif(d_source_offset, 'nan'::double)::bigint as source_offset, make_timestamptz(nullif(d_received_at, 'nan'::double)::bigint) as received_at, d_event_type as event_type, d_delivery_id as delivery_id, d_team_id as team_id, d_user_id as user_id, d_provider as provider, d_resource as resource, nullif(d_samples, 'nan'::double)::bigint as samples, 'dead_letters' as stream, d_dead_letter_reason as dead_letter_reason, nullif(d_redelivered, 'nan'::double) = 1 as redelivered, nullif(d_body_bytes, 'nan'::double)::bigint as body_bytes, nullif(_reader, 'nan'::double)::bigint as _reader, greatest(date '2010-01-01', least(date '2036-12-31', make_timestamp(d_received_at::bigint)::date)) as _day from landed.e3 where d_counts = 1
  ) d
  qualify row_number() over (partition by source, source_partition, source_offset, received_at order by case when d.dead_letter_reason is not null then 0 when d.redelivered then 1 when d.stream = 'unrouted' then 2 else 3 end desc, _reader desc) = 1
) s
on t._day in (date '2026-03-28', date '2026-03-29')
  and t.source = s.source and t.source_partition = s.source_partition and t.source_offset = s.source_offset and t.received_at = s.received_at
when matched and (case when s.dead_letter_reason is not null then 0 when s.redelivered then 1 when s.stream = 'unrouted' then 2 else 3 end, s._reader) > (case when t.dead_letter_reason is not null then 0 when t.redelivered then 1 when t.stream = 'unrouted' then 2 else 3 end, t._reader) then update set
  source = s.source,
  source_partition = s.source_partition,
  source_offset = s.source_offset,
  received_at = s.received_at,
  event_type = s.event_type,
  delivery_id = s.delivery_id,
  team_id = s.team_id,
  user_id = s.user_id,
  provider = s.provider,
  resource = s.resource,
  samples = s.samples,
  stream = s.stream,
  dead_letter_reason = s.dead_letter_reason,
  redelivered = s.redelivered,
  body_bytes = s.body_bytes,
  _reader = s._reader,
  _day = s._day,
  _loaded_at = s._loaded_at
when not matched then insert (source, source_partition, source_offset, received_at, event_type, delivery_id, team_id, user_id, provider, resource, samples, stream, dead_letter_reason, redelivered, body_bytes, _reader, _day, _loaded_at)
values (s.source, s.source_partition, s.source_offset, s.received_at, s.event_type, s.delivery_id, s.team_id, s.user_id, s.provider, s.resource, s.samples, s.stream, s.dead_letter_reason, s.redelivered, s.body_bytes, s._reader, s._day, s._loaded_at);
