create schema if not exists control;

create schema if not exists landed;

create schema if not exists kept;

create table if not exists control.changed_days (user_id varchar not null, day date);

create table if not exists control.changed_person_days (user_id varchar not null, local_date date not null, changed_at timestamptz not null);

create table if not exists control.day_bounds (user_id varchar not null, kind varchar not null, bound varchar not null, local_date date not null);

create table if not exists control.kept_definitions (name varchar not null, definition varchar not null);

create table if not exists control.made_schema (content varchar not null);

create table if not exists control.format (format integer not null);

create table if not exists control.positions (stream varchar not null, incarnation varchar not null, position bigint not null, partition integer default 0);

create table if not exists control.batches (
  id bigint not null, stream varchar not null, incarnation varchar not null, first bigint not null, last bigint not null,
  landed_at timestamptz not null, next_no bigint not null, received_days integer[] not null,
  recent_days integer[] not null, recent_rows bigint not null, recent_merged boolean not null,
  old_days integer[] not null, old_rows bigint not null, old_merged boolean not null,
  sample_columns varchar[] not null, partition integer, records bigint
);

create table if not exists control.suppressed (user_hash varchar not null, suppressed_at timestamptz not null);

create table if not exists control.suppression_key (key varchar not null);

create table if not exists control.series (id integer not null, user_id varchar not null, resource varchar not null, provider varchar not null, source_type varchar not null, sample_type varchar not null, source_workout_id varchar not null);

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

create table control.blood_pressure_events (
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

create table control.blood_pressure_samples (
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
  _source varchar not null,
  _body_bytes bigint not null,
  _body_crc32 bigint not null,
  _loaded_at timestamptz not null
);

create table continuous_query_results (
  event_type varchar not null,
  team_id varchar,
  user_id varchar not null,
  client_user_id varchar,
  changes struct(query_id varchar, query_slug varchar, result_columns json)[] not null default ('[]'),
  extra json,
  _received_at timestamptz not null,
  _origin bigint not null,
  _offset bigint not null,
  _reader bigint not null,
  _source varchar not null,
  _body_bytes bigint not null,
  _body_crc32 bigint not null,
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
  _source varchar not null,
  _body_bytes bigint not null,
  _body_crc32 bigint not null,
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
  _source varchar not null,
  _body_bytes bigint not null,
  _body_crc32 bigint not null,
  _loaded_at timestamptz not null
);

create table historical_pull_tracks (
  user_id varchar not null,
  provider varchar not null,
  resource varchar not null,
  stalled_after_s bigint,
  pulls struct(is_present boolean, scheduled_at timestamptz, range_start timestamptz, range_end timestamptz, state varchar, since timestamptz, progressed_at timestamptz, retrying_since timestamptz, status varchar, error_details varchar, error_class varchar, expected_at timestamptz, started_at timestamptz, ended_at timestamptz, days_with_data bigint, provisional boolean, perhaps_completed_at timestamptz, announced_at timestamptz, broken_at timestamptz, not_pulled_at timestamptz, contradicted_at timestamptz, knows_retrying boolean, reports boolean, service_since timestamptz, service_retrying_since timestamptz, trace_id varchar)[] not null default ('[]'),
  changes struct(scheduled_at timestamptz, range_start timestamptz, range_end timestamptz, changed_at timestamptz, from_state varchar, to_state varchar, event varchar, status varchar, error_details varchar)[] not null default ('[]'),
  evidence struct(evidence_at timestamptz, kind varchar, scheduled_at timestamptz, range_start timestamptz, range_end timestamptz, status varchar, started_at timestamptz, ended_at timestamptz, days_with_data bigint, error_details varchar)[] not null default ('[]'),
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
  pulls struct(provider varchar, resource varchar, status varchar, range_start timestamptz, range_end timestamptz, scheduled_at timestamptz, started_at timestamptz, ended_at timestamptz, days_with_data bigint, error_details varchar, release varchar, trace_id varchar, extra json)[] not null default ('[]'),
  not_pulled struct(provider varchar, resource varchar)[] not null default ('[]'),
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
  events struct(created_at timestamptz, status varchar, data json)[] not null default ('[]'),
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
  sub_reason_codes varchar[] not null default ('[]'),
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
  events struct(event_id bigint, created_at timestamptz, status varchar, status_detail varchar)[] not null default ('[]'),
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
  icd_codes varchar[] not null default ('[]'),
  has_abn boolean,
  interpretation varchar,
  has_missing_results boolean,
  expected_result_by_date date,
  worst_case_result_by_date date,
  order_origin varchar,
  order_transaction_id varchar,
  order_transaction_status varchar,
  order_transaction_orders struct(order_id varchar, low_level_status varchar, low_level_status_at timestamptz, order_origin varchar, parent_id varchar, created_at timestamptz, updated_at timestamptz)[] not null default ('[]'),
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
  results struct(test_name varchar, value varchar, value_type varchar, units varchar, min_reference_range double, max_reference_range double, is_below_min_range boolean, is_above_max_range boolean, interpretation varchar, sample_type varchar, measurement_kind varchar, sensitivity varchar, source_panel_name varchar, loinc_match_status varchar, loinc_matches json)[] not null default ('[]'),
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
  date_reported date,
  reported_at timestamptz,
  date_collected date,
  collected_at timestamptz,
  date_received date,
  received_at timestamptz,
  laboratory varchar,
  clia_number varchar,
  account_id varchar,
  items struct(name varchar, slug varchar, result varchar, result_type varchar, result_number double, result_sign varchar, result_low double, result_high double, legacy_value double, unit varchar, taken_at timestamptz, notes varchar, reference_range varchar, reference_low double, reference_high double, is_above_max_range boolean, is_below_min_range boolean, interpretation varchar, source_interpretation varchar, loinc varchar, loinc_slug varchar, lab_code varchar, source_markers json, performing_laboratory varchar, source_sample_id varchar)[] not null default ('[]'),
  missing struct(name varchar, slug varchar, inferred_failure_type varchar, note varchar, loinc varchar, loinc_slug varchar, provider_id varchar)[] not null default ('[]'),
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
  menstrual_flow struct(calendar_date date, flow varchar)[] not null default ('[]'),
  cervical_mucus struct(calendar_date date, quality varchar)[] not null default ('[]'),
  intermenstrual_bleeding struct(calendar_date date)[] not null default ('[]'),
  contraceptive struct(calendar_date date, contraceptive_type varchar)[] not null default ('[]'),
  detected_deviations struct(calendar_date date, deviation varchar)[] not null default ('[]'),
  ovulation_test struct(calendar_date date, test_result varchar)[] not null default ('[]'),
  home_pregnancy_test struct(calendar_date date, test_result varchar)[] not null default ('[]'),
  home_progesterone_test struct(calendar_date date, test_result varchar)[] not null default ('[]'),
  sexual_activity struct(calendar_date date, protection_used boolean)[] not null default ('[]'),
  basal_body_temperature struct(calendar_date date, temperature_c double)[] not null default ('[]'),
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

create table control.notes_events (
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

create table control.notes_samples (
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
  _source varchar not null,
  _body_bytes bigint not null,
  _body_crc32 bigint not null,
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
  stage_start_offset_s bigint[] not null default ('[]'),
  stage_end_offset_s bigint[] not null default ('[]'),
  stage_type bigint[] not null default ('[]'),
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

create table control.timeseries_events (
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

create table control.timeseries_samples (
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
  fallback_time_zone varchar,
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
  points struct(time_s bigint, point_at timestamptz, heart_rate_bpm double, cadence double, altitude_m double, speed_m_s double, distance_m double, power_w double, resistance double, temperature_c double, latitude_deg double, longitude_deg double)[] not null default ('[]'),
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
  hr_zones_s bigint[] not null default ('[]'),
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
  client_user_id varchar,
  provider varchar,
  source_type varchar,
  resource varchar,
  samples bigint,
  stream varchar not null,
  dead_letter_reason varchar,
  redelivered boolean not null,
  body_bytes bigint not null,
  body_crc32 bigint not null,
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
from control.blood_pressure_samples s
join control.series k on k.id = s.series
join control.blood_pressure_events e on e.id = s.event;

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
from control.notes_samples s
join control.series k on k.id = s.series
join control.notes_events e on e.id = s.event;

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
from control.timeseries_samples s
join control.series k on k.id = s.series
join control.timeseries_events e on e.id = s.event;

create or replace view measures as
select unnest(from_json('[
{"measure":"active_energy_burned","display_name":"Active energy, former resource","kind":"additive_interval","unit":"kcal","plausible_low":0,"plausible_high":20000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"active_energy_burned","sample_type":null},
{"measure":"activity.calories_active_kcal","display_name":"Active energy, daily total","kind":"additive_interval","unit":"kcal","plausible_low":0,"plausible_high":20000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"activity","origin_column":"calories_active_kcal","resource":null,"sample_type":null},
{"measure":"activity.calories_total_kcal","display_name":"Energy, daily total","kind":"additive_interval","unit":"kcal","plausible_low":1,"plausible_high":20000,"loinc_code":"41979-6","loinc_match":"exact","loinc_name":"Calories burned in 24 hour Calculated","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"activity","origin_column":"calories_total_kcal","resource":null,"sample_type":null},
{"measure":"activity.distance_m","display_name":"Distance, daily total","kind":"additive_interval","unit":"m","plausible_low":0,"plausible_high":1100000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"activity","origin_column":"distance_m","resource":null,"sample_type":null},
{"measure":"activity.floors_climbed","display_name":"Floors climbed, daily total","kind":"additive_interval","unit":"{floors}","plausible_low":0,"plausible_high":3000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"activity","origin_column":"floors_climbed","resource":null,"sample_type":null},
{"measure":"activity.heart_rate_avg_bpm","display_name":"Heart rate, daily mean","kind":"level","unit":"/min","plausible_low":20,"plausible_high":300,"loinc_code":"8867-4","loinc_match":"broader","loinc_name":"Heart rate","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"activity","origin_column":"heart_rate_avg_bpm","resource":null,"sample_type":null},
{"measure":"activity.heart_rate_avg_walking_bpm","display_name":"Heart rate, mean while walking","kind":"level","unit":"/min","plausible_low":20,"plausible_high":300,"loinc_code":"8867-4","loinc_match":"broader","loinc_name":"Heart rate","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"activity","origin_column":"heart_rate_avg_walking_bpm","resource":null,"sample_type":null},
{"measure":"activity.heart_rate_max_bpm","display_name":"Heart rate, daily maximum","kind":"level","unit":"/min","plausible_low":20,"plausible_high":300,"loinc_code":"8873-2","loinc_match":"exact","loinc_name":"Heart rate 24 hour maximum","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"activity","origin_column":"heart_rate_max_bpm","resource":null,"sample_type":null},
{"measure":"activity.heart_rate_min_bpm","display_name":"Heart rate, daily minimum","kind":"level","unit":"/min","plausible_low":20,"plausible_high":300,"loinc_code":"8867-4","loinc_match":"broader","loinc_name":"Heart rate","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"activity","origin_column":"heart_rate_min_bpm","resource":null,"sample_type":null},
{"measure":"activity.heart_rate_resting_bpm","display_name":"Resting heart rate","kind":"level","unit":"/min","plausible_low":20,"plausible_high":300,"loinc_code":"40443-4","loinc_match":"exact","loinc_name":"Heart rate --resting","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"activity","origin_column":"heart_rate_resting_bpm","resource":null,"sample_type":null},
{"measure":"activity.high_min","display_name":"High activity, daily total","kind":"duration","unit":"min","plausible_low":0,"plausible_high":1500,"loinc_code":"101690-6","loinc_match":"exact","loinc_name":"Duration of vigorous activity","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"activity","origin_column":"high_min","resource":null,"sample_type":null},
{"measure":"activity.low_min","display_name":"Low activity, daily total","kind":"duration","unit":"min","plausible_low":0,"plausible_high":1500,"loinc_code":"101688-0","loinc_match":"exact","loinc_name":"Duration of light activity","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"activity","origin_column":"low_min","resource":null,"sample_type":null},
{"measure":"activity.medium_min","display_name":"Medium activity, daily total","kind":"duration","unit":"min","plausible_low":0,"plausible_high":1500,"loinc_code":"101689-8","loinc_match":"exact","loinc_name":"Duration of moderate activity","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"activity","origin_column":"medium_min","resource":null,"sample_type":null},
{"measure":"activity.steps","display_name":"Steps, daily total","kind":"additive_interval","unit":"{steps}","plausible_low":0,"plausible_high":250000,"loinc_code":"41950-7","loinc_match":"exact","loinc_name":"Number of steps in 24 hour Measured","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"activity","origin_column":"steps","resource":null,"sample_type":null},
{"measure":"activity.wheelchair_push","display_name":"Wheelchair pushes, daily total","kind":"additive_interval","unit":"{pushes}","plausible_low":0,"plausible_high":100000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"activity","origin_column":"wheelchair_push","resource":null,"sample_type":null},
{"measure":"afib_burden","display_name":"Time in atrial fibrillation","kind":"level","unit":"%","plausible_low":0,"plausible_high":100,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"afib_burden","sample_type":null},
{"measure":"basal_body_temperature","display_name":"Basal body temperature","kind":"level","unit":"Cel","plausible_low":30,"plausible_high":45,"loinc_code":"8310-5","loinc_match":"broader","loinc_name":"Body temperature","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"timeseries","origin_column":"value","resource":"basal_body_temperature","sample_type":null},
{"measure":"basal_energy_burned","display_name":"Basal energy, former resource","kind":"additive_interval","unit":"kcal","plausible_low":0,"plausible_high":5000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"basal_energy_burned","sample_type":null},
{"measure":"blood_oxygen","display_name":"Oxygen saturation","kind":"level","unit":"%","plausible_low":50,"plausible_high":100,"loinc_code":"59408-5","loinc_match":"exact","loinc_name":"Oxygen saturation in Arterial blood by Pulse oximetry","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"timeseries","origin_column":"value","resource":"blood_oxygen","sample_type":null},
{"measure":"blood_pressure.diastolic_mmhg","display_name":"Diastolic blood pressure","kind":"level","unit":"mm[Hg]","plausible_low":20,"plausible_high":250,"loinc_code":"8462-4","loinc_match":"exact","loinc_name":"Diastolic blood pressure","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"blood_pressure","origin_column":"diastolic_mmhg","resource":null,"sample_type":null},
{"measure":"blood_pressure.systolic_mmhg","display_name":"Systolic blood pressure","kind":"level","unit":"mm[Hg]","plausible_low":40,"plausible_high":350,"loinc_code":"8480-6","loinc_match":"exact","loinc_name":"Systolic blood pressure","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"blood_pressure","origin_column":"systolic_mmhg","resource":null,"sample_type":null},
{"measure":"body.body_mass_index","display_name":"Body mass index, daily","kind":"level","unit":"kg/m2","plausible_low":5,"plausible_high":210,"loinc_code":"39156-5","loinc_match":"exact","loinc_name":"Body mass index (BMI) [Ratio]","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"body","origin_column":"body_mass_index","resource":null,"sample_type":null},
{"measure":"body.bone_mass_pct","display_name":"Bone mass","kind":"level","unit":"%","plausible_low":0.5,"plausible_high":100,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"body","origin_column":"bone_mass_pct","resource":null,"sample_type":null},
{"measure":"body.fat_pct","display_name":"Body fat, daily","kind":"level","unit":"%","plausible_low":1,"plausible_high":80,"loinc_code":"41982-0","loinc_match":"exact","loinc_name":"Percentage of body fat Measured","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"body","origin_column":"fat_pct","resource":null,"sample_type":null},
{"measure":"body.lean_body_mass_kg","display_name":"Lean body mass, daily","kind":"level","unit":"kg","plausible_low":0.3,"plausible_high":650,"loinc_code":"91557-9","loinc_match":"exact","loinc_name":"Lean body weight","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"body","origin_column":"lean_body_mass_kg","resource":null,"sample_type":null},
{"measure":"body.muscle_mass_pct","display_name":"Muscle mass","kind":"level","unit":"%","plausible_low":0.5,"plausible_high":100,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"body","origin_column":"muscle_mass_pct","resource":null,"sample_type":null},
{"measure":"body.visceral_fat_index","display_name":"Visceral fat index","kind":"level","unit":"{index}","plausible_low":1,"plausible_high":60,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"body","origin_column":"visceral_fat_index","resource":null,"sample_type":null},
{"measure":"body.waist_circumference_cm","display_name":"Waist circumference, daily","kind":"level","unit":"cm","plausible_low":15,"plausible_high":320,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"body","origin_column":"waist_circumference_cm","resource":null,"sample_type":null},
{"measure":"body.water_pct","display_name":"Body water","kind":"level","unit":"%","plausible_low":0.5,"plausible_high":100,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"body","origin_column":"water_pct","resource":null,"sample_type":null},
{"measure":"body.weight_kg","display_name":"Body weight, daily","kind":"level","unit":"kg","plausible_low":0.3,"plausible_high":650,"loinc_code":"29463-7","loinc_match":"exact","loinc_name":"Body weight","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"body","origin_column":"weight_kg","resource":null,"sample_type":null},
{"measure":"body_mass_index","display_name":"Body mass index","kind":"level","unit":"kg/m2","plausible_low":5,"plausible_high":210,"loinc_code":"39156-5","loinc_match":"exact","loinc_name":"Body mass index (BMI) [Ratio]","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"timeseries","origin_column":"value","resource":"body_mass_index","sample_type":null},
{"measure":"body_temperature","display_name":"Body temperature","kind":"level","unit":"Cel","plausible_low":10,"plausible_high":45,"loinc_code":"8310-5","loinc_match":"exact","loinc_name":"Body temperature","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"timeseries","origin_column":"value","resource":"body_temperature","sample_type":null},
{"measure":"body_temperature_delta","display_name":"Deviation of the body temperature","kind":"level","unit":"K","plausible_low":-15,"plausible_high":15,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"body_temperature_delta","sample_type":null},
{"measure":"caffeine","display_name":"Caffeine","kind":"additive_event","unit":"g","plausible_low":0,"plausible_high":10,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"caffeine","sample_type":null},
{"measure":"calories_active","display_name":"Active energy","kind":"additive_interval","unit":"kcal","plausible_low":0,"plausible_high":20000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"calories_active","sample_type":null},
{"measure":"calories_basal","display_name":"Basal energy","kind":"additive_interval","unit":"kcal","plausible_low":0,"plausible_high":5000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"calories_basal","sample_type":null},
{"measure":"carbohydrates","display_name":"Carbohydrates","kind":"additive_event","unit":"g","plausible_low":0,"plausible_high":2000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"carbohydrates","sample_type":null},
{"measure":"cholesterol","display_name":"Lipids of another type","kind":"level","unit":"mmol/L","plausible_low":0.1,"plausible_high":120,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"cholesterol","sample_type":null},
{"measure":"cholesterol.hdl","display_name":"HDL cholesterol","kind":"level","unit":"mmol/L","plausible_low":0.1,"plausible_high":40,"loinc_code":"14646-4","loinc_match":"exact","loinc_name":"Cholesterol in HDL [Moles/volume] in Serum or Plasma","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"timeseries","origin_column":"value","resource":"cholesterol","sample_type":"cholesterol/hdl"},
{"measure":"cholesterol.ldl","display_name":"LDL cholesterol","kind":"level","unit":"mmol/L","plausible_low":0.1,"plausible_high":40,"loinc_code":"22748-8","loinc_match":"exact","loinc_name":"Cholesterol in LDL [Moles/volume] in Serum or Plasma","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"timeseries","origin_column":"value","resource":"cholesterol","sample_type":"cholesterol/ldl"},
{"measure":"cholesterol.total","display_name":"Cholesterol","kind":"level","unit":"mmol/L","plausible_low":0.1,"plausible_high":40,"loinc_code":"14647-2","loinc_match":"exact","loinc_name":"Cholesterol [Moles/volume] in Serum or Plasma","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"timeseries","origin_column":"value","resource":"cholesterol","sample_type":"cholesterol/total"},
{"measure":"cholesterol.triglycerides","display_name":"Triglycerides","kind":"level","unit":"mmol/L","plausible_low":0.1,"plausible_high":120,"loinc_code":"14927-8","loinc_match":"exact","loinc_name":"Triglyceride [Moles/volume] in Serum or Plasma","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"timeseries","origin_column":"value","resource":"cholesterol","sample_type":"cholesterol/triglycerides"},
{"measure":"daylight_exposure","display_name":"Time in daylight","kind":"duration","unit":"min","plausible_low":0,"plausible_high":1500,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"daylight_exposure","sample_type":null},
{"measure":"distance","display_name":"Distance","kind":"additive_interval","unit":"m","plausible_low":0,"plausible_high":1100000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"distance","sample_type":null},
{"measure":"distance_running_walking","display_name":"Distance, running and walking","kind":"additive_interval","unit":"m","plausible_low":0,"plausible_high":1100000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"distance_running_walking","sample_type":null},
{"measure":"electrocardiogram.heart_rate_mean_bpm","display_name":"Heart rate, mean of a recording","kind":"level","unit":"/min","plausible_low":20,"plausible_high":300,"loinc_code":"8867-4","loinc_match":"broader","loinc_name":"Heart rate","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"electrocardiogram","origin_column":"heart_rate_mean_bpm","resource":null,"sample_type":null},
{"measure":"electrocardiogram_voltage","display_name":"Electrocardiogram","kind":"level","unit":"mV","plausible_low":-10,"plausible_high":10,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"electrocardiogram_voltage","sample_type":null},
{"measure":"electrocardiogram_voltage.lead_1","display_name":"Electrocardiogram, lead I","kind":"level","unit":"mV","plausible_low":-10,"plausible_high":10,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"electrocardiogram_voltage","sample_type":"lead_1"},
{"measure":"fall","display_name":"Falls","kind":"additive_event","unit":"{events}","plausible_low":0,"plausible_high":100,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"fall","sample_type":null},
{"measure":"fat","display_name":"Body fat","kind":"level","unit":"%","plausible_low":1,"plausible_high":80,"loinc_code":"41982-0","loinc_match":"exact","loinc_name":"Percentage of body fat Measured","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"timeseries","origin_column":"value","resource":"fat","sample_type":null},
{"measure":"floors_climbed","display_name":"Floors climbed","kind":"additive_interval","unit":"{floors}","plausible_low":0,"plausible_high":3000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"floors_climbed","sample_type":null},
{"measure":"forced_expiratory_volume_1","display_name":"Forced expiratory volume in one second","kind":"level","unit":"L","plausible_low":0.1,"plausible_high":12,"loinc_code":"20150-9","loinc_match":"exact","loinc_name":"FEV1","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"timeseries","origin_column":"value","resource":"forced_expiratory_volume_1","sample_type":null},
{"measure":"forced_vital_capacity","display_name":"Forced vital capacity","kind":"level","unit":"L","plausible_low":0.1,"plausible_high":12,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"forced_vital_capacity","sample_type":null},
{"measure":"glucose","display_name":"Glucose","kind":"level","unit":"mmol/L","plausible_low":0.5,"plausible_high":60,"loinc_code":"14745-4","loinc_match":"broader","loinc_name":"Glucose [Moles/volume] in Body fluid","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"timeseries","origin_column":"value","resource":"glucose","sample_type":null},
{"measure":"handwashing","display_name":"Handwashing","kind":"additive_event","unit":"{events}","plausible_low":0,"plausible_high":500,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"handwashing","sample_type":null},
{"measure":"heart_rate_alert","display_name":"Heart rate alerts","kind":"additive_event","unit":"{events}","plausible_low":0,"plausible_high":1,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"heart_rate_alert","sample_type":null},
{"measure":"heart_rate_alert.high_heart_rate","display_name":"Alerts, high heart rate","kind":"additive_event","unit":"{events}","plausible_low":0,"plausible_high":1,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"heart_rate_alert","sample_type":"high_heart_rate"},
{"measure":"heart_rate_alert.irregular_rhythm","display_name":"Alerts, irregular rhythm","kind":"additive_event","unit":"{events}","plausible_low":0,"plausible_high":1,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"heart_rate_alert","sample_type":"irregular_rhythm"},
{"measure":"heart_rate_alert.low_heart_rate","display_name":"Alerts, low heart rate","kind":"additive_event","unit":"{events}","plausible_low":0,"plausible_high":1,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"heart_rate_alert","sample_type":"low_heart_rate"},
{"measure":"heart_rate_recovery_one_minute","display_name":"Heart rate recovery in one minute","kind":"level","unit":"/min","plausible_low":-50,"plausible_high":150,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"heart_rate_recovery_one_minute","sample_type":null},
{"measure":"heartrate","display_name":"Heart rate","kind":"level","unit":"/min","plausible_low":20,"plausible_high":300,"loinc_code":"8867-4","loinc_match":"exact","loinc_name":"Heart rate","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"timeseries","origin_column":"value","resource":"heartrate","sample_type":null},
{"measure":"hrv","display_name":"Heart rate variability (RMSSD)","kind":"level","unit":"ms","plausible_low":1,"plausible_high":500,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"hrv","sample_type":null},
{"measure":"ige","display_name":"IgE antibodies against an antigen","kind":"level","unit":"{FSU}","plausible_low":0,"plausible_high":1000000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"ige","sample_type":null},
{"measure":"igg","display_name":"IgG antibodies against an antigen","kind":"level","unit":"{FSU}","plausible_low":0,"plausible_high":1000000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"igg","sample_type":null},
{"measure":"inhaler_usage","display_name":"Uses of an inhaler","kind":"additive_event","unit":"{events}","plausible_low":0,"plausible_high":100,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"inhaler_usage","sample_type":null},
{"measure":"insulin_injection","display_name":"Insulin","kind":"additive_event","unit":"[iU]","plausible_low":0,"plausible_high":500,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"insulin_injection","sample_type":null},
{"measure":"insulin_injection.long_acting","display_name":"Long-acting insulin","kind":"additive_event","unit":"[iU]","plausible_low":0,"plausible_high":500,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"insulin_injection","sample_type":"long_acting"},
{"measure":"insulin_injection.rapid_acting","display_name":"Rapid-acting insulin","kind":"additive_event","unit":"[iU]","plausible_low":0,"plausible_high":500,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"insulin_injection","sample_type":"rapid_acting"},
{"measure":"lean_body_mass","display_name":"Lean body mass","kind":"level","unit":"kg","plausible_low":0.3,"plausible_high":650,"loinc_code":"91557-9","loinc_match":"exact","loinc_name":"Lean body weight","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"timeseries","origin_column":"value","resource":"lean_body_mass","sample_type":null},
{"measure":"meal.alcohol_g","display_name":"Alcohol of a meal","kind":"additive_event","unit":"g","plausible_low":0,"plausible_high":2000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"meal","origin_column":"alcohol_g","resource":null,"sample_type":null},
{"measure":"meal.carbs_g","display_name":"Carbohydrates of a meal","kind":"additive_event","unit":"g","plausible_low":0,"plausible_high":2000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"meal","origin_column":"carbs_g","resource":null,"sample_type":null},
{"measure":"meal.cholesterol_g","display_name":"Cholesterol of a meal","kind":"additive_event","unit":"g","plausible_low":0,"plausible_high":20,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"meal","origin_column":"cholesterol_g","resource":null,"sample_type":null},
{"measure":"meal.energy_kcal","display_name":"Energy of a meal","kind":"additive_event","unit":"kcal","plausible_low":0,"plausible_high":20000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"meal","origin_column":"energy_kcal","resource":null,"sample_type":null},
{"measure":"meal.fat_monounsaturated_g","display_name":"Monounsaturated fat of a meal","kind":"additive_event","unit":"g","plausible_low":0,"plausible_high":2000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"meal","origin_column":"fat_monounsaturated_g","resource":null,"sample_type":null},
{"measure":"meal.fat_omega3_g","display_name":"Omega-3 fatty acids of a meal","kind":"additive_event","unit":"g","plausible_low":0,"plausible_high":2000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"meal","origin_column":"fat_omega3_g","resource":null,"sample_type":null},
{"measure":"meal.fat_omega6_g","display_name":"Omega-6 fatty acids of a meal","kind":"additive_event","unit":"g","plausible_low":0,"plausible_high":2000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"meal","origin_column":"fat_omega6_g","resource":null,"sample_type":null},
{"measure":"meal.fat_polyunsaturated_g","display_name":"Polyunsaturated fat of a meal","kind":"additive_event","unit":"g","plausible_low":0,"plausible_high":2000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"meal","origin_column":"fat_polyunsaturated_g","resource":null,"sample_type":null},
{"measure":"meal.fat_saturated_g","display_name":"Saturated fat of a meal","kind":"additive_event","unit":"g","plausible_low":0,"plausible_high":2000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"meal","origin_column":"fat_saturated_g","resource":null,"sample_type":null},
{"measure":"meal.fat_total_g","display_name":"Fat of a meal","kind":"additive_event","unit":"g","plausible_low":0,"plausible_high":2000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"meal","origin_column":"fat_total_g","resource":null,"sample_type":null},
{"measure":"meal.fibre_g","display_name":"Dietary fibre of a meal","kind":"additive_event","unit":"g","plausible_low":0,"plausible_high":2000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"meal","origin_column":"fibre_g","resource":null,"sample_type":null},
{"measure":"meal.protein_g","display_name":"Protein of a meal","kind":"additive_event","unit":"g","plausible_low":0,"plausible_high":2000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"meal","origin_column":"protein_g","resource":null,"sample_type":null},
{"measure":"meal.sugar_g","display_name":"Sugar of a meal","kind":"additive_event","unit":"g","plausible_low":0,"plausible_high":2000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"meal","origin_column":"sugar_g","resource":null,"sample_type":null},
{"measure":"meal.water_g","display_name":"Water of a meal","kind":"additive_event","unit":"g","plausible_low":0,"plausible_high":20000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"meal","origin_column":"water_g","resource":null,"sample_type":null},
{"measure":"mindfulness_minutes","display_name":"Mindfulness","kind":"duration","unit":"min","plausible_low":0,"plausible_high":1500,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"mindfulness_minutes","sample_type":null},
{"measure":"peak_expiratory_flow_rate","display_name":"Peak expiratory flow","kind":"level","unit":"L/min","plausible_low":20,"plausible_high":1200,"loinc_code":"33452-4","loinc_match":"exact","loinc_name":"Maximum expiratory gas flow Respiratory system airway","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"timeseries","origin_column":"value","resource":"peak_expiratory_flow_rate","sample_type":null},
{"measure":"profile.height_cm","display_name":"Body height","kind":"level","unit":"cm","plausible_low":25,"plausible_high":280,"loinc_code":"8302-2","loinc_match":"exact","loinc_name":"Body height","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"profile","origin_column":"height_cm","resource":null,"sample_type":null},
{"measure":"respiratory_rate","display_name":"Respiratory rate","kind":"level","unit":"/min","plausible_low":2,"plausible_high":100,"loinc_code":"9279-1","loinc_match":"exact","loinc_name":"Respiratory rate","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"timeseries","origin_column":"value","resource":"respiratory_rate","sample_type":null},
{"measure":"sleep.average_hrv_ms","display_name":"Heart rate variability (RMSSD), mean of a sleep","kind":"level","unit":"ms","plausible_low":1,"plausible_high":500,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"sleep","origin_column":"average_hrv_ms","resource":null,"sample_type":null},
{"measure":"sleep.awake_s","display_name":"Time awake in bed","kind":"duration","unit":"s","plausible_low":0,"plausible_high":86400,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"sleep","origin_column":"awake_s","resource":null,"sample_type":null},
{"measure":"sleep.deep_s","display_name":"Deep sleep","kind":"duration","unit":"s","plausible_low":0,"plausible_high":86400,"loinc_code":"93831-6","loinc_match":"exact","loinc_name":"Deep sleep duration","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"sleep","origin_column":"deep_s","resource":null,"sample_type":null},
{"measure":"sleep.duration_s","display_name":"Time in bed","kind":"duration","unit":"s","plausible_low":60,"plausible_high":86400,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"sleep","origin_column":"duration_s","resource":null,"sample_type":null},
{"measure":"sleep.efficiency","display_name":"Sleep efficiency","kind":"level","unit":"1","plausible_low":0.01,"plausible_high":1,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"sleep","origin_column":"efficiency","resource":null,"sample_type":null},
{"measure":"sleep.hr_average_bpm","display_name":"Heart rate, mean of a sleep","kind":"level","unit":"/min","plausible_low":20,"plausible_high":300,"loinc_code":"8867-4","loinc_match":"broader","loinc_name":"Heart rate","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"sleep","origin_column":"hr_average_bpm","resource":null,"sample_type":null},
{"measure":"sleep.hr_dip_pct","display_name":"Dip of the heart rate","kind":"level","unit":"%","plausible_low":-50,"plausible_high":100,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"sleep","origin_column":"hr_dip_pct","resource":null,"sample_type":null},
{"measure":"sleep.hr_lowest_bpm","display_name":"Heart rate, minimum of a sleep","kind":"level","unit":"/min","plausible_low":20,"plausible_high":300,"loinc_code":"8867-4","loinc_match":"broader","loinc_name":"Heart rate","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"sleep","origin_column":"hr_lowest_bpm","resource":null,"sample_type":null},
{"measure":"sleep.hr_resting_bpm","display_name":"Resting heart rate, from a sleep","kind":"level","unit":"/min","plausible_low":20,"plausible_high":300,"loinc_code":"40443-4","loinc_match":"exact","loinc_name":"Heart rate --resting","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"sleep","origin_column":"hr_resting_bpm","resource":null,"sample_type":null},
{"measure":"sleep.latency_s","display_name":"Time to fall asleep","kind":"duration","unit":"s","plausible_low":0,"plausible_high":86400,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"sleep","origin_column":"latency_s","resource":null,"sample_type":null},
{"measure":"sleep.light_s","display_name":"Light sleep","kind":"duration","unit":"s","plausible_low":0,"plausible_high":86400,"loinc_code":"93830-8","loinc_match":"exact","loinc_name":"Light sleep duration","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"sleep","origin_column":"light_s","resource":null,"sample_type":null},
{"measure":"sleep.recovery_readiness_score","display_name":"Recovery score","kind":"level","unit":"{score}","plausible_low":1,"plausible_high":100,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"sleep","origin_column":"recovery_readiness_score","resource":null,"sample_type":null},
{"measure":"sleep.rem_s","display_name":"REM sleep","kind":"duration","unit":"s","plausible_low":0,"plausible_high":86400,"loinc_code":"93829-0","loinc_match":"exact","loinc_name":"REM sleep duration","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"sleep","origin_column":"rem_s","resource":null,"sample_type":null},
{"measure":"sleep.respiratory_rate_per_min","display_name":"Respiratory rate, mean of a sleep","kind":"level","unit":"/min","plausible_low":2,"plausible_high":100,"loinc_code":"9279-1","loinc_match":"broader","loinc_name":"Respiratory rate","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"sleep","origin_column":"respiratory_rate_per_min","resource":null,"sample_type":null},
{"measure":"sleep.score","display_name":"Sleep score","kind":"level","unit":"{score}","plausible_low":1,"plausible_high":100,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"sleep","origin_column":"score","resource":null,"sample_type":null},
{"measure":"sleep.skin_temperature_c","display_name":"Skin temperature","kind":"level","unit":"Cel","plausible_low":10,"plausible_high":45,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"sleep","origin_column":"skin_temperature_c","resource":null,"sample_type":null},
{"measure":"sleep.temperature_delta_c","display_name":"Deviation of the skin temperature","kind":"level","unit":"K","plausible_low":-15,"plausible_high":15,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"sleep","origin_column":"temperature_delta_c","resource":null,"sample_type":null},
{"measure":"sleep.total_s","display_name":"Sleep","kind":"duration","unit":"s","plausible_low":60,"plausible_high":86400,"loinc_code":"93832-4","loinc_match":"exact","loinc_name":"Sleep duration","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"sleep","origin_column":"total_s","resource":null,"sample_type":null},
{"measure":"sleep_apnea_alert","display_name":"Alerts, sleep apnea","kind":"additive_event","unit":"{events}","plausible_low":0,"plausible_high":1,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"sleep_apnea_alert","sample_type":null},
{"measure":"sleep_breathing_disturbance","display_name":"Breathing disturbances","kind":"level","unit":"{events}","plausible_low":0,"plausible_high":200,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"sleep_breathing_disturbance","sample_type":null},
{"measure":"sleep_breathing_disturbance.elevated","display_name":"Breathing disturbances, elevated","kind":"level","unit":"{events}","plausible_low":0,"plausible_high":200,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"sleep_breathing_disturbance","sample_type":"elevated"},
{"measure":"sleep_breathing_disturbance.not_elevated","display_name":"Breathing disturbances, not elevated","kind":"level","unit":"{events}","plausible_low":0,"plausible_high":200,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"sleep_breathing_disturbance","sample_type":"not_elevated"},
{"measure":"stand_duration","display_name":"Standing","kind":"duration","unit":"min","plausible_low":0,"plausible_high":1500,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"stand_duration","sample_type":null},
{"measure":"stand_hour","display_name":"Hours of the day","kind":"additive_event","unit":"{hours}","plausible_low":0,"plausible_high":25,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"stand_hour","sample_type":null},
{"measure":"stand_hour.idle","display_name":"Hours without standing","kind":"additive_event","unit":"{hours}","plausible_low":0,"plausible_high":25,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"stand_hour","sample_type":"idle"},
{"measure":"stand_hour.stood","display_name":"Hours with standing","kind":"additive_event","unit":"{hours}","plausible_low":0,"plausible_high":25,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"stand_hour","sample_type":"stood"},
{"measure":"steps","display_name":"Steps","kind":"additive_interval","unit":"{steps}","plausible_low":0,"plausible_high":250000,"loinc_code":"55423-8","loinc_match":"broader","loinc_name":"Number of steps in unspecified time Pedometer","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"timeseries","origin_column":"value","resource":"steps","sample_type":null},
{"measure":"stress_level","display_name":"Stress level","kind":"level","unit":"%","plausible_low":0,"plausible_high":100,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"stress_level","sample_type":null},
{"measure":"uv_exposure","display_name":"UV index","kind":"level","unit":"{index}","plausible_low":0,"plausible_high":45,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"uv_exposure","sample_type":null},
{"measure":"vo2_max","display_name":"Maximal oxygen consumption","kind":"level","unit":"mL/kg/min","plausible_low":5,"plausible_high":100,"loinc_code":"94122-9","loinc_match":"exact","loinc_name":"Oxygen consumption (VO2)/Body weight [Volume Rate Content] --peak during exercise","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"timeseries","origin_column":"value","resource":"vo2_max","sample_type":null},
{"measure":"waist_circumference","display_name":"Waist circumference","kind":"level","unit":"cm","plausible_low":15,"plausible_high":320,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"waist_circumference","sample_type":null},
{"measure":"water","display_name":"Water","kind":"additive_event","unit":"mL","plausible_low":0,"plausible_high":20000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"water","sample_type":null},
{"measure":"weight","display_name":"Body weight","kind":"level","unit":"kg","plausible_low":0.3,"plausible_high":650,"loinc_code":"29463-7","loinc_match":"exact","loinc_name":"Body weight","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"timeseries","origin_column":"value","resource":"weight","sample_type":null},
{"measure":"wheelchair_push","display_name":"Wheelchair pushes","kind":"additive_interval","unit":"{pushes}","plausible_low":0,"plausible_high":100000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"wheelchair_push","sample_type":null},
{"measure":"workout_distance","display_name":"Distance during a workout","kind":"additive_interval","unit":"m","plausible_low":0,"plausible_high":2000000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"workout_distance","sample_type":null},
{"measure":"workout_duration","display_name":"Workout","kind":"duration","unit":"min","plausible_low":0,"plausible_high":10000,"loinc_code":"55411-3","loinc_match":"broader","loinc_name":"Exercise duration","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"timeseries","origin_column":"value","resource":"workout_duration","sample_type":null},
{"measure":"workout_swimming_stroke","display_name":"Swimming strokes","kind":"additive_interval","unit":"{strokes}","plausible_low":0,"plausible_high":200000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"timeseries","origin_column":"value","resource":"workout_swimming_stroke","sample_type":null},
{"measure":"workouts.average_hr_bpm","display_name":"Heart rate, mean of a workout","kind":"level","unit":"/min","plausible_low":20,"plausible_high":300,"loinc_code":"8867-4","loinc_match":"broader","loinc_name":"Heart rate","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"workouts","origin_column":"average_hr_bpm","resource":null,"sample_type":null},
{"measure":"workouts.average_speed_m_s","display_name":"Speed, mean of a workout","kind":"level","unit":"m/s","plausible_low":0,"plausible_high":80,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"workouts","origin_column":"average_speed_m_s","resource":null,"sample_type":null},
{"measure":"workouts.average_watts","display_name":"Power, mean of a workout","kind":"level","unit":"W","plausible_low":0,"plausible_high":3000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"workouts","origin_column":"average_watts","resource":null,"sample_type":null},
{"measure":"workouts.calories_kcal","display_name":"Energy of a workout","kind":"additive_interval","unit":"kcal","plausible_low":0,"plausible_high":50000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"workouts","origin_column":"calories_kcal","resource":null,"sample_type":null},
{"measure":"workouts.device_watts","display_name":"Power measured by the device","kind":"level","unit":"W","plausible_low":0,"plausible_high":3000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"workouts","origin_column":"device_watts","resource":null,"sample_type":null},
{"measure":"workouts.distance_m","display_name":"Distance of a workout","kind":"additive_interval","unit":"m","plausible_low":0,"plausible_high":2000000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"workouts","origin_column":"distance_m","resource":null,"sample_type":null},
{"measure":"workouts.elev_high_m","display_name":"Highest altitude of a workout","kind":"level","unit":"m","plausible_low":-450,"plausible_high":9000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"workouts","origin_column":"elev_high_m","resource":null,"sample_type":null},
{"measure":"workouts.elev_low_m","display_name":"Lowest altitude of a workout","kind":"level","unit":"m","plausible_low":-450,"plausible_high":9000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"workouts","origin_column":"elev_low_m","resource":null,"sample_type":null},
{"measure":"workouts.max_hr_bpm","display_name":"Heart rate, maximum of a workout","kind":"level","unit":"/min","plausible_low":20,"plausible_high":300,"loinc_code":"8867-4","loinc_match":"broader","loinc_name":"Heart rate","loinc_source":"@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json","origin_table":"workouts","origin_column":"max_hr_bpm","resource":null,"sample_type":null},
{"measure":"workouts.max_speed_m_s","display_name":"Speed, maximum of a workout","kind":"level","unit":"m/s","plausible_low":0,"plausible_high":80,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"workouts","origin_column":"max_speed_m_s","resource":null,"sample_type":null},
{"measure":"workouts.max_watts","display_name":"Power, maximum of a workout","kind":"level","unit":"W","plausible_low":0,"plausible_high":3000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"workouts","origin_column":"max_watts","resource":null,"sample_type":null},
{"measure":"workouts.moving_time_s","display_name":"Moving time of a workout","kind":"duration","unit":"s","plausible_low":0,"plausible_high":600000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"workouts","origin_column":"moving_time_s","resource":null,"sample_type":null},
{"measure":"workouts.steps","display_name":"Steps of a workout","kind":"additive_interval","unit":"{steps}","plausible_low":0,"plausible_high":500000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"workouts","origin_column":"steps","resource":null,"sample_type":null},
{"measure":"workouts.total_elevation_gain_m","display_name":"Elevation gain of a workout","kind":"additive_interval","unit":"m","plausible_low":0,"plausible_high":50000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"workouts","origin_column":"total_elevation_gain_m","resource":null,"sample_type":null},
{"measure":"workouts.weighted_average_watts","display_name":"Power, weighted mean of a workout","kind":"level","unit":"W","plausible_low":0,"plausible_high":3000,"loinc_code":null,"loinc_match":"none","loinc_name":null,"loinc_source":null,"origin_table":"workouts","origin_column":"weighted_average_watts","resource":null,"sample_type":null}
]', '[{"measure":"varchar","display_name":"varchar","kind":"varchar","unit":"varchar","plausible_low":"double","plausible_high":"double","loinc_code":"varchar","loinc_match":"varchar","loinc_name":"varchar","loinc_source":"varchar","origin_table":"varchar","origin_column":"varchar","resource":"varchar","sample_type":"varchar"}]'), recursive := true);

create or replace view unit_conversions as
select unnest(from_json('[
{"measure":"active_energy_burned","unit_sent":"","minus":0,"times":1,"per":1,"unit":"kcal","plausible_low":0,"plausible_high":20000},
{"measure":"active_energy_burned","unit_sent":"kcal","minus":0,"times":1,"per":1,"unit":"kcal","plausible_low":0,"plausible_high":20000},
{"measure":"active_energy_burned","unit_sent":"kilocalorie","minus":0,"times":1,"per":1,"unit":"kcal","plausible_low":0,"plausible_high":20000},
{"measure":"active_energy_burned","unit_sent":"kilocalories","minus":0,"times":1,"per":1,"unit":"kcal","plausible_low":0,"plausible_high":20000},
{"measure":"active_energy_burned","unit_sent":"kj","minus":0,"times":1,"per":4.184,"unit":"kcal","plausible_low":0,"plausible_high":20000},
{"measure":"active_energy_burned","unit_sent":"kilojoule","minus":0,"times":1,"per":4.184,"unit":"kcal","plausible_low":0,"plausible_high":20000},
{"measure":"active_energy_burned","unit_sent":"kilojoules","minus":0,"times":1,"per":4.184,"unit":"kcal","plausible_low":0,"plausible_high":20000},
{"measure":"active_energy_burned","unit_sent":"j","minus":0,"times":1,"per":4184,"unit":"kcal","plausible_low":0,"plausible_high":20000},
{"measure":"active_energy_burned","unit_sent":"joule","minus":0,"times":1,"per":4184,"unit":"kcal","plausible_low":0,"plausible_high":20000},
{"measure":"active_energy_burned","unit_sent":"joules","minus":0,"times":1,"per":4184,"unit":"kcal","plausible_low":0,"plausible_high":20000},
{"measure":"activity.calories_active_kcal","unit_sent":"","minus":0,"times":1,"per":1,"unit":"kcal","plausible_low":0,"plausible_high":20000},
{"measure":"activity.calories_total_kcal","unit_sent":"","minus":0,"times":1,"per":1,"unit":"kcal","plausible_low":1,"plausible_high":20000},
{"measure":"activity.distance_m","unit_sent":"","minus":0,"times":1,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"activity.floors_climbed","unit_sent":"","minus":0,"times":1,"per":1,"unit":"{floors}","plausible_low":0,"plausible_high":3000},
{"measure":"activity.heart_rate_avg_bpm","unit_sent":"","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":20,"plausible_high":300},
{"measure":"activity.heart_rate_avg_walking_bpm","unit_sent":"","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":20,"plausible_high":300},
{"measure":"activity.heart_rate_max_bpm","unit_sent":"","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":20,"plausible_high":300},
{"measure":"activity.heart_rate_min_bpm","unit_sent":"","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":20,"plausible_high":300},
{"measure":"activity.heart_rate_resting_bpm","unit_sent":"","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":20,"plausible_high":300},
{"measure":"activity.high_min","unit_sent":"","minus":0,"times":1,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"activity.low_min","unit_sent":"","minus":0,"times":1,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"activity.medium_min","unit_sent":"","minus":0,"times":1,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"activity.steps","unit_sent":"","minus":0,"times":1,"per":1,"unit":"{steps}","plausible_low":0,"plausible_high":250000},
{"measure":"activity.wheelchair_push","unit_sent":"","minus":0,"times":1,"per":1,"unit":"{pushes}","plausible_low":0,"plausible_high":100000},
{"measure":"afib_burden","unit_sent":"","minus":0,"times":1,"per":1,"unit":"%","plausible_low":0,"plausible_high":100},
{"measure":"afib_burden","unit_sent":"%","minus":0,"times":1,"per":1,"unit":"%","plausible_low":0,"plausible_high":100},
{"measure":"afib_burden","unit_sent":"percent","minus":0,"times":1,"per":1,"unit":"%","plausible_low":0,"plausible_high":100},
{"measure":"afib_burden","unit_sent":"percentage","minus":0,"times":1,"per":1,"unit":"%","plausible_low":0,"plausible_high":100},
{"measure":"afib_burden","unit_sent":"pct","minus":0,"times":1,"per":1,"unit":"%","plausible_low":0,"plausible_high":100},
{"measure":"basal_body_temperature","unit_sent":"","minus":0,"times":1,"per":1,"unit":"Cel","plausible_low":30,"plausible_high":45},
{"measure":"basal_body_temperature","unit_sent":"°c","minus":0,"times":1,"per":1,"unit":"Cel","plausible_low":30,"plausible_high":45},
{"measure":"basal_body_temperature","unit_sent":"c","minus":0,"times":1,"per":1,"unit":"Cel","plausible_low":30,"plausible_high":45},
{"measure":"basal_body_temperature","unit_sent":"cel","minus":0,"times":1,"per":1,"unit":"Cel","plausible_low":30,"plausible_high":45},
{"measure":"basal_body_temperature","unit_sent":"celsius","minus":0,"times":1,"per":1,"unit":"Cel","plausible_low":30,"plausible_high":45},
{"measure":"basal_body_temperature","unit_sent":"degc","minus":0,"times":1,"per":1,"unit":"Cel","plausible_low":30,"plausible_high":45},
{"measure":"basal_body_temperature","unit_sent":"deg c","minus":0,"times":1,"per":1,"unit":"Cel","plausible_low":30,"plausible_high":45},
{"measure":"basal_body_temperature","unit_sent":"degree celsius","minus":0,"times":1,"per":1,"unit":"Cel","plausible_low":30,"plausible_high":45},
{"measure":"basal_body_temperature","unit_sent":"degrees celsius","minus":0,"times":1,"per":1,"unit":"Cel","plausible_low":30,"plausible_high":45},
{"measure":"basal_body_temperature","unit_sent":"°f","minus":32,"times":5,"per":9,"unit":"Cel","plausible_low":30,"plausible_high":45},
{"measure":"basal_body_temperature","unit_sent":"f","minus":32,"times":5,"per":9,"unit":"Cel","plausible_low":30,"plausible_high":45},
{"measure":"basal_body_temperature","unit_sent":"fahrenheit","minus":32,"times":5,"per":9,"unit":"Cel","plausible_low":30,"plausible_high":45},
{"measure":"basal_body_temperature","unit_sent":"degf","minus":32,"times":5,"per":9,"unit":"Cel","plausible_low":30,"plausible_high":45},
{"measure":"basal_body_temperature","unit_sent":"[degf]","minus":32,"times":5,"per":9,"unit":"Cel","plausible_low":30,"plausible_high":45},
{"measure":"basal_body_temperature","unit_sent":"deg f","minus":32,"times":5,"per":9,"unit":"Cel","plausible_low":30,"plausible_high":45},
{"measure":"basal_body_temperature","unit_sent":"degree fahrenheit","minus":32,"times":5,"per":9,"unit":"Cel","plausible_low":30,"plausible_high":45},
{"measure":"basal_body_temperature","unit_sent":"degrees fahrenheit","minus":32,"times":5,"per":9,"unit":"Cel","plausible_low":30,"plausible_high":45},
{"measure":"basal_body_temperature","unit_sent":"k","minus":273.15,"times":1,"per":1,"unit":"Cel","plausible_low":30,"plausible_high":45},
{"measure":"basal_body_temperature","unit_sent":"kelvin","minus":273.15,"times":1,"per":1,"unit":"Cel","plausible_low":30,"plausible_high":45},
{"measure":"basal_energy_burned","unit_sent":"","minus":0,"times":1,"per":1,"unit":"kcal","plausible_low":0,"plausible_high":5000},
{"measure":"basal_energy_burned","unit_sent":"kcal","minus":0,"times":1,"per":1,"unit":"kcal","plausible_low":0,"plausible_high":5000},
{"measure":"basal_energy_burned","unit_sent":"kilocalorie","minus":0,"times":1,"per":1,"unit":"kcal","plausible_low":0,"plausible_high":5000},
{"measure":"basal_energy_burned","unit_sent":"kilocalories","minus":0,"times":1,"per":1,"unit":"kcal","plausible_low":0,"plausible_high":5000},
{"measure":"basal_energy_burned","unit_sent":"kj","minus":0,"times":1,"per":4.184,"unit":"kcal","plausible_low":0,"plausible_high":5000},
{"measure":"basal_energy_burned","unit_sent":"kilojoule","minus":0,"times":1,"per":4.184,"unit":"kcal","plausible_low":0,"plausible_high":5000},
{"measure":"basal_energy_burned","unit_sent":"kilojoules","minus":0,"times":1,"per":4.184,"unit":"kcal","plausible_low":0,"plausible_high":5000},
{"measure":"basal_energy_burned","unit_sent":"j","minus":0,"times":1,"per":4184,"unit":"kcal","plausible_low":0,"plausible_high":5000},
{"measure":"basal_energy_burned","unit_sent":"joule","minus":0,"times":1,"per":4184,"unit":"kcal","plausible_low":0,"plausible_high":5000},
{"measure":"basal_energy_burned","unit_sent":"joules","minus":0,"times":1,"per":4184,"unit":"kcal","plausible_low":0,"plausible_high":5000},
{"measure":"blood_oxygen","unit_sent":"","minus":0,"times":1,"per":1,"unit":"%","plausible_low":50,"plausible_high":100},
{"measure":"blood_oxygen","unit_sent":"%","minus":0,"times":1,"per":1,"unit":"%","plausible_low":50,"plausible_high":100},
{"measure":"blood_oxygen","unit_sent":"percent","minus":0,"times":1,"per":1,"unit":"%","plausible_low":50,"plausible_high":100},
{"measure":"blood_oxygen","unit_sent":"percentage","minus":0,"times":1,"per":1,"unit":"%","plausible_low":50,"plausible_high":100},
{"measure":"blood_oxygen","unit_sent":"pct","minus":0,"times":1,"per":1,"unit":"%","plausible_low":50,"plausible_high":100},
{"measure":"blood_pressure.diastolic_mmhg","unit_sent":"","minus":0,"times":1,"per":1,"unit":"mm[Hg]","plausible_low":20,"plausible_high":250},
{"measure":"blood_pressure.diastolic_mmhg","unit_sent":"mmhg","minus":0,"times":1,"per":1,"unit":"mm[Hg]","plausible_low":20,"plausible_high":250},
{"measure":"blood_pressure.diastolic_mmhg","unit_sent":"mm hg","minus":0,"times":1,"per":1,"unit":"mm[Hg]","plausible_low":20,"plausible_high":250},
{"measure":"blood_pressure.diastolic_mmhg","unit_sent":"mm[hg]","minus":0,"times":1,"per":1,"unit":"mm[Hg]","plausible_low":20,"plausible_high":250},
{"measure":"blood_pressure.diastolic_mmhg","unit_sent":"kpa","minus":0,"times":1,"per":0.133322387415,"unit":"mm[Hg]","plausible_low":20,"plausible_high":250},
{"measure":"blood_pressure.diastolic_mmhg","unit_sent":"kilopascal","minus":0,"times":1,"per":0.133322387415,"unit":"mm[Hg]","plausible_low":20,"plausible_high":250},
{"measure":"blood_pressure.diastolic_mmhg","unit_sent":"kilopascals","minus":0,"times":1,"per":0.133322387415,"unit":"mm[Hg]","plausible_low":20,"plausible_high":250},
{"measure":"blood_pressure.systolic_mmhg","unit_sent":"","minus":0,"times":1,"per":1,"unit":"mm[Hg]","plausible_low":40,"plausible_high":350},
{"measure":"blood_pressure.systolic_mmhg","unit_sent":"mmhg","minus":0,"times":1,"per":1,"unit":"mm[Hg]","plausible_low":40,"plausible_high":350},
{"measure":"blood_pressure.systolic_mmhg","unit_sent":"mm hg","minus":0,"times":1,"per":1,"unit":"mm[Hg]","plausible_low":40,"plausible_high":350},
{"measure":"blood_pressure.systolic_mmhg","unit_sent":"mm[hg]","minus":0,"times":1,"per":1,"unit":"mm[Hg]","plausible_low":40,"plausible_high":350},
{"measure":"blood_pressure.systolic_mmhg","unit_sent":"kpa","minus":0,"times":1,"per":0.133322387415,"unit":"mm[Hg]","plausible_low":40,"plausible_high":350},
{"measure":"blood_pressure.systolic_mmhg","unit_sent":"kilopascal","minus":0,"times":1,"per":0.133322387415,"unit":"mm[Hg]","plausible_low":40,"plausible_high":350},
{"measure":"blood_pressure.systolic_mmhg","unit_sent":"kilopascals","minus":0,"times":1,"per":0.133322387415,"unit":"mm[Hg]","plausible_low":40,"plausible_high":350},
{"measure":"body.body_mass_index","unit_sent":"","minus":0,"times":1,"per":1,"unit":"kg/m2","plausible_low":5,"plausible_high":210},
{"measure":"body.bone_mass_pct","unit_sent":"","minus":0,"times":1,"per":1,"unit":"%","plausible_low":0.5,"plausible_high":100},
{"measure":"body.fat_pct","unit_sent":"","minus":0,"times":1,"per":1,"unit":"%","plausible_low":1,"plausible_high":80},
{"measure":"body.lean_body_mass_kg","unit_sent":"","minus":0,"times":1,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"body.muscle_mass_pct","unit_sent":"","minus":0,"times":1,"per":1,"unit":"%","plausible_low":0.5,"plausible_high":100},
{"measure":"body.visceral_fat_index","unit_sent":"","minus":0,"times":1,"per":1,"unit":"{index}","plausible_low":1,"plausible_high":60},
{"measure":"body.waist_circumference_cm","unit_sent":"","minus":0,"times":1,"per":1,"unit":"cm","plausible_low":15,"plausible_high":320},
{"measure":"body.water_pct","unit_sent":"","minus":0,"times":1,"per":1,"unit":"%","plausible_low":0.5,"plausible_high":100},
{"measure":"body.weight_kg","unit_sent":"","minus":0,"times":1,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"body_mass_index","unit_sent":"","minus":0,"times":1,"per":1,"unit":"kg/m2","plausible_low":5,"plausible_high":210},
{"measure":"body_mass_index","unit_sent":"index","minus":0,"times":1,"per":1,"unit":"kg/m2","plausible_low":5,"plausible_high":210},
{"measure":"body_mass_index","unit_sent":"kg/m2","minus":0,"times":1,"per":1,"unit":"kg/m2","plausible_low":5,"plausible_high":210},
{"measure":"body_mass_index","unit_sent":"kg/m²","minus":0,"times":1,"per":1,"unit":"kg/m2","plausible_low":5,"plausible_high":210},
{"measure":"body_mass_index","unit_sent":"kg/m^2","minus":0,"times":1,"per":1,"unit":"kg/m2","plausible_low":5,"plausible_high":210},
{"measure":"body_temperature","unit_sent":"","minus":0,"times":1,"per":1,"unit":"Cel","plausible_low":10,"plausible_high":45},
{"measure":"body_temperature","unit_sent":"°c","minus":0,"times":1,"per":1,"unit":"Cel","plausible_low":10,"plausible_high":45},
{"measure":"body_temperature","unit_sent":"c","minus":0,"times":1,"per":1,"unit":"Cel","plausible_low":10,"plausible_high":45},
{"measure":"body_temperature","unit_sent":"cel","minus":0,"times":1,"per":1,"unit":"Cel","plausible_low":10,"plausible_high":45},
{"measure":"body_temperature","unit_sent":"celsius","minus":0,"times":1,"per":1,"unit":"Cel","plausible_low":10,"plausible_high":45},
{"measure":"body_temperature","unit_sent":"degc","minus":0,"times":1,"per":1,"unit":"Cel","plausible_low":10,"plausible_high":45},
{"measure":"body_temperature","unit_sent":"deg c","minus":0,"times":1,"per":1,"unit":"Cel","plausible_low":10,"plausible_high":45},
{"measure":"body_temperature","unit_sent":"degree celsius","minus":0,"times":1,"per":1,"unit":"Cel","plausible_low":10,"plausible_high":45},
{"measure":"body_temperature","unit_sent":"degrees celsius","minus":0,"times":1,"per":1,"unit":"Cel","plausible_low":10,"plausible_high":45},
{"measure":"body_temperature","unit_sent":"°f","minus":32,"times":5,"per":9,"unit":"Cel","plausible_low":10,"plausible_high":45},
{"measure":"body_temperature","unit_sent":"f","minus":32,"times":5,"per":9,"unit":"Cel","plausible_low":10,"plausible_high":45},
{"measure":"body_temperature","unit_sent":"fahrenheit","minus":32,"times":5,"per":9,"unit":"Cel","plausible_low":10,"plausible_high":45},
{"measure":"body_temperature","unit_sent":"degf","minus":32,"times":5,"per":9,"unit":"Cel","plausible_low":10,"plausible_high":45},
{"measure":"body_temperature","unit_sent":"[degf]","minus":32,"times":5,"per":9,"unit":"Cel","plausible_low":10,"plausible_high":45},
{"measure":"body_temperature","unit_sent":"deg f","minus":32,"times":5,"per":9,"unit":"Cel","plausible_low":10,"plausible_high":45},
{"measure":"body_temperature","unit_sent":"degree fahrenheit","minus":32,"times":5,"per":9,"unit":"Cel","plausible_low":10,"plausible_high":45},
{"measure":"body_temperature","unit_sent":"degrees fahrenheit","minus":32,"times":5,"per":9,"unit":"Cel","plausible_low":10,"plausible_high":45},
{"measure":"body_temperature","unit_sent":"k","minus":273.15,"times":1,"per":1,"unit":"Cel","plausible_low":10,"plausible_high":45},
{"measure":"body_temperature","unit_sent":"kelvin","minus":273.15,"times":1,"per":1,"unit":"Cel","plausible_low":10,"plausible_high":45},
{"measure":"body_temperature_delta","unit_sent":"","minus":0,"times":1,"per":1,"unit":"K","plausible_low":-15,"plausible_high":15},
{"measure":"body_temperature_delta","unit_sent":"°c","minus":0,"times":1,"per":1,"unit":"K","plausible_low":-15,"plausible_high":15},
{"measure":"body_temperature_delta","unit_sent":"c","minus":0,"times":1,"per":1,"unit":"K","plausible_low":-15,"plausible_high":15},
{"measure":"body_temperature_delta","unit_sent":"cel","minus":0,"times":1,"per":1,"unit":"K","plausible_low":-15,"plausible_high":15},
{"measure":"body_temperature_delta","unit_sent":"celsius","minus":0,"times":1,"per":1,"unit":"K","plausible_low":-15,"plausible_high":15},
{"measure":"body_temperature_delta","unit_sent":"degc","minus":0,"times":1,"per":1,"unit":"K","plausible_low":-15,"plausible_high":15},
{"measure":"body_temperature_delta","unit_sent":"deg c","minus":0,"times":1,"per":1,"unit":"K","plausible_low":-15,"plausible_high":15},
{"measure":"body_temperature_delta","unit_sent":"degree celsius","minus":0,"times":1,"per":1,"unit":"K","plausible_low":-15,"plausible_high":15},
{"measure":"body_temperature_delta","unit_sent":"degrees celsius","minus":0,"times":1,"per":1,"unit":"K","plausible_low":-15,"plausible_high":15},
{"measure":"body_temperature_delta","unit_sent":"k","minus":0,"times":1,"per":1,"unit":"K","plausible_low":-15,"plausible_high":15},
{"measure":"body_temperature_delta","unit_sent":"kelvin","minus":0,"times":1,"per":1,"unit":"K","plausible_low":-15,"plausible_high":15},
{"measure":"body_temperature_delta","unit_sent":"°f","minus":0,"times":5,"per":9,"unit":"K","plausible_low":-15,"plausible_high":15},
{"measure":"body_temperature_delta","unit_sent":"f","minus":0,"times":5,"per":9,"unit":"K","plausible_low":-15,"plausible_high":15},
{"measure":"body_temperature_delta","unit_sent":"fahrenheit","minus":0,"times":5,"per":9,"unit":"K","plausible_low":-15,"plausible_high":15},
{"measure":"body_temperature_delta","unit_sent":"degf","minus":0,"times":5,"per":9,"unit":"K","plausible_low":-15,"plausible_high":15},
{"measure":"body_temperature_delta","unit_sent":"[degf]","minus":0,"times":5,"per":9,"unit":"K","plausible_low":-15,"plausible_high":15},
{"measure":"body_temperature_delta","unit_sent":"deg f","minus":0,"times":5,"per":9,"unit":"K","plausible_low":-15,"plausible_high":15},
{"measure":"body_temperature_delta","unit_sent":"degree fahrenheit","minus":0,"times":5,"per":9,"unit":"K","plausible_low":-15,"plausible_high":15},
{"measure":"body_temperature_delta","unit_sent":"degrees fahrenheit","minus":0,"times":5,"per":9,"unit":"K","plausible_low":-15,"plausible_high":15},
{"measure":"caffeine","unit_sent":"","minus":0,"times":1,"per":1,"unit":"g","plausible_low":0,"plausible_high":10},
{"measure":"caffeine","unit_sent":"g","minus":0,"times":1,"per":1,"unit":"g","plausible_low":0,"plausible_high":10},
{"measure":"caffeine","unit_sent":"gram","minus":0,"times":1,"per":1,"unit":"g","plausible_low":0,"plausible_high":10},
{"measure":"caffeine","unit_sent":"grams","minus":0,"times":1,"per":1,"unit":"g","plausible_low":0,"plausible_high":10},
{"measure":"caffeine","unit_sent":"mg","minus":0,"times":1,"per":1000,"unit":"g","plausible_low":0,"plausible_high":10},
{"measure":"caffeine","unit_sent":"milligram","minus":0,"times":1,"per":1000,"unit":"g","plausible_low":0,"plausible_high":10},
{"measure":"caffeine","unit_sent":"milligrams","minus":0,"times":1,"per":1000,"unit":"g","plausible_low":0,"plausible_high":10},
{"measure":"caffeine","unit_sent":"µg","minus":0,"times":1,"per":1000000,"unit":"g","plausible_low":0,"plausible_high":10},
{"measure":"caffeine","unit_sent":"μg","minus":0,"times":1,"per":1000000,"unit":"g","plausible_low":0,"plausible_high":10},
{"measure":"caffeine","unit_sent":"ug","minus":0,"times":1,"per":1000000,"unit":"g","plausible_low":0,"plausible_high":10},
{"measure":"caffeine","unit_sent":"mcg","minus":0,"times":1,"per":1000000,"unit":"g","plausible_low":0,"plausible_high":10},
{"measure":"caffeine","unit_sent":"microgram","minus":0,"times":1,"per":1000000,"unit":"g","plausible_low":0,"plausible_high":10},
{"measure":"caffeine","unit_sent":"micrograms","minus":0,"times":1,"per":1000000,"unit":"g","plausible_low":0,"plausible_high":10},
{"measure":"caffeine","unit_sent":"kg","minus":0,"times":1000,"per":1,"unit":"g","plausible_low":0,"plausible_high":10},
{"measure":"caffeine","unit_sent":"kilogram","minus":0,"times":1000,"per":1,"unit":"g","plausible_low":0,"plausible_high":10},
{"measure":"caffeine","unit_sent":"kilograms","minus":0,"times":1000,"per":1,"unit":"g","plausible_low":0,"plausible_high":10},
{"measure":"caffeine","unit_sent":"oz","minus":0,"times":28.349523125,"per":1,"unit":"g","plausible_low":0,"plausible_high":10},
{"measure":"caffeine","unit_sent":"ounce","minus":0,"times":28.349523125,"per":1,"unit":"g","plausible_low":0,"plausible_high":10},
{"measure":"caffeine","unit_sent":"ounces","minus":0,"times":28.349523125,"per":1,"unit":"g","plausible_low":0,"plausible_high":10},
{"measure":"caffeine","unit_sent":"[oz_av]","minus":0,"times":28.349523125,"per":1,"unit":"g","plausible_low":0,"plausible_high":10},
{"measure":"calories_active","unit_sent":"","minus":0,"times":1,"per":1,"unit":"kcal","plausible_low":0,"plausible_high":20000},
{"measure":"calories_active","unit_sent":"kcal","minus":0,"times":1,"per":1,"unit":"kcal","plausible_low":0,"plausible_high":20000},
{"measure":"calories_active","unit_sent":"kilocalorie","minus":0,"times":1,"per":1,"unit":"kcal","plausible_low":0,"plausible_high":20000},
{"measure":"calories_active","unit_sent":"kilocalories","minus":0,"times":1,"per":1,"unit":"kcal","plausible_low":0,"plausible_high":20000},
{"measure":"calories_active","unit_sent":"kj","minus":0,"times":1,"per":4.184,"unit":"kcal","plausible_low":0,"plausible_high":20000},
{"measure":"calories_active","unit_sent":"kilojoule","minus":0,"times":1,"per":4.184,"unit":"kcal","plausible_low":0,"plausible_high":20000},
{"measure":"calories_active","unit_sent":"kilojoules","minus":0,"times":1,"per":4.184,"unit":"kcal","plausible_low":0,"plausible_high":20000},
{"measure":"calories_active","unit_sent":"j","minus":0,"times":1,"per":4184,"unit":"kcal","plausible_low":0,"plausible_high":20000},
{"measure":"calories_active","unit_sent":"joule","minus":0,"times":1,"per":4184,"unit":"kcal","plausible_low":0,"plausible_high":20000},
{"measure":"calories_active","unit_sent":"joules","minus":0,"times":1,"per":4184,"unit":"kcal","plausible_low":0,"plausible_high":20000},
{"measure":"calories_basal","unit_sent":"","minus":0,"times":1,"per":1,"unit":"kcal","plausible_low":0,"plausible_high":5000},
{"measure":"calories_basal","unit_sent":"kcal","minus":0,"times":1,"per":1,"unit":"kcal","plausible_low":0,"plausible_high":5000},
{"measure":"calories_basal","unit_sent":"kilocalorie","minus":0,"times":1,"per":1,"unit":"kcal","plausible_low":0,"plausible_high":5000},
{"measure":"calories_basal","unit_sent":"kilocalories","minus":0,"times":1,"per":1,"unit":"kcal","plausible_low":0,"plausible_high":5000},
{"measure":"calories_basal","unit_sent":"kj","minus":0,"times":1,"per":4.184,"unit":"kcal","plausible_low":0,"plausible_high":5000},
{"measure":"calories_basal","unit_sent":"kilojoule","minus":0,"times":1,"per":4.184,"unit":"kcal","plausible_low":0,"plausible_high":5000},
{"measure":"calories_basal","unit_sent":"kilojoules","minus":0,"times":1,"per":4.184,"unit":"kcal","plausible_low":0,"plausible_high":5000},
{"measure":"calories_basal","unit_sent":"j","minus":0,"times":1,"per":4184,"unit":"kcal","plausible_low":0,"plausible_high":5000},
{"measure":"calories_basal","unit_sent":"joule","minus":0,"times":1,"per":4184,"unit":"kcal","plausible_low":0,"plausible_high":5000},
{"measure":"calories_basal","unit_sent":"joules","minus":0,"times":1,"per":4184,"unit":"kcal","plausible_low":0,"plausible_high":5000},
{"measure":"carbohydrates","unit_sent":"","minus":0,"times":1,"per":1,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"carbohydrates","unit_sent":"g","minus":0,"times":1,"per":1,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"carbohydrates","unit_sent":"gram","minus":0,"times":1,"per":1,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"carbohydrates","unit_sent":"grams","minus":0,"times":1,"per":1,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"carbohydrates","unit_sent":"mg","minus":0,"times":1,"per":1000,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"carbohydrates","unit_sent":"milligram","minus":0,"times":1,"per":1000,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"carbohydrates","unit_sent":"milligrams","minus":0,"times":1,"per":1000,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"carbohydrates","unit_sent":"µg","minus":0,"times":1,"per":1000000,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"carbohydrates","unit_sent":"μg","minus":0,"times":1,"per":1000000,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"carbohydrates","unit_sent":"ug","minus":0,"times":1,"per":1000000,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"carbohydrates","unit_sent":"mcg","minus":0,"times":1,"per":1000000,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"carbohydrates","unit_sent":"microgram","minus":0,"times":1,"per":1000000,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"carbohydrates","unit_sent":"micrograms","minus":0,"times":1,"per":1000000,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"carbohydrates","unit_sent":"kg","minus":0,"times":1000,"per":1,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"carbohydrates","unit_sent":"kilogram","minus":0,"times":1000,"per":1,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"carbohydrates","unit_sent":"kilograms","minus":0,"times":1000,"per":1,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"carbohydrates","unit_sent":"oz","minus":0,"times":28.349523125,"per":1,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"carbohydrates","unit_sent":"ounce","minus":0,"times":28.349523125,"per":1,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"carbohydrates","unit_sent":"ounces","minus":0,"times":28.349523125,"per":1,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"carbohydrates","unit_sent":"[oz_av]","minus":0,"times":28.349523125,"per":1,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"cholesterol","unit_sent":"","minus":0,"times":1,"per":1,"unit":"mmol/L","plausible_low":0.1,"plausible_high":120},
{"measure":"cholesterol","unit_sent":"mmol/l","minus":0,"times":1,"per":1,"unit":"mmol/L","plausible_low":0.1,"plausible_high":120},
{"measure":"cholesterol","unit_sent":"mmol/liter","minus":0,"times":1,"per":1,"unit":"mmol/L","plausible_low":0.1,"plausible_high":120},
{"measure":"cholesterol","unit_sent":"mmol/litre","minus":0,"times":1,"per":1,"unit":"mmol/L","plausible_low":0.1,"plausible_high":120},
{"measure":"cholesterol.hdl","unit_sent":"","minus":0,"times":1,"per":1,"unit":"mmol/L","plausible_low":0.1,"plausible_high":40},
{"measure":"cholesterol.hdl","unit_sent":"mmol/l","minus":0,"times":1,"per":1,"unit":"mmol/L","plausible_low":0.1,"plausible_high":40},
{"measure":"cholesterol.hdl","unit_sent":"mmol/liter","minus":0,"times":1,"per":1,"unit":"mmol/L","plausible_low":0.1,"plausible_high":40},
{"measure":"cholesterol.hdl","unit_sent":"mmol/litre","minus":0,"times":1,"per":1,"unit":"mmol/L","plausible_low":0.1,"plausible_high":40},
{"measure":"cholesterol.hdl","unit_sent":"mg/dl","minus":0,"times":1,"per":38.67,"unit":"mmol/L","plausible_low":0.1,"plausible_high":40},
{"measure":"cholesterol.hdl","unit_sent":"mg/100ml","minus":0,"times":1,"per":38.67,"unit":"mmol/L","plausible_low":0.1,"plausible_high":40},
{"measure":"cholesterol.ldl","unit_sent":"","minus":0,"times":1,"per":1,"unit":"mmol/L","plausible_low":0.1,"plausible_high":40},
{"measure":"cholesterol.ldl","unit_sent":"mmol/l","minus":0,"times":1,"per":1,"unit":"mmol/L","plausible_low":0.1,"plausible_high":40},
{"measure":"cholesterol.ldl","unit_sent":"mmol/liter","minus":0,"times":1,"per":1,"unit":"mmol/L","plausible_low":0.1,"plausible_high":40},
{"measure":"cholesterol.ldl","unit_sent":"mmol/litre","minus":0,"times":1,"per":1,"unit":"mmol/L","plausible_low":0.1,"plausible_high":40},
{"measure":"cholesterol.ldl","unit_sent":"mg/dl","minus":0,"times":1,"per":38.67,"unit":"mmol/L","plausible_low":0.1,"plausible_high":40},
{"measure":"cholesterol.ldl","unit_sent":"mg/100ml","minus":0,"times":1,"per":38.67,"unit":"mmol/L","plausible_low":0.1,"plausible_high":40},
{"measure":"cholesterol.total","unit_sent":"","minus":0,"times":1,"per":1,"unit":"mmol/L","plausible_low":0.1,"plausible_high":40},
{"measure":"cholesterol.total","unit_sent":"mmol/l","minus":0,"times":1,"per":1,"unit":"mmol/L","plausible_low":0.1,"plausible_high":40},
{"measure":"cholesterol.total","unit_sent":"mmol/liter","minus":0,"times":1,"per":1,"unit":"mmol/L","plausible_low":0.1,"plausible_high":40},
{"measure":"cholesterol.total","unit_sent":"mmol/litre","minus":0,"times":1,"per":1,"unit":"mmol/L","plausible_low":0.1,"plausible_high":40},
{"measure":"cholesterol.total","unit_sent":"mg/dl","minus":0,"times":1,"per":38.67,"unit":"mmol/L","plausible_low":0.1,"plausible_high":40},
{"measure":"cholesterol.total","unit_sent":"mg/100ml","minus":0,"times":1,"per":38.67,"unit":"mmol/L","plausible_low":0.1,"plausible_high":40},
{"measure":"cholesterol.triglycerides","unit_sent":"","minus":0,"times":1,"per":1,"unit":"mmol/L","plausible_low":0.1,"plausible_high":120},
{"measure":"cholesterol.triglycerides","unit_sent":"mmol/l","minus":0,"times":1,"per":1,"unit":"mmol/L","plausible_low":0.1,"plausible_high":120},
{"measure":"cholesterol.triglycerides","unit_sent":"mmol/liter","minus":0,"times":1,"per":1,"unit":"mmol/L","plausible_low":0.1,"plausible_high":120},
{"measure":"cholesterol.triglycerides","unit_sent":"mmol/litre","minus":0,"times":1,"per":1,"unit":"mmol/L","plausible_low":0.1,"plausible_high":120},
{"measure":"cholesterol.triglycerides","unit_sent":"mg/dl","minus":0,"times":1,"per":88.57,"unit":"mmol/L","plausible_low":0.1,"plausible_high":120},
{"measure":"cholesterol.triglycerides","unit_sent":"mg/100ml","minus":0,"times":1,"per":88.57,"unit":"mmol/L","plausible_low":0.1,"plausible_high":120},
{"measure":"daylight_exposure","unit_sent":"","minus":0,"times":1,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"daylight_exposure","unit_sent":"min","minus":0,"times":1,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"daylight_exposure","unit_sent":"mins","minus":0,"times":1,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"daylight_exposure","unit_sent":"minute","minus":0,"times":1,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"daylight_exposure","unit_sent":"minutes","minus":0,"times":1,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"daylight_exposure","unit_sent":"s","minus":0,"times":1,"per":60,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"daylight_exposure","unit_sent":"sec","minus":0,"times":1,"per":60,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"daylight_exposure","unit_sent":"secs","minus":0,"times":1,"per":60,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"daylight_exposure","unit_sent":"second","minus":0,"times":1,"per":60,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"daylight_exposure","unit_sent":"seconds","minus":0,"times":1,"per":60,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"daylight_exposure","unit_sent":"h","minus":0,"times":60,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"daylight_exposure","unit_sent":"hr","minus":0,"times":60,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"daylight_exposure","unit_sent":"hrs","minus":0,"times":60,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"daylight_exposure","unit_sent":"hour","minus":0,"times":60,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"daylight_exposure","unit_sent":"hours","minus":0,"times":60,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"distance","unit_sent":"","minus":0,"times":1,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance","unit_sent":"m","minus":0,"times":1,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance","unit_sent":"meter","minus":0,"times":1,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance","unit_sent":"meters","minus":0,"times":1,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance","unit_sent":"metre","minus":0,"times":1,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance","unit_sent":"metres","minus":0,"times":1,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance","unit_sent":"km","minus":0,"times":1000,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance","unit_sent":"kilometer","minus":0,"times":1000,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance","unit_sent":"kilometers","minus":0,"times":1000,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance","unit_sent":"kilometre","minus":0,"times":1000,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance","unit_sent":"kilometres","minus":0,"times":1000,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance","unit_sent":"cm","minus":0,"times":1,"per":100,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance","unit_sent":"centimeter","minus":0,"times":1,"per":100,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance","unit_sent":"centimeters","minus":0,"times":1,"per":100,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance","unit_sent":"centimetre","minus":0,"times":1,"per":100,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance","unit_sent":"centimetres","minus":0,"times":1,"per":100,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance","unit_sent":"mi","minus":0,"times":1609.344,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance","unit_sent":"mile","minus":0,"times":1609.344,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance","unit_sent":"miles","minus":0,"times":1609.344,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance","unit_sent":"[mi_i]","minus":0,"times":1609.344,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance","unit_sent":"yd","minus":0,"times":0.9144,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance","unit_sent":"yard","minus":0,"times":0.9144,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance","unit_sent":"yards","minus":0,"times":0.9144,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance","unit_sent":"[yd_i]","minus":0,"times":0.9144,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance","unit_sent":"ft","minus":0,"times":0.3048,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance","unit_sent":"foot","minus":0,"times":0.3048,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance","unit_sent":"feet","minus":0,"times":0.3048,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance","unit_sent":"[ft_i]","minus":0,"times":0.3048,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance_running_walking","unit_sent":"","minus":0,"times":1,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance_running_walking","unit_sent":"m","minus":0,"times":1,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance_running_walking","unit_sent":"meter","minus":0,"times":1,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance_running_walking","unit_sent":"meters","minus":0,"times":1,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance_running_walking","unit_sent":"metre","minus":0,"times":1,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance_running_walking","unit_sent":"metres","minus":0,"times":1,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance_running_walking","unit_sent":"km","minus":0,"times":1000,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance_running_walking","unit_sent":"kilometer","minus":0,"times":1000,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance_running_walking","unit_sent":"kilometers","minus":0,"times":1000,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance_running_walking","unit_sent":"kilometre","minus":0,"times":1000,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance_running_walking","unit_sent":"kilometres","minus":0,"times":1000,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance_running_walking","unit_sent":"cm","minus":0,"times":1,"per":100,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance_running_walking","unit_sent":"centimeter","minus":0,"times":1,"per":100,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance_running_walking","unit_sent":"centimeters","minus":0,"times":1,"per":100,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance_running_walking","unit_sent":"centimetre","minus":0,"times":1,"per":100,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance_running_walking","unit_sent":"centimetres","minus":0,"times":1,"per":100,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance_running_walking","unit_sent":"mi","minus":0,"times":1609.344,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance_running_walking","unit_sent":"mile","minus":0,"times":1609.344,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance_running_walking","unit_sent":"miles","minus":0,"times":1609.344,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance_running_walking","unit_sent":"[mi_i]","minus":0,"times":1609.344,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance_running_walking","unit_sent":"yd","minus":0,"times":0.9144,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance_running_walking","unit_sent":"yard","minus":0,"times":0.9144,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance_running_walking","unit_sent":"yards","minus":0,"times":0.9144,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance_running_walking","unit_sent":"[yd_i]","minus":0,"times":0.9144,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance_running_walking","unit_sent":"ft","minus":0,"times":0.3048,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance_running_walking","unit_sent":"foot","minus":0,"times":0.3048,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance_running_walking","unit_sent":"feet","minus":0,"times":0.3048,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"distance_running_walking","unit_sent":"[ft_i]","minus":0,"times":0.3048,"per":1,"unit":"m","plausible_low":0,"plausible_high":1100000},
{"measure":"electrocardiogram.heart_rate_mean_bpm","unit_sent":"","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":20,"plausible_high":300},
{"measure":"electrocardiogram_voltage","unit_sent":"","minus":0,"times":1,"per":1,"unit":"mV","plausible_low":-10,"plausible_high":10},
{"measure":"electrocardiogram_voltage","unit_sent":"mv","minus":0,"times":1,"per":1,"unit":"mV","plausible_low":-10,"plausible_high":10},
{"measure":"electrocardiogram_voltage","unit_sent":"millivolt","minus":0,"times":1,"per":1,"unit":"mV","plausible_low":-10,"plausible_high":10},
{"measure":"electrocardiogram_voltage","unit_sent":"millivolts","minus":0,"times":1,"per":1,"unit":"mV","plausible_low":-10,"plausible_high":10},
{"measure":"electrocardiogram_voltage","unit_sent":"µv","minus":0,"times":1,"per":1000,"unit":"mV","plausible_low":-10,"plausible_high":10},
{"measure":"electrocardiogram_voltage","unit_sent":"μv","minus":0,"times":1,"per":1000,"unit":"mV","plausible_low":-10,"plausible_high":10},
{"measure":"electrocardiogram_voltage","unit_sent":"uv","minus":0,"times":1,"per":1000,"unit":"mV","plausible_low":-10,"plausible_high":10},
{"measure":"electrocardiogram_voltage","unit_sent":"microvolt","minus":0,"times":1,"per":1000,"unit":"mV","plausible_low":-10,"plausible_high":10},
{"measure":"electrocardiogram_voltage","unit_sent":"microvolts","minus":0,"times":1,"per":1000,"unit":"mV","plausible_low":-10,"plausible_high":10},
{"measure":"electrocardiogram_voltage","unit_sent":"v","minus":0,"times":1000,"per":1,"unit":"mV","plausible_low":-10,"plausible_high":10},
{"measure":"electrocardiogram_voltage","unit_sent":"volt","minus":0,"times":1000,"per":1,"unit":"mV","plausible_low":-10,"plausible_high":10},
{"measure":"electrocardiogram_voltage","unit_sent":"volts","minus":0,"times":1000,"per":1,"unit":"mV","plausible_low":-10,"plausible_high":10},
{"measure":"electrocardiogram_voltage.lead_1","unit_sent":"","minus":0,"times":1,"per":1,"unit":"mV","plausible_low":-10,"plausible_high":10},
{"measure":"electrocardiogram_voltage.lead_1","unit_sent":"mv","minus":0,"times":1,"per":1,"unit":"mV","plausible_low":-10,"plausible_high":10},
{"measure":"electrocardiogram_voltage.lead_1","unit_sent":"millivolt","minus":0,"times":1,"per":1,"unit":"mV","plausible_low":-10,"plausible_high":10},
{"measure":"electrocardiogram_voltage.lead_1","unit_sent":"millivolts","minus":0,"times":1,"per":1,"unit":"mV","plausible_low":-10,"plausible_high":10},
{"measure":"electrocardiogram_voltage.lead_1","unit_sent":"µv","minus":0,"times":1,"per":1000,"unit":"mV","plausible_low":-10,"plausible_high":10},
{"measure":"electrocardiogram_voltage.lead_1","unit_sent":"μv","minus":0,"times":1,"per":1000,"unit":"mV","plausible_low":-10,"plausible_high":10},
{"measure":"electrocardiogram_voltage.lead_1","unit_sent":"uv","minus":0,"times":1,"per":1000,"unit":"mV","plausible_low":-10,"plausible_high":10},
{"measure":"electrocardiogram_voltage.lead_1","unit_sent":"microvolt","minus":0,"times":1,"per":1000,"unit":"mV","plausible_low":-10,"plausible_high":10},
{"measure":"electrocardiogram_voltage.lead_1","unit_sent":"microvolts","minus":0,"times":1,"per":1000,"unit":"mV","plausible_low":-10,"plausible_high":10},
{"measure":"electrocardiogram_voltage.lead_1","unit_sent":"v","minus":0,"times":1000,"per":1,"unit":"mV","plausible_low":-10,"plausible_high":10},
{"measure":"electrocardiogram_voltage.lead_1","unit_sent":"volt","minus":0,"times":1000,"per":1,"unit":"mV","plausible_low":-10,"plausible_high":10},
{"measure":"electrocardiogram_voltage.lead_1","unit_sent":"volts","minus":0,"times":1000,"per":1,"unit":"mV","plausible_low":-10,"plausible_high":10},
{"measure":"fall","unit_sent":"","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":100},
{"measure":"fall","unit_sent":"count","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":100},
{"measure":"fall","unit_sent":"counts","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":100},
{"measure":"fall","unit_sent":"{count}","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":100},
{"measure":"fat","unit_sent":"","minus":0,"times":1,"per":1,"unit":"%","plausible_low":1,"plausible_high":80},
{"measure":"fat","unit_sent":"%","minus":0,"times":1,"per":1,"unit":"%","plausible_low":1,"plausible_high":80},
{"measure":"fat","unit_sent":"percent","minus":0,"times":1,"per":1,"unit":"%","plausible_low":1,"plausible_high":80},
{"measure":"fat","unit_sent":"percentage","minus":0,"times":1,"per":1,"unit":"%","plausible_low":1,"plausible_high":80},
{"measure":"fat","unit_sent":"pct","minus":0,"times":1,"per":1,"unit":"%","plausible_low":1,"plausible_high":80},
{"measure":"floors_climbed","unit_sent":"","minus":0,"times":1,"per":1,"unit":"{floors}","plausible_low":0,"plausible_high":3000},
{"measure":"floors_climbed","unit_sent":"count","minus":0,"times":1,"per":1,"unit":"{floors}","plausible_low":0,"plausible_high":3000},
{"measure":"floors_climbed","unit_sent":"counts","minus":0,"times":1,"per":1,"unit":"{floors}","plausible_low":0,"plausible_high":3000},
{"measure":"floors_climbed","unit_sent":"{count}","minus":0,"times":1,"per":1,"unit":"{floors}","plausible_low":0,"plausible_high":3000},
{"measure":"floors_climbed","unit_sent":"floor","minus":0,"times":1,"per":1,"unit":"{floors}","plausible_low":0,"plausible_high":3000},
{"measure":"floors_climbed","unit_sent":"floors","minus":0,"times":1,"per":1,"unit":"{floors}","plausible_low":0,"plausible_high":3000},
{"measure":"forced_expiratory_volume_1","unit_sent":"","minus":0,"times":1,"per":1,"unit":"L","plausible_low":0.1,"plausible_high":12},
{"measure":"forced_expiratory_volume_1","unit_sent":"l","minus":0,"times":1,"per":1,"unit":"L","plausible_low":0.1,"plausible_high":12},
{"measure":"forced_expiratory_volume_1","unit_sent":"liter","minus":0,"times":1,"per":1,"unit":"L","plausible_low":0.1,"plausible_high":12},
{"measure":"forced_expiratory_volume_1","unit_sent":"liters","minus":0,"times":1,"per":1,"unit":"L","plausible_low":0.1,"plausible_high":12},
{"measure":"forced_expiratory_volume_1","unit_sent":"litre","minus":0,"times":1,"per":1,"unit":"L","plausible_low":0.1,"plausible_high":12},
{"measure":"forced_expiratory_volume_1","unit_sent":"litres","minus":0,"times":1,"per":1,"unit":"L","plausible_low":0.1,"plausible_high":12},
{"measure":"forced_expiratory_volume_1","unit_sent":"ml","minus":0,"times":1,"per":1000,"unit":"L","plausible_low":0.1,"plausible_high":12},
{"measure":"forced_expiratory_volume_1","unit_sent":"milliliter","minus":0,"times":1,"per":1000,"unit":"L","plausible_low":0.1,"plausible_high":12},
{"measure":"forced_expiratory_volume_1","unit_sent":"milliliters","minus":0,"times":1,"per":1000,"unit":"L","plausible_low":0.1,"plausible_high":12},
{"measure":"forced_expiratory_volume_1","unit_sent":"millilitre","minus":0,"times":1,"per":1000,"unit":"L","plausible_low":0.1,"plausible_high":12},
{"measure":"forced_expiratory_volume_1","unit_sent":"millilitres","minus":0,"times":1,"per":1000,"unit":"L","plausible_low":0.1,"plausible_high":12},
{"measure":"forced_vital_capacity","unit_sent":"","minus":0,"times":1,"per":1,"unit":"L","plausible_low":0.1,"plausible_high":12},
{"measure":"forced_vital_capacity","unit_sent":"l","minus":0,"times":1,"per":1,"unit":"L","plausible_low":0.1,"plausible_high":12},
{"measure":"forced_vital_capacity","unit_sent":"liter","minus":0,"times":1,"per":1,"unit":"L","plausible_low":0.1,"plausible_high":12},
{"measure":"forced_vital_capacity","unit_sent":"liters","minus":0,"times":1,"per":1,"unit":"L","plausible_low":0.1,"plausible_high":12},
{"measure":"forced_vital_capacity","unit_sent":"litre","minus":0,"times":1,"per":1,"unit":"L","plausible_low":0.1,"plausible_high":12},
{"measure":"forced_vital_capacity","unit_sent":"litres","minus":0,"times":1,"per":1,"unit":"L","plausible_low":0.1,"plausible_high":12},
{"measure":"forced_vital_capacity","unit_sent":"ml","minus":0,"times":1,"per":1000,"unit":"L","plausible_low":0.1,"plausible_high":12},
{"measure":"forced_vital_capacity","unit_sent":"milliliter","minus":0,"times":1,"per":1000,"unit":"L","plausible_low":0.1,"plausible_high":12},
{"measure":"forced_vital_capacity","unit_sent":"milliliters","minus":0,"times":1,"per":1000,"unit":"L","plausible_low":0.1,"plausible_high":12},
{"measure":"forced_vital_capacity","unit_sent":"millilitre","minus":0,"times":1,"per":1000,"unit":"L","plausible_low":0.1,"plausible_high":12},
{"measure":"forced_vital_capacity","unit_sent":"millilitres","minus":0,"times":1,"per":1000,"unit":"L","plausible_low":0.1,"plausible_high":12},
{"measure":"glucose","unit_sent":"","minus":0,"times":1,"per":1,"unit":"mmol/L","plausible_low":0.5,"plausible_high":60},
{"measure":"glucose","unit_sent":"mmol/l","minus":0,"times":1,"per":1,"unit":"mmol/L","plausible_low":0.5,"plausible_high":60},
{"measure":"glucose","unit_sent":"mmol/liter","minus":0,"times":1,"per":1,"unit":"mmol/L","plausible_low":0.5,"plausible_high":60},
{"measure":"glucose","unit_sent":"mmol/litre","minus":0,"times":1,"per":1,"unit":"mmol/L","plausible_low":0.5,"plausible_high":60},
{"measure":"glucose","unit_sent":"mg/dl","minus":0,"times":1,"per":18.0182,"unit":"mmol/L","plausible_low":0.5,"plausible_high":60},
{"measure":"glucose","unit_sent":"mg/100ml","minus":0,"times":1,"per":18.0182,"unit":"mmol/L","plausible_low":0.5,"plausible_high":60},
{"measure":"handwashing","unit_sent":"","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":500},
{"measure":"handwashing","unit_sent":"count","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":500},
{"measure":"handwashing","unit_sent":"counts","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":500},
{"measure":"handwashing","unit_sent":"{count}","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":500},
{"measure":"heart_rate_alert","unit_sent":"","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":1},
{"measure":"heart_rate_alert","unit_sent":"count","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":1},
{"measure":"heart_rate_alert","unit_sent":"counts","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":1},
{"measure":"heart_rate_alert","unit_sent":"{count}","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":1},
{"measure":"heart_rate_alert.high_heart_rate","unit_sent":"","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":1},
{"measure":"heart_rate_alert.high_heart_rate","unit_sent":"count","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":1},
{"measure":"heart_rate_alert.high_heart_rate","unit_sent":"counts","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":1},
{"measure":"heart_rate_alert.high_heart_rate","unit_sent":"{count}","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":1},
{"measure":"heart_rate_alert.irregular_rhythm","unit_sent":"","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":1},
{"measure":"heart_rate_alert.irregular_rhythm","unit_sent":"count","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":1},
{"measure":"heart_rate_alert.irregular_rhythm","unit_sent":"counts","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":1},
{"measure":"heart_rate_alert.irregular_rhythm","unit_sent":"{count}","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":1},
{"measure":"heart_rate_alert.low_heart_rate","unit_sent":"","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":1},
{"measure":"heart_rate_alert.low_heart_rate","unit_sent":"count","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":1},
{"measure":"heart_rate_alert.low_heart_rate","unit_sent":"counts","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":1},
{"measure":"heart_rate_alert.low_heart_rate","unit_sent":"{count}","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":1},
{"measure":"heart_rate_recovery_one_minute","unit_sent":"","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":-50,"plausible_high":150},
{"measure":"heart_rate_recovery_one_minute","unit_sent":"count","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":-50,"plausible_high":150},
{"measure":"heart_rate_recovery_one_minute","unit_sent":"counts","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":-50,"plausible_high":150},
{"measure":"heart_rate_recovery_one_minute","unit_sent":"{count}","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":-50,"plausible_high":150},
{"measure":"heart_rate_recovery_one_minute","unit_sent":"bpm","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":-50,"plausible_high":150},
{"measure":"heart_rate_recovery_one_minute","unit_sent":"beats/min","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":-50,"plausible_high":150},
{"measure":"heart_rate_recovery_one_minute","unit_sent":"beats/minute","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":-50,"plausible_high":150},
{"measure":"heart_rate_recovery_one_minute","unit_sent":"count/min","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":-50,"plausible_high":150},
{"measure":"heart_rate_recovery_one_minute","unit_sent":"/min","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":-50,"plausible_high":150},
{"measure":"heart_rate_recovery_one_minute","unit_sent":"1/min","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":-50,"plausible_high":150},
{"measure":"heart_rate_recovery_one_minute","unit_sent":"{beats}/min","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":-50,"plausible_high":150},
{"measure":"heartrate","unit_sent":"","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":20,"plausible_high":300},
{"measure":"heartrate","unit_sent":"bpm","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":20,"plausible_high":300},
{"measure":"heartrate","unit_sent":"beats/min","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":20,"plausible_high":300},
{"measure":"heartrate","unit_sent":"beats/minute","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":20,"plausible_high":300},
{"measure":"heartrate","unit_sent":"count/min","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":20,"plausible_high":300},
{"measure":"heartrate","unit_sent":"/min","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":20,"plausible_high":300},
{"measure":"heartrate","unit_sent":"1/min","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":20,"plausible_high":300},
{"measure":"heartrate","unit_sent":"{beats}/min","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":20,"plausible_high":300},
{"measure":"hrv","unit_sent":"","minus":0,"times":1,"per":1,"unit":"ms","plausible_low":1,"plausible_high":500},
{"measure":"hrv","unit_sent":"rmssd","minus":0,"times":1,"per":1,"unit":"ms","plausible_low":1,"plausible_high":500},
{"measure":"hrv","unit_sent":"ms","minus":0,"times":1,"per":1,"unit":"ms","plausible_low":1,"plausible_high":500},
{"measure":"hrv","unit_sent":"msec","minus":0,"times":1,"per":1,"unit":"ms","plausible_low":1,"plausible_high":500},
{"measure":"hrv","unit_sent":"millisecond","minus":0,"times":1,"per":1,"unit":"ms","plausible_low":1,"plausible_high":500},
{"measure":"hrv","unit_sent":"milliseconds","minus":0,"times":1,"per":1,"unit":"ms","plausible_low":1,"plausible_high":500},
{"measure":"hrv","unit_sent":"s","minus":0,"times":1000,"per":1,"unit":"ms","plausible_low":1,"plausible_high":500},
{"measure":"hrv","unit_sent":"sec","minus":0,"times":1000,"per":1,"unit":"ms","plausible_low":1,"plausible_high":500},
{"measure":"hrv","unit_sent":"second","minus":0,"times":1000,"per":1,"unit":"ms","plausible_low":1,"plausible_high":500},
{"measure":"hrv","unit_sent":"seconds","minus":0,"times":1000,"per":1,"unit":"ms","plausible_low":1,"plausible_high":500},
{"measure":"ige","unit_sent":"","minus":0,"times":1,"per":1,"unit":"{FSU}","plausible_low":0,"plausible_high":1000000},
{"measure":"ige","unit_sent":"fsu","minus":0,"times":1,"per":1,"unit":"{FSU}","plausible_low":0,"plausible_high":1000000},
{"measure":"igg","unit_sent":"","minus":0,"times":1,"per":1,"unit":"{FSU}","plausible_low":0,"plausible_high":1000000},
{"measure":"igg","unit_sent":"fsu","minus":0,"times":1,"per":1,"unit":"{FSU}","plausible_low":0,"plausible_high":1000000},
{"measure":"inhaler_usage","unit_sent":"","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":100},
{"measure":"inhaler_usage","unit_sent":"count","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":100},
{"measure":"inhaler_usage","unit_sent":"counts","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":100},
{"measure":"inhaler_usage","unit_sent":"{count}","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":100},
{"measure":"insulin_injection","unit_sent":"","minus":0,"times":1,"per":1,"unit":"[iU]","plausible_low":0,"plausible_high":500},
{"measure":"insulin_injection","unit_sent":"unit","minus":0,"times":1,"per":1,"unit":"[iU]","plausible_low":0,"plausible_high":500},
{"measure":"insulin_injection","unit_sent":"units","minus":0,"times":1,"per":1,"unit":"[iU]","plausible_low":0,"plausible_high":500},
{"measure":"insulin_injection","unit_sent":"iu","minus":0,"times":1,"per":1,"unit":"[iU]","plausible_low":0,"plausible_high":500},
{"measure":"insulin_injection","unit_sent":"[iu]","minus":0,"times":1,"per":1,"unit":"[iU]","plausible_low":0,"plausible_high":500},
{"measure":"insulin_injection","unit_sent":"u","minus":0,"times":1,"per":1,"unit":"[iU]","plausible_low":0,"plausible_high":500},
{"measure":"insulin_injection.long_acting","unit_sent":"","minus":0,"times":1,"per":1,"unit":"[iU]","plausible_low":0,"plausible_high":500},
{"measure":"insulin_injection.long_acting","unit_sent":"unit","minus":0,"times":1,"per":1,"unit":"[iU]","plausible_low":0,"plausible_high":500},
{"measure":"insulin_injection.long_acting","unit_sent":"units","minus":0,"times":1,"per":1,"unit":"[iU]","plausible_low":0,"plausible_high":500},
{"measure":"insulin_injection.long_acting","unit_sent":"iu","minus":0,"times":1,"per":1,"unit":"[iU]","plausible_low":0,"plausible_high":500},
{"measure":"insulin_injection.long_acting","unit_sent":"[iu]","minus":0,"times":1,"per":1,"unit":"[iU]","plausible_low":0,"plausible_high":500},
{"measure":"insulin_injection.long_acting","unit_sent":"u","minus":0,"times":1,"per":1,"unit":"[iU]","plausible_low":0,"plausible_high":500},
{"measure":"insulin_injection.rapid_acting","unit_sent":"","minus":0,"times":1,"per":1,"unit":"[iU]","plausible_low":0,"plausible_high":500},
{"measure":"insulin_injection.rapid_acting","unit_sent":"unit","minus":0,"times":1,"per":1,"unit":"[iU]","plausible_low":0,"plausible_high":500},
{"measure":"insulin_injection.rapid_acting","unit_sent":"units","minus":0,"times":1,"per":1,"unit":"[iU]","plausible_low":0,"plausible_high":500},
{"measure":"insulin_injection.rapid_acting","unit_sent":"iu","minus":0,"times":1,"per":1,"unit":"[iU]","plausible_low":0,"plausible_high":500},
{"measure":"insulin_injection.rapid_acting","unit_sent":"[iu]","minus":0,"times":1,"per":1,"unit":"[iU]","plausible_low":0,"plausible_high":500},
{"measure":"insulin_injection.rapid_acting","unit_sent":"u","minus":0,"times":1,"per":1,"unit":"[iU]","plausible_low":0,"plausible_high":500},
{"measure":"lean_body_mass","unit_sent":"","minus":0,"times":1,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"lean_body_mass","unit_sent":"kg","minus":0,"times":1,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"lean_body_mass","unit_sent":"kilogram","minus":0,"times":1,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"lean_body_mass","unit_sent":"kilograms","minus":0,"times":1,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"lean_body_mass","unit_sent":"g","minus":0,"times":1,"per":1000,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"lean_body_mass","unit_sent":"gram","minus":0,"times":1,"per":1000,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"lean_body_mass","unit_sent":"grams","minus":0,"times":1,"per":1000,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"lean_body_mass","unit_sent":"lb","minus":0,"times":0.45359237,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"lean_body_mass","unit_sent":"lbs","minus":0,"times":0.45359237,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"lean_body_mass","unit_sent":"pound","minus":0,"times":0.45359237,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"lean_body_mass","unit_sent":"pounds","minus":0,"times":0.45359237,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"lean_body_mass","unit_sent":"[lb_av]","minus":0,"times":0.45359237,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"lean_body_mass","unit_sent":"st","minus":0,"times":6.35029318,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"lean_body_mass","unit_sent":"stone","minus":0,"times":6.35029318,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"lean_body_mass","unit_sent":"stones","minus":0,"times":6.35029318,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"lean_body_mass","unit_sent":"[stone_av]","minus":0,"times":6.35029318,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"lean_body_mass","unit_sent":"oz","minus":0,"times":0.028349523125,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"lean_body_mass","unit_sent":"ounce","minus":0,"times":0.028349523125,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"lean_body_mass","unit_sent":"ounces","minus":0,"times":0.028349523125,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"lean_body_mass","unit_sent":"[oz_av]","minus":0,"times":0.028349523125,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"meal.alcohol_g","unit_sent":"","minus":0,"times":1,"per":1,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"meal.carbs_g","unit_sent":"","minus":0,"times":1,"per":1,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"meal.cholesterol_g","unit_sent":"","minus":0,"times":1,"per":1,"unit":"g","plausible_low":0,"plausible_high":20},
{"measure":"meal.energy_kcal","unit_sent":"","minus":0,"times":1,"per":1,"unit":"kcal","plausible_low":0,"plausible_high":20000},
{"measure":"meal.fat_monounsaturated_g","unit_sent":"","minus":0,"times":1,"per":1,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"meal.fat_omega3_g","unit_sent":"","minus":0,"times":1,"per":1,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"meal.fat_omega6_g","unit_sent":"","minus":0,"times":1,"per":1,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"meal.fat_polyunsaturated_g","unit_sent":"","minus":0,"times":1,"per":1,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"meal.fat_saturated_g","unit_sent":"","minus":0,"times":1,"per":1,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"meal.fat_total_g","unit_sent":"","minus":0,"times":1,"per":1,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"meal.fibre_g","unit_sent":"","minus":0,"times":1,"per":1,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"meal.protein_g","unit_sent":"","minus":0,"times":1,"per":1,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"meal.sugar_g","unit_sent":"","minus":0,"times":1,"per":1,"unit":"g","plausible_low":0,"plausible_high":2000},
{"measure":"meal.water_g","unit_sent":"","minus":0,"times":1,"per":1,"unit":"g","plausible_low":0,"plausible_high":20000},
{"measure":"mindfulness_minutes","unit_sent":"","minus":0,"times":1,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"mindfulness_minutes","unit_sent":"min","minus":0,"times":1,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"mindfulness_minutes","unit_sent":"mins","minus":0,"times":1,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"mindfulness_minutes","unit_sent":"minute","minus":0,"times":1,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"mindfulness_minutes","unit_sent":"minutes","minus":0,"times":1,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"mindfulness_minutes","unit_sent":"s","minus":0,"times":1,"per":60,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"mindfulness_minutes","unit_sent":"sec","minus":0,"times":1,"per":60,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"mindfulness_minutes","unit_sent":"secs","minus":0,"times":1,"per":60,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"mindfulness_minutes","unit_sent":"second","minus":0,"times":1,"per":60,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"mindfulness_minutes","unit_sent":"seconds","minus":0,"times":1,"per":60,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"mindfulness_minutes","unit_sent":"h","minus":0,"times":60,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"mindfulness_minutes","unit_sent":"hr","minus":0,"times":60,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"mindfulness_minutes","unit_sent":"hrs","minus":0,"times":60,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"mindfulness_minutes","unit_sent":"hour","minus":0,"times":60,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"mindfulness_minutes","unit_sent":"hours","minus":0,"times":60,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"peak_expiratory_flow_rate","unit_sent":"","minus":0,"times":1,"per":1,"unit":"L/min","plausible_low":20,"plausible_high":1200},
{"measure":"peak_expiratory_flow_rate","unit_sent":"l/min","minus":0,"times":1,"per":1,"unit":"L/min","plausible_low":20,"plausible_high":1200},
{"measure":"peak_expiratory_flow_rate","unit_sent":"l/s","minus":0,"times":60,"per":1,"unit":"L/min","plausible_low":20,"plausible_high":1200},
{"measure":"profile.height_cm","unit_sent":"","minus":0,"times":1,"per":1,"unit":"cm","plausible_low":25,"plausible_high":280},
{"measure":"respiratory_rate","unit_sent":"","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":2,"plausible_high":100},
{"measure":"respiratory_rate","unit_sent":"bpm","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":2,"plausible_high":100},
{"measure":"respiratory_rate","unit_sent":"brpm","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":2,"plausible_high":100},
{"measure":"respiratory_rate","unit_sent":"breaths/min","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":2,"plausible_high":100},
{"measure":"respiratory_rate","unit_sent":"breaths/minute","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":2,"plausible_high":100},
{"measure":"respiratory_rate","unit_sent":"count/min","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":2,"plausible_high":100},
{"measure":"respiratory_rate","unit_sent":"/min","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":2,"plausible_high":100},
{"measure":"respiratory_rate","unit_sent":"1/min","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":2,"plausible_high":100},
{"measure":"respiratory_rate","unit_sent":"{breaths}/min","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":2,"plausible_high":100},
{"measure":"sleep.average_hrv_ms","unit_sent":"","minus":0,"times":1,"per":1,"unit":"ms","plausible_low":1,"plausible_high":500},
{"measure":"sleep.awake_s","unit_sent":"","minus":0,"times":1,"per":1,"unit":"s","plausible_low":0,"plausible_high":86400},
{"measure":"sleep.deep_s","unit_sent":"","minus":0,"times":1,"per":1,"unit":"s","plausible_low":0,"plausible_high":86400},
{"measure":"sleep.duration_s","unit_sent":"","minus":0,"times":1,"per":1,"unit":"s","plausible_low":60,"plausible_high":86400},
{"measure":"sleep.efficiency","unit_sent":"","minus":0,"times":1,"per":1,"unit":"1","plausible_low":0.01,"plausible_high":1},
{"measure":"sleep.hr_average_bpm","unit_sent":"","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":20,"plausible_high":300},
{"measure":"sleep.hr_dip_pct","unit_sent":"","minus":0,"times":1,"per":1,"unit":"%","plausible_low":-50,"plausible_high":100},
{"measure":"sleep.hr_lowest_bpm","unit_sent":"","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":20,"plausible_high":300},
{"measure":"sleep.hr_resting_bpm","unit_sent":"","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":20,"plausible_high":300},
{"measure":"sleep.latency_s","unit_sent":"","minus":0,"times":1,"per":1,"unit":"s","plausible_low":0,"plausible_high":86400},
{"measure":"sleep.light_s","unit_sent":"","minus":0,"times":1,"per":1,"unit":"s","plausible_low":0,"plausible_high":86400},
{"measure":"sleep.recovery_readiness_score","unit_sent":"","minus":0,"times":1,"per":1,"unit":"{score}","plausible_low":1,"plausible_high":100},
{"measure":"sleep.rem_s","unit_sent":"","minus":0,"times":1,"per":1,"unit":"s","plausible_low":0,"plausible_high":86400},
{"measure":"sleep.respiratory_rate_per_min","unit_sent":"","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":2,"plausible_high":100},
{"measure":"sleep.score","unit_sent":"","minus":0,"times":1,"per":1,"unit":"{score}","plausible_low":1,"plausible_high":100},
{"measure":"sleep.skin_temperature_c","unit_sent":"","minus":0,"times":1,"per":1,"unit":"Cel","plausible_low":10,"plausible_high":45},
{"measure":"sleep.temperature_delta_c","unit_sent":"","minus":0,"times":1,"per":1,"unit":"K","plausible_low":-15,"plausible_high":15},
{"measure":"sleep.total_s","unit_sent":"","minus":0,"times":1,"per":1,"unit":"s","plausible_low":60,"plausible_high":86400},
{"measure":"sleep_apnea_alert","unit_sent":"","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":1},
{"measure":"sleep_apnea_alert","unit_sent":"count","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":1},
{"measure":"sleep_apnea_alert","unit_sent":"counts","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":1},
{"measure":"sleep_apnea_alert","unit_sent":"{count}","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":1},
{"measure":"sleep_breathing_disturbance","unit_sent":"","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":200},
{"measure":"sleep_breathing_disturbance","unit_sent":"count","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":200},
{"measure":"sleep_breathing_disturbance","unit_sent":"counts","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":200},
{"measure":"sleep_breathing_disturbance","unit_sent":"{count}","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":200},
{"measure":"sleep_breathing_disturbance.elevated","unit_sent":"","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":200},
{"measure":"sleep_breathing_disturbance.elevated","unit_sent":"count","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":200},
{"measure":"sleep_breathing_disturbance.elevated","unit_sent":"counts","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":200},
{"measure":"sleep_breathing_disturbance.elevated","unit_sent":"{count}","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":200},
{"measure":"sleep_breathing_disturbance.not_elevated","unit_sent":"","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":200},
{"measure":"sleep_breathing_disturbance.not_elevated","unit_sent":"count","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":200},
{"measure":"sleep_breathing_disturbance.not_elevated","unit_sent":"counts","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":200},
{"measure":"sleep_breathing_disturbance.not_elevated","unit_sent":"{count}","minus":0,"times":1,"per":1,"unit":"{events}","plausible_low":0,"plausible_high":200},
{"measure":"stand_duration","unit_sent":"","minus":0,"times":1,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"stand_duration","unit_sent":"min","minus":0,"times":1,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"stand_duration","unit_sent":"mins","minus":0,"times":1,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"stand_duration","unit_sent":"minute","minus":0,"times":1,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"stand_duration","unit_sent":"minutes","minus":0,"times":1,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"stand_duration","unit_sent":"s","minus":0,"times":1,"per":60,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"stand_duration","unit_sent":"sec","minus":0,"times":1,"per":60,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"stand_duration","unit_sent":"secs","minus":0,"times":1,"per":60,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"stand_duration","unit_sent":"second","minus":0,"times":1,"per":60,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"stand_duration","unit_sent":"seconds","minus":0,"times":1,"per":60,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"stand_duration","unit_sent":"h","minus":0,"times":60,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"stand_duration","unit_sent":"hr","minus":0,"times":60,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"stand_duration","unit_sent":"hrs","minus":0,"times":60,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"stand_duration","unit_sent":"hour","minus":0,"times":60,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"stand_duration","unit_sent":"hours","minus":0,"times":60,"per":1,"unit":"min","plausible_low":0,"plausible_high":1500},
{"measure":"stand_hour","unit_sent":"","minus":0,"times":1,"per":1,"unit":"{hours}","plausible_low":0,"plausible_high":25},
{"measure":"stand_hour","unit_sent":"count","minus":0,"times":1,"per":1,"unit":"{hours}","plausible_low":0,"plausible_high":25},
{"measure":"stand_hour","unit_sent":"counts","minus":0,"times":1,"per":1,"unit":"{hours}","plausible_low":0,"plausible_high":25},
{"measure":"stand_hour","unit_sent":"{count}","minus":0,"times":1,"per":1,"unit":"{hours}","plausible_low":0,"plausible_high":25},
{"measure":"stand_hour","unit_sent":"hour","minus":0,"times":1,"per":1,"unit":"{hours}","plausible_low":0,"plausible_high":25},
{"measure":"stand_hour","unit_sent":"hours","minus":0,"times":1,"per":1,"unit":"{hours}","plausible_low":0,"plausible_high":25},
{"measure":"stand_hour.idle","unit_sent":"","minus":0,"times":1,"per":1,"unit":"{hours}","plausible_low":0,"plausible_high":25},
{"measure":"stand_hour.idle","unit_sent":"count","minus":0,"times":1,"per":1,"unit":"{hours}","plausible_low":0,"plausible_high":25},
{"measure":"stand_hour.idle","unit_sent":"counts","minus":0,"times":1,"per":1,"unit":"{hours}","plausible_low":0,"plausible_high":25},
{"measure":"stand_hour.idle","unit_sent":"{count}","minus":0,"times":1,"per":1,"unit":"{hours}","plausible_low":0,"plausible_high":25},
{"measure":"stand_hour.idle","unit_sent":"hour","minus":0,"times":1,"per":1,"unit":"{hours}","plausible_low":0,"plausible_high":25},
{"measure":"stand_hour.idle","unit_sent":"hours","minus":0,"times":1,"per":1,"unit":"{hours}","plausible_low":0,"plausible_high":25},
{"measure":"stand_hour.stood","unit_sent":"","minus":0,"times":1,"per":1,"unit":"{hours}","plausible_low":0,"plausible_high":25},
{"measure":"stand_hour.stood","unit_sent":"count","minus":0,"times":1,"per":1,"unit":"{hours}","plausible_low":0,"plausible_high":25},
{"measure":"stand_hour.stood","unit_sent":"counts","minus":0,"times":1,"per":1,"unit":"{hours}","plausible_low":0,"plausible_high":25},
{"measure":"stand_hour.stood","unit_sent":"{count}","minus":0,"times":1,"per":1,"unit":"{hours}","plausible_low":0,"plausible_high":25},
{"measure":"stand_hour.stood","unit_sent":"hour","minus":0,"times":1,"per":1,"unit":"{hours}","plausible_low":0,"plausible_high":25},
{"measure":"stand_hour.stood","unit_sent":"hours","minus":0,"times":1,"per":1,"unit":"{hours}","plausible_low":0,"plausible_high":25},
{"measure":"steps","unit_sent":"","minus":0,"times":1,"per":1,"unit":"{steps}","plausible_low":0,"plausible_high":250000},
{"measure":"steps","unit_sent":"count","minus":0,"times":1,"per":1,"unit":"{steps}","plausible_low":0,"plausible_high":250000},
{"measure":"steps","unit_sent":"counts","minus":0,"times":1,"per":1,"unit":"{steps}","plausible_low":0,"plausible_high":250000},
{"measure":"steps","unit_sent":"{count}","minus":0,"times":1,"per":1,"unit":"{steps}","plausible_low":0,"plausible_high":250000},
{"measure":"steps","unit_sent":"step","minus":0,"times":1,"per":1,"unit":"{steps}","plausible_low":0,"plausible_high":250000},
{"measure":"steps","unit_sent":"steps","minus":0,"times":1,"per":1,"unit":"{steps}","plausible_low":0,"plausible_high":250000},
{"measure":"stress_level","unit_sent":"","minus":0,"times":1,"per":1,"unit":"%","plausible_low":0,"plausible_high":100},
{"measure":"stress_level","unit_sent":"%","minus":0,"times":1,"per":1,"unit":"%","plausible_low":0,"plausible_high":100},
{"measure":"stress_level","unit_sent":"percent","minus":0,"times":1,"per":1,"unit":"%","plausible_low":0,"plausible_high":100},
{"measure":"stress_level","unit_sent":"percentage","minus":0,"times":1,"per":1,"unit":"%","plausible_low":0,"plausible_high":100},
{"measure":"stress_level","unit_sent":"pct","minus":0,"times":1,"per":1,"unit":"%","plausible_low":0,"plausible_high":100},
{"measure":"uv_exposure","unit_sent":"","minus":0,"times":1,"per":1,"unit":"{index}","plausible_low":0,"plausible_high":45},
{"measure":"uv_exposure","unit_sent":"index","minus":0,"times":1,"per":1,"unit":"{index}","plausible_low":0,"plausible_high":45},
{"measure":"vo2_max","unit_sent":"","minus":0,"times":1,"per":1,"unit":"mL/kg/min","plausible_low":5,"plausible_high":100},
{"measure":"vo2_max","unit_sent":"ml/kg/min","minus":0,"times":1,"per":1,"unit":"mL/kg/min","plausible_low":5,"plausible_high":100},
{"measure":"vo2_max","unit_sent":"ml/min/kg","minus":0,"times":1,"per":1,"unit":"mL/kg/min","plausible_low":5,"plausible_high":100},
{"measure":"vo2_max","unit_sent":"ml/(kg*min)","minus":0,"times":1,"per":1,"unit":"mL/kg/min","plausible_low":5,"plausible_high":100},
{"measure":"vo2_max","unit_sent":"ml/(kg.min)","minus":0,"times":1,"per":1,"unit":"mL/kg/min","plausible_low":5,"plausible_high":100},
{"measure":"vo2_max","unit_sent":"ml/(kg·min)","minus":0,"times":1,"per":1,"unit":"mL/kg/min","plausible_low":5,"plausible_high":100},
{"measure":"vo2_max","unit_sent":"ml/kg·min","minus":0,"times":1,"per":1,"unit":"mL/kg/min","plausible_low":5,"plausible_high":100},
{"measure":"vo2_max","unit_sent":"ml/kg*min","minus":0,"times":1,"per":1,"unit":"mL/kg/min","plausible_low":5,"plausible_high":100},
{"measure":"waist_circumference","unit_sent":"","minus":0,"times":1,"per":1,"unit":"cm","plausible_low":15,"plausible_high":320},
{"measure":"waist_circumference","unit_sent":"cm","minus":0,"times":1,"per":1,"unit":"cm","plausible_low":15,"plausible_high":320},
{"measure":"waist_circumference","unit_sent":"centimeter","minus":0,"times":1,"per":1,"unit":"cm","plausible_low":15,"plausible_high":320},
{"measure":"waist_circumference","unit_sent":"centimeters","minus":0,"times":1,"per":1,"unit":"cm","plausible_low":15,"plausible_high":320},
{"measure":"waist_circumference","unit_sent":"centimetre","minus":0,"times":1,"per":1,"unit":"cm","plausible_low":15,"plausible_high":320},
{"measure":"waist_circumference","unit_sent":"centimetres","minus":0,"times":1,"per":1,"unit":"cm","plausible_low":15,"plausible_high":320},
{"measure":"waist_circumference","unit_sent":"m","minus":0,"times":100,"per":1,"unit":"cm","plausible_low":15,"plausible_high":320},
{"measure":"waist_circumference","unit_sent":"meter","minus":0,"times":100,"per":1,"unit":"cm","plausible_low":15,"plausible_high":320},
{"measure":"waist_circumference","unit_sent":"meters","minus":0,"times":100,"per":1,"unit":"cm","plausible_low":15,"plausible_high":320},
{"measure":"waist_circumference","unit_sent":"metre","minus":0,"times":100,"per":1,"unit":"cm","plausible_low":15,"plausible_high":320},
{"measure":"waist_circumference","unit_sent":"metres","minus":0,"times":100,"per":1,"unit":"cm","plausible_low":15,"plausible_high":320},
{"measure":"waist_circumference","unit_sent":"mm","minus":0,"times":1,"per":10,"unit":"cm","plausible_low":15,"plausible_high":320},
{"measure":"waist_circumference","unit_sent":"millimeter","minus":0,"times":1,"per":10,"unit":"cm","plausible_low":15,"plausible_high":320},
{"measure":"waist_circumference","unit_sent":"millimeters","minus":0,"times":1,"per":10,"unit":"cm","plausible_low":15,"plausible_high":320},
{"measure":"waist_circumference","unit_sent":"millimetre","minus":0,"times":1,"per":10,"unit":"cm","plausible_low":15,"plausible_high":320},
{"measure":"waist_circumference","unit_sent":"millimetres","minus":0,"times":1,"per":10,"unit":"cm","plausible_low":15,"plausible_high":320},
{"measure":"waist_circumference","unit_sent":"in","minus":0,"times":2.54,"per":1,"unit":"cm","plausible_low":15,"plausible_high":320},
{"measure":"waist_circumference","unit_sent":"inch","minus":0,"times":2.54,"per":1,"unit":"cm","plausible_low":15,"plausible_high":320},
{"measure":"waist_circumference","unit_sent":"inches","minus":0,"times":2.54,"per":1,"unit":"cm","plausible_low":15,"plausible_high":320},
{"measure":"waist_circumference","unit_sent":"[in_i]","minus":0,"times":2.54,"per":1,"unit":"cm","plausible_low":15,"plausible_high":320},
{"measure":"waist_circumference","unit_sent":"ft","minus":0,"times":30.48,"per":1,"unit":"cm","plausible_low":15,"plausible_high":320},
{"measure":"waist_circumference","unit_sent":"foot","minus":0,"times":30.48,"per":1,"unit":"cm","plausible_low":15,"plausible_high":320},
{"measure":"waist_circumference","unit_sent":"feet","minus":0,"times":30.48,"per":1,"unit":"cm","plausible_low":15,"plausible_high":320},
{"measure":"waist_circumference","unit_sent":"[ft_i]","minus":0,"times":30.48,"per":1,"unit":"cm","plausible_low":15,"plausible_high":320},
{"measure":"water","unit_sent":"","minus":0,"times":1,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"water","unit_sent":"ml","minus":0,"times":1,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"water","unit_sent":"milliliter","minus":0,"times":1,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"water","unit_sent":"milliliters","minus":0,"times":1,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"water","unit_sent":"millilitre","minus":0,"times":1,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"water","unit_sent":"millilitres","minus":0,"times":1,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"water","unit_sent":"l","minus":0,"times":1000,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"water","unit_sent":"liter","minus":0,"times":1000,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"water","unit_sent":"liters","minus":0,"times":1000,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"water","unit_sent":"litre","minus":0,"times":1000,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"water","unit_sent":"litres","minus":0,"times":1000,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"water","unit_sent":"dl","minus":0,"times":100,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"water","unit_sent":"deciliter","minus":0,"times":100,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"water","unit_sent":"deciliters","minus":0,"times":100,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"water","unit_sent":"decilitre","minus":0,"times":100,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"water","unit_sent":"decilitres","minus":0,"times":100,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"water","unit_sent":"cl","minus":0,"times":10,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"water","unit_sent":"centiliter","minus":0,"times":10,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"water","unit_sent":"centiliters","minus":0,"times":10,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"water","unit_sent":"centilitre","minus":0,"times":10,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"water","unit_sent":"centilitres","minus":0,"times":10,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"water","unit_sent":"fl oz","minus":0,"times":29.5735295625,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"water","unit_sent":"fl_oz","minus":0,"times":29.5735295625,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"water","unit_sent":"floz","minus":0,"times":29.5735295625,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"water","unit_sent":"fl_oz_us","minus":0,"times":29.5735295625,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"water","unit_sent":"fl oz us","minus":0,"times":29.5735295625,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"water","unit_sent":"[foz_us]","minus":0,"times":29.5735295625,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"water","unit_sent":"fl_oz_imp","minus":0,"times":28.4130625,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"water","unit_sent":"fl oz imp","minus":0,"times":28.4130625,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"water","unit_sent":"fl oz uk","minus":0,"times":28.4130625,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"water","unit_sent":"[foz_br]","minus":0,"times":28.4130625,"per":1,"unit":"mL","plausible_low":0,"plausible_high":20000},
{"measure":"weight","unit_sent":"","minus":0,"times":1,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"weight","unit_sent":"kg","minus":0,"times":1,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"weight","unit_sent":"kilogram","minus":0,"times":1,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"weight","unit_sent":"kilograms","minus":0,"times":1,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"weight","unit_sent":"g","minus":0,"times":1,"per":1000,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"weight","unit_sent":"gram","minus":0,"times":1,"per":1000,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"weight","unit_sent":"grams","minus":0,"times":1,"per":1000,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"weight","unit_sent":"lb","minus":0,"times":0.45359237,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"weight","unit_sent":"lbs","minus":0,"times":0.45359237,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"weight","unit_sent":"pound","minus":0,"times":0.45359237,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"weight","unit_sent":"pounds","minus":0,"times":0.45359237,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"weight","unit_sent":"[lb_av]","minus":0,"times":0.45359237,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"weight","unit_sent":"st","minus":0,"times":6.35029318,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"weight","unit_sent":"stone","minus":0,"times":6.35029318,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"weight","unit_sent":"stones","minus":0,"times":6.35029318,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"weight","unit_sent":"[stone_av]","minus":0,"times":6.35029318,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"weight","unit_sent":"oz","minus":0,"times":0.028349523125,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"weight","unit_sent":"ounce","minus":0,"times":0.028349523125,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"weight","unit_sent":"ounces","minus":0,"times":0.028349523125,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"weight","unit_sent":"[oz_av]","minus":0,"times":0.028349523125,"per":1,"unit":"kg","plausible_low":0.3,"plausible_high":650},
{"measure":"wheelchair_push","unit_sent":"","minus":0,"times":1,"per":1,"unit":"{pushes}","plausible_low":0,"plausible_high":100000},
{"measure":"wheelchair_push","unit_sent":"count","minus":0,"times":1,"per":1,"unit":"{pushes}","plausible_low":0,"plausible_high":100000},
{"measure":"wheelchair_push","unit_sent":"counts","minus":0,"times":1,"per":1,"unit":"{pushes}","plausible_low":0,"plausible_high":100000},
{"measure":"wheelchair_push","unit_sent":"{count}","minus":0,"times":1,"per":1,"unit":"{pushes}","plausible_low":0,"plausible_high":100000},
{"measure":"wheelchair_push","unit_sent":"push","minus":0,"times":1,"per":1,"unit":"{pushes}","plausible_low":0,"plausible_high":100000},
{"measure":"wheelchair_push","unit_sent":"pushes","minus":0,"times":1,"per":1,"unit":"{pushes}","plausible_low":0,"plausible_high":100000},
{"measure":"workout_distance","unit_sent":"","minus":0,"times":1,"per":1,"unit":"m","plausible_low":0,"plausible_high":2000000},
{"measure":"workout_distance","unit_sent":"m","minus":0,"times":1,"per":1,"unit":"m","plausible_low":0,"plausible_high":2000000},
{"measure":"workout_distance","unit_sent":"meter","minus":0,"times":1,"per":1,"unit":"m","plausible_low":0,"plausible_high":2000000},
{"measure":"workout_distance","unit_sent":"meters","minus":0,"times":1,"per":1,"unit":"m","plausible_low":0,"plausible_high":2000000},
{"measure":"workout_distance","unit_sent":"metre","minus":0,"times":1,"per":1,"unit":"m","plausible_low":0,"plausible_high":2000000},
{"measure":"workout_distance","unit_sent":"metres","minus":0,"times":1,"per":1,"unit":"m","plausible_low":0,"plausible_high":2000000},
{"measure":"workout_distance","unit_sent":"km","minus":0,"times":1000,"per":1,"unit":"m","plausible_low":0,"plausible_high":2000000},
{"measure":"workout_distance","unit_sent":"kilometer","minus":0,"times":1000,"per":1,"unit":"m","plausible_low":0,"plausible_high":2000000},
{"measure":"workout_distance","unit_sent":"kilometers","minus":0,"times":1000,"per":1,"unit":"m","plausible_low":0,"plausible_high":2000000},
{"measure":"workout_distance","unit_sent":"kilometre","minus":0,"times":1000,"per":1,"unit":"m","plausible_low":0,"plausible_high":2000000},
{"measure":"workout_distance","unit_sent":"kilometres","minus":0,"times":1000,"per":1,"unit":"m","plausible_low":0,"plausible_high":2000000},
{"measure":"workout_distance","unit_sent":"cm","minus":0,"times":1,"per":100,"unit":"m","plausible_low":0,"plausible_high":2000000},
{"measure":"workout_distance","unit_sent":"centimeter","minus":0,"times":1,"per":100,"unit":"m","plausible_low":0,"plausible_high":2000000},
{"measure":"workout_distance","unit_sent":"centimeters","minus":0,"times":1,"per":100,"unit":"m","plausible_low":0,"plausible_high":2000000},
{"measure":"workout_distance","unit_sent":"centimetre","minus":0,"times":1,"per":100,"unit":"m","plausible_low":0,"plausible_high":2000000},
{"measure":"workout_distance","unit_sent":"centimetres","minus":0,"times":1,"per":100,"unit":"m","plausible_low":0,"plausible_high":2000000},
{"measure":"workout_distance","unit_sent":"mi","minus":0,"times":1609.344,"per":1,"unit":"m","plausible_low":0,"plausible_high":2000000},
{"measure":"workout_distance","unit_sent":"mile","minus":0,"times":1609.344,"per":1,"unit":"m","plausible_low":0,"plausible_high":2000000},
{"measure":"workout_distance","unit_sent":"miles","minus":0,"times":1609.344,"per":1,"unit":"m","plausible_low":0,"plausible_high":2000000},
{"measure":"workout_distance","unit_sent":"[mi_i]","minus":0,"times":1609.344,"per":1,"unit":"m","plausible_low":0,"plausible_high":2000000},
{"measure":"workout_distance","unit_sent":"yd","minus":0,"times":0.9144,"per":1,"unit":"m","plausible_low":0,"plausible_high":2000000},
{"measure":"workout_distance","unit_sent":"yard","minus":0,"times":0.9144,"per":1,"unit":"m","plausible_low":0,"plausible_high":2000000},
{"measure":"workout_distance","unit_sent":"yards","minus":0,"times":0.9144,"per":1,"unit":"m","plausible_low":0,"plausible_high":2000000},
{"measure":"workout_distance","unit_sent":"[yd_i]","minus":0,"times":0.9144,"per":1,"unit":"m","plausible_low":0,"plausible_high":2000000},
{"measure":"workout_distance","unit_sent":"ft","minus":0,"times":0.3048,"per":1,"unit":"m","plausible_low":0,"plausible_high":2000000},
{"measure":"workout_distance","unit_sent":"foot","minus":0,"times":0.3048,"per":1,"unit":"m","plausible_low":0,"plausible_high":2000000},
{"measure":"workout_distance","unit_sent":"feet","minus":0,"times":0.3048,"per":1,"unit":"m","plausible_low":0,"plausible_high":2000000},
{"measure":"workout_distance","unit_sent":"[ft_i]","minus":0,"times":0.3048,"per":1,"unit":"m","plausible_low":0,"plausible_high":2000000},
{"measure":"workout_duration","unit_sent":"","minus":0,"times":1,"per":1,"unit":"min","plausible_low":0,"plausible_high":10000},
{"measure":"workout_duration","unit_sent":"min","minus":0,"times":1,"per":1,"unit":"min","plausible_low":0,"plausible_high":10000},
{"measure":"workout_duration","unit_sent":"mins","minus":0,"times":1,"per":1,"unit":"min","plausible_low":0,"plausible_high":10000},
{"measure":"workout_duration","unit_sent":"minute","minus":0,"times":1,"per":1,"unit":"min","plausible_low":0,"plausible_high":10000},
{"measure":"workout_duration","unit_sent":"minutes","minus":0,"times":1,"per":1,"unit":"min","plausible_low":0,"plausible_high":10000},
{"measure":"workout_duration","unit_sent":"s","minus":0,"times":1,"per":60,"unit":"min","plausible_low":0,"plausible_high":10000},
{"measure":"workout_duration","unit_sent":"sec","minus":0,"times":1,"per":60,"unit":"min","plausible_low":0,"plausible_high":10000},
{"measure":"workout_duration","unit_sent":"secs","minus":0,"times":1,"per":60,"unit":"min","plausible_low":0,"plausible_high":10000},
{"measure":"workout_duration","unit_sent":"second","minus":0,"times":1,"per":60,"unit":"min","plausible_low":0,"plausible_high":10000},
{"measure":"workout_duration","unit_sent":"seconds","minus":0,"times":1,"per":60,"unit":"min","plausible_low":0,"plausible_high":10000},
{"measure":"workout_duration","unit_sent":"h","minus":0,"times":60,"per":1,"unit":"min","plausible_low":0,"plausible_high":10000},
{"measure":"workout_duration","unit_sent":"hr","minus":0,"times":60,"per":1,"unit":"min","plausible_low":0,"plausible_high":10000},
{"measure":"workout_duration","unit_sent":"hrs","minus":0,"times":60,"per":1,"unit":"min","plausible_low":0,"plausible_high":10000},
{"measure":"workout_duration","unit_sent":"hour","minus":0,"times":60,"per":1,"unit":"min","plausible_low":0,"plausible_high":10000},
{"measure":"workout_duration","unit_sent":"hours","minus":0,"times":60,"per":1,"unit":"min","plausible_low":0,"plausible_high":10000},
{"measure":"workout_swimming_stroke","unit_sent":"","minus":0,"times":1,"per":1,"unit":"{strokes}","plausible_low":0,"plausible_high":200000},
{"measure":"workout_swimming_stroke","unit_sent":"count","minus":0,"times":1,"per":1,"unit":"{strokes}","plausible_low":0,"plausible_high":200000},
{"measure":"workout_swimming_stroke","unit_sent":"counts","minus":0,"times":1,"per":1,"unit":"{strokes}","plausible_low":0,"plausible_high":200000},
{"measure":"workout_swimming_stroke","unit_sent":"{count}","minus":0,"times":1,"per":1,"unit":"{strokes}","plausible_low":0,"plausible_high":200000},
{"measure":"workout_swimming_stroke","unit_sent":"stroke","minus":0,"times":1,"per":1,"unit":"{strokes}","plausible_low":0,"plausible_high":200000},
{"measure":"workout_swimming_stroke","unit_sent":"strokes","minus":0,"times":1,"per":1,"unit":"{strokes}","plausible_low":0,"plausible_high":200000},
{"measure":"workouts.average_hr_bpm","unit_sent":"","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":20,"plausible_high":300},
{"measure":"workouts.average_speed_m_s","unit_sent":"","minus":0,"times":1,"per":1,"unit":"m/s","plausible_low":0,"plausible_high":80},
{"measure":"workouts.average_watts","unit_sent":"","minus":0,"times":1,"per":1,"unit":"W","plausible_low":0,"plausible_high":3000},
{"measure":"workouts.calories_kcal","unit_sent":"","minus":0,"times":1,"per":1,"unit":"kcal","plausible_low":0,"plausible_high":50000},
{"measure":"workouts.device_watts","unit_sent":"","minus":0,"times":1,"per":1,"unit":"W","plausible_low":0,"plausible_high":3000},
{"measure":"workouts.distance_m","unit_sent":"","minus":0,"times":1,"per":1,"unit":"m","plausible_low":0,"plausible_high":2000000},
{"measure":"workouts.elev_high_m","unit_sent":"","minus":0,"times":1,"per":1,"unit":"m","plausible_low":-450,"plausible_high":9000},
{"measure":"workouts.elev_low_m","unit_sent":"","minus":0,"times":1,"per":1,"unit":"m","plausible_low":-450,"plausible_high":9000},
{"measure":"workouts.max_hr_bpm","unit_sent":"","minus":0,"times":1,"per":1,"unit":"/min","plausible_low":20,"plausible_high":300},
{"measure":"workouts.max_speed_m_s","unit_sent":"","minus":0,"times":1,"per":1,"unit":"m/s","plausible_low":0,"plausible_high":80},
{"measure":"workouts.max_watts","unit_sent":"","minus":0,"times":1,"per":1,"unit":"W","plausible_low":0,"plausible_high":3000},
{"measure":"workouts.moving_time_s","unit_sent":"","minus":0,"times":1,"per":1,"unit":"s","plausible_low":0,"plausible_high":600000},
{"measure":"workouts.steps","unit_sent":"","minus":0,"times":1,"per":1,"unit":"{steps}","plausible_low":0,"plausible_high":500000},
{"measure":"workouts.total_elevation_gain_m","unit_sent":"","minus":0,"times":1,"per":1,"unit":"m","plausible_low":0,"plausible_high":50000},
{"measure":"workouts.weighted_average_watts","unit_sent":"","minus":0,"times":1,"per":1,"unit":"W","plausible_low":0,"plausible_high":3000}
]', '[{"measure":"varchar","unit_sent":"varchar","minus":"double","times":"double","per":"double","unit":"varchar","plausible_low":"double","plausible_high":"double"}]'), recursive := true);

create or replace view user_offset_days as
select user_id, local_date, timezone_offset_s, first_at, last_at, samples
from kept.user_offset_days;

create or replace view user_time_zones as
select user_id, from_at, to_at, time_zone, offset_s, basis
from kept.user_time_zones;

create or replace view timeseries_local as
select
  event_type, team_id, user_id, client_user_id, resource, provider, source_type, provider || '/' || source_type as source, source_app_id, source_device_id, source_sport, source_workout_id, source_name, source_logo, time_basis, data_user_id, data_source_id, legacy_provider, start_at, timezone_offset_s, end_at, value, sensor_location, intensity, delivery_mode, delivery_form, bolus_purpose, sample_type, unit, sample_id, sample_extra, extra, _received_at, _origin, _offset, _reader, _day, _loaded_at,
  cast(local_at as date) as local_date, local_date_basis, local_at, extract(hour from local_at) as local_hour, local_offset_s
from (
  select
    *,
    case
      when time_basis = 'floating' then make_timestamp(epoch_us(start_at) + 0 * 1000000)
      else make_timestamp(epoch_us(start_at) + local_offset_s * 1000000)
    end as local_at
  from (
    select
      samples.event_type, samples.team_id, samples.user_id, samples.client_user_id, samples.resource, samples.provider, samples.source_type, samples.source_app_id, samples.source_device_id, samples.source_sport, samples.source_workout_id, samples.source_name, samples.source_logo, samples.time_basis, samples.data_user_id, samples.data_source_id, samples.legacy_provider, samples.start_at, samples.timezone_offset_s, samples.end_at, samples.value, samples.sensor_location, samples.intensity, samples.delivery_mode, samples.delivery_form, samples.bolus_purpose, samples.sample_type, samples.unit, samples.sample_id, samples.sample_extra, samples.extra, samples._received_at, samples._origin, samples._offset, samples._reader, samples._day, samples._loaded_at,
      coalesce(samples.timezone_offset_s, zones.offset_s, spans.offset_s) as local_offset_s,
      case
        when samples.time_basis = 'floating' then 'floating'
        when samples.timezone_offset_s is not null then 'offset'
        when zones.offset_s is not null then 'zone'
        when spans.offset_s is not null then 'zone_offset'
        else 'none'
      end as local_date_basis
    from timeseries samples
    left join user_time_zones spans
      on spans.user_id = samples.user_id and spans.user_id = case when samples.timezone_offset_s is null then samples.user_id end
      and samples.start_at >= spans.from_at and samples.start_at < coalesce(spans.to_at, timestamptz '9999-12-31T23:59:59Z')
    left join time_zone_transitions zones on zones.zone = spans.time_zone and zones.time_basis = samples.time_basis and samples.start_at >= zones.from_at and samples.start_at < zones.to_at
  ) offsets
) timed;

create or replace view blood_pressure_local as
select
  event_type, team_id, user_id, client_user_id, resource, provider, source_type, provider || '/' || source_type as source, source_app_id, source_device_id, source_sport, source_workout_id, source_name, source_logo, time_basis, data_user_id, data_source_id, legacy_provider, start_at, timezone_offset_s, systolic_mmhg, diastolic_mmhg, grouping, sample_type, unit, sample_id, sample_extra, extra, _received_at, _origin, _offset, _reader, _day, _loaded_at,
  cast(local_at as date) as local_date, local_date_basis, local_at, extract(hour from local_at) as local_hour, local_offset_s
from (
  select
    *,
    case
      when time_basis = 'floating' then make_timestamp(epoch_us(start_at) + 0 * 1000000)
      else make_timestamp(epoch_us(start_at) + local_offset_s * 1000000)
    end as local_at
  from (
    select
      samples.event_type, samples.team_id, samples.user_id, samples.client_user_id, samples.resource, samples.provider, samples.source_type, samples.source_app_id, samples.source_device_id, samples.source_sport, samples.source_workout_id, samples.source_name, samples.source_logo, samples.time_basis, samples.data_user_id, samples.data_source_id, samples.legacy_provider, samples.start_at, samples.timezone_offset_s, samples.systolic_mmhg, samples.diastolic_mmhg, samples.grouping, samples.sample_type, samples.unit, samples.sample_id, samples.sample_extra, samples.extra, samples._received_at, samples._origin, samples._offset, samples._reader, samples._day, samples._loaded_at,
      coalesce(samples.timezone_offset_s, zones.offset_s, spans.offset_s) as local_offset_s,
      case
        when samples.time_basis = 'floating' then 'floating'
        when samples.timezone_offset_s is not null then 'offset'
        when zones.offset_s is not null then 'zone'
        when spans.offset_s is not null then 'zone_offset'
        else 'none'
      end as local_date_basis
    from blood_pressure samples
    left join user_time_zones spans
      on spans.user_id = samples.user_id and spans.user_id = case when samples.timezone_offset_s is null then samples.user_id end
      and samples.start_at >= spans.from_at and samples.start_at < coalesce(spans.to_at, timestamptz '9999-12-31T23:59:59Z')
    left join time_zone_transitions zones on zones.zone = spans.time_zone and zones.time_basis = samples.time_basis and samples.start_at >= zones.from_at and samples.start_at < zones.to_at
  ) offsets
) timed;

create or replace view notes_local as
select
  event_type, team_id, user_id, client_user_id, resource, provider, source_type, provider || '/' || source_type as source, source_app_id, source_device_id, source_sport, source_workout_id, source_name, source_logo, time_basis, data_user_id, data_source_id, legacy_provider, start_at, timezone_offset_s, end_at, text, tags, sample_type, unit, sample_id, sample_extra, extra, _received_at, _origin, _offset, _reader, _day, _loaded_at,
  cast(local_at as date) as local_date, local_date_basis, local_at, extract(hour from local_at) as local_hour, local_offset_s
from (
  select
    *,
    case
      when time_basis = 'floating' then make_timestamp(epoch_us(start_at) + 0 * 1000000)
      else make_timestamp(epoch_us(start_at) + local_offset_s * 1000000)
    end as local_at
  from (
    select
      samples.event_type, samples.team_id, samples.user_id, samples.client_user_id, samples.resource, samples.provider, samples.source_type, samples.source_app_id, samples.source_device_id, samples.source_sport, samples.source_workout_id, samples.source_name, samples.source_logo, samples.time_basis, samples.data_user_id, samples.data_source_id, samples.legacy_provider, samples.start_at, samples.timezone_offset_s, samples.end_at, samples.text, samples.tags, samples.sample_type, samples.unit, samples.sample_id, samples.sample_extra, samples.extra, samples._received_at, samples._origin, samples._offset, samples._reader, samples._day, samples._loaded_at,
      coalesce(samples.timezone_offset_s, zones.offset_s, spans.offset_s) as local_offset_s,
      case
        when samples.time_basis = 'floating' then 'floating'
        when samples.timezone_offset_s is not null then 'offset'
        when zones.offset_s is not null then 'zone'
        when spans.offset_s is not null then 'zone_offset'
        else 'none'
      end as local_date_basis
    from notes samples
    left join user_time_zones spans
      on spans.user_id = samples.user_id and spans.user_id = case when samples.timezone_offset_s is null then samples.user_id end
      and samples.start_at >= spans.from_at and samples.start_at < coalesce(spans.to_at, timestamptz '9999-12-31T23:59:59Z')
    left join time_zone_transitions zones on zones.zone = spans.time_zone and zones.time_basis = samples.time_basis and samples.start_at >= zones.from_at and samples.start_at < zones.to_at
  ) offsets
) timed;

create or replace view active_energy_burned as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kcal', 'kilocalorie', 'kilocalories') then value when coalesce(lower(trim(unit, ' ')), '') in ('kj', 'kilojoule', 'kilojoules') then value / 4.184 when coalesce(lower(trim(unit, ' ')), '') in ('j', 'joule', 'joules') then value / 4184 end as active_energy_burned_kcal,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kcal', 'kilocalorie', 'kilocalories') then value when coalesce(lower(trim(unit, ' ')), '') in ('kj', 'kilojoule', 'kilojoules') then value / 4.184 when coalesce(lower(trim(unit, ' ')), '') in ('j', 'joule', 'joules') then value / 4184 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kcal', 'kilocalorie', 'kilocalories', 'kj', 'kilojoule', 'kilojoules', 'j', 'joule', 'joules') then 'kcal' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'active_energy_burned';

create or replace view afib_burden as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '%', 'percent', 'percentage', 'pct') then value end as afib_burden_pct,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '%', 'percent', 'percentage', 'pct') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '%', 'percent', 'percentage', 'pct') then '%' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'afib_burden';

create or replace view basal_body_temperature as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '°c', 'c', 'cel', 'celsius', 'degc', 'deg c', 'degree celsius', 'degrees celsius') then value when coalesce(lower(trim(unit, ' ')), '') in ('°f', 'f', 'fahrenheit', 'degf', '[degf]', 'deg f', 'degree fahrenheit', 'degrees fahrenheit') then (value - 32) * 5 / 9 when coalesce(lower(trim(unit, ' ')), '') in ('k', 'kelvin') then (value - 273.15) end as basal_body_temperature_c,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '°c', 'c', 'cel', 'celsius', 'degc', 'deg c', 'degree celsius', 'degrees celsius') then value when coalesce(lower(trim(unit, ' ')), '') in ('°f', 'f', 'fahrenheit', 'degf', '[degf]', 'deg f', 'degree fahrenheit', 'degrees fahrenheit') then (value - 32) * 5 / 9 when coalesce(lower(trim(unit, ' ')), '') in ('k', 'kelvin') then (value - 273.15) end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '°c', 'c', 'cel', 'celsius', 'degc', 'deg c', 'degree celsius', 'degrees celsius', '°f', 'f', 'fahrenheit', 'degf', '[degf]', 'deg f', 'degree fahrenheit', 'degrees fahrenheit', 'k', 'kelvin') then 'Cel' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'basal_body_temperature';

create or replace view basal_energy_burned as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kcal', 'kilocalorie', 'kilocalories') then value when coalesce(lower(trim(unit, ' ')), '') in ('kj', 'kilojoule', 'kilojoules') then value / 4.184 when coalesce(lower(trim(unit, ' ')), '') in ('j', 'joule', 'joules') then value / 4184 end as basal_energy_burned_kcal,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kcal', 'kilocalorie', 'kilocalories') then value when coalesce(lower(trim(unit, ' ')), '') in ('kj', 'kilojoule', 'kilojoules') then value / 4.184 when coalesce(lower(trim(unit, ' ')), '') in ('j', 'joule', 'joules') then value / 4184 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kcal', 'kilocalorie', 'kilocalories', 'kj', 'kilojoule', 'kilojoules', 'j', 'joule', 'joules') then 'kcal' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'basal_energy_burned';

create or replace view blood_oxygen as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '%', 'percent', 'percentage', 'pct') then value end as blood_oxygen_pct,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '%', 'percent', 'percentage', 'pct') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '%', 'percent', 'percentage', 'pct') then '%' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'blood_oxygen';

create or replace view body_mass_index as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'index', 'kg/m2', 'kg/m²', 'kg/m^2') then value end as body_mass_index_index,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'index', 'kg/m2', 'kg/m²', 'kg/m^2') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'index', 'kg/m2', 'kg/m²', 'kg/m^2') then 'kg/m2' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'body_mass_index';

create or replace view body_temperature as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  sensor_location,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '°c', 'c', 'cel', 'celsius', 'degc', 'deg c', 'degree celsius', 'degrees celsius') then value when coalesce(lower(trim(unit, ' ')), '') in ('°f', 'f', 'fahrenheit', 'degf', '[degf]', 'deg f', 'degree fahrenheit', 'degrees fahrenheit') then (value - 32) * 5 / 9 when coalesce(lower(trim(unit, ' ')), '') in ('k', 'kelvin') then (value - 273.15) end as body_temperature_c,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '°c', 'c', 'cel', 'celsius', 'degc', 'deg c', 'degree celsius', 'degrees celsius') then value when coalesce(lower(trim(unit, ' ')), '') in ('°f', 'f', 'fahrenheit', 'degf', '[degf]', 'deg f', 'degree fahrenheit', 'degrees fahrenheit') then (value - 32) * 5 / 9 when coalesce(lower(trim(unit, ' ')), '') in ('k', 'kelvin') then (value - 273.15) end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '°c', 'c', 'cel', 'celsius', 'degc', 'deg c', 'degree celsius', 'degrees celsius', '°f', 'f', 'fahrenheit', 'degf', '[degf]', 'deg f', 'degree fahrenheit', 'degrees fahrenheit', 'k', 'kelvin') then 'Cel' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'body_temperature';

create or replace view body_temperature_delta as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  sensor_location,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '°c', 'c', 'cel', 'celsius', 'degc', 'deg c', 'degree celsius', 'degrees celsius', 'k', 'kelvin') then value when coalesce(lower(trim(unit, ' ')), '') in ('°f', 'f', 'fahrenheit', 'degf', '[degf]', 'deg f', 'degree fahrenheit', 'degrees fahrenheit') then value * 5 / 9 end as body_temperature_delta_c,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '°c', 'c', 'cel', 'celsius', 'degc', 'deg c', 'degree celsius', 'degrees celsius', 'k', 'kelvin') then value when coalesce(lower(trim(unit, ' ')), '') in ('°f', 'f', 'fahrenheit', 'degf', '[degf]', 'deg f', 'degree fahrenheit', 'degrees fahrenheit') then value * 5 / 9 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '°c', 'c', 'cel', 'celsius', 'degc', 'deg c', 'degree celsius', 'degrees celsius', 'k', 'kelvin', '°f', 'f', 'fahrenheit', 'degf', '[degf]', 'deg f', 'degree fahrenheit', 'degrees fahrenheit') then 'K' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'body_temperature_delta';

create or replace view caffeine as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'g', 'gram', 'grams') then value when coalesce(lower(trim(unit, ' ')), '') in ('mg', 'milligram', 'milligrams') then value / 1000 when coalesce(lower(trim(unit, ' ')), '') in ('µg', 'μg', 'ug', 'mcg', 'microgram', 'micrograms') then value / 1000000 when coalesce(lower(trim(unit, ' ')), '') in ('kg', 'kilogram', 'kilograms') then value * 1000 when coalesce(lower(trim(unit, ' ')), '') in ('oz', 'ounce', 'ounces', '[oz_av]') then value * 28.349523125 end as caffeine_g,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'g', 'gram', 'grams') then value when coalesce(lower(trim(unit, ' ')), '') in ('mg', 'milligram', 'milligrams') then value / 1000 when coalesce(lower(trim(unit, ' ')), '') in ('µg', 'μg', 'ug', 'mcg', 'microgram', 'micrograms') then value / 1000000 when coalesce(lower(trim(unit, ' ')), '') in ('kg', 'kilogram', 'kilograms') then value * 1000 when coalesce(lower(trim(unit, ' ')), '') in ('oz', 'ounce', 'ounces', '[oz_av]') then value * 28.349523125 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'g', 'gram', 'grams', 'mg', 'milligram', 'milligrams', 'µg', 'μg', 'ug', 'mcg', 'microgram', 'micrograms', 'kg', 'kilogram', 'kilograms', 'oz', 'ounce', 'ounces', '[oz_av]') then 'g' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'caffeine';

create or replace view calories_active as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kcal', 'kilocalorie', 'kilocalories') then value when coalesce(lower(trim(unit, ' ')), '') in ('kj', 'kilojoule', 'kilojoules') then value / 4.184 when coalesce(lower(trim(unit, ' ')), '') in ('j', 'joule', 'joules') then value / 4184 end as calories_active_kcal,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kcal', 'kilocalorie', 'kilocalories') then value when coalesce(lower(trim(unit, ' ')), '') in ('kj', 'kilojoule', 'kilojoules') then value / 4.184 when coalesce(lower(trim(unit, ' ')), '') in ('j', 'joule', 'joules') then value / 4184 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kcal', 'kilocalorie', 'kilocalories', 'kj', 'kilojoule', 'kilojoules', 'j', 'joule', 'joules') then 'kcal' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'calories_active';

create or replace view calories_basal as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kcal', 'kilocalorie', 'kilocalories') then value when coalesce(lower(trim(unit, ' ')), '') in ('kj', 'kilojoule', 'kilojoules') then value / 4.184 when coalesce(lower(trim(unit, ' ')), '') in ('j', 'joule', 'joules') then value / 4184 end as calories_basal_kcal,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kcal', 'kilocalorie', 'kilocalories') then value when coalesce(lower(trim(unit, ' ')), '') in ('kj', 'kilojoule', 'kilojoules') then value / 4.184 when coalesce(lower(trim(unit, ' ')), '') in ('j', 'joule', 'joules') then value / 4184 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kcal', 'kilocalorie', 'kilocalories', 'kj', 'kilojoule', 'kilojoules', 'j', 'joule', 'joules') then 'kcal' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'calories_basal';

create or replace view carbohydrates as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'g', 'gram', 'grams') then value when coalesce(lower(trim(unit, ' ')), '') in ('mg', 'milligram', 'milligrams') then value / 1000 when coalesce(lower(trim(unit, ' ')), '') in ('µg', 'μg', 'ug', 'mcg', 'microgram', 'micrograms') then value / 1000000 when coalesce(lower(trim(unit, ' ')), '') in ('kg', 'kilogram', 'kilograms') then value * 1000 when coalesce(lower(trim(unit, ' ')), '') in ('oz', 'ounce', 'ounces', '[oz_av]') then value * 28.349523125 end as carbohydrates_g,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'g', 'gram', 'grams') then value when coalesce(lower(trim(unit, ' ')), '') in ('mg', 'milligram', 'milligrams') then value / 1000 when coalesce(lower(trim(unit, ' ')), '') in ('µg', 'μg', 'ug', 'mcg', 'microgram', 'micrograms') then value / 1000000 when coalesce(lower(trim(unit, ' ')), '') in ('kg', 'kilogram', 'kilograms') then value * 1000 when coalesce(lower(trim(unit, ' ')), '') in ('oz', 'ounce', 'ounces', '[oz_av]') then value * 28.349523125 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'g', 'gram', 'grams', 'mg', 'milligram', 'milligrams', 'µg', 'μg', 'ug', 'mcg', 'microgram', 'micrograms', 'kg', 'kilogram', 'kilograms', 'oz', 'ounce', 'ounces', '[oz_av]') then 'g' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'carbohydrates';

create or replace view cholesterol as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when sample_type in ('cholesterol/hdl', 'cholesterol/ldl', 'cholesterol/total') then case when coalesce(lower(trim(unit, ' ')), '') in ('', 'mmol/l', 'mmol/liter', 'mmol/litre') then value when coalesce(lower(trim(unit, ' ')), '') in ('mg/dl', 'mg/100ml') then value / 38.67 end when sample_type in ('cholesterol/triglycerides') then case when coalesce(lower(trim(unit, ' ')), '') in ('', 'mmol/l', 'mmol/liter', 'mmol/litre') then value when coalesce(lower(trim(unit, ' ')), '') in ('mg/dl', 'mg/100ml') then value / 88.57 end else case when coalesce(lower(trim(unit, ' ')), '') in ('', 'mmol/l', 'mmol/liter', 'mmol/litre') then value end end as cholesterol_mmol_l,
  value,
  unit,
  case when sample_type in ('cholesterol/hdl', 'cholesterol/ldl', 'cholesterol/total') then case when coalesce(lower(trim(unit, ' ')), '') in ('', 'mmol/l', 'mmol/liter', 'mmol/litre') then value when coalesce(lower(trim(unit, ' ')), '') in ('mg/dl', 'mg/100ml') then value / 38.67 end when sample_type in ('cholesterol/triglycerides') then case when coalesce(lower(trim(unit, ' ')), '') in ('', 'mmol/l', 'mmol/liter', 'mmol/litre') then value when coalesce(lower(trim(unit, ' ')), '') in ('mg/dl', 'mg/100ml') then value / 88.57 end else case when coalesce(lower(trim(unit, ' ')), '') in ('', 'mmol/l', 'mmol/liter', 'mmol/litre') then value end end as value_canonical,
  case when sample_type in ('cholesterol/hdl', 'cholesterol/ldl', 'cholesterol/total', 'cholesterol/triglycerides') then case when coalesce(lower(trim(unit, ' ')), '') in ('', 'mmol/l', 'mmol/liter', 'mmol/litre', 'mg/dl', 'mg/100ml') then 'mmol/L' end else case when coalesce(lower(trim(unit, ' ')), '') in ('', 'mmol/l', 'mmol/liter', 'mmol/litre') then 'mmol/L' end end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'cholesterol';

create or replace view daylight_exposure as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'min', 'mins', 'minute', 'minutes') then value when coalesce(lower(trim(unit, ' ')), '') in ('s', 'sec', 'secs', 'second', 'seconds') then value / 60 when coalesce(lower(trim(unit, ' ')), '') in ('h', 'hr', 'hrs', 'hour', 'hours') then value * 60 end as daylight_exposure_min,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'min', 'mins', 'minute', 'minutes') then value when coalesce(lower(trim(unit, ' ')), '') in ('s', 'sec', 'secs', 'second', 'seconds') then value / 60 when coalesce(lower(trim(unit, ' ')), '') in ('h', 'hr', 'hrs', 'hour', 'hours') then value * 60 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'min', 'mins', 'minute', 'minutes', 's', 'sec', 'secs', 'second', 'seconds', 'h', 'hr', 'hrs', 'hour', 'hours') then 'min' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'daylight_exposure';

create or replace view distance as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'm', 'meter', 'meters', 'metre', 'metres') then value when coalesce(lower(trim(unit, ' ')), '') in ('km', 'kilometer', 'kilometers', 'kilometre', 'kilometres') then value * 1000 when coalesce(lower(trim(unit, ' ')), '') in ('cm', 'centimeter', 'centimeters', 'centimetre', 'centimetres') then value / 100 when coalesce(lower(trim(unit, ' ')), '') in ('mi', 'mile', 'miles', '[mi_i]') then value * 1609.344 when coalesce(lower(trim(unit, ' ')), '') in ('yd', 'yard', 'yards', '[yd_i]') then value * 0.9144 when coalesce(lower(trim(unit, ' ')), '') in ('ft', 'foot', 'feet', '[ft_i]') then value * 0.3048 end as distance_m,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'm', 'meter', 'meters', 'metre', 'metres') then value when coalesce(lower(trim(unit, ' ')), '') in ('km', 'kilometer', 'kilometers', 'kilometre', 'kilometres') then value * 1000 when coalesce(lower(trim(unit, ' ')), '') in ('cm', 'centimeter', 'centimeters', 'centimetre', 'centimetres') then value / 100 when coalesce(lower(trim(unit, ' ')), '') in ('mi', 'mile', 'miles', '[mi_i]') then value * 1609.344 when coalesce(lower(trim(unit, ' ')), '') in ('yd', 'yard', 'yards', '[yd_i]') then value * 0.9144 when coalesce(lower(trim(unit, ' ')), '') in ('ft', 'foot', 'feet', '[ft_i]') then value * 0.3048 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'm', 'meter', 'meters', 'metre', 'metres', 'km', 'kilometer', 'kilometers', 'kilometre', 'kilometres', 'cm', 'centimeter', 'centimeters', 'centimetre', 'centimetres', 'mi', 'mile', 'miles', '[mi_i]', 'yd', 'yard', 'yards', '[yd_i]', 'ft', 'foot', 'feet', '[ft_i]') then 'm' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'distance';

create or replace view distance_running_walking as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'm', 'meter', 'meters', 'metre', 'metres') then value when coalesce(lower(trim(unit, ' ')), '') in ('km', 'kilometer', 'kilometers', 'kilometre', 'kilometres') then value * 1000 when coalesce(lower(trim(unit, ' ')), '') in ('cm', 'centimeter', 'centimeters', 'centimetre', 'centimetres') then value / 100 when coalesce(lower(trim(unit, ' ')), '') in ('mi', 'mile', 'miles', '[mi_i]') then value * 1609.344 when coalesce(lower(trim(unit, ' ')), '') in ('yd', 'yard', 'yards', '[yd_i]') then value * 0.9144 when coalesce(lower(trim(unit, ' ')), '') in ('ft', 'foot', 'feet', '[ft_i]') then value * 0.3048 end as distance_running_walking_m,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'm', 'meter', 'meters', 'metre', 'metres') then value when coalesce(lower(trim(unit, ' ')), '') in ('km', 'kilometer', 'kilometers', 'kilometre', 'kilometres') then value * 1000 when coalesce(lower(trim(unit, ' ')), '') in ('cm', 'centimeter', 'centimeters', 'centimetre', 'centimetres') then value / 100 when coalesce(lower(trim(unit, ' ')), '') in ('mi', 'mile', 'miles', '[mi_i]') then value * 1609.344 when coalesce(lower(trim(unit, ' ')), '') in ('yd', 'yard', 'yards', '[yd_i]') then value * 0.9144 when coalesce(lower(trim(unit, ' ')), '') in ('ft', 'foot', 'feet', '[ft_i]') then value * 0.3048 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'm', 'meter', 'meters', 'metre', 'metres', 'km', 'kilometer', 'kilometers', 'kilometre', 'kilometres', 'cm', 'centimeter', 'centimeters', 'centimetre', 'centimetres', 'mi', 'mile', 'miles', '[mi_i]', 'yd', 'yard', 'yards', '[yd_i]', 'ft', 'foot', 'feet', '[ft_i]') then 'm' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'distance_running_walking';

create or replace view electrocardiogram_voltage as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'mv', 'millivolt', 'millivolts') then value when coalesce(lower(trim(unit, ' ')), '') in ('µv', 'μv', 'uv', 'microvolt', 'microvolts') then value / 1000 when coalesce(lower(trim(unit, ' ')), '') in ('v', 'volt', 'volts') then value * 1000 end as electrocardiogram_voltage_mv,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'mv', 'millivolt', 'millivolts') then value when coalesce(lower(trim(unit, ' ')), '') in ('µv', 'μv', 'uv', 'microvolt', 'microvolts') then value / 1000 when coalesce(lower(trim(unit, ' ')), '') in ('v', 'volt', 'volts') then value * 1000 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'mv', 'millivolt', 'millivolts', 'µv', 'μv', 'uv', 'microvolt', 'microvolts', 'v', 'volt', 'volts') then 'mV' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'electrocardiogram_voltage';

create or replace view fall as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then value end as fall_count,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then '{events}' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'fall';

create or replace view fat as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '%', 'percent', 'percentage', 'pct') then value end as fat_pct,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '%', 'percent', 'percentage', 'pct') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '%', 'percent', 'percentage', 'pct') then '%' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'fat';

create or replace view floors_climbed as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'floor', 'floors') then value end as floors_climbed_count,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'floor', 'floors') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'floor', 'floors') then '{floors}' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'floors_climbed';

create or replace view forced_expiratory_volume_1 as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'l', 'liter', 'liters', 'litre', 'litres') then value when coalesce(lower(trim(unit, ' ')), '') in ('ml', 'milliliter', 'milliliters', 'millilitre', 'millilitres') then value / 1000 end as forced_expiratory_volume_1_l,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'l', 'liter', 'liters', 'litre', 'litres') then value when coalesce(lower(trim(unit, ' ')), '') in ('ml', 'milliliter', 'milliliters', 'millilitre', 'millilitres') then value / 1000 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'l', 'liter', 'liters', 'litre', 'litres', 'ml', 'milliliter', 'milliliters', 'millilitre', 'millilitres') then 'L' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'forced_expiratory_volume_1';

create or replace view forced_vital_capacity as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'l', 'liter', 'liters', 'litre', 'litres') then value when coalesce(lower(trim(unit, ' ')), '') in ('ml', 'milliliter', 'milliliters', 'millilitre', 'millilitres') then value / 1000 end as forced_vital_capacity_l,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'l', 'liter', 'liters', 'litre', 'litres') then value when coalesce(lower(trim(unit, ' ')), '') in ('ml', 'milliliter', 'milliliters', 'millilitre', 'millilitres') then value / 1000 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'l', 'liter', 'liters', 'litre', 'litres', 'ml', 'milliliter', 'milliliters', 'millilitre', 'millilitres') then 'L' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'forced_vital_capacity';

create or replace view glucose as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'mmol/l', 'mmol/liter', 'mmol/litre') then value when coalesce(lower(trim(unit, ' ')), '') in ('mg/dl', 'mg/100ml') then value / 18.0182 end as glucose_mmol_l,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'mmol/l', 'mmol/liter', 'mmol/litre') then value when coalesce(lower(trim(unit, ' ')), '') in ('mg/dl', 'mg/100ml') then value / 18.0182 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'mmol/l', 'mmol/liter', 'mmol/litre', 'mg/dl', 'mg/100ml') then 'mmol/L' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'glucose';

create or replace view handwashing as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then value end as handwashing_count,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then '{events}' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'handwashing';

create or replace view heart_rate_alert as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then value end as heart_rate_alert_count,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then '{events}' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'heart_rate_alert';

create or replace view heart_rate_recovery_one_minute as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'bpm', 'beats/min', 'beats/minute', 'count/min', '/min', '1/min', '{beats}/min') then value end as heart_rate_recovery_one_minute_count,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'bpm', 'beats/min', 'beats/minute', 'count/min', '/min', '1/min', '{beats}/min') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'bpm', 'beats/min', 'beats/minute', 'count/min', '/min', '1/min', '{beats}/min') then '/min' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'heart_rate_recovery_one_minute';

create or replace view heartrate as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'bpm', 'beats/min', 'beats/minute', 'count/min', '/min', '1/min', '{beats}/min') then value end as heartrate_bpm,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'bpm', 'beats/min', 'beats/minute', 'count/min', '/min', '1/min', '{beats}/min') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'bpm', 'beats/min', 'beats/minute', 'count/min', '/min', '1/min', '{beats}/min') then '/min' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'heartrate';

create or replace view hrv as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'rmssd', 'ms', 'msec', 'millisecond', 'milliseconds') then value when coalesce(lower(trim(unit, ' ')), '') in ('s', 'sec', 'second', 'seconds') then value * 1000 end as hrv_rmssd_ms,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'rmssd', 'ms', 'msec', 'millisecond', 'milliseconds') then value when coalesce(lower(trim(unit, ' ')), '') in ('s', 'sec', 'second', 'seconds') then value * 1000 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'rmssd', 'ms', 'msec', 'millisecond', 'milliseconds', 's', 'sec', 'second', 'seconds') then 'ms' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'hrv';

create or replace view hypnogram as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'stage') then value end as hypnogram_stage,
  value,
  unit,
  case when false then value end as value_canonical,
  case when false then unit end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'hypnogram';

create or replace view ige as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'fsu') then value end as ige_fsu,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'fsu') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'fsu') then '{FSU}' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'ige';

create or replace view igg as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'fsu') then value end as igg_fsu,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'fsu') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'fsu') then '{FSU}' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'igg';

create or replace view inhaler_usage as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then value end as inhaler_usage_count,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then '{events}' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'inhaler_usage';

create or replace view insulin_injection as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  delivery_mode,
  delivery_form,
  bolus_purpose,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'unit', 'units', 'iu', '[iu]', 'u') then value end as insulin_injection_unit,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'unit', 'units', 'iu', '[iu]', 'u') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'unit', 'units', 'iu', '[iu]', 'u') then '[iU]' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'insulin_injection';

create or replace view lean_body_mass as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kg', 'kilogram', 'kilograms') then value when coalesce(lower(trim(unit, ' ')), '') in ('g', 'gram', 'grams') then value / 1000 when coalesce(lower(trim(unit, ' ')), '') in ('lb', 'lbs', 'pound', 'pounds', '[lb_av]') then value * 0.45359237 when coalesce(lower(trim(unit, ' ')), '') in ('st', 'stone', 'stones', '[stone_av]') then value * 6.35029318 when coalesce(lower(trim(unit, ' ')), '') in ('oz', 'ounce', 'ounces', '[oz_av]') then value * 0.028349523125 end as lean_body_mass_kg,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kg', 'kilogram', 'kilograms') then value when coalesce(lower(trim(unit, ' ')), '') in ('g', 'gram', 'grams') then value / 1000 when coalesce(lower(trim(unit, ' ')), '') in ('lb', 'lbs', 'pound', 'pounds', '[lb_av]') then value * 0.45359237 when coalesce(lower(trim(unit, ' ')), '') in ('st', 'stone', 'stones', '[stone_av]') then value * 6.35029318 when coalesce(lower(trim(unit, ' ')), '') in ('oz', 'ounce', 'ounces', '[oz_av]') then value * 0.028349523125 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kg', 'kilogram', 'kilograms', 'g', 'gram', 'grams', 'lb', 'lbs', 'pound', 'pounds', '[lb_av]', 'st', 'stone', 'stones', '[stone_av]', 'oz', 'ounce', 'ounces', '[oz_av]') then 'kg' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'lean_body_mass';

create or replace view mindfulness_minutes as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'min', 'mins', 'minute', 'minutes') then value when coalesce(lower(trim(unit, ' ')), '') in ('s', 'sec', 'secs', 'second', 'seconds') then value / 60 when coalesce(lower(trim(unit, ' ')), '') in ('h', 'hr', 'hrs', 'hour', 'hours') then value * 60 end as mindfulness_minutes_min,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'min', 'mins', 'minute', 'minutes') then value when coalesce(lower(trim(unit, ' ')), '') in ('s', 'sec', 'secs', 'second', 'seconds') then value / 60 when coalesce(lower(trim(unit, ' ')), '') in ('h', 'hr', 'hrs', 'hour', 'hours') then value * 60 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'min', 'mins', 'minute', 'minutes', 's', 'sec', 'secs', 'second', 'seconds', 'h', 'hr', 'hrs', 'hour', 'hours') then 'min' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'mindfulness_minutes';

create or replace view peak_expiratory_flow_rate as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'l/min') then value when coalesce(lower(trim(unit, ' ')), '') = 'l/s' then value * 60 end as peak_expiratory_flow_rate_l_min,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'l/min') then value when coalesce(lower(trim(unit, ' ')), '') = 'l/s' then value * 60 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'l/min', 'l/s') then 'L/min' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'peak_expiratory_flow_rate';

create or replace view respiratory_rate as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'bpm', 'brpm', 'breaths/min', 'breaths/minute', 'count/min', '/min', '1/min', '{breaths}/min') then value end as respiratory_rate_per_min,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'bpm', 'brpm', 'breaths/min', 'breaths/minute', 'count/min', '/min', '1/min', '{breaths}/min') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'bpm', 'brpm', 'breaths/min', 'breaths/minute', 'count/min', '/min', '1/min', '{breaths}/min') then '/min' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'respiratory_rate';

create or replace view sleep_apnea_alert as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then value end as sleep_apnea_alert_count,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then '{events}' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'sleep_apnea_alert';

create or replace view sleep_breathing_disturbance as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then value end as sleep_breathing_disturbance_count,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then '{events}' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'sleep_breathing_disturbance';

create or replace view stand_duration as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'min', 'mins', 'minute', 'minutes') then value when coalesce(lower(trim(unit, ' ')), '') in ('s', 'sec', 'secs', 'second', 'seconds') then value / 60 when coalesce(lower(trim(unit, ' ')), '') in ('h', 'hr', 'hrs', 'hour', 'hours') then value * 60 end as stand_duration_min,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'min', 'mins', 'minute', 'minutes') then value when coalesce(lower(trim(unit, ' ')), '') in ('s', 'sec', 'secs', 'second', 'seconds') then value / 60 when coalesce(lower(trim(unit, ' ')), '') in ('h', 'hr', 'hrs', 'hour', 'hours') then value * 60 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'min', 'mins', 'minute', 'minutes', 's', 'sec', 'secs', 'second', 'seconds', 'h', 'hr', 'hrs', 'hour', 'hours') then 'min' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'stand_duration';

create or replace view stand_hour as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'hour', 'hours') then value end as stand_hour_count,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'hour', 'hours') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'hour', 'hours') then '{hours}' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'stand_hour';

create or replace view steps as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'step', 'steps') then value end as steps_count,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'step', 'steps') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'step', 'steps') then '{steps}' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'steps';

create or replace view stress_level as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '%', 'percent', 'percentage', 'pct') then value end as stress_level_pct,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '%', 'percent', 'percentage', 'pct') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '%', 'percent', 'percentage', 'pct') then '%' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'stress_level';

create or replace view uv_exposure as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'index') then value end as uv_exposure_index,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'index') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'index') then '{index}' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'uv_exposure';

create or replace view vo2_max as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'ml/kg/min', 'ml/min/kg', 'ml/(kg*min)', 'ml/(kg.min)', 'ml/(kg·min)', 'ml/kg·min', 'ml/kg*min') then value end as vo2_max_ml_kg_min,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'ml/kg/min', 'ml/min/kg', 'ml/(kg*min)', 'ml/(kg.min)', 'ml/(kg·min)', 'ml/kg·min', 'ml/kg*min') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'ml/kg/min', 'ml/min/kg', 'ml/(kg*min)', 'ml/(kg.min)', 'ml/(kg·min)', 'ml/kg·min', 'ml/kg*min') then 'mL/kg/min' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'vo2_max';

create or replace view waist_circumference as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'cm', 'centimeter', 'centimeters', 'centimetre', 'centimetres') then value when coalesce(lower(trim(unit, ' ')), '') in ('m', 'meter', 'meters', 'metre', 'metres') then value * 100 when coalesce(lower(trim(unit, ' ')), '') in ('mm', 'millimeter', 'millimeters', 'millimetre', 'millimetres') then value / 10 when coalesce(lower(trim(unit, ' ')), '') in ('in', 'inch', 'inches', '[in_i]') then value * 2.54 when coalesce(lower(trim(unit, ' ')), '') in ('ft', 'foot', 'feet', '[ft_i]') then value * 30.48 end as waist_circumference_cm,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'cm', 'centimeter', 'centimeters', 'centimetre', 'centimetres') then value when coalesce(lower(trim(unit, ' ')), '') in ('m', 'meter', 'meters', 'metre', 'metres') then value * 100 when coalesce(lower(trim(unit, ' ')), '') in ('mm', 'millimeter', 'millimeters', 'millimetre', 'millimetres') then value / 10 when coalesce(lower(trim(unit, ' ')), '') in ('in', 'inch', 'inches', '[in_i]') then value * 2.54 when coalesce(lower(trim(unit, ' ')), '') in ('ft', 'foot', 'feet', '[ft_i]') then value * 30.48 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'cm', 'centimeter', 'centimeters', 'centimetre', 'centimetres', 'm', 'meter', 'meters', 'metre', 'metres', 'mm', 'millimeter', 'millimeters', 'millimetre', 'millimetres', 'in', 'inch', 'inches', '[in_i]', 'ft', 'foot', 'feet', '[ft_i]') then 'cm' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'waist_circumference';

create or replace view water as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'ml', 'milliliter', 'milliliters', 'millilitre', 'millilitres') then value when coalesce(lower(trim(unit, ' ')), '') in ('l', 'liter', 'liters', 'litre', 'litres') then value * 1000 when coalesce(lower(trim(unit, ' ')), '') in ('dl', 'deciliter', 'deciliters', 'decilitre', 'decilitres') then value * 100 when coalesce(lower(trim(unit, ' ')), '') in ('cl', 'centiliter', 'centiliters', 'centilitre', 'centilitres') then value * 10 when coalesce(lower(trim(unit, ' ')), '') in ('fl oz', 'fl_oz', 'floz', 'fl_oz_us', 'fl oz us', '[foz_us]') then value * 29.5735295625 when coalesce(lower(trim(unit, ' ')), '') in ('fl_oz_imp', 'fl oz imp', 'fl oz uk', '[foz_br]') then value * 28.4130625 end as water_ml,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'ml', 'milliliter', 'milliliters', 'millilitre', 'millilitres') then value when coalesce(lower(trim(unit, ' ')), '') in ('l', 'liter', 'liters', 'litre', 'litres') then value * 1000 when coalesce(lower(trim(unit, ' ')), '') in ('dl', 'deciliter', 'deciliters', 'decilitre', 'decilitres') then value * 100 when coalesce(lower(trim(unit, ' ')), '') in ('cl', 'centiliter', 'centiliters', 'centilitre', 'centilitres') then value * 10 when coalesce(lower(trim(unit, ' ')), '') in ('fl oz', 'fl_oz', 'floz', 'fl_oz_us', 'fl oz us', '[foz_us]') then value * 29.5735295625 when coalesce(lower(trim(unit, ' ')), '') in ('fl_oz_imp', 'fl oz imp', 'fl oz uk', '[foz_br]') then value * 28.4130625 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'ml', 'milliliter', 'milliliters', 'millilitre', 'millilitres', 'l', 'liter', 'liters', 'litre', 'litres', 'dl', 'deciliter', 'deciliters', 'decilitre', 'decilitres', 'cl', 'centiliter', 'centiliters', 'centilitre', 'centilitres', 'fl oz', 'fl_oz', 'floz', 'fl_oz_us', 'fl oz us', '[foz_us]', 'fl_oz_imp', 'fl oz imp', 'fl oz uk', '[foz_br]') then 'mL' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'water';

create or replace view weight as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kg', 'kilogram', 'kilograms') then value when coalesce(lower(trim(unit, ' ')), '') in ('g', 'gram', 'grams') then value / 1000 when coalesce(lower(trim(unit, ' ')), '') in ('lb', 'lbs', 'pound', 'pounds', '[lb_av]') then value * 0.45359237 when coalesce(lower(trim(unit, ' ')), '') in ('st', 'stone', 'stones', '[stone_av]') then value * 6.35029318 when coalesce(lower(trim(unit, ' ')), '') in ('oz', 'ounce', 'ounces', '[oz_av]') then value * 0.028349523125 end as weight_kg,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kg', 'kilogram', 'kilograms') then value when coalesce(lower(trim(unit, ' ')), '') in ('g', 'gram', 'grams') then value / 1000 when coalesce(lower(trim(unit, ' ')), '') in ('lb', 'lbs', 'pound', 'pounds', '[lb_av]') then value * 0.45359237 when coalesce(lower(trim(unit, ' ')), '') in ('st', 'stone', 'stones', '[stone_av]') then value * 6.35029318 when coalesce(lower(trim(unit, ' ')), '') in ('oz', 'ounce', 'ounces', '[oz_av]') then value * 0.028349523125 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kg', 'kilogram', 'kilograms', 'g', 'gram', 'grams', 'lb', 'lbs', 'pound', 'pounds', '[lb_av]', 'st', 'stone', 'stones', '[stone_av]', 'oz', 'ounce', 'ounces', '[oz_av]') then 'kg' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'weight';

create or replace view wheelchair_push as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'push', 'pushes') then value end as wheelchair_push_count,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'push', 'pushes') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'push', 'pushes') then '{pushes}' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'wheelchair_push';

create or replace view workout_distance as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  source_workout_id,
  source_sport,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'm', 'meter', 'meters', 'metre', 'metres') then value when coalesce(lower(trim(unit, ' ')), '') in ('km', 'kilometer', 'kilometers', 'kilometre', 'kilometres') then value * 1000 when coalesce(lower(trim(unit, ' ')), '') in ('cm', 'centimeter', 'centimeters', 'centimetre', 'centimetres') then value / 100 when coalesce(lower(trim(unit, ' ')), '') in ('mi', 'mile', 'miles', '[mi_i]') then value * 1609.344 when coalesce(lower(trim(unit, ' ')), '') in ('yd', 'yard', 'yards', '[yd_i]') then value * 0.9144 when coalesce(lower(trim(unit, ' ')), '') in ('ft', 'foot', 'feet', '[ft_i]') then value * 0.3048 end as workout_distance_m,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'm', 'meter', 'meters', 'metre', 'metres') then value when coalesce(lower(trim(unit, ' ')), '') in ('km', 'kilometer', 'kilometers', 'kilometre', 'kilometres') then value * 1000 when coalesce(lower(trim(unit, ' ')), '') in ('cm', 'centimeter', 'centimeters', 'centimetre', 'centimetres') then value / 100 when coalesce(lower(trim(unit, ' ')), '') in ('mi', 'mile', 'miles', '[mi_i]') then value * 1609.344 when coalesce(lower(trim(unit, ' ')), '') in ('yd', 'yard', 'yards', '[yd_i]') then value * 0.9144 when coalesce(lower(trim(unit, ' ')), '') in ('ft', 'foot', 'feet', '[ft_i]') then value * 0.3048 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'm', 'meter', 'meters', 'metre', 'metres', 'km', 'kilometer', 'kilometers', 'kilometre', 'kilometres', 'cm', 'centimeter', 'centimeters', 'centimetre', 'centimetres', 'mi', 'mile', 'miles', '[mi_i]', 'yd', 'yard', 'yards', '[yd_i]', 'ft', 'foot', 'feet', '[ft_i]') then 'm' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'workout_distance';

create or replace view workout_duration as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  source_workout_id,
  source_sport,
  intensity,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'min', 'mins', 'minute', 'minutes') then value when coalesce(lower(trim(unit, ' ')), '') in ('s', 'sec', 'secs', 'second', 'seconds') then value / 60 when coalesce(lower(trim(unit, ' ')), '') in ('h', 'hr', 'hrs', 'hour', 'hours') then value * 60 end as workout_duration_min,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'min', 'mins', 'minute', 'minutes') then value when coalesce(lower(trim(unit, ' ')), '') in ('s', 'sec', 'secs', 'second', 'seconds') then value / 60 when coalesce(lower(trim(unit, ' ')), '') in ('h', 'hr', 'hrs', 'hour', 'hours') then value * 60 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'min', 'mins', 'minute', 'minutes', 's', 'sec', 'secs', 'second', 'seconds', 'h', 'hr', 'hrs', 'hour', 'hours') then 'min' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'workout_duration';

create or replace view workout_swimming_stroke as
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  source_workout_id,
  source_sport,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'stroke', 'strokes') then value end as workout_swimming_stroke_count,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'stroke', 'strokes') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'stroke', 'strokes') then '{strokes}' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from timeseries_local
where resource = 'workout_swimming_stroke';

create or replace view timeseries_daily as
select user_id, resource, provider, source_type, source, sample_type, local_date, date_basis, unit, samples, implausible, value_min, value_max, value_avg, value_sample_avg, value_sum, source_avg_canonical, first_at, last_at, latest_at, latest_start_at, latest_floating_at
from kept.timeseries_daily;

create or replace view source_days as
select user_id, local_date, provider, source_type, source, samples, summaries
from kept.source_days;

create or replace view metric_days as
select user_id, local_date, measure, value, sample_avg, lowest, highest, unit, provider, source_type, source, others, unworn_others
from kept.metric_days;

create or replace view observations as
select
  o.user_id, o.provider, o.source_type, o.provider || '/' || o.source_type as source, o.measure, m.display_name, o.effective_start_at, o.effective_end_at, o.local_date, o.local_hour,
  -- Some providers send these fractions as percentages.
  case when o.measure in ('sleep.efficiency') and o.value_sent > 1 then o.value_sent / 100 else (o.value_sent - c.minus) * c.times / c.per end as value, case when o.measure in ('sleep.efficiency') and o.value_sent > 1 then o.value_sent / 100 else (o.value_sent - c.minus) * c.times / c.per end between m.plausible_low and m.plausible_high as is_plausible,
  c.unit, o.value_sent, o.unit_sent, m.loinc_code, m.loinc_match,
  o.origin_table, o.origin_id, m.resource, o.sample_type, o.source_workout_id
from (
  select
    user_id, provider, source_type, resource as measure, start_at as effective_start_at, end_at as effective_end_at, local_date, local_hour,
    value as value_sent, unit as unit_sent, 'timeseries' as origin_table, cast(null as string) as origin_id,
    sample_type, source_workout_id
  from timeseries_local
  where resource in ('active_energy_burned', 'afib_burden', 'basal_body_temperature', 'basal_energy_burned', 'blood_oxygen', 'body_mass_index', 'body_temperature', 'body_temperature_delta', 'caffeine', 'calories_active', 'calories_basal', 'carbohydrates', 'daylight_exposure', 'distance', 'distance_running_walking', 'fall', 'fat', 'floors_climbed', 'forced_expiratory_volume_1', 'forced_vital_capacity', 'glucose', 'handwashing', 'heart_rate_recovery_one_minute', 'heartrate', 'hrv', 'ige', 'igg', 'inhaler_usage', 'lean_body_mass', 'mindfulness_minutes', 'peak_expiratory_flow_rate', 'respiratory_rate', 'sleep_apnea_alert', 'stand_duration', 'steps', 'stress_level', 'uv_exposure', 'vo2_max', 'waist_circumference', 'water', 'weight', 'wheelchair_push', 'workout_distance', 'workout_duration', 'workout_swimming_stroke')
  union all
  select
    user_id, provider, source_type, case resource when 'cholesterol' then case sample_type when 'cholesterol/hdl' then 'cholesterol.hdl' when 'cholesterol/ldl' then 'cholesterol.ldl' when 'cholesterol/total' then 'cholesterol.total' when 'cholesterol/triglycerides' then 'cholesterol.triglycerides' else 'cholesterol' end when 'electrocardiogram_voltage' then case sample_type when 'lead_1' then 'electrocardiogram_voltage.lead_1' else 'electrocardiogram_voltage' end when 'heart_rate_alert' then case sample_type when 'high_heart_rate' then 'heart_rate_alert.high_heart_rate' when 'irregular_rhythm' then 'heart_rate_alert.irregular_rhythm' when 'low_heart_rate' then 'heart_rate_alert.low_heart_rate' else 'heart_rate_alert' end when 'insulin_injection' then case sample_type when 'long_acting' then 'insulin_injection.long_acting' when 'rapid_acting' then 'insulin_injection.rapid_acting' else 'insulin_injection' end when 'sleep_breathing_disturbance' then case sample_type when 'elevated' then 'sleep_breathing_disturbance.elevated' when 'not_elevated' then 'sleep_breathing_disturbance.not_elevated' else 'sleep_breathing_disturbance' end when 'stand_hour' then case sample_type when 'idle' then 'stand_hour.idle' when 'stood' then 'stand_hour.stood' else 'stand_hour' end else resource end as measure, start_at as effective_start_at, end_at as effective_end_at, local_date, local_hour,
    value as value_sent, unit as unit_sent, 'timeseries' as origin_table, cast(null as string) as origin_id,
    sample_type, source_workout_id
  from timeseries_local
  where resource in ('cholesterol', 'electrocardiogram_voltage', 'heart_rate_alert', 'insulin_injection', 'sleep_breathing_disturbance', 'stand_hour')
  union all
  select
    user_id, provider, source_type, measure, null, null, calendar_date, null,
    case measure when 'activity.calories_active_kcal' then cast(calories_active_kcal as double) when 'activity.calories_total_kcal' then cast(calories_total_kcal as double) when 'activity.distance_m' then cast(distance_m as double) when 'activity.floors_climbed' then cast(floors_climbed as double) when 'activity.heart_rate_avg_bpm' then cast(heart_rate_avg_bpm as double) when 'activity.heart_rate_avg_walking_bpm' then cast(heart_rate_avg_walking_bpm as double) when 'activity.heart_rate_max_bpm' then cast(heart_rate_max_bpm as double) when 'activity.heart_rate_min_bpm' then cast(heart_rate_min_bpm as double) when 'activity.heart_rate_resting_bpm' then cast(heart_rate_resting_bpm as double) when 'activity.high_min' then cast(high_min as double) when 'activity.low_min' then cast(low_min as double) when 'activity.medium_min' then cast(medium_min as double) when 'activity.steps' then cast(steps as double) when 'activity.wheelchair_push' then cast(wheelchair_push as double) end, null, 'activity', id, null, null
  from activity
  cross join (select unnest(from_json('[
{"measure":"activity.calories_active_kcal"},
{"measure":"activity.calories_total_kcal"},
{"measure":"activity.distance_m"},
{"measure":"activity.floors_climbed"},
{"measure":"activity.heart_rate_avg_bpm"},
{"measure":"activity.heart_rate_avg_walking_bpm"},
{"measure":"activity.heart_rate_max_bpm"},
{"measure":"activity.heart_rate_min_bpm"},
{"measure":"activity.heart_rate_resting_bpm"},
{"measure":"activity.high_min"},
{"measure":"activity.low_min"},
{"measure":"activity.medium_min"},
{"measure":"activity.steps"},
{"measure":"activity.wheelchair_push"}
]', '[{"measure":"varchar"}]'), recursive := true)) measured
  union all
  select
    user_id, provider, source_type, measure, start_at, null, local_date, local_hour,
    case measure when 'blood_pressure.diastolic_mmhg' then cast(diastolic_mmhg as double) when 'blood_pressure.systolic_mmhg' then cast(systolic_mmhg as double) end, unit, 'blood_pressure', null, sample_type, source_workout_id
  from blood_pressure_local
  cross join (select unnest(from_json('[
{"measure":"blood_pressure.diastolic_mmhg"},
{"measure":"blood_pressure.systolic_mmhg"}
]', '[{"measure":"varchar"}]'), recursive := true)) measured
  union all
  select
    user_id, provider, source_type, measure, null, null, calendar_date, null,
    case measure when 'body.body_mass_index' then cast(body_mass_index as double) when 'body.bone_mass_pct' then cast(bone_mass_pct as double) when 'body.fat_pct' then cast(fat_pct as double) when 'body.lean_body_mass_kg' then cast(lean_body_mass_kg as double) when 'body.muscle_mass_pct' then cast(muscle_mass_pct as double) when 'body.visceral_fat_index' then cast(visceral_fat_index as double) when 'body.waist_circumference_cm' then cast(waist_circumference_cm as double) when 'body.water_pct' then cast(water_pct as double) when 'body.weight_kg' then cast(weight_kg as double) end, null, 'body', id, null, null
  from body
  cross join (select unnest(from_json('[
{"measure":"body.body_mass_index"},
{"measure":"body.bone_mass_pct"},
{"measure":"body.fat_pct"},
{"measure":"body.lean_body_mass_kg"},
{"measure":"body.muscle_mass_pct"},
{"measure":"body.visceral_fat_index"},
{"measure":"body.waist_circumference_cm"},
{"measure":"body.water_pct"},
{"measure":"body.weight_kg"}
]', '[{"measure":"varchar"}]'), recursive := true)) measured
  union all
  select
    user_id, provider, source_type, measure, session_start, session_end, null, null,
    case measure when 'electrocardiogram.heart_rate_mean_bpm' then cast(heart_rate_mean_bpm as double) end, null, 'electrocardiogram', id, null, null
  from electrocardiogram
  cross join (select unnest(from_json('[
{"measure":"electrocardiogram.heart_rate_mean_bpm"}
]', '[{"measure":"varchar"}]'), recursive := true)) measured
  union all
  select
    user_id, provider, source_type, measure, eaten_at, null, calendar_date, null,
    case measure when 'meal.alcohol_g' then cast(alcohol_g as double) when 'meal.carbs_g' then cast(carbs_g as double) when 'meal.cholesterol_g' then cast(cholesterol_g as double) when 'meal.energy_kcal' then cast(energy_kcal as double) when 'meal.fat_monounsaturated_g' then cast(fat_monounsaturated_g as double) when 'meal.fat_omega3_g' then cast(fat_omega3_g as double) when 'meal.fat_omega6_g' then cast(fat_omega6_g as double) when 'meal.fat_polyunsaturated_g' then cast(fat_polyunsaturated_g as double) when 'meal.fat_saturated_g' then cast(fat_saturated_g as double) when 'meal.fat_total_g' then cast(fat_total_g as double) when 'meal.fibre_g' then cast(fibre_g as double) when 'meal.protein_g' then cast(protein_g as double) when 'meal.sugar_g' then cast(sugar_g as double) when 'meal.water_g' then cast(water_g as double) end, null, 'meal', id, null, null
  from meal
  cross join (select unnest(from_json('[
{"measure":"meal.alcohol_g"},
{"measure":"meal.carbs_g"},
{"measure":"meal.cholesterol_g"},
{"measure":"meal.energy_kcal"},
{"measure":"meal.fat_monounsaturated_g"},
{"measure":"meal.fat_omega3_g"},
{"measure":"meal.fat_omega6_g"},
{"measure":"meal.fat_polyunsaturated_g"},
{"measure":"meal.fat_saturated_g"},
{"measure":"meal.fat_total_g"},
{"measure":"meal.fibre_g"},
{"measure":"meal.protein_g"},
{"measure":"meal.sugar_g"},
{"measure":"meal.water_g"}
]', '[{"measure":"varchar"}]'), recursive := true)) measured
  union all
  select
    user_id, provider, source_type, measure, null, null, null, null,
    case measure when 'profile.height_cm' then cast(height_cm as double) end, null, 'profile', id, null, null
  from profile
  cross join (select unnest(from_json('[
{"measure":"profile.height_cm"}
]', '[{"measure":"varchar"}]'), recursive := true)) measured
  union all
  select
    user_id, provider, source_type, measure, bedtime_start, bedtime_stop, calendar_date, null,
    case measure when 'sleep.average_hrv_ms' then cast(average_hrv_ms as double) when 'sleep.awake_s' then cast(awake_s as double) when 'sleep.deep_s' then cast(deep_s as double) when 'sleep.duration_s' then cast(duration_s as double) when 'sleep.efficiency' then cast(efficiency as double) when 'sleep.hr_average_bpm' then cast(hr_average_bpm as double) when 'sleep.hr_dip_pct' then cast(hr_dip_pct as double) when 'sleep.hr_lowest_bpm' then cast(hr_lowest_bpm as double) when 'sleep.hr_resting_bpm' then cast(hr_resting_bpm as double) when 'sleep.latency_s' then cast(latency_s as double) when 'sleep.light_s' then cast(light_s as double) when 'sleep.recovery_readiness_score' then cast(recovery_readiness_score as double) when 'sleep.rem_s' then cast(rem_s as double) when 'sleep.respiratory_rate_per_min' then cast(respiratory_rate_per_min as double) when 'sleep.score' then cast(score as double) when 'sleep.skin_temperature_c' then cast(skin_temperature_c as double) when 'sleep.temperature_delta_c' then cast(temperature_delta_c as double) when 'sleep.total_s' then cast(total_s as double) end, null, 'sleep', id, null, null
  from sleep
  cross join (select unnest(from_json('[
{"measure":"sleep.average_hrv_ms"},
{"measure":"sleep.awake_s"},
{"measure":"sleep.deep_s"},
{"measure":"sleep.duration_s"},
{"measure":"sleep.efficiency"},
{"measure":"sleep.hr_average_bpm"},
{"measure":"sleep.hr_dip_pct"},
{"measure":"sleep.hr_lowest_bpm"},
{"measure":"sleep.hr_resting_bpm"},
{"measure":"sleep.latency_s"},
{"measure":"sleep.light_s"},
{"measure":"sleep.recovery_readiness_score"},
{"measure":"sleep.rem_s"},
{"measure":"sleep.respiratory_rate_per_min"},
{"measure":"sleep.score"},
{"measure":"sleep.skin_temperature_c"},
{"measure":"sleep.temperature_delta_c"},
{"measure":"sleep.total_s"}
]', '[{"measure":"varchar"}]'), recursive := true)) measured
  union all
  select
    user_id, provider, source_type, measure, time_start, time_end, calendar_date, null,
    case measure when 'workouts.average_hr_bpm' then cast(average_hr_bpm as double) when 'workouts.average_speed_m_s' then cast(average_speed_m_s as double) when 'workouts.average_watts' then cast(average_watts as double) when 'workouts.calories_kcal' then cast(calories_kcal as double) when 'workouts.device_watts' then cast(device_watts as double) when 'workouts.distance_m' then cast(distance_m as double) when 'workouts.elev_high_m' then cast(elev_high_m as double) when 'workouts.elev_low_m' then cast(elev_low_m as double) when 'workouts.max_hr_bpm' then cast(max_hr_bpm as double) when 'workouts.max_speed_m_s' then cast(max_speed_m_s as double) when 'workouts.max_watts' then cast(max_watts as double) when 'workouts.moving_time_s' then cast(moving_time_s as double) when 'workouts.steps' then cast(steps as double) when 'workouts.total_elevation_gain_m' then cast(total_elevation_gain_m as double) when 'workouts.weighted_average_watts' then cast(weighted_average_watts as double) end, null, 'workouts', id, null, null
  from workouts
  cross join (select unnest(from_json('[
{"measure":"workouts.average_hr_bpm"},
{"measure":"workouts.average_speed_m_s"},
{"measure":"workouts.average_watts"},
{"measure":"workouts.calories_kcal"},
{"measure":"workouts.device_watts"},
{"measure":"workouts.distance_m"},
{"measure":"workouts.elev_high_m"},
{"measure":"workouts.elev_low_m"},
{"measure":"workouts.max_hr_bpm"},
{"measure":"workouts.max_speed_m_s"},
{"measure":"workouts.max_watts"},
{"measure":"workouts.moving_time_s"},
{"measure":"workouts.steps"},
{"measure":"workouts.total_elevation_gain_m"},
{"measure":"workouts.weighted_average_watts"}
]', '[{"measure":"varchar"}]'), recursive := true)) measured
) o
join measures m on m.measure = o.measure
left join unit_conversions c on c.measure = o.measure and c.unit_sent = coalesce(lower(trim(o.unit_sent, ' ')), '')
where o.value_sent is not null;

create or replace view latest_samples as
select
  user_id, resource, sample_type, provider, source_type, provider || '/' || source_type as source, start_at, end_at, timezone_offset_s, value, unit, value_canonical, unit_canonical, time_basis, _received_at,
  cast(local_at as date) as local_date, local_date_basis, local_at, extract(hour from local_at) as local_hour, local_offset_s
from (
  select
    *,
    case
      when time_basis = 'floating' then make_timestamp(epoch_us(start_at) + 0 * 1000000)
      else make_timestamp(epoch_us(start_at) + local_offset_s * 1000000)
    end as local_at
  from (
    select
      samples.user_id, samples.resource, samples.sample_type, samples.provider, samples.source_type, samples.start_at, samples.end_at, samples.timezone_offset_s, samples.value, samples.unit, samples.value_canonical, samples.unit_canonical, samples.time_basis, samples._received_at,
      coalesce(samples.timezone_offset_s, zones.offset_s, spans.offset_s) as local_offset_s,
      case
        when samples.time_basis = 'floating' then 'floating'
        when samples.timezone_offset_s is not null then 'offset'
        when zones.offset_s is not null then 'zone'
        when spans.offset_s is not null then 'zone_offset'
        else 'none'
      end as local_date_basis
    from (
      select user_id, resource, sample_type, provider, source_type, start_at, end_at, timezone_offset_s, value, unit, value_canonical, unit_canonical, time_basis, _received_at
      from (
        select
          s.user_id as user_id, s.resource as resource, s.sample_type as sample_type, s.provider as provider, s.source_type as source_type, s.start_at as start_at, s.end_at as end_at, s.timezone_offset_s as timezone_offset_s, s.value as value, s.unit as unit, (s.value - c.minus) * c.times / c.per as value_canonical, c.unit as unit_canonical, s.time_basis as time_basis, s._received_at as _received_at,
          row_number() over (partition by s.user_id, s.resource, s.sample_type order by case when latest_at is null then 1 else 0 end, latest_at desc, case when latest_at is null then latest_floating_at end desc, s._received_at desc, md5(s.user_id || ' ' || s.provider || '/' || s.source_type), s.provider, s.source_type, s.source_workout_id) as nth
        from timeseries s
        join (
          select
            *, case when latest_at is null then latest_floating_at else latest_start_at end as newest_start_at
          from (
            select
              user_id, resource, sample_type, provider, source_type, max(latest_at) as latest_at,
              arg_max(latest_start_at, epoch_us(latest_at) + 62200000000000000) as latest_start_at,
              max(latest_floating_at) as latest_floating_at
            from timeseries_daily
            group by user_id, resource, sample_type, provider, source_type
          ) of_source
        ) newest on newest.user_id = s.user_id and newest.resource = s.resource and newest.newest_start_at = s.start_at
        left join unit_conversions c on c.measure = case s.resource when 'cholesterol' then case s.sample_type when 'cholesterol/hdl' then 'cholesterol.hdl' when 'cholesterol/ldl' then 'cholesterol.ldl' when 'cholesterol/total' then 'cholesterol.total' when 'cholesterol/triglycerides' then 'cholesterol.triglycerides' else 'cholesterol' end when 'electrocardiogram_voltage' then case s.sample_type when 'lead_1' then 'electrocardiogram_voltage.lead_1' else 'electrocardiogram_voltage' end when 'heart_rate_alert' then case s.sample_type when 'high_heart_rate' then 'heart_rate_alert.high_heart_rate' when 'irregular_rhythm' then 'heart_rate_alert.irregular_rhythm' when 'low_heart_rate' then 'heart_rate_alert.low_heart_rate' else 'heart_rate_alert' end when 'insulin_injection' then case s.sample_type when 'long_acting' then 'insulin_injection.long_acting' when 'rapid_acting' then 'insulin_injection.rapid_acting' else 'insulin_injection' end when 'sleep_breathing_disturbance' then case s.sample_type when 'elevated' then 'sleep_breathing_disturbance.elevated' when 'not_elevated' then 'sleep_breathing_disturbance.not_elevated' else 'sleep_breathing_disturbance' end when 'stand_hour' then case s.sample_type when 'idle' then 'stand_hour.idle' when 'stood' then 'stand_hour.stood' else 'stand_hour' end else s.resource end and c.unit_sent = coalesce(lower(trim(s.unit, ' ')), '')
        where ((c.unit is not null or s.resource = 'hypnogram' and coalesce(lower(trim(s.unit, ' ')), '') in ('', 'stage')) and not (not coalesce(((s.value - c.minus) * c.times / c.per between c.plausible_low and c.plausible_high), true))) and case when newest.sample_type = s.sample_type and newest.provider = s.provider and newest.source_type = s.source_type then true else false end
      ) numbered
      where nth = 1
    ) samples
    left join user_time_zones spans
      on spans.user_id = samples.user_id and spans.user_id = case when samples.timezone_offset_s is null then samples.user_id end
      and samples.start_at >= spans.from_at and samples.start_at < coalesce(spans.to_at, timestamptz '9999-12-31T23:59:59Z')
    left join time_zone_transitions zones on zones.zone = spans.time_zone and zones.time_basis = samples.time_basis and samples.start_at >= zones.from_at and samples.start_at < zones.to_at
  ) offsets
) timed;

create or replace view quality_days as
select
  o.user_id, o.local_date, o.measure, o.provider, o.source_type, o.provider || '/' || o.source_type as source, count(*) as observations,
  count(case when o.value < m.plausible_low or o.value > m.plausible_high then 1 end) as implausible,
  count(case when o.unit is null then 1 end) as unknown_unit,
  -- One bit for each hour. The second remainder makes hours before 1970 positive.
  cast(coalesce(bit_count(bit_or(1 << mod(mod(cast(floor((epoch_us(o.effective_start_at) - epoch_us(timestamp '1970-01-01 00:00:00+00')) / 1000000.0 / 3600) as bigint), 24) + 24, 24))), 0) as int64) as hours
from observations o
join measures m on m.measure = o.measure
where o.local_date is not null
group by o.user_id, o.local_date, o.measure, o.provider, o.source_type;

create or replace view quality_flags as
with quality as (
  select user_id, local_date, measure, provider, source_type, observations, implausible, unknown_unit, hours from quality_days
),
hourly as (
  -- A source has at most 24 numbers of hours, so the median of thousands of days is found among 24 rows.
  select user_id, measure, provider, source_type, hours, count(*) as days
  from quality
  where hours > 0
  group by user_id, measure, provider, source_type, hours
),
usual as (
  -- The median; of two middle values, the lower.
  select user_id, measure, provider, source_type, min(case when days_up_to * 2 >= all_days then hours end) as usual_hours, max(all_days) as days
  from (
    select
      user_id, measure, provider, source_type, hours, sum(days) over (partition by user_id, measure, provider, source_type order by hours) as days_up_to,
      sum(days) over (partition by user_id, measure, provider, source_type) as all_days
    from hourly
  ) summed
  group by user_id, measure, provider, source_type
),
totals as (
  select
    user_id, calendar_date as local_date, provider, source_type,
    cast(max(calories_active_kcal) as double) as calories_active_kcal, cast(max(calories_total_kcal) as double) as calories_total_kcal, cast(max(distance_m) as double) as distance_m, cast(max(floors_climbed) as double) as floors_climbed, cast(max(steps) as double) as steps, cast(max(wheelchair_push) as double) as wheelchair_push
  from activity
  where calendar_date is not null
  group by user_id, calendar_date, provider, source_type
)
select user_id, local_date, measure, provider, source_type, provider || '/' || source_type as source, case measure when 'activity.calories_active_kcal' then 'calories_active' when 'activity.calories_total_kcal' then 'calories_total' when 'activity.distance_m' then 'distance' when 'activity.floors_climbed' then 'floors_climbed' when 'activity.heart_rate_resting_bpm' then 'heart_rate_resting' when 'activity.steps' then 'steps' when 'body.fat_pct' then 'fat' when 'body.weight_kg' then 'weight' when 'blood_oxygen' then 'blood_oxygen' when 'fat' then 'fat' when 'glucose' then 'glucose' when 'heartrate' then 'heartrate' when 'hrv' then 'hrv' when 'weight' then 'weight' when 'blood_pressure.diastolic_mmhg' then 'blood_pressure' when 'blood_pressure.systolic_mmhg' then 'blood_pressure' when 'sleep.average_hrv_ms' then 'sleep' when 'sleep.awake_s' then 'sleep' when 'sleep.deep_s' then 'sleep' when 'sleep.duration_s' then 'sleep' when 'sleep.efficiency' then 'sleep' when 'sleep.hr_average_bpm' then 'sleep' when 'sleep.hr_dip_pct' then 'sleep' when 'sleep.hr_lowest_bpm' then 'sleep' when 'sleep.hr_resting_bpm' then 'sleep' when 'sleep.latency_s' then 'sleep' when 'sleep.light_s' then 'sleep' when 'sleep.recovery_readiness_score' then 'sleep' when 'sleep.rem_s' then 'sleep' when 'sleep.respiratory_rate_per_min' then 'sleep' when 'sleep.score' then 'sleep' when 'sleep.skin_temperature_c' then 'sleep' when 'sleep.temperature_delta_c' then 'sleep' when 'sleep.total_s' then 'sleep' end as day_measure, flag, affected, out_of
from (
  select user_id, local_date, measure, provider, source_type, flag, case flag when 'implausible' then implausible else unknown_unit end as affected, observations as out_of
  from quality
  cross join (select unnest(from_json('[
{"flag":"implausible"},
{"flag":"unknown_unit"}
]', '[{"flag":"varchar"}]'), recursive := true)) flags
  where case flag when 'implausible' then implausible else unknown_unit end > 0
  union all
  select day.user_id, day.local_date, day.measure, day.provider, day.source_type, 'partial_day', usual.usual_hours - day.hours, usual.usual_hours
  from quality day
  join usual
    on usual.user_id = day.user_id and usual.measure = day.measure and usual.provider = day.provider
    and usual.source_type = day.source_type
  where day.hours > 0 and usual.days >= 7 and day.hours * 2 < usual.usual_hours
  union all
  select user_id, local_date, measure, provider, source_type, 'conflicting', affected, out_of
  from (
    select
      user_id, local_date, measure, provider, source_type, count(*) as out_of,
      count(case when abs(total - other_total) * 10 > greatest(total, other_total) then 1 end) as affected
    from (
    select
      one.user_id, one.local_date, measure, one.provider, one.source_type,
      case measure when 'activity.calories_active_kcal' then one.calories_active_kcal when 'activity.calories_total_kcal' then one.calories_total_kcal when 'activity.distance_m' then one.distance_m when 'activity.floors_climbed' then one.floors_climbed when 'activity.steps' then one.steps when 'activity.wheelchair_push' then one.wheelchair_push end as total,
      case measure when 'activity.calories_active_kcal' then other.calories_active_kcal when 'activity.calories_total_kcal' then other.calories_total_kcal when 'activity.distance_m' then other.distance_m when 'activity.floors_climbed' then other.floors_climbed when 'activity.steps' then other.steps when 'activity.wheelchair_push' then other.wheelchair_push end as other_total
    from totals one
    join totals other on other.user_id = one.user_id and other.local_date = one.local_date
    cross join (select unnest(from_json('[
{"measure":"activity.calories_active_kcal"},
{"measure":"activity.calories_total_kcal"},
{"measure":"activity.distance_m"},
{"measure":"activity.floors_climbed"},
{"measure":"activity.steps"},
{"measure":"activity.wheelchair_push"}
]', '[{"measure":"varchar"}]'), recursive := true)) measured
    where other.provider <> one.provider or other.source_type <> one.source_type
    ) pairs
    where total is not null and other_total is not null
    group by user_id, local_date, measure, provider, source_type
  ) counted
  where affected > 0
) flagged;

create or replace view data_issues as
select
  user_id, provider, source_type, provider || '/' || source_type as source, origin_table, measure, unit, time_zone, issue,
  count(*) as records,
  min(occurred_at) as first_at, max(occurred_at) as last_at, max(_received_at) as last_received_at
from (
  select *, cast(null as string) as time_zone
  from (
  select
    user_id, provider, source_type, 'timeseries' as origin_table, measure, unit, found.issue, start_at as occurred_at, _received_at
  from (
    select
      s.user_id, s.provider, s.source_type, case s.resource when 'cholesterol' then case s.sample_type when 'cholesterol/hdl' then 'cholesterol.hdl' when 'cholesterol/ldl' then 'cholesterol.ldl' when 'cholesterol/total' then 'cholesterol.total' when 'cholesterol/triglycerides' then 'cholesterol.triglycerides' else 'cholesterol' end when 'electrocardiogram_voltage' then case s.sample_type when 'lead_1' then 'electrocardiogram_voltage.lead_1' else 'electrocardiogram_voltage' end when 'heart_rate_alert' then case s.sample_type when 'high_heart_rate' then 'heart_rate_alert.high_heart_rate' when 'irregular_rhythm' then 'heart_rate_alert.irregular_rhythm' when 'low_heart_rate' then 'heart_rate_alert.low_heart_rate' else 'heart_rate_alert' end when 'insulin_injection' then case s.sample_type when 'long_acting' then 'insulin_injection.long_acting' when 'rapid_acting' then 'insulin_injection.rapid_acting' else 'insulin_injection' end when 'sleep_breathing_disturbance' then case s.sample_type when 'elevated' then 'sleep_breathing_disturbance.elevated' when 'not_elevated' then 'sleep_breathing_disturbance.not_elevated' else 'sleep_breathing_disturbance' end when 'stand_hour' then case s.sample_type when 'idle' then 'stand_hour.idle' when 'stood' then 'stand_hour.stood' else 'stand_hour' end else s.resource end as measure, s.unit, s.start_at, s._received_at,
      not (c.unit is not null or s.resource = 'hypnogram' and coalesce(lower(trim(s.unit, ' ')), '') in ('', 'stage')) as is_unknown_unit, (not coalesce(((s.value - c.minus) * c.times / c.per between c.plausible_low and c.plausible_high), true)) as is_implausible, case when s.time_basis = 'floating' then make_timestamptz(epoch_us(s.start_at) - s.local_offset_s * 1000000) else s.start_at end is null as is_unknown_instant, ((epoch_us(coalesce(case when s.time_basis = 'floating' then make_timestamptz(epoch_us(s.start_at) - s.local_offset_s * 1000000) else s.start_at end, s.start_at)) - epoch_us(s._received_at)) / 1000000.0 > 86400) as is_later_than_receipt
    from timeseries_local s
    left join unit_conversions c on c.measure = case s.resource when 'cholesterol' then case s.sample_type when 'cholesterol/hdl' then 'cholesterol.hdl' when 'cholesterol/ldl' then 'cholesterol.ldl' when 'cholesterol/total' then 'cholesterol.total' when 'cholesterol/triglycerides' then 'cholesterol.triglycerides' else 'cholesterol' end when 'electrocardiogram_voltage' then case s.sample_type when 'lead_1' then 'electrocardiogram_voltage.lead_1' else 'electrocardiogram_voltage' end when 'heart_rate_alert' then case s.sample_type when 'high_heart_rate' then 'heart_rate_alert.high_heart_rate' when 'irregular_rhythm' then 'heart_rate_alert.irregular_rhythm' when 'low_heart_rate' then 'heart_rate_alert.low_heart_rate' else 'heart_rate_alert' end when 'insulin_injection' then case s.sample_type when 'long_acting' then 'insulin_injection.long_acting' when 'rapid_acting' then 'insulin_injection.rapid_acting' else 'insulin_injection' end when 'sleep_breathing_disturbance' then case s.sample_type when 'elevated' then 'sleep_breathing_disturbance.elevated' when 'not_elevated' then 'sleep_breathing_disturbance.not_elevated' else 'sleep_breathing_disturbance' end when 'stand_hour' then case s.sample_type when 'idle' then 'stand_hour.idle' when 'stood' then 'stand_hour.stood' else 'stand_hour' end else s.resource end and c.unit_sent = coalesce(lower(trim(s.unit, ' ')), '')
    where not (c.unit is not null or s.resource = 'hypnogram' and coalesce(lower(trim(s.unit, ' ')), '') in ('', 'stage')) or (not coalesce(((s.value - c.minus) * c.times / c.per between c.plausible_low and c.plausible_high), true)) or case when s.time_basis = 'floating' then make_timestamptz(epoch_us(s.start_at) - s.local_offset_s * 1000000) else s.start_at end is null or ((epoch_us(coalesce(case when s.time_basis = 'floating' then make_timestamptz(epoch_us(s.start_at) - s.local_offset_s * 1000000) else s.start_at end, s.start_at)) - epoch_us(s._received_at)) / 1000000.0 > 86400)
  ) samples
  cross join (select unnest(from_json('[
{"issue":"unknown_unit"},
{"issue":"implausible"},
{"issue":"unknown_instant"},
{"issue":"later_than_receipt"}
]', '[{"issue":"varchar"}]'), recursive := true)) found
  where case found.issue when 'unknown_unit' then is_unknown_unit when 'implausible' then is_implausible when 'unknown_instant' then is_unknown_instant when 'later_than_receipt' then is_later_than_receipt end
  union all
  select
    user_id, provider, source_type, 'blood_pressure' as origin_table, measure, unit, found.issue, start_at as occurred_at, _received_at
  from (
    select
      s.user_id, s.provider, s.source_type, s.resource as measure, s.unit, s.start_at, s._received_at,
      c.unit is null as is_unknown_unit, case when s.time_basis = 'floating' then make_timestamptz(epoch_us(s.start_at) - s.local_offset_s * 1000000) else s.start_at end is null as is_unknown_instant, ((epoch_us(coalesce(case when s.time_basis = 'floating' then make_timestamptz(epoch_us(s.start_at) - s.local_offset_s * 1000000) else s.start_at end, s.start_at)) - epoch_us(s._received_at)) / 1000000.0 > 86400) as is_later_than_receipt
    from blood_pressure_local s
    left join unit_conversions c on c.measure = 'blood_pressure.systolic_mmhg' and c.unit_sent = coalesce(lower(trim(s.unit, ' ')), '')
    where c.unit is null or case when s.time_basis = 'floating' then make_timestamptz(epoch_us(s.start_at) - s.local_offset_s * 1000000) else s.start_at end is null or ((epoch_us(coalesce(case when s.time_basis = 'floating' then make_timestamptz(epoch_us(s.start_at) - s.local_offset_s * 1000000) else s.start_at end, s.start_at)) - epoch_us(s._received_at)) / 1000000.0 > 86400)
  ) samples
  cross join (select unnest(from_json('[
{"issue":"unknown_unit"},
{"issue":"unknown_instant"},
{"issue":"later_than_receipt"}
]', '[{"issue":"varchar"}]'), recursive := true)) found
  where case found.issue when 'unknown_unit' then is_unknown_unit when 'unknown_instant' then is_unknown_instant when 'later_than_receipt' then is_later_than_receipt end
  union all
  select
    user_id, provider, source_type, 'notes' as origin_table, measure, unit, found.issue, start_at as occurred_at, _received_at
  from (
    select
      s.user_id, s.provider, s.source_type, s.resource as measure, s.unit, s.start_at, s._received_at,
      case when s.time_basis = 'floating' then make_timestamptz(epoch_us(s.start_at) - s.local_offset_s * 1000000) else s.start_at end is null as is_unknown_instant, ((epoch_us(coalesce(case when s.time_basis = 'floating' then make_timestamptz(epoch_us(s.start_at) - s.local_offset_s * 1000000) else s.start_at end, s.start_at)) - epoch_us(s._received_at)) / 1000000.0 > 86400) as is_later_than_receipt
    from notes_local s
    
    where case when s.time_basis = 'floating' then make_timestamptz(epoch_us(s.start_at) - s.local_offset_s * 1000000) else s.start_at end is null or ((epoch_us(coalesce(case when s.time_basis = 'floating' then make_timestamptz(epoch_us(s.start_at) - s.local_offset_s * 1000000) else s.start_at end, s.start_at)) - epoch_us(s._received_at)) / 1000000.0 > 86400)
  ) samples
  cross join (select unnest(from_json('[
{"issue":"unknown_instant"},
{"issue":"later_than_receipt"}
]', '[{"issue":"varchar"}]'), recursive := true)) found
  where case found.issue when 'unknown_instant' then is_unknown_instant when 'later_than_receipt' then is_later_than_receipt end
  union all
  select
    s.user_id, s.provider, s.source_type, 'activity', measured.measure, cast(null as string), 'implausible',
    make_timestamptz(epoch_us(s.calendar_date)), s._received_at
  from activity s
  
  cross join (select unnest(from_json('[
{"measure":"activity.calories_active_kcal"},
{"measure":"activity.calories_total_kcal"},
{"measure":"activity.distance_m"},
{"measure":"activity.floors_climbed"},
{"measure":"activity.heart_rate_avg_bpm"},
{"measure":"activity.heart_rate_avg_walking_bpm"},
{"measure":"activity.heart_rate_max_bpm"},
{"measure":"activity.heart_rate_min_bpm"},
{"measure":"activity.heart_rate_resting_bpm"},
{"measure":"activity.high_min"},
{"measure":"activity.low_min"},
{"measure":"activity.medium_min"},
{"measure":"activity.steps"},
{"measure":"activity.wheelchair_push"}
]', '[{"measure":"varchar"}]'), recursive := true)) measured
  where case measured.measure when 'activity.calories_active_kcal' then s.calories_active_kcal is not null and (case when s.calories_active_kcal between 0 and 20000 then s.calories_active_kcal end) is null when 'activity.calories_total_kcal' then s.calories_total_kcal is not null and (case when s.calories_total_kcal between 1 and 20000 then s.calories_total_kcal end) is null when 'activity.distance_m' then s.distance_m is not null and (case when s.distance_m between 0 and 1100000 then s.distance_m end) is null when 'activity.floors_climbed' then s.floors_climbed is not null and (case when s.floors_climbed between 0 and 3000 then s.floors_climbed end) is null when 'activity.heart_rate_avg_bpm' then s.heart_rate_avg_bpm is not null and (case when s.heart_rate_avg_bpm between 20 and 300 then s.heart_rate_avg_bpm end) is null when 'activity.heart_rate_avg_walking_bpm' then s.heart_rate_avg_walking_bpm is not null and (case when s.heart_rate_avg_walking_bpm between 20 and 300 then s.heart_rate_avg_walking_bpm end) is null when 'activity.heart_rate_max_bpm' then s.heart_rate_max_bpm is not null and (case when s.heart_rate_max_bpm between 20 and 300 then s.heart_rate_max_bpm end) is null when 'activity.heart_rate_min_bpm' then s.heart_rate_min_bpm is not null and (case when s.heart_rate_min_bpm between 20 and 300 then s.heart_rate_min_bpm end) is null when 'activity.heart_rate_resting_bpm' then s.heart_rate_resting_bpm is not null and (case when s.heart_rate_resting_bpm between 20 and 300 then s.heart_rate_resting_bpm end) is null when 'activity.high_min' then s.high_min is not null and (case when s.high_min between 0 and 1500 then s.high_min end) is null when 'activity.low_min' then s.low_min is not null and (case when s.low_min between 0 and 1500 then s.low_min end) is null when 'activity.medium_min' then s.medium_min is not null and (case when s.medium_min between 0 and 1500 then s.medium_min end) is null when 'activity.steps' then s.steps is not null and (case when s.steps between 0 and 250000 then s.steps end) is null when 'activity.wheelchair_push' then s.wheelchair_push is not null and (case when s.wheelchair_push between 0 and 100000 then s.wheelchair_push end) is null end
  union all
  select
    s.user_id, s.provider, s.source_type, 'blood_pressure', measured.measure, s.unit, 'implausible',
    coalesce(s.start_at, make_timestamptz(epoch_us(s.local_date))), s._received_at
  from blood_pressure s
  left join unit_conversions c on c.measure = 'blood_pressure.diastolic_mmhg' and c.unit_sent = coalesce(lower(trim(s.unit, ' ')), '')
  cross join (select unnest(from_json('[
{"measure":"blood_pressure.diastolic_mmhg"},
{"measure":"blood_pressure.systolic_mmhg"}
]', '[{"measure":"varchar"}]'), recursive := true)) measured
  where case measured.measure when 'blood_pressure.diastolic_mmhg' then (s.diastolic_mmhg - c.minus) * c.times / c.per is not null and (case when (s.diastolic_mmhg - c.minus) * c.times / c.per between 20 and 250 then (s.diastolic_mmhg - c.minus) * c.times / c.per end) is null when 'blood_pressure.systolic_mmhg' then (s.systolic_mmhg - c.minus) * c.times / c.per is not null and (case when (s.systolic_mmhg - c.minus) * c.times / c.per between 40 and 350 then (s.systolic_mmhg - c.minus) * c.times / c.per end) is null end
  union all
  select
    s.user_id, s.provider, s.source_type, 'body', measured.measure, cast(null as string), 'implausible',
    make_timestamptz(epoch_us(s.calendar_date)), s._received_at
  from body s
  
  cross join (select unnest(from_json('[
{"measure":"body.body_mass_index"},
{"measure":"body.bone_mass_pct"},
{"measure":"body.fat_pct"},
{"measure":"body.lean_body_mass_kg"},
{"measure":"body.muscle_mass_pct"},
{"measure":"body.visceral_fat_index"},
{"measure":"body.waist_circumference_cm"},
{"measure":"body.water_pct"},
{"measure":"body.weight_kg"}
]', '[{"measure":"varchar"}]'), recursive := true)) measured
  where case measured.measure when 'body.body_mass_index' then s.body_mass_index is not null and (case when s.body_mass_index between 5 and 210 then s.body_mass_index end) is null when 'body.bone_mass_pct' then s.bone_mass_pct is not null and (case when s.bone_mass_pct between 0.5 and 100 then s.bone_mass_pct end) is null when 'body.fat_pct' then s.fat_pct is not null and (case when s.fat_pct between 1 and 80 then s.fat_pct end) is null when 'body.lean_body_mass_kg' then s.lean_body_mass_kg is not null and (case when s.lean_body_mass_kg between 0.3 and 650 then s.lean_body_mass_kg end) is null when 'body.muscle_mass_pct' then s.muscle_mass_pct is not null and (case when s.muscle_mass_pct between 0.5 and 100 then s.muscle_mass_pct end) is null when 'body.visceral_fat_index' then s.visceral_fat_index is not null and (case when s.visceral_fat_index between 1 and 60 then s.visceral_fat_index end) is null when 'body.waist_circumference_cm' then s.waist_circumference_cm is not null and (case when s.waist_circumference_cm between 15 and 320 then s.waist_circumference_cm end) is null when 'body.water_pct' then s.water_pct is not null and (case when s.water_pct between 0.5 and 100 then s.water_pct end) is null when 'body.weight_kg' then s.weight_kg is not null and (case when s.weight_kg between 0.3 and 650 then s.weight_kg end) is null end
  union all
  select
    s.user_id, s.provider, s.source_type, 'electrocardiogram', measured.measure, cast(null as string), 'implausible',
    coalesce(s.session_start, s._received_at), s._received_at
  from electrocardiogram s
  
  cross join (select unnest(from_json('[
{"measure":"electrocardiogram.heart_rate_mean_bpm"}
]', '[{"measure":"varchar"}]'), recursive := true)) measured
  where case measured.measure when 'electrocardiogram.heart_rate_mean_bpm' then s.heart_rate_mean_bpm is not null and (case when s.heart_rate_mean_bpm between 20 and 300 then s.heart_rate_mean_bpm end) is null end
  union all
  select
    s.user_id, s.provider, s.source_type, 'meal', measured.measure, cast(null as string), 'implausible',
    coalesce(s.eaten_at, make_timestamptz(epoch_us(s.calendar_date))), s._received_at
  from meal s
  
  cross join (select unnest(from_json('[
{"measure":"meal.alcohol_g"},
{"measure":"meal.carbs_g"},
{"measure":"meal.cholesterol_g"},
{"measure":"meal.energy_kcal"},
{"measure":"meal.fat_monounsaturated_g"},
{"measure":"meal.fat_omega3_g"},
{"measure":"meal.fat_omega6_g"},
{"measure":"meal.fat_polyunsaturated_g"},
{"measure":"meal.fat_saturated_g"},
{"measure":"meal.fat_total_g"},
{"measure":"meal.fibre_g"},
{"measure":"meal.protein_g"},
{"measure":"meal.sugar_g"},
{"measure":"meal.water_g"}
]', '[{"measure":"varchar"}]'), recursive := true)) measured
  where case measured.measure when 'meal.alcohol_g' then s.alcohol_g is not null and (case when s.alcohol_g between 0 and 2000 then s.alcohol_g end) is null when 'meal.carbs_g' then s.carbs_g is not null and (case when s.carbs_g between 0 and 2000 then s.carbs_g end) is null when 'meal.cholesterol_g' then s.cholesterol_g is not null and (case when s.cholesterol_g between 0 and 20 then s.cholesterol_g end) is null when 'meal.energy_kcal' then s.energy_kcal is not null and (case when s.energy_kcal between 0 and 20000 then s.energy_kcal end) is null when 'meal.fat_monounsaturated_g' then s.fat_monounsaturated_g is not null and (case when s.fat_monounsaturated_g between 0 and 2000 then s.fat_monounsaturated_g end) is null when 'meal.fat_omega3_g' then s.fat_omega3_g is not null and (case when s.fat_omega3_g between 0 and 2000 then s.fat_omega3_g end) is null when 'meal.fat_omega6_g' then s.fat_omega6_g is not null and (case when s.fat_omega6_g between 0 and 2000 then s.fat_omega6_g end) is null when 'meal.fat_polyunsaturated_g' then s.fat_polyunsaturated_g is not null and (case when s.fat_polyunsaturated_g between 0 and 2000 then s.fat_polyunsaturated_g end) is null when 'meal.fat_saturated_g' then s.fat_saturated_g is not null and (case when s.fat_saturated_g between 0 and 2000 then s.fat_saturated_g end) is null when 'meal.fat_total_g' then s.fat_total_g is not null and (case when s.fat_total_g between 0 and 2000 then s.fat_total_g end) is null when 'meal.fibre_g' then s.fibre_g is not null and (case when s.fibre_g between 0 and 2000 then s.fibre_g end) is null when 'meal.protein_g' then s.protein_g is not null and (case when s.protein_g between 0 and 2000 then s.protein_g end) is null when 'meal.sugar_g' then s.sugar_g is not null and (case when s.sugar_g between 0 and 2000 then s.sugar_g end) is null when 'meal.water_g' then s.water_g is not null and (case when s.water_g between 0 and 20000 then s.water_g end) is null end
  union all
  select
    s.user_id, s.provider, s.source_type, 'profile', measured.measure, cast(null as string), 'implausible',
    s._received_at, s._received_at
  from profile s
  
  cross join (select unnest(from_json('[
{"measure":"profile.height_cm"}
]', '[{"measure":"varchar"}]'), recursive := true)) measured
  where case measured.measure when 'profile.height_cm' then s.height_cm is not null and (case when s.height_cm between 25 and 280 then s.height_cm end) is null end
  union all
  select
    s.user_id, s.provider, s.source_type, 'sleep', measured.measure, cast(null as string), 'implausible',
    coalesce(s.bedtime_start, make_timestamptz(epoch_us(s.calendar_date))), s._received_at
  from sleep s
  
  cross join (select unnest(from_json('[
{"measure":"sleep.average_hrv_ms"},
{"measure":"sleep.awake_s"},
{"measure":"sleep.deep_s"},
{"measure":"sleep.duration_s"},
{"measure":"sleep.efficiency"},
{"measure":"sleep.hr_average_bpm"},
{"measure":"sleep.hr_dip_pct"},
{"measure":"sleep.hr_lowest_bpm"},
{"measure":"sleep.hr_resting_bpm"},
{"measure":"sleep.latency_s"},
{"measure":"sleep.light_s"},
{"measure":"sleep.recovery_readiness_score"},
{"measure":"sleep.rem_s"},
{"measure":"sleep.respiratory_rate_per_min"},
{"measure":"sleep.score"},
{"measure":"sleep.skin_temperature_c"},
{"measure":"sleep.temperature_delta_c"},
{"measure":"sleep.total_s"}
]', '[{"measure":"varchar"}]'), recursive := true)) measured
  where case measured.measure when 'sleep.average_hrv_ms' then s.average_hrv_ms is not null and (case when s.average_hrv_ms between 1 and 500 then s.average_hrv_ms end) is null when 'sleep.awake_s' then s.awake_s is not null and (case when s.awake_s between 0 and 86400 then s.awake_s end) is null when 'sleep.deep_s' then s.deep_s is not null and (case when s.deep_s between 0 and 86400 then s.deep_s end) is null when 'sleep.duration_s' then s.duration_s is not null and (case when s.duration_s between 60 and 86400 then s.duration_s end) is null when 'sleep.efficiency' then s.efficiency is not null and (case when case when s.efficiency > 1 then s.efficiency / 100 else s.efficiency end between 0.01 and 1 then case when s.efficiency > 1 then s.efficiency / 100 else s.efficiency end end) is null when 'sleep.hr_average_bpm' then s.hr_average_bpm is not null and (case when s.hr_average_bpm between 20 and 300 then s.hr_average_bpm end) is null when 'sleep.hr_dip_pct' then s.hr_dip_pct is not null and (case when s.hr_dip_pct between -50 and 100 then s.hr_dip_pct end) is null when 'sleep.hr_lowest_bpm' then s.hr_lowest_bpm is not null and (case when s.hr_lowest_bpm between 20 and 300 then s.hr_lowest_bpm end) is null when 'sleep.hr_resting_bpm' then s.hr_resting_bpm is not null and (case when s.hr_resting_bpm between 20 and 300 then s.hr_resting_bpm end) is null when 'sleep.latency_s' then s.latency_s is not null and (case when s.latency_s between 0 and 86400 then s.latency_s end) is null when 'sleep.light_s' then s.light_s is not null and (case when s.light_s between 0 and 86400 then s.light_s end) is null when 'sleep.recovery_readiness_score' then s.recovery_readiness_score is not null and (case when s.recovery_readiness_score between 1 and 100 then s.recovery_readiness_score end) is null when 'sleep.rem_s' then s.rem_s is not null and (case when s.rem_s between 0 and 86400 then s.rem_s end) is null when 'sleep.respiratory_rate_per_min' then s.respiratory_rate_per_min is not null and (case when s.respiratory_rate_per_min between 2 and 100 then s.respiratory_rate_per_min end) is null when 'sleep.score' then s.score is not null and (case when s.score between 1 and 100 then s.score end) is null when 'sleep.skin_temperature_c' then s.skin_temperature_c is not null and (case when s.skin_temperature_c between 10 and 45 then s.skin_temperature_c end) is null when 'sleep.temperature_delta_c' then s.temperature_delta_c is not null and (case when s.temperature_delta_c between -15 and 15 then s.temperature_delta_c end) is null when 'sleep.total_s' then s.total_s is not null and (case when s.total_s between 60 and 86400 then s.total_s end) is null end
  union all
  select
    s.user_id, s.provider, s.source_type, 'workouts', measured.measure, cast(null as string), 'implausible',
    coalesce(s.time_start, make_timestamptz(epoch_us(s.calendar_date))), s._received_at
  from workouts s
  
  cross join (select unnest(from_json('[
{"measure":"workouts.average_hr_bpm"},
{"measure":"workouts.average_speed_m_s"},
{"measure":"workouts.average_watts"},
{"measure":"workouts.calories_kcal"},
{"measure":"workouts.device_watts"},
{"measure":"workouts.distance_m"},
{"measure":"workouts.elev_high_m"},
{"measure":"workouts.elev_low_m"},
{"measure":"workouts.max_hr_bpm"},
{"measure":"workouts.max_speed_m_s"},
{"measure":"workouts.max_watts"},
{"measure":"workouts.moving_time_s"},
{"measure":"workouts.steps"},
{"measure":"workouts.total_elevation_gain_m"},
{"measure":"workouts.weighted_average_watts"}
]', '[{"measure":"varchar"}]'), recursive := true)) measured
  where case measured.measure when 'workouts.average_hr_bpm' then s.average_hr_bpm is not null and (case when s.average_hr_bpm between 20 and 300 then s.average_hr_bpm end) is null when 'workouts.average_speed_m_s' then s.average_speed_m_s is not null and (case when s.average_speed_m_s between 0 and 80 then s.average_speed_m_s end) is null when 'workouts.average_watts' then s.average_watts is not null and (case when s.average_watts between 0 and 3000 then s.average_watts end) is null when 'workouts.calories_kcal' then s.calories_kcal is not null and (case when s.calories_kcal between 0 and 50000 then s.calories_kcal end) is null when 'workouts.device_watts' then s.device_watts is not null and (case when s.device_watts between 0 and 3000 then s.device_watts end) is null when 'workouts.distance_m' then s.distance_m is not null and (case when s.distance_m between 0 and 2000000 then s.distance_m end) is null when 'workouts.elev_high_m' then s.elev_high_m is not null and (case when s.elev_high_m between -450 and 9000 then s.elev_high_m end) is null when 'workouts.elev_low_m' then s.elev_low_m is not null and (case when s.elev_low_m between -450 and 9000 then s.elev_low_m end) is null when 'workouts.max_hr_bpm' then s.max_hr_bpm is not null and (case when s.max_hr_bpm between 20 and 300 then s.max_hr_bpm end) is null when 'workouts.max_speed_m_s' then s.max_speed_m_s is not null and (case when s.max_speed_m_s between 0 and 80 then s.max_speed_m_s end) is null when 'workouts.max_watts' then s.max_watts is not null and (case when s.max_watts between 0 and 3000 then s.max_watts end) is null when 'workouts.moving_time_s' then s.moving_time_s is not null and (case when s.moving_time_s between 0 and 600000 then s.moving_time_s end) is null when 'workouts.steps' then s.steps is not null and (case when s.steps between 0 and 500000 then s.steps end) is null when 'workouts.total_elevation_gain_m' then s.total_elevation_gain_m is not null and (case when s.total_elevation_gain_m between 0 and 50000 then s.total_elevation_gain_m end) is null when 'workouts.weighted_average_watts' then s.weighted_average_watts is not null and (case when s.weighted_average_watts between 0 and 3000 then s.weighted_average_watts end) is null end
  union all
  select
    user_id, provider, source_type, 'activity', cast(null as string), cast(null as string), 'updated_later_than_receipt',
    updated_at, _received_at
  from activity
  where ((epoch_us(updated_at) - epoch_us(_received_at)) / 1000000.0 > 86400)
  union all
  select
    user_id, provider, source_type, 'body', cast(null as string), cast(null as string), 'updated_later_than_receipt',
    updated_at, _received_at
  from body
  where ((epoch_us(updated_at) - epoch_us(_received_at)) / 1000000.0 > 86400)
  union all
  select
    user_id, provider, source_type, 'electrocardiogram', cast(null as string), cast(null as string), 'updated_later_than_receipt',
    updated_at, _received_at
  from electrocardiogram
  where ((epoch_us(updated_at) - epoch_us(_received_at)) / 1000000.0 > 86400)
  union all
  select
    user_id, cast(null as string), cast(null as string), 'lab_critical_results', cast(null as string), cast(null as string), 'updated_later_than_receipt',
    updated_at, _received_at
  from lab_critical_results
  where ((epoch_us(updated_at) - epoch_us(_received_at)) / 1000000.0 > 86400)
  union all
  select
    user_id, cast(null as string), cast(null as string), 'lab_orders', cast(null as string), cast(null as string), 'updated_later_than_receipt',
    updated_at, _received_at
  from lab_orders
  where ((epoch_us(updated_at) - epoch_us(_received_at)) / 1000000.0 > 86400)
  union all
  select
    user_id, provider, source_type, 'meal', cast(null as string), cast(null as string), 'updated_later_than_receipt',
    updated_at, _received_at
  from meal
  where ((epoch_us(updated_at) - epoch_us(_received_at)) / 1000000.0 > 86400)
  union all
  select
    user_id, provider, source_type, 'menstrual_cycle', cast(null as string), cast(null as string), 'updated_later_than_receipt',
    updated_at, _received_at
  from menstrual_cycle
  where ((epoch_us(updated_at) - epoch_us(_received_at)) / 1000000.0 > 86400)
  union all
  select
    user_id, provider, source_type, 'profile', cast(null as string), cast(null as string), 'updated_later_than_receipt',
    updated_at, _received_at
  from profile
  where ((epoch_us(updated_at) - epoch_us(_received_at)) / 1000000.0 > 86400)
  union all
  select
    user_id, provider, source_type, 'sleep', cast(null as string), cast(null as string), 'updated_later_than_receipt',
    updated_at, _received_at
  from sleep
  where ((epoch_us(updated_at) - epoch_us(_received_at)) / 1000000.0 > 86400)
  union all
  select
    user_id, provider, source_type, 'sleep_cycle', cast(null as string), cast(null as string), 'updated_later_than_receipt',
    updated_at, _received_at
  from sleep_cycle
  where ((epoch_us(updated_at) - epoch_us(_received_at)) / 1000000.0 > 86400)
  union all
  select
    user_id, provider, source_type, 'workouts', cast(null as string), cast(null as string), 'updated_later_than_receipt',
    updated_at, _received_at
  from workouts
  where ((epoch_us(updated_at) - epoch_us(_received_at)) / 1000000.0 > 86400)
  ) others
  union all
  select
    user_id, provider, source_type, origin_table, cast(null as string) as measure, cast(null as string) as unit, 'unknown_time_zone' as issue, occurred_at,
    _received_at, time_zone
  from (
    select
      user_id, provider, source_type, 'activity' as origin_table, time_zone, make_timestamptz(epoch_us(calendar_date)) as occurred_at, _received_at
    from activity
    union all
    select
      user_id, provider, source_type, 'sleep_cycle' as origin_table, time_zone, session_start as occurred_at, _received_at
    from sleep_cycle
    union all
    select
      user_id, provider, source_type, 'electrocardiogram' as origin_table, time_zone, session_start as occurred_at, _received_at
    from electrocardiogram
    union all
    select user_id, cast(null as string), cast(null as string), 'users', fallback_time_zone, fallback_time_zone_updated_at, _received_at
    from users
    where coalesce(fallback_time_zone_source, '') <> 'service'
  ) named_zones
  left join (select distinct zone, lower(zone) as spelled from time_zone_transitions) named on named.spelled = replace(lower(trim(time_zone, ' ')), ' ', '_')
  where trim(time_zone, ' ') <> '' and named.zone is null and case
      when named.zone is not null then null
      when replace(lower(trim(time_zone, ' ')), ' ', '_') = 'z' then 0
      when not regexp_matches(replace(lower(trim(time_zone, ' ')), ' ', '_'), '^(gmt|utc)?([+]((0?[0-9]|1[0-3])(:[0-5][0-9])?|(0[0-9]|1[0-3])[0-5][0-9]|14(:?00)?)|-((0?[0-9]|1[01])(:[0-5][0-9])?|(0[0-9]|1[01])[0-5][0-9]|12(:?00)?))$') then null
      when length(replace(replace(replace(replace(lower(trim(time_zone, ' ')), ' ', '_'), 'gmt', ''), 'utc', ''), ':', '')) < 4 then cast(replace(replace(replace(replace(lower(trim(time_zone, ' ')), ' ', '_'), 'gmt', ''), 'utc', ''), ':', '') as int64) * 3600
      else mod(cast(replace(replace(replace(replace(lower(trim(time_zone, ' ')), ' ', '_'), 'gmt', ''), 'utc', ''), ':', '') as int64), 100) * 24 + cast(replace(replace(replace(replace(lower(trim(time_zone, ' ')), ' ', '_'), 'gmt', ''), 'utc', ''), ':', '') as int64) * 36
    end is null
) found
group by user_id, provider, source_type, origin_table, measure, unit, time_zone, issue;

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
select
  user_id, provider,
  coalesce(
    arg_max(case when event_type = 'provider.connection.error' then 'error' else 'connected' end, version) filter (where event_type in ('provider.connection.created', 'provider.connection.error')),
    'connected'
  ) as status,
  min(case when event_type = 'provider.connection.created' then _received_at end) as connected_at,
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
  user_id, id, provider, source_type, provider || '/' || source_type as source, member_name as food_name,
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
  user_id, id, provider, source_type, provider || '/' || source_type as source, sleep_id, ordinal,
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
select user_id, id, provider, source_type, provider || '/' || source_type as source, ordinal as zone, element as duration_s
from (
  select user_id, id, provider, source_type, generate_subscripts(hr_zones_s, 1) as ordinal, unnest(hr_zones_s) as element
  from workouts
) zones;

create or replace view continuous_query_results_changes as
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
select
  user_id, _received_at, _origin, _offset, ordinal,
  element.query_id, element.query_slug, element.result_columns
from (
  select user_id, _received_at, _origin, _offset, generate_subscripts(changes, 1) as ordinal, unnest(changes) as element
  from (
select kept.*
from continuous_query_results kept
left join (
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
  element.is_present, element.scheduled_at, element.range_start, element.range_end, element.state, element.since, element.progressed_at, element.retrying_since, element.status, element.error_details, element.error_class, element.expected_at, element.started_at, element.ended_at, element.days_with_data, element.provisional, element.perhaps_completed_at, element.announced_at, element.broken_at, element.not_pulled_at, element.contradicted_at, element.knows_retrying, element.reports, element.service_since, element.service_retrying_since, element.trace_id
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
  user_id, provider, source_type, provider || '/' || source_type as source, id, ordinal,
  element.calendar_date as local_date, element.flow
from (
  select user_id, provider, source_type, id, generate_subscripts(menstrual_flow, 1) as ordinal, unnest(menstrual_flow) as element
  from menstrual_cycle
) listed;

create or replace view menstrual_cycle_cervical_mucus as
select
  user_id, provider, source_type, provider || '/' || source_type as source, id, ordinal,
  element.calendar_date as local_date, element.quality
from (
  select user_id, provider, source_type, id, generate_subscripts(cervical_mucus, 1) as ordinal, unnest(cervical_mucus) as element
  from menstrual_cycle
) listed;

create or replace view menstrual_cycle_intermenstrual_bleeding as
select
  user_id, provider, source_type, provider || '/' || source_type as source, id, ordinal,
  element.calendar_date as local_date
from (
  select user_id, provider, source_type, id, generate_subscripts(intermenstrual_bleeding, 1) as ordinal, unnest(intermenstrual_bleeding) as element
  from menstrual_cycle
) listed;

create or replace view menstrual_cycle_contraceptive as
select
  user_id, provider, source_type, provider || '/' || source_type as source, id, ordinal,
  element.calendar_date as local_date, element.contraceptive_type
from (
  select user_id, provider, source_type, id, generate_subscripts(contraceptive, 1) as ordinal, unnest(contraceptive) as element
  from menstrual_cycle
) listed;

create or replace view menstrual_cycle_detected_deviations as
select
  user_id, provider, source_type, provider || '/' || source_type as source, id, ordinal,
  element.calendar_date as local_date, element.deviation
from (
  select user_id, provider, source_type, id, generate_subscripts(detected_deviations, 1) as ordinal, unnest(detected_deviations) as element
  from menstrual_cycle
) listed;

create or replace view menstrual_cycle_ovulation_test as
select
  user_id, provider, source_type, provider || '/' || source_type as source, id, ordinal,
  element.calendar_date as local_date, element.test_result
from (
  select user_id, provider, source_type, id, generate_subscripts(ovulation_test, 1) as ordinal, unnest(ovulation_test) as element
  from menstrual_cycle
) listed;

create or replace view menstrual_cycle_home_pregnancy_test as
select
  user_id, provider, source_type, provider || '/' || source_type as source, id, ordinal,
  element.calendar_date as local_date, element.test_result
from (
  select user_id, provider, source_type, id, generate_subscripts(home_pregnancy_test, 1) as ordinal, unnest(home_pregnancy_test) as element
  from menstrual_cycle
) listed;

create or replace view menstrual_cycle_home_progesterone_test as
select
  user_id, provider, source_type, provider || '/' || source_type as source, id, ordinal,
  element.calendar_date as local_date, element.test_result
from (
  select user_id, provider, source_type, id, generate_subscripts(home_progesterone_test, 1) as ordinal, unnest(home_progesterone_test) as element
  from menstrual_cycle
) listed;

create or replace view menstrual_cycle_sexual_activity as
select
  user_id, provider, source_type, provider || '/' || source_type as source, id, ordinal,
  element.calendar_date as local_date, element.protection_used
from (
  select user_id, provider, source_type, id, generate_subscripts(sexual_activity, 1) as ordinal, unnest(sexual_activity) as element
  from menstrual_cycle
) listed;

create or replace view menstrual_cycle_basal_body_temperature as
select
  user_id, provider, source_type, provider || '/' || source_type as source, id, ordinal,
  element.calendar_date as local_date, element.temperature_c
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

create or replace view lab_order_history as
select
  user_id, id as order_id, event_id, status,
  nullif(split_part(status, '.', 1), '') as high_level,
  nullif(split_part(status, '.', 2), '') as modality,
  nullif(split_part(status, '.', 3), '') as low_level,
  status_detail, created_at as began_at, ended_at
from (
  select
    *, lag(created_at) over (partition by user_id, id order by created_at desc nulls last, event_id desc nulls last, ordinal desc) as ended_at,
    row_number() over (partition by user_id, id order by created_at desc nulls last, event_id desc nulls last, ordinal desc) as from_last
  from (
    select *, row_number() over (partition by user_id, id, event_id order by created_at desc nulls last, event_id desc nulls last, ordinal desc) as nth
    from (
      select user_id, id, ordinal, event_id, created_at, status, status_detail
      from lab_orders_events
      union all
      select user_id, id, 0, last_event_id, last_event_at, last_event_status, last_event_status_detail
      from lab_orders
      where last_event_id is not null or len(events) = 0
    ) sent
    where status is not null
  ) numbered
  where nth = 1 or event_id is null
) statuses
where ended_at is not null or from_last = 1;

create or replace view lab_order_progress as
select
  o.user_id, o.id as order_id, o.lab_name, o.lab_test_name, o.sample_id,
  h.status,
  nullif(split_part(coalesce(h.status, o.status), '.', 1), '') as high_level,
  nullif(split_part(coalesce(h.status, o.status), '.', 2), '') as modality,
  nullif(split_part(coalesce(h.status, o.status), '.', 3), '') as low_level,
  h.status_detail, h.began_at as since,
  o.interpretation, o.has_missing_results, o.expected_result_by_date, o.worst_case_result_by_date, o.created_at, o.updated_at,
  (epoch_us(h.completed_at) - epoch_us(o.created_at)) / 1000000.0 as turnaround_s
from lab_orders o
left join (
  select *, min(case when high_level = 'completed' then began_at end) over (partition by user_id, order_id) as completed_at
  from lab_order_history
) h on h.user_id = o.user_id and h.order_id = o.id and h.ended_at is null;

create or replace view lab_result_history as
select
  user_id, marker, name, loinc, order_id, ordinal, taken_at, result, result_sign, result_number, unit, reference_low, reference_high,
  case
    when interpretation in ('normal', 'abnormal', 'critical') then interpretation
    when is_above_max_range or is_below_min_range then 'abnormal'
    when not is_above_max_range and not is_below_min_range then 'normal'
    else 'unknown'
  end as verdict,
  is_above_max_range as is_above, is_below_min_range as is_below, nth, nth = results as is_latest,
  case when coalesce(unit, '') = previous_unit and result_sign is null and previous_sign is null then previous_number end as previous_number,
  previous_at
from (
  select
    *, row_number() over (partition by user_id, marker order by taken_at nulls first, order_id, ordinal) as nth, count(*) over (partition by user_id, marker) as results,
    lag(result_number) over (partition by user_id, marker order by taken_at nulls first, order_id, ordinal) as previous_number, lag(coalesce(unit, '')) over (partition by user_id, marker order by taken_at nulls first, order_id, ordinal) as previous_unit,
    lag(result_sign) over (partition by user_id, marker order by taken_at nulls first, order_id, ordinal) as previous_sign, lag(taken_at) over (partition by user_id, marker order by taken_at nulls first, order_id, ordinal) as previous_at
  from (
    select *, coalesce(slug, name) as marker
    from lab_results_items
  ) named
  where marker is not null
) ordered;

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

create or replace view sleep_nights as
with records as (
  select
    s.user_id, s.provider, s.source_type, s.id, calendar_date,
    case when bedtime_stop > bedtime_start then bedtime_start end as start_at,
    case when bedtime_stop > bedtime_start then bedtime_stop end as end_at,
    timezone_offset_s as own_offset_s, coalesce(zone_span.offset_s, zone_rule.offset_s) as zone_offset_s,
    case when sleep_type = 'acknowledged_nap' then 1 else 0 end as is_nap,
    case when sleep_type = 'short_sleep' then 1 else 0 end as is_short,
    case when sleep_type = 'long_sleep' then 1 else 0 end as is_long,
    case when state = 'tentative' then 1 else 0 end as is_tentative,
    coalesce(case when total_s between 60 and 86400 then total_s end, cast(floor(case when bedtime_stop > bedtime_start then (epoch_us(bedtime_stop) - epoch_us(bedtime_start)) / 1000000.0 end) as int64), case when duration_s between 60 and 86400 then duration_s end, 0) as asleep_s, total_s
  from sleep s
  left join user_time_zones zone_span
    on zone_span.user_id = case when s.timezone_offset_s is null then s.user_id end and zone_span.user_id = s.user_id
    and s.bedtime_start >= zone_span.from_at and s.bedtime_start < coalesce(zone_span.to_at, timestamptz '9999-12-31T23:59:59Z')
  left join time_zone_transitions zone_rule
    on zone_rule.zone = case when zone_span.offset_s is null then zone_span.time_zone end and zone_rule.time_basis = 'utc'
    and s.bedtime_start >= zone_rule.from_at and s.bedtime_start < coalesce(zone_rule.to_at, timestamptz '9999-12-31T23:59:59Z')
  where (total_s is null or case when total_s between 60 and 86400 then total_s end is not null)
    and coalesce(case when bedtime_stop > bedtime_start then (epoch_us(bedtime_stop) - epoch_us(bedtime_start)) / 1000000.0 end, case when duration_s between 60 and 86400 then duration_s end, total_s, 0) <= 86400
),
near as (
  select *, make_timestamp(epoch_us(start_at))::date as near_day from records where start_at is not null
  union all
  select *, make_timestamp(epoch_us(end_at))::date as near_day from records where make_timestamp(epoch_us(end_at))::date <> make_timestamp(epoch_us(start_at))::date
),
repetitions as (
  select distinct user_id, id
  from (
    select
      one.user_id,
      case when
        one.is_tentative < other.is_tentative
        or one.is_tentative = other.is_tentative and one.is_nap < other.is_nap
        or one.is_tentative = other.is_tentative and one.is_nap = other.is_nap and other.asleep_s < one.asleep_s
        or one.is_tentative = other.is_tentative and one.is_nap = other.is_nap and other.asleep_s = one.asleep_s and one.start_at < other.start_at
        or one.is_tentative = other.is_tentative and one.is_nap = other.is_nap and other.asleep_s = one.asleep_s and one.start_at = other.start_at and one.id < other.id
      then other.id else one.id end as id
    from near one
    join records other
      on other.user_id = one.user_id and other.provider = one.provider and other.source_type = one.source_type
      and make_timestamp(epoch_us(other.start_at))::date = one.near_day
    where other.id <> one.id and other.start_at >= one.start_at and 2 * ((epoch_us(least(one.end_at, other.end_at)) - epoch_us(other.start_at)) / 1000000.0) >= least((epoch_us(one.end_at) - epoch_us(one.start_at)) / 1000000.0, (epoch_us(other.end_at) - epoch_us(other.start_at)) / 1000000.0)
  ) worse
),
fragments as (
  select records.*
  from records
  left join repetitions on repetitions.user_id = records.user_id and repetitions.id = records.id
  where repetitions.id is null
),
grouped as (
  select *, sum(begins_session) over (partition by user_id, provider, source_type, is_nap order by start_at, end_at, id) as session
  from (
    select
      *,
      case when start_at <= max(end_at) over (
          partition by user_id, provider, source_type, is_nap order by start_at, end_at, id rows between unbounded preceding and 1 preceding
        ) + to_seconds(3600) then 0 else 1 end as begins_session
    from fragments
  ) compared
),
summed as (
  select
    user_id, provider, source_type, is_nap, provider || '/' || source_type as source,
    min(start_at) as start_at, max(end_at) as end_at,
    coalesce(arg_max(own_offset_s, coalesce((epoch_us(timestamptz '9999-12-31T23:59:59Z') - epoch_us(start_at)) / 1000000.0, 1)), arg_max(zone_offset_s, coalesce((epoch_us(timestamptz '9999-12-31T23:59:59Z') - epoch_us(start_at)) / 1000000.0, 1))) as offset_s,
    count(own_offset_s) as own_offsets,
    arg_max(calendar_date, coalesce((epoch_us(timestamptz '9999-12-31T23:59:59Z') - epoch_us(start_at)) / 1000000.0, 1)) as calendar_date,
    min(id) as first_id, array_agg(id) as ids,
    min(is_short) as is_short,
    case when max(is_long) = 1 or sum(asleep_s) >= 10800 then 1 else 0 end as is_long,
    max(is_tentative) as is_tentative,
    cast(sum(asleep_s) as int64) as asleep_s,
    case when count(total_s) = count(*) then cast(sum(total_s) as int64) end as total_s
  from grouped
  group by user_id, provider, source_type, is_nap, session
),
sessions as (
  select
    *,
    coalesce(make_timestamp(epoch_us(start_at + to_microseconds((epoch_us(end_at) - epoch_us(start_at)) // 2) + to_seconds((offset_s + 21600))))::date, calendar_date) as night_date,
    extract(hour from make_timestamp(epoch_us(start_at + to_microseconds((epoch_us(end_at) - epoch_us(start_at)) // 2)) + offset_s * 1000000)) as local_hour
  from summed
),
stretched as (
  select
    *, sum(begins) over (partition by user_id order by start_at, end_at, first_id) as stretch
  from (
    select
      *,
      case when is_nap = 0 and asleep_s >= 10800 and start_at is not null and night_date is not null then row_number() over (
        partition by user_id, source, night_date
        order by case when is_nap = 0 and asleep_s >= 10800 and start_at is not null and night_date is not null then 0 else 1 end, is_tentative, asleep_s desc, start_at, first_id
      ) end as night_place,
      max(case when is_nap = 0 then is_long end) over (partition by user_id, source, night_date) as beside_long,
      case when start_at < max(end_at) over (
        partition by user_id order by start_at, end_at, first_id rows between unbounded preceding and 1 preceding
      ) then 0 else 1 end as begins
    from sessions
  ) begun
),
compared as (
  select
    user_id, provider, source_type, source, first_id, ids, start_at, end_at, offset_s, own_offsets, night_date, local_hour, stretch,
    is_nap, is_short, is_long, beside_long, is_tentative, asleep_s, total_s,
    case when is_nap = 0 then (list_filter(one.longer, lambda other: other.night_place = 1 and other.source <> one.source and other.start_at < one.end_at and other.end_at > one.start_at)[1]).night_date end as same_night
  from (
    select *, list({source: source, start_at: start_at, end_at: end_at, night_date: night_date, night_place: night_place}) over (partition by user_id, stretch order by asleep_s desc, start_at, first_id rows between unbounded preceding and current row) as longer
    from stretched
  ) one
),
kinds as (
  select
    user_id, provider, source_type, source, first_id, ids, start_at, end_at, offset_s, own_offsets, stretch, is_tentative, asleep_s,
    total_s, coalesce(same_night, night_date) as night_date,
    case
      when is_nap = 1 then 1
      when same_night is not null then 0
      when local_hour is null then is_short * (1 - is_long) * coalesce(beside_long, 0)
      when asleep_s < 10800 and local_hour between 9 and 20 then 1
      when asleep_s < 3600 and local_hour >= 8 then 1
      else 0
    end as is_nap
  from compared
  where coalesce(same_night, night_date) is not null
),
sleeps as (
  select
    *,
    case when is_nap = 0 and row_number() over (
      partition by user_id, source, night_date, is_nap
      order by is_tentative, asleep_s desc, case when start_at is null then 1 else 0 end, start_at, first_id
    ) = 1 then 1 else 0 end as is_main,
    count(*) over (partition by user_id, source, night_date, is_nap) as of_kind,
    sum(asleep_s) over (partition by user_id, source, night_date, is_nap) as of_kind_asleep_s
  from kinds
),
measured as (
  select
    *, case when provider = 'manual' then 17 else case source_type when 'lab' then 1 when 'chest_strap' then 2 when 'cuff' then 3 when 'scale' then 4 when 'ring' then 5 when 'watch' then 6 when 'earphone' then 7 when 'exercise_machine' then 8 when 'fingerprick' then 9 when 'insulin_pump' then 10 when 'automatic' then 11 when 'multiple_sources' then 12 when 'phone' then 13 when 'app' then 14 when 'unknown' then 15 when 'manual_scan' then 16 else 15 end end as source_rank,
    count(case when is_main = 1 then 1 end) over (
    partition by user_id, source order by (night_date - date '1970-01-01') range between 14 preceding and 1 preceding
  ) as days_before,
    max(case when is_main = 1 and source_type <> 'phone' and provider <> 'manual' and asleep_s <= 50400 then asleep_s end) over (partition by user_id, night_date) as longest_s
  from sleeps
),
ranked as (
  select
    *,
    sum(is_main) over (partition by user_id, night_date) as main_sleeps,
    sum(is_partial) over (partition by user_id, night_date) as partial_sleeps,
    row_number() over (partition by user_id, night_date, is_main order by is_partial, source_rank, days_before desc, md5(user_id || ' ' || provider || '/' || source_type), provider, source_type, first_id) as nth,
    to_json(list({provider: provider, source_type: source_type, total_s: total_s, is_partial: is_partial = 1}) over (partition by user_id, night_date, is_main order by is_partial, source_rank, days_before desc, md5(user_id || ' ' || provider || '/' || source_type), provider, source_type, first_id rows between 1 following and unbounded following)) as other_sources,
    list({source: source, start_at: start_at, end_at: end_at}) over (partition by user_id, is_nap, stretch order by source_rank, days_before desc, md5(user_id || ' ' || provider || '/' || source_type), provider, source_type, start_at, first_id rows between unbounded preceding and current row) as better
  from (
    select *, case when is_main = 1 and asleep_s < 0.5 * longest_s then 1 else 0 end as is_partial
    from measured
  ) compared_sleeps
),
chosen as (
  select *, case when is_chosen = 1 then ids else [cast(null as string)] end as fragment_ids
  from (
    select
      *, case when is_main = 1 and nth = 1 then 1 else 0 end as is_chosen,
      case when is_nap = 0 or list_filter(one.better, lambda other: other.source <> one.source and other.start_at < one.end_at and other.end_at > one.start_at and 2 * ((epoch_us(least(one.end_at, other.end_at)) - epoch_us(greatest(one.start_at, other.start_at))) / 1000000.0) >= least((epoch_us(one.end_at) - epoch_us(one.start_at)) / 1000000.0, (epoch_us(other.end_at) - epoch_us(other.start_at)) / 1000000.0))[1] is not null then 0 else 1 end as is_counted
    from ranked one
  ) marked
  where is_chosen = 1 or is_counted = 1
),
repeated as (
select user_id, night_date, provider, source_type, source, start_at, end_at, offset_s, own_offsets, asleep_s, of_kind, of_kind_asleep_s, main_sleeps, partial_sleeps, is_chosen, is_counted, other_sources, generate_subscripts(fragment_ids, 1) as ordinal, unnest(fragment_ids) as element
  from chosen
),
record_values as (
  select
    user_id as record_user_id, id as record_id, bedtime_start, bedtime_stop, state,
    coalesce(case when duration_s between 60 and 86400 then duration_s end, cast(floor(case when bedtime_stop > bedtime_start then (epoch_us(bedtime_stop) - epoch_us(bedtime_start)) / 1000000.0 end) as int64)) as sent_duration_s,
    coalesce(case when total_s between 60 and 86400 then total_s end, cast(floor(case when bedtime_stop > bedtime_start then (epoch_us(bedtime_stop) - epoch_us(bedtime_start)) / 1000000.0 end) as int64), case when duration_s between 60 and 86400 then duration_s end, 0) as weight_s,
    case when total_s between 60 and 86400 then total_s end as total_s,
    case when awake_s between 0 and 86400 then awake_s end as awake_s,
    case when light_s between 0 and 86400 then light_s end as light_s,
    case when rem_s between 0 and 86400 then rem_s end as rem_s,
    case when deep_s between 0 and 86400 then deep_s end as deep_s,
    case when hr_average_bpm between 20 and 300 then hr_average_bpm end as hr_average_bpm,
    case when hr_resting_bpm between 20 and 300 then hr_resting_bpm end as hr_resting_bpm,
    case when average_hrv_ms between 1 and 500 then average_hrv_ms end as average_hrv_ms,
    case when respiratory_rate_per_min between 2 and 100 then respiratory_rate_per_min end as respiratory_rate_per_min,
    case when temperature_delta_c between -15 and 15 then temperature_delta_c end as temperature_delta_c,
    case when skin_temperature_c between 10 and 45 then skin_temperature_c end as skin_temperature_c,
    case when hr_dip_pct between -50 and 100 then hr_dip_pct end as hr_dip_pct,
    case when score between 1 and 100 then score end as score,
    case when recovery_readiness_score between 1 and 100 then recovery_readiness_score end as recovery_readiness_score,
    case when case when efficiency > 1 then efficiency / 100 else efficiency end between 0.01 and 1 then case when efficiency > 1 then efficiency / 100 else efficiency end end as efficiency,
    case when hr_lowest_bpm between 20 and 300 then hr_lowest_bpm end as hr_lowest_bpm,
    case when latency_s between 0 and 86400 then latency_s end as latency_s
  from sleep
),
nights as (
  select
    repeated.user_id, night_date,
    max(case when is_chosen = 1 then provider end) as provider,
    max(case when is_chosen = 1 then source_type end) as source_type,
    max(case when is_chosen = 1 then source end) as source,
    max(case when is_chosen = 1 then start_at end) as start_at,
    max(case when is_chosen = 1 then end_at end) as end_at,
    max(case when is_chosen = 1 then offset_s end) as offset_s,
    max(case when is_chosen = 1 then own_offsets end) as own_offsets,
    max(case when is_chosen = 1 then asleep_s end) as asleep_s,
    max(case when is_chosen = 1 then of_kind end) as of_kind,
    max(case when is_chosen = 1 then of_kind_asleep_s end) as of_kind_asleep_s,
    max(case when is_chosen = 1 then main_sleeps end) as main_sleeps,
    max(case when is_chosen = 1 then partial_sleeps end) as partial_sleeps,
    arg_max(other_sources, is_chosen) filter (where is_chosen = 1) as other_sources,
    cast(sum(is_counted) as int64) as naps,
    cast(sum(case when is_counted = 1 then asleep_s else 0 end) as int64) as nap_total_s,
    nullif(array_to_string(list_sort(list_distinct(list(case when is_counted = 1 then source end))), ', '), '') as nap_sources,
    count(record_id) as fragments,
    to_json(list_transform(list_sort(list({by_0: bedtime_start, by_1: bedtime_stop, by_2: record_id, value: record_id}) filter (where record_id is not null)), lambda one: one.value)) as ids,
    max(sent_duration_s) as sent_duration_s,
    case when max(case when state = 'tentative' then 1 end) = 1 then 'tentative' else min(state) end as state,
    case when count(total_s) = count(record_id) then cast(sum(total_s) as int64) end as total_s,
    case when count(awake_s) = count(record_id) then cast(sum(awake_s) as int64) end as awake_s,
    case when count(light_s) = count(record_id) then cast(sum(light_s) as int64) end as light_s,
    case when count(rem_s) = count(record_id) then cast(sum(rem_s) as int64) end as rem_s,
    case when count(deep_s) = count(record_id) then cast(sum(deep_s) as int64) end as deep_s,
    arg_max(latency_s, coalesce((epoch_us(timestamptz '9999-12-31T23:59:59Z') - epoch_us(bedtime_start)) / 1000000.0, 1)) as latency_s,
    min(hr_lowest_bpm) as hr_lowest_bpm,
    case when count(hr_average_bpm) = 1 then avg(hr_average_bpm) else coalesce(sum(hr_average_bpm * weight_s) / nullif(sum(case when hr_average_bpm is not null then weight_s end), 0), avg(hr_average_bpm)) end as hr_average_bpm,
    case when count(hr_resting_bpm) = 1 then avg(hr_resting_bpm) else coalesce(sum(hr_resting_bpm * weight_s) / nullif(sum(case when hr_resting_bpm is not null then weight_s end), 0), avg(hr_resting_bpm)) end as hr_resting_bpm,
    case when count(average_hrv_ms) = 1 then avg(average_hrv_ms) else coalesce(sum(average_hrv_ms * weight_s) / nullif(sum(case when average_hrv_ms is not null then weight_s end), 0), avg(average_hrv_ms)) end as hrv_ms,
    case when count(respiratory_rate_per_min) = 1 then avg(respiratory_rate_per_min) else coalesce(sum(respiratory_rate_per_min * weight_s) / nullif(sum(case when respiratory_rate_per_min is not null then weight_s end), 0), avg(respiratory_rate_per_min)) end as respiratory_rate_per_min,
    case when count(temperature_delta_c) = 1 then avg(temperature_delta_c) else coalesce(sum(temperature_delta_c * weight_s) / nullif(sum(case when temperature_delta_c is not null then weight_s end), 0), avg(temperature_delta_c)) end as temperature_delta_c,
    case when count(skin_temperature_c) = 1 then avg(skin_temperature_c) else coalesce(sum(skin_temperature_c * weight_s) / nullif(sum(case when skin_temperature_c is not null then weight_s end), 0), avg(skin_temperature_c)) end as skin_temperature_c,
    case when count(hr_dip_pct) = 1 then avg(hr_dip_pct) else coalesce(sum(hr_dip_pct * weight_s) / nullif(sum(case when hr_dip_pct is not null then weight_s end), 0), avg(hr_dip_pct)) end as hr_dip_pct,
    arg_max(score, 1 + weight_s * 1000000000000 + cast(floor(coalesce((epoch_us(timestamptz '9999-12-31T23:59:59Z') - epoch_us(bedtime_start)) / 1000000.0, 1)) as bigint)) as score,
    arg_max(recovery_readiness_score, 1 + weight_s * 1000000000000 + cast(floor(coalesce((epoch_us(timestamptz '9999-12-31T23:59:59Z') - epoch_us(bedtime_start)) / 1000000.0, 1)) as bigint)) as recovery_readiness_score,
    case when count(efficiency) = 1 then avg(efficiency) else coalesce(sum(efficiency * weight_s) / nullif(sum(case when efficiency is not null then weight_s end), 0), avg(efficiency)) end as sent_efficiency
  from repeated
  left join record_values on record_values.record_user_id = repeated.user_id and record_values.record_id = repeated.element
  group by repeated.user_id, night_date
)
select
  user_id,
  night_date,
  start_at,
  end_at,
  make_timestamp(epoch_us(start_at) + offset_s * 1000000) as local_start_at,
  make_timestamp(epoch_us(end_at) + offset_s * 1000000) as local_end_at,
  case
    when source is null then null
    when start_at is null or offset_s is null then 'calendar_date' when own_offsets > 0 then 'offset' else 'zone'
  end as local_basis,
  coalesce(cast(floor((epoch_us(end_at) - epoch_us(start_at)) / 1000000.0) as int64), sent_duration_s) as duration_s,
  total_s,
  awake_s,
  light_s,
  rem_s,
  deep_s,
  latency_s,
  case when coalesce(sent_efficiency, total_s / nullif(coalesce(cast(floor((epoch_us(end_at) - epoch_us(start_at)) / 1000000.0) as int64), sent_duration_s), 0)) between 0 and 1 then coalesce(sent_efficiency, total_s / nullif(coalesce(cast(floor((epoch_us(end_at) - epoch_us(start_at)) / 1000000.0) as int64), sent_duration_s), 0)) end as efficiency,
  hr_lowest_bpm,
  hr_average_bpm,
  hr_resting_bpm,
  hrv_ms,
  respiratory_rate_per_min,
  temperature_delta_c,
  skin_temperature_c,
  hr_dip_pct,
  score,
  recovery_readiness_score,
  state,
  provider,
  source_type,
  source,
  case when source is not null then fragments end as fragments,
  case when source is not null then ids end as ids,
  naps,
  nap_total_s,
  nap_sources,
  coalesce(of_kind - 1, 0) as other_sleeps,
  cast(coalesce(of_kind_asleep_s - asleep_s, 0) as int64) as other_sleeps_total_s,
  cast(coalesce(main_sleeps - 1, 0) as int64) as others,
  cast(coalesce(partial_sleeps, 0) as int64) as partial_others,
  case when main_sleeps > 1 then other_sources else '[]'::json end as other_sources
from nights;

create or replace view workouts_duplicates as
with recursive recorded as (
  select
    user_id, id, provider, source_type, time_start, time_end,
    case when (epoch_us(time_end) - epoch_us(time_start)) / 1000000.0 between 0 and 600000 then (epoch_us(time_end) - epoch_us(time_start)) / 1000000.0 end as lasts_s,
    coalesce(w.calendar_date, make_timestamp(epoch_us(w.time_start + to_seconds(coalesce(w.timezone_offset_s, 0))))::date) as day,
    case when sport_slug in ('running', 'run', 'trail_running', 'treadmill_running', 'indoor_running', 'track_running', 'virtual_running', 'jogging') then 'running' when sport_slug in ('walking', 'walk', 'hiking', 'hike', 'treadmill_walking', 'indoor_walking', 'speed_walking', 'nordic_walking', 'rucking') then 'walking' when sport_slug in ('cycling', 'biking', 'ride', 'road_biking', 'mountain_biking', 'gravel_cycling', 'indoor_cycling', 'spinning', 'e_biking', 'virtual_ride', 'stationary_biking', 'hand_cycling', 'bmx', 'cyclocross') then 'cycling' when sport_slug in ('swimming', 'swim', 'lap_swimming', 'pool_swimming', 'open_water_swimming') then 'swimming' when sport_slug in ('strength_training', 'weightlifting', 'weight_training', 'functional_strength_training', 'functional_fitness', 'traditional_strength_training', 'powerlifting', 'bodybuilding', 'core_training', 'crossfit', 'cross_training', 'circuit_training', 'calisthenics', 'hiit', 'high_intensity_interval_training', 'bootcamp') then 'strength' when sport_slug in ('yoga', 'pilates', 'stretching', 'flexibility', 'meditation', 'tai_chi', 'breathwork', 'barre') then 'mind_and_body' when sport_slug in ('rowing', 'indoor_rowing', 'rowing_machine', 'kayaking', 'canoeing', 'paddling', 'stand_up_paddling') then 'rowing' when sport_slug in ('elliptical', 'stair_climbing', 'stair_stepper', 'stairmaster', 'stairs') then 'machine' when sport_slug in ('skiing', 'alpine_skiing', 'downhill_skiing', 'backcountry_skiing', 'snowboarding', 'cross_country_skiing', 'nordic_skiing', 'snowshoeing') then 'snow' when sport_slug in ('tennis', 'badminton', 'squash', 'table_tennis', 'racquetball', 'padel', 'pickleball') then 'racket' when sport_slug in ('soccer', 'football', 'american_football', 'basketball', 'volleyball', 'handball', 'rugby', 'baseball', 'softball', 'cricket') then 'ball' when sport_slug in ('hockey', 'ice_hockey', 'field_hockey', 'ice_skating', 'inline_skating', 'skating') then 'hockey_and_skating' when sport_slug in ('martial_arts', 'boxing', 'kickboxing', 'judo', 'karate', 'jiu_jitsu', 'wrestling', 'fencing') then 'martial_arts' when sport_slug in ('climbing', 'rock_climbing', 'bouldering', 'indoor_climbing') then 'climbing' when sport_slug in ('dance', 'dancing', 'zumba', 'aerobics') then 'dance' when sport_slug in ('golf') then 'golf' when sport_slug in ('triathlon', 'duathlon', 'multisport', 'multi_sport', 'swimrun') then 'multisport' end as family,
    case when provider = 'manual' then 17 else case source_type when 'chest_strap' then 1 when 'exercise_machine' then 2 when 'watch' then 3 when 'lab' then 4 when 'cuff' then 5 when 'scale' then 6 when 'ring' then 7 when 'earphone' then 8 when 'fingerprick' then 9 when 'insulin_pump' then 10 when 'automatic' then 11 when 'multiple_sources' then 12 when 'phone' then 13 when 'app' then 14 when 'unknown' then 15 when 'manual_scan' then 16 else 15 end end as source_rank,
    case when case when average_hr_bpm between 20 and 300 then average_hr_bpm end is not null then 1 else 0 end
    + case when case when max_hr_bpm between 20 and 300 then max_hr_bpm end is not null then 1 else 0 end
    + case when len(hr_zones_s) > 0 then 1 else 0 end
    + case when case when distance_m between 0 and 2000000 then distance_m end is not null then 1 else 0 end
    + case when case when calories_kcal between 0 and 50000 then calories_kcal end is not null then 1 else 0 end
    + case when case when moving_time_s between 0 and 600000 then moving_time_s end is not null then 1 else 0 end
    + case when case when total_elevation_gain_m between 0 and 50000 then total_elevation_gain_m end is not null then 1 else 0 end
    + case when case when elev_high_m between -450 and 9000 then elev_high_m end is not null then 1 else 0 end
    + case when case when elev_low_m between -450 and 9000 then elev_low_m end is not null then 1 else 0 end
    + case when case when average_speed_m_s between 0 and 80 then average_speed_m_s end is not null then 1 else 0 end
    + case when case when max_speed_m_s between 0 and 80 then max_speed_m_s end is not null then 1 else 0 end
    + case when case when average_watts between 0 and 3000 then average_watts end is not null then 1 else 0 end
    + case when case when device_watts between 0 and 3000 then device_watts end is not null then 1 else 0 end
    + case when case when max_watts between 0 and 3000 then max_watts end is not null then 1 else 0 end
    + case when case when weighted_average_watts between 0 and 3000 then weighted_average_watts end is not null then 1 else 0 end
    + case when case when steps between 0 and 500000 then steps end is not null then 1 else 0 end as measures
  from workouts w
),
workout_days as (
  select user_id, provider, source_type, day, count(*) over (
    partition by user_id, provider, source_type order by (day - date '1970-01-01') range between 14 preceding and 1 preceding
  ) as days_before
  from (select distinct user_id, provider, source_type, day from recorded where day is not null) days
),
lasting as (
  select *, lasts_s + case when is_multisport then 600 else 0 end as size_s
  from (select *, coalesce(family = 'multisport', false) as is_multisport from recorded where lasts_s > 0) possible
),
days as (
  select user_id, id, provider, source_type, time_start, time_end, lasts_s, family, is_multisport, size_s, unnest(range(1, 1 + 2 + cast(floor(lasts_s / 86400) as bigint))) as ordinal
  from lasting
),
-- Two records that overlap have one of these days in common.
near as (
  select *, make_timestamp(epoch_us(time_start + to_seconds((ordinal - 1) * 86400)))::date as near_day, make_timestamp(epoch_us(time_start))::date as first_day
  from days
),
overlapping as (
  select
    one.user_id, one.id, other.id as other_id, one.size_s, one.is_multisport, other.is_multisport as other_multisport,
    one.provider = other.provider and one.source_type = other.source_type as same_source,
    coalesce(one.family = other.family, true) as may_match,
    one.time_start as one_start, other.time_start as other_start,
    (epoch_us(least(one.time_end, other.time_end)) - epoch_us(greatest(one.time_start, other.time_start))) / 1000000.0 as shared_s,
    greatest(one.lasts_s, other.lasts_s) as longer_s,
    other.lasts_s as other_s,
    (epoch_us(other.time_start) - epoch_us(one.time_start)) / 1000000.0 as later_start_s,
    (epoch_us(other.time_end) - epoch_us(one.time_end)) / 1000000.0 as later_end_s
  from near one
  join near other
    on other.user_id = one.user_id and other.near_day = one.near_day
  -- Each pair is found on its first common day only.
  where one.near_day = greatest(one.first_day, other.first_day)
    and case when other.size_s = one.size_s then other.id > one.id else other.size_s < one.size_s end
    and other.time_start < one.time_end and one.time_start < other.time_end
),
compared as (
  select
    *,
    may_match and 2 * shared_s >= longer_s as is_same,
    abs(later_start_s) <= 300 and abs(later_end_s) <= 300 as is_together,
    later_start_s >= -300 and later_end_s <= 300 and 2 * shared_s >= other_s as is_inside
  from overlapping
),
pairs as (
  select user_id, id, other_id, one_start, other_start, size_s, same_source, reason
  from (
    select
      *,
      case
        when is_inside and is_multisport and not (is_same and (is_together or (other_multisport and not same_source)))
          then case when other_multisport and same_source then 'contained' else 'leg' end
        when is_inside and may_match and same_source and not (is_same and is_together) then 'contained'
        when is_same then case when same_source then 'repeated' else 'other_source' end
      end as reason
    from compared
  ) explained
  where reason is not null
),
containers as (
  select user_id, other_id as id, id as container_id, reason
  from (
    select *, row_number() over (partition by user_id, other_id order by size_s desc, id) as nth
    from pairs
    where reason in ('leg', 'contained')
  ) containing
  where nth = 1
),
roots as (
  select user_id, id, container_id as root_id
  from containers
  union all
  select roots.user_id, roots.id, containers.container_id as root_id
  from roots
  join containers on containers.user_id = roots.user_id and containers.id = roots.root_id
),
nested as (
  select distinct pairs.user_id, pairs.other_id as id
  from pairs
  join containers on containers.user_id = pairs.user_id and containers.id = pairs.id
  where pairs.reason in ('leg', 'contained') and pairs.same_source
),
parts as (
  select containers.user_id, containers.id, containers.reason, roots.root_id, nested.id is not null as is_nested
  from containers
  join roots on roots.user_id = containers.user_id and roots.id = containers.id
  left join containers above on above.user_id = roots.user_id and above.id = roots.root_id
  left join nested on nested.user_id = containers.user_id and nested.id = containers.id
  where above.id is null
),
conflicts as (
  select pairs.user_id, pairs.id, pairs.other_id, pairs.one_start, pairs.other_start, pairs.reason
  from pairs
  left join parts one on one.user_id = pairs.user_id and one.id = pairs.id
  left join parts other on other.user_id = pairs.user_id and other.id = pairs.other_id
  where pairs.reason not in ('leg', 'contained')
    and (one.id is null) = (other.id is null)
    and (one.id is null or pairs.same_source)
    and not coalesce(one.is_nested or other.is_nested, false)
),
both_ways as (
  select user_id, id, other_id, other_start, reason from conflicts
  union all
  select user_id, other_id as id, id as other_id, one_start as other_start, reason from conflicts
),
reaching as (
  select user_id, id, max(other_start) as reach from both_ways group by user_id, id
),
-- A cluster ends where no conflict has one record before and one after, in the order of their start.
bounded as (
  select
    records.*,
    case when time_start <= max(reach) over (
      partition by records.user_id order by time_start, time_end, records.id rows between unbounded preceding and 1 preceding
    ) then 0 else 1 end as begins
  from lasting records
  join reaching on reaching.user_id = records.user_id and reaching.id = records.id
),
clustered as (
  select *, sum(begins) over (partition by user_id order by time_start, time_end, id) as cluster from bounded
),
placed as (
  select
    user_id, id, cast(cluster as string) || ' ' || user_id as cluster_key,
    row_number() over (partition by user_id, cluster order by measures desc, source_rank, days_before desc, md5(user_id || ' ' || provider || '/' || source_type), provider, source_type, lasts_s desc, time_start, id) as place
  from (
    select r.*, workout_days.days_before
    from clustered r
    join workout_days
      on workout_days.user_id = r.user_id and workout_days.provider = r.provider
      and workout_days.source_type = r.source_type and workout_days.day = r.day
  ) used
),
-- The joins of two records with each other use the cluster, because a join by user alone would compare all pairs.
earlier as (
  select
    one.user_id, one.id, one.cluster_key, one.place, other.id as other_id, other.place as other_place, both_ways.reason
  from both_ways
  join placed one on one.user_id = both_ways.user_id and one.id = both_ways.id
  join placed other on other.cluster_key = one.cluster_key and other.id = both_ways.other_id
  where other.place < one.place
),
contested as (
  select placed.cluster_key, placed.place, first_rival, ',(' || rivals || '),' as rivals
  from placed
  left join (
    select cluster_key, place, min(other_place) as first_rival, string_agg(cast(other_place as string), '|') as rivals
    from earlier
    group by cluster_key, place
  ) named on named.cluster_key = placed.cluster_key and named.place = placed.place
),
folded as (
  select cluster_key, cast(1 as int64) as place, '' as kept_before, ',1,' as kept
  from contested
  where place = 1
  union all
  select
    next_one.cluster_key, next_one.place, folded.kept as kept_before,
    case
      when next_one.first_rival is null then folded.kept || cast(next_one.place as string) || ','
      -- The first record of a cluster is always kept, so most records need no regular expression, which is slow.
      when next_one.first_rival = 1 then folded.kept
      when regexp_matches(folded.kept, next_one.rivals) then folded.kept
      else folded.kept || cast(next_one.place as string) || ','
    end as kept
  from folded
  join contested next_one on next_one.cluster_key = folded.cluster_key and next_one.place = folded.place + 1
),
losers as (
  select user_id, id, kept_id, reason
  from (
    select
      earlier.user_id, earlier.id, earlier.other_id as kept_id, earlier.reason,
      row_number() over (partition by earlier.cluster_key, earlier.place order by earlier.other_place) as nth
    from earlier
    join folded loser
      on loser.cluster_key = earlier.cluster_key and loser.place = earlier.place and loser.kept = loser.kept_before
    join folded kept
      on kept.cluster_key = earlier.cluster_key and kept.place = earlier.other_place and kept.kept <> kept.kept_before
  ) found
  where nth = 1
),
duplicates as (
  select
    one.*, parts.reason, coalesce(losers.kept_id, parts.root_id) as kept_id,
    not parts.is_nested and repeated.id is null as adds_up
  from parts
  join lasting one on one.user_id = parts.user_id and one.id = parts.id
  left join losers on losers.user_id = parts.user_id and losers.id = parts.root_id
  left join losers repeated on repeated.user_id = parts.user_id and repeated.id = parts.id
  union all
  select one.*, losers.reason, losers.kept_id, false as adds_up
  from losers
  join lasting one on one.user_id = losers.user_id and one.id = losers.id
  left join parts on parts.user_id = losers.user_id and parts.id = losers.id
  where parts.id is null
),
summed as (
  select
    user_id, id,
    dense_rank() over (
      partition by user_id, kept_id order by source_rank, workout_days_before desc, md5(user_id || ' ' || provider || '/' || source_type), provider, source_type
    ) as source_place
  from (
    select *, max(days_before) over (partition by user_id, kept_id, provider, source_type) as workout_days_before
    from (
    select r.*, workout_days.days_before
    from (select * from duplicates where adds_up) r
    join workout_days
      on workout_days.user_id = r.user_id and workout_days.provider = r.provider
      and workout_days.source_type = r.source_type and workout_days.day = r.day
  ) used
  ) adding
)
select
  one.user_id, one.id, one.provider, one.source_type, one.provider || '/' || one.source_type as source,
  kept.id as kept_id, kept.provider as kept_provider, kept.source_type as kept_source_type,
  kept.provider || '/' || kept.source_type as kept_source,
  one.reason,
  greatest(0, (epoch_us(least(one.time_end, kept.time_end)) - epoch_us(greatest(one.time_start, kept.time_start))) / 1000000.0) / greatest(one.lasts_s, kept.lasts_s) as overlap_share,
  summed.source_place
from duplicates one
join lasting kept on kept.user_id = one.user_id and kept.id = one.kept_id
left join summed on summed.user_id = one.user_id and summed.id = one.id;

create or replace view workouts_deduplicated as
with duplicates as (
  select user_id, id, kept_id, provider, source_type, reason, overlap_share, source_place
  from workouts_duplicates
),
-- The sums of each source that has parts of a workout.
sums_of_sources as (
  select
    d.user_id, d.kept_id, d.source_place,
    sum(case when w.distance_m between 0 and 2000000 then w.distance_m end) as distance_m,
    round(sum(case when case when w.distance_m between 0 and 2000000 then w.distance_m end is not null then d.overlap_share end), 6) >= 0.75 as distance_m_of_most,
    sum(case when w.calories_kcal between 0 and 50000 then w.calories_kcal end) as calories_kcal,
    round(sum(case when case when w.calories_kcal between 0 and 50000 then w.calories_kcal end is not null then d.overlap_share end), 6) >= 0.75 as calories_kcal_of_most,
    cast(sum(case when w.moving_time_s between 0 and 600000 then w.moving_time_s end) as int64) as moving_time_s,
    round(sum(case when case when w.moving_time_s between 0 and 600000 then w.moving_time_s end is not null then d.overlap_share end), 6) >= 0.75 as moving_time_s_of_most,
    sum(case when w.total_elevation_gain_m between 0 and 50000 then w.total_elevation_gain_m end) as total_elevation_gain_m,
    round(sum(case when case when w.total_elevation_gain_m between 0 and 50000 then w.total_elevation_gain_m end is not null then d.overlap_share end), 6) >= 0.75 as total_elevation_gain_m_of_most,
    cast(sum(case when w.steps between 0 and 500000 then w.steps end) as int64) as steps,
    round(sum(case when case when w.steps between 0 and 500000 then w.steps end is not null then d.overlap_share end), 6) >= 0.75 as steps_of_most
  from duplicates d
  join workouts w on w.user_id = d.user_id and w.id = d.id
  where d.source_place is not null
  group by d.user_id, d.kept_id, d.source_place
),
sums as (
  select
    user_id, kept_id,
    arg_max(distance_m, case when distance_m_of_most then 2000 else 1000 end - source_place) as distance_m,
    arg_max(calories_kcal, case when calories_kcal_of_most then 2000 else 1000 end - source_place) as calories_kcal,
    arg_max(moving_time_s, case when moving_time_s_of_most then 2000 else 1000 end - source_place) as moving_time_s,
    arg_max(total_elevation_gain_m, case when total_elevation_gain_m_of_most then 2000 else 1000 end - source_place) as total_elevation_gain_m,
    arg_max(steps, case when steps_of_most then 2000 else 1000 end - source_place) as steps
  from sums_of_sources
  group by user_id, kept_id
)
select
  w.event_type, w.team_id, w.user_id, w.client_user_id, w.provider, w.source_type, w.provider || '/' || w.source_type as source, w.source_app_id, w.source_device_id, w.source_sport, w.source_workout_id, w.source_name, w.source_logo, w.id, w.data_user_id, w.title, w.timezone_offset_s, coalesce(w.calendar_date, make_timestamp(epoch_us(w.time_start + to_seconds(coalesce(w.timezone_offset_s, 0))))::date) as local_date, w.time_start, w.time_end, w.sport_id, w.sport_name, w.sport_slug, case when w.average_hr_bpm between 20 and 300 then w.average_hr_bpm end as average_hr_bpm, case when w.max_hr_bpm between 20 and 300 then w.max_hr_bpm end as max_hr_bpm, w.hr_zones_s, coalesce(case when w.distance_m between 0 and 2000000 then w.distance_m end, sums.distance_m) as distance_m, coalesce(case when w.calories_kcal between 0 and 50000 then w.calories_kcal end, sums.calories_kcal) as calories_kcal, coalesce(case when w.moving_time_s between 0 and 600000 then w.moving_time_s end, sums.moving_time_s) as moving_time_s, coalesce(case when w.total_elevation_gain_m between 0 and 50000 then w.total_elevation_gain_m end, sums.total_elevation_gain_m) as total_elevation_gain_m, case when w.elev_high_m between -450 and 9000 then w.elev_high_m end as elev_high_m, case when w.elev_low_m between -450 and 9000 then w.elev_low_m end as elev_low_m, case when w.average_speed_m_s between 0 and 80 then w.average_speed_m_s end as average_speed_m_s, case when w.max_speed_m_s between 0 and 80 then w.max_speed_m_s end as max_speed_m_s, case when w.average_watts between 0 and 3000 then w.average_watts end as average_watts, case when w.device_watts between 0 and 3000 then w.device_watts end as device_watts, case when w.max_watts between 0 and 3000 then w.max_watts end as max_watts, case when w.weighted_average_watts between 0 and 3000 then w.weighted_average_watts end as weighted_average_watts, coalesce(case when w.steps between 0 and 500000 then w.steps end, sums.steps) as steps, w.map_polyline, w.map_summary_polyline, w.provider_id, w.created_at, w.updated_at, w.extra, w._version_time, w._received_at, w._origin, w._offset, w._reader, w._loaded_at,
  coalesce(other_records.also_recorded, '[]'::json) as also_recorded,
  1 + coalesce(other_records.records, 0) as sources,
  case when sums.kept_id is not null then nullif(substr(case when case when w.distance_m between 0 and 2000000 then w.distance_m end is null and sums.distance_m is not null then ', distance_m' else '' end
    || case when case when w.calories_kcal between 0 and 50000 then w.calories_kcal end is null and sums.calories_kcal is not null then ', calories_kcal' else '' end
    || case when case when w.moving_time_s between 0 and 600000 then w.moving_time_s end is null and sums.moving_time_s is not null then ', moving_time_s' else '' end
    || case when case when w.total_elevation_gain_m between 0 and 50000 then w.total_elevation_gain_m end is null and sums.total_elevation_gain_m is not null then ', total_elevation_gain_m' else '' end
    || case when case when w.steps between 0 and 500000 then w.steps end is null and sums.steps is not null then ', steps' else '' end, 3), '') end as summed_columns
from workouts w
left join duplicates duplicate on duplicate.user_id = w.user_id and duplicate.id = w.id
left join (
  select user_id, kept_id, count(*) as records, to_json(list_transform(list_sort(list({by_0: provider, by_1: source_type, by_2: id, value: {id: id, provider: provider, source_type: source_type, reason: reason, overlap_share: overlap_share}})), lambda one: one.value)) as also_recorded
  from duplicates
  group by user_id, kept_id
) other_records on other_records.user_id = w.user_id and other_records.kept_id = w.id
left join sums on sums.user_id = w.user_id and sums.kept_id = w.id
where duplicate.id is null;

create or replace view steps_hours as
select
  h.user_id, h.local_date, h.local_hour, h.provider, h.source_type, d.source, h.steps, cast(d.value as int64) as day_steps, h.samples
from (
  select
    s.user_id, coalesce(s.local_date, make_timestamp(epoch_us(s.start_at))::date) as local_date, coalesce(s.local_hour, extract(hour from s.start_at)) as local_hour, s.provider, s.source_type,
    cast(round(sum((s.value - c.minus) * c.times / c.per)) as int64) as steps, count(*) as samples
  from timeseries_local s
  left join unit_conversions c on c.measure = case s.resource when 'cholesterol' then case s.sample_type when 'cholesterol/hdl' then 'cholesterol.hdl' when 'cholesterol/ldl' then 'cholesterol.ldl' when 'cholesterol/total' then 'cholesterol.total' when 'cholesterol/triglycerides' then 'cholesterol.triglycerides' else 'cholesterol' end when 'electrocardiogram_voltage' then case s.sample_type when 'lead_1' then 'electrocardiogram_voltage.lead_1' else 'electrocardiogram_voltage' end when 'heart_rate_alert' then case s.sample_type when 'high_heart_rate' then 'heart_rate_alert.high_heart_rate' when 'irregular_rhythm' then 'heart_rate_alert.irregular_rhythm' when 'low_heart_rate' then 'heart_rate_alert.low_heart_rate' else 'heart_rate_alert' end when 'insulin_injection' then case s.sample_type when 'long_acting' then 'insulin_injection.long_acting' when 'rapid_acting' then 'insulin_injection.rapid_acting' else 'insulin_injection' end when 'sleep_breathing_disturbance' then case s.sample_type when 'elevated' then 'sleep_breathing_disturbance.elevated' when 'not_elevated' then 'sleep_breathing_disturbance.not_elevated' else 'sleep_breathing_disturbance' end when 'stand_hour' then case s.sample_type when 'idle' then 'stand_hour.idle' when 'stood' then 'stand_hour.stood' else 'stand_hour' end else s.resource end and c.unit_sent = coalesce(lower(trim(s.unit, ' ')), '')
  where s.resource = 'steps' and ((c.unit is not null or s.resource = 'hypnogram' and coalesce(lower(trim(s.unit, ' ')), '') in ('', 'stage')) and not (not coalesce(((s.value - c.minus) * c.times / c.per between c.plausible_low and c.plausible_high), true)))
  group by s.user_id, coalesce(s.local_date, make_timestamp(epoch_us(s.start_at))::date), coalesce(s.local_hour, extract(hour from s.start_at)), s.provider, s.source_type
) h
join metric_days d
  on d.user_id = h.user_id and d.local_date = h.local_date and d.provider = h.provider and d.source_type = h.source_type
  and d.measure = 'steps';

create or replace view heartrate_hours as
select
  h.user_id, h.local_date, h.local_hour, h.provider, h.source_type, d.source, h.avg_bpm, h.min_bpm, h.max_bpm, h.samples
from (
  select
    user_id, provider, source_type, (date '1970-01-01' + cast(cast((local_period - mod(mod(local_period, 24) + 24, 24)) / 24 as int64) as integer)) as local_date,
    cast(local_period - 24 * cast((local_period - mod(mod(local_period, 24) + 24, 24)) / 24 as int64) as int64) as local_hour,
    -- The value of a single sample stays exact.
    case when count(*) = 1 then max(canonical) else sum(canonical * lasts_us) / sum(lasts_us) end as avg_bpm,
    min(canonical) as min_bpm, max(canonical) as max_bpm, count(*) as samples
  from (
  select
    user_id, provider, source_type, cast((local_us - mod(mod(local_us, 3600000000) + 3600000000, 3600000000)) / 3600000000 as int64) as local_period, value, canonical,
    least(
      3600000000 - mod(mod(local_us, 3600000000) + 3600000000, 3600000000),
      coalesce(own_us, most_us), coalesce(next_us - start_us, own_us, most_us)
    ) as lasts_us
  from (
    select *, lead(start_us) over (partition by user_id, provider, source_type, source_key order by start_us) as next_us
    from (
      select
        hash(s.user_id, s.resource, s.provider, s.source_type, case when s.resource in ('cholesterol', 'electrocardiogram_voltage', 'heart_rate_alert', 'ige', 'igg', 'insulin_injection', 'sleep_breathing_disturbance', 'stand_hour') then s.sample_type else '' end) as source_key, s.user_id, s.provider, s.source_type, epoch_us(s.start_at) as start_us,
        epoch_us(s.start_at) + case when s.time_basis = 'floating' then 0 else coalesce(s.local_offset_s, 0) * 1000000 end as local_us,
        case when s.end_at > s.start_at then epoch_us(s.end_at) - epoch_us(s.start_at) end as own_us,
        case when s.resource = 'glucose' then 1200000000 else 600000000 end as most_us,
        case when not (not coalesce(((s.value - c.minus) * c.times / c.per between c.plausible_low and c.plausible_high), true)) then s.value end as value, case when (c.unit is not null or s.resource = 'hypnogram' and coalesce(lower(trim(s.unit, ' ')), '') in ('', 'stage')) then (s.value - c.minus) * c.times / c.per end as canonical
      from timeseries_local s
      left join unit_conversions c on c.measure = case s.resource when 'cholesterol' then case s.sample_type when 'cholesterol/hdl' then 'cholesterol.hdl' when 'cholesterol/ldl' then 'cholesterol.ldl' when 'cholesterol/total' then 'cholesterol.total' when 'cholesterol/triglycerides' then 'cholesterol.triglycerides' else 'cholesterol' end when 'electrocardiogram_voltage' then case s.sample_type when 'lead_1' then 'electrocardiogram_voltage.lead_1' else 'electrocardiogram_voltage' end when 'heart_rate_alert' then case s.sample_type when 'high_heart_rate' then 'heart_rate_alert.high_heart_rate' when 'irregular_rhythm' then 'heart_rate_alert.irregular_rhythm' when 'low_heart_rate' then 'heart_rate_alert.low_heart_rate' else 'heart_rate_alert' end when 'insulin_injection' then case s.sample_type when 'long_acting' then 'insulin_injection.long_acting' when 'rapid_acting' then 'insulin_injection.rapid_acting' else 'insulin_injection' end when 'sleep_breathing_disturbance' then case s.sample_type when 'elevated' then 'sleep_breathing_disturbance.elevated' when 'not_elevated' then 'sleep_breathing_disturbance.not_elevated' else 'sleep_breathing_disturbance' end when 'stand_hour' then case s.sample_type when 'idle' then 'stand_hour.idle' when 'stood' then 'stand_hour.stood' else 'stand_hour' end else s.resource end and c.unit_sent = coalesce(lower(trim(s.unit, ' ')), '')
      where s.resource in ('heartrate')
    ) sent
  ) followed
  where value is not null
  ) lasting
  where canonical is not null
  group by user_id, provider, source_type, local_period
) h
join metric_days d
  on d.user_id = h.user_id and d.local_date = h.local_date and d.provider = h.provider and d.source_type = h.source_type
  and d.measure = 'heartrate';

create or replace view glucose_days as
select
  user_id, local_date, provider, source_type, source, readings, covered_s, 100 * covered_s / 86400 as coverage_pct, mean_mg_dl, cv_pct,
  very_low_s, 100 * very_low_s / covered_s as very_low_pct,
  low_s, 100 * low_s / covered_s as low_pct,
  in_range_s, 100 * in_range_s / covered_s as in_range_pct,
  high_s, 100 * high_s / covered_s as high_pct,
  very_high_s, 100 * very_high_s / covered_s as very_high_pct,
  100 * covered_14d_s / 1209600 as coverage_14d_pct,
  case when covered_14d_s >= 0.7 * 1209600 then 3.31 + 0.02392 * weighted_14d / covered_14d_s end as gmi_pct
from (
  select
    g.*, d.source, sum(covered_s) over (
      partition by g.user_id order by (g.local_date - date '1970-01-01') range between 13 preceding and current row
    ) as covered_14d_s,
    sum(mean_mg_dl * covered_s) over (
      partition by g.user_id order by (g.local_date - date '1970-01-01') range between 13 preceding and current row
    ) as weighted_14d
  from (
    select
      user_id, provider, source_type, (date '1970-01-01' + cast(local_period as integer)) as local_date, count(*) as readings, sum(lasts_us) / cast(1000000 as double) as covered_s,
      sum(exact_mg_dl * lasts_us) / sum(lasts_us) as mean_mg_dl, 100 * stddev_samp(exact_mg_dl) / avg(exact_mg_dl) as cv_pct,
      sum(case when mg_dl < 54 then lasts_us else 0 end) / cast(1000000 as double) as very_low_s,
      sum(case when mg_dl between 54 and 69 then lasts_us else 0 end) / cast(1000000 as double) as low_s,
      sum(case when mg_dl between 70 and 180 then lasts_us else 0 end) / cast(1000000 as double) as in_range_s,
      sum(case when mg_dl between 181 and 250 then lasts_us else 0 end) / cast(1000000 as double) as high_s,
      sum(case when mg_dl > 250 then lasts_us else 0 end) / cast(1000000 as double) as very_high_s
    from (
      select *, canonical * 18.0182 as exact_mg_dl, round(canonical * 18.0182) as mg_dl
      from (
  select
    user_id, provider, source_type, cast((local_us - mod(mod(local_us, 86400000000) + 86400000000, 86400000000)) / 86400000000 as int64) as local_period, value, canonical,
    least(
      86400000000 - mod(mod(local_us, 86400000000) + 86400000000, 86400000000),
      coalesce(own_us, most_us), coalesce(next_us - start_us, own_us, most_us)
    ) as lasts_us
  from (
    select *, lead(start_us) over (partition by user_id, provider, source_type, source_key order by start_us) as next_us
    from (
      select
        hash(s.user_id, s.resource, s.provider, s.source_type, case when s.resource in ('cholesterol', 'electrocardiogram_voltage', 'heart_rate_alert', 'ige', 'igg', 'insulin_injection', 'sleep_breathing_disturbance', 'stand_hour') then s.sample_type else '' end) as source_key, s.user_id, s.provider, s.source_type, epoch_us(s.start_at) as start_us,
        epoch_us(s.start_at) + case when s.time_basis = 'floating' then 0 else coalesce(s.local_offset_s, 0) * 1000000 end as local_us,
        case when s.end_at > s.start_at then epoch_us(s.end_at) - epoch_us(s.start_at) end as own_us,
        case when s.resource = 'glucose' then 1200000000 else 600000000 end as most_us,
        case when not (not coalesce(((s.value - c.minus) * c.times / c.per between c.plausible_low and c.plausible_high), true)) then s.value end as value, case when (c.unit is not null or s.resource = 'hypnogram' and coalesce(lower(trim(s.unit, ' ')), '') in ('', 'stage')) then (s.value - c.minus) * c.times / c.per end as canonical
      from timeseries_local s
      left join unit_conversions c on c.measure = case s.resource when 'cholesterol' then case s.sample_type when 'cholesterol/hdl' then 'cholesterol.hdl' when 'cholesterol/ldl' then 'cholesterol.ldl' when 'cholesterol/total' then 'cholesterol.total' when 'cholesterol/triglycerides' then 'cholesterol.triglycerides' else 'cholesterol' end when 'electrocardiogram_voltage' then case s.sample_type when 'lead_1' then 'electrocardiogram_voltage.lead_1' else 'electrocardiogram_voltage' end when 'heart_rate_alert' then case s.sample_type when 'high_heart_rate' then 'heart_rate_alert.high_heart_rate' when 'irregular_rhythm' then 'heart_rate_alert.irregular_rhythm' when 'low_heart_rate' then 'heart_rate_alert.low_heart_rate' else 'heart_rate_alert' end when 'insulin_injection' then case s.sample_type when 'long_acting' then 'insulin_injection.long_acting' when 'rapid_acting' then 'insulin_injection.rapid_acting' else 'insulin_injection' end when 'sleep_breathing_disturbance' then case s.sample_type when 'elevated' then 'sleep_breathing_disturbance.elevated' when 'not_elevated' then 'sleep_breathing_disturbance.not_elevated' else 'sleep_breathing_disturbance' end when 'stand_hour' then case s.sample_type when 'idle' then 'stand_hour.idle' when 'stood' then 'stand_hour.stood' else 'stand_hour' end else s.resource end and c.unit_sent = coalesce(lower(trim(s.unit, ' ')), '')
      where s.resource in ('glucose')
    ) sent
  ) followed
  where value is not null
      ) lasting
      where canonical is not null
    ) converted
    group by user_id, provider, source_type, local_period
  ) g
  join metric_days d
    on d.user_id = g.user_id and d.local_date = g.local_date and d.provider = g.provider and d.source_type = g.source_type
    and d.measure = 'glucose'
) days;

create or replace view person_sources as
select
  d.user_id, d.provider, d.source_type, d.source, min(d.local_date) as first_date,
  max(case when received.at_date is null or d.local_date <= (received.at_date + cast(1 as integer)) then d.local_date end) as last_date,
  count(*) as days, received.start_at as last_received_at, received.at_date as last_received_date
from source_days d
left join (
select user_id, provider, source_type, start_at, coalesce(local_date, make_timestamp(epoch_us(start_at))::date) as at_date
from (
select
  user_id, provider, source_type, start_at, timezone_offset_s, time_basis,
  cast(local_at as date) as local_date, local_date_basis, local_at, extract(hour from local_at) as local_hour, local_offset_s
from (
  select
    *,
    case
      when time_basis = 'floating' then make_timestamp(epoch_us(start_at) + 0 * 1000000)
      else make_timestamp(epoch_us(start_at) + local_offset_s * 1000000)
    end as local_at
  from (
    select
      samples.user_id, samples.provider, samples.source_type, samples.start_at, samples.timezone_offset_s, samples.time_basis,
      coalesce(samples.timezone_offset_s, zones.offset_s, spans.offset_s) as local_offset_s,
      case
        when samples.time_basis = 'floating' then 'floating'
        when samples.timezone_offset_s is not null then 'offset'
        when zones.offset_s is not null then 'zone'
        when spans.offset_s is not null then 'zone_offset'
        else 'none'
      end as local_date_basis
    from (
  select *, cast(null as int64) as timezone_offset_s, 'utc' as time_basis
  from (
    select user_id, provider, source_type, max(received_at) as start_at
    from deliveries
    where source_type is not null and stream <> 'devices' and dead_letter_reason is null and not redelivered
    group by user_id, provider, source_type
  ) instants
) samples
    left join user_time_zones spans
      on spans.user_id = samples.user_id and spans.user_id = case when samples.timezone_offset_s is null then samples.user_id end
      and samples.start_at >= spans.from_at and samples.start_at < coalesce(spans.to_at, timestamptz '9999-12-31T23:59:59Z')
    left join time_zone_transitions zones on zones.zone = spans.time_zone and zones.time_basis = samples.time_basis and samples.start_at >= zones.from_at and samples.start_at < zones.to_at
  ) offsets
) timed
) located
) received on received.user_id = d.user_id and received.provider = d.provider and received.source_type = d.source_type
group by d.user_id, d.provider, d.source_type, d.source, received.start_at, received.at_date;

create or replace view person_days as
select
  days.user_id, days.local_date, (coalesce(days.local_date < open_dates.current_date_of, false) and coalesce(strpos(open_dates.delayed_dates, cast(days.local_date as string)), 0) = 0) as is_complete,
  days.steps, days.steps_source, days.steps_others, days.distance_m, days.distance_source, days.distance_others, days.calories_active_kcal, days.calories_active_source, days.calories_active_others, days.floors_climbed, days.floors_climbed_source, days.floors_climbed_others, days.calories_total_kcal, days.calories_total_source, days.calories_total_others, days.heart_rate_resting_bpm, days.heart_rate_resting_source, days.heart_rate_resting_others, days.heartrate_avg_bpm, days.heartrate_sample_avg_bpm, days.heartrate_source, days.heartrate_others, days.heartrate_min_bpm, days.heartrate_max_bpm, days.hrv_avg_ms, days.hrv_sample_avg_ms, days.hrv_source, days.hrv_others, days.blood_oxygen_avg_pct, days.blood_oxygen_sample_avg_pct, days.blood_oxygen_source, days.blood_oxygen_others, days.glucose_avg_mmol_l, days.glucose_sample_avg_mmol_l, days.glucose_source, days.glucose_others, days.glucose_avg_mg_dl, days.glucose_sample_avg_mg_dl, days.blood_pressure_systolic_mmhg, days.blood_pressure_diastolic_mmhg, days.blood_pressure_readings, days.blood_pressure_source, days.blood_pressure_others, days.sleep_total_s, days.sleep_light_s, days.sleep_deep_s, days.sleep_rem_s, days.sleep_awake_s, days.sleep_duration_s, days.sleep_started_at, days.sleep_efficiency, days.sleep_hrv_avg_ms, days.sleep_respiratory_rate_per_min, days.sleep_score, days.sleep_source, days.sleep_others, days.sleep_partial_others, days.naps, days.nap_total_s, days.nap_sources, days.weight_kg, days.weight_source, days.weight_others, days.fat_pct, days.fat_source, days.fat_others, case when days.local_date >= recorded.first_date then coalesce(days.workouts, 0) end as workouts, days.workouts_duration_s, days.workouts_distance_m, days.workouts_calories_kcal, days.workouts_sources, days.workouts_duplicates, days.samples, days.samples_unknown_unit, days.samples_implausible, days.unworn_sources
from (
  select
    user_id, local_date,
    max(steps) as steps,
    max(steps_source) as steps_source,
    max(steps_others) as steps_others,
    max(distance_m) as distance_m,
    max(distance_source) as distance_source,
    max(distance_others) as distance_others,
    max(calories_active_kcal) as calories_active_kcal,
    max(calories_active_source) as calories_active_source,
    max(calories_active_others) as calories_active_others,
    max(floors_climbed) as floors_climbed,
    max(floors_climbed_source) as floors_climbed_source,
    max(floors_climbed_others) as floors_climbed_others,
    max(calories_total_kcal) as calories_total_kcal,
    max(calories_total_source) as calories_total_source,
    max(calories_total_others) as calories_total_others,
    max(heart_rate_resting_bpm) as heart_rate_resting_bpm,
    max(heart_rate_resting_source) as heart_rate_resting_source,
    max(heart_rate_resting_others) as heart_rate_resting_others,
    max(heartrate_avg_bpm) as heartrate_avg_bpm,
    max(heartrate_sample_avg_bpm) as heartrate_sample_avg_bpm,
    max(heartrate_source) as heartrate_source,
    max(heartrate_others) as heartrate_others,
    max(heartrate_min_bpm) as heartrate_min_bpm,
    max(heartrate_max_bpm) as heartrate_max_bpm,
    max(hrv_avg_ms) as hrv_avg_ms,
    max(hrv_sample_avg_ms) as hrv_sample_avg_ms,
    max(hrv_source) as hrv_source,
    max(hrv_others) as hrv_others,
    max(blood_oxygen_avg_pct) as blood_oxygen_avg_pct,
    max(blood_oxygen_sample_avg_pct) as blood_oxygen_sample_avg_pct,
    max(blood_oxygen_source) as blood_oxygen_source,
    max(blood_oxygen_others) as blood_oxygen_others,
    max(glucose_avg_mmol_l) as glucose_avg_mmol_l,
    max(glucose_sample_avg_mmol_l) as glucose_sample_avg_mmol_l,
    max(glucose_source) as glucose_source,
    max(glucose_others) as glucose_others,
    max(glucose_avg_mmol_l) * 18.0182 as glucose_avg_mg_dl,
    max(glucose_sample_avg_mmol_l) * 18.0182 as glucose_sample_avg_mg_dl,
    max(blood_pressure_systolic_mmhg) as blood_pressure_systolic_mmhg,
    max(blood_pressure_diastolic_mmhg) as blood_pressure_diastolic_mmhg,
    max(blood_pressure_readings) as blood_pressure_readings,
    max(blood_pressure_source) as blood_pressure_source,
    max(blood_pressure_others) as blood_pressure_others,
    max(sleep_total_s) as sleep_total_s,
    max(sleep_light_s) as sleep_light_s,
    max(sleep_deep_s) as sleep_deep_s,
    max(sleep_rem_s) as sleep_rem_s,
    max(sleep_awake_s) as sleep_awake_s,
    max(sleep_duration_s) as sleep_duration_s,
    max(sleep_started_at) as sleep_started_at,
    max(sleep_efficiency) as sleep_efficiency,
    max(sleep_hrv_avg_ms) as sleep_hrv_avg_ms,
    max(sleep_respiratory_rate_per_min) as sleep_respiratory_rate_per_min,
    max(sleep_score) as sleep_score,
    max(sleep_source) as sleep_source,
    max(sleep_others) as sleep_others,
    max(sleep_partial_others) as sleep_partial_others,
    max(naps) as naps,
    max(nap_total_s) as nap_total_s,
    max(nap_sources) as nap_sources,
    max(weight_kg) as weight_kg,
    max(weight_source) as weight_source,
    max(weight_others) as weight_others,
    max(fat_pct) as fat_pct,
    max(fat_source) as fat_source,
    max(fat_others) as fat_others,
    max(workouts) as workouts,
    max(workouts_duration_s) as workouts_duration_s,
    max(workouts_distance_m) as workouts_distance_m,
    max(workouts_calories_kcal) as workouts_calories_kcal,
    max(workouts_sources) as workouts_sources,
    max(workouts_duplicates) as workouts_duplicates,
    max(samples) as samples,
    max(samples_unknown_unit) as samples_unknown_unit,
    max(samples_implausible) as samples_implausible,
    max(unworn_sources) as unworn_sources
  from (
  select user_id, local_date, heartrate_min_bpm, heartrate_max_bpm, steps, steps_source, steps_others, distance_m, distance_source, distance_others, calories_active_kcal, calories_active_source, calories_active_others, floors_climbed, floors_climbed_source, floors_climbed_others, calories_total_kcal, calories_total_source, calories_total_others, heart_rate_resting_bpm, heart_rate_resting_source, heart_rate_resting_others, heartrate_avg_bpm, heartrate_sample_avg_bpm, heartrate_source, heartrate_others, hrv_avg_ms, hrv_sample_avg_ms, hrv_source, hrv_others, blood_oxygen_avg_pct, blood_oxygen_sample_avg_pct, blood_oxygen_source, blood_oxygen_others, glucose_avg_mmol_l, glucose_sample_avg_mmol_l, glucose_source, glucose_others, weight_kg, weight_source, weight_others, fat_pct, fat_source, fat_others, null as unworn_sources, null as samples, null as samples_unknown_unit, null as samples_implausible, null as sleep_total_s, null as sleep_light_s, null as sleep_deep_s, null as sleep_rem_s, null as sleep_awake_s, null as sleep_duration_s, null as sleep_efficiency, null as sleep_hrv_avg_ms, null as sleep_respiratory_rate_per_min, null as sleep_score, null as sleep_started_at, null as sleep_source, null as sleep_others, null as sleep_partial_others, null as naps, null as nap_total_s, null as nap_sources, null as workouts, null as workouts_duration_s, null as workouts_distance_m, null as workouts_calories_kcal, null as workouts_sources, null as workouts_duplicates, null as blood_pressure_systolic_mmhg, null as blood_pressure_diastolic_mmhg, null as blood_pressure_readings, null as blood_pressure_source, null as blood_pressure_others
  from (
    select user_id, local_date, max(case when measure = 'heartrate' then lowest end) as heartrate_min_bpm, max(case when measure = 'heartrate' then highest end) as heartrate_max_bpm, cast(max(case when measure = 'steps' then value end) as int64) as steps, max(case when measure = 'steps' then source end) as steps_source, max(case when measure = 'steps' then others end) as steps_others, max(case when measure = 'distance' then value end) as distance_m, max(case when measure = 'distance' then source end) as distance_source, max(case when measure = 'distance' then others end) as distance_others, max(case when measure = 'calories_active' then value end) as calories_active_kcal, max(case when measure = 'calories_active' then source end) as calories_active_source, max(case when measure = 'calories_active' then others end) as calories_active_others, cast(max(case when measure = 'floors_climbed' then value end) as int64) as floors_climbed, max(case when measure = 'floors_climbed' then source end) as floors_climbed_source, max(case when measure = 'floors_climbed' then others end) as floors_climbed_others, max(case when measure = 'calories_total' then value end) as calories_total_kcal, max(case when measure = 'calories_total' then source end) as calories_total_source, max(case when measure = 'calories_total' then others end) as calories_total_others, max(case when measure = 'heart_rate_resting' then value end) as heart_rate_resting_bpm, max(case when measure = 'heart_rate_resting' then source end) as heart_rate_resting_source, max(case when measure = 'heart_rate_resting' then others end) as heart_rate_resting_others, max(case when measure = 'heartrate' then value end) as heartrate_avg_bpm, max(case when measure = 'heartrate' then sample_avg end) as heartrate_sample_avg_bpm, max(case when measure = 'heartrate' then source end) as heartrate_source, max(case when measure = 'heartrate' then others end) as heartrate_others, max(case when measure = 'hrv' then value end) as hrv_avg_ms, max(case when measure = 'hrv' then sample_avg end) as hrv_sample_avg_ms, max(case when measure = 'hrv' then source end) as hrv_source, max(case when measure = 'hrv' then others end) as hrv_others, max(case when measure = 'blood_oxygen' then value end) as blood_oxygen_avg_pct, max(case when measure = 'blood_oxygen' then sample_avg end) as blood_oxygen_sample_avg_pct, max(case when measure = 'blood_oxygen' then source end) as blood_oxygen_source, max(case when measure = 'blood_oxygen' then others end) as blood_oxygen_others, max(case when measure = 'glucose' then value end) as glucose_avg_mmol_l, max(case when measure = 'glucose' then sample_avg end) as glucose_sample_avg_mmol_l, max(case when measure = 'glucose' then source end) as glucose_source, max(case when measure = 'glucose' then others end) as glucose_others, max(case when measure = 'weight' then value end) as weight_kg, max(case when measure = 'weight' then source end) as weight_source, max(case when measure = 'weight' then others end) as weight_others, max(case when measure = 'fat' then value end) as fat_pct, max(case when measure = 'fat' then source end) as fat_source, max(case when measure = 'fat' then others end) as fat_others
    from metric_days
    group by user_id, local_date
  ) part
  union all
  select user_id, local_date, null as heartrate_min_bpm, null as heartrate_max_bpm, null as steps, null as steps_source, null as steps_others, null as distance_m, null as distance_source, null as distance_others, null as calories_active_kcal, null as calories_active_source, null as calories_active_others, null as floors_climbed, null as floors_climbed_source, null as floors_climbed_others, null as calories_total_kcal, null as calories_total_source, null as calories_total_others, null as heart_rate_resting_bpm, null as heart_rate_resting_source, null as heart_rate_resting_others, null as heartrate_avg_bpm, null as heartrate_sample_avg_bpm, null as heartrate_source, null as heartrate_others, null as hrv_avg_ms, null as hrv_sample_avg_ms, null as hrv_source, null as hrv_others, null as blood_oxygen_avg_pct, null as blood_oxygen_sample_avg_pct, null as blood_oxygen_source, null as blood_oxygen_others, null as glucose_avg_mmol_l, null as glucose_sample_avg_mmol_l, null as glucose_source, null as glucose_others, null as weight_kg, null as weight_source, null as weight_others, null as fat_pct, null as fat_source, null as fat_others, unworn_sources, null as samples, null as samples_unknown_unit, null as samples_implausible, null as sleep_total_s, null as sleep_light_s, null as sleep_deep_s, null as sleep_rem_s, null as sleep_awake_s, null as sleep_duration_s, null as sleep_efficiency, null as sleep_hrv_avg_ms, null as sleep_respiratory_rate_per_min, null as sleep_score, null as sleep_started_at, null as sleep_source, null as sleep_others, null as sleep_partial_others, null as naps, null as nap_total_s, null as nap_sources, null as workouts, null as workouts_duration_s, null as workouts_distance_m, null as workouts_calories_kcal, null as workouts_sources, null as workouts_duplicates, null as blood_pressure_systolic_mmhg, null as blood_pressure_diastolic_mmhg, null as blood_pressure_readings, null as blood_pressure_source, null as blood_pressure_others
  from (
    select
      user_id, local_date,
      cast(case when max(has_moved) = 1 then sum(case when has_total = 1 and has_moved = 0 then 1 else 0 end) else 0 end as int64)
        as unworn_sources
    from (
      select user_id, calendar_date as local_date, max(case when case when steps between 0 and 250000 then steps end > 0 or case when distance_m between 0 and 1100000 then distance_m end > 0 or case when floors_climbed between 0 and 3000 then floors_climbed end > 0 or case when calories_active_kcal between 0 and 20000 then calories_active_kcal end > 0 then 1 else 0 end) as has_moved, max(case when case when steps between 0 and 250000 then steps end is not null or case when distance_m between 0 and 1100000 then distance_m end is not null or case when floors_climbed between 0 and 3000 then floors_climbed end is not null or case when calories_active_kcal between 0 and 20000 then calories_active_kcal end is not null or case when calories_total_kcal between 1 and 20000 then calories_total_kcal end is not null then 1 else 0 end) as has_total
      from activity
      where calendar_date is not null
      group by user_id, calendar_date, provider, source_type
    ) sources
    group by user_id, local_date
    having max(has_total) = 1
  ) part
  union all
  select user_id, local_date, null as heartrate_min_bpm, null as heartrate_max_bpm, null as steps, null as steps_source, null as steps_others, null as distance_m, null as distance_source, null as distance_others, null as calories_active_kcal, null as calories_active_source, null as calories_active_others, null as floors_climbed, null as floors_climbed_source, null as floors_climbed_others, null as calories_total_kcal, null as calories_total_source, null as calories_total_others, null as heart_rate_resting_bpm, null as heart_rate_resting_source, null as heart_rate_resting_others, null as heartrate_avg_bpm, null as heartrate_sample_avg_bpm, null as heartrate_source, null as heartrate_others, null as hrv_avg_ms, null as hrv_sample_avg_ms, null as hrv_source, null as hrv_others, null as blood_oxygen_avg_pct, null as blood_oxygen_sample_avg_pct, null as blood_oxygen_source, null as blood_oxygen_others, null as glucose_avg_mmol_l, null as glucose_sample_avg_mmol_l, null as glucose_source, null as glucose_others, null as weight_kg, null as weight_source, null as weight_others, null as fat_pct, null as fat_source, null as fat_others, null as unworn_sources, samples, samples_unknown_unit, samples_implausible, null as sleep_total_s, null as sleep_light_s, null as sleep_deep_s, null as sleep_rem_s, null as sleep_awake_s, null as sleep_duration_s, null as sleep_efficiency, null as sleep_hrv_avg_ms, null as sleep_respiratory_rate_per_min, null as sleep_score, null as sleep_started_at, null as sleep_source, null as sleep_others, null as sleep_partial_others, null as naps, null as nap_total_s, null as nap_sources, null as workouts, null as workouts_duration_s, null as workouts_distance_m, null as workouts_calories_kcal, null as workouts_sources, null as workouts_duplicates, null as blood_pressure_systolic_mmhg, null as blood_pressure_diastolic_mmhg, null as blood_pressure_readings, null as blood_pressure_source, null as blood_pressure_others
  from (
    select user_id, local_date, cast(sum(samples) as int64) as samples, cast(sum(unknown_unit) as int64) as samples_unknown_unit, cast(sum(implausible) as int64) as samples_implausible
    from (
      select
        s.user_id, s.local_date, s.samples, case when (c.unit is not null or s.resource = 'hypnogram' and coalesce(lower(trim(s.unit, ' ')), '') in ('', 'stage')) then 0 else s.samples end as unknown_unit, s.implausible
      from timeseries_daily s
      left join unit_conversions c on c.measure = case s.resource when 'cholesterol' then case s.sample_type when 'cholesterol/hdl' then 'cholesterol.hdl' when 'cholesterol/ldl' then 'cholesterol.ldl' when 'cholesterol/total' then 'cholesterol.total' when 'cholesterol/triglycerides' then 'cholesterol.triglycerides' else 'cholesterol' end when 'electrocardiogram_voltage' then case s.sample_type when 'lead_1' then 'electrocardiogram_voltage.lead_1' else 'electrocardiogram_voltage' end when 'heart_rate_alert' then case s.sample_type when 'high_heart_rate' then 'heart_rate_alert.high_heart_rate' when 'irregular_rhythm' then 'heart_rate_alert.irregular_rhythm' when 'low_heart_rate' then 'heart_rate_alert.low_heart_rate' else 'heart_rate_alert' end when 'insulin_injection' then case s.sample_type when 'long_acting' then 'insulin_injection.long_acting' when 'rapid_acting' then 'insulin_injection.rapid_acting' else 'insulin_injection' end when 'sleep_breathing_disturbance' then case s.sample_type when 'elevated' then 'sleep_breathing_disturbance.elevated' when 'not_elevated' then 'sleep_breathing_disturbance.not_elevated' else 'sleep_breathing_disturbance' end when 'stand_hour' then case s.sample_type when 'idle' then 'stand_hour.idle' when 'stood' then 'stand_hour.stood' else 'stand_hour' end else s.resource end and c.unit_sent = coalesce(lower(trim(s.unit, ' ')), '')
      union all
      select
        r.user_id, coalesce(r.local_date, make_timestamp(epoch_us(r.start_at))::date), 1, case when c.unit is null then 1 else 0 end,
        case when c.unit is not null and ((case when (r.systolic_mmhg - c.minus) * c.times / c.per between 40 and 350 then (r.systolic_mmhg - c.minus) * c.times / c.per end) is null and r.systolic_mmhg is not null or (case when (r.diastolic_mmhg - c.minus) * c.times / c.per between 20 and 250 then (r.diastolic_mmhg - c.minus) * c.times / c.per end) is null and r.diastolic_mmhg is not null) then 1 else 0 end
      from blood_pressure_local r
      left join unit_conversions c on c.measure = 'blood_pressure.systolic_mmhg' and c.unit_sent = coalesce(lower(trim(r.unit, ' ')), '')
    ) counted
    group by user_id, local_date
  ) part
  union all
  select user_id, local_date, null as heartrate_min_bpm, null as heartrate_max_bpm, null as steps, null as steps_source, null as steps_others, null as distance_m, null as distance_source, null as distance_others, null as calories_active_kcal, null as calories_active_source, null as calories_active_others, null as floors_climbed, null as floors_climbed_source, null as floors_climbed_others, null as calories_total_kcal, null as calories_total_source, null as calories_total_others, null as heart_rate_resting_bpm, null as heart_rate_resting_source, null as heart_rate_resting_others, null as heartrate_avg_bpm, null as heartrate_sample_avg_bpm, null as heartrate_source, null as heartrate_others, null as hrv_avg_ms, null as hrv_sample_avg_ms, null as hrv_source, null as hrv_others, null as blood_oxygen_avg_pct, null as blood_oxygen_sample_avg_pct, null as blood_oxygen_source, null as blood_oxygen_others, null as glucose_avg_mmol_l, null as glucose_sample_avg_mmol_l, null as glucose_source, null as glucose_others, null as weight_kg, null as weight_source, null as weight_others, null as fat_pct, null as fat_source, null as fat_others, null as unworn_sources, null as samples, null as samples_unknown_unit, null as samples_implausible, sleep_total_s, sleep_light_s, sleep_deep_s, sleep_rem_s, sleep_awake_s, sleep_duration_s, sleep_efficiency, sleep_hrv_avg_ms, sleep_respiratory_rate_per_min, sleep_score, sleep_started_at, sleep_source, sleep_others, sleep_partial_others, naps, nap_total_s, nap_sources, null as workouts, null as workouts_duration_s, null as workouts_distance_m, null as workouts_calories_kcal, null as workouts_sources, null as workouts_duplicates, null as blood_pressure_systolic_mmhg, null as blood_pressure_diastolic_mmhg, null as blood_pressure_readings, null as blood_pressure_source, null as blood_pressure_others
  from (
    select user_id, night_date as local_date, total_s as sleep_total_s, light_s as sleep_light_s, deep_s as sleep_deep_s, rem_s as sleep_rem_s, awake_s as sleep_awake_s, duration_s as sleep_duration_s, efficiency as sleep_efficiency, hrv_ms as sleep_hrv_avg_ms, respiratory_rate_per_min as sleep_respiratory_rate_per_min, score as sleep_score, start_at as sleep_started_at, source as sleep_source, others as sleep_others, partial_others as sleep_partial_others, naps, nap_total_s, nap_sources
    from sleep_nights
  ) part
  union all
  select user_id, local_date, null as heartrate_min_bpm, null as heartrate_max_bpm, null as steps, null as steps_source, null as steps_others, null as distance_m, null as distance_source, null as distance_others, null as calories_active_kcal, null as calories_active_source, null as calories_active_others, null as floors_climbed, null as floors_climbed_source, null as floors_climbed_others, null as calories_total_kcal, null as calories_total_source, null as calories_total_others, null as heart_rate_resting_bpm, null as heart_rate_resting_source, null as heart_rate_resting_others, null as heartrate_avg_bpm, null as heartrate_sample_avg_bpm, null as heartrate_source, null as heartrate_others, null as hrv_avg_ms, null as hrv_sample_avg_ms, null as hrv_source, null as hrv_others, null as blood_oxygen_avg_pct, null as blood_oxygen_sample_avg_pct, null as blood_oxygen_source, null as blood_oxygen_others, null as glucose_avg_mmol_l, null as glucose_sample_avg_mmol_l, null as glucose_source, null as glucose_others, null as weight_kg, null as weight_source, null as weight_others, null as fat_pct, null as fat_source, null as fat_others, null as unworn_sources, null as samples, null as samples_unknown_unit, null as samples_implausible, null as sleep_total_s, null as sleep_light_s, null as sleep_deep_s, null as sleep_rem_s, null as sleep_awake_s, null as sleep_duration_s, null as sleep_efficiency, null as sleep_hrv_avg_ms, null as sleep_respiratory_rate_per_min, null as sleep_score, null as sleep_started_at, null as sleep_source, null as sleep_others, null as sleep_partial_others, null as naps, null as nap_total_s, null as nap_sources, workouts, workouts_duration_s, workouts_distance_m, workouts_calories_kcal, workouts_sources, workouts_duplicates, null as blood_pressure_systolic_mmhg, null as blood_pressure_diastolic_mmhg, null as blood_pressure_readings, null as blood_pressure_source, null as blood_pressure_others
  from (
    select user_id, local_date, count(*) as workouts, cast(sum(case when time_end > time_start then cast(floor(lasts_s) as bigint) end) as int64) as workouts_duration_s, sum(distance_m) as workouts_distance_m, sum(calories_kcal) as workouts_calories_kcal, string_agg(distinct source, ', ' order by source) as workouts_sources, cast(sum(sources) - count(*) as int64) as workouts_duplicates
    from (
      select *, case when (epoch_us(time_end) - epoch_us(time_start)) / 1000000.0 between 0 and 600000 then (epoch_us(time_end) - epoch_us(time_start)) / 1000000.0 end as lasts_s
      from workouts_deduplicated
    ) timed
    where local_date is not null
    group by user_id, local_date
  ) part
  union all
  select user_id, local_date, null as heartrate_min_bpm, null as heartrate_max_bpm, null as steps, null as steps_source, null as steps_others, null as distance_m, null as distance_source, null as distance_others, null as calories_active_kcal, null as calories_active_source, null as calories_active_others, null as floors_climbed, null as floors_climbed_source, null as floors_climbed_others, null as calories_total_kcal, null as calories_total_source, null as calories_total_others, null as heart_rate_resting_bpm, null as heart_rate_resting_source, null as heart_rate_resting_others, null as heartrate_avg_bpm, null as heartrate_sample_avg_bpm, null as heartrate_source, null as heartrate_others, null as hrv_avg_ms, null as hrv_sample_avg_ms, null as hrv_source, null as hrv_others, null as blood_oxygen_avg_pct, null as blood_oxygen_sample_avg_pct, null as blood_oxygen_source, null as blood_oxygen_others, null as glucose_avg_mmol_l, null as glucose_sample_avg_mmol_l, null as glucose_source, null as glucose_others, null as weight_kg, null as weight_source, null as weight_others, null as fat_pct, null as fat_source, null as fat_others, null as unworn_sources, null as samples, null as samples_unknown_unit, null as samples_implausible, null as sleep_total_s, null as sleep_light_s, null as sleep_deep_s, null as sleep_rem_s, null as sleep_awake_s, null as sleep_duration_s, null as sleep_efficiency, null as sleep_hrv_avg_ms, null as sleep_respiratory_rate_per_min, null as sleep_score, null as sleep_started_at, null as sleep_source, null as sleep_others, null as sleep_partial_others, null as naps, null as nap_total_s, null as nap_sources, null as workouts, null as workouts_duration_s, null as workouts_distance_m, null as workouts_calories_kcal, null as workouts_sources, null as workouts_duplicates, blood_pressure_systolic_mmhg, blood_pressure_diastolic_mmhg, blood_pressure_readings, blood_pressure_source, blood_pressure_others
  from (
    select user_id, local_date, systolic_mmhg as blood_pressure_systolic_mmhg, diastolic_mmhg as blood_pressure_diastolic_mmhg, readings as blood_pressure_readings, provider || '/' || source_type as blood_pressure_source, others as blood_pressure_others
    from (
      select
        *,
        count(*) over (partition by user_id, local_date) - 1 as others,
        row_number() over (
          partition by user_id, local_date order by case when provider = 'manual' then 17 else case source_type when 'lab' then 1 when 'chest_strap' then 2 when 'cuff' then 3 when 'scale' then 4 when 'ring' then 5 when 'watch' then 6 when 'earphone' then 7 when 'exercise_machine' then 8 when 'fingerprick' then 9 when 'insulin_pump' then 10 when 'automatic' then 11 when 'multiple_sources' then 12 when 'phone' then 13 when 'app' then 14 when 'unknown' then 15 when 'manual_scan' then 16 else 15 end end, days_before desc, md5(user_id || ' ' || provider || '/' || source_type), provider, source_type
        ) as place
      from (
        select *, count(*) over (
    partition by user_id, provider, source_type order by (local_date - date '1970-01-01') range between 14 preceding and 1 preceding
  ) as days_before
        from (
          select
            user_id, local_date, provider, source_type,
            avg(systolic_mmhg) as systolic_mmhg, avg(diastolic_mmhg) as diastolic_mmhg, count(*) as readings
          from (
            select
              r.user_id, r.provider, r.source_type, (case when (r.systolic_mmhg - c.minus) * c.times / c.per between 40 and 350 then (r.systolic_mmhg - c.minus) * c.times / c.per end) as systolic_mmhg, (case when (r.diastolic_mmhg - c.minus) * c.times / c.per between 20 and 250 then (r.diastolic_mmhg - c.minus) * c.times / c.per end) as diastolic_mmhg,
              coalesce(r.local_date, make_timestamp(epoch_us(r.start_at))::date) as local_date
            from blood_pressure_local r
            left join unit_conversions c on c.measure = 'blood_pressure.systolic_mmhg' and c.unit_sent = coalesce(lower(trim(r.unit, ' ')), '')
          ) readings
          where systolic_mmhg is not null or diastolic_mmhg is not null
          group by user_id, local_date, provider, source_type
        ) of_source
      ) compared
    ) ordered
    where place = 1
  ) part
  ) parts
  group by user_id, local_date
) days
left join (
  select user_id, min(coalesce(w.calendar_date, make_timestamp(epoch_us(w.time_start + to_seconds(coalesce(w.timezone_offset_s, 0))))::date)) as first_date
  from workouts w
  group by user_id
) recorded on recorded.user_id = days.user_id
left join (
select
  user_id, max(case when provider is null then at_date end) as current_date_of,
  nullif(array_to_string(list_sort(list_distinct(list(case when delayed_date >= at_date then cast(delayed_date as string) end))), ', '), '') as delayed_dates
from (
  select *, (local_date + cast(ordinal as integer)) as delayed_date
  from (
  select user_id, provider, at_date, local_date, unnest(range(1, 1 + 7)) as ordinal
  from (
    select r.user_id, r.provider, r.at_date, s.local_date
    from (
select user_id, provider, source_type, start_at, coalesce(local_date, make_timestamp(epoch_us(start_at))::date) as at_date
from (
select
  user_id, provider, source_type, start_at, timezone_offset_s, time_basis,
  cast(local_at as date) as local_date, local_date_basis, local_at, extract(hour from local_at) as local_hour, local_offset_s
from (
  select
    *,
    case
      when time_basis = 'floating' then make_timestamp(epoch_us(start_at) + 0 * 1000000)
      else make_timestamp(epoch_us(start_at) + local_offset_s * 1000000)
    end as local_at
  from (
    select
      samples.user_id, samples.provider, samples.source_type, samples.start_at, samples.timezone_offset_s, samples.time_basis,
      coalesce(samples.timezone_offset_s, zones.offset_s, spans.offset_s) as local_offset_s,
      case
        when samples.time_basis = 'floating' then 'floating'
        when samples.timezone_offset_s is not null then 'offset'
        when zones.offset_s is not null then 'zone'
        when spans.offset_s is not null then 'zone_offset'
        else 'none'
      end as local_date_basis
    from (
  select *, cast(null as int64) as timezone_offset_s, 'utc' as time_basis
  from (
    select user_id, provider, source_type, max(received_at) as start_at
    from deliveries
    where source_type is not null and stream <> 'devices' and dead_letter_reason is null and not redelivered
    group by user_id, provider, source_type
    union all
    select user_id, null, null, last_at
    from (select distinct user_id from deliveries where user_id is not null) users
    cross join (
      select max(received_at) as last_at
      from deliveries
      where received_at <= _loaded_at + to_seconds(86400)
    ) latest
  ) instants
) samples
    left join user_time_zones spans
      on spans.user_id = samples.user_id and spans.user_id = case when samples.timezone_offset_s is null then samples.user_id end
      and samples.start_at >= spans.from_at and samples.start_at < coalesce(spans.to_at, timestamptz '9999-12-31T23:59:59Z')
    left join time_zone_transitions zones on zones.zone = spans.time_zone and zones.time_basis = samples.time_basis and samples.start_at >= zones.from_at and samples.start_at < zones.to_at
  ) offsets
) timed
) located
    ) r
    left join source_days s
      on s.user_id = r.user_id and s.provider = r.provider and s.source_type = r.source_type
      and (s.local_date + cast(7 as integer)) >= r.at_date
  )
  ) expected
) dated
group by user_id
) open_dates on open_dates.user_id = days.user_id;

create or replace view person_calendar as
select
  user_id, local_date, is_complete = 1 as is_complete, sources,
  nullif(substr(concat(case when has_blood_oxygen = 1 then ', blood_oxygen' else '' end, case when has_blood_pressure = 1 then ', blood_pressure' else '' end, case when has_calories_active = 1 then ', calories_active' else '' end, case when has_calories_total = 1 then ', calories_total' else '' end, case when has_distance = 1 then ', distance' else '' end, case when has_fat = 1 then ', fat' else '' end, case when has_floors_climbed = 1 then ', floors_climbed' else '' end, case when has_glucose = 1 then ', glucose' else '' end, case when has_heart_rate_resting = 1 then ', heart_rate_resting' else '' end, case when has_heartrate = 1 then ', heartrate' else '' end, case when has_hrv = 1 then ', hrv' else '' end, case when has_sleep = 1 then ', sleep' else '' end, case when has_steps = 1 then ', steps' else '' end, case when has_weight = 1 then ', weight' else '' end), 3), '') as measures,
  nullif(substr(concat(case when has_blood_oxygen = 0 and knew_blood_oxygen = 1 then ', blood_oxygen' else '' end, case when has_blood_pressure = 0 and knew_blood_pressure = 1 then ', blood_pressure' else '' end, case when has_calories_active = 0 and knew_calories_active = 1 then ', calories_active' else '' end, case when has_calories_total = 0 and knew_calories_total = 1 then ', calories_total' else '' end, case when has_distance = 0 and knew_distance = 1 then ', distance' else '' end, case when has_fat = 0 and knew_fat = 1 then ', fat' else '' end, case when has_floors_climbed = 0 and knew_floors_climbed = 1 then ', floors_climbed' else '' end, case when has_glucose = 0 and knew_glucose = 1 then ', glucose' else '' end, case when has_heart_rate_resting = 0 and knew_heart_rate_resting = 1 then ', heart_rate_resting' else '' end, case when has_heartrate = 0 and knew_heartrate = 1 then ', heartrate' else '' end, case when has_hrv = 0 and knew_hrv = 1 then ', hrv' else '' end, case when has_sleep = 0 and knew_sleep = 1 then ', sleep' else '' end, case when has_steps = 0 and knew_steps = 1 then ', steps' else '' end, case when has_weight = 0 and knew_weight = 1 then ', weight' else '' end), 3), '') as missing
from (
  select
    *, max(has_blood_oxygen) over (partition by user_id order by local_date) as knew_blood_oxygen, max(has_blood_pressure) over (partition by user_id order by local_date) as knew_blood_pressure, max(has_calories_active) over (partition by user_id order by local_date) as knew_calories_active, max(has_calories_total) over (partition by user_id order by local_date) as knew_calories_total, max(has_distance) over (partition by user_id order by local_date) as knew_distance, max(has_fat) over (partition by user_id order by local_date) as knew_fat, max(has_floors_climbed) over (partition by user_id order by local_date) as knew_floors_climbed, max(has_glucose) over (partition by user_id order by local_date) as knew_glucose, max(has_heart_rate_resting) over (partition by user_id order by local_date) as knew_heart_rate_resting, max(has_heartrate) over (partition by user_id order by local_date) as knew_heartrate, max(has_hrv) over (partition by user_id order by local_date) as knew_hrv, max(has_sleep) over (partition by user_id order by local_date) as knew_sleep, max(has_steps) over (partition by user_id order by local_date) as knew_steps, max(has_weight) over (partition by user_id order by local_date) as knew_weight
  from (
    select
      user_id, local_date, max(is_day) as is_day, max(is_complete) as is_complete, max(sources) as sources,
      max(case when measure = 'blood_oxygen' then 1 else 0 end) as has_blood_oxygen, max(case when measure = 'blood_pressure' then 1 else 0 end) as has_blood_pressure, max(case when measure = 'calories_active' then 1 else 0 end) as has_calories_active, max(case when measure = 'calories_total' then 1 else 0 end) as has_calories_total, max(case when measure = 'distance' then 1 else 0 end) as has_distance, max(case when measure = 'fat' then 1 else 0 end) as has_fat, max(case when measure = 'floors_climbed' then 1 else 0 end) as has_floors_climbed, max(case when measure = 'glucose' then 1 else 0 end) as has_glucose, max(case when measure = 'heart_rate_resting' then 1 else 0 end) as has_heart_rate_resting, max(case when measure = 'heartrate' then 1 else 0 end) as has_heartrate, max(case when measure = 'hrv' then 1 else 0 end) as has_hrv, max(case when measure = 'sleep' then 1 else 0 end) as has_sleep, max(case when measure = 'steps' then 1 else 0 end) as has_steps, max(case when measure = 'weight' then 1 else 0 end) as has_weight
    from (
      select
        user_id, local_date, 1 as is_day, case when (coalesce(local_date < days.current_date_of, false) and coalesce(strpos(days.delayed_dates, cast(local_date as string)), 0) = 0) then 1 else 0 end as is_complete,
        sources, cast(null as string) as measure
      from (
        select
          user_id, (local_date + cast(ordinal - 1 as integer)) as local_date, current_date_of, delayed_dates,
          case when ordinal = 1 then sources end as sources
        from (
      select user_id, local_date, sources, current_date_of, delayed_dates, unnest(range(1, 1 + days)) as ordinal
  from (
        select
          b.user_id, b.local_date, b.sources, o.current_date_of, o.delayed_dates,
          (least(coalesce(b.next_date, (o.current_date_of + cast(1 as integer))), (o.current_date_of + cast(1 as integer))) - date '1970-01-01') - (b.local_date - date '1970-01-01') as days
        from (
          select *, min(case when of_day >= 2 or of_month >= 3 then local_date end) over (partition by user_id) as first_date
          from (
            select
              *, lead(local_date) over (partition by user_id order by local_date) as next_date,
              count(*) over (partition by user_id, extract(year from local_date), extract(month from local_date)) as of_month
            from (
              select user_id, local_date, count(*) as of_day, nullif(array_to_string(list_sort(list_distinct(list(source))), ', '), '') as sources
              from source_days
              group by user_id, local_date
            ) sourced
          ) followed
        ) b
        join (
select
  user_id, max(case when provider is null then at_date end) as current_date_of,
  nullif(array_to_string(list_sort(list_distinct(list(case when delayed_date >= at_date then cast(delayed_date as string) end))), ', '), '') as delayed_dates
from (
  select *, (local_date + cast(ordinal as integer)) as delayed_date
  from (
  select user_id, provider, at_date, local_date, unnest(range(1, 1 + 7)) as ordinal
  from (
    select r.user_id, r.provider, r.at_date, s.local_date
    from (
select user_id, provider, source_type, start_at, coalesce(local_date, make_timestamp(epoch_us(start_at))::date) as at_date
from (
select
  user_id, provider, source_type, start_at, timezone_offset_s, time_basis,
  cast(local_at as date) as local_date, local_date_basis, local_at, extract(hour from local_at) as local_hour, local_offset_s
from (
  select
    *,
    case
      when time_basis = 'floating' then make_timestamp(epoch_us(start_at) + 0 * 1000000)
      else make_timestamp(epoch_us(start_at) + local_offset_s * 1000000)
    end as local_at
  from (
    select
      samples.user_id, samples.provider, samples.source_type, samples.start_at, samples.timezone_offset_s, samples.time_basis,
      coalesce(samples.timezone_offset_s, zones.offset_s, spans.offset_s) as local_offset_s,
      case
        when samples.time_basis = 'floating' then 'floating'
        when samples.timezone_offset_s is not null then 'offset'
        when zones.offset_s is not null then 'zone'
        when spans.offset_s is not null then 'zone_offset'
        else 'none'
      end as local_date_basis
    from (
  select *, cast(null as int64) as timezone_offset_s, 'utc' as time_basis
  from (
    select user_id, provider, source_type, max(received_at) as start_at
    from deliveries
    where source_type is not null and stream <> 'devices' and dead_letter_reason is null and not redelivered
    group by user_id, provider, source_type
    union all
    select user_id, null, null, last_at
    from (select distinct user_id from deliveries where user_id is not null) users
    cross join (
      select max(received_at) as last_at
      from deliveries
      where received_at <= _loaded_at + to_seconds(86400)
    ) latest
  ) instants
) samples
    left join user_time_zones spans
      on spans.user_id = samples.user_id and spans.user_id = case when samples.timezone_offset_s is null then samples.user_id end
      and samples.start_at >= spans.from_at and samples.start_at < coalesce(spans.to_at, timestamptz '9999-12-31T23:59:59Z')
    left join time_zone_transitions zones on zones.zone = spans.time_zone and zones.time_basis = samples.time_basis and samples.start_at >= zones.from_at and samples.start_at < zones.to_at
  ) offsets
) timed
) located
    ) r
    left join source_days s
      on s.user_id = r.user_id and s.provider = r.provider and s.source_type = r.source_type
      and (s.local_date + cast(7 as integer)) >= r.at_date
  )
  ) expected
) dated
group by user_id
        ) o on o.user_id = b.user_id
        where b.local_date >= b.first_date and b.local_date <= o.current_date_of
      )
        ) numbered
      ) days
      union all
      select user_id, local_date, 0, 0, null, measure
      from (
        select user_id, local_date, measure
        from metric_days
        union all
        select user_id, night_date, 'sleep'
        from sleep_nights
        where source is not null
        union all
        select user_id, local_date, 'blood_pressure'
        from (
    select user_id, local_date, systolic_mmhg as blood_pressure_systolic_mmhg, diastolic_mmhg as blood_pressure_diastolic_mmhg, readings as blood_pressure_readings, provider || '/' || source_type as blood_pressure_source, others as blood_pressure_others
    from (
      select
        *,
        count(*) over (partition by user_id, local_date) - 1 as others,
        row_number() over (
          partition by user_id, local_date order by case when provider = 'manual' then 17 else case source_type when 'lab' then 1 when 'chest_strap' then 2 when 'cuff' then 3 when 'scale' then 4 when 'ring' then 5 when 'watch' then 6 when 'earphone' then 7 when 'exercise_machine' then 8 when 'fingerprick' then 9 when 'insulin_pump' then 10 when 'automatic' then 11 when 'multiple_sources' then 12 when 'phone' then 13 when 'app' then 14 when 'unknown' then 15 when 'manual_scan' then 16 else 15 end end, days_before desc, md5(user_id || ' ' || provider || '/' || source_type), provider, source_type
        ) as place
      from (
        select *, count(*) over (
    partition by user_id, provider, source_type order by (local_date - date '1970-01-01') range between 14 preceding and 1 preceding
  ) as days_before
        from (
          select
            user_id, local_date, provider, source_type,
            avg(systolic_mmhg) as systolic_mmhg, avg(diastolic_mmhg) as diastolic_mmhg, count(*) as readings
          from (
            select
              r.user_id, r.provider, r.source_type, (case when (r.systolic_mmhg - c.minus) * c.times / c.per between 40 and 350 then (r.systolic_mmhg - c.minus) * c.times / c.per end) as systolic_mmhg, (case when (r.diastolic_mmhg - c.minus) * c.times / c.per between 20 and 250 then (r.diastolic_mmhg - c.minus) * c.times / c.per end) as diastolic_mmhg,
              coalesce(r.local_date, make_timestamp(epoch_us(r.start_at))::date) as local_date
            from blood_pressure_local r
            left join unit_conversions c on c.measure = 'blood_pressure.systolic_mmhg' and c.unit_sent = coalesce(lower(trim(r.unit, ' ')), '')
          ) readings
          where systolic_mmhg is not null or diastolic_mmhg is not null
          group by user_id, local_date, provider, source_type
        ) of_source
      ) compared
    ) ordered
    where place = 1
        ) readings
      ) measured
    ) dated
    group by user_id, local_date
  ) by_date
) known
where is_day = 1;

create or replace view changed_person_days as
select user_id, local_date, changed_at
from control.changed_person_days;

create or replace view freshness as
select
  event_type, provider,
  count(case when received_at <= current_timestamp then 1 end) as deliveries,
  count(distinct case when received_at <= current_timestamp then user_id end) as users,
  min(case when received_at <= current_timestamp then received_at end) as first_received_at,
  max(case when received_at <= current_timestamp then received_at end) as last_received_at,
  max(_loaded_at) as last_loaded_at,
  (epoch_us(current_timestamp) - epoch_us(max(case when received_at <= current_timestamp then received_at end))) / 1000000.0 as age_s,
  count(case when received_at > current_timestamp then 1 end) as deliveries_in_future
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

create or replace view provider_latency as
with received as (
  select s.user_id, s.provider, s.event_type, case when s.time_basis = 'floating' then make_timestamptz(epoch_us(coalesce(s.end_at, s.start_at)) - s.local_offset_s * 1000000) else coalesce(s.end_at, s.start_at) end as measured_at, s._received_at as received_at
  from timeseries_local s
  union all
  select s.user_id, s.provider, s.event_type, case when s.time_basis = 'floating' then make_timestamptz(epoch_us(s.start_at) - s.local_offset_s * 1000000) else s.start_at end, s._received_at
  from blood_pressure_local s
  union all
  select user_id, provider, event_type, time_end, _received_at
  from workouts
  where time_end is not null
),
-- Millions of measurements have few different latencies.
latencies as (
  select r.provider, cast(floor((epoch_us(received_at) - epoch_us(measured_at)) / 1000000.0) as bigint) as latency_s, count(*) as measurements
  from received r
  join connections c on c.user_id = r.user_id and c.provider = r.provider
  where r.event_type like '%.created'
    and (measured_at is null or c.connected_at is not null and measured_at >= c.connected_at and measured_at <= received_at)
  group by r.provider, cast(floor((epoch_us(received_at) - epoch_us(measured_at)) / 1000000.0) as bigint)
)
select
  provider, cast(coalesce(max(of_provider), 0) as int64) as measurements,
  min(case when 2 * up_to >= of_provider then latency_s end) / 60.0 as median_min, min(case when 10 * up_to >= 9 * of_provider then latency_s end) / 60.0 as p90_min,
  cast(coalesce(sum(case when latency_s is null then measurements end), 0) as int64) as unknown_instant
from (
  select
    *, sum(case when latency_s is not null then measurements end) over (partition by provider) as of_provider,
    sum(case when latency_s is not null then measurements end) over (partition by provider order by latency_s) as up_to
  from latencies
) ordered
group by provider;

create or replace view event_volume as
select
  make_timestamp(epoch_us(received_at))::date as received_date,
  event_type, provider, stream,
  count(*) as deliveries,
  count(distinct user_id) as users,
  cast(coalesce(sum(samples), 0) as int64) as samples,
  cast(sum(body_bytes) as int64) as body_bytes,
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
came as (
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
),
created as (
  select kept.*
from arrived kept
left join (
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
    when 'stalled' then case
      when broken_at is null and progressed_at > since then progressed_at
      when broken_at is null then least(progressed_at, coalesce(service_since, since))
      else coalesce(service_since, since)
    end
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
    when standing = 'stalled' and state = 'retrying'
      then 'no progress, although the service tries again: ' || coalesce(error_details, 'no reason given')
    when standing = 'stalled' then 'no progress: no further day has data'
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
    t.b.scheduled_at, t.b.range_start, t.b.range_end, t.b.state, t.b.since, t.b.retrying_since, t.b.status, t.b.error_details, t.b.error_class, t.b.days_with_data, t.b.provisional, t.b.perhaps_completed_at, t.b.broken_at, t.b.contradicted_at, t.b.knows_retrying, t.b.service_since, t.b.service_retrying_since, t.b.trace_id, coalesce(t.b.progressed_at, t.b.since) as progressed_at,
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
      when (epoch_us(coalesce(p._received_at, current_timestamp)) - epoch_us(coalesce(t.b.progressed_at, t.b.since))) / 1000000.0 > coalesce(p.stalled_after_s, t.stalled_after_s, 86400) then 'stalled'
      when t.b.state = 'retrying' then 'retrying'
      else 'in_motion'
    end as standing
  from (
    select user_id, provider, resource, stalled_after_s, _loaded_at, pulls[len(pulls)] as b
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

create or replace view people as
select
  known.user_id, known.client_user_id, zone.time_zone, zone.offset_s as timezone_offset_s, data.sources, data.first_date, data.last_date,
  known.last_received_at, coalesce(of_devices.devices, 0) as devices, coalesce(of_open_pulls.open_pulls, 0) as open_pulls
from (
  select
    user_id, coalesce(max(listed_id), arg_max(sent_id, epoch_us(received_at) + 62200000000000000)) as client_user_id, max(received_at) as last_received_at
  from (
    select user_id, cast(null as string) as listed_id, client_user_id as sent_id, received_at
    from deliveries
    where user_id is not null
    union all
    select user_id, client_user_id, null, null
    from users
  ) named
  group by user_id
) known
left join user_time_zones zone on zone.user_id = known.user_id and zone.to_at is null
left join (
  select user_id, nullif(array_to_string(list_sort(list_distinct(list(source))), ', '), '') as sources, min(first_date) as first_date, max(last_date) as last_date
  from person_sources
  group by user_id
) data on data.user_id = known.user_id
left join (
  select user_id, count(*) as devices
  from devices
  group by user_id
) of_devices on of_devices.user_id = known.user_id
left join (
  select user_id, count(*) as open_pulls
  from historical_pull_board
  where standing in ('in_motion', 'retrying', 'stalled')
  group by user_id
) of_open_pulls on of_open_pulls.user_id = known.user_id;
