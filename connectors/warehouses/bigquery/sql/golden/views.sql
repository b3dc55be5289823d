CREATE OR REPLACE VIEW `my-project.health.active_energy_burned`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '0553b9741a116a16')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'kcal' then value end as active_energy_burned_kcal,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'active_energy_burned';

CREATE OR REPLACE VIEW `my-project.health.afib_burden`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '4eabd1bb1630e4eb')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = '%' then value end as afib_burden_pct,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'afib_burden';

CREATE OR REPLACE VIEW `my-project.health.basal_body_temperature`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '65bbf5d310f7a2b4')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = '°c' then value end as basal_body_temperature_c,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'basal_body_temperature';

CREATE OR REPLACE VIEW `my-project.health.basal_energy_burned`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'e73ae50d27b2e36d')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'kcal' then value end as basal_energy_burned_kcal,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'basal_energy_burned';

CREATE OR REPLACE VIEW `my-project.health.blood_oxygen`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '8fe5f26818662d38')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = '%' then value end as blood_oxygen_pct,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'blood_oxygen';

CREATE OR REPLACE VIEW `my-project.health.body_mass_index`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '1aec66c5e7923b47')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'index' then value end as body_mass_index_index,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'body_mass_index';

CREATE OR REPLACE VIEW `my-project.health.body_temperature`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'f12355a6bd38db86')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  sensor_location, case when unit is null or lower(unit) = '°c' then value end as body_temperature_c,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'body_temperature';

CREATE OR REPLACE VIEW `my-project.health.body_temperature_delta`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '5f921c95c582d91b')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  sensor_location, case when unit is null or lower(unit) = '°c' then value end as body_temperature_delta_c,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'body_temperature_delta';

CREATE OR REPLACE VIEW `my-project.health.caffeine`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'c24f4ec44f97001e')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'g' then value end as caffeine_g,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'caffeine';

CREATE OR REPLACE VIEW `my-project.health.calories_active`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '92a53a9d62b0d695')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'kcal' then value end as calories_active_kcal,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'calories_active';

CREATE OR REPLACE VIEW `my-project.health.calories_basal`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '34723602656d8555')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'kcal' then value end as calories_basal_kcal,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'calories_basal';

CREATE OR REPLACE VIEW `my-project.health.carbohydrates`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'db63411a13e2b8f1')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'g' then value end as carbohydrates_g,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'carbohydrates';

CREATE OR REPLACE VIEW `my-project.health.cholesterol`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '5686f173b84ac79c')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'mmol/l' then value end as cholesterol_mmol_l,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'cholesterol';

CREATE OR REPLACE VIEW `my-project.health.daylight_exposure`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '14757f0fbfe564b4')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'min' then value end as daylight_exposure_min,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'daylight_exposure';

CREATE OR REPLACE VIEW `my-project.health.distance`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '7c6f645c40ca7a26')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'm' then value end as distance_m,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'distance';

CREATE OR REPLACE VIEW `my-project.health.distance_running_walking`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '8ee8e8cf9844e547')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'm' then value end as distance_running_walking_m,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'distance_running_walking';

CREATE OR REPLACE VIEW `my-project.health.electrocardiogram_voltage`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '68ccfe57b7a6af90')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'mv' then value end as electrocardiogram_voltage_mv,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'electrocardiogram_voltage';

CREATE OR REPLACE VIEW `my-project.health.fall`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'ffcd80097ae2b3e2')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'count' then value end as fall_count,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'fall';

CREATE OR REPLACE VIEW `my-project.health.fat`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '2f6b7d1923933b49')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = '%' then value end as fat_pct,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'fat';

CREATE OR REPLACE VIEW `my-project.health.floors_climbed`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '8ef29e4ad3fdb38e')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'count' then value end as floors_climbed_count,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'floors_climbed';

CREATE OR REPLACE VIEW `my-project.health.forced_expiratory_volume_1`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '97916f6bf2929d50')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'l' then value end as forced_expiratory_volume_1_l,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'forced_expiratory_volume_1';

CREATE OR REPLACE VIEW `my-project.health.forced_vital_capacity`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '5d19a089e03f4301')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'l' then value end as forced_vital_capacity_l,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'forced_vital_capacity';

CREATE OR REPLACE VIEW `my-project.health.glucose`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '6dea9f8552a94042')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'mmol/l' then value end as glucose_mmol_l,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'glucose';

CREATE OR REPLACE VIEW `my-project.health.handwashing`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'fdcc30f69a2b9ba0')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'count' then value end as handwashing_count,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'handwashing';

CREATE OR REPLACE VIEW `my-project.health.heart_rate_alert`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'd8b937d672febbe8')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'count' then value end as heart_rate_alert_count,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'heart_rate_alert';

CREATE OR REPLACE VIEW `my-project.health.heart_rate_recovery_one_minute`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'f7a75a45aa84a6ff')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'count' then value end as heart_rate_recovery_one_minute_count,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'heart_rate_recovery_one_minute';

CREATE OR REPLACE VIEW `my-project.health.heartrate`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '76af8c98f6544a88')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'bpm' then value end as heartrate_bpm,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'heartrate';

CREATE OR REPLACE VIEW `my-project.health.hrv`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'dbed207ff579f5f1')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'rmssd' then value end as hrv_rmssd_ms,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'hrv';

CREATE OR REPLACE VIEW `my-project.health.hypnogram`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '89a8a5aacc7940d9')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'stage' then value end as hypnogram_stage,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'hypnogram';

CREATE OR REPLACE VIEW `my-project.health.ige`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'c8afbb2165a44524')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'fsu' then value end as ige_fsu,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'ige';

CREATE OR REPLACE VIEW `my-project.health.igg`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '69aeb54ed62677a0')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'fsu' then value end as igg_fsu,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'igg';

CREATE OR REPLACE VIEW `my-project.health.inhaler_usage`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '8f729ed522911b5a')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'count' then value end as inhaler_usage_count,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'inhaler_usage';

CREATE OR REPLACE VIEW `my-project.health.insulin_injection`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '394c588d7ac02bbb')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  delivery_mode, delivery_form, bolus_purpose, case when unit is null or lower(unit) = 'unit' then value end as insulin_injection_unit,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'insulin_injection';

CREATE OR REPLACE VIEW `my-project.health.lean_body_mass`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'b60da1c8c8a1bfd1')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'kg' then value end as lean_body_mass_kg,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'lean_body_mass';

CREATE OR REPLACE VIEW `my-project.health.mindfulness_minutes`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'f3c60634e8e2f0f2')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'min' then value end as mindfulness_minutes_min,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'mindfulness_minutes';

CREATE OR REPLACE VIEW `my-project.health.peak_expiratory_flow_rate`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '6dfd3090afe47f7b')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'l/min' then value end as peak_expiratory_flow_rate_l_min,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'peak_expiratory_flow_rate';

CREATE OR REPLACE VIEW `my-project.health.respiratory_rate`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '05d4408616112b4d')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'bpm' then value end as respiratory_rate_per_min,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'respiratory_rate';

CREATE OR REPLACE VIEW `my-project.health.sleep_apnea_alert`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '25aa59b29d4afb31')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'count' then value end as sleep_apnea_alert_count,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'sleep_apnea_alert';

CREATE OR REPLACE VIEW `my-project.health.sleep_breathing_disturbance`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '429835555051dcb7')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'count' then value end as sleep_breathing_disturbance_count,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'sleep_breathing_disturbance';

CREATE OR REPLACE VIEW `my-project.health.stand_duration`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'd6faeb93aaf53165')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'min' then value end as stand_duration_min,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'stand_duration';

CREATE OR REPLACE VIEW `my-project.health.stand_hour`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '5b1c589312b4617b')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'count' then value end as stand_hour_count,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'stand_hour';

CREATE OR REPLACE VIEW `my-project.health.steps`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'c0214dd34098a45c')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'count' then value end as steps_count,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'steps';

CREATE OR REPLACE VIEW `my-project.health.stress_level`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '278b76c9a732d5a8')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = '%' then value end as stress_level_pct,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'stress_level';

CREATE OR REPLACE VIEW `my-project.health.uv_exposure`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '59e7d6267a201c5d')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'index' then value end as uv_exposure_index,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'uv_exposure';

CREATE OR REPLACE VIEW `my-project.health.vo2_max`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '09cb0dd0fb246896')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'ml/kg/min' then value end as vo2_max_ml_kg_min,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'vo2_max';

CREATE OR REPLACE VIEW `my-project.health.waist_circumference`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '092e6657db7a55a2')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'cm' then value end as waist_circumference_cm,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'waist_circumference';

CREATE OR REPLACE VIEW `my-project.health.water`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '837677e826b6a2c2')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'ml' then value end as water_ml,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'water';

CREATE OR REPLACE VIEW `my-project.health.weight`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'ccdc6000d09b4557')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'kg' then value end as weight_kg,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'weight';

CREATE OR REPLACE VIEW `my-project.health.wheelchair_push`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '8a61d4add808eb09')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'count' then value end as wheelchair_push_count,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'wheelchair_push';

CREATE OR REPLACE VIEW `my-project.health.workout_distance`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'ca2894bc19391ed0')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  source_workout_id, source_sport, case when unit is null or lower(unit) = 'm' then value end as workout_distance_m,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'workout_distance';

CREATE OR REPLACE VIEW `my-project.health.workout_duration`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '866821b537cf7836')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  source_workout_id, source_sport, intensity, case when unit is null or lower(unit) = 'min' then value end as workout_duration_min,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'workout_duration';

CREATE OR REPLACE VIEW `my-project.health.workout_swimming_stroke`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '34209080d1391c04')]) AS
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  source_workout_id, source_sport, case when unit is null or lower(unit) = 'count' then value end as workout_swimming_stroke_count,
  value, unit, _day, _received_at, _loaded_at
from `my-project.health.timeseries`
where resource = 'workout_swimming_stroke';

CREATE OR REPLACE VIEW `my-project.health.timeseries_daily`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '2a449f0e3a337f4c')]) AS
select
  user_id, resource, provider, source_type, sample_type,
  coalesce(local_date, date(start_at)) as calendar_date,
  case when local_date is null then 'utc' else 'local' end as date_basis,
  unit,
  count(*) as samples,
  min(value) as value_min,
  max(value) as value_max,
  avg(value) as value_avg,
  sum(value) as value_sum,
  min(start_at) as first_at,
  max(start_at) as last_at
from `my-project.health.timeseries`
group by
  user_id, resource, provider, source_type, sample_type,
  coalesce(local_date, date(start_at)),
  case when local_date is null then 'utc' else 'local' end,
  unit;

CREATE OR REPLACE VIEW `my-project.health.latest_samples`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'e00717e15f46bd48')]) AS
select
  user_id, resource, sample_type, provider, source_type, start_at, end_at, timezone_offset_s, local_date, value, unit, _received_at
from (
  select *, row_number() over (partition by user_id, resource, sample_type order by start_at desc, _received_at desc, provider, source_type, source_workout_id) as nth
  from `my-project.health.timeseries`
) numbered
where nth = 1;

CREATE OR REPLACE VIEW `my-project.health.delivery_copies`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '4484410fb9ec258c')]) AS
with came as (
  select source, source_partition, source_offset, received_at, user_id, event_type, stream, body_bytes, body_crc32 from `my-project.health.deliveries` where not redelivered
),
-- In most warehouses no user has two sources, and this cheap step leaves nothing for the others.
shared_users as (
  select shared_user
  from (select coalesce(user_id, '') as shared_user, source from came) of_users
  group by shared_user
  having min(source) <> max(source)
),
shared as (
  select body_bytes as key_bytes, body_crc32 as key_crc32
  from came
  join shared_users on shared_user = coalesce(user_id, '')
  group by body_bytes, body_crc32
  having min(source) <> max(source)
),
keyed as (
  select
    came.source, came.source_partition, came.source_offset, came.received_at, came.source as own, came.received_at as came_at,
    key_bytes, key_crc32, coalesce(came.user_id, '') as key_user_id, coalesce(came.event_type, '') as key_event_type, coalesce(came.stream, '') as key_stream
  from came
  join shared on key_bytes = came.body_bytes and key_crc32 = came.body_crc32
),
numbered as (
  select *, sum(starts) over (partition by key_bytes, key_crc32, key_user_id, key_event_type, key_stream order by came_at, own, source, source_partition, source_offset, received_at) as session
  from (
    select
      *,
      case when came_at > timestamp_add(lag(came_at) over (partition by key_bytes, key_crc32, key_user_id, key_event_type, key_stream order by came_at, own, source, source_partition, source_offset, received_at), interval 172800 second) then 1 else 0 end as starts
    from keyed
  ) gaps
),
paired as (
  select one.*, least(own, other) as first_source, greatest(own, other) as second_source, case when own < other then 1 else -1 end as step
  from numbered one
  join (select distinct key_bytes, key_crc32, key_user_id, key_event_type, key_stream, session, own as other from numbered) sources
    on sources.key_bytes = one.key_bytes and sources.key_crc32 = one.key_crc32 and sources.key_user_id = one.key_user_id and sources.key_event_type = one.key_event_type and sources.key_stream = one.key_stream and sources.session = one.session and other <> own
),
balanced as (
  select *, sum(step) over (partition by key_bytes, key_crc32, key_user_id, key_event_type, key_stream, session, first_source, second_source order by came_at, own, source, source_partition, source_offset, received_at) as balance
  from paired
),
levels as (
  select
    *, abs(balance) < abs(balance - step) as ends_pair,
    case when abs(balance) < abs(balance - step) then balance - step else balance end as level
  from balanced
)
select distinct source, source_partition, source_offset, received_at
from (
  select
    *, lag(came_at) over (partition by key_bytes, key_crc32, key_user_id, key_event_type, key_stream, session, first_source, second_source, level order by came_at, own, source, source_partition, source_offset, received_at) as partner_at
  from levels
) ended
where ends_pair and came_at <= timestamp_add(partner_at, interval 172800 second);

CREATE OR REPLACE VIEW `my-project.health.connections`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'd78a6eddc73fea4c')]) AS
select
  user_id, provider,
  coalesce(
    any_value(if(event_type in ('provider.connection.created', 'provider.connection.error'), case when event_type = 'provider.connection.error' then 'error' else 'connected' end, null) having max if(event_type in ('provider.connection.created', 'provider.connection.error') and case when event_type = 'provider.connection.error' then 'error' else 'connected' end is not null, version, 0)),
    'connected'
  ) as status,
  max(case when event_type = 'provider.connection.created' then _received_at end) as connected_at,
  max(_received_at) as changed_at,
  any_value(error_type having max if(error_type is not null, version, 0)) as error_type,
  any_value(if(event_type = 'provider.connection.created', resource_availability, null) having max if(event_type = 'provider.connection.created' and resource_availability is not null, version, 0)) as resource_availability,
  count(case when event_type = 'provider.connection.error' then 1 end) as errors
from (
  select
    user_id, provider, event_type, error_type, resource_availability, _received_at,
    row_number() over (partition by user_id, provider order by _received_at, _origin, _offset, _reader) as version
  from (
select kept.*
from `my-project.health.connection_events` kept
left join (
with came as (
  select
  _origin, _offset, _received_at, _source as source, user_id, event_type, _received_at as received_at,
  _body_bytes as body_bytes, _body_crc32 as body_crc32
from `my-project.health.connection_events`
),
-- In most warehouses no user has two sources, and this cheap step leaves nothing for the others.
shared_users as (
  select shared_user
  from (select coalesce(user_id, '') as shared_user, source from came) of_users
  group by shared_user
  having min(source) <> max(source)
),
shared as (
  select body_bytes as key_bytes, body_crc32 as key_crc32
  from came
  join shared_users on shared_user = coalesce(user_id, '')
  group by body_bytes, body_crc32
  having min(source) <> max(source)
),
keyed as (
  select
    came._origin, came._offset, came._received_at, came.source as own, came.received_at as came_at,
    key_bytes, key_crc32, coalesce(came.user_id, '') as key_user_id, coalesce(came.event_type, '') as key_event_type
  from came
  join shared on key_bytes = came.body_bytes and key_crc32 = came.body_crc32
),
numbered as (
  select *, sum(starts) over (partition by key_bytes, key_crc32, key_user_id, key_event_type order by came_at, own, _origin, _offset, _received_at) as session
  from (
    select
      *,
      case when came_at > timestamp_add(lag(came_at) over (partition by key_bytes, key_crc32, key_user_id, key_event_type order by came_at, own, _origin, _offset, _received_at), interval 172800 second) then 1 else 0 end as starts
    from keyed
  ) gaps
),
paired as (
  select one.*, least(own, other) as first_source, greatest(own, other) as second_source, case when own < other then 1 else -1 end as step
  from numbered one
  join (select distinct key_bytes, key_crc32, key_user_id, key_event_type, session, own as other from numbered) sources
    on sources.key_bytes = one.key_bytes and sources.key_crc32 = one.key_crc32 and sources.key_user_id = one.key_user_id and sources.key_event_type = one.key_event_type and sources.session = one.session and other <> own
),
balanced as (
  select *, sum(step) over (partition by key_bytes, key_crc32, key_user_id, key_event_type, session, first_source, second_source order by came_at, own, _origin, _offset, _received_at) as balance
  from paired
),
levels as (
  select
    *, abs(balance) < abs(balance - step) as ends_pair,
    case when abs(balance) < abs(balance - step) then balance - step else balance end as level
  from balanced
)
select distinct _origin, _offset, _received_at
from (
  select
    *, lag(came_at) over (partition by key_bytes, key_crc32, key_user_id, key_event_type, session, first_source, second_source, level order by came_at, own, _origin, _offset, _received_at) as partner_at
  from levels
) ended
where ends_pair and came_at <= timestamp_add(partner_at, interval 172800 second)
) copy on copy._origin = kept._origin and copy._offset = kept._offset and copy._received_at = kept._received_at
where copy._origin is null
  ) events
) numbered
group by user_id, provider;

CREATE OR REPLACE VIEW `my-project.health.meal_foods`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '18569a21598509c2')]) AS
select
  user_id, id, provider, source_type, member_name as food_name,
  case when coalesce(json_value(member, '$.energy.unit'), 'kcal') = 'kcal' then safe_cast(json_value(member, '$.energy.value') as float64) end as energy_kcal,
  safe_cast(json_value(member, '$.macros.carbs') as float64) as carbs_g,
  safe_cast(json_value(member, '$.macros.protein') as float64) as protein_g,
  safe_cast(json_value(member, '$.macros.fats.total') as float64) as fat_total_g,
  safe_cast(json_value(member, '$.macros.fats.saturated') as float64) as fat_saturated_g,
  safe_cast(json_value(member, '$.macros.fats.monounsaturated') as float64) as fat_monounsaturated_g,
  safe_cast(json_value(member, '$.macros.fats.polyunsaturated') as float64) as fat_polyunsaturated_g,
  safe_cast(json_value(member, '$.macros.fats.omega3') as float64) as fat_omega3_g,
  safe_cast(json_value(member, '$.macros.fats.omega6') as float64) as fat_omega6_g,
  safe_cast(json_value(member, '$.macros.alcohol') as float64) as alcohol_g,
  safe_cast(json_value(member, '$.macros.water') as float64) as water_g,
  safe_cast(json_value(member, '$.macros.fibre') as float64) as fibre_g,
  safe_cast(json_value(member, '$.macros.sugar') as float64) as sugar_g,
  safe_cast(json_value(member, '$.macros.cholesterol') as float64) as cholesterol_g,
  json_query(member, '$.micros.minerals') as minerals,
  json_query(member, '$.micros.trace_elements') as trace_elements,
  json_query(member, '$.micros.vitamins') as vitamins
from (
  select t.user_id, t.id, t.provider, t.source_type, member_name, t.foods[member_name] as member
  from `my-project.health.meal` as t,
    unnest(json_keys(t.foods, 1)) as key,
    unnest([if(starts_with(key, '"'), replace(substr(key, 2, length(key) - 2), '\\"', '"'), key)]) as member_name
) eaten;

CREATE OR REPLACE VIEW `my-project.health.sleep_cycle_stages`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'ce58c56481a1fe69')]) AS
select
  user_id, id, provider, source_type, sleep_id, ordinal,
  case stage_type
    when -1 then 'unknown' when 1 then 'deep' when 2 then 'light' when 3 then 'rem' when 4 then 'awake' when 5 then 'manual'
  end as stage,
  stage_type,
  timestamp_add(session_start, interval start_offset_s second) as start_at,
  timestamp_add(session_start, interval end_offset_s second) as end_at,
  end_offset_s - start_offset_s as duration_s
from (
  select user_id, id, provider, source_type, sleep_id, session_start, ordinal, stage_type[safe_ordinal(ordinal)] as stage_type, stage_start_offset_s[safe_ordinal(ordinal)] as start_offset_s, stage_end_offset_s[safe_ordinal(ordinal)] as end_offset_s
  from (
  select t.user_id, t.id, t.provider, t.source_type, t.sleep_id, t.session_start, t.stage_type, t.stage_start_offset_s, t.stage_end_offset_s, ordinal
  from `my-project.health.sleep_cycle` as t, unnest(generate_array(1, greatest(array_length(stage_type), array_length(stage_start_offset_s), array_length(stage_end_offset_s)))) as ordinal
  ) numbered
) staged;

CREATE OR REPLACE VIEW `my-project.health.workouts_hr_zones`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '75fbf2220dc32207')]) AS
select user_id, id, provider, source_type, ordinal as zone, element as duration_s
from (
  select t.user_id, t.id, t.provider, t.source_type, place + 1 as ordinal, element
  from `my-project.health.workouts` as t, unnest(t.hr_zones_s) as element with offset as place
) zones;

CREATE OR REPLACE VIEW `my-project.health.continuous_query_results_changes`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'faaf745acf7f90d6')]) AS
select
  user_id, _received_at, _origin, _offset, ordinal,
  element.query_id, element.query_slug, element.result_columns
from (
  select t.user_id, t._received_at, t._origin, t._offset, place + 1 as ordinal, element
  from (
select kept.*
from `my-project.health.continuous_query_results` kept
left join (
with came as (
  select
  _origin, _offset, _received_at, _source as source, user_id, event_type, _received_at as received_at,
  _body_bytes as body_bytes, _body_crc32 as body_crc32
from `my-project.health.continuous_query_results`
),
-- In most warehouses no user has two sources, and this cheap step leaves nothing for the others.
shared_users as (
  select shared_user
  from (select coalesce(user_id, '') as shared_user, source from came) of_users
  group by shared_user
  having min(source) <> max(source)
),
shared as (
  select body_bytes as key_bytes, body_crc32 as key_crc32
  from came
  join shared_users on shared_user = coalesce(user_id, '')
  group by body_bytes, body_crc32
  having min(source) <> max(source)
),
keyed as (
  select
    came._origin, came._offset, came._received_at, came.source as own, came.received_at as came_at,
    key_bytes, key_crc32, coalesce(came.user_id, '') as key_user_id, coalesce(came.event_type, '') as key_event_type
  from came
  join shared on key_bytes = came.body_bytes and key_crc32 = came.body_crc32
),
numbered as (
  select *, sum(starts) over (partition by key_bytes, key_crc32, key_user_id, key_event_type order by came_at, own, _origin, _offset, _received_at) as session
  from (
    select
      *,
      case when came_at > timestamp_add(lag(came_at) over (partition by key_bytes, key_crc32, key_user_id, key_event_type order by came_at, own, _origin, _offset, _received_at), interval 172800 second) then 1 else 0 end as starts
    from keyed
  ) gaps
),
paired as (
  select one.*, least(own, other) as first_source, greatest(own, other) as second_source, case when own < other then 1 else -1 end as step
  from numbered one
  join (select distinct key_bytes, key_crc32, key_user_id, key_event_type, session, own as other from numbered) sources
    on sources.key_bytes = one.key_bytes and sources.key_crc32 = one.key_crc32 and sources.key_user_id = one.key_user_id and sources.key_event_type = one.key_event_type and sources.session = one.session and other <> own
),
balanced as (
  select *, sum(step) over (partition by key_bytes, key_crc32, key_user_id, key_event_type, session, first_source, second_source order by came_at, own, _origin, _offset, _received_at) as balance
  from paired
),
levels as (
  select
    *, abs(balance) < abs(balance - step) as ends_pair,
    case when abs(balance) < abs(balance - step) then balance - step else balance end as level
  from balanced
)
select distinct _origin, _offset, _received_at
from (
  select
    *, lag(came_at) over (partition by key_bytes, key_crc32, key_user_id, key_event_type, session, first_source, second_source, level order by came_at, own, _origin, _offset, _received_at) as partner_at
  from levels
) ended
where ends_pair and came_at <= timestamp_add(partner_at, interval 172800 second)
) copy on copy._origin = kept._origin and copy._offset = kept._offset and copy._received_at = kept._received_at
where copy._origin is null
) as t, unnest(t.changes) as element with offset as place
) listed;

CREATE OR REPLACE VIEW `my-project.health.historical_pull_tracks_pulls`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '942baf3903aca230')]) AS
select
  user_id, provider, resource, ordinal,
  element.is_present, element.scheduled_at, element.range_start, element.range_end, element.state, element.since, element.retrying_since, element.status, element.error_details, element.error_class, element.expected_at, element.started_at, element.ended_at, element.days_with_data, element.provisional, element.perhaps_completed_at, element.announced_at, element.broken_at, element.not_pulled_at, element.contradicted_at, element.knows_retrying, element.reports, element.service_since, element.service_retrying_since, element.trace_id
from (
  select t.user_id, t.provider, t.resource, place + 1 as ordinal, element
  from `my-project.health.historical_pull_tracks` as t, unnest(t.pulls) as element with offset as place
) listed;

CREATE OR REPLACE VIEW `my-project.health.historical_pull_tracks_changes`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '29ba479739f19b5c')]) AS
select
  user_id, provider, resource, ordinal,
  element.scheduled_at, element.range_start, element.range_end, element.changed_at, element.from_state, element.to_state, element.event, element.status, element.error_details
from (
  select t.user_id, t.provider, t.resource, place + 1 as ordinal, element
  from `my-project.health.historical_pull_tracks` as t, unnest(t.changes) as element with offset as place
) listed;

CREATE OR REPLACE VIEW `my-project.health.historical_pull_tracks_evidence`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '74df9103b9c2aaaa')]) AS
select
  user_id, provider, resource, ordinal,
  element.evidence_at, element.kind, element.scheduled_at, element.range_start, element.range_end, element.status, element.started_at, element.ended_at, element.days_with_data, element.error_details
from (
  select t.user_id, t.provider, t.resource, place + 1 as ordinal, element
  from `my-project.health.historical_pull_tracks` as t, unnest(t.evidence) as element with offset as place
) listed;

CREATE OR REPLACE VIEW `my-project.health.introspection_polls_pulls`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'edbbb27655433671')]) AS
select
  user_id, ordinal,
  element.provider, element.resource, element.status, element.range_start, element.range_end, element.scheduled_at, element.started_at, element.ended_at, element.days_with_data, element.error_details, element.release, element.trace_id, element.extra
from (
  select t.user_id, place + 1 as ordinal, element
  from `my-project.health.introspection_polls` as t, unnest(t.pulls) as element with offset as place
) listed;

CREATE OR REPLACE VIEW `my-project.health.introspection_polls_not_pulled`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '0263741aa4270596')]) AS
select
  user_id, ordinal,
  element.provider, element.resource
from (
  select t.user_id, place + 1 as ordinal, element
  from `my-project.health.introspection_polls` as t, unnest(t.not_pulled) as element with offset as place
) listed;

CREATE OR REPLACE VIEW `my-project.health.lab_appointments_events`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '11a2ed61e464ce1b')]) AS
select
  user_id, id, provider, ordinal,
  element.created_at, element.status, element.data
from (
  select t.user_id, t.id, t.provider, place + 1 as ordinal, element
  from `my-project.health.lab_appointments` as t, unnest(t.events) as element with offset as place
) listed;

CREATE OR REPLACE VIEW `my-project.health.lab_orders_events`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'b1628c94493c5eb7')]) AS
select
  user_id, id, ordinal,
  element.event_id, element.created_at, element.status, element.status_detail
from (
  select t.user_id, t.id, place + 1 as ordinal, element
  from `my-project.health.lab_orders` as t, unnest(t.events) as element with offset as place
) listed;

CREATE OR REPLACE VIEW `my-project.health.lab_orders_order_transaction_orders`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '29fa7a22c4aafbdc')]) AS
select
  user_id, id, ordinal,
  element.order_id, element.low_level_status, element.low_level_status_at, element.order_origin, element.parent_id, element.created_at, element.updated_at
from (
  select t.user_id, t.id, place + 1 as ordinal, element
  from `my-project.health.lab_orders` as t, unnest(t.order_transaction_orders) as element with offset as place
) listed;

CREATE OR REPLACE VIEW `my-project.health.lab_report_parsing_jobs_results`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'c40e24139744d86b')]) AS
select
  user_id, id, ordinal,
  element.test_name, element.value, element.value_type, element.units, element.min_reference_range, element.max_reference_range, element.is_below_min_range, element.is_above_max_range, element.interpretation, element.sample_type, element.measurement_kind, element.sensitivity, element.source_panel_name, element.loinc_match_status, element.loinc_matches
from (
  select t.user_id, t.id, place + 1 as ordinal, element
  from `my-project.health.lab_report_parsing_jobs` as t, unnest(t.results) as element with offset as place
) listed;

CREATE OR REPLACE VIEW `my-project.health.lab_results_items`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'e8653b7a374b4e88')]) AS
select
  user_id, order_id, ordinal,
  element.name, element.slug, element.result, element.result_type, element.result_number, element.result_sign, element.result_low, element.result_high, element.legacy_value, element.unit, element.taken_at, element.notes, element.reference_range, element.reference_low, element.reference_high, element.is_above_max_range, element.is_below_min_range, element.interpretation, element.source_interpretation, element.loinc, element.loinc_slug, element.lab_code, element.source_markers, element.performing_laboratory, element.source_sample_id
from (
  select t.user_id, t.order_id, place + 1 as ordinal, element
  from `my-project.health.lab_results` as t, unnest(t.items) as element with offset as place
) listed;

CREATE OR REPLACE VIEW `my-project.health.lab_results_missing`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'e6ab6b2c9bc99ece')]) AS
select
  user_id, order_id, ordinal,
  element.name, element.slug, element.inferred_failure_type, element.note, element.loinc, element.loinc_slug, element.provider_id
from (
  select t.user_id, t.order_id, place + 1 as ordinal, element
  from `my-project.health.lab_results` as t, unnest(t.missing) as element with offset as place
) listed;

CREATE OR REPLACE VIEW `my-project.health.menstrual_cycle_menstrual_flow`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'd6f44a63064f78cc')]) AS
select
  user_id, provider, source_type, id, ordinal,
  element.calendar_date, element.flow
from (
  select t.user_id, t.provider, t.source_type, t.id, place + 1 as ordinal, element
  from `my-project.health.menstrual_cycle` as t, unnest(t.menstrual_flow) as element with offset as place
) listed;

CREATE OR REPLACE VIEW `my-project.health.menstrual_cycle_cervical_mucus`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'bf66c2d2c82f6f4e')]) AS
select
  user_id, provider, source_type, id, ordinal,
  element.calendar_date, element.quality
from (
  select t.user_id, t.provider, t.source_type, t.id, place + 1 as ordinal, element
  from `my-project.health.menstrual_cycle` as t, unnest(t.cervical_mucus) as element with offset as place
) listed;

CREATE OR REPLACE VIEW `my-project.health.menstrual_cycle_intermenstrual_bleeding`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '2b94a5886d07d424')]) AS
select
  user_id, provider, source_type, id, ordinal,
  element.calendar_date
from (
  select t.user_id, t.provider, t.source_type, t.id, place + 1 as ordinal, element
  from `my-project.health.menstrual_cycle` as t, unnest(t.intermenstrual_bleeding) as element with offset as place
) listed;

CREATE OR REPLACE VIEW `my-project.health.menstrual_cycle_contraceptive`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '74e4fc7c021c9fde')]) AS
select
  user_id, provider, source_type, id, ordinal,
  element.calendar_date, element.contraceptive_type
from (
  select t.user_id, t.provider, t.source_type, t.id, place + 1 as ordinal, element
  from `my-project.health.menstrual_cycle` as t, unnest(t.contraceptive) as element with offset as place
) listed;

CREATE OR REPLACE VIEW `my-project.health.menstrual_cycle_detected_deviations`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '004f8a87bd9d0755')]) AS
select
  user_id, provider, source_type, id, ordinal,
  element.calendar_date, element.deviation
from (
  select t.user_id, t.provider, t.source_type, t.id, place + 1 as ordinal, element
  from `my-project.health.menstrual_cycle` as t, unnest(t.detected_deviations) as element with offset as place
) listed;

CREATE OR REPLACE VIEW `my-project.health.menstrual_cycle_ovulation_test`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '1cef88251a4a1052')]) AS
select
  user_id, provider, source_type, id, ordinal,
  element.calendar_date, element.test_result
from (
  select t.user_id, t.provider, t.source_type, t.id, place + 1 as ordinal, element
  from `my-project.health.menstrual_cycle` as t, unnest(t.ovulation_test) as element with offset as place
) listed;

CREATE OR REPLACE VIEW `my-project.health.menstrual_cycle_home_pregnancy_test`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '80c9d5042772de54')]) AS
select
  user_id, provider, source_type, id, ordinal,
  element.calendar_date, element.test_result
from (
  select t.user_id, t.provider, t.source_type, t.id, place + 1 as ordinal, element
  from `my-project.health.menstrual_cycle` as t, unnest(t.home_pregnancy_test) as element with offset as place
) listed;

CREATE OR REPLACE VIEW `my-project.health.menstrual_cycle_home_progesterone_test`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '5f6825d362638b1a')]) AS
select
  user_id, provider, source_type, id, ordinal,
  element.calendar_date, element.test_result
from (
  select t.user_id, t.provider, t.source_type, t.id, place + 1 as ordinal, element
  from `my-project.health.menstrual_cycle` as t, unnest(t.home_progesterone_test) as element with offset as place
) listed;

CREATE OR REPLACE VIEW `my-project.health.menstrual_cycle_sexual_activity`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '3007405494bdb7e1')]) AS
select
  user_id, provider, source_type, id, ordinal,
  element.calendar_date, element.protection_used
from (
  select t.user_id, t.provider, t.source_type, t.id, place + 1 as ordinal, element
  from `my-project.health.menstrual_cycle` as t, unnest(t.sexual_activity) as element with offset as place
) listed;

CREATE OR REPLACE VIEW `my-project.health.menstrual_cycle_basal_body_temperature`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'a903a9f0f6f6caed')]) AS
select
  user_id, provider, source_type, id, ordinal,
  element.calendar_date, element.temperature_c
from (
  select t.user_id, t.provider, t.source_type, t.id, place + 1 as ordinal, element
  from `my-project.health.menstrual_cycle` as t, unnest(t.basal_body_temperature) as element with offset as place
) listed;

CREATE OR REPLACE VIEW `my-project.health.workout_streams_points`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '975e9075d4597203')]) AS
select
  user_id, workout_id, ordinal,
  element.time_s, element.point_at, element.heart_rate_bpm, element.cadence, element.altitude_m, element.speed_m_s, element.distance_m, element.power_w, element.resistance, element.temperature_c, element.latitude_deg, element.longitude_deg
from (
  select t.user_id, t.workout_id, place + 1 as ordinal, element
  from `my-project.health.workout_streams` as t, unnest(t.points) as element with offset as place
) listed;

CREATE OR REPLACE VIEW `my-project.health.lab_order_progress`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'a8775a45a7253d73')]) AS
select
  user_id, id as order_id, lab_name, lab_test_name, sample_id,
  last_event_status as status,
  nullif(split(coalesce(last_event_status, o.status), '.')[safe_ordinal(1)], '') as high_level,
  nullif(split(coalesce(last_event_status, o.status), '.')[safe_ordinal(2)], '') as modality,
  nullif(split(coalesce(last_event_status, o.status), '.')[safe_ordinal(3)], '') as low_level,
  last_event_status_detail as status_detail, last_event_at as since,
  interpretation, has_missing_results, expected_result_by_date, worst_case_result_by_date, created_at, updated_at
from `my-project.health.lab_orders` o;

CREATE OR REPLACE VIEW `my-project.health.lab_order_history`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '8485530bba33167f')]) AS
select
  user_id, id as order_id, event_id, status,
  nullif(split(status, '.')[safe_ordinal(1)], '') as high_level,
  nullif(split(status, '.')[safe_ordinal(2)], '') as modality,
  nullif(split(status, '.')[safe_ordinal(3)], '') as low_level,
  status_detail, created_at as began_at, lead(created_at) over (partition by id order by created_at, ordinal) as ended_at
from `my-project.health.lab_orders_events`;

CREATE OR REPLACE VIEW `my-project.health.continuous_query_rows`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'a40eb5d8796590e3')]) AS
select
  user_id, query_id, query_slug, ordinal as row_number,
  object as row,
  _received_at, _origin, _offset
from (
  select
    t.user_id, t.query_id, t.query_slug, t._received_at, t._origin, t._offset, ordinal,
    (
      select json_object(
        array_agg(if(starts_with(key, '"'), replace(substr(key, 2, length(key) - 2), '\\"', '"'), key) order by key),
        array_agg(ifnull(json_query_array(t.result_columns[if(starts_with(key, '"'), replace(substr(key, 2, length(key) - 2), '\\"', '"'), key)])[safe_ordinal(ordinal)], json 'null') order by key)
      )
      from unnest(json_keys(t.result_columns, 1)) as key
    ) as object
  from `my-project.health.continuous_query_results_changes` as t, unnest(generate_array(1, ifnull((
    select max(array_length(json_query_array(t.result_columns[if(starts_with(key, '"'), replace(substr(key, 2, length(key) - 2), '\\"', '"'), key)]))) from unnest(json_keys(t.result_columns, 1)) as key
  ), 0))) as ordinal
) changed;

CREATE OR REPLACE VIEW `my-project.health.person_days`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '97f8247e80b9d80b')]) AS
with
activity_days as (
  select user_id, calendar_date as calendar_date, max(steps) as steps, max(distance_m) as distance_m, max(calories_active_kcal) as calories_active_kcal, max(calories_total_kcal) as calories_total_kcal, max(floors_climbed) as floors_climbed, avg(heart_rate_resting_bpm) as heart_rate_resting_bpm
  from `my-project.health.activity`
  where calendar_date is not null
  group by user_id, calendar_date
),
sleep_days as (
  select user_id, calendar_date as calendar_date, max(total_s) as sleep_total_s, max(deep_s) as sleep_deep_s, max(rem_s) as sleep_rem_s, max(awake_s) as sleep_awake_s, avg(efficiency) as sleep_efficiency, avg(average_hrv_ms) as sleep_hrv_avg_ms, avg(respiratory_rate_per_min) as sleep_respiratory_rate_per_min
  from `my-project.health.sleep`
  where calendar_date is not null
  group by user_id, calendar_date
),
body_days as (
  select user_id, calendar_date as calendar_date, avg(weight_kg) as weight_kg, avg(fat_pct) as fat_pct
  from `my-project.health.body`
  where calendar_date is not null
  group by user_id, calendar_date
),
workouts_days as (
  select user_id, calendar_date as calendar_date, count(*) as workouts, max(distance_m) as workouts_distance_m, max(calories_kcal) as workouts_calories_kcal
  from `my-project.health.workouts`
  where calendar_date is not null
  group by user_id, calendar_date
),
sampled_days as (
  select user_id, local_date as calendar_date, min(case when resource = 'heartrate' then value end) as heartrate_min_bpm, avg(case when resource = 'heartrate' then value end) as heartrate_avg_bpm, max(case when resource = 'heartrate' then value end) as heartrate_max_bpm, avg(case when resource = 'glucose' and lower(unit) = 'mmol/l' then value end) as glucose_avg_mmol_l, avg(case when resource = 'blood_oxygen' then value end) as blood_oxygen_avg_pct, count(*) as samples
  from `my-project.health.timeseries`
  where local_date is not null
  group by user_id, local_date
),
days as (
  select user_id, calendar_date from activity_days
  union distinct
  select user_id, calendar_date from sleep_days
  union distinct
  select user_id, calendar_date from body_days
  union distinct
  select user_id, calendar_date from workouts_days
  union distinct
  select user_id, calendar_date from sampled_days
)
select
  days.user_id, days.calendar_date,
  activity_days.steps, activity_days.distance_m, activity_days.calories_active_kcal, activity_days.calories_total_kcal, activity_days.floors_climbed, activity_days.heart_rate_resting_bpm,
  sleep_days.sleep_total_s, sleep_days.sleep_deep_s, sleep_days.sleep_rem_s, sleep_days.sleep_awake_s, sleep_days.sleep_efficiency, sleep_days.sleep_hrv_avg_ms, sleep_days.sleep_respiratory_rate_per_min,
  body_days.weight_kg, body_days.fat_pct,
  workouts_days.workouts, workouts_days.workouts_distance_m, workouts_days.workouts_calories_kcal,
  sampled_days.heartrate_min_bpm, sampled_days.heartrate_avg_bpm, sampled_days.heartrate_max_bpm, sampled_days.glucose_avg_mmol_l, sampled_days.blood_oxygen_avg_pct, sampled_days.samples
from days
left join activity_days on activity_days.user_id = days.user_id and activity_days.calendar_date = days.calendar_date
left join sleep_days on sleep_days.user_id = days.user_id and sleep_days.calendar_date = days.calendar_date
left join body_days on body_days.user_id = days.user_id and body_days.calendar_date = days.calendar_date
left join workouts_days on workouts_days.user_id = days.user_id and workouts_days.calendar_date = days.calendar_date
left join sampled_days on sampled_days.user_id = days.user_id and sampled_days.calendar_date = days.calendar_date;

CREATE OR REPLACE VIEW `my-project.health.freshness`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '9848ca7739c3e159')]) AS
select
  event_type, provider,
  count(*) as deliveries,
  count(distinct user_id) as users,
  min(received_at) as first_received_at,
  max(received_at) as last_received_at,
  max(_loaded_at) as last_loaded_at,
  timestamp_diff(current_timestamp, max(received_at), microsecond) / 1000000.0 as age_s
from (
select kept.*
from `my-project.health.deliveries` kept
left join (
select * from `my-project.health.delivery_copies`
) copy on copy.source = kept.source and copy.source_partition = kept.source_partition and copy.source_offset = kept.source_offset and copy.received_at = kept.received_at
where copy.source is null
) once
where not redelivered
group by event_type, provider;

CREATE OR REPLACE VIEW `my-project.health.event_volume`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', 'ddc6ce095fb6e467')]) AS
select
  date(received_at) as received_date,
  event_type, provider, stream,
  count(*) as deliveries,
  count(distinct user_id) as users,
  coalesce(sum(samples), 0) as samples,
  sum(body_bytes) as body_bytes,
  count(case when redelivered then 1 end) as redelivered,
  count(dead_letter_reason) as dead_letters
from (
select kept.*
from `my-project.health.deliveries` kept
left join (
select * from `my-project.health.delivery_copies`
) copy on copy.source = kept.source and copy.source_partition = kept.source_partition and copy.source_offset = kept.source_offset and copy.received_at = kept.received_at
where copy.source is null
) once
group by date(received_at), event_type, provider, stream;

CREATE OR REPLACE VIEW `my-project.health.completeness`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '033b3c170c3f5048')]) AS
with arrived as (
  select
    user_id, event_type, delivery, provider, resource, min(received_at) as received_at, max(objects) as objects,
    min(source) as source, min(body_bytes) as body_bytes, min(body_crc32) as body_crc32
  from (
    select
      user_id, provider, received_at, event_type, source, body_bytes, body_crc32,
      case when event_type like 'daily.data.%' then nullif(split(event_type, '.')[safe_ordinal(3)], '') else nullif(split(event_type, '.')[safe_ordinal(2)], '') end as resource,
      coalesce(delivery_id, source || ' ' || source_partition || ' ' || cast(source_offset as string)) as delivery,
      coalesce(samples, 1) as objects
    from `my-project.health.deliveries`
    where (event_type like 'daily.data.%.created' or event_type in ('provider.connection.created', 'provider.device.created'))
      and not redelivered and dead_letter_reason is null
  ) came
  group by user_id, event_type, delivery, provider, resource
),
created as (
  select kept.*
from arrived kept
left join (
with came as (
  select * from arrived
),
-- In most warehouses no user has two sources, and this cheap step leaves nothing for the others.
shared_users as (
  select shared_user
  from (select coalesce(user_id, '') as shared_user, source from came) of_users
  group by shared_user
  having min(source) <> max(source)
),
shared as (
  select body_bytes as key_bytes, body_crc32 as key_crc32
  from came
  join shared_users on shared_user = coalesce(user_id, '')
  group by body_bytes, body_crc32
  having min(source) <> max(source)
),
keyed as (
  select
    came.user_id, came.event_type, came.delivery, came.source as own, came.received_at as came_at,
    key_bytes, key_crc32, coalesce(came.user_id, '') as key_user_id, coalesce(came.event_type, '') as key_event_type
  from came
  join shared on key_bytes = came.body_bytes and key_crc32 = came.body_crc32
),
numbered as (
  select *, sum(starts) over (partition by key_bytes, key_crc32, key_user_id, key_event_type order by came_at, own, user_id, event_type, delivery) as session
  from (
    select
      *,
      case when came_at > timestamp_add(lag(came_at) over (partition by key_bytes, key_crc32, key_user_id, key_event_type order by came_at, own, user_id, event_type, delivery), interval 172800 second) then 1 else 0 end as starts
    from keyed
  ) gaps
),
paired as (
  select one.*, least(own, other) as first_source, greatest(own, other) as second_source, case when own < other then 1 else -1 end as step
  from numbered one
  join (select distinct key_bytes, key_crc32, key_user_id, key_event_type, session, own as other from numbered) sources
    on sources.key_bytes = one.key_bytes and sources.key_crc32 = one.key_crc32 and sources.key_user_id = one.key_user_id and sources.key_event_type = one.key_event_type and sources.session = one.session and other <> own
),
balanced as (
  select *, sum(step) over (partition by key_bytes, key_crc32, key_user_id, key_event_type, session, first_source, second_source order by came_at, own, user_id, event_type, delivery) as balance
  from paired
),
levels as (
  select
    *, abs(balance) < abs(balance - step) as ends_pair,
    case when abs(balance) < abs(balance - step) then balance - step else balance end as level
  from balanced
)
select distinct user_id, event_type, delivery
from (
  select
    *, lag(came_at) over (partition by key_bytes, key_crc32, key_user_id, key_event_type, session, first_source, second_source, level order by came_at, own, user_id, event_type, delivery) as partner_at
  from levels
) ended
where ends_pair and came_at <= timestamp_add(partner_at, interval 172800 second)
) copy on copy.user_id = kept.user_id and copy.event_type = kept.event_type and copy.delivery = kept.delivery
where copy.user_id is null
),
received as (
  select user_id, provider, resource, cast(sum(objects) as int64) as objects
  from created
  group by user_id, provider, resource
),
backfilled as (
  select
    user_id, provider, resource, max(objects) as objects, cast(max(objects - known) as int64) as found,
    max(finished_at) as finished_at
  from (
    select
      b.user_id, b.provider, b.resource, b.from_day, b.to_day, b.objects, b.finished_at,
      coalesce(sum(case when c.received_at <= b.finished_at then c.objects end), 0) as known
    from `my-project.health.backfills` b
    left join created c on c.user_id = b.user_id and c.provider = b.provider and c.resource = b.resource
    group by b.user_id, b.provider, b.resource, b.from_day, b.to_day, b.objects, b.finished_at
  ) each_one
  group by user_id, provider, resource
)
select
  user_id, provider, resource, sent, received, backfilled, gap,
  case when gap is not null then least(gap, found) end as closed_by_backfill, gap - least(gap, found) as missing,
  oldest_data, newest_data, last_attempt_at, last_attempt_status, backfilled_at, as_of
from (
  select
    s.user_id, s.provider, s.resource, s.sent_count as sent,
    case when s.is_counted then coalesce(r.objects, 0) end as received,
    coalesce(b.objects, 0) as backfilled, greatest(coalesce(b.found, 0), 0) as found,
    case when s.is_counted and s.sent_count is not null then greatest(s.sent_count - coalesce(r.objects, 0), 0) end as gap,
    s.oldest_data, s.newest_data, s.last_attempt_at, s.last_attempt_status, b.finished_at as backfilled_at, s._received_at as as_of
  from (
    select
      *, resource not in ('appointment', 'device_legacy', 'match_review', 'order', 'result', 'result_table', 'sleep_stream') as is_counted,
      case resource when 'body_fat' then 'fat' when 'body_weight' then 'weight' else resource end as event_resource
    from `my-project.health.sent_resources`
  ) s
  left join received r on r.user_id = s.user_id and r.provider = s.provider and r.resource = s.event_resource
  left join backfilled b on b.user_id = s.user_id and b.provider = s.provider and b.resource = s.event_resource
) compared;

CREATE OR REPLACE VIEW `my-project.health.historical_pulls`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '17e8b82138e6f4d1')]) AS
select * from `my-project.health.historical_pull_tracks_pulls`;

CREATE OR REPLACE VIEW `my-project.health.historical_pull_changes`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '0e304b1b9c0cd97d')]) AS
select * from `my-project.health.historical_pull_tracks_changes`;

CREATE OR REPLACE VIEW `my-project.health.historical_pull_evidence`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '85af8bcd13231d24')]) AS
select * from `my-project.health.historical_pull_tracks_evidence`;

CREATE OR REPLACE VIEW `my-project.health.historical_pull_board`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '8b68819b9ca507bc')]) AS
select
  user_id, provider, resource, standing,
  case standing
    when 'retrying' then coalesce(service_retrying_since, retrying_since)
    when 'gone' then since
    else coalesce(service_since, since)
  end as since,
  case
    when standing = 'gone' then 'the service no longer has this user'
    when standing = 'complete' and provisional then 'the service announced the end; its introspection does not report it yet'
    when standing = 'complete' and days_with_data = 0 then 'done, and no day of the range had data'
    when standing = 'complete' then 'done'
    when standing = 'failed' and knows_retrying = false
      then coalesce(error_details, 'no reason given') || '; perhaps temporary: the service does not say so for connections made before 9 May 2025'
    when standing = 'failed' then coalesce(error_details, 'no reason given')
    when standing = 'retrying' then coalesce(error_details, 'no reason given')
    when standing = 'stalled' and broken_at is not null then 'the connection broke'
    when standing = 'stalled' and state = 'expected' and as_of is null then 'connected, but no event or answer mentions a pull'
    when standing = 'stalled' and state = 'expected' then 'connected, but the service has planned no pull'
    when standing = 'stalled' then 'no new event or answer'
    when standing = 'unknown' then 'unknown status from the service: ' || coalesce(nullif(status, ''), 'none')
    when standing = 'not_pulled' then 'the service does not pull this resource of the connection'
    when standing = 'announced' then 'this provider announces the end before any data arrives'
    when standing = 'not_reported' then 'the service never reports on this resource of this provider'
    when perhaps_completed_at is not null then 'one of several pulls has ended; the service does not say yet which one'
    when retrying_since is not null then 'trying again'
    when state = 'expected' then 'connected'
    else state
  end as reason,
  case
    when standing = 'failed' and error_class = 'retriable' then 'trigger the pull again'
    when standing = 'failed' then 'ask the user to connect again, or the service for the reason, by its trace id'
    when standing = 'retrying' and error_class = 'final' then 'wait: the service tries again, although the error says that it does not'
    when standing = 'retrying' then 'wait: the service tries again by itself'
    when standing = 'stalled' and broken_at is not null then 'ask the user to connect again'
    when standing = 'stalled' then 'trigger the pull again, or ask the service'
    when standing = 'not_pulled' then 'ask the user for the permissions that the resource needs'
    when standing = 'announced' then 'expect the data as daily events'
    when standing = 'not_reported' then 'judge by the data that has arrived'
    when standing = 'unknown' then 'look up the status; a newer version of Aorta may know it'
    when standing = 'gone' then 'nothing, or erase the user: aorta status says what is due'
  end as what_to_do,
  state, status, error_details, error_class, scheduled_at, range_start, range_end, days_with_data, provisional,
  knows_retrying, broken_at, contradicted_at, as_of, case when gone then false else coalesce(stale_at < current_timestamp, true) end as stale,
  trace_id, _loaded_at, answer_loaded_at
from (
  select
    t.b.scheduled_at, t.b.range_start, t.b.range_end, t.b.state, t.b.since, t.b.retrying_since, t.b.status, t.b.error_details, t.b.error_class, t.b.days_with_data, t.b.provisional, t.b.perhaps_completed_at, t.b.broken_at, t.b.contradicted_at, t.b.knows_retrying, t.b.service_since, t.b.service_retrying_since, t.b.trace_id,
    t.user_id, t.provider, t.resource, t._loaded_at, p._loaded_at as answer_loaded_at, p._received_at as as_of, p.stale_at, p.gone,
    case
      when t.b.state = 'success' then 'complete'
      when p.gone then 'gone'
      when t.b.state = 'failure' then 'failed'
      when t.b.state = 'unknown' then 'unknown'
      when t.b.state = 'expected' and t.b.announced_at is not null then 'announced'
      when t.b.state = 'expected' and t.b.not_pulled_at is not null then 'not_pulled'
      when t.b.state = 'expected' and not t.b.reports then 'not_reported'
      when t.b.broken_at is not null then 'stalled'
      when t.b.state = 'retrying' then 'retrying'
      when timestamp_diff(coalesce(p._received_at, current_timestamp), t.b.since, microsecond) / 1000000.0 > coalesce(p.stalled_after_s, 86400) then 'stalled'
      else 'in_motion'
    end as standing
  from (
    select user_id, provider, resource, _loaded_at, pulls[safe_ordinal(array_length(pulls))] as b
    from `my-project.health.historical_pull_tracks`
  ) t
  left join `my-project.health.introspection_polls` p on p.user_id = t.user_id
) standings
union all
-- The service pulls no such resource, and nothing else was ever heard of one.
select
  user_id, provider, resource, 'not_pulled', told_at, 'the service does not pull this resource of the connection', 'ask the user for the permissions that the resource needs',
  'expected', null, null, null, null, null, null, null, false,
  null, null, null, told_at, coalesce(stale_at < current_timestamp, true),
  null, null, answer_loaded_at
from (
  select distinct n.user_id, n.provider, n.resource, p._received_at as told_at, p.stale_at, p._loaded_at as answer_loaded_at
  from `my-project.health.introspection_polls_not_pulled` n
  join `my-project.health.introspection_polls` p on p.user_id = n.user_id
  left join `my-project.health.historical_pull_tracks` t
    on t.user_id = n.user_id and t.provider = n.provider and t.resource = n.resource
  where t.user_id is null
) never_pulled;
