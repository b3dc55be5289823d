CREATE SCHEMA IF NOT EXISTS `my-project.health`
OPTIONS (labels = [('aorta', 'dataset')], location = 'EU');

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_meta` (
  name STRING NOT NULL OPTIONS (description = 'What it is.'),
  value STRING NOT NULL OPTIONS (description = 'Its value.')
)
OPTIONS (description = 'Format of the warehouse, and the key of the suppression list.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_positions` (
  stream STRING NOT NULL OPTIONS (description = 'Stream.'),
  stream_partition INT64 NOT NULL OPTIONS (description = 'Partition of the stream.'),
  incarnation STRING NOT NULL OPTIONS (description = 'Which stream of that name it was.'),
  position INT64 NOT NULL OPTIONS (description = 'The position after the last record landed.'),
  written_at TIMESTAMP NOT NULL OPTIONS (description = 'When that was written.')
)
CLUSTER BY stream, stream_partition
OPTIONS (description = 'How far partitions of streams were landed, once the landing tables that say so are gone.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_merged` (
  batch STRING NOT NULL OPTIONS (description = 'Landing table.'),
  target STRING NOT NULL OPTIONS (description = 'Table that it was merged into.'),
  extent STRING NOT NULL OPTIONS (description = '`recent` or `old`: which dates the merge was for.'),
  dates ARRAY<DATE> OPTIONS (description = 'Dates that are merged: none where the target is not partitioned.'),
  merged_at TIMESTAMP NOT NULL OPTIONS (description = 'When it was merged.')
)
CLUSTER BY batch
OPTIONS (description = 'Which landed batch was merged into which table: written in the transaction of the merge.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_suppressed` (
  user_hash STRING NOT NULL OPTIONS (description = 'SHA-256 of the key and the user’s id, in hexadecimal digits.'),
  suppressed_at TIMESTAMP NOT NULL OPTIONS (description = 'When the user was erased.')
)
CLUSTER BY user_hash
OPTIONS (description = 'Keyed hashes of users who were erased: no merge brings them back.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_activity` (
  ended_at TIMESTAMP NOT NULL OPTIONS (description = 'When it ended.'),
  worker STRING NOT NULL OPTIONS (description = 'Which process it was.'),
  what STRING NOT NULL OPTIONS (description = '`merge`, `bookkeeping` or `wait`.'),
  target STRING NOT NULL OPTIONS (description = 'Table that it was for; empty where for none.'),
  reason STRING OPTIONS (description = 'What was waited for.'),
  estimated_bytes INT64 NOT NULL OPTIONS (description = 'Bytes that were reckoned with before. (byte)'),
  billed_bytes INT64 NOT NULL OPTIONS (description = 'Bytes that were billed. (byte)'),
  waited_ms INT64 NOT NULL OPTIONS (description = 'How long was waited; 0 where it waits for somebody or another day. (ms)'),
  slot_ms INT64 OPTIONS (description = 'Slot time that is paid for, in a reservation. (ms)')
)
PARTITION BY DATE(ended_at)
OPTIONS (description = 'What merges cost, and what was waited for.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_activity` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of activity that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_backfills` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of backfills that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_blood_pressure` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of blood_pressure that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_body` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of body that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_connection_events` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of connection_events that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_continuous_query_results` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of continuous_query_results that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_delivery_failures` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of delivery_failures that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_devices` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of devices that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_electrocardiogram` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of electrocardiogram that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_historical_completions` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of historical_completions that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_historical_pull_tracks` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of historical_pull_tracks that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_introspection_polls` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of introspection_polls that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_lab_appointments` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of lab_appointments that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_lab_critical_results` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of lab_critical_results that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_lab_markers` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of lab_markers that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_lab_match_reviews` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of lab_match_reviews that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_lab_orders` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of lab_orders that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_lab_report_parsing_jobs` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of lab_report_parsing_jobs that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_lab_results` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of lab_results that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_lab_tests` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of lab_tests that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_meal` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of meal that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_menstrual_cycle` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of menstrual_cycle that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_notes` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of notes that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_profile` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of profile that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_raw_events` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of raw_events that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_sent_resources` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of sent_resources that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_sleep` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of sleep that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_sleep_cycle` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of sleep_cycle that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_timeseries` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of timeseries that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_user_connections` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of user_connections that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_user_states` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of user_states that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_users` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of users that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_workout_stream_events` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of workout_stream_events that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_workout_streams` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of workout_streams that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_workouts` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of workouts that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_deliveries` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last one was.')
)
OPTIONS (description = 'One row: two merges of deliveries that overlap both update it, so one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.activity` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider: `provider`, or `slug` of the old generation; `unknown` where neither is there.'),
  source_type STRING NOT NULL OPTIONS (description = 'Kind of device or origin; `unknown` where absent.'),
  source_app_id STRING OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id STRING OPTIONS (description = 'Id of the service\'s device record.'),
  source_sport STRING OPTIONS (description = 'Sport, on workout timeseries.'),
  source_workout_id STRING OPTIONS (description = 'Workout, on workout timeseries.'),
  source_name STRING OPTIONS (description = 'Readable name of the provider (old generation).'),
  source_logo STRING OPTIONS (description = 'Address of an icon (old generation).'),
  id STRING NOT NULL OPTIONS (description = 'Id of the summary: the newest version of an id replaces the others.'),
  data_user_id STRING OPTIONS (description = 'User id inside the data object, where the service repeats it.'),
  date_at TIMESTAMP OPTIONS (description = 'The day at 00:00 UTC (deprecated by the service; use calendar_date).'),
  calendar_date DATE OPTIONS (description = 'The local day.'),
  calories_total_kcal FLOAT64 OPTIONS (description = 'Energy spent, basal rate included. (kcal)'),
  calories_active_kcal FLOAT64 OPTIONS (description = 'Energy spent by activity. (kcal)'),
  steps INT64 OPTIONS (description = 'Steps. (count)'),
  daily_movement_m FLOAT64 OPTIONS (description = 'Distance moved (deprecated by the service; use distance_m). (m)'),
  distance_m FLOAT64 OPTIONS (description = 'Distance moved. (m)'),
  low_min FLOAT64 OPTIONS (description = 'Time of low activity. (min)'),
  medium_min FLOAT64 OPTIONS (description = 'Time of medium activity. (min)'),
  high_min FLOAT64 OPTIONS (description = 'Time of high activity. (min)'),
  floors_climbed INT64 OPTIONS (description = 'Floors climbed. (count)'),
  time_zone STRING OPTIONS (description = 'IANA time zone.'),
  timezone_offset_s INT64 OPTIONS (description = 'Offset of local time, east of UTC. (s)'),
  heart_rate_avg_bpm FLOAT64 OPTIONS (description = 'Average heart rate. (bpm)'),
  heart_rate_min_bpm FLOAT64 OPTIONS (description = 'Lowest heart rate. (bpm)'),
  heart_rate_max_bpm FLOAT64 OPTIONS (description = 'Highest heart rate. (bpm)'),
  heart_rate_resting_bpm FLOAT64 OPTIONS (description = 'Resting heart rate. (bpm)'),
  heart_rate_avg_walking_bpm FLOAT64 OPTIONS (description = 'Average heart rate while walking. (bpm)'),
  wheelchair_use BOOL OPTIONS (description = 'Whether the user uses a wheelchair.'),
  wheelchair_push INT64 OPTIONS (description = 'Pushes of a wheelchair. (count)'),
  created_at TIMESTAMP OPTIONS (description = 'When the service first stored the summary.'),
  updated_at TIMESTAMP OPTIONS (description = 'When the service last changed the summary: the version of the row.'),
  extra JSON OPTIONS (description = 'Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path.'),
  _version_time TIMESTAMP NOT NULL OPTIONS (description = '`updated_at`; without it 1970-01-01T00:00:00Z of a `.created` event, `_received_at` of any other.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (id) NOT ENFORCED
)
CLUSTER BY user_id, id
OPTIONS (description = 'One day of activity of a user, per source.', labels = [('aorta', 'table'), ('aorta_shape', 'summary')]);

CREATE TABLE IF NOT EXISTS `my-project.health.backfills` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider.'),
  resource STRING NOT NULL OPTIONS (description = 'Resource, as events name it.'),
  from_day STRING NOT NULL OPTIONS (description = 'First date that was asked for, YYYY-MM-DD.'),
  to_day STRING NOT NULL OPTIONS (description = 'Last date that was asked for, YYYY-MM-DD.'),
  objects INT64 OPTIONS (description = 'Objects that it fetched: summaries, or samples, each once. (count)'),
  finished_at TIMESTAMP OPTIONS (description = 'When the service had answered all of it, by its own clock.'),
  extra JSON OPTIONS (description = 'Members of the event that this declaration does not know, and members whose value does not fit their type: a JSON object by path.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (user_id, provider, resource, from_day, to_day) NOT ENFORCED
)
CLUSTER BY user_id
OPTIONS (description = 'How much a backfill has fetched of a resource of a user\'s provider, once it had all of it: the newest one of each range.', labels = [('aorta', 'table'), ('aorta_shape', 'event')]);

CREATE TABLE IF NOT EXISTS `my-project.health.blood_pressure` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  resource STRING NOT NULL OPTIONS (description = 'Timeseries resource, as in the event type.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider: `provider`, or `slug` of the old generation; `unknown` where neither is there.'),
  source_type STRING NOT NULL OPTIONS (description = 'Kind of device or origin; `unknown` where absent.'),
  source_app_id STRING OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id STRING OPTIONS (description = 'Id of the service\'s device record.'),
  source_sport STRING OPTIONS (description = 'Sport, on workout timeseries.'),
  source_workout_id STRING NOT NULL OPTIONS (description = 'Workout, on workout timeseries.'),
  source_name STRING OPTIONS (description = 'Readable name of the provider (old generation).'),
  source_logo STRING OPTIONS (description = 'Address of an icon (old generation).'),
  time_basis STRING NOT NULL OPTIONS (description = '`utc`, or `floating` where the provider writes local time marked as UTC.'),
  data_user_id STRING OPTIONS (description = 'User id inside the data object, where the service repeats it.'),
  data_source_id INT64 OPTIONS (description = 'Number of the source (old generation, without a meaning).'),
  legacy_provider JSON OPTIONS (description = 'The provider beside its source (old generation): name, slug and logo.'),
  start_at TIMESTAMP NOT NULL OPTIONS (description = 'Start of the interval, or the moment of the sample.'),
  timezone_offset_s INT64 OPTIONS (description = 'Offset of local time, east of UTC. (s)'),
  systolic_mmhg FLOAT64 OPTIONS (description = 'Systolic pressure. (mmHg)'),
  diastolic_mmhg FLOAT64 OPTIONS (description = 'Diastolic pressure. (mmHg)'),
  `grouping` JSON OPTIONS (description = 'Source type, workout id, sport and device id that the service grouped by.'),
  sample_type STRING NOT NULL OPTIONS (description = 'Type of the sample.'),
  unit STRING OPTIONS (description = 'Unit of the value, as sent.'),
  sample_id INT64 OPTIONS (description = 'Number of the sample (deprecated by the service).'),
  sample_extra JSON OPTIONS (description = 'Members of the sample that this declaration does not know, and members whose value does not fit, as sent: a JSON object.'),
  extra JSON OPTIONS (description = 'Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path.'),
  local_date DATE OPTIONS (description = 'Date of the sample where the user was: NULL where the offset is not known.'),
  _day DATE NOT NULL OPTIONS (description = 'Partition: the date of the key’s time, clamped to 2010-01-01…2036-12-31.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (user_id, resource, provider, source_type, start_at, sample_type, source_workout_id) NOT ENFORCED
)
PARTITION BY _day
CLUSTER BY resource, user_id
OPTIONS (description = 'A batch of blood pressure samples. Fields per sample are arrays, as in timeseries.', labels = [('aorta', 'table'), ('aorta_shape', 'timeseries')]);

CREATE TABLE IF NOT EXISTS `my-project.health.body` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider: `provider`, or `slug` of the old generation; `unknown` where neither is there.'),
  source_type STRING NOT NULL OPTIONS (description = 'Kind of device or origin; `unknown` where absent.'),
  source_app_id STRING OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id STRING OPTIONS (description = 'Id of the service\'s device record.'),
  source_sport STRING OPTIONS (description = 'Sport, on workout timeseries.'),
  source_workout_id STRING OPTIONS (description = 'Workout, on workout timeseries.'),
  source_name STRING OPTIONS (description = 'Readable name of the provider (old generation).'),
  source_logo STRING OPTIONS (description = 'Address of an icon (old generation).'),
  id STRING NOT NULL OPTIONS (description = 'Id of the summary: the newest version of an id replaces the others.'),
  data_user_id STRING OPTIONS (description = 'User id inside the data object, where the service repeats it.'),
  date_at TIMESTAMP OPTIONS (description = 'The day at 00:00 UTC (deprecated by the service; use calendar_date).'),
  calendar_date DATE OPTIONS (description = 'The local day.'),
  weight_kg FLOAT64 OPTIONS (description = 'Weight. (kg)'),
  fat_pct FLOAT64 OPTIONS (description = 'Share of fat. (%)'),
  water_pct FLOAT64 OPTIONS (description = 'Share of water. (%)'),
  muscle_mass_pct FLOAT64 OPTIONS (description = 'Share of muscle. (%)'),
  visceral_fat_index FLOAT64 OPTIONS (description = 'Visceral fat index.'),
  bone_mass_pct FLOAT64 OPTIONS (description = 'Share of bone. (%)'),
  body_mass_index FLOAT64 OPTIONS (description = 'Body mass index.'),
  lean_body_mass_kg FLOAT64 OPTIONS (description = 'Lean body mass. (kg)'),
  waist_circumference_cm FLOAT64 OPTIONS (description = 'Waist circumference. (cm)'),
  created_at TIMESTAMP OPTIONS (description = 'When the service first stored the summary.'),
  updated_at TIMESTAMP OPTIONS (description = 'When the service last changed the summary: the version of the row.'),
  extra JSON OPTIONS (description = 'Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path.'),
  _version_time TIMESTAMP NOT NULL OPTIONS (description = '`updated_at`; without it 1970-01-01T00:00:00Z of a `.created` event, `_received_at` of any other.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (id) NOT ENFORCED
)
CLUSTER BY user_id, id
OPTIONS (description = 'Body measurements of a user on one day, per source.', labels = [('aorta', 'table'), ('aorta_shape', 'summary')]);

CREATE TABLE IF NOT EXISTS `my-project.health.connection_events` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider.'),
  provider_name STRING OPTIONS (description = 'Readable name of the provider.'),
  provider_logo STRING OPTIONS (description = 'Address of an icon.'),
  data_user_id STRING OPTIONS (description = 'User id inside the data object, where the service repeats it.'),
  resource_availability JSON OPTIONS (description = 'Per resource: status, and which scopes were granted or denied.'),
  legacy_source JSON OPTIONS (description = 'The provider once more, under its deprecated name.'),
  message STRING OPTIONS (description = 'What the service says about the error.'),
  error_type STRING OPTIONS (description = 'Kind of the error.'),
  error_details STRING OPTIONS (description = 'Details of the error.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (_origin, _offset, _received_at) NOT ENFORCED
)
CLUSTER BY user_id
OPTIONS (description = 'A provider was connected, or its connection broke or changed.', labels = [('aorta', 'table'), ('aorta_shape', 'event')]);

CREATE TABLE IF NOT EXISTS `my-project.health.continuous_query_results` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  changes ARRAY<STRUCT<query_id STRING, query_slug STRING, result_columns JSON>> OPTIONS (description = 'The queries whose results changed.'),
  extra JSON OPTIONS (description = 'Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (_origin, _offset, _received_at) NOT ENFORCED
)
CLUSTER BY user_id
OPTIONS (description = 'New or changed rows in the result tables of a user\'s continuous queries.', labels = [('aorta', 'table'), ('aorta_shape', 'event')]);

CREATE TABLE IF NOT EXISTS `my-project.health.delivery_failures` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  message_id STRING OPTIONS (description = 'The message that was not delivered: `delivery_id` of `deliveries`, if it came another way.'),
  message_event_id STRING OPTIONS (description = 'The service\'s own id of the message.'),
  endpoint_id STRING OPTIONS (description = 'The endpoint that did not take it.'),
  app_id STRING OPTIONS (description = 'Application of the webhook service that the endpoint belongs to.'),
  app_uid STRING OPTIONS (description = 'The service\'s own id of the application.'),
  last_attempt_id STRING OPTIONS (description = 'The last attempt.'),
  last_attempt_at TIMESTAMP OPTIONS (description = 'When the last attempt was made.'),
  last_attempt_status_code INT64 OPTIONS (description = 'HTTP status that the endpoint answered with; 0 where it did not answer.'),
  extra JSON OPTIONS (description = 'Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (_origin, _offset, _received_at) NOT ENFORCED
)
CLUSTER BY message_id
OPTIONS (description = 'The webhook service (Svix) gave up on a message after its last attempt: what the message held was not received that way.', labels = [('aorta', 'table'), ('aorta_shape', 'event')]);

CREATE TABLE IF NOT EXISTS `my-project.health.devices` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  id STRING NOT NULL OPTIONS (description = 'The service\'s id of the device: what `source_device_id` of summaries and samples names.'),
  data_user_id STRING OPTIONS (description = 'User id inside the data object, where the service repeats it.'),
  provider STRING OPTIONS (description = 'Slug of the provider.'),
  source_type STRING OPTIONS (description = 'Kind of the device, such as `watch`.'),
  app_id STRING OPTIONS (description = 'Bundle or package id of the app.'),
  device_manufacturer STRING OPTIONS (description = 'Who made the device.'),
  device_model STRING OPTIONS (description = 'Model of the device.'),
  device_version STRING OPTIONS (description = 'Version of the device or of its software.'),
  _version_time TIMESTAMP NOT NULL OPTIONS (description = '`updated_at`; without it 1970-01-01T00:00:00Z of a `.created` event, `_received_at` of any other.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (user_id, id) NOT ENFORCED
)
CLUSTER BY user_id, id
OPTIONS (description = 'A device of a user, as a provider names it: the newest state that was received.', labels = [('aorta', 'table'), ('aorta_shape', 'summary')]);

CREATE TABLE IF NOT EXISTS `my-project.health.electrocardiogram` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider: `provider`, or `slug` of the old generation; `unknown` where neither is there.'),
  source_type STRING NOT NULL OPTIONS (description = 'Kind of device or origin; `unknown` where absent.'),
  source_app_id STRING OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id STRING OPTIONS (description = 'Id of the service\'s device record.'),
  source_sport STRING OPTIONS (description = 'Sport, on workout timeseries.'),
  source_workout_id STRING OPTIONS (description = 'Workout, on workout timeseries.'),
  source_name STRING OPTIONS (description = 'Readable name of the provider (old generation).'),
  source_logo STRING OPTIONS (description = 'Address of an icon (old generation).'),
  id STRING NOT NULL OPTIONS (description = 'Id of the summary: the newest version of an id replaces the others.'),
  data_user_id STRING OPTIONS (description = 'User id inside the data object, where the service repeats it.'),
  session_start TIMESTAMP OPTIONS (description = 'Start of the recording.'),
  session_end TIMESTAMP OPTIONS (description = 'End of the recording.'),
  voltage_sample_count INT64 OPTIONS (description = 'Voltage samples of the recording. (count)'),
  heart_rate_mean_bpm FLOAT64 OPTIONS (description = 'Mean heart rate. (bpm)'),
  sampling_frequency_hz FLOAT64 OPTIONS (description = 'Sampling frequency. (Hz)'),
  classification STRING OPTIONS (description = 'sinus_rhythm, atrial_fibrillation, inconclusive.'),
  inconclusive_cause STRING OPTIONS (description = 'high_heart_rate, low_heart_rate, poor_reading.'),
  algorithm_version STRING OPTIONS (description = 'Version of the algorithm that classified it.'),
  time_zone STRING OPTIONS (description = 'IANA time zone.'),
  data_source_provider STRING OPTIONS (description = 'Slug of the provider inside the data object, where the service repeats it.'),
  data_source_type STRING OPTIONS (description = 'Kind of device or origin inside the data object, where the service repeats it.'),
  data_source_app_id STRING OPTIONS (description = 'Id of the app inside the data object, where the service repeats it.'),
  data_source_device_id STRING OPTIONS (description = 'Id of the device record inside the data object, where the service repeats it.'),
  source_device_model STRING OPTIONS (description = 'Model of the device.'),
  created_at TIMESTAMP OPTIONS (description = 'When the service first stored the summary.'),
  updated_at TIMESTAMP OPTIONS (description = 'When the service last changed the summary: the version of the row.'),
  extra JSON OPTIONS (description = 'Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path.'),
  _version_time TIMESTAMP NOT NULL OPTIONS (description = '`updated_at`; without it 1970-01-01T00:00:00Z of a `.created` event, `_received_at` of any other.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (id) NOT ENFORCED
)
CLUSTER BY user_id, id
OPTIONS (description = 'One recording of an electrocardiogram; its voltages are samples of the timeseries `electrocardiogram_voltage`.', labels = [('aorta', 'table'), ('aorta_shape', 'summary')]);

CREATE TABLE IF NOT EXISTS `my-project.health.historical_completions` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  resource STRING NOT NULL OPTIONS (description = 'Resource of the pull, as in the event type.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider.'),
  data_user_id STRING OPTIONS (description = 'User id inside the data object, where the service repeats it.'),
  range_start TIMESTAMP OPTIONS (description = 'Start of the range that was pulled.'),
  range_end TIMESTAMP OPTIONS (description = 'End of the range that was pulled.'),
  is_final BOOL OPTIONS (description = 'False on the parts of an old pull that are followed by more (deprecated by the service).'),
  extra JSON OPTIONS (description = 'Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (_origin, _offset, _received_at) NOT ENFORCED
)
CLUSTER BY user_id
OPTIONS (description = 'A historical pull of a resource has ended well; it carries no data.', labels = [('aorta', 'table'), ('aorta_shape', 'event')]);

CREATE TABLE IF NOT EXISTS `my-project.health.historical_pull_tracks` (
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider.'),
  resource STRING NOT NULL OPTIONS (description = 'Resource of the pulls.'),
  pulls ARRAY<STRUCT<is_present BOOL, scheduled_at TIMESTAMP, range_start TIMESTAMP, range_end TIMESTAMP, state STRING, since TIMESTAMP, retrying_since TIMESTAMP, status STRING, error_details STRING, error_class STRING, expected_at TIMESTAMP, started_at TIMESTAMP, ended_at TIMESTAMP, days_with_data INT64, provisional BOOL, perhaps_completed_at TIMESTAMP, announced_at TIMESTAMP, broken_at TIMESTAMP, not_pulled_at TIMESTAMP, contradicted_at TIMESTAMP, knows_retrying BOOL, reports BOOL, service_since TIMESTAMP, service_retrying_since TIMESTAMP, trace_id STRING>> OPTIONS (description = 'The pulls in their order, the present one last.'),
  changes ARRAY<STRUCT<scheduled_at TIMESTAMP, range_start TIMESTAMP, range_end TIMESTAMP, changed_at TIMESTAMP, from_state STRING, to_state STRING, event STRING, status STRING, error_details STRING>> OPTIONS (description = 'Every step of every pull, in the order of evidence.'),
  evidence ARRAY<STRUCT<evidence_at TIMESTAMP, kind STRING, scheduled_at TIMESTAMP, range_start TIMESTAMP, range_end TIMESTAMP, status STRING, started_at TIMESTAMP, ended_at TIMESTAMP, days_with_data INT64, error_details STRING>> OPTIONS (description = 'The evidence that it is folded from, in its order; answers that said what the one before said are not repeated.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (user_id, provider, resource) NOT ENFORCED
)
CLUSTER BY user_id
OPTIONS (description = 'The historical pulls of a user, provider and resource, folded from all evidence; the tracker writes it anew with every new piece.', labels = [('aorta', 'table'), ('aorta_shape', 'fetched')]);

CREATE TABLE IF NOT EXISTS `my-project.health.introspection_polls` (
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  gone BOOL NOT NULL OPTIONS (description = 'The service has no such user any more.'),
  stale_at TIMESTAMP NOT NULL OPTIONS (description = 'When this answer is to be taken for out of date, where no newer one has come.'),
  stalled_after_s INT64 NOT NULL OPTIONS (description = 'An open pull that nothing was heard of for so long counts as stalled. (second)'),
  pulls ARRAY<STRUCT<provider STRING, resource STRING, status STRING, range_start TIMESTAMP, range_end TIMESTAMP, scheduled_at TIMESTAMP, started_at TIMESTAMP, ended_at TIMESTAMP, days_with_data INT64, error_details STRING, release STRING, trace_id STRING, extra JSON>> OPTIONS (description = 'What is under `pulled`: the last pull of each resource.'),
  not_pulled ARRAY<STRUCT<provider STRING, resource STRING>> OPTIONS (description = 'What is under `not_pulled`: resources without a pull.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (user_id) NOT ENFORCED
)
CLUSTER BY user_id
OPTIONS (description = 'What the service answered of the historical pulls of one user; the table has the newest answer of each, the stream all of them.', labels = [('aorta', 'table'), ('aorta_shape', 'fetched')]);

CREATE TABLE IF NOT EXISTS `my-project.health.lab_appointments` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  id STRING NOT NULL OPTIONS (description = 'Id of the appointment: the newest version of an id replaces the others.'),
  data_user_id STRING OPTIONS (description = 'User id inside the data object, where the service repeats it.'),
  order_id STRING OPTIONS (description = 'The order: `id` of `lab_orders`.'),
  order_transaction_id STRING OPTIONS (description = 'The transaction of the order.'),
  appointment_type STRING OPTIONS (description = '`phlebotomy` (at home) or `patient_service_center`.'),
  provider STRING OPTIONS (description = 'Who carries it out, such as `getlabs`.'),
  provider_id STRING OPTIONS (description = 'The provider\'s id of the appointment.'),
  external_id STRING OPTIONS (description = 'Another id of the appointment outside the service.'),
  status STRING OPTIONS (description = '`pending`, `reserved`, `confirmed`, `in_progress`, `completed` or `cancelled`.'),
  event_status STRING OPTIONS (description = 'Status of the newest event.'),
  event_data JSON OPTIONS (description = 'What the provider says of the newest event, in any form.'),
  events ARRAY<STRUCT<created_at TIMESTAMP, status STRING, data JSON>> OPTIONS (description = 'Every status that the appointment came into, as sent.'),
  starts_at TIMESTAMP OPTIONS (description = 'When it begins. The service writes UTC, also where it writes no offset.'),
  ends_at TIMESTAMP OPTIONS (description = 'When it ends, written likewise.'),
  time_zone STRING OPTIONS (description = 'IANA time zone of the place.'),
  can_reschedule BOOL OPTIONS (description = 'Whether it can be moved.'),
  longitude_deg FLOAT64 OPTIONS (description = 'Longitude of the place. (degree)'),
  latitude_deg FLOAT64 OPTIONS (description = 'Latitude of the place. (degree)'),
  appointment_notes STRING OPTIONS (description = 'Notes on the appointment.'),
  _version_time TIMESTAMP NOT NULL OPTIONS (description = '`updated_at`; without it 1970-01-01T00:00:00Z of a `.created` event, `_received_at` of any other.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (id) NOT ENFORCED
)
CLUSTER BY user_id, id
OPTIONS (description = 'An appointment of a lab order: a visit at home or in a service center. It names no time of its last change, so the newest that was received holds.', labels = [('aorta', 'table'), ('aorta_shape', 'summary')]);

CREATE TABLE IF NOT EXISTS `my-project.health.lab_critical_results` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  order_id STRING NOT NULL OPTIONS (description = 'The order.'),
  sample_id STRING NOT NULL OPTIONS (description = 'The sample, as the order names it; empty where it was not sent.'),
  data_user_id STRING OPTIONS (description = 'User id inside the data object, where the service repeats it.'),
  data_team_id STRING OPTIONS (description = 'Team id inside the data object, where the service repeats it.'),
  status STRING OPTIONS (description = '`final` or `partial`.'),
  interpretation STRING OPTIONS (description = '`normal`, `abnormal` or `critical`.'),
  created_at TIMESTAMP OPTIONS (description = 'When the service first fetched the result from the lab.'),
  updated_at TIMESTAMP OPTIONS (description = 'When the service last fetched the result from the lab: the version of the row.'),
  extra JSON OPTIONS (description = 'Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path.'),
  _version_time TIMESTAMP NOT NULL OPTIONS (description = '`updated_at`; without it 1970-01-01T00:00:00Z of a `.created` event, `_received_at` of any other.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (order_id, sample_id) NOT ENFORCED
)
CLUSTER BY user_id, order_id
OPTIONS (description = 'A lab says that a result is critical: the newest word on a sample of an order. The result itself is fetched from the service.', labels = [('aorta', 'table'), ('aorta_shape', 'summary')]);

CREATE TABLE IF NOT EXISTS `my-project.health.lab_markers` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  marker_id STRING NOT NULL OPTIONS (description = 'Id of the marker.'),
  name STRING OPTIONS (description = 'Name.'),
  slug STRING OPTIONS (description = 'Slug.'),
  description STRING OPTIONS (description = 'Description.'),
  lab_id INT64 OPTIONS (description = 'The lab.'),
  lab_code STRING OPTIONS (description = 'The lab\'s own code.'),
  marker_type STRING OPTIONS (description = '`biomarker` or `panel`.'),
  unit STRING OPTIONS (description = 'Unit.'),
  price STRING OPTIONS (description = 'Price, as text.'),
  a_la_carte_enabled BOOL OPTIONS (description = 'Whether it can be ordered by itself.'),
  common_tat_days INT64 OPTIONS (description = 'Usual time from sample to result. (day)'),
  worst_case_tat_days INT64 OPTIONS (description = 'Longest time from sample to result. (day)'),
  is_orderable BOOL OPTIONS (description = 'Whether it can be ordered.'),
  aoe JSON OPTIONS (description = 'Questions that are asked with the order, as sent.'),
  expected_results JSON OPTIONS (description = 'Results that it leads to, as sent.'),
  extra JSON OPTIONS (description = 'Members of the answer that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (marker_id) NOT ENFORCED
)
CLUSTER BY marker_id
OPTIONS (description = 'A marker that can be ordered: a biomarker or a panel. The newest answer that differs from the one before.', labels = [('aorta', 'table'), ('aorta_shape', 'event')]);

CREATE TABLE IF NOT EXISTS `my-project.health.lab_match_reviews` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  id STRING NOT NULL OPTIONS (description = 'Id of the review: the newest version of an id replaces the others.'),
  status STRING OPTIONS (description = '`matched`, `pending_customer_review`, `pending_ops_review` or `resolved`.'),
  decision_code STRING OPTIONS (description = 'What the result was found to fit, or why it fits nothing.'),
  sub_reason_codes ARRAY<STRING> OPTIONS (description = 'Further reasons.'),
  resolution_action STRING OPTIONS (description = '`accept`, `reject` or `unsure`.'),
  resolved_user_id STRING OPTIONS (description = 'The user that the result was found to be of.'),
  resolved_order_id STRING OPTIONS (description = 'The order that the result was found to be of: `id` of `lab_orders`.'),
  extra JSON OPTIONS (description = 'Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path.'),
  _version_time TIMESTAMP NOT NULL OPTIONS (description = '`updated_at`; without it 1970-01-01T00:00:00Z of a `.created` event, `_received_at` of any other.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (id) NOT ENFORCED
)
CLUSTER BY id
OPTIONS (description = 'The review of a lab result that fits no order for certain. It may come without a user, and names no time of its last change, so the newest that was received holds.', labels = [('aorta', 'table'), ('aorta_shape', 'summary')]);

CREATE TABLE IF NOT EXISTS `my-project.health.lab_orders` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  id STRING NOT NULL OPTIONS (description = 'Id of the order: the newest version of an id replaces the others.'),
  data_user_id STRING OPTIONS (description = 'User id inside the data object, where the service repeats it.'),
  data_team_id STRING OPTIONS (description = 'Team id inside the data object, where the service repeats it.'),
  sample_id STRING OPTIONS (description = 'The sample, as the lab\'s results and critical results name it.'),
  status STRING OPTIONS (description = 'High-level status (deprecated by the service; use last_event_status).'),
  last_event_id INT64 OPTIONS (description = 'The newest event of the order\'s history.'),
  last_event_at TIMESTAMP OPTIONS (description = 'When the order came into its present status.'),
  last_event_status STRING OPTIONS (description = 'Present status: high level, modality and low level, with dots between them.'),
  last_event_status_detail STRING OPTIONS (description = 'Why it is in this status, of failures.'),
  events ARRAY<STRUCT<event_id INT64, created_at TIMESTAMP, status STRING, status_detail STRING>> OPTIONS (description = 'Every status that the order came into, as sent.'),
  lab_test_id STRING OPTIONS (description = 'The test that was ordered.'),
  lab_test_slug STRING OPTIONS (description = 'Slug of the test.'),
  lab_test_name STRING OPTIONS (description = 'Name of the test.'),
  lab_test_sample_type STRING OPTIONS (description = 'What is sampled, such as `serum`.'),
  lab_test_method STRING OPTIONS (description = 'How it is collected: `testkit`, `walk_in_test`, `at_home_phlebotomy` or `on_site_collection`.'),
  lab_test_price FLOAT64 OPTIONS (description = 'Price of the test.'),
  lab_test_is_active BOOL OPTIONS (description = 'Whether the test can be ordered (deprecated by the service; use lab_test_status).'),
  lab_test_status STRING OPTIONS (description = '`active`, `pending_approval` or `inactive`.'),
  lab_test_fasting BOOL OPTIONS (description = 'Whether the test requires fasting.'),
  lab_test_is_delegated BOOL OPTIONS (description = 'Always false (deprecated by the service).'),
  lab_test_auto_generated BOOL OPTIONS (description = 'Whether the service made the test for this order.'),
  lab_test_has_collection_instructions BOOL OPTIONS (description = 'Whether there are instructions for the collection.'),
  lab_test_common_tat_days INT64 OPTIONS (description = 'Usual time from sample to result. (day)'),
  lab_test_worst_case_tat_days INT64 OPTIONS (description = 'Longest time from sample to result. (day)'),
  lab_test_markers JSON OPTIONS (description = 'The markers that the test measures, as sent.'),
  lab_id INT64 OPTIONS (description = 'The lab.'),
  lab_slug STRING OPTIONS (description = 'Slug of the lab.'),
  lab_name STRING OPTIONS (description = 'Name of the lab.'),
  lab_first_line_address STRING OPTIONS (description = 'Address of the lab.'),
  lab_city STRING OPTIONS (description = 'City of the lab.'),
  lab_zipcode STRING OPTIONS (description = 'Postal code of the lab.'),
  lab_collection_methods JSON OPTIONS (description = 'Methods that the lab offers.'),
  lab_sample_types JSON OPTIONS (description = 'Kinds of samples that the lab takes.'),
  lab_logo_url STRING OPTIONS (description = 'Address of an icon of the lab.'),
  details_type STRING OPTIONS (description = 'Modality of the order, which says what the other details are: `walk_in_test`, `testkit`, `at_home_phlebotomy` or `on_site_collection`.'),
  details_id STRING OPTIONS (description = 'Id of the order within its modality.'),
  details_created_at TIMESTAMP OPTIONS (description = 'When the order within its modality was made.'),
  details_updated_at TIMESTAMP OPTIONS (description = 'When the order within its modality last changed.'),
  details_appointment_id STRING OPTIONS (description = 'Its appointment, of walk-in tests and phlebotomy at home: `id` of `lab_appointments`.'),
  shipment_id STRING OPTIONS (description = 'Shipment of a test kit.'),
  shipment_outbound_courier STRING OPTIONS (description = 'Courier to the customer.'),
  shipment_inbound_courier STRING OPTIONS (description = 'Courier to the lab.'),
  shipment_notes STRING OPTIONS (description = 'Notes on the shipment.'),
  notes STRING OPTIONS (description = 'Notes on the order.'),
  clinical_notes STRING OPTIONS (description = 'Clinical notes on the order.'),
  passthrough STRING OPTIONS (description = 'What the customer wanted to have passed through.'),
  priority BOOL OPTIONS (description = 'Whether the order is urgent.'),
  activate_by DATE OPTIONS (description = 'The day on which a scheduled order is processed.'),
  billing_type STRING OPTIONS (description = 'Who pays: `client_bill`, `commercial_insurance`, `patient_bill_passthrough` or `patient_bill`.'),
  icd_codes ARRAY<STRING> OPTIONS (description = 'Diagnoses that the order is billed under, as ICD-10 codes.'),
  has_abn BOOL OPTIONS (description = 'Whether there is an Advanced Beneficiary Notice.'),
  interpretation STRING OPTIONS (description = 'Interpretation of the results: `normal`, `abnormal`, `critical` or `unknown`.'),
  has_missing_results BOOL OPTIONS (description = 'Whether results of markers are missing.'),
  expected_result_by_date DATE OPTIONS (description = 'The day by which results usually are there.'),
  worst_case_result_by_date DATE OPTIONS (description = 'The day by which results are there at the latest.'),
  order_origin STRING OPTIONS (description = 'Why there is this order: `initial`, `redraw` or `recreation`.'),
  order_transaction_id STRING OPTIONS (description = 'The transaction that the order and its redraws belong to.'),
  order_transaction_status STRING OPTIONS (description = '`active`, `completed` or `cancelled`.'),
  order_transaction_orders ARRAY<STRUCT<order_id STRING, low_level_status STRING, low_level_status_at TIMESTAMP, order_origin STRING, parent_id STRING, created_at TIMESTAMP, updated_at TIMESTAMP>> OPTIONS (description = 'The orders of the transaction, this one included.'),
  created_at TIMESTAMP OPTIONS (description = 'When the order was made.'),
  updated_at TIMESTAMP OPTIONS (description = 'When the order last changed: the version of the row.'),
  _version_time TIMESTAMP NOT NULL OPTIONS (description = '`updated_at`; without it 1970-01-01T00:00:00Z of a `.created` event, `_received_at` of any other.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (id) NOT ENFORCED
)
CLUSTER BY user_id, id
OPTIONS (description = 'An order of a lab test, from its making to its results: the newest version. The results are fetched from the service.', labels = [('aorta', 'table'), ('aorta_shape', 'summary')]);

CREATE TABLE IF NOT EXISTS `my-project.health.lab_report_parsing_jobs` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  id STRING NOT NULL OPTIONS (description = 'Id of the job: the newest version of an id replaces the others.'),
  status STRING OPTIONS (description = '`upload_pending`, `started`, `completed` or `failed`.'),
  failure_reason STRING OPTIONS (description = 'Why it failed, such as `low_quality`.'),
  needs_human_review BOOL OPTIONS (description = 'Whether somebody has to look at it.'),
  is_reviewed BOOL OPTIONS (description = 'Whether somebody has looked at it.'),
  patient_gender STRING OPTIONS (description = '`male`, `female` or `other`.'),
  lab_name STRING OPTIONS (description = 'The lab that made the report.'),
  date_reported STRING OPTIONS (description = 'Date of the report, as found.'),
  date_collected STRING OPTIONS (description = 'Date of the sample, as found.'),
  results ARRAY<STRUCT<test_name STRING, value STRING, value_type STRING, units STRING, min_reference_range FLOAT64, max_reference_range FLOAT64, is_below_min_range BOOL, is_above_max_range BOOL, interpretation STRING, sample_type STRING, measurement_kind STRING, sensitivity STRING, source_panel_name STRING, loinc_match_status STRING, loinc_matches JSON>> OPTIONS (description = 'The results, in the order of the report.'),
  _version_time TIMESTAMP NOT NULL OPTIONS (description = '`updated_at`; without it 1970-01-01T00:00:00Z of a `.created` event, `_received_at` of any other.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (id) NOT ENFORCED
)
CLUSTER BY user_id, id
OPTIONS (description = 'The reading of a lab report that a user has uploaded, with the results that were found in it. It names no time of its last change, so the newest that was received holds.', labels = [('aorta', 'table'), ('aorta_shape', 'summary')]);

CREATE TABLE IF NOT EXISTS `my-project.health.lab_results` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  order_id STRING NOT NULL OPTIONS (description = 'Id of the order in `lab_orders`.'),
  status STRING OPTIONS (description = '`final` or `partial`.'),
  interpretation STRING OPTIONS (description = 'Of the results as a whole.'),
  date_reported STRING OPTIONS (description = 'When the lab reported, as sent.'),
  date_collected STRING OPTIONS (description = 'When the sample was taken, as sent.'),
  date_received STRING OPTIONS (description = 'When the lab had the sample, as sent.'),
  laboratory STRING OPTIONS (description = 'Name of the laboratory.'),
  clia_number STRING OPTIONS (description = 'CLIA number of the laboratory; the service calls it `clia_#`.'),
  account_id STRING OPTIONS (description = 'Account at the lab.'),
  items ARRAY<STRUCT<name STRING, slug STRING, result STRING, result_type STRING, result_number FLOAT64, result_sign STRING, result_low FLOAT64, result_high FLOAT64, legacy_value FLOAT64, unit STRING, taken_at TIMESTAMP, notes STRING, reference_range STRING, reference_low FLOAT64, reference_high FLOAT64, is_above_max_range BOOL, is_below_min_range BOOL, interpretation STRING, source_interpretation STRING, loinc STRING, loinc_slug STRING, lab_code STRING, source_markers JSON, performing_laboratory STRING, source_sample_id STRING>> OPTIONS (description = 'The results, as sent.'),
  missing ARRAY<STRUCT<name STRING, slug STRING, inferred_failure_type STRING, note STRING, loinc STRING, loinc_slug STRING, provider_id STRING>> OPTIONS (description = 'Results that the lab could not give.'),
  sample_information JSON OPTIONS (description = 'The samples, as sent.'),
  order_transaction JSON OPTIONS (description = 'The transaction of the order, as sent.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (order_id) NOT ENFORCED
)
CLUSTER BY user_id, order_id
OPTIONS (description = 'The results of an order of a lab test, fetched when the order completed or had a part of them. One row per order: the newest answer.', labels = [('aorta', 'table'), ('aorta_shape', 'event')]);

CREATE TABLE IF NOT EXISTS `my-project.health.lab_tests` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  id STRING NOT NULL OPTIONS (description = 'Id of the test.'),
  name STRING OPTIONS (description = 'Name.'),
  slug STRING OPTIONS (description = 'Slug.'),
  description STRING OPTIONS (description = 'Description.'),
  sample_type STRING OPTIONS (description = 'What is sampled.'),
  method STRING OPTIONS (description = 'How it is collected.'),
  price FLOAT64 OPTIONS (description = 'Price.'),
  is_active BOOL OPTIONS (description = 'Whether it can be ordered (deprecated by the service).'),
  status STRING OPTIONS (description = '`active`, `pending_approval` or `inactive`.'),
  fasting BOOL OPTIONS (description = 'Whether it requires fasting.'),
  lab JSON OPTIONS (description = 'The lab, as sent.'),
  markers JSON OPTIONS (description = 'The markers that it measures, as sent.'),
  extra JSON OPTIONS (description = 'Members of the answer that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (id) NOT ENFORCED
)
CLUSTER BY id
OPTIONS (description = 'A lab test of the team. The newest answer that differs from the one before.', labels = [('aorta', 'table'), ('aorta_shape', 'event')]);

CREATE TABLE IF NOT EXISTS `my-project.health.meal` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider: `provider`, or `slug` of the old generation; `unknown` where neither is there.'),
  source_type STRING NOT NULL OPTIONS (description = 'Kind of device or origin; `unknown` where absent.'),
  source_app_id STRING OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id STRING OPTIONS (description = 'Id of the service\'s device record.'),
  source_sport STRING OPTIONS (description = 'Sport, on workout timeseries.'),
  source_workout_id STRING OPTIONS (description = 'Workout, on workout timeseries.'),
  source_name STRING OPTIONS (description = 'Readable name of the provider (old generation).'),
  source_logo STRING OPTIONS (description = 'Address of an icon (old generation).'),
  id STRING NOT NULL OPTIONS (description = 'Id of the summary: the newest version of an id replaces the others.'),
  data_user_id STRING OPTIONS (description = 'User id inside the data object, where the service repeats it.'),
  priority_id INT64 OPTIONS (description = 'Without meaning, says the service (deprecated).'),
  source_id INT64 OPTIONS (description = 'Without meaning, says the service (deprecated).'),
  provider_id STRING OPTIONS (description = 'The id once more (deprecated by the service).'),
  eaten_at TIMESTAMP OPTIONS (description = 'When the meal was eaten.'),
  calendar_date DATE OPTIONS (description = 'The local day of the meal, as the user recorded it.'),
  meal_name STRING OPTIONS (description = 'Name of the meal.'),
  energy_kcal FLOAT64 OPTIONS (description = 'Energy; a value that was sent in another unit is in extra. (kcal)'),
  energy_unit STRING OPTIONS (description = 'Unit of the energy as sent: kcal.'),
  carbs_g FLOAT64 OPTIONS (description = 'Carbohydrates. (g)'),
  protein_g FLOAT64 OPTIONS (description = 'Protein. (g)'),
  fat_total_g FLOAT64 OPTIONS (description = 'Fat. (g)'),
  fat_saturated_g FLOAT64 OPTIONS (description = 'Saturated fat. (g)'),
  fat_monounsaturated_g FLOAT64 OPTIONS (description = 'Monounsaturated fat. (g)'),
  fat_polyunsaturated_g FLOAT64 OPTIONS (description = 'Polyunsaturated fat. (g)'),
  fat_omega3_g FLOAT64 OPTIONS (description = 'Omega-3 fatty acids. (g)'),
  fat_omega6_g FLOAT64 OPTIONS (description = 'Omega-6 fatty acids. (g)'),
  alcohol_g FLOAT64 OPTIONS (description = 'Alcohol. (g)'),
  water_g FLOAT64 OPTIONS (description = 'Water. (g)'),
  fibre_g FLOAT64 OPTIONS (description = 'Dietary fibre. (g)'),
  sugar_g FLOAT64 OPTIONS (description = 'Sugar. (g)'),
  cholesterol_g FLOAT64 OPTIONS (description = 'Cholesterol. (g)'),
  minerals JSON OPTIONS (description = 'Milligrams by the name of the mineral. (mg)'),
  trace_elements JSON OPTIONS (description = 'Amounts by the name of the trace element: milligrams of copper and manganese, micrograms of the others.'),
  vitamins JSON OPTIONS (description = 'Amounts by the name of the vitamin: micrograms of A, B12, D, K, biotin and folic acid, milligrams of the others.'),
  data_source_app_id STRING OPTIONS (description = 'Id of the app inside the data object, where the service repeats it.'),
  data_source_device_id STRING OPTIONS (description = 'Id of the device record inside the data object, where the service repeats it.'),
  foods JSON OPTIONS (description = 'Energy, macros and micros by the name of the food, which the user may have written: `meal_foods` has a row for each.'),
  created_at TIMESTAMP OPTIONS (description = 'When the service first stored the summary.'),
  updated_at TIMESTAMP OPTIONS (description = 'When the service last changed the summary: the version of the row.'),
  extra JSON OPTIONS (description = 'Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path.'),
  _version_time TIMESTAMP NOT NULL OPTIONS (description = '`updated_at`; without it 1970-01-01T00:00:00Z of a `.created` event, `_received_at` of any other.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (id) NOT ENFORCED
)
CLUSTER BY user_id, id
OPTIONS (description = 'One meal of a user.', labels = [('aorta', 'table'), ('aorta_shape', 'summary')]);

CREATE TABLE IF NOT EXISTS `my-project.health.menstrual_cycle` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider: `provider`, or `slug` of the old generation; `unknown` where neither is there.'),
  source_type STRING NOT NULL OPTIONS (description = 'Kind of device or origin; `unknown` where absent.'),
  source_app_id STRING OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id STRING OPTIONS (description = 'Id of the service\'s device record.'),
  source_sport STRING OPTIONS (description = 'Sport, on workout timeseries.'),
  source_workout_id STRING OPTIONS (description = 'Workout, on workout timeseries.'),
  source_name STRING OPTIONS (description = 'Readable name of the provider (old generation).'),
  source_logo STRING OPTIONS (description = 'Address of an icon (old generation).'),
  id STRING NOT NULL OPTIONS (description = 'Id of the summary: the newest version of an id replaces the others.'),
  data_user_id STRING OPTIONS (description = 'User id inside the data object, where the service repeats it.'),
  period_start DATE OPTIONS (description = 'First day of the period.'),
  period_end DATE OPTIONS (description = 'Last day of the period.'),
  cycle_end DATE OPTIONS (description = 'Last day of the cycle.'),
  is_predicted BOOL OPTIONS (description = 'Whether the provider predicted the cycle.'),
  menstrual_flow ARRAY<STRUCT<calendar_date DATE, flow STRING>> OPTIONS (description = 'Flow by day.'),
  cervical_mucus ARRAY<STRUCT<calendar_date DATE, quality STRING>> OPTIONS (description = 'Cervical mucus by day.'),
  intermenstrual_bleeding ARRAY<STRUCT<calendar_date DATE>> OPTIONS (description = 'Days of bleeding between periods.'),
  contraceptive ARRAY<STRUCT<calendar_date DATE, contraceptive_type STRING>> OPTIONS (description = 'Contraceptives by day.'),
  detected_deviations ARRAY<STRUCT<calendar_date DATE, deviation STRING>> OPTIONS (description = 'Detected deviations by day.'),
  ovulation_test ARRAY<STRUCT<calendar_date DATE, test_result STRING>> OPTIONS (description = 'Ovulation tests by day.'),
  home_pregnancy_test ARRAY<STRUCT<calendar_date DATE, test_result STRING>> OPTIONS (description = 'Pregnancy tests at home by day.'),
  home_progesterone_test ARRAY<STRUCT<calendar_date DATE, test_result STRING>> OPTIONS (description = 'Progesterone tests at home by day.'),
  sexual_activity ARRAY<STRUCT<calendar_date DATE, protection_used BOOL>> OPTIONS (description = 'Sexual activity by day.'),
  basal_body_temperature ARRAY<STRUCT<calendar_date DATE, temperature_c FLOAT64>> OPTIONS (description = 'Basal body temperature by day.'),
  data_source_provider STRING OPTIONS (description = 'Slug of the provider inside the data object, where the service repeats it.'),
  data_source_type STRING OPTIONS (description = 'Kind of device or origin inside the data object, where the service repeats it.'),
  data_source_app_id STRING OPTIONS (description = 'Id of the app inside the data object, where the service repeats it.'),
  data_source_device_id STRING OPTIONS (description = 'Id of the device record inside the data object, where the service repeats it.'),
  created_at TIMESTAMP OPTIONS (description = 'When the service first stored the summary.'),
  updated_at TIMESTAMP OPTIONS (description = 'When the service last changed the summary: the version of the row.'),
  extra JSON OPTIONS (description = 'Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path.'),
  _version_time TIMESTAMP NOT NULL OPTIONS (description = '`updated_at`; without it 1970-01-01T00:00:00Z of a `.created` event, `_received_at` of any other.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (id) NOT ENFORCED
)
CLUSTER BY user_id, id
OPTIONS (description = 'One menstrual cycle of a user, with what was recorded on its days.', labels = [('aorta', 'table'), ('aorta_shape', 'summary')]);

CREATE TABLE IF NOT EXISTS `my-project.health.notes` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  resource STRING NOT NULL OPTIONS (description = 'Timeseries resource, as in the event type.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider: `provider`, or `slug` of the old generation; `unknown` where neither is there.'),
  source_type STRING NOT NULL OPTIONS (description = 'Kind of device or origin; `unknown` where absent.'),
  source_app_id STRING OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id STRING OPTIONS (description = 'Id of the service\'s device record.'),
  source_sport STRING OPTIONS (description = 'Sport, on workout timeseries.'),
  source_workout_id STRING NOT NULL OPTIONS (description = 'Workout, on workout timeseries.'),
  source_name STRING OPTIONS (description = 'Readable name of the provider (old generation).'),
  source_logo STRING OPTIONS (description = 'Address of an icon (old generation).'),
  time_basis STRING NOT NULL OPTIONS (description = '`utc`, or `floating` where the provider writes local time marked as UTC.'),
  data_user_id STRING OPTIONS (description = 'User id inside the data object, where the service repeats it.'),
  data_source_id INT64 OPTIONS (description = 'Number of the source (old generation, without a meaning).'),
  legacy_provider JSON OPTIONS (description = 'The provider beside its source (old generation): name, slug and logo.'),
  start_at TIMESTAMP NOT NULL OPTIONS (description = 'Start of what the note is about.'),
  timezone_offset_s INT64 OPTIONS (description = 'Offset of local time, east of UTC. (s)'),
  end_at TIMESTAMP OPTIONS (description = 'End of what the note is about (exclusive).'),
  text STRING OPTIONS (description = 'What the user wrote.'),
  tags JSON OPTIONS (description = 'What the note refers to, a JSON array: food, exercise, insulin_injection, unspecified.'),
  sample_type STRING NOT NULL OPTIONS (description = 'Type of the note.'),
  unit STRING OPTIONS (description = '`text`, as sent.'),
  sample_id INT64 OPTIONS (description = 'Number of the sample (deprecated by the service).'),
  sample_extra JSON OPTIONS (description = 'Members of the sample that this declaration does not know, and members whose value does not fit, as sent: a JSON object.'),
  extra JSON OPTIONS (description = 'Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path.'),
  local_date DATE OPTIONS (description = 'Date of the sample where the user was: NULL where the offset is not known.'),
  _day DATE NOT NULL OPTIONS (description = 'Partition: the date of the key’s time, clamped to 2010-01-01…2036-12-31.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (user_id, resource, provider, source_type, start_at, sample_type, source_workout_id) NOT ENFORCED
)
PARTITION BY _day
CLUSTER BY resource, user_id
OPTIONS (description = 'A batch of notes that a user wrote. Fields per sample are arrays, as in timeseries.', labels = [('aorta', 'table'), ('aorta_shape', 'timeseries')]);

CREATE TABLE IF NOT EXISTS `my-project.health.profile` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider: `provider`, or `slug` of the old generation; `unknown` where neither is there.'),
  source_type STRING NOT NULL OPTIONS (description = 'Kind of device or origin; `unknown` where absent.'),
  source_app_id STRING OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id STRING OPTIONS (description = 'Id of the service\'s device record.'),
  source_sport STRING OPTIONS (description = 'Sport, on workout timeseries.'),
  source_workout_id STRING OPTIONS (description = 'Workout, on workout timeseries.'),
  source_name STRING OPTIONS (description = 'Readable name of the provider (old generation).'),
  source_logo STRING OPTIONS (description = 'Address of an icon (old generation).'),
  id STRING NOT NULL OPTIONS (description = 'Id of the summary: the newest version of an id replaces the others.'),
  data_user_id STRING OPTIONS (description = 'User id inside the data object, where the service repeats it.'),
  height_cm FLOAT64 OPTIONS (description = 'Height. (cm)'),
  wheelchair_use BOOL OPTIONS (description = 'Whether the user uses a wheelchair.'),
  gender STRING OPTIONS (description = 'female, male, other, unknown.'),
  sex STRING OPTIONS (description = 'female, male, other.'),
  created_at TIMESTAMP OPTIONS (description = 'When the service first stored the summary.'),
  updated_at TIMESTAMP OPTIONS (description = 'When the service last changed the summary: the version of the row.'),
  _version_time TIMESTAMP NOT NULL OPTIONS (description = '`updated_at`; without it 1970-01-01T00:00:00Z of a `.created` event, `_received_at` of any other.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (id) NOT ENFORCED
)
CLUSTER BY user_id, id
OPTIONS (description = 'What a provider knows of a user: one profile per user and provider.', labels = [('aorta', 'table'), ('aorta_shape', 'summary')]);

CREATE TABLE IF NOT EXISTS `my-project.health.raw_events` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider, out of the event type.'),
  dataset STRING NOT NULL OPTIONS (description = 'The provider\'s dataset, out of the event type.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (_origin, _offset, _received_at) NOT ENFORCED
)
CLUSTER BY user_id, provider
OPTIONS (description = 'Data as a provider sent it to the service, in the provider\'s own form. The stream keeps it whole; nobody knows what it holds, so the table has it only where identifiers are switched on.', labels = [('aorta', 'table'), ('aorta_shape', 'event')]);

CREATE TABLE IF NOT EXISTS `my-project.health.sent_resources` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider.'),
  resource STRING NOT NULL OPTIONS (description = 'Resource, as the service\'s introspection names it.'),
  sent_count INT64 OPTIONS (description = 'Objects that it sent in events `*.created`. (count)'),
  oldest_data TIMESTAMP OPTIONS (description = 'Time of the oldest data.'),
  newest_data TIMESTAMP OPTIONS (description = 'Time of the newest data.'),
  last_attempt_at TIMESTAMP OPTIONS (description = 'When it last asked the provider.'),
  last_attempt_status STRING OPTIONS (description = '`success` or `failure`.'),
  extra JSON OPTIONS (description = 'Members of the answer that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (user_id, provider, resource) NOT ENFORCED
)
CLUSTER BY user_id
OPTIONS (description = 'What the service says that it has, and has sent, of a resource of a user\'s provider: the newest answer.', labels = [('aorta', 'table'), ('aorta_shape', 'event')]);

CREATE TABLE IF NOT EXISTS `my-project.health.sleep` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider: `provider`, or `slug` of the old generation; `unknown` where neither is there.'),
  source_type STRING NOT NULL OPTIONS (description = 'Kind of device or origin; `unknown` where absent.'),
  source_app_id STRING OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id STRING OPTIONS (description = 'Id of the service\'s device record.'),
  source_sport STRING OPTIONS (description = 'Sport, on workout timeseries.'),
  source_workout_id STRING OPTIONS (description = 'Workout, on workout timeseries.'),
  source_name STRING OPTIONS (description = 'Readable name of the provider (old generation).'),
  source_logo STRING OPTIONS (description = 'Address of an icon (old generation).'),
  id STRING NOT NULL OPTIONS (description = 'Id of the summary: the newest version of an id replaces the others.'),
  data_user_id STRING OPTIONS (description = 'User id inside the data object, where the service repeats it.'),
  date_at TIMESTAMP OPTIONS (description = 'Start of the day of the session (deprecated by the service; use calendar_date).'),
  calendar_date DATE OPTIONS (description = 'The local day of the session, normally of its end.'),
  bedtime_start TIMESTAMP OPTIONS (description = 'Start of the session.'),
  bedtime_stop TIMESTAMP OPTIONS (description = 'End of the session.'),
  sleep_type STRING OPTIONS (description = 'long_sleep, short_sleep, acknowledged_nap, unknown.'),
  timezone_offset_s INT64 OPTIONS (description = 'Offset of local time, east of UTC. (s)'),
  duration_s INT64 OPTIONS (description = 'End less start. (s)'),
  total_s INT64 OPTIONS (description = 'Time asleep: light, REM and deep. (s)'),
  awake_s INT64 OPTIONS (description = 'Time awake. (s)'),
  light_s INT64 OPTIONS (description = 'Time in light sleep. (s)'),
  rem_s INT64 OPTIONS (description = 'Time in REM sleep. (s)'),
  deep_s INT64 OPTIONS (description = 'Time in deep sleep. (s)'),
  score INT64 OPTIONS (description = 'Sleep score of the provider.'),
  recovery_readiness_score INT64 OPTIONS (description = 'Recovery or readiness score of the provider.'),
  hr_lowest_bpm INT64 OPTIONS (description = 'Lowest heart rate. (bpm)'),
  hr_average_bpm INT64 OPTIONS (description = 'Average heart rate. (bpm)'),
  hr_resting_bpm INT64 OPTIONS (description = 'Resting heart rate. (bpm)'),
  efficiency FLOAT64 OPTIONS (description = 'Share of the session asleep: some providers send 0.97, others 97.'),
  latency_s INT64 OPTIONS (description = 'Time to fall asleep. (s)'),
  temperature_delta_c FLOAT64 OPTIONS (description = 'Skin temperature against the usual one. (°C)'),
  skin_temperature_c FLOAT64 OPTIONS (description = 'Skin temperature. (°C)'),
  hr_dip_pct FLOAT64 OPTIONS (description = 'Dip of the heart rate. (%)'),
  state STRING OPTIONS (description = 'tentative or confirmed.'),
  average_hrv_ms FLOAT64 OPTIONS (description = 'Average heart rate variability (RMSSD). (ms)'),
  respiratory_rate_per_min FLOAT64 OPTIONS (description = 'Breaths a minute. (1/min)'),
  sleep_stream JSON OPTIONS (description = 'Series of the session (deprecated by the service).'),
  created_at TIMESTAMP OPTIONS (description = 'When the service first stored the summary.'),
  updated_at TIMESTAMP OPTIONS (description = 'When the service last changed the summary: the version of the row.'),
  extra JSON OPTIONS (description = 'Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path.'),
  _version_time TIMESTAMP NOT NULL OPTIONS (description = '`updated_at`; without it 1970-01-01T00:00:00Z of a `.created` event, `_received_at` of any other.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (id) NOT ENFORCED
)
CLUSTER BY user_id, id
OPTIONS (description = 'One sleep session of a user.', labels = [('aorta', 'table'), ('aorta_shape', 'summary')]);

CREATE TABLE IF NOT EXISTS `my-project.health.sleep_cycle` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider: `provider`, or `slug` of the old generation; `unknown` where neither is there.'),
  source_type STRING NOT NULL OPTIONS (description = 'Kind of device or origin; `unknown` where absent.'),
  source_app_id STRING OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id STRING OPTIONS (description = 'Id of the service\'s device record.'),
  source_sport STRING OPTIONS (description = 'Sport, on workout timeseries.'),
  source_workout_id STRING OPTIONS (description = 'Workout, on workout timeseries.'),
  source_name STRING OPTIONS (description = 'Readable name of the provider (old generation).'),
  source_logo STRING OPTIONS (description = 'Address of an icon (old generation).'),
  id STRING NOT NULL OPTIONS (description = 'Id of the summary: the newest version of an id replaces the others.'),
  data_user_id STRING OPTIONS (description = 'User id inside the data object, where the service repeats it.'),
  sleep_id STRING OPTIONS (description = 'Id of the session in `sleep`.'),
  session_start TIMESTAMP OPTIONS (description = 'Start of the session.'),
  session_end TIMESTAMP OPTIONS (description = 'End of the session.'),
  stage_start_offset_s ARRAY<INT64> OPTIONS (description = 'Start of each stage, counted from the start of the session. (s)'),
  stage_end_offset_s ARRAY<INT64> OPTIONS (description = 'End of each stage, counted from the start of the session. (s)'),
  stage_type ARRAY<INT64> OPTIONS (description = 'Kind of each stage: -1 unknown, 1 deep, 2 light, 3 REM, 4 awake, 5 manual.'),
  time_zone STRING OPTIONS (description = 'IANA time zone.'),
  data_source_provider STRING OPTIONS (description = 'Slug of the provider inside the data object, where the service repeats it.'),
  data_source_type STRING OPTIONS (description = 'Kind of device or origin inside the data object, where the service repeats it.'),
  data_source_app_id STRING OPTIONS (description = 'Id of the app inside the data object, where the service repeats it.'),
  data_source_device_id STRING OPTIONS (description = 'Id of the device record inside the data object, where the service repeats it.'),
  created_at TIMESTAMP OPTIONS (description = 'When the service first stored the summary.'),
  updated_at TIMESTAMP OPTIONS (description = 'When the service last changed the summary: the version of the row.'),
  extra JSON OPTIONS (description = 'Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path.'),
  _version_time TIMESTAMP NOT NULL OPTIONS (description = '`updated_at`; without it 1970-01-01T00:00:00Z of a `.created` event, `_received_at` of any other.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (id) NOT ENFORCED
)
CLUSTER BY user_id, id
OPTIONS (description = 'The stages of one sleep session, as three parallel lists: `sleep_cycle_stages` has a row for each stage.', labels = [('aorta', 'table'), ('aorta_shape', 'summary')]);

CREATE TABLE IF NOT EXISTS `my-project.health.timeseries` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  resource STRING NOT NULL OPTIONS (description = 'Timeseries resource, as in the event type.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider: `provider`, or `slug` of the old generation; `unknown` where neither is there.'),
  source_type STRING NOT NULL OPTIONS (description = 'Kind of device or origin; `unknown` where absent.'),
  source_app_id STRING OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id STRING OPTIONS (description = 'Id of the service\'s device record.'),
  source_sport STRING OPTIONS (description = 'Sport, on workout timeseries.'),
  source_workout_id STRING NOT NULL OPTIONS (description = 'Workout, on workout timeseries.'),
  source_name STRING OPTIONS (description = 'Readable name of the provider (old generation).'),
  source_logo STRING OPTIONS (description = 'Address of an icon (old generation).'),
  time_basis STRING NOT NULL OPTIONS (description = '`utc`, or `floating` where the provider writes local time marked as UTC.'),
  data_user_id STRING OPTIONS (description = 'User id inside the data object, where the service repeats it.'),
  data_source_id INT64 OPTIONS (description = 'Number of the source (old generation, without a meaning).'),
  legacy_provider JSON OPTIONS (description = 'The provider beside its source (old generation): name, slug and logo.'),
  start_at TIMESTAMP NOT NULL OPTIONS (description = 'Start of the interval, or the moment of the sample.'),
  timezone_offset_s INT64 OPTIONS (description = 'Offset of local time, east of UTC. (s)'),
  end_at TIMESTAMP OPTIONS (description = 'End of the interval (exclusive), on interval resources.'),
  value FLOAT64 OPTIONS (description = 'The measured value.'),
  sensor_location STRING OPTIONS (description = 'Where the temperature was taken: armpit, body, ear, finger and so on. Only of body temperatures.'),
  intensity STRING OPTIONS (description = 'low, medium or high. Only of workout_duration.'),
  delivery_mode STRING OPTIONS (description = 'basal or bolus. Only of insulin_injection.'),
  delivery_form STRING OPTIONS (description = 'standard or extended. Only of insulin_injection.'),
  bolus_purpose STRING OPTIONS (description = 'meal, correction, mixed or unknown. Only of insulin_injection.'),
  sample_type STRING NOT NULL OPTIONS (description = 'Type of the sample: part of the key where one moment holds several values.'),
  unit STRING OPTIONS (description = 'Unit of the value, as sent.'),
  sample_id INT64 OPTIONS (description = 'Number of the sample (deprecated by the service).'),
  sample_extra JSON OPTIONS (description = 'Members of the sample that this declaration does not know, and members whose value does not fit, as sent: a JSON object.'),
  extra JSON OPTIONS (description = 'Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path.'),
  local_date DATE OPTIONS (description = 'Date of the sample where the user was: NULL where the offset is not known.'),
  _day DATE NOT NULL OPTIONS (description = 'Partition: the date of the key’s time, clamped to 2010-01-01…2036-12-31.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (user_id, resource, provider, source_type, start_at, sample_type, source_workout_id) NOT ENFORCED
)
PARTITION BY _day
CLUSTER BY resource, user_id
OPTIONS (description = 'A batch of samples of one timeseries resource. A field per sample is an array: empty, no sample has it; one entry, every sample has that one; else one entry a sample. `start_at` always has one entry a sample.', labels = [('aorta', 'table'), ('aorta_shape', 'timeseries')]);

CREATE TABLE IF NOT EXISTS `my-project.health.user_connections` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider.'),
  provider_name STRING OPTIONS (description = 'Readable name of the provider.'),
  provider_logo STRING OPTIONS (description = 'Address of an icon.'),
  status STRING OPTIONS (description = '`connected`, `error`, or `gone` where the service lists it no more.'),
  created_on TIMESTAMP OPTIONS (description = 'When it was connected.'),
  error_details JSON OPTIONS (description = 'What is wrong, as sent.'),
  resource_availability JSON OPTIONS (description = 'Per resource: status, and which scopes were granted or denied.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (user_id, provider) NOT ENFORCED
)
CLUSTER BY user_id
OPTIONS (description = 'A connection of a user to a provider, as the service tells its state. One row per user and provider: the newest answer that differs from the one before.', labels = [('aorta', 'table'), ('aorta_shape', 'event')]);

CREATE TABLE IF NOT EXISTS `my-project.health.user_states` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  state STRING OPTIONS (description = '`present`, or `missing`: deleted, with 7 days in which that can be undone.'),
  since TIMESTAMP OPTIONS (description = 'When that was found out.'),
  erase_after TIMESTAMP OPTIONS (description = 'When what is kept of a missing user should be erased.'),
  returned BOOL OPTIONS (description = 'Whether a present user had been missing before.'),
  extra JSON OPTIONS (description = 'Members of the answer that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (user_id) NOT ENFORCED
)
CLUSTER BY user_id
OPTIONS (description = 'Whether a user is in the service\'s list of users: a row per user, of the last change.', labels = [('aorta', 'table'), ('aorta_shape', 'event')]);

CREATE TABLE IF NOT EXISTS `my-project.health.users` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  data_team_id STRING OPTIONS (description = 'Team of the user.'),
  created_on TIMESTAMP OPTIONS (description = 'When the user was made.'),
  fallback_time_zone_source STRING OPTIONS (description = 'Where that time zone came from.'),
  fallback_time_zone_updated_at TIMESTAMP OPTIONS (description = 'When that time zone was set.'),
  fallback_birth_date_source STRING OPTIONS (description = 'Where that birth date came from.'),
  fallback_birth_date_updated_at TIMESTAMP OPTIONS (description = 'When that birth date was set.'),
  ingestion_start DATE OPTIONS (description = 'First date whose data is taken in.'),
  ingestion_end DATE OPTIONS (description = 'Last date whose data is taken in.'),
  connected_sources JSON OPTIONS (description = 'Providers that are connected, as sent.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (user_id) NOT ENFORCED
)
CLUSTER BY user_id
OPTIONS (description = 'A user of the service, as its list of users has it. One row per user: the newest answer that differs from the one before.', labels = [('aorta', 'table'), ('aorta_shape', 'event')]);

CREATE TABLE IF NOT EXISTS `my-project.health.workout_stream_events` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider: `provider`, or `slug` of the old generation; `unknown` where neither is there.'),
  source_type STRING NOT NULL OPTIONS (description = 'Kind of device or origin; `unknown` where absent.'),
  source_app_id STRING OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id STRING OPTIONS (description = 'Id of the service\'s device record.'),
  source_sport STRING OPTIONS (description = 'Sport, on workout timeseries.'),
  source_workout_id STRING OPTIONS (description = 'Workout, on workout timeseries.'),
  source_name STRING OPTIONS (description = 'Readable name of the provider (old generation).'),
  source_logo STRING OPTIONS (description = 'Address of an icon (old generation).'),
  workout_id STRING NOT NULL OPTIONS (description = 'Id of the workout in `workouts`.'),
  data_user_id STRING OPTIONS (description = 'User id inside the data object, where the service repeats it.'),
  provider_id STRING OPTIONS (description = 'Id of the workout at the provider.'),
  message STRING OPTIONS (description = 'What the service says about the stream.'),
  sport_id INT64 OPTIONS (description = 'Id of the sport, another in each environment of the service (deprecated; use sport_slug).'),
  sport_name STRING OPTIONS (description = 'Readable name of the sport.'),
  sport_slug STRING OPTIONS (description = 'Slug of the sport.'),
  extra JSON OPTIONS (description = 'Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (user_id, workout_id) NOT ENFORCED
)
CLUSTER BY user_id, workout_id
OPTIONS (description = 'The service says that a workout has a stream of points, or, by a retired type of event, that it has none. The stream is not part of the event. One row per user and workout: the newest event.', labels = [('aorta', 'table'), ('aorta_shape', 'event')]);

CREATE TABLE IF NOT EXISTS `my-project.health.workout_streams` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  workout_id STRING NOT NULL OPTIONS (description = 'Id of the workout in `workouts`.'),
  points ARRAY<STRUCT<time_s INT64, point_at TIMESTAMP, heart_rate_bpm FLOAT64, cadence FLOAT64, altitude_m FLOAT64, speed_m_s FLOAT64, distance_m FLOAT64, power_w FLOAT64, resistance FLOAT64, temperature_c FLOAT64, latitude_deg FLOAT64, longitude_deg FLOAT64>> OPTIONS (description = 'The points, as many as the longest of the columns that were sent.'),
  uneven BOOL OPTIONS (description = 'Whether the columns that were sent had different lengths.'),
  extra JSON OPTIONS (description = 'Members of the answer that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (user_id, workout_id) NOT ENFORCED
)
CLUSTER BY user_id, workout_id
OPTIONS (description = 'The stream of points of a workout, fetched when an event said that there is one. One row per user and workout: the newest answer.', labels = [('aorta', 'table'), ('aorta_shape', 'event')]);

CREATE TABLE IF NOT EXISTS `my-project.health.workouts` (
  event_type STRING NOT NULL OPTIONS (description = 'Type of the event.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'Service id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s own id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider: `provider`, or `slug` of the old generation; `unknown` where neither is there.'),
  source_type STRING NOT NULL OPTIONS (description = 'Kind of device or origin; `unknown` where absent.'),
  source_app_id STRING OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id STRING OPTIONS (description = 'Id of the service\'s device record.'),
  source_sport STRING OPTIONS (description = 'Sport, on workout timeseries.'),
  source_workout_id STRING OPTIONS (description = 'Workout, on workout timeseries.'),
  source_name STRING OPTIONS (description = 'Readable name of the provider (old generation).'),
  source_logo STRING OPTIONS (description = 'Address of an icon (old generation).'),
  id STRING NOT NULL OPTIONS (description = 'Id of the summary: the newest version of an id replaces the others.'),
  data_user_id STRING OPTIONS (description = 'User id inside the data object, where the service repeats it.'),
  title STRING OPTIONS (description = 'Title of the workout.'),
  timezone_offset_s INT64 OPTIONS (description = 'Offset of local time, east of UTC. (s)'),
  calendar_date DATE OPTIONS (description = 'The local day of the workout, normally of its start.'),
  time_start TIMESTAMP OPTIONS (description = 'Start of the workout.'),
  time_end TIMESTAMP OPTIONS (description = 'End of the workout.'),
  sport_id INT64 OPTIONS (description = 'Id of the sport, another in each environment of the service (deprecated; use sport_slug).'),
  sport_name STRING OPTIONS (description = 'Readable name of the sport.'),
  sport_slug STRING OPTIONS (description = 'Slug of the sport.'),
  average_hr_bpm FLOAT64 OPTIONS (description = 'Average heart rate. (bpm)'),
  max_hr_bpm FLOAT64 OPTIONS (description = 'Highest heart rate. (bpm)'),
  hr_zones_s ARRAY<INT64> OPTIONS (description = 'Time in each zone of the heart rate: below 50 % of the highest, 50 to 60, 60 to 70, 70 to 80, 80 to 90, above 90. `workouts_hr_zones` has a row for each. (s)'),
  distance_m FLOAT64 OPTIONS (description = 'Distance. (m)'),
  calories_kcal FLOAT64 OPTIONS (description = 'Energy spent. (kcal)'),
  moving_time_s INT64 OPTIONS (description = 'Time in motion. (s)'),
  total_elevation_gain_m FLOAT64 OPTIONS (description = 'Metres climbed. (m)'),
  elev_high_m FLOAT64 OPTIONS (description = 'Highest point. (m)'),
  elev_low_m FLOAT64 OPTIONS (description = 'Lowest point. (m)'),
  average_speed_m_s FLOAT64 OPTIONS (description = 'Average speed. (m/s)'),
  max_speed_m_s FLOAT64 OPTIONS (description = 'Highest speed. (m/s)'),
  average_watts FLOAT64 OPTIONS (description = 'Average power. (W)'),
  device_watts FLOAT64 OPTIONS (description = 'Power that the device measured. (W)'),
  max_watts FLOAT64 OPTIONS (description = 'Highest power. (W)'),
  weighted_average_watts FLOAT64 OPTIONS (description = 'Weighted average power. (W)'),
  steps INT64 OPTIONS (description = 'Steps. (count)'),
  map_polyline STRING OPTIONS (description = 'The way, as an encoded polyline.'),
  map_summary_polyline STRING OPTIONS (description = 'The way, as an encoded polyline of lower resolution.'),
  provider_id STRING OPTIONS (description = 'Id of the workout at the provider.'),
  created_at TIMESTAMP OPTIONS (description = 'When the service first stored the summary.'),
  updated_at TIMESTAMP OPTIONS (description = 'When the service last changed the summary: the version of the row.'),
  extra JSON OPTIONS (description = 'Members of the event that this declaration does not know, and members whose value does not fit their type, as sent: a JSON object by path.'),
  _version_time TIMESTAMP NOT NULL OPTIONS (description = '`updated_at`; without it 1970-01-01T00:00:00Z of a `.created` event, `_received_at` of any other.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of source and partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (id) NOT ENFORCED
)
CLUSTER BY user_id, id
OPTIONS (description = 'One workout of a user.', labels = [('aorta', 'table'), ('aorta_shape', 'summary')]);

CREATE TABLE IF NOT EXISTS `my-project.health.deliveries` (
  source STRING NOT NULL OPTIONS (description = 'Configured name of the source.'),
  source_partition STRING NOT NULL OPTIONS (description = 'Partition of the source.'),
  source_offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker had the delivery.'),
  event_type STRING OPTIONS (description = 'Type of the event, where it could be read.'),
  delivery_id STRING OPTIONS (description = '`idempotency-key` or `svix-id`.'),
  team_id STRING OPTIONS (description = 'Team, where it could be read.'),
  user_id STRING OPTIONS (description = 'User, where it could be read.'),
  provider STRING OPTIONS (description = 'Provider, of events that name one.'),
  resource STRING OPTIONS (description = 'Resource, of timeseries and historical events.'),
  samples INT64 OPTIONS (description = 'Samples kept of a timeseries event. (count)'),
  stream STRING NOT NULL OPTIONS (description = 'Stream that holds the delivery.'),
  dead_letter_reason STRING OPTIONS (description = 'Why it could not be read.'),
  redelivered BOOL NOT NULL OPTIONS (description = 'Its redelivery window already held it.'),
  body_bytes INT64 NOT NULL OPTIONS (description = 'Length of the uncompressed body. (byte)'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _day DATE NOT NULL OPTIONS (description = 'Partition: the date of the key’s time, clamped to 2010-01-01…2036-12-31.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged: the only time of processing.'),
  PRIMARY KEY (source, source_partition, source_offset, received_at) NOT ENFORCED
)
PARTITION BY _day
CLUSTER BY user_id
OPTIONS (description = 'One row per delivery received, whatever became of it.', labels = [('aorta', 'table'), ('aorta_shape', 'deliveries')]);

CREATE OR REPLACE VIEW `my-project.health.latest`
OPTIONS (labels = [('aorta', 'view'), ('aorta_text', '70d501bdc85b04fc')]) AS
SELECT 1 AS one;
