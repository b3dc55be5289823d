create schema if not exists aorta;

create schema if not exists landed;

create table if not exists aorta.format (format integer not null);

create table if not exists aorta.positions (stream varchar not null, incarnation varchar not null, position bigint not null, partition integer default 0);

create table if not exists aorta.batches (
  id bigint not null, stream varchar not null, incarnation varchar not null, first bigint not null, last bigint not null,
  landed_at timestamptz not null, next_no bigint not null, received_days integer[] not null,
  recent_days integer[] not null, recent_rows bigint not null, recent_merged boolean not null,
  old_days integer[] not null, old_rows bigint not null, old_merged boolean not null,
  sample_columns varchar[] not null, partition integer, records bigint
);

alter table aorta.positions add column if not exists partition integer default 0;

alter table aorta.batches add column if not exists partition integer;

alter table aorta.batches add column if not exists records bigint;

create table if not exists aorta.suppressed (user_hash varchar not null, suppressed_at timestamptz not null);

create table if not exists aorta.suppression_key (key varchar not null);

create table if not exists aorta.series (id integer not null, user_id varchar not null, resource varchar not null, provider varchar not null, source_type varchar not null, sample_type varchar not null, source_workout_id varchar not null);

create table activity (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  provider varchar not null,
  source_type varchar not null,
  source_app_id varchar,
  source_device_id varchar,
  source_sport varchar,
  source_workout_id varchar,
  source_name varchar,
  source_logo varchar,
  id varchar not null,
  data_user_id varchar,
  date_at timestamptz,
  calendar_date date,
  calories_total_kcal double,
  calories_active_kcal double,
  steps bigint,
  daily_movement_m double,
  distance_m double,
  low_min double,
  medium_min double,
  high_min double,
  floors_climbed bigint,
  time_zone varchar,
  timezone_offset_s bigint,
  heart_rate_avg_bpm double,
  heart_rate_min_bpm double,
  heart_rate_max_bpm double,
  heart_rate_resting_bpm double,
  heart_rate_avg_walking_bpm double,
  wheelchair_use boolean,
  wheelchair_push bigint,
  created_at timestamptz,
  updated_at timestamptz,
  extra json,
  _version_time timestamptz not null,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _loaded_at timestamptz not null
);

create table backfills (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  provider varchar not null,
  resource varchar not null,
  from_day varchar not null,
  to_day varchar not null,
  objects bigint,
  finished_at timestamptz,
  extra json,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _loaded_at timestamptz not null
);

create table aorta.blood_pressure_events (
  id bigint not null,
  event_type varchar,
  team_id varchar,
  client_user_id varchar,
  source_app_id varchar,
  source_device_id varchar,
  source_sport varchar,
  source_workout_id varchar,
  source_name varchar,
  source_logo varchar,
  time_basis varchar,
  data_user_id varchar,
  data_source_id bigint,
  legacy_provider json,
  grouping json,
  sample_type varchar,
  unit varchar,
  sample_extra json,
  extra json,
  _loaded_at timestamptz not null
);

create table aorta.blood_pressure_samples (
  series integer not null,
  event bigint not null,
  start_at timestamptz not null,
  timezone_offset_s bigint,
  systolic_mmhg double,
  diastolic_mmhg double,
  sample_id bigint,
  _day date not null,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null
);

create table body (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  provider varchar not null,
  source_type varchar not null,
  source_app_id varchar,
  source_device_id varchar,
  source_sport varchar,
  source_workout_id varchar,
  source_name varchar,
  source_logo varchar,
  id varchar not null,
  data_user_id varchar,
  date_at timestamptz,
  calendar_date date,
  weight_kg double,
  fat_pct double,
  water_pct double,
  muscle_mass_pct double,
  visceral_fat_index double,
  bone_mass_pct double,
  body_mass_index double,
  lean_body_mass_kg double,
  waist_circumference_cm double,
  created_at timestamptz,
  updated_at timestamptz,
  extra json,
  _version_time timestamptz not null,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _loaded_at timestamptz not null
);

create table connection_events (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  provider varchar not null,
  provider_name varchar,
  provider_logo varchar,
  data_user_id varchar,
  resource_availability json,
  legacy_source json,
  message varchar,
  error_type varchar,
  error_details varchar,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _source varchar,
  _body_bytes bigint,
  _body_crc32 bigint,
  _loaded_at timestamptz not null
);

create table continuous_query_results (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  changes struct(query_id varchar, query_slug varchar, result_columns json)[] not null default ([]),
  extra json,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _source varchar,
  _body_bytes bigint,
  _body_crc32 bigint,
  _loaded_at timestamptz not null
);

create table delivery_failures (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  message_id varchar,
  message_event_id varchar,
  endpoint_id varchar,
  app_id varchar,
  app_uid varchar,
  last_attempt_id varchar,
  last_attempt_at timestamptz,
  last_attempt_status_code bigint,
  extra json,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _source varchar,
  _body_bytes bigint,
  _body_crc32 bigint,
  _loaded_at timestamptz not null
);

create table devices (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  id varchar not null,
  data_user_id varchar,
  provider varchar,
  source_type varchar,
  app_id varchar,
  device_manufacturer varchar,
  device_model varchar,
  device_version varchar,
  _version_time timestamptz not null,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _loaded_at timestamptz not null
);

create table electrocardiogram (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  provider varchar not null,
  source_type varchar not null,
  source_app_id varchar,
  source_device_id varchar,
  source_sport varchar,
  source_workout_id varchar,
  source_name varchar,
  source_logo varchar,
  id varchar not null,
  data_user_id varchar,
  session_start timestamptz,
  session_end timestamptz,
  voltage_sample_count bigint,
  heart_rate_mean_bpm double,
  sampling_frequency_hz double,
  classification varchar,
  inconclusive_cause varchar,
  algorithm_version varchar,
  time_zone varchar,
  data_source_provider varchar,
  data_source_type varchar,
  data_source_app_id varchar,
  data_source_device_id varchar,
  source_device_model varchar,
  created_at timestamptz,
  updated_at timestamptz,
  extra json,
  _version_time timestamptz not null,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _loaded_at timestamptz not null
);

create table historical_completions (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  resource varchar not null,
  provider varchar not null,
  data_user_id varchar,
  range_start timestamptz,
  range_end timestamptz,
  is_final boolean,
  extra json,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _source varchar,
  _body_bytes bigint,
  _body_crc32 bigint,
  _loaded_at timestamptz not null
);

create table historical_pull_tracks (
  user_id varchar not null,
  provider varchar not null,
  resource varchar not null,
  pulls struct(is_present boolean, scheduled_at timestamptz, range_start timestamptz, range_end timestamptz, state varchar, since timestamptz, retrying_since timestamptz, status varchar, error_details varchar, error_class varchar, expected_at timestamptz, started_at timestamptz, ended_at timestamptz, days_with_data bigint, provisional boolean, perhaps_completed_at timestamptz, announced_at timestamptz, broken_at timestamptz, not_pulled_at timestamptz, contradicted_at timestamptz, knows_retrying boolean, reports boolean, service_since timestamptz, service_retrying_since timestamptz, trace_id varchar)[] not null default ([]),
  changes struct(scheduled_at timestamptz, range_start timestamptz, range_end timestamptz, changed_at timestamptz, from_state varchar, to_state varchar, event varchar, status varchar, error_details varchar)[] not null default ([]),
  evidence struct(evidence_at timestamptz, kind varchar, scheduled_at timestamptz, range_start timestamptz, range_end timestamptz, status varchar, started_at timestamptz, ended_at timestamptz, days_with_data bigint, error_details varchar)[] not null default ([]),
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _loaded_at timestamptz not null
);

create table introspection_polls (
  user_id varchar not null,
  gone boolean not null,
  stale_at timestamptz not null,
  stalled_after_s bigint not null,
  pulls struct(provider varchar, resource varchar, status varchar, range_start timestamptz, range_end timestamptz, scheduled_at timestamptz, started_at timestamptz, ended_at timestamptz, days_with_data bigint, error_details varchar, release varchar, trace_id varchar, extra json)[] not null default ([]),
  not_pulled struct(provider varchar, resource varchar)[] not null default ([]),
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _loaded_at timestamptz not null
);

create table lab_appointments (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  id varchar not null,
  data_user_id varchar,
  order_id varchar,
  order_transaction_id varchar,
  appointment_type varchar,
  provider varchar,
  provider_id varchar,
  external_id varchar,
  status varchar,
  event_status varchar,
  event_data json,
  events struct(created_at timestamptz, status varchar, data json)[] not null default ([]),
  starts_at timestamptz,
  ends_at timestamptz,
  time_zone varchar,
  can_reschedule boolean,
  longitude_deg double,
  latitude_deg double,
  appointment_notes varchar,
  _version_time timestamptz not null,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _loaded_at timestamptz not null
);

create table lab_critical_results (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  order_id varchar not null,
  sample_id varchar not null default (''),
  data_user_id varchar,
  data_team_id varchar,
  status varchar,
  interpretation varchar,
  created_at timestamptz,
  updated_at timestamptz,
  extra json,
  _version_time timestamptz not null,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _loaded_at timestamptz not null
);

create table lab_markers (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  marker_id varchar not null,
  name varchar,
  slug varchar,
  description varchar,
  lab_id bigint,
  lab_code varchar,
  marker_type varchar,
  unit varchar,
  price varchar,
  a_la_carte_enabled boolean,
  common_tat_days bigint,
  worst_case_tat_days bigint,
  is_orderable boolean,
  aoe json,
  expected_results json,
  extra json,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _loaded_at timestamptz not null
);

create table lab_match_reviews (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  id varchar not null,
  status varchar,
  decision_code varchar,
  sub_reason_codes varchar[] not null default ([]),
  resolution_action varchar,
  resolved_user_id varchar,
  resolved_order_id varchar,
  extra json,
  _version_time timestamptz not null,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _loaded_at timestamptz not null
);

create table lab_orders (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  id varchar not null,
  data_user_id varchar,
  data_team_id varchar,
  sample_id varchar,
  status varchar,
  last_event_id bigint,
  last_event_at timestamptz,
  last_event_status varchar,
  last_event_status_detail varchar,
  events struct(event_id bigint, created_at timestamptz, status varchar, status_detail varchar)[] not null default ([]),
  lab_test_id varchar,
  lab_test_slug varchar,
  lab_test_name varchar,
  lab_test_sample_type varchar,
  lab_test_method varchar,
  lab_test_price double,
  lab_test_is_active boolean,
  lab_test_status varchar,
  lab_test_fasting boolean,
  lab_test_is_delegated boolean,
  lab_test_auto_generated boolean,
  lab_test_has_collection_instructions boolean,
  lab_test_common_tat_days bigint,
  lab_test_worst_case_tat_days bigint,
  lab_test_markers json,
  lab_id bigint,
  lab_slug varchar,
  lab_name varchar,
  lab_first_line_address varchar,
  lab_city varchar,
  lab_zipcode varchar,
  lab_collection_methods json,
  lab_sample_types json,
  lab_logo_url varchar,
  details_type varchar,
  details_id varchar,
  details_created_at timestamptz,
  details_updated_at timestamptz,
  details_appointment_id varchar,
  shipment_id varchar,
  shipment_outbound_courier varchar,
  shipment_inbound_courier varchar,
  shipment_notes varchar,
  notes varchar,
  clinical_notes varchar,
  passthrough varchar,
  priority boolean,
  activate_by date,
  billing_type varchar,
  icd_codes varchar[] not null default ([]),
  has_abn boolean,
  interpretation varchar,
  has_missing_results boolean,
  expected_result_by_date date,
  worst_case_result_by_date date,
  order_origin varchar,
  order_transaction_id varchar,
  order_transaction_status varchar,
  order_transaction_orders struct(order_id varchar, low_level_status varchar, low_level_status_at timestamptz, order_origin varchar, parent_id varchar, created_at timestamptz, updated_at timestamptz)[] not null default ([]),
  created_at timestamptz,
  updated_at timestamptz,
  _version_time timestamptz not null,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _loaded_at timestamptz not null
);

create table lab_report_parsing_jobs (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  id varchar not null,
  status varchar,
  failure_reason varchar,
  needs_human_review boolean,
  is_reviewed boolean,
  patient_gender varchar,
  lab_name varchar,
  date_reported varchar,
  date_collected varchar,
  results struct(test_name varchar, value varchar, value_type varchar, units varchar, min_reference_range double, max_reference_range double, is_below_min_range boolean, is_above_max_range boolean, interpretation varchar, sample_type varchar, measurement_kind varchar, sensitivity varchar, source_panel_name varchar, loinc_match_status varchar, loinc_matches json)[] not null default ([]),
  _version_time timestamptz not null,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _loaded_at timestamptz not null
);

create table lab_results (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  order_id varchar not null,
  status varchar,
  interpretation varchar,
  date_reported varchar,
  date_collected varchar,
  date_received varchar,
  laboratory varchar,
  clia_number varchar,
  account_id varchar,
  items struct(name varchar, slug varchar, result varchar, result_type varchar, result_number double, result_sign varchar, result_low double, result_high double, legacy_value double, unit varchar, taken_at timestamptz, notes varchar, reference_range varchar, reference_low double, reference_high double, is_above_max_range boolean, is_below_min_range boolean, interpretation varchar, source_interpretation varchar, loinc varchar, loinc_slug varchar, lab_code varchar, source_markers json, performing_laboratory varchar, source_sample_id varchar)[] not null default ([]),
  missing struct(name varchar, slug varchar, inferred_failure_type varchar, note varchar, loinc varchar, loinc_slug varchar, provider_id varchar)[] not null default ([]),
  sample_information json,
  order_transaction json,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _loaded_at timestamptz not null
);

create table lab_tests (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  id varchar not null,
  name varchar,
  slug varchar,
  description varchar,
  sample_type varchar,
  method varchar,
  price double,
  is_active boolean,
  status varchar,
  fasting boolean,
  lab json,
  markers json,
  extra json,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _loaded_at timestamptz not null
);

create table meal (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  provider varchar not null,
  source_type varchar not null,
  source_app_id varchar,
  source_device_id varchar,
  source_sport varchar,
  source_workout_id varchar,
  source_name varchar,
  source_logo varchar,
  id varchar not null,
  data_user_id varchar,
  priority_id bigint,
  source_id bigint,
  provider_id varchar,
  eaten_at timestamptz,
  calendar_date date,
  meal_name varchar,
  energy_kcal double,
  energy_unit varchar,
  carbs_g double,
  protein_g double,
  fat_total_g double,
  fat_saturated_g double,
  fat_monounsaturated_g double,
  fat_polyunsaturated_g double,
  fat_omega3_g double,
  fat_omega6_g double,
  alcohol_g double,
  water_g double,
  fibre_g double,
  sugar_g double,
  cholesterol_g double,
  minerals json,
  trace_elements json,
  vitamins json,
  data_source_app_id varchar,
  data_source_device_id varchar,
  foods json,
  created_at timestamptz,
  updated_at timestamptz,
  extra json,
  _version_time timestamptz not null,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _loaded_at timestamptz not null
);

create table menstrual_cycle (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  provider varchar not null,
  source_type varchar not null,
  source_app_id varchar,
  source_device_id varchar,
  source_sport varchar,
  source_workout_id varchar,
  source_name varchar,
  source_logo varchar,
  id varchar not null,
  data_user_id varchar,
  period_start date,
  period_end date,
  cycle_end date,
  is_predicted boolean,
  menstrual_flow struct(calendar_date date, flow varchar)[] not null default ([]),
  cervical_mucus struct(calendar_date date, quality varchar)[] not null default ([]),
  intermenstrual_bleeding struct(calendar_date date)[] not null default ([]),
  contraceptive struct(calendar_date date, contraceptive_type varchar)[] not null default ([]),
  detected_deviations struct(calendar_date date, deviation varchar)[] not null default ([]),
  ovulation_test struct(calendar_date date, test_result varchar)[] not null default ([]),
  home_pregnancy_test struct(calendar_date date, test_result varchar)[] not null default ([]),
  home_progesterone_test struct(calendar_date date, test_result varchar)[] not null default ([]),
  sexual_activity struct(calendar_date date, protection_used boolean)[] not null default ([]),
  basal_body_temperature struct(calendar_date date, temperature_c double)[] not null default ([]),
  data_source_provider varchar,
  data_source_type varchar,
  data_source_app_id varchar,
  data_source_device_id varchar,
  created_at timestamptz,
  updated_at timestamptz,
  extra json,
  _version_time timestamptz not null,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _loaded_at timestamptz not null
);

create table aorta.notes_events (
  id bigint not null,
  event_type varchar,
  team_id varchar,
  client_user_id varchar,
  source_app_id varchar,
  source_device_id varchar,
  source_sport varchar,
  source_workout_id varchar,
  source_name varchar,
  source_logo varchar,
  time_basis varchar,
  data_user_id varchar,
  data_source_id bigint,
  legacy_provider json,
  text varchar,
  tags json,
  sample_type varchar,
  unit varchar,
  sample_extra json,
  extra json,
  _loaded_at timestamptz not null
);

create table aorta.notes_samples (
  series integer not null,
  event bigint not null,
  start_at timestamptz not null,
  timezone_offset_s bigint,
  end_at timestamptz,
  sample_id bigint,
  _day date not null,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null
);

create table profile (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  provider varchar not null,
  source_type varchar not null,
  source_app_id varchar,
  source_device_id varchar,
  source_sport varchar,
  source_workout_id varchar,
  source_name varchar,
  source_logo varchar,
  id varchar not null,
  data_user_id varchar,
  height_cm double,
  wheelchair_use boolean,
  gender varchar,
  sex varchar,
  created_at timestamptz,
  updated_at timestamptz,
  _version_time timestamptz not null,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _loaded_at timestamptz not null
);

create table raw_events (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  provider varchar not null,
  dataset varchar not null,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _source varchar,
  _body_bytes bigint,
  _body_crc32 bigint,
  _loaded_at timestamptz not null
);

create table sent_resources (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  provider varchar not null,
  resource varchar not null,
  sent_count bigint,
  oldest_data timestamptz,
  newest_data timestamptz,
  last_attempt_at timestamptz,
  last_attempt_status varchar,
  extra json,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _loaded_at timestamptz not null
);

create table sleep (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  provider varchar not null,
  source_type varchar not null,
  source_app_id varchar,
  source_device_id varchar,
  source_sport varchar,
  source_workout_id varchar,
  source_name varchar,
  source_logo varchar,
  id varchar not null,
  data_user_id varchar,
  date_at timestamptz,
  calendar_date date,
  bedtime_start timestamptz,
  bedtime_stop timestamptz,
  sleep_type varchar,
  timezone_offset_s bigint,
  duration_s bigint,
  total_s bigint,
  awake_s bigint,
  light_s bigint,
  rem_s bigint,
  deep_s bigint,
  score bigint,
  recovery_readiness_score bigint,
  hr_lowest_bpm bigint,
  hr_average_bpm bigint,
  hr_resting_bpm bigint,
  efficiency double,
  latency_s bigint,
  temperature_delta_c double,
  skin_temperature_c double,
  hr_dip_pct double,
  state varchar,
  average_hrv_ms double,
  respiratory_rate_per_min double,
  sleep_stream json,
  created_at timestamptz,
  updated_at timestamptz,
  extra json,
  _version_time timestamptz not null,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _loaded_at timestamptz not null
);

create table sleep_cycle (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  provider varchar not null,
  source_type varchar not null,
  source_app_id varchar,
  source_device_id varchar,
  source_sport varchar,
  source_workout_id varchar,
  source_name varchar,
  source_logo varchar,
  id varchar not null,
  data_user_id varchar,
  sleep_id varchar,
  session_start timestamptz,
  session_end timestamptz,
  stage_start_offset_s bigint[] not null default ([]),
  stage_end_offset_s bigint[] not null default ([]),
  stage_type bigint[] not null default ([]),
  time_zone varchar,
  data_source_provider varchar,
  data_source_type varchar,
  data_source_app_id varchar,
  data_source_device_id varchar,
  created_at timestamptz,
  updated_at timestamptz,
  extra json,
  _version_time timestamptz not null,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _loaded_at timestamptz not null
);

create table aorta.timeseries_events (
  id bigint not null,
  event_type varchar,
  team_id varchar,
  client_user_id varchar,
  source_app_id varchar,
  source_device_id varchar,
  source_sport varchar,
  source_workout_id varchar,
  source_name varchar,
  source_logo varchar,
  time_basis varchar,
  data_user_id varchar,
  data_source_id bigint,
  legacy_provider json,
  sensor_location varchar,
  intensity varchar,
  delivery_mode varchar,
  delivery_form varchar,
  bolus_purpose varchar,
  sample_type varchar,
  unit varchar,
  sample_extra json,
  extra json,
  _loaded_at timestamptz not null
);

create table aorta.timeseries_samples (
  series integer not null,
  event bigint not null,
  start_at timestamptz not null,
  timezone_offset_s bigint,
  end_at timestamptz,
  value double,
  sample_id bigint,
  _day date not null,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null
);

create table user_connections (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  provider varchar not null,
  provider_name varchar,
  provider_logo varchar,
  status varchar,
  created_on timestamptz,
  error_details json,
  resource_availability json,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _loaded_at timestamptz not null
);

create table user_states (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  state varchar,
  since timestamptz,
  erase_after timestamptz,
  returned boolean,
  extra json,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _loaded_at timestamptz not null
);

create table users (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  data_team_id varchar,
  created_on timestamptz,
  fallback_time_zone_source varchar,
  fallback_time_zone_updated_at timestamptz,
  fallback_birth_date_source varchar,
  fallback_birth_date_updated_at timestamptz,
  ingestion_start date,
  ingestion_end date,
  connected_sources json,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _loaded_at timestamptz not null
);

create table workout_stream_events (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  provider varchar not null,
  source_type varchar not null,
  source_app_id varchar,
  source_device_id varchar,
  source_sport varchar,
  source_workout_id varchar,
  source_name varchar,
  source_logo varchar,
  workout_id varchar not null,
  data_user_id varchar,
  provider_id varchar,
  message varchar,
  sport_id bigint,
  sport_name varchar,
  sport_slug varchar,
  extra json,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _loaded_at timestamptz not null
);

create table workout_streams (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  workout_id varchar not null,
  points struct(time_s bigint, point_at timestamptz, heart_rate_bpm double, cadence double, altitude_m double, speed_m_s double, distance_m double, power_w double, resistance double, temperature_c double, latitude_deg double, longitude_deg double)[] not null default ([]),
  uneven boolean,
  extra json,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _loaded_at timestamptz not null
);

create table workouts (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  provider varchar not null,
  source_type varchar not null,
  source_app_id varchar,
  source_device_id varchar,
  source_sport varchar,
  source_workout_id varchar,
  source_name varchar,
  source_logo varchar,
  id varchar not null,
  data_user_id varchar,
  title varchar,
  timezone_offset_s bigint,
  calendar_date date,
  time_start timestamptz,
  time_end timestamptz,
  sport_id bigint,
  sport_name varchar,
  sport_slug varchar,
  average_hr_bpm double,
  max_hr_bpm double,
  hr_zones_s bigint[] not null default ([]),
  distance_m double,
  calories_kcal double,
  moving_time_s bigint,
  total_elevation_gain_m double,
  elev_high_m double,
  elev_low_m double,
  average_speed_m_s double,
  max_speed_m_s double,
  average_watts double,
  device_watts double,
  max_watts double,
  weighted_average_watts double,
  steps bigint,
  map_polyline varchar,
  map_summary_polyline varchar,
  provider_id varchar,
  created_at timestamptz,
  updated_at timestamptz,
  extra json,
  _version_time timestamptz not null,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _loaded_at timestamptz not null
);

create table deliveries (
  source varchar not null,
  source_partition varchar not null,
  source_offset bigint not null,
  received_at timestamptz not null,
  event_type varchar,
  delivery_id varchar,
  team_id varchar,
  user_id varchar,
  provider varchar,
  resource varchar,
  samples bigint,
  stream varchar not null,
  dead_letter_reason varchar,
  redelivered boolean not null,
  body_bytes bigint not null,
  body_crc32 bigint,
  arrived_at timestamptz,
  _reader bigint not null,
  _day date not null,
  _loaded_at timestamptz not null
);

create or replace view blood_pressure as
select
  e.event_type,
  e.team_id,
  k.user_id,
  e.client_user_id,
  k.resource,
  k.provider,
  k.source_type,
  e.source_app_id,
  e.source_device_id,
  e.source_sport,
  coalesce(e.source_workout_id, '') as source_workout_id,
  e.source_name,
  e.source_logo,
  e.time_basis,
  e.data_user_id,
  e.data_source_id,
  e.legacy_provider,
  s.start_at,
  s.timezone_offset_s,
  s.systolic_mmhg,
  s.diastolic_mmhg,
  e.grouping,
  coalesce(e.sample_type, '') as sample_type,
  e.unit,
  s.sample_id,
  e.sample_extra,
  e.extra,
  case
    when e.time_basis = 'floating' then make_timestamp(epoch_us(s.start_at))::date
    else make_timestamp(epoch_us(s.start_at) + s.timezone_offset_s * 1000000)::date
  end as local_date,
  s._day,
  s._received_at,
  s._origin,
  s._offset,
  s._reader,
  e._loaded_at
from aorta.blood_pressure_samples s
join aorta.series k on k.id = s.series
join aorta.blood_pressure_events e on e.id = s.event;

create or replace view notes as
select
  e.event_type,
  e.team_id,
  k.user_id,
  e.client_user_id,
  k.resource,
  k.provider,
  k.source_type,
  e.source_app_id,
  e.source_device_id,
  e.source_sport,
  coalesce(e.source_workout_id, '') as source_workout_id,
  e.source_name,
  e.source_logo,
  e.time_basis,
  e.data_user_id,
  e.data_source_id,
  e.legacy_provider,
  s.start_at,
  s.timezone_offset_s,
  s.end_at,
  e.text,
  e.tags,
  coalesce(e.sample_type, '') as sample_type,
  e.unit,
  s.sample_id,
  e.sample_extra,
  e.extra,
  case
    when e.time_basis = 'floating' then make_timestamp(epoch_us(s.start_at))::date
    else make_timestamp(epoch_us(s.start_at) + s.timezone_offset_s * 1000000)::date
  end as local_date,
  s._day,
  s._received_at,
  s._origin,
  s._offset,
  s._reader,
  e._loaded_at
from aorta.notes_samples s
join aorta.series k on k.id = s.series
join aorta.notes_events e on e.id = s.event;

create or replace view timeseries as
select
  e.event_type,
  e.team_id,
  k.user_id,
  e.client_user_id,
  k.resource,
  k.provider,
  k.source_type,
  e.source_app_id,
  e.source_device_id,
  e.source_sport,
  coalesce(e.source_workout_id, '') as source_workout_id,
  e.source_name,
  e.source_logo,
  e.time_basis,
  e.data_user_id,
  e.data_source_id,
  e.legacy_provider,
  s.start_at,
  s.timezone_offset_s,
  s.end_at,
  s.value,
  e.sensor_location,
  e.intensity,
  e.delivery_mode,
  e.delivery_form,
  e.bolus_purpose,
  coalesce(e.sample_type, '') as sample_type,
  e.unit,
  s.sample_id,
  e.sample_extra,
  e.extra,
  case
    when e.time_basis = 'floating' then make_timestamp(epoch_us(s.start_at))::date
    else make_timestamp(epoch_us(s.start_at) + s.timezone_offset_s * 1000000)::date
  end as local_date,
  s._day,
  s._received_at,
  s._origin,
  s._offset,
  s._reader,
  e._loaded_at
from aorta.timeseries_samples s
join aorta.series k on k.id = s.series
join aorta.timeseries_events e on e.id = s.event;

create or replace view active_energy_burned as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'kcal' then value end as active_energy_burned_kcal,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'active_energy_burned';

create or replace view afib_burden as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = '%' then value end as afib_burden_pct,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'afib_burden';

create or replace view basal_body_temperature as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = '°c' then value end as basal_body_temperature_c,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'basal_body_temperature';

create or replace view basal_energy_burned as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'kcal' then value end as basal_energy_burned_kcal,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'basal_energy_burned';

create or replace view blood_oxygen as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = '%' then value end as blood_oxygen_pct,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'blood_oxygen';

create or replace view body_mass_index as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'index' then value end as body_mass_index_index,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'body_mass_index';

create or replace view body_temperature as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  sensor_location, case when unit is null or lower(unit) = '°c' then value end as body_temperature_c,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'body_temperature';

create or replace view body_temperature_delta as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  sensor_location, case when unit is null or lower(unit) = '°c' then value end as body_temperature_delta_c,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'body_temperature_delta';

create or replace view caffeine as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'g' then value end as caffeine_g,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'caffeine';

create or replace view calories_active as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'kcal' then value end as calories_active_kcal,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'calories_active';

create or replace view calories_basal as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'kcal' then value end as calories_basal_kcal,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'calories_basal';

create or replace view carbohydrates as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'g' then value end as carbohydrates_g,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'carbohydrates';

create or replace view cholesterol as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'mmol/l' then value end as cholesterol_mmol_l,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'cholesterol';

create or replace view daylight_exposure as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'min' then value end as daylight_exposure_min,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'daylight_exposure';

create or replace view distance as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'm' then value end as distance_m,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'distance';

create or replace view distance_running_walking as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'm' then value end as distance_running_walking_m,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'distance_running_walking';

create or replace view electrocardiogram_voltage as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'mv' then value end as electrocardiogram_voltage_mv,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'electrocardiogram_voltage';

create or replace view fall as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'count' then value end as fall_count,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'fall';

create or replace view fat as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = '%' then value end as fat_pct,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'fat';

create or replace view floors_climbed as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'count' then value end as floors_climbed_count,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'floors_climbed';

create or replace view forced_expiratory_volume_1 as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'l' then value end as forced_expiratory_volume_1_l,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'forced_expiratory_volume_1';

create or replace view forced_vital_capacity as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'l' then value end as forced_vital_capacity_l,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'forced_vital_capacity';

create or replace view glucose as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'mmol/l' then value end as glucose_mmol_l,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'glucose';

create or replace view handwashing as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'count' then value end as handwashing_count,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'handwashing';

create or replace view heart_rate_alert as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'count' then value end as heart_rate_alert_count,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'heart_rate_alert';

create or replace view heart_rate_recovery_one_minute as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'count' then value end as heart_rate_recovery_one_minute_count,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'heart_rate_recovery_one_minute';

create or replace view heartrate as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'bpm' then value end as heartrate_bpm,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'heartrate';

create or replace view hrv as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'rmssd' then value end as hrv_rmssd_ms,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'hrv';

create or replace view hypnogram as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'stage' then value end as hypnogram_stage,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'hypnogram';

create or replace view ige as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'fsu' then value end as ige_fsu,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'ige';

create or replace view igg as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'fsu' then value end as igg_fsu,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'igg';

create or replace view inhaler_usage as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'count' then value end as inhaler_usage_count,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'inhaler_usage';

create or replace view insulin_injection as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  delivery_mode, delivery_form, bolus_purpose, case when unit is null or lower(unit) = 'unit' then value end as insulin_injection_unit,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'insulin_injection';

create or replace view lean_body_mass as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'kg' then value end as lean_body_mass_kg,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'lean_body_mass';

create or replace view mindfulness_minutes as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'min' then value end as mindfulness_minutes_min,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'mindfulness_minutes';

create or replace view peak_expiratory_flow_rate as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'l/min' then value end as peak_expiratory_flow_rate_l_min,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'peak_expiratory_flow_rate';

create or replace view respiratory_rate as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'bpm' then value end as respiratory_rate_per_min,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'respiratory_rate';

create or replace view sleep_apnea_alert as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'count' then value end as sleep_apnea_alert_count,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'sleep_apnea_alert';

create or replace view sleep_breathing_disturbance as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'count' then value end as sleep_breathing_disturbance_count,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'sleep_breathing_disturbance';

create or replace view stand_duration as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'min' then value end as stand_duration_min,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'stand_duration';

create or replace view stand_hour as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'count' then value end as stand_hour_count,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'stand_hour';

create or replace view steps as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'count' then value end as steps_count,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'steps';

create or replace view stress_level as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = '%' then value end as stress_level_pct,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'stress_level';

create or replace view uv_exposure as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'index' then value end as uv_exposure_index,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'uv_exposure';

create or replace view vo2_max as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'ml/kg/min' then value end as vo2_max_ml_kg_min,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'vo2_max';

create or replace view waist_circumference as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'cm' then value end as waist_circumference_cm,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'waist_circumference';

create or replace view water as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'ml' then value end as water_ml,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'water';

create or replace view weight as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'kg' then value end as weight_kg,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'weight';

create or replace view wheelchair_push as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  case when unit is null or lower(unit) = 'count' then value end as wheelchair_push_count,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'wheelchair_push';

create or replace view workout_distance as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  source_workout_id, source_sport, case when unit is null or lower(unit) = 'm' then value end as workout_distance_m,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'workout_distance';

create or replace view workout_duration as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  source_workout_id, source_sport, intensity, case when unit is null or lower(unit) = 'min' then value end as workout_duration_min,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'workout_duration';

create or replace view workout_swimming_stroke as
select
  user_id, client_user_id, team_id, provider, source_type, source_app_id, source_device_id,
  start_at,
  end_at, timezone_offset_s, local_date, time_basis, sample_type,
  source_workout_id, source_sport, case when unit is null or lower(unit) = 'count' then value end as workout_swimming_stroke_count,
  value, unit, _day, _received_at, _loaded_at
from timeseries
where resource = 'workout_swimming_stroke';

create or replace view timeseries_daily as
select
  user_id, resource, provider, source_type, sample_type,
  coalesce(local_date, make_timestamp(epoch_us(start_at))::date) as calendar_date,
  case when local_date is null then 'utc' else 'local' end as date_basis,
  unit,
  count(*) as samples,
  min(value) as value_min,
  max(value) as value_max,
  avg(value) as value_avg,
  sum(value) as value_sum,
  min(start_at) as first_at,
  max(start_at) as last_at
from timeseries
group by
  user_id, resource, provider, source_type, sample_type,
  coalesce(local_date, make_timestamp(epoch_us(start_at))::date),
  case when local_date is null then 'utc' else 'local' end,
  unit;

create or replace view latest_samples as
select
  user_id, resource, sample_type, provider, source_type, start_at, end_at, timezone_offset_s, local_date, value, unit, _received_at
from (
  select *, row_number() over (partition by user_id, resource, sample_type order by start_at desc, _received_at desc, provider, source_type, source_workout_id) as nth
  from timeseries
) numbered
where nth = 1;

create or replace view delivery_copies as
with came as (
  select source, source_partition, source_offset, received_at, user_id, event_type, stream, body_bytes, body_crc32 from deliveries where not redelivered
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
      case when came_at > lag(came_at) over (partition by key_bytes, key_crc32, key_user_id, key_event_type, key_stream order by came_at, own, source, source_partition, source_offset, received_at) + to_seconds(172800) then 1 else 0 end as starts
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
where ends_pair and came_at <= partner_at + to_seconds(172800);

create or replace view connections as
select
  user_id, provider,
  coalesce(
    arg_max(case when event_type = 'provider.connection.error' then 'error' else 'connected' end, version) filter (where event_type in ('provider.connection.created', 'provider.connection.error')),
    'connected'
  ) as status,
  max(case when event_type = 'provider.connection.created' then _received_at end) as connected_at,
  max(_received_at) as changed_at,
  arg_max(error_type, version) as error_type,
  arg_max(resource_availability, version) filter (where event_type = 'provider.connection.created') as resource_availability,
  count(case when event_type = 'provider.connection.error' then 1 end) as errors
from (
  select
    user_id, provider, event_type, error_type, resource_availability, _received_at,
    row_number() over (partition by user_id, provider order by _received_at, _origin, _offset, _reader) as version
  from (
select kept.*
from connection_events kept
left join (
with came as (
  select
  _origin, _offset, _received_at, _source as source, user_id, event_type, _received_at as received_at,
  _body_bytes as body_bytes, _body_crc32 as body_crc32
from connection_events
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
      case when came_at > lag(came_at) over (partition by key_bytes, key_crc32, key_user_id, key_event_type order by came_at, own, _origin, _offset, _received_at) + to_seconds(172800) then 1 else 0 end as starts
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
where ends_pair and came_at <= partner_at + to_seconds(172800)
) copy on copy._origin = kept._origin and copy._offset = kept._offset and copy._received_at = kept._received_at
where copy._origin is null
  ) events
) numbered
group by user_id, provider;

create or replace view meal_foods as
select
  user_id, id, provider, source_type, member_name as food_name,
  case when coalesce(member->>'$.energy.unit', 'kcal') = 'kcal' then try_cast(member->>'$.energy.value' as double) end as energy_kcal,
  try_cast(member->>'$.macros.carbs' as double) as carbs_g,
  try_cast(member->>'$.macros.protein' as double) as protein_g,
  try_cast(member->>'$.macros.fats.total' as double) as fat_total_g,
  try_cast(member->>'$.macros.fats.saturated' as double) as fat_saturated_g,
  try_cast(member->>'$.macros.fats.monounsaturated' as double) as fat_monounsaturated_g,
  try_cast(member->>'$.macros.fats.polyunsaturated' as double) as fat_polyunsaturated_g,
  try_cast(member->>'$.macros.fats.omega3' as double) as fat_omega3_g,
  try_cast(member->>'$.macros.fats.omega6' as double) as fat_omega6_g,
  try_cast(member->>'$.macros.alcohol' as double) as alcohol_g,
  try_cast(member->>'$.macros.water' as double) as water_g,
  try_cast(member->>'$.macros.fibre' as double) as fibre_g,
  try_cast(member->>'$.macros.sugar' as double) as sugar_g,
  try_cast(member->>'$.macros.cholesterol' as double) as cholesterol_g,
  member->'$.micros.minerals' as minerals,
  member->'$.micros.trace_elements' as trace_elements,
  member->'$.micros.vitamins' as vitamins
from (
  select user_id, id, provider, source_type, entry.key as member_name, entry.value as member
  from (
    select user_id, id, provider, source_type, unnest(map_entries(from_json(foods, '"MAP(VARCHAR, JSON)"'))) as entry
    from meal
  )
) eaten;

create or replace view sleep_cycle_stages as
select
  user_id, id, provider, source_type, sleep_id, ordinal,
  case stage_type
    when -1 then 'unknown' when 1 then 'deep' when 2 then 'light' when 3 then 'rem' when 4 then 'awake' when 5 then 'manual'
  end as stage,
  stage_type,
  session_start + to_seconds(start_offset_s) as start_at,
  session_start + to_seconds(end_offset_s) as end_at,
  end_offset_s - start_offset_s as duration_s
from (
  select user_id, id, provider, source_type, sleep_id, session_start, ordinal, stage_type[ordinal] as stage_type, stage_start_offset_s[ordinal] as start_offset_s, stage_end_offset_s[ordinal] as end_offset_s
  from (
  select user_id, id, provider, source_type, sleep_id, session_start, stage_type, stage_start_offset_s, stage_end_offset_s, unnest(range(1, 1 + greatest(len(stage_type), len(stage_start_offset_s), len(stage_end_offset_s)))) as ordinal
  from sleep_cycle
  ) numbered
) staged;

create or replace view workouts_hr_zones as
select user_id, id, provider, source_type, ordinal as zone, element as duration_s
from (
  select user_id, id, provider, source_type, generate_subscripts(hr_zones_s, 1) as ordinal, unnest(hr_zones_s) as element
  from workouts
) zones;

create or replace view continuous_query_results_changes as
select
  user_id, _received_at, _origin, _offset, ordinal,
  element.query_id, element.query_slug, element.result_columns
from (
  select user_id, _received_at, _origin, _offset, generate_subscripts(changes, 1) as ordinal, unnest(changes) as element
  from (
select kept.*
from continuous_query_results kept
left join (
with came as (
  select
  _origin, _offset, _received_at, _source as source, user_id, event_type, _received_at as received_at,
  _body_bytes as body_bytes, _body_crc32 as body_crc32
from continuous_query_results
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
      case when came_at > lag(came_at) over (partition by key_bytes, key_crc32, key_user_id, key_event_type order by came_at, own, _origin, _offset, _received_at) + to_seconds(172800) then 1 else 0 end as starts
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
where ends_pair and came_at <= partner_at + to_seconds(172800)
) copy on copy._origin = kept._origin and copy._offset = kept._offset and copy._received_at = kept._received_at
where copy._origin is null
)
) listed;

create or replace view historical_pull_tracks_pulls as
select
  user_id, provider, resource, ordinal,
  element.is_present, element.scheduled_at, element.range_start, element.range_end, element.state, element.since, element.retrying_since, element.status, element.error_details, element.error_class, element.expected_at, element.started_at, element.ended_at, element.days_with_data, element.provisional, element.perhaps_completed_at, element.announced_at, element.broken_at, element.not_pulled_at, element.contradicted_at, element.knows_retrying, element.reports, element.service_since, element.service_retrying_since, element.trace_id
from (
  select user_id, provider, resource, generate_subscripts(pulls, 1) as ordinal, unnest(pulls) as element
  from historical_pull_tracks
) listed;

create or replace view historical_pull_tracks_changes as
select
  user_id, provider, resource, ordinal,
  element.scheduled_at, element.range_start, element.range_end, element.changed_at, element.from_state, element.to_state, element.event, element.status, element.error_details
from (
  select user_id, provider, resource, generate_subscripts(changes, 1) as ordinal, unnest(changes) as element
  from historical_pull_tracks
) listed;

create or replace view historical_pull_tracks_evidence as
select
  user_id, provider, resource, ordinal,
  element.evidence_at, element.kind, element.scheduled_at, element.range_start, element.range_end, element.status, element.started_at, element.ended_at, element.days_with_data, element.error_details
from (
  select user_id, provider, resource, generate_subscripts(evidence, 1) as ordinal, unnest(evidence) as element
  from historical_pull_tracks
) listed;

create or replace view introspection_polls_pulls as
select
  user_id, ordinal,
  element.provider, element.resource, element.status, element.range_start, element.range_end, element.scheduled_at, element.started_at, element.ended_at, element.days_with_data, element.error_details, element.release, element.trace_id, element.extra
from (
  select user_id, generate_subscripts(pulls, 1) as ordinal, unnest(pulls) as element
  from introspection_polls
) listed;

create or replace view introspection_polls_not_pulled as
select
  user_id, ordinal,
  element.provider, element.resource
from (
  select user_id, generate_subscripts(not_pulled, 1) as ordinal, unnest(not_pulled) as element
  from introspection_polls
) listed;

create or replace view lab_appointments_events as
select
  user_id, id, provider, ordinal,
  element.created_at, element.status, element.data
from (
  select user_id, id, provider, generate_subscripts(events, 1) as ordinal, unnest(events) as element
  from lab_appointments
) listed;

create or replace view lab_orders_events as
select
  user_id, id, ordinal,
  element.event_id, element.created_at, element.status, element.status_detail
from (
  select user_id, id, generate_subscripts(events, 1) as ordinal, unnest(events) as element
  from lab_orders
) listed;

create or replace view lab_orders_order_transaction_orders as
select
  user_id, id, ordinal,
  element.order_id, element.low_level_status, element.low_level_status_at, element.order_origin, element.parent_id, element.created_at, element.updated_at
from (
  select user_id, id, generate_subscripts(order_transaction_orders, 1) as ordinal, unnest(order_transaction_orders) as element
  from lab_orders
) listed;

create or replace view lab_report_parsing_jobs_results as
select
  user_id, id, ordinal,
  element.test_name, element.value, element.value_type, element.units, element.min_reference_range, element.max_reference_range, element.is_below_min_range, element.is_above_max_range, element.interpretation, element.sample_type, element.measurement_kind, element.sensitivity, element.source_panel_name, element.loinc_match_status, element.loinc_matches
from (
  select user_id, id, generate_subscripts(results, 1) as ordinal, unnest(results) as element
  from lab_report_parsing_jobs
) listed;

create or replace view lab_results_items as
select
  user_id, order_id, ordinal,
  element.name, element.slug, element.result, element.result_type, element.result_number, element.result_sign, element.result_low, element.result_high, element.legacy_value, element.unit, element.taken_at, element.notes, element.reference_range, element.reference_low, element.reference_high, element.is_above_max_range, element.is_below_min_range, element.interpretation, element.source_interpretation, element.loinc, element.loinc_slug, element.lab_code, element.source_markers, element.performing_laboratory, element.source_sample_id
from (
  select user_id, order_id, generate_subscripts(items, 1) as ordinal, unnest(items) as element
  from lab_results
) listed;

create or replace view lab_results_missing as
select
  user_id, order_id, ordinal,
  element.name, element.slug, element.inferred_failure_type, element.note, element.loinc, element.loinc_slug, element.provider_id
from (
  select user_id, order_id, generate_subscripts(missing, 1) as ordinal, unnest(missing) as element
  from lab_results
) listed;

create or replace view menstrual_cycle_menstrual_flow as
select
  user_id, provider, source_type, id, ordinal,
  element.calendar_date, element.flow
from (
  select user_id, provider, source_type, id, generate_subscripts(menstrual_flow, 1) as ordinal, unnest(menstrual_flow) as element
  from menstrual_cycle
) listed;

create or replace view menstrual_cycle_cervical_mucus as
select
  user_id, provider, source_type, id, ordinal,
  element.calendar_date, element.quality
from (
  select user_id, provider, source_type, id, generate_subscripts(cervical_mucus, 1) as ordinal, unnest(cervical_mucus) as element
  from menstrual_cycle
) listed;

create or replace view menstrual_cycle_intermenstrual_bleeding as
select
  user_id, provider, source_type, id, ordinal,
  element.calendar_date
from (
  select user_id, provider, source_type, id, generate_subscripts(intermenstrual_bleeding, 1) as ordinal, unnest(intermenstrual_bleeding) as element
  from menstrual_cycle
) listed;

create or replace view menstrual_cycle_contraceptive as
select
  user_id, provider, source_type, id, ordinal,
  element.calendar_date, element.contraceptive_type
from (
  select user_id, provider, source_type, id, generate_subscripts(contraceptive, 1) as ordinal, unnest(contraceptive) as element
  from menstrual_cycle
) listed;

create or replace view menstrual_cycle_detected_deviations as
select
  user_id, provider, source_type, id, ordinal,
  element.calendar_date, element.deviation
from (
  select user_id, provider, source_type, id, generate_subscripts(detected_deviations, 1) as ordinal, unnest(detected_deviations) as element
  from menstrual_cycle
) listed;

create or replace view menstrual_cycle_ovulation_test as
select
  user_id, provider, source_type, id, ordinal,
  element.calendar_date, element.test_result
from (
  select user_id, provider, source_type, id, generate_subscripts(ovulation_test, 1) as ordinal, unnest(ovulation_test) as element
  from menstrual_cycle
) listed;

create or replace view menstrual_cycle_home_pregnancy_test as
select
  user_id, provider, source_type, id, ordinal,
  element.calendar_date, element.test_result
from (
  select user_id, provider, source_type, id, generate_subscripts(home_pregnancy_test, 1) as ordinal, unnest(home_pregnancy_test) as element
  from menstrual_cycle
) listed;

create or replace view menstrual_cycle_home_progesterone_test as
select
  user_id, provider, source_type, id, ordinal,
  element.calendar_date, element.test_result
from (
  select user_id, provider, source_type, id, generate_subscripts(home_progesterone_test, 1) as ordinal, unnest(home_progesterone_test) as element
  from menstrual_cycle
) listed;

create or replace view menstrual_cycle_sexual_activity as
select
  user_id, provider, source_type, id, ordinal,
  element.calendar_date, element.protection_used
from (
  select user_id, provider, source_type, id, generate_subscripts(sexual_activity, 1) as ordinal, unnest(sexual_activity) as element
  from menstrual_cycle
) listed;

create or replace view menstrual_cycle_basal_body_temperature as
select
  user_id, provider, source_type, id, ordinal,
  element.calendar_date, element.temperature_c
from (
  select user_id, provider, source_type, id, generate_subscripts(basal_body_temperature, 1) as ordinal, unnest(basal_body_temperature) as element
  from menstrual_cycle
) listed;

create or replace view workout_streams_points as
select
  user_id, workout_id, ordinal,
  element.time_s, element.point_at, element.heart_rate_bpm, element.cadence, element.altitude_m, element.speed_m_s, element.distance_m, element.power_w, element.resistance, element.temperature_c, element.latitude_deg, element.longitude_deg
from (
  select user_id, workout_id, generate_subscripts(points, 1) as ordinal, unnest(points) as element
  from workout_streams
) listed;

create or replace view lab_order_progress as
select
  user_id, id as order_id, lab_name, lab_test_name, sample_id,
  last_event_status as status,
  nullif(split_part(coalesce(last_event_status, o.status), '.', 1), '') as high_level,
  nullif(split_part(coalesce(last_event_status, o.status), '.', 2), '') as modality,
  nullif(split_part(coalesce(last_event_status, o.status), '.', 3), '') as low_level,
  last_event_status_detail as status_detail, last_event_at as since,
  interpretation, has_missing_results, expected_result_by_date, worst_case_result_by_date, created_at, updated_at
from lab_orders o;

create or replace view lab_order_history as
select
  user_id, id as order_id, event_id, status,
  nullif(split_part(status, '.', 1), '') as high_level,
  nullif(split_part(status, '.', 2), '') as modality,
  nullif(split_part(status, '.', 3), '') as low_level,
  status_detail, created_at as began_at, lead(created_at) over (partition by id order by created_at, ordinal) as ended_at
from lab_orders_events;

create or replace view continuous_query_rows as
select
  user_id, query_id, query_slug, ordinal as row_number,
  object as "row",
  _received_at, _origin, _offset
from (
  select
    user_id, query_id, query_slug, _received_at, _origin, _offset, n as ordinal,
    to_json(map_from_entries(list_transform(map_entries(lists), lambda entry: {k: entry.key, v: entry.value[n]}))) as object
  from (
    select user_id, query_id, query_slug, _received_at, _origin, _offset, from_json(result_columns, '"MAP(VARCHAR, JSON[])"') as lists
    from continuous_query_results_changes
  ), lateral (
    select unnest(range(1, 1 + coalesce(list_max(list_transform(map_values(lists), lambda one: len(one))), 0))) as n
  )
) changed;

create or replace view person_days as
with
activity_days as (
  select user_id, calendar_date as calendar_date, max(steps) as steps, max(distance_m) as distance_m, max(calories_active_kcal) as calories_active_kcal, max(calories_total_kcal) as calories_total_kcal, max(floors_climbed) as floors_climbed, avg(heart_rate_resting_bpm) as heart_rate_resting_bpm
  from activity
  where calendar_date is not null
  group by user_id, calendar_date
),
sleep_days as (
  select user_id, calendar_date as calendar_date, max(total_s) as sleep_total_s, max(deep_s) as sleep_deep_s, max(rem_s) as sleep_rem_s, max(awake_s) as sleep_awake_s, avg(efficiency) as sleep_efficiency, avg(average_hrv_ms) as sleep_hrv_avg_ms, avg(respiratory_rate_per_min) as sleep_respiratory_rate_per_min
  from sleep
  where calendar_date is not null
  group by user_id, calendar_date
),
body_days as (
  select user_id, calendar_date as calendar_date, avg(weight_kg) as weight_kg, avg(fat_pct) as fat_pct
  from body
  where calendar_date is not null
  group by user_id, calendar_date
),
workouts_days as (
  select user_id, calendar_date as calendar_date, count(*) as workouts, max(distance_m) as workouts_distance_m, max(calories_kcal) as workouts_calories_kcal
  from workouts
  where calendar_date is not null
  group by user_id, calendar_date
),
sampled_days as (
  select user_id, local_date as calendar_date, min(case when resource = 'heartrate' then value end) as heartrate_min_bpm, avg(case when resource = 'heartrate' then value end) as heartrate_avg_bpm, max(case when resource = 'heartrate' then value end) as heartrate_max_bpm, avg(case when resource = 'glucose' and lower(unit) = 'mmol/l' then value end) as glucose_avg_mmol_l, avg(case when resource = 'blood_oxygen' then value end) as blood_oxygen_avg_pct, count(*) as samples
  from timeseries
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

create or replace view freshness as
select
  event_type, provider,
  count(*) as deliveries,
  count(distinct user_id) as users,
  min(received_at) as first_received_at,
  max(received_at) as last_received_at,
  max(_loaded_at) as last_loaded_at,
  (epoch_us(current_timestamp) - epoch_us(max(received_at))) / 1000000.0 as age_s
from (
select kept.*
from deliveries kept
left join (
select * from delivery_copies
) copy on copy.source = kept.source and copy.source_partition = kept.source_partition and copy.source_offset = kept.source_offset and copy.received_at = kept.received_at
where copy.source is null
) once
where not redelivered
group by event_type, provider;

create or replace view event_volume as
select
  make_timestamp(epoch_us(received_at))::date as received_date,
  event_type, provider, stream,
  count(*) as deliveries,
  count(distinct user_id) as users,
  coalesce(sum(samples), 0) as samples,
  sum(body_bytes) as body_bytes,
  count(case when redelivered then 1 end) as redelivered,
  count(dead_letter_reason) as dead_letters
from (
select kept.*
from deliveries kept
left join (
select * from delivery_copies
) copy on copy.source = kept.source and copy.source_partition = kept.source_partition and copy.source_offset = kept.source_offset and copy.received_at = kept.received_at
where copy.source is null
) once
group by make_timestamp(epoch_us(received_at))::date, event_type, provider, stream;

create or replace view completeness as
with arrived as (
  select
    user_id, event_type, delivery, provider, resource, min(received_at) as received_at, max(objects) as objects,
    min(source) as source, min(body_bytes) as body_bytes, min(body_crc32) as body_crc32
  from (
    select
      user_id, provider, received_at, event_type, source, body_bytes, body_crc32,
      case when event_type like 'daily.data.%' then nullif(split_part(event_type, '.', 3), '') else nullif(split_part(event_type, '.', 2), '') end as resource,
      coalesce(delivery_id, source || ' ' || source_partition || ' ' || cast(source_offset as string)) as delivery,
      coalesce(samples, 1) as objects
    from deliveries
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
      case when came_at > lag(came_at) over (partition by key_bytes, key_crc32, key_user_id, key_event_type order by came_at, own, user_id, event_type, delivery) + to_seconds(172800) then 1 else 0 end as starts
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
where ends_pair and came_at <= partner_at + to_seconds(172800)
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
    from backfills b
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
    from sent_resources
  ) s
  left join received r on r.user_id = s.user_id and r.provider = s.provider and r.resource = s.event_resource
  left join backfilled b on b.user_id = s.user_id and b.provider = s.provider and b.resource = s.event_resource
) compared;

create or replace view historical_pulls as
select * from historical_pull_tracks_pulls;

create or replace view historical_pull_changes as
select * from historical_pull_tracks_changes;

create or replace view historical_pull_evidence as
select * from historical_pull_tracks_evidence;

create or replace view historical_pull_board as
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
      when (epoch_us(coalesce(p._received_at, current_timestamp)) - epoch_us(t.b.since)) / 1000000.0 > coalesce(p.stalled_after_s, 86400) then 'stalled'
      else 'in_motion'
    end as standing
  from (
    select user_id, provider, resource, _loaded_at, pulls[len(pulls)] as b
    from historical_pull_tracks
  ) t
  left join introspection_polls p on p.user_id = t.user_id
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
  from introspection_polls_not_pulled n
  join introspection_polls p on p.user_id = n.user_id
  left join historical_pull_tracks t
    on t.user_id = n.user_id and t.provider = n.provider and t.resource = n.resource
  where t.user_id is null
) never_pulled;
