select exists (
  from (
  select c_event_type as event_type,
    c_team_id as team_id,
    c_user_id as user_id,
    c_client_user_id as client_user_id,
    c_provider as provider,
    c_source_type as source_type,
    c_source_app_id as source_app_id,
    c_source_device_id as source_device_id,
    c_source_sport as source_sport,
    c_source_workout_id as source_workout_id,
    c_source_name as source_name,
    c_source_logo as source_logo,
    c_id as id,
    c_data_user_id as data_user_id,
    make_timestamptz(nullif(c_date_at, 'nan'::double)::bigint) as date_at,
    date '1970-01-01' + nullif(c_calendar_date, 'nan'::double)::integer as calendar_date,
    nullif(c_calories_total_kcal, 'nan'::double) as calories_total_kcal,
    nullif(c_calories_active_kcal, 'nan'::double) as calories_active_kcal,
    nullif(c_steps, 'nan'::double)::bigint as steps,
    nullif(c_daily_movement_m, 'nan'::double) as daily_movement_m,
    nullif(c_distance_m, 'nan'::double) as distance_m,
    nullif(c_low_min, 'nan'::double) as low_min,
    nullif(c_medium_min, 'nan'::double) as medium_min,
    nullif(c_high_min, 'nan'::double) as high_min,
    nullif(c_floors_climbed, 'nan'::double)::bigint as floors_climbed,
    c_time_zone as time_zone,
    nullif(c_timezone_offset_s, 'nan'::double)::bigint as timezone_offset_s,
    nullif(c_heart_rate_avg_bpm, 'nan'::double) as heart_rate_avg_bpm,
    nullif(c_heart_rate_min_bpm, 'nan'::double) as heart_rate_min_bpm,
    nullif(c_heart_rate_max_bpm, 'nan'::double) as heart_rate_max_bpm,
    nullif(c_heart_rate_resting_bpm, 'nan'::double) as heart_rate_resting_bpm,
    nullif(c_heart_rate_avg_walking_bpm, 'nan'::double) as heart_rate_avg_walking_bpm,
    nullif(c_wheelchair_use, 'nan'::double) = 1 as wheelchair_use,
    nullif(c_wheelchair_push, 'nan'::double)::bigint as wheelchair_push,
    make_timestamptz(nullif(c_created_at, 'nan'::double)::bigint) as created_at,
    make_timestamptz(nullif(c_updated_at, 'nan'::double)::bigint) as updated_at,
    c_extra::json as extra,
    make_timestamptz(nullif(_version_time, 'nan'::double)::bigint) as _version_time,
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
  )
  select 1 group by id having count(*) > 1
);

create temp table compared as
select t.rowid as row, coalesce((s._version_time, s._received_at, s._origin, s._offset, s._reader) > (t._version_time, t._received_at, t._origin, t._offset, t._reader), false) as superseded, t.id
from activity t join (
select * from (
  select c_event_type as event_type,
    c_team_id as team_id,
    c_user_id as user_id,
    c_client_user_id as client_user_id,
    c_provider as provider,
    c_source_type as source_type,
    c_source_app_id as source_app_id,
    c_source_device_id as source_device_id,
    c_source_sport as source_sport,
    c_source_workout_id as source_workout_id,
    c_source_name as source_name,
    c_source_logo as source_logo,
    c_id as id,
    c_data_user_id as data_user_id,
    make_timestamptz(nullif(c_date_at, 'nan'::double)::bigint) as date_at,
    date '1970-01-01' + nullif(c_calendar_date, 'nan'::double)::integer as calendar_date,
    nullif(c_calories_total_kcal, 'nan'::double) as calories_total_kcal,
    nullif(c_calories_active_kcal, 'nan'::double) as calories_active_kcal,
    nullif(c_steps, 'nan'::double)::bigint as steps,
    nullif(c_daily_movement_m, 'nan'::double) as daily_movement_m,
    nullif(c_distance_m, 'nan'::double) as distance_m,
    nullif(c_low_min, 'nan'::double) as low_min,
    nullif(c_medium_min, 'nan'::double) as medium_min,
    nullif(c_high_min, 'nan'::double) as high_min,
    nullif(c_floors_climbed, 'nan'::double)::bigint as floors_climbed,
    c_time_zone as time_zone,
    nullif(c_timezone_offset_s, 'nan'::double)::bigint as timezone_offset_s,
    nullif(c_heart_rate_avg_bpm, 'nan'::double) as heart_rate_avg_bpm,
    nullif(c_heart_rate_min_bpm, 'nan'::double) as heart_rate_min_bpm,
    nullif(c_heart_rate_max_bpm, 'nan'::double) as heart_rate_max_bpm,
    nullif(c_heart_rate_resting_bpm, 'nan'::double) as heart_rate_resting_bpm,
    nullif(c_heart_rate_avg_walking_bpm, 'nan'::double) as heart_rate_avg_walking_bpm,
    nullif(c_wheelchair_use, 'nan'::double) = 1 as wheelchair_use,
    nullif(c_wheelchair_push, 'nan'::double)::bigint as wheelchair_push,
    make_timestamptz(nullif(c_created_at, 'nan'::double)::bigint) as created_at,
    make_timestamptz(nullif(c_updated_at, 'nan'::double)::bigint) as updated_at,
    c_extra::json as extra,
    make_timestamptz(nullif(_version_time, 'nan'::double)::bigint) as _version_time,
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
) l
qualify row_number() over (partition by id order by l._version_time desc, l._received_at desc, l._origin desc, l._offset desc, l._reader desc) = 1
) s on t.id = s.id;

select count(*) filter (superseded), count(*) filter (not superseded) from compared;

delete from activity where rowid in (select row from compared where superseded);

insert into activity by name
select * from (
select * from (
  select c_event_type as event_type,
    c_team_id as team_id,
    c_user_id as user_id,
    c_client_user_id as client_user_id,
    c_provider as provider,
    c_source_type as source_type,
    c_source_app_id as source_app_id,
    c_source_device_id as source_device_id,
    c_source_sport as source_sport,
    c_source_workout_id as source_workout_id,
    c_source_name as source_name,
    c_source_logo as source_logo,
    c_id as id,
    c_data_user_id as data_user_id,
    make_timestamptz(nullif(c_date_at, 'nan'::double)::bigint) as date_at,
    date '1970-01-01' + nullif(c_calendar_date, 'nan'::double)::integer as calendar_date,
    nullif(c_calories_total_kcal, 'nan'::double) as calories_total_kcal,
    nullif(c_calories_active_kcal, 'nan'::double) as calories_active_kcal,
    nullif(c_steps, 'nan'::double)::bigint as steps,
    nullif(c_daily_movement_m, 'nan'::double) as daily_movement_m,
    nullif(c_distance_m, 'nan'::double) as distance_m,
    nullif(c_low_min, 'nan'::double) as low_min,
    nullif(c_medium_min, 'nan'::double) as medium_min,
    nullif(c_high_min, 'nan'::double) as high_min,
    nullif(c_floors_climbed, 'nan'::double)::bigint as floors_climbed,
    c_time_zone as time_zone,
    nullif(c_timezone_offset_s, 'nan'::double)::bigint as timezone_offset_s,
    nullif(c_heart_rate_avg_bpm, 'nan'::double) as heart_rate_avg_bpm,
    nullif(c_heart_rate_min_bpm, 'nan'::double) as heart_rate_min_bpm,
    nullif(c_heart_rate_max_bpm, 'nan'::double) as heart_rate_max_bpm,
    nullif(c_heart_rate_resting_bpm, 'nan'::double) as heart_rate_resting_bpm,
    nullif(c_heart_rate_avg_walking_bpm, 'nan'::double) as heart_rate_avg_walking_bpm,
    nullif(c_wheelchair_use, 'nan'::double) = 1 as wheelchair_use,
    nullif(c_wheelchair_push, 'nan'::double)::bigint as wheelchair_push,
    make_timestamptz(nullif(c_created_at, 'nan'::double)::bigint) as created_at,
    make_timestamptz(nullif(c_updated_at, 'nan'::double)::bigint) as updated_at,
    c_extra::json as extra,
    make_timestamptz(nullif(_version_time, 'nan'::double)::bigint) as _version_time,
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
) l
qualify row_number() over (partition by id order by l._version_time desc, l._received_at desc, l._origin desc, l._offset desc, l._reader desc) = 1
)
anti join (from compared where not superseded) using (id);
