create temp table compared as
select t.rowid as row, coalesce((case when s.dead_letter_reason is not null then 0 when s.redelivered then 1 when s.stream = 'unrouted' then 2 else 3 end, s._reader) > (case when t.dead_letter_reason is not null then 0 when t.redelivered then 1 when t.stream = 'unrouted' then 2 else 3 end, t._reader), false) as superseded, t.source, t.source_partition, t.source_offset, t.received_at
from deliveries t join (
select * from (
  select *, current_timestamp as _loaded_at
  from (
    select d_source as source, d_source_partition as source_partition, nullif(d_source_offset, 'nan'::double)::bigint as source_offset, make_timestamptz(nullif(d_received_at, 'nan'::double)::bigint) as received_at, d_event_type as event_type, d_delivery_id as delivery_id, d_team_id as team_id, d_user_id as user_id, d_client_user_id as client_user_id, d_provider as provider, d_source_type as source_type, d_resource as resource, nullif(d_samples, 'nan'::double)::bigint as samples, 'timeseries' as stream, d_dead_letter_reason as dead_letter_reason, nullif(d_redelivered, 'nan'::double) = 1 as redelivered, nullif(d_body_bytes, 'nan'::double)::bigint as body_bytes, nullif(d_body_crc32, 'nan'::double)::bigint as body_crc32, make_timestamptz(nullif(d_arrived_at, 'nan'::double)::bigint) as arrived_at, nullif(_reader, 'nan'::double)::bigint as _reader, greatest(date '2010-01-01', least(date '2036-12-31', make_timestamp(d_received_at::bigint)::date)) as _day from landed.e1 where d_counts = 1
    union all
    select d_source as source, d_source_partition as source_partition, nullif(d_source_offset, 'nan'::double)::bigint as source_offset, make_timestamptz(nullif(d_received_at, 'nan'::double)::bigint) as received_at, d_event_type as event_type, d_delivery_id as delivery_id, d_team_id as team_id, d_user_id as user_id, d_client_user_id as client_user_id, d_provider as provider, d_source_type as source_type, d_resource as resource, nullif(d_samples, 'nan'::double)::bigint as samples, 'dead_letters' as stream, d_dead_letter_reason as dead_letter_reason, nullif(d_redelivered, 'nan'::double) = 1 as redelivered, nullif(d_body_bytes, 'nan'::double)::bigint as body_bytes, nullif(d_body_crc32, 'nan'::double)::bigint as body_crc32, make_timestamptz(nullif(d_arrived_at, 'nan'::double)::bigint) as arrived_at, nullif(_reader, 'nan'::double)::bigint as _reader, greatest(date '2010-01-01', least(date '2036-12-31', make_timestamp(d_received_at::bigint)::date)) as _day from landed.e3 where d_counts = 1
  )
  where coalesce(sha256((select min(key) from control.suppression_key) || user_id), '') not in (select user_hash from control.suppressed)
) l
qualify row_number() over (partition by source, source_partition, source_offset, received_at order by case when l.dead_letter_reason is not null then 0 when l.redelivered then 1 when l.stream = 'unrouted' then 2 else 3 end desc, l._reader desc) = 1
) s on t._day in (date '2026-03-28', date '2026-03-29') and t.source = s.source and t.source_partition = s.source_partition and t.source_offset = s.source_offset and t.received_at = s.received_at;

insert into deliveries by name
select * from (
select * from (
  select *, current_timestamp as _loaded_at
  from (
    select d_source as source, d_source_partition as source_partition, nullif(d_source_offset, 'nan'::double)::bigint as source_offset, make_timestamptz(nullif(d_received_at, 'nan'::double)::bigint) as received_at, d_event_type as event_type, d_delivery_id as delivery_id, d_team_id as team_id, d_user_id as user_id, d_client_user_id as client_user_id, d_provider as provider, d_source_type as source_type, d_resource as resource, nullif(d_samples, 'nan'::double)::bigint as samples, 'timeseries' as stream, d_dead_letter_reason as dead_letter_reason, nullif(d_redelivered, 'nan'::double) = 1 as redelivered, nullif(d_body_bytes, 'nan'::double)::bigint as body_bytes, nullif(d_body_crc32, 'nan'::double)::bigint as body_crc32, make_timestamptz(nullif(d_arrived_at, 'nan'::double)::bigint) as arrived_at, nullif(_reader, 'nan'::double)::bigint as _reader, greatest(date '2010-01-01', least(date '2036-12-31', make_timestamp(d_received_at::bigint)::date)) as _day from landed.e1 where d_counts = 1
    union all
    select d_source as source, d_source_partition as source_partition, nullif(d_source_offset, 'nan'::double)::bigint as source_offset, make_timestamptz(nullif(d_received_at, 'nan'::double)::bigint) as received_at, d_event_type as event_type, d_delivery_id as delivery_id, d_team_id as team_id, d_user_id as user_id, d_client_user_id as client_user_id, d_provider as provider, d_source_type as source_type, d_resource as resource, nullif(d_samples, 'nan'::double)::bigint as samples, 'dead_letters' as stream, d_dead_letter_reason as dead_letter_reason, nullif(d_redelivered, 'nan'::double) = 1 as redelivered, nullif(d_body_bytes, 'nan'::double)::bigint as body_bytes, nullif(d_body_crc32, 'nan'::double)::bigint as body_crc32, make_timestamptz(nullif(d_arrived_at, 'nan'::double)::bigint) as arrived_at, nullif(_reader, 'nan'::double)::bigint as _reader, greatest(date '2010-01-01', least(date '2036-12-31', make_timestamp(d_received_at::bigint)::date)) as _day from landed.e3 where d_counts = 1
  )
  where coalesce(sha256((select min(key) from control.suppression_key) || user_id), '') not in (select user_hash from control.suppressed)
) l
qualify row_number() over (partition by source, source_partition, source_offset, received_at order by case when l.dead_letter_reason is not null then 0 when l.redelivered then 1 when l.stream = 'unrouted' then 2 else 3 end desc, l._reader desc) = 1
)
anti join (from compared where not superseded) using (source, source_partition, source_offset, received_at);
