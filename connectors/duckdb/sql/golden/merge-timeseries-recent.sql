insert into control.series
select (select coalesce(max(id), 0) from control.series) + row_number() over (), user_id, resource, provider, source_type, sample_type, source_workout_id
from (
  select distinct c_user_id as user_id, c_resource as resource, c_provider as provider, c_source_type as source_type, case when c_resource in ('cholesterol', 'electrocardiogram_voltage', 'heart_rate_alert', 'ige', 'igg', 'insulin_injection', 'sleep_breathing_disturbance', 'stand_hour') then coalesce(c_sample_type, '') else '' end as sample_type, case when c_resource like 'workout\_%' escape '\' then coalesce(c_source_workout_id, '') else '' end as source_workout_id from (select * from landed.e1 union all by name select * from landed.e2) where samples > 0
) n
anti join control.series using (user_id, resource, provider, source_type, sample_type, source_workout_id);

create or replace temp table folding as
select
  l.no, k.id as series,
  (select coalesce(max(id), 0) from control.timeseries_events) + row_number() over (order by l.no) as event,
  l.c_timezone_offset_s, l.c_end_at, l.c_value, l.c_sample_id, make_timestamptz(l._received_at::bigint) as _received_at, l._origin, l._offset::bigint as _offset, l._reader::bigint as _reader,
  l.ascending = 0
    or coalesce(max(last_at) over before >= first_at, false)
    or coalesce(min(first_at) over after <= last_at, false) as contested
from (select * from landed.e1 union all by name select * from landed.e2) l
join control.series k on k.user_id = c_user_id and k.resource = c_resource and k.provider = c_provider and k.source_type = c_source_type and k.sample_type = case when c_resource in ('cholesterol', 'electrocardiogram_voltage', 'heart_rate_alert', 'ige', 'igg', 'insulin_injection', 'sleep_breathing_disturbance', 'stand_hour') then coalesce(c_sample_type, '') else '' end and k.source_workout_id = case when c_resource like 'workout\_%' escape '\' then coalesce(c_source_workout_id, '') else '' end
where l.samples > 0 and l.last_at >= 1774656000000000 and l.first_at < 1774828800000000
window
  before as (partition by k.id order by first_at, l.no rows between unbounded preceding and 1 preceding),
  after as (partition by k.id order by first_at, l.no rows between 1 following and unbounded following);

insert into control.timeseries_events (id, event_type, team_id, client_user_id, source_app_id, source_device_id, source_sport, source_workout_id, source_name, source_logo, time_basis, data_user_id, data_source_id, legacy_provider, sensor_location, intensity, delivery_mode, delivery_form, bolus_purpose, sample_type, unit, sample_extra, extra, _loaded_at)
select f.event, c_event_type, c_team_id, c_client_user_id, c_source_app_id, c_source_device_id, c_source_sport, c_source_workout_id, c_source_name, c_source_logo, c_time_basis, c_data_user_id, nullif(c_data_source_id, 'nan'::double)::bigint, c_legacy_provider::json, c_sensor_location, c_intensity, c_delivery_mode, c_delivery_form, c_bolus_purpose, c_sample_type, c_unit, c_sample_extra::json, c_extra::json, current_timestamp
from (select * from landed.e1 union all by name select * from landed.e2) join folding f using (no)
order by f.event;

select count(*), count(*) filter (contested) from folding;

merge into control.timeseries_samples t using (
  select f.series, f.event, make_timestamptz(nullif(x.start_at, 'nan'::double)::bigint) as start_at, nullif(coalesce(x.timezone_offset_s, f.c_timezone_offset_s), 'nan'::double)::bigint as timezone_offset_s, make_timestamptz(nullif(f.c_end_at, 'nan'::double)::bigint) as end_at, nullif(x.value, 'nan'::double) as value, nullif(f.c_sample_id, 'nan'::double)::bigint as sample_id, greatest(date '2010-01-01', least(date '2036-12-31', make_timestamp(x.start_at::bigint)::date)) as _day,
    f._received_at, f._origin, f._offset, f._reader
  from (select no, rowid as ordinal, start_at, null::double as timezone_offset_s, value from landed.s1 union all select no, rowid as ordinal, start_at, timezone_offset_s, value from landed.s2) x join folding f using (no)
  where not f.contested and greatest(date '2010-01-01', least(date '2036-12-31', make_timestamp(x.start_at::bigint)::date)) in (date '2026-03-28', date '2026-03-29')
  union all
  select f.series, f.event, make_timestamptz(nullif(x.start_at, 'nan'::double)::bigint) as start_at, nullif(coalesce(x.timezone_offset_s, f.c_timezone_offset_s), 'nan'::double)::bigint as timezone_offset_s, make_timestamptz(nullif(f.c_end_at, 'nan'::double)::bigint) as end_at, nullif(x.value, 'nan'::double) as value, nullif(f.c_sample_id, 'nan'::double)::bigint as sample_id, greatest(date '2010-01-01', least(date '2036-12-31', make_timestamp(x.start_at::bigint)::date)) as _day,
    f._received_at, f._origin, f._offset, f._reader
  from (select no, rowid as ordinal, start_at, null::double as timezone_offset_s, value from landed.s1 union all select no, rowid as ordinal, start_at, timezone_offset_s, value from landed.s2) x join folding f using (no)
  where f.contested and greatest(date '2010-01-01', least(date '2036-12-31', make_timestamp(x.start_at::bigint)::date)) in (date '2026-03-28', date '2026-03-29')
  qualify row_number() over (
    partition by f.series, x.start_at order by f._received_at desc, f._origin desc, f._offset desc, f._reader desc, x.ordinal desc
  ) = 1
) s
on t._day in (date '2026-03-28', date '2026-03-29') and t.start_at = s.start_at and t.series = s.series
when matched and (s._received_at, s._origin, s._offset, s._reader) > (t._received_at, t._origin, t._offset, t._reader) then update set
  series = s.series, event = s.event, start_at = s.start_at, timezone_offset_s = s.timezone_offset_s, end_at = s.end_at, value = s.value, sample_id = s.sample_id, _day = s._day, _received_at = s._received_at, _origin = s._origin, _offset = s._offset, _reader = s._reader
when not matched then insert (series, event, start_at, timezone_offset_s, end_at, value, sample_id, _day, _received_at, _origin, _offset, _reader)
values (s.series, s.event, s.start_at, s.timezone_offset_s, s.end_at, s.value, s.sample_id, s._day, s._received_at, s._origin, s._offset, s._reader);

delete from control.timeseries_events
where id >= (select min(event) from folding)
  and id not in (select event from control.timeseries_samples where event >= (select min(event) from folding));
