select exists (
  from (
    select * from landed.e1
    union all by name
    select * from landed.e2
  )
  select 1 group by c_id having count(*) > 1
);

merge into activity t using (
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
  qualify row_number() over (partition by id order by _version_time desc, _received_at desc, _origin desc, _offset desc, _reader desc) = 1
) s
on t.id = s.id
when matched and (s._version_time, s._received_at, s._origin, s._offset, s._reader) > (t._version_time, t._received_at, t._origin, t._offset, t._reader) then update set
  event_type = s.event_type,
  team_id = s.team_id,
  user_id = s.user_id,
  client_user_id = s.client_user_id,
  provider = s.provider,
  source_type = s.source_type,
  source_app_id = s.source_app_id,
  source_device_id = s.source_device_id,
  source_sport = s.source_sport,
  source_workout_id = s.source_workout_id,
  source_name = s.source_name,
  source_logo = s.source_logo,
  id = s.id,
  data_user_id = s.data_user_id,
  date_at = s.date_at,
  calendar_date = s.calendar_date,
  calories_total_kcal = s.calories_total_kcal,
  calories_active_kcal = s.calories_active_kcal,
  steps = s.steps,
  daily_movement_m = s.daily_movement_m,
  distance_m = s.distance_m,
  low_min = s.low_min,
  medium_min = s.medium_min,
  high_min = s.high_min,
  floors_climbed = s.floors_climbed,
  time_zone = s.time_zone,
  timezone_offset_s = s.timezone_offset_s,
  heart_rate_avg_bpm = s.heart_rate_avg_bpm,
  heart_rate_min_bpm = s.heart_rate_min_bpm,
  heart_rate_max_bpm = s.heart_rate_max_bpm,
  heart_rate_resting_bpm = s.heart_rate_resting_bpm,
  heart_rate_avg_walking_bpm = s.heart_rate_avg_walking_bpm,
  wheelchair_use = s.wheelchair_use,
  wheelchair_push = s.wheelchair_push,
  created_at = s.created_at,
  updated_at = s.updated_at,
  extra = s.extra,
  _version_time = s._version_time,
  _received_at = s._received_at,
  _origin = s._origin,
  _offset = s._offset,
  _reader = s._reader,
  _loaded_at = s._loaded_at
when not matched then insert (event_type, team_id, user_id, client_user_id, provider, source_type, source_app_id, source_device_id, source_sport, source_workout_id, source_name, source_logo, id, data_user_id, date_at, calendar_date, calories_total_kcal, calories_active_kcal, steps, daily_movement_m, distance_m, low_min, medium_min, high_min, floors_climbed, time_zone, timezone_offset_s, heart_rate_avg_bpm, heart_rate_min_bpm, heart_rate_max_bpm, heart_rate_resting_bpm, heart_rate_avg_walking_bpm, wheelchair_use, wheelchair_push, created_at, updated_at, extra, _version_time, _received_at, _origin, _offset, _reader, _loaded_at)
values (s.event_type, s.team_id, s.user_id, s.client_user_id, s.provider, s.source_type, s.source_app_id, s.source_device_id, s.source_sport, s.source_workout_id, s.source_name, s.source_logo, s.id, s.data_user_id, s.date_at, s.calendar_date, s.calories_total_kcal, s.calories_active_kcal, s.steps, s.daily_movement_m, s.distance_m, s.low_min, s.medium_min, s.high_min, s.floors_climbed, s.time_zone, s.timezone_offset_s, s.heart_rate_avg_bpm, s.heart_rate_min_bpm, s.heart_rate_max_bpm, s.heart_rate_resting_bpm, s.heart_rate_avg_walking_bpm, s.wheelchair_use, s.wheelchair_push, s.created_at, s.updated_at, s.extra, s._version_time, s._received_at, s._origin, s._offset, s._reader, s._loaded_at);
