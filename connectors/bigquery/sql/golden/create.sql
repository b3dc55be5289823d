CREATE SCHEMA IF NOT EXISTS `my-project.health`
OPTIONS (labels = [('aorta', 'dataset')], location = 'EU');

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_meta` (
  name STRING NOT NULL OPTIONS (description = 'Name of the entry.'),
  value STRING NOT NULL OPTIONS (description = 'Value of the entry.')
)
OPTIONS (description = 'Format of the warehouse, and the key of the suppression list.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_positions` (
  stream STRING NOT NULL OPTIONS (description = 'Stream.'),
  stream_partition INT64 NOT NULL OPTIONS (description = 'Partition of the stream.'),
  incarnation STRING NOT NULL OPTIONS (description = 'Incarnation of the stream.'),
  position INT64 NOT NULL OPTIONS (description = 'Position after the last landed record.'),
  written_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was written.')
)
CLUSTER BY stream, stream_partition
OPTIONS (description = 'Position up to which each partition of a stream was landed. Kept after its landing tables are deleted.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_merged` (
  batch STRING NOT NULL OPTIONS (description = 'Landing table.'),
  target STRING NOT NULL OPTIONS (description = 'Table that the batch was merged into.'),
  extent STRING NOT NULL OPTIONS (description = '`recent` or `old`: the range of dates that the merge covered.'),
  dates ARRAY<DATE> OPTIONS (description = 'Dates that were merged. Empty if the target is not partitioned.'),
  merged_at TIMESTAMP NOT NULL OPTIONS (description = 'When the batch was merged.')
)
CLUSTER BY batch
OPTIONS (description = 'One row for each landed batch and each table that it was merged into. The transaction of the merge writes it.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_suppressed` (
  user_hash STRING NOT NULL OPTIONS (description = 'SHA-256 of the key and the user’s id, in hexadecimal digits.'),
  suppressed_at TIMESTAMP NOT NULL OPTIONS (description = 'When the user was erased.')
)
CLUSTER BY user_hash
OPTIONS (description = 'Keyed hashes of erased users. Merges skip their rows.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_activity` (
  ended_at TIMESTAMP NOT NULL OPTIONS (description = 'When the merge or the wait ended.'),
  worker STRING NOT NULL OPTIONS (description = 'Name of the worker.'),
  what STRING NOT NULL OPTIONS (description = '`merge`, `bookkeeping` or `wait`.'),
  target STRING NOT NULL OPTIONS (description = 'Table that was merged, or for which the worker waited. Empty if there is none.'),
  reason STRING OPTIONS (description = 'Reason for a wait.'),
  estimated_bytes INT64 NOT NULL OPTIONS (description = 'Estimated bytes. (byte)'),
  billed_bytes INT64 NOT NULL OPTIONS (description = 'Billed bytes. (byte)'),
  waited_ms INT64 NOT NULL OPTIONS (description = 'Duration of the wait. 0 if the worker waits for an operator or for the next day. (ms)'),
  slot_ms INT64 NOT NULL OPTIONS (description = 'Billed slot time, in a reservation. (ms)')
)
PARTITION BY DATE(ended_at)
OPTIONS (description = 'Costs of merges, and waits.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_changed_days` (
  user_id STRING OPTIONS (description = 'User; NULL for all users.'),
  from_date DATE OPTIONS (description = 'First date; NULL for all dates.'),
  to_date DATE OPTIONS (description = 'Last date; NULL for all dates.'),
  changed_at TIMESTAMP NOT NULL OPTIONS (description = 'When the merge ran.')
)
PARTITION BY DATE(changed_at)
OPTIONS (description = 'Dates of users that merges may have changed. The view `changed_person_days` lists them.', labels = [('aorta', 'bookkeeping')], partition_expiration_days = 35);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_activity` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of activity updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_backfills` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of backfills updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_blood_pressure` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of blood_pressure updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_body` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of body updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_connection_events` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of connection_events updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_continuous_query_results` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of continuous_query_results updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_delivery_failures` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of delivery_failures updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_devices` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of devices updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_electrocardiogram` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of electrocardiogram updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_historical_completions` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of historical_completions updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_historical_pull_tracks` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of historical_pull_tracks updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_introspection_polls` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of introspection_polls updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_lab_appointments` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of lab_appointments updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_lab_critical_results` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of lab_critical_results updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_lab_markers` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of lab_markers updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_lab_match_reviews` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of lab_match_reviews updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_lab_orders` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of lab_orders updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_lab_report_parsing_jobs` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of lab_report_parsing_jobs updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_lab_results` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of lab_results updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_lab_tests` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of lab_tests updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_meal` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of meal updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_menstrual_cycle` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of menstrual_cycle updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_notes` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of notes updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_profile` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of profile updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_raw_events` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of raw_events updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_sent_resources` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of sent_resources updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_sleep` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of sleep updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_sleep_cycle` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of sleep_cycle updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_timeseries` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of timeseries updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_user_connections` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of user_connections updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_user_states` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of user_states updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_users` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of users updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_workout_stream_events` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of workout_stream_events updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_workout_streams` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of workout_streams updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_workouts` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of workouts updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.aorta_fence_deliveries` (
  target STRING NOT NULL OPTIONS (description = 'Table.'),
  merges INT64 NOT NULL OPTIONS (description = 'Number of merges and erasures so far. (count)'),
  merged_at TIMESTAMP OPTIONS (description = 'When the last merge or erasure ended.')
)
OPTIONS (description = 'Has one row, which every merge of deliveries updates. If two merges overlap, one of them aborts.', labels = [('aorta', 'bookkeeping')]);

CREATE TABLE IF NOT EXISTS `my-project.health.time_zone_transitions` (
  zone STRING NOT NULL OPTIONS (description = 'IANA name of the time zone, or an older name of it.'),
  time_basis STRING NOT NULL OPTIONS (description = '`utc`, or `floating` if the bounds are local times marked as UTC.'),
  from_at TIMESTAMP NOT NULL OPTIONS (description = 'First moment with this offset.'),
  to_at TIMESTAMP NOT NULL OPTIONS (description = 'First moment after it.'),
  offset_s INT64 NOT NULL OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)')
)
OPTIONS (description = 'One period in which a time zone has the same offset, from 2010 to 2037.', labels = [('aorta', 'reference')]);

CREATE TABLE IF NOT EXISTS `my-project.health.activity` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type STRING NOT NULL OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source_app_id STRING OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id STRING OPTIONS (description = 'Id of the service\'s device record.'),
  source_sport STRING OPTIONS (description = 'Sport, for workout timeseries.'),
  source_workout_id STRING OPTIONS (description = 'Id of the workout, for workout timeseries.'),
  source_name STRING OPTIONS (description = 'Display name of the provider, in the old form.'),
  source_logo STRING OPTIONS (description = 'URL of an icon, in the old form.'),
  id STRING NOT NULL OPTIONS (description = 'Id of the summary. The newest version of an id replaces the others.'),
  data_user_id STRING OPTIONS (description = 'User id in the data object, if the service repeats it there.'),
  date_at TIMESTAMP OPTIONS (description = 'The day at 00:00 UTC. Deprecated by the service; use calendar_date.'),
  calendar_date DATE OPTIONS (description = 'The local day.'),
  calories_total_kcal FLOAT64 OPTIONS (description = 'Energy spent, including the basal rate. (kcal)'),
  calories_active_kcal FLOAT64 OPTIONS (description = 'Energy spent through activity. (kcal)'),
  steps INT64 OPTIONS (description = 'Number of steps. (count)'),
  daily_movement_m FLOAT64 OPTIONS (description = 'Distance moved. Deprecated by the service; use distance_m. (m)'),
  distance_m FLOAT64 OPTIONS (description = 'Distance moved. (m)'),
  low_min FLOAT64 OPTIONS (description = 'Duration of low activity. (min)'),
  medium_min FLOAT64 OPTIONS (description = 'Duration of medium activity. (min)'),
  high_min FLOAT64 OPTIONS (description = 'Duration of high activity. (min)'),
  floors_climbed INT64 OPTIONS (description = 'Floors climbed. (count)'),
  time_zone STRING OPTIONS (description = 'IANA time zone.'),
  timezone_offset_s INT64 OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  heart_rate_avg_bpm FLOAT64 OPTIONS (description = 'Average heart rate. (bpm)'),
  heart_rate_min_bpm FLOAT64 OPTIONS (description = 'Lowest heart rate. (bpm)'),
  heart_rate_max_bpm FLOAT64 OPTIONS (description = 'Highest heart rate. (bpm)'),
  heart_rate_resting_bpm FLOAT64 OPTIONS (description = 'Resting heart rate. (bpm)'),
  heart_rate_avg_walking_bpm FLOAT64 OPTIONS (description = 'Average heart rate while walking. (bpm)'),
  wheelchair_use BOOL OPTIONS (description = 'Whether the user uses a wheelchair.'),
  wheelchair_push INT64 OPTIONS (description = 'Number of wheelchair pushes. (count)'),
  created_at TIMESTAMP OPTIONS (description = 'When the service first stored the summary.'),
  updated_at TIMESTAMP OPTIONS (description = 'When the service last changed the summary. It decides which version of the row is the newest.'),
  extra JSON OPTIONS (description = 'Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path.'),
  _version_time TIMESTAMP NOT NULL OPTIONS (description = '`updated_at`. If it is missing: 1970-01-01T00:00:00Z for a `.created` event, `_received_at` for any other event.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (id) NOT ENFORCED
)
CLUSTER BY user_id, id
OPTIONS (description = 'The activity of a user on one day, per source.', labels = [('aorta', 'table'), ('aorta_shape', 'summary')]);

CREATE TABLE IF NOT EXISTS `my-project.health.backfills` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider.'),
  resource STRING NOT NULL OPTIONS (description = 'Resource, as in event types.'),
  from_day STRING NOT NULL OPTIONS (description = 'First requested date, YYYY-MM-DD.'),
  to_day STRING NOT NULL OPTIONS (description = 'Last requested date, YYYY-MM-DD.'),
  objects INT64 OPTIONS (description = 'Number of distinct summaries or samples that the backfill fetched. (count)'),
  finished_at TIMESTAMP OPTIONS (description = 'When the service had answered all requests, by the service\'s clock.'),
  extra JSON OPTIONS (description = 'Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (user_id, provider, resource, from_day, to_day) NOT ENFORCED
)
CLUSTER BY user_id
OPTIONS (description = 'The result of a completed backfill of one resource of a user\'s provider. One row per date range: the newest result.', labels = [('aorta', 'table'), ('aorta_shape', 'event')]);

CREATE TABLE IF NOT EXISTS `my-project.health.blood_pressure` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  resource STRING NOT NULL OPTIONS (description = 'Timeseries resource, as in the event type.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type STRING NOT NULL OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source_app_id STRING OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id STRING OPTIONS (description = 'Id of the service\'s device record.'),
  source_sport STRING OPTIONS (description = 'Sport, for workout timeseries.'),
  source_workout_id STRING NOT NULL OPTIONS (description = 'Id of the workout, for workout timeseries.'),
  source_name STRING OPTIONS (description = 'Display name of the provider, in the old form.'),
  source_logo STRING OPTIONS (description = 'URL of an icon, in the old form.'),
  time_basis STRING NOT NULL OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  data_user_id STRING OPTIONS (description = 'User id in the data object, if the service repeats it there.'),
  data_source_id INT64 OPTIONS (description = 'Number of the source in the old event format. It has no meaning.'),
  legacy_provider JSON OPTIONS (description = 'Name, slug and logo of the provider in the old event format.'),
  start_at TIMESTAMP NOT NULL OPTIONS (description = 'Start of the interval, or time of the sample.'),
  timezone_offset_s INT64 OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  systolic_mmhg FLOAT64 OPTIONS (description = 'Systolic pressure. (mmHg)'),
  diastolic_mmhg FLOAT64 OPTIONS (description = 'Diastolic pressure. (mmHg)'),
  `grouping` JSON OPTIONS (description = 'The values that the service used to group the samples: source type, workout id, sport and device id.'),
  sample_type STRING NOT NULL OPTIONS (description = 'Type of the sample.'),
  unit STRING OPTIONS (description = 'Unit of the value, as sent.'),
  sample_id INT64 OPTIONS (description = 'Number of the sample. Deprecated by the service.'),
  sample_extra JSON OPTIONS (description = 'Unknown members of the sample, and members whose value does not fit the type of their column. A JSON object with the values as sent.'),
  extra JSON OPTIONS (description = 'Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path.'),
  local_date DATE OPTIONS (description = 'Local date of the sample; NULL if the event does not determine it.'),
  _day DATE NOT NULL OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (user_id, resource, provider, source_type, start_at, sample_type, source_workout_id) NOT ENFORCED
)
PARTITION BY _day
CLUSTER BY resource, user_id
OPTIONS (description = 'One blood pressure reading, systolic and diastolic.', labels = [('aorta', 'table'), ('aorta_shape', 'timeseries')]);

CREATE TABLE IF NOT EXISTS `my-project.health.body` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type STRING NOT NULL OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source_app_id STRING OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id STRING OPTIONS (description = 'Id of the service\'s device record.'),
  source_sport STRING OPTIONS (description = 'Sport, for workout timeseries.'),
  source_workout_id STRING OPTIONS (description = 'Id of the workout, for workout timeseries.'),
  source_name STRING OPTIONS (description = 'Display name of the provider, in the old form.'),
  source_logo STRING OPTIONS (description = 'URL of an icon, in the old form.'),
  id STRING NOT NULL OPTIONS (description = 'Id of the summary. The newest version of an id replaces the others.'),
  data_user_id STRING OPTIONS (description = 'User id in the data object, if the service repeats it there.'),
  date_at TIMESTAMP OPTIONS (description = 'The day at 00:00 UTC. Deprecated by the service; use calendar_date.'),
  calendar_date DATE OPTIONS (description = 'The local day.'),
  weight_kg FLOAT64 OPTIONS (description = 'Weight. (kg)'),
  fat_pct FLOAT64 OPTIONS (description = 'Body fat percentage. (%)'),
  water_pct FLOAT64 OPTIONS (description = 'Body water percentage. (%)'),
  muscle_mass_pct FLOAT64 OPTIONS (description = 'Muscle mass percentage. (%)'),
  visceral_fat_index FLOAT64 OPTIONS (description = 'Visceral fat index.'),
  bone_mass_pct FLOAT64 OPTIONS (description = 'Bone mass percentage. (%)'),
  body_mass_index FLOAT64 OPTIONS (description = 'Body mass index.'),
  lean_body_mass_kg FLOAT64 OPTIONS (description = 'Lean body mass. (kg)'),
  waist_circumference_cm FLOAT64 OPTIONS (description = 'Waist circumference. (cm)'),
  created_at TIMESTAMP OPTIONS (description = 'When the service first stored the summary.'),
  updated_at TIMESTAMP OPTIONS (description = 'When the service last changed the summary. It decides which version of the row is the newest.'),
  extra JSON OPTIONS (description = 'Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path.'),
  _version_time TIMESTAMP NOT NULL OPTIONS (description = '`updated_at`. If it is missing: 1970-01-01T00:00:00Z for a `.created` event, `_received_at` for any other event.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (id) NOT ENFORCED
)
CLUSTER BY user_id, id
OPTIONS (description = 'The body measurements of a user on one day, per source.', labels = [('aorta', 'table'), ('aorta_shape', 'summary')]);

CREATE TABLE IF NOT EXISTS `my-project.health.connection_events` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider.'),
  provider_name STRING OPTIONS (description = 'Display name of the provider.'),
  provider_logo STRING OPTIONS (description = 'URL of an icon.'),
  data_user_id STRING OPTIONS (description = 'User id in the data object, if the service repeats it there.'),
  resource_availability JSON OPTIONS (description = 'For each resource: its status, and the scopes that the user granted or denied.'),
  legacy_source JSON OPTIONS (description = 'The provider object under its deprecated name, `source`.'),
  message STRING OPTIONS (description = 'The service\'s message about the error.'),
  error_type STRING OPTIONS (description = 'Kind of the error.'),
  error_details STRING OPTIONS (description = 'Details of the error.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition. For a webhook, of the source and the message id.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition. For a webhook, the CRC-32 of the body.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _source STRING NOT NULL OPTIONS (description = 'Configured name of the source.'),
  _body_bytes INT64 NOT NULL OPTIONS (description = 'Length of the uncompressed body. (byte)'),
  _body_crc32 INT64 NOT NULL OPTIONS (description = 'CRC-32 of the uncompressed body.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (_origin, _offset, _received_at) NOT ENFORCED
)
CLUSTER BY user_id
OPTIONS (description = 'A user connected a provider, or the connection broke or changed.', labels = [('aorta', 'table'), ('aorta_shape', 'event')]);

CREATE TABLE IF NOT EXISTS `my-project.health.continuous_query_results` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  changes ARRAY<STRUCT<query_id STRING, query_slug STRING, result_columns JSON>> OPTIONS (description = 'The queries with changed results.'),
  extra JSON OPTIONS (description = 'Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition. For a webhook, of the source and the message id.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition. For a webhook, the CRC-32 of the body.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _source STRING NOT NULL OPTIONS (description = 'Configured name of the source.'),
  _body_bytes INT64 NOT NULL OPTIONS (description = 'Length of the uncompressed body. (byte)'),
  _body_crc32 INT64 NOT NULL OPTIONS (description = 'CRC-32 of the uncompressed body.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (_origin, _offset, _received_at) NOT ENFORCED
)
CLUSTER BY user_id
OPTIONS (description = 'New or changed rows in the result tables of a user\'s continuous queries.', labels = [('aorta', 'table'), ('aorta_shape', 'event')]);

CREATE TABLE IF NOT EXISTS `my-project.health.delivery_failures` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  message_id STRING OPTIONS (description = 'Id of the message that was not delivered. It equals `delivery_id` in `deliveries` if the message arrived in another way.'),
  message_event_id STRING OPTIONS (description = 'The service\'s id of the message.'),
  endpoint_id STRING OPTIONS (description = 'The endpoint that did not accept the message.'),
  app_id STRING OPTIONS (description = 'The webhook service\'s id of the application with the endpoint.'),
  app_uid STRING OPTIONS (description = 'The service\'s id of the application.'),
  last_attempt_id STRING OPTIONS (description = 'Id of the last attempt.'),
  last_attempt_at TIMESTAMP OPTIONS (description = 'When the last attempt was made.'),
  last_attempt_status_code INT64 OPTIONS (description = 'HTTP status of the endpoint\'s response; 0 if it did not respond.'),
  extra JSON OPTIONS (description = 'Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition. For a webhook, of the source and the message id.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition. For a webhook, the CRC-32 of the body.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _source STRING NOT NULL OPTIONS (description = 'Configured name of the source.'),
  _body_bytes INT64 NOT NULL OPTIONS (description = 'Length of the uncompressed body. (byte)'),
  _body_crc32 INT64 NOT NULL OPTIONS (description = 'CRC-32 of the uncompressed body.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (_origin, _offset, _received_at) NOT ENFORCED
)
CLUSTER BY message_id
OPTIONS (description = 'The webhook service (Svix) gave up a message after its last attempt. The endpoint did not receive the message.', labels = [('aorta', 'table'), ('aorta_shape', 'event')]);

CREATE TABLE IF NOT EXISTS `my-project.health.devices` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  id STRING NOT NULL OPTIONS (description = 'The service\'s id of the device. Summaries and samples refer to it as `source_device_id`.'),
  data_user_id STRING OPTIONS (description = 'User id in the data object, if the service repeats it there.'),
  provider STRING OPTIONS (description = 'Slug of the provider.'),
  source_type STRING OPTIONS (description = 'Kind of the device, such as `watch`.'),
  app_id STRING OPTIONS (description = 'Bundle or package id of the app.'),
  device_manufacturer STRING OPTIONS (description = 'Manufacturer of the device.'),
  device_model STRING OPTIONS (description = 'Model of the device.'),
  device_version STRING OPTIONS (description = 'Version of the device or of its software.'),
  _version_time TIMESTAMP NOT NULL OPTIONS (description = '`updated_at`. If it is missing: 1970-01-01T00:00:00Z for a `.created` event, `_received_at` for any other event.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (user_id, id) NOT ENFORCED
)
CLUSTER BY user_id, id
OPTIONS (description = 'A device of a user, as the provider describes it. One row per device: the newest state received.', labels = [('aorta', 'table'), ('aorta_shape', 'summary')]);

CREATE TABLE IF NOT EXISTS `my-project.health.electrocardiogram` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type STRING NOT NULL OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source_app_id STRING OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id STRING OPTIONS (description = 'Id of the service\'s device record.'),
  source_sport STRING OPTIONS (description = 'Sport, for workout timeseries.'),
  source_workout_id STRING OPTIONS (description = 'Id of the workout, for workout timeseries.'),
  source_name STRING OPTIONS (description = 'Display name of the provider, in the old form.'),
  source_logo STRING OPTIONS (description = 'URL of an icon, in the old form.'),
  id STRING NOT NULL OPTIONS (description = 'Id of the summary. The newest version of an id replaces the others.'),
  data_user_id STRING OPTIONS (description = 'User id in the data object, if the service repeats it there.'),
  session_start TIMESTAMP OPTIONS (description = 'Start of the recording.'),
  session_end TIMESTAMP OPTIONS (description = 'End of the recording.'),
  voltage_sample_count INT64 OPTIONS (description = 'Number of voltage samples in the recording. (count)'),
  heart_rate_mean_bpm FLOAT64 OPTIONS (description = 'Mean heart rate. (bpm)'),
  sampling_frequency_hz FLOAT64 OPTIONS (description = 'Sampling frequency. (Hz)'),
  classification STRING OPTIONS (description = '`sinus_rhythm`, `atrial_fibrillation` or `inconclusive`.'),
  inconclusive_cause STRING OPTIONS (description = '`high_heart_rate`, `low_heart_rate` or `poor_reading`.'),
  algorithm_version STRING OPTIONS (description = 'Version of the algorithm that classified the recording.'),
  time_zone STRING OPTIONS (description = 'IANA time zone.'),
  data_source_provider STRING OPTIONS (description = 'Slug of the provider in the data object, if the service repeats it there.'),
  data_source_type STRING OPTIONS (description = 'Kind of device or origin in the data object, if the service repeats it there.'),
  data_source_app_id STRING OPTIONS (description = 'Id of the app in the data object, if the service repeats it there.'),
  data_source_device_id STRING OPTIONS (description = 'Id of the device record in the data object, if the service repeats it there.'),
  source_device_model STRING OPTIONS (description = 'Model of the device.'),
  created_at TIMESTAMP OPTIONS (description = 'When the service first stored the summary.'),
  updated_at TIMESTAMP OPTIONS (description = 'When the service last changed the summary. It decides which version of the row is the newest.'),
  extra JSON OPTIONS (description = 'Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path.'),
  _version_time TIMESTAMP NOT NULL OPTIONS (description = '`updated_at`. If it is missing: 1970-01-01T00:00:00Z for a `.created` event, `_received_at` for any other event.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (id) NOT ENFORCED
)
CLUSTER BY user_id, id
OPTIONS (description = 'One recording of an electrocardiogram. Its voltages are samples of the timeseries resource `electrocardiogram_voltage`.', labels = [('aorta', 'table'), ('aorta_shape', 'summary')]);

CREATE TABLE IF NOT EXISTS `my-project.health.historical_completions` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  resource STRING NOT NULL OPTIONS (description = 'Resource of the pull, as in the event type.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider.'),
  data_user_id STRING OPTIONS (description = 'User id in the data object, if the service repeats it there.'),
  range_start TIMESTAMP OPTIONS (description = 'Start of the pulled range.'),
  range_end TIMESTAMP OPTIONS (description = 'End of the pulled range.'),
  is_final BOOL OPTIONS (description = 'False if more parts of the pull follow. Deprecated by the service.'),
  extra JSON OPTIONS (description = 'Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition. For a webhook, of the source and the message id.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition. For a webhook, the CRC-32 of the body.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _source STRING NOT NULL OPTIONS (description = 'Configured name of the source.'),
  _body_bytes INT64 NOT NULL OPTIONS (description = 'Length of the uncompressed body. (byte)'),
  _body_crc32 INT64 NOT NULL OPTIONS (description = 'CRC-32 of the uncompressed body.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (_origin, _offset, _received_at) NOT ENFORCED
)
CLUSTER BY user_id
OPTIONS (description = 'A historical pull of a resource has succeeded. The event does not contain the pulled data.', labels = [('aorta', 'table'), ('aorta_shape', 'event')]);

CREATE TABLE IF NOT EXISTS `my-project.health.historical_pull_tracks` (
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider.'),
  resource STRING NOT NULL OPTIONS (description = 'Resource of the pulls.'),
  stalled_after_s INT64 OPTIONS (description = 'An open pull counts as stalled if it makes no progress for this long and the service has not answered about its user. (second)'),
  pulls ARRAY<STRUCT<is_present BOOL, scheduled_at TIMESTAMP, range_start TIMESTAMP, range_end TIMESTAMP, state STRING, since TIMESTAMP, progressed_at TIMESTAMP, retrying_since TIMESTAMP, status STRING, error_details STRING, error_class STRING, expected_at TIMESTAMP, started_at TIMESTAMP, ended_at TIMESTAMP, days_with_data INT64, provisional BOOL, perhaps_completed_at TIMESTAMP, announced_at TIMESTAMP, broken_at TIMESTAMP, not_pulled_at TIMESTAMP, contradicted_at TIMESTAMP, knows_retrying BOOL, reports BOOL, service_since TIMESTAMP, service_retrying_since TIMESTAMP, trace_id STRING>> OPTIONS (description = 'The pulls in order. The last one is the current pull.'),
  changes ARRAY<STRUCT<scheduled_at TIMESTAMP, range_start TIMESTAMP, range_end TIMESTAMP, changed_at TIMESTAMP, from_state STRING, to_state STRING, event STRING, status STRING, error_details STRING>> OPTIONS (description = 'All changes of all pulls, in the order of evidence.'),
  evidence ARRAY<STRUCT<evidence_at TIMESTAMP, kind STRING, scheduled_at TIMESTAMP, range_start TIMESTAMP, range_end TIMESTAMP, status STRING, started_at TIMESTAMP, ended_at TIMESTAMP, days_with_data INT64, error_details STRING>> OPTIONS (description = 'The evidence of the track, in order. Answers that are equivalent to the previous one are left out.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (user_id, provider, resource) NOT ENFORCED
)
CLUSTER BY user_id
OPTIONS (description = 'The historical pulls of a user, provider and resource, derived from all evidence. The tracker rewrites the row for each new piece of evidence.', labels = [('aorta', 'table'), ('aorta_shape', 'fetched')]);

CREATE TABLE IF NOT EXISTS `my-project.health.introspection_polls` (
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  gone BOOL NOT NULL OPTIONS (description = 'Whether the service no longer has the user.'),
  stale_at TIMESTAMP NOT NULL OPTIONS (description = 'When the answer becomes stale, unless a newer one arrives.'),
  stalled_after_s INT64 NOT NULL OPTIONS (description = 'An open pull counts as stalled if the service has not reported on it for this long. (second)'),
  pulls ARRAY<STRUCT<provider STRING, resource STRING, status STRING, range_start TIMESTAMP, range_end TIMESTAMP, scheduled_at TIMESTAMP, started_at TIMESTAMP, ended_at TIMESTAMP, days_with_data INT64, error_details STRING, release STRING, trace_id STRING, extra JSON>> OPTIONS (description = 'The entries under `pulled`: the last pull of each resource.'),
  not_pulled ARRAY<STRUCT<provider STRING, resource STRING>> OPTIONS (description = 'The entries under `not_pulled`: resources without a pull.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (user_id) NOT ENFORCED
)
CLUSTER BY user_id
OPTIONS (description = 'The service\'s answer about the historical pulls of one user. The table has the newest answer per user; the stream has all of them.', labels = [('aorta', 'table'), ('aorta_shape', 'fetched')]);

CREATE TABLE IF NOT EXISTS `my-project.health.lab_appointments` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  id STRING NOT NULL OPTIONS (description = 'Id of the appointment. The newest version of an id replaces the others.'),
  data_user_id STRING OPTIONS (description = 'User id in the data object, if the service repeats it there.'),
  order_id STRING OPTIONS (description = 'Id of the order in `lab_orders`.'),
  order_transaction_id STRING OPTIONS (description = 'Id of the order\'s transaction.'),
  appointment_type STRING OPTIONS (description = '`phlebotomy` (at home) or `patient_service_center`.'),
  provider STRING OPTIONS (description = 'The company that carries out the appointment, such as `getlabs`.'),
  provider_id STRING OPTIONS (description = 'The provider\'s id of the appointment.'),
  external_id STRING OPTIONS (description = 'Id of the appointment in another external system.'),
  status STRING OPTIONS (description = '`pending`, `reserved`, `confirmed`, `in_progress`, `completed` or `cancelled`.'),
  event_status STRING OPTIONS (description = 'Status of the newest event.'),
  event_data JSON OPTIONS (description = 'The provider\'s data about the newest event, in any form.'),
  events ARRAY<STRUCT<created_at TIMESTAMP, status STRING, data JSON>> OPTIONS (description = 'All status changes of the appointment, as sent.'),
  starts_at TIMESTAMP OPTIONS (description = 'Start of the appointment. A time without an offset is in UTC.'),
  ends_at TIMESTAMP OPTIONS (description = 'End of the appointment. A time without an offset is in UTC.'),
  time_zone STRING OPTIONS (description = 'IANA time zone of the location.'),
  can_reschedule BOOL OPTIONS (description = 'Whether the appointment can be rescheduled.'),
  longitude_deg FLOAT64 OPTIONS (description = 'Longitude of the location. (degree)'),
  latitude_deg FLOAT64 OPTIONS (description = 'Latitude of the location. (degree)'),
  appointment_notes STRING OPTIONS (description = 'Notes on the appointment.'),
  _version_time TIMESTAMP NOT NULL OPTIONS (description = '`updated_at`. If it is missing: 1970-01-01T00:00:00Z for a `.created` event, `_received_at` for any other event.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (id) NOT ENFORCED
)
CLUSTER BY user_id, id
OPTIONS (description = 'An appointment of a lab order, at the patient\'s home or in a service center. The service does not say when the appointment last changed, so the version that was received last is the newest.', labels = [('aorta', 'table'), ('aorta_shape', 'summary')]);

CREATE TABLE IF NOT EXISTS `my-project.health.lab_critical_results` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  order_id STRING NOT NULL OPTIONS (description = 'Id of the order.'),
  sample_id STRING NOT NULL OPTIONS (description = 'Id of the sample, as in the order; empty if it was not sent.'),
  data_user_id STRING OPTIONS (description = 'User id in the data object, if the service repeats it there.'),
  data_team_id STRING OPTIONS (description = 'Team id in the data object, if the service repeats it there.'),
  status STRING OPTIONS (description = '`final` or `partial`.'),
  interpretation STRING OPTIONS (description = '`normal`, `abnormal` or `critical`.'),
  created_at TIMESTAMP OPTIONS (description = 'When the service first fetched the result from the lab.'),
  updated_at TIMESTAMP OPTIONS (description = 'When the service last fetched the result from the lab. It decides which version of the row is the newest.'),
  extra JSON OPTIONS (description = 'Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path.'),
  _version_time TIMESTAMP NOT NULL OPTIONS (description = '`updated_at`. If it is missing: 1970-01-01T00:00:00Z for a `.created` event, `_received_at` for any other event.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (order_id, sample_id) NOT ENFORCED
)
CLUSTER BY user_id, order_id
OPTIONS (description = 'A lab\'s report that a result is critical. One row per order and sample: the newest report. The result itself is fetched from the service.', labels = [('aorta', 'table'), ('aorta_shape', 'summary')]);

CREATE TABLE IF NOT EXISTS `my-project.health.lab_markers` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  marker_id STRING NOT NULL OPTIONS (description = 'Id of the marker.'),
  name STRING OPTIONS (description = 'Name.'),
  slug STRING OPTIONS (description = 'Slug.'),
  description STRING OPTIONS (description = 'Description.'),
  lab_id INT64 OPTIONS (description = 'Id of the lab.'),
  lab_code STRING OPTIONS (description = 'The lab\'s code.'),
  marker_type STRING OPTIONS (description = '`biomarker` or `panel`.'),
  unit STRING OPTIONS (description = 'Unit.'),
  price STRING OPTIONS (description = 'Price, as text.'),
  a_la_carte_enabled BOOL OPTIONS (description = 'Whether the marker can be ordered individually.'),
  common_tat_days INT64 OPTIONS (description = 'Usual time from sample to result. (day)'),
  worst_case_tat_days INT64 OPTIONS (description = 'Longest time from sample to result. (day)'),
  is_orderable BOOL OPTIONS (description = 'Whether the marker can be ordered.'),
  aoe JSON OPTIONS (description = 'Questions to ask when ordering, as sent.'),
  expected_results JSON OPTIONS (description = 'Results that the marker yields, as sent.'),
  extra JSON OPTIONS (description = 'Unknown members of the answer, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (marker_id) NOT ENFORCED
)
CLUSTER BY marker_id
OPTIONS (description = 'A marker that can be ordered: a biomarker or a panel. One row per marker: the newest answer that differs from the previous one.', labels = [('aorta', 'table'), ('aorta_shape', 'event')]);

CREATE TABLE IF NOT EXISTS `my-project.health.lab_match_reviews` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  id STRING NOT NULL OPTIONS (description = 'Id of the review. The newest version of an id replaces the others.'),
  status STRING OPTIONS (description = '`matched`, `pending_customer_review`, `pending_ops_review` or `resolved`.'),
  decision_code STRING OPTIONS (description = 'The outcome of the matching, or why there is no match.'),
  sub_reason_codes ARRAY<STRING> OPTIONS (description = 'Additional reason codes.'),
  resolution_action STRING OPTIONS (description = '`accept`, `reject` or `unsure`.'),
  resolved_user_id STRING OPTIONS (description = 'Id of the user that the result was matched to.'),
  resolved_order_id STRING OPTIONS (description = 'Id of the order in `lab_orders` that the result was matched to.'),
  extra JSON OPTIONS (description = 'Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path.'),
  _version_time TIMESTAMP NOT NULL OPTIONS (description = '`updated_at`. If it is missing: 1970-01-01T00:00:00Z for a `.created` event, `_received_at` for any other event.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (id) NOT ENFORCED
)
CLUSTER BY id
OPTIONS (description = 'The review of a lab result that could not be matched to an order with certainty. It may have no user. The service does not say when the review last changed, so the version that was received last is the newest.', labels = [('aorta', 'table'), ('aorta_shape', 'summary')]);

CREATE TABLE IF NOT EXISTS `my-project.health.lab_orders` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  id STRING NOT NULL OPTIONS (description = 'Id of the order. The newest version of an id replaces the others.'),
  data_user_id STRING OPTIONS (description = 'User id in the data object, if the service repeats it there.'),
  data_team_id STRING OPTIONS (description = 'Team id in the data object, if the service repeats it there.'),
  sample_id STRING OPTIONS (description = 'Id of the sample, as in lab results and critical results.'),
  status STRING OPTIONS (description = 'High-level status. Deprecated by the service; use last_event_status.'),
  last_event_id INT64 OPTIONS (description = 'Id of the newest event in the order\'s history.'),
  last_event_at TIMESTAMP OPTIONS (description = 'When the order entered its current status.'),
  last_event_status STRING OPTIONS (description = 'Current status: high level, modality and low level, separated by dots.'),
  last_event_status_detail STRING OPTIONS (description = 'Reason for the status, if the status is a failure.'),
  events ARRAY<STRUCT<event_id INT64, created_at TIMESTAMP, status STRING, status_detail STRING>> OPTIONS (description = 'All status changes of the order, as sent.'),
  lab_test_id STRING OPTIONS (description = 'Id of the ordered test.'),
  lab_test_slug STRING OPTIONS (description = 'Slug of the test.'),
  lab_test_name STRING OPTIONS (description = 'Name of the test.'),
  lab_test_sample_type STRING OPTIONS (description = 'Type of sample, such as `serum`.'),
  lab_test_method STRING OPTIONS (description = 'Collection method: `testkit`, `walk_in_test`, `at_home_phlebotomy` or `on_site_collection`.'),
  lab_test_price FLOAT64 OPTIONS (description = 'Price of the test.'),
  lab_test_is_active BOOL OPTIONS (description = 'Whether the test can be ordered. Deprecated by the service; use lab_test_status.'),
  lab_test_status STRING OPTIONS (description = '`active`, `pending_approval` or `inactive`.'),
  lab_test_fasting BOOL OPTIONS (description = 'Whether the test requires fasting.'),
  lab_test_is_delegated BOOL OPTIONS (description = 'Always false. Deprecated by the service.'),
  lab_test_auto_generated BOOL OPTIONS (description = 'Whether the service created the test for this order.'),
  lab_test_has_collection_instructions BOOL OPTIONS (description = 'Whether the test has collection instructions.'),
  lab_test_common_tat_days INT64 OPTIONS (description = 'Usual time from sample to result. (day)'),
  lab_test_worst_case_tat_days INT64 OPTIONS (description = 'Longest time from sample to result. (day)'),
  lab_test_markers JSON OPTIONS (description = 'The markers that the test measures, as sent.'),
  lab_id INT64 OPTIONS (description = 'Id of the lab.'),
  lab_slug STRING OPTIONS (description = 'Slug of the lab.'),
  lab_name STRING OPTIONS (description = 'Name of the lab.'),
  lab_first_line_address STRING OPTIONS (description = 'Address of the lab.'),
  lab_city STRING OPTIONS (description = 'City of the lab.'),
  lab_zipcode STRING OPTIONS (description = 'Postal code of the lab.'),
  lab_collection_methods JSON OPTIONS (description = 'Collection methods that the lab offers.'),
  lab_sample_types JSON OPTIONS (description = 'Types of samples that the lab accepts.'),
  lab_logo_url STRING OPTIONS (description = 'URL of an icon of the lab.'),
  details_type STRING OPTIONS (description = 'Modality of the order: `walk_in_test`, `testkit`, `at_home_phlebotomy` or `on_site_collection`. It determines which other details exist.'),
  details_id STRING OPTIONS (description = 'Id of the order within its modality.'),
  details_created_at TIMESTAMP OPTIONS (description = 'When the order within its modality was created.'),
  details_updated_at TIMESTAMP OPTIONS (description = 'When the order within its modality last changed.'),
  details_appointment_id STRING OPTIONS (description = 'Id of the appointment in `lab_appointments`, for walk-in tests and at-home phlebotomy.'),
  shipment_id STRING OPTIONS (description = 'Id of the shipment of a test kit.'),
  shipment_outbound_courier STRING OPTIONS (description = 'Courier of the shipment to the customer.'),
  shipment_inbound_courier STRING OPTIONS (description = 'Courier of the shipment to the lab.'),
  shipment_notes STRING OPTIONS (description = 'Notes on the shipment.'),
  notes STRING OPTIONS (description = 'Notes on the order.'),
  clinical_notes STRING OPTIONS (description = 'Clinical notes on the order.'),
  passthrough STRING OPTIONS (description = 'Data of the customer that the service passes through.'),
  priority BOOL OPTIONS (description = 'Whether the order is urgent.'),
  activate_by DATE OPTIONS (description = 'Day on which a scheduled order is processed.'),
  billing_type STRING OPTIONS (description = 'Payer: `client_bill`, `commercial_insurance`, `patient_bill_passthrough` or `patient_bill`.'),
  icd_codes ARRAY<STRING> OPTIONS (description = 'Diagnoses under which the order is billed, as ICD-10 codes.'),
  has_abn BOOL OPTIONS (description = 'Whether there is an Advanced Beneficiary Notice.'),
  interpretation STRING OPTIONS (description = 'Interpretation of the results: `normal`, `abnormal`, `critical` or `unknown`.'),
  has_missing_results BOOL OPTIONS (description = 'Whether results of markers are missing.'),
  expected_result_by_date DATE OPTIONS (description = 'Date when results usually arrive.'),
  worst_case_result_by_date DATE OPTIONS (description = 'Latest date when results arrive.'),
  order_origin STRING OPTIONS (description = 'Reason for the order: `initial`, `redraw` or `recreation`.'),
  order_transaction_id STRING OPTIONS (description = 'Id of the transaction of the order and its redraws.'),
  order_transaction_status STRING OPTIONS (description = '`active`, `completed` or `cancelled`.'),
  order_transaction_orders ARRAY<STRUCT<order_id STRING, low_level_status STRING, low_level_status_at TIMESTAMP, order_origin STRING, parent_id STRING, created_at TIMESTAMP, updated_at TIMESTAMP>> OPTIONS (description = 'The orders of the transaction, including this one.'),
  created_at TIMESTAMP OPTIONS (description = 'When the order was created.'),
  updated_at TIMESTAMP OPTIONS (description = 'When the order last changed. It decides which version of the row is the newest.'),
  _version_time TIMESTAMP NOT NULL OPTIONS (description = '`updated_at`. If it is missing: 1970-01-01T00:00:00Z for a `.created` event, `_received_at` for any other event.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (id) NOT ENFORCED
)
CLUSTER BY user_id, id
OPTIONS (description = 'An order of a lab test, from its creation to its results. One row per order: the newest version. The results are fetched from the service.', labels = [('aorta', 'table'), ('aorta_shape', 'summary')]);

CREATE TABLE IF NOT EXISTS `my-project.health.lab_report_parsing_jobs` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  id STRING NOT NULL OPTIONS (description = 'Id of the job. The newest version of an id replaces the others.'),
  status STRING OPTIONS (description = '`upload_pending`, `started`, `completed` or `failed`.'),
  failure_reason STRING OPTIONS (description = 'Why the job failed, such as `low_quality`.'),
  needs_human_review BOOL OPTIONS (description = 'Whether a person must review the result.'),
  is_reviewed BOOL OPTIONS (description = 'Whether a person has reviewed the result.'),
  patient_gender STRING OPTIONS (description = '`male`, `female` or `other`.'),
  lab_name STRING OPTIONS (description = 'The lab that issued the report.'),
  date_reported STRING OPTIONS (description = 'Date of the report, as found in the report: text without a fixed format.'),
  date_collected STRING OPTIONS (description = 'Date of the sample, as found in the report: text without a fixed format.'),
  results ARRAY<STRUCT<test_name STRING, value STRING, value_type STRING, units STRING, min_reference_range FLOAT64, max_reference_range FLOAT64, is_below_min_range BOOL, is_above_max_range BOOL, interpretation STRING, sample_type STRING, measurement_kind STRING, sensitivity STRING, source_panel_name STRING, loinc_match_status STRING, loinc_matches JSON>> OPTIONS (description = 'The results, in the order of the report.'),
  _version_time TIMESTAMP NOT NULL OPTIONS (description = '`updated_at`. If it is missing: 1970-01-01T00:00:00Z for a `.created` event, `_received_at` for any other event.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (id) NOT ENFORCED
)
CLUSTER BY user_id, id
OPTIONS (description = 'A job that parses a lab report which a user has uploaded, with the results found in it. The service does not say when the job last changed, so the version that was received last is the newest.', labels = [('aorta', 'table'), ('aorta_shape', 'summary')]);

CREATE TABLE IF NOT EXISTS `my-project.health.lab_results` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  order_id STRING NOT NULL OPTIONS (description = 'Id of the order in `lab_orders`.'),
  status STRING OPTIONS (description = '`final` or `partial`.'),
  interpretation STRING OPTIONS (description = 'Interpretation of the results as a whole.'),
  date_reported DATE OPTIONS (description = 'Local date on which the lab reported the results. NULL if a time was sent.'),
  reported_at TIMESTAMP OPTIONS (description = 'Instant at which the lab reported the results, if `date_reported` was sent with a time and an offset. A time without an offset is in `extra`.'),
  date_collected DATE OPTIONS (description = 'Local date on which the sample was taken. NULL if a time was sent.'),
  collected_at TIMESTAMP OPTIONS (description = 'Instant at which the sample was taken, if `date_collected` was sent with a time and an offset. A time without an offset is in `extra`.'),
  date_received DATE OPTIONS (description = 'Local date on which the lab received the sample. NULL if a time was sent.'),
  received_at TIMESTAMP OPTIONS (description = 'Instant at which the lab received the sample, if `date_received` was sent with a time and an offset. A time without an offset is in `extra`.'),
  laboratory STRING OPTIONS (description = 'Name of the laboratory.'),
  clia_number STRING OPTIONS (description = 'CLIA number of the laboratory. The service calls it `clia_#`.'),
  account_id STRING OPTIONS (description = 'Account at the lab.'),
  items ARRAY<STRUCT<name STRING, slug STRING, result STRING, result_type STRING, result_number FLOAT64, result_sign STRING, result_low FLOAT64, result_high FLOAT64, legacy_value FLOAT64, unit STRING, taken_at TIMESTAMP, notes STRING, reference_range STRING, reference_low FLOAT64, reference_high FLOAT64, is_above_max_range BOOL, is_below_min_range BOOL, interpretation STRING, source_interpretation STRING, loinc STRING, loinc_slug STRING, lab_code STRING, source_markers JSON, performing_laboratory STRING, source_sample_id STRING>> OPTIONS (description = 'The results, as sent.'),
  missing ARRAY<STRUCT<name STRING, slug STRING, inferred_failure_type STRING, note STRING, loinc STRING, loinc_slug STRING, provider_id STRING>> OPTIONS (description = 'Results that the lab could not provide.'),
  sample_information JSON OPTIONS (description = 'The samples, as sent.'),
  order_transaction JSON OPTIONS (description = 'The transaction of the order, as sent.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (order_id) NOT ENFORCED
)
CLUSTER BY user_id, order_id
OPTIONS (description = 'The results of a lab order, fetched when all or some of them were available. One row per order: the newest answer.', labels = [('aorta', 'table'), ('aorta_shape', 'event')]);

CREATE TABLE IF NOT EXISTS `my-project.health.lab_tests` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  id STRING NOT NULL OPTIONS (description = 'Id of the test.'),
  name STRING OPTIONS (description = 'Name.'),
  slug STRING OPTIONS (description = 'Slug.'),
  description STRING OPTIONS (description = 'Description.'),
  sample_type STRING OPTIONS (description = 'Type of sample.'),
  method STRING OPTIONS (description = 'Collection method.'),
  price FLOAT64 OPTIONS (description = 'Price.'),
  is_active BOOL OPTIONS (description = 'Whether the test can be ordered. Deprecated by the service.'),
  status STRING OPTIONS (description = '`active`, `pending_approval` or `inactive`.'),
  fasting BOOL OPTIONS (description = 'Whether the test requires fasting.'),
  lab JSON OPTIONS (description = 'The lab, as sent.'),
  markers JSON OPTIONS (description = 'The markers that the test measures, as sent.'),
  extra JSON OPTIONS (description = 'Unknown members of the answer, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (id) NOT ENFORCED
)
CLUSTER BY id
OPTIONS (description = 'A lab test of the team. One row per test: the newest answer that differs from the previous one.', labels = [('aorta', 'table'), ('aorta_shape', 'event')]);

CREATE TABLE IF NOT EXISTS `my-project.health.meal` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type STRING NOT NULL OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source_app_id STRING OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id STRING OPTIONS (description = 'Id of the service\'s device record.'),
  source_sport STRING OPTIONS (description = 'Sport, for workout timeseries.'),
  source_workout_id STRING OPTIONS (description = 'Id of the workout, for workout timeseries.'),
  source_name STRING OPTIONS (description = 'Display name of the provider, in the old form.'),
  source_logo STRING OPTIONS (description = 'URL of an icon, in the old form.'),
  id STRING NOT NULL OPTIONS (description = 'Id of the summary. The newest version of an id replaces the others.'),
  data_user_id STRING OPTIONS (description = 'User id in the data object, if the service repeats it there.'),
  priority_id INT64 OPTIONS (description = 'Deprecated by the service. It has no meaning.'),
  source_id INT64 OPTIONS (description = 'Deprecated by the service. It has no meaning.'),
  provider_id STRING OPTIONS (description = 'A copy of the id. Deprecated by the service.'),
  eaten_at TIMESTAMP OPTIONS (description = 'When the meal was eaten.'),
  calendar_date DATE OPTIONS (description = 'The local day of the meal, as the user recorded it.'),
  meal_name STRING OPTIONS (description = 'Name of the meal.'),
  energy_kcal FLOAT64 OPTIONS (description = 'Energy. A value in another unit is in extra. (kcal)'),
  energy_unit STRING OPTIONS (description = 'Unit of the energy, as sent.'),
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
  minerals JSON OPTIONS (description = 'Amounts by mineral, in milligrams. (mg)'),
  trace_elements JSON OPTIONS (description = 'Amounts by trace element: copper and manganese in milligrams, the others in micrograms.'),
  vitamins JSON OPTIONS (description = 'Amounts by vitamin: A, B12, D, K, biotin and folic acid in micrograms, the others in milligrams.'),
  data_source_app_id STRING OPTIONS (description = 'Id of the app in the data object, if the service repeats it there.'),
  data_source_device_id STRING OPTIONS (description = 'Id of the device record in the data object, if the service repeats it there.'),
  foods JSON OPTIONS (description = 'Energy, macronutrients and micronutrients by food. The user may have entered the name of the food. `meal_foods` has a row for each.'),
  created_at TIMESTAMP OPTIONS (description = 'When the service first stored the summary.'),
  updated_at TIMESTAMP OPTIONS (description = 'When the service last changed the summary. It decides which version of the row is the newest.'),
  extra JSON OPTIONS (description = 'Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path.'),
  _version_time TIMESTAMP NOT NULL OPTIONS (description = '`updated_at`. If it is missing: 1970-01-01T00:00:00Z for a `.created` event, `_received_at` for any other event.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (id) NOT ENFORCED
)
CLUSTER BY user_id, id
OPTIONS (description = 'One meal of a user.', labels = [('aorta', 'table'), ('aorta_shape', 'summary')]);

CREATE TABLE IF NOT EXISTS `my-project.health.menstrual_cycle` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type STRING NOT NULL OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source_app_id STRING OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id STRING OPTIONS (description = 'Id of the service\'s device record.'),
  source_sport STRING OPTIONS (description = 'Sport, for workout timeseries.'),
  source_workout_id STRING OPTIONS (description = 'Id of the workout, for workout timeseries.'),
  source_name STRING OPTIONS (description = 'Display name of the provider, in the old form.'),
  source_logo STRING OPTIONS (description = 'URL of an icon, in the old form.'),
  id STRING NOT NULL OPTIONS (description = 'Id of the summary. The newest version of an id replaces the others.'),
  data_user_id STRING OPTIONS (description = 'User id in the data object, if the service repeats it there.'),
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
  home_pregnancy_test ARRAY<STRUCT<calendar_date DATE, test_result STRING>> OPTIONS (description = 'Home pregnancy tests by day.'),
  home_progesterone_test ARRAY<STRUCT<calendar_date DATE, test_result STRING>> OPTIONS (description = 'Home progesterone tests by day.'),
  sexual_activity ARRAY<STRUCT<calendar_date DATE, protection_used BOOL>> OPTIONS (description = 'Sexual activity by day.'),
  basal_body_temperature ARRAY<STRUCT<calendar_date DATE, temperature_c FLOAT64>> OPTIONS (description = 'Basal body temperature by day.'),
  data_source_provider STRING OPTIONS (description = 'Slug of the provider in the data object, if the service repeats it there.'),
  data_source_type STRING OPTIONS (description = 'Kind of device or origin in the data object, if the service repeats it there.'),
  data_source_app_id STRING OPTIONS (description = 'Id of the app in the data object, if the service repeats it there.'),
  data_source_device_id STRING OPTIONS (description = 'Id of the device record in the data object, if the service repeats it there.'),
  created_at TIMESTAMP OPTIONS (description = 'When the service first stored the summary.'),
  updated_at TIMESTAMP OPTIONS (description = 'When the service last changed the summary. It decides which version of the row is the newest.'),
  extra JSON OPTIONS (description = 'Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path.'),
  _version_time TIMESTAMP NOT NULL OPTIONS (description = '`updated_at`. If it is missing: 1970-01-01T00:00:00Z for a `.created` event, `_received_at` for any other event.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (id) NOT ENFORCED
)
CLUSTER BY user_id, id
OPTIONS (description = 'One menstrual cycle of a user, with the observations on its days.', labels = [('aorta', 'table'), ('aorta_shape', 'summary')]);

CREATE TABLE IF NOT EXISTS `my-project.health.notes` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  resource STRING NOT NULL OPTIONS (description = 'Timeseries resource, as in the event type.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type STRING NOT NULL OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source_app_id STRING OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id STRING OPTIONS (description = 'Id of the service\'s device record.'),
  source_sport STRING OPTIONS (description = 'Sport, for workout timeseries.'),
  source_workout_id STRING NOT NULL OPTIONS (description = 'Id of the workout, for workout timeseries.'),
  source_name STRING OPTIONS (description = 'Display name of the provider, in the old form.'),
  source_logo STRING OPTIONS (description = 'URL of an icon, in the old form.'),
  time_basis STRING NOT NULL OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  data_user_id STRING OPTIONS (description = 'User id in the data object, if the service repeats it there.'),
  data_source_id INT64 OPTIONS (description = 'Number of the source in the old event format. It has no meaning.'),
  legacy_provider JSON OPTIONS (description = 'Name, slug and logo of the provider in the old event format.'),
  start_at TIMESTAMP NOT NULL OPTIONS (description = 'Start of the period that the note is about.'),
  timezone_offset_s INT64 OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  end_at TIMESTAMP OPTIONS (description = 'End of the period that the note is about (exclusive).'),
  text STRING OPTIONS (description = 'Text of the note.'),
  tags JSON OPTIONS (description = 'Subjects of the note, as a JSON array of `food`, `exercise`, `insulin_injection` or `unspecified`.'),
  sample_type STRING NOT NULL OPTIONS (description = 'Type of the note.'),
  unit STRING OPTIONS (description = '`text`, as sent.'),
  sample_id INT64 OPTIONS (description = 'Number of the sample. Deprecated by the service.'),
  sample_extra JSON OPTIONS (description = 'Unknown members of the sample, and members whose value does not fit the type of their column. A JSON object with the values as sent.'),
  extra JSON OPTIONS (description = 'Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path.'),
  local_date DATE OPTIONS (description = 'Local date of the sample; NULL if the event does not determine it.'),
  _day DATE NOT NULL OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (user_id, resource, provider, source_type, start_at, sample_type, source_workout_id) NOT ENFORCED
)
PARTITION BY _day
CLUSTER BY resource, user_id
OPTIONS (description = 'One note that a user wrote.', labels = [('aorta', 'table'), ('aorta_shape', 'timeseries')]);

CREATE TABLE IF NOT EXISTS `my-project.health.profile` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type STRING NOT NULL OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source_app_id STRING OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id STRING OPTIONS (description = 'Id of the service\'s device record.'),
  source_sport STRING OPTIONS (description = 'Sport, for workout timeseries.'),
  source_workout_id STRING OPTIONS (description = 'Id of the workout, for workout timeseries.'),
  source_name STRING OPTIONS (description = 'Display name of the provider, in the old form.'),
  source_logo STRING OPTIONS (description = 'URL of an icon, in the old form.'),
  id STRING NOT NULL OPTIONS (description = 'Id of the summary. The newest version of an id replaces the others.'),
  data_user_id STRING OPTIONS (description = 'User id in the data object, if the service repeats it there.'),
  height_cm FLOAT64 OPTIONS (description = 'Height. (cm)'),
  wheelchair_use BOOL OPTIONS (description = 'Whether the user uses a wheelchair.'),
  gender STRING OPTIONS (description = '`female`, `male`, `other` or `unknown`.'),
  sex STRING OPTIONS (description = '`female`, `male` or `other`.'),
  created_at TIMESTAMP OPTIONS (description = 'When the service first stored the summary.'),
  updated_at TIMESTAMP OPTIONS (description = 'When the service last changed the summary. It decides which version of the row is the newest.'),
  _version_time TIMESTAMP NOT NULL OPTIONS (description = '`updated_at`. If it is missing: 1970-01-01T00:00:00Z for a `.created` event, `_received_at` for any other event.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (id) NOT ENFORCED
)
CLUSTER BY user_id, id
OPTIONS (description = 'A user\'s profile at a provider. One profile per user and provider.', labels = [('aorta', 'table'), ('aorta_shape', 'summary')]);

CREATE TABLE IF NOT EXISTS `my-project.health.raw_events` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider, from the event type.'),
  dataset STRING NOT NULL OPTIONS (description = 'The provider\'s dataset, from the event type.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition. For a webhook, of the source and the message id.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition. For a webhook, the CRC-32 of the body.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _source STRING NOT NULL OPTIONS (description = 'Configured name of the source.'),
  _body_bytes INT64 NOT NULL OPTIONS (description = 'Length of the uncompressed body. (byte)'),
  _body_crc32 INT64 NOT NULL OPTIONS (description = 'CRC-32 of the uncompressed body.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (_origin, _offset, _received_at) NOT ENFORCED
)
CLUSTER BY user_id, provider
OPTIONS (description = 'Data as a provider sent it to the service, in the provider\'s own form. The stream keeps all of it. It may identify people, so the table has it only if identifiers are switched on.', labels = [('aorta', 'table'), ('aorta_shape', 'event')]);

CREATE TABLE IF NOT EXISTS `my-project.health.sent_resources` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider.'),
  resource STRING NOT NULL OPTIONS (description = 'Resource, as in the service\'s introspection.'),
  sent_count INT64 OPTIONS (description = 'Number of objects that the service sent in `*.created` events. (count)'),
  oldest_data TIMESTAMP OPTIONS (description = 'Time of the oldest data.'),
  newest_data TIMESTAMP OPTIONS (description = 'Time of the newest data.'),
  last_attempt_at TIMESTAMP OPTIONS (description = 'When the service last asked the provider for data.'),
  last_attempt_status STRING OPTIONS (description = '`success` or `failure`.'),
  extra JSON OPTIONS (description = 'Unknown members of the answer, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (user_id, provider, resource) NOT ENFORCED
)
CLUSTER BY user_id
OPTIONS (description = 'The amount of data that the service has, and has sent, for one resource of a user\'s provider. One row per resource: the newest answer.', labels = [('aorta', 'table'), ('aorta_shape', 'event')]);

CREATE TABLE IF NOT EXISTS `my-project.health.sleep` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type STRING NOT NULL OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source_app_id STRING OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id STRING OPTIONS (description = 'Id of the service\'s device record.'),
  source_sport STRING OPTIONS (description = 'Sport, for workout timeseries.'),
  source_workout_id STRING OPTIONS (description = 'Id of the workout, for workout timeseries.'),
  source_name STRING OPTIONS (description = 'Display name of the provider, in the old form.'),
  source_logo STRING OPTIONS (description = 'URL of an icon, in the old form.'),
  id STRING NOT NULL OPTIONS (description = 'Id of the summary. The newest version of an id replaces the others.'),
  data_user_id STRING OPTIONS (description = 'User id in the data object, if the service repeats it there.'),
  date_at TIMESTAMP OPTIONS (description = 'Start of the day of the session. Deprecated by the service; use calendar_date.'),
  calendar_date DATE OPTIONS (description = 'The local day of the session, normally the day on which it ends.'),
  bedtime_start TIMESTAMP OPTIONS (description = 'Start of the session.'),
  bedtime_stop TIMESTAMP OPTIONS (description = 'End of the session.'),
  sleep_type STRING OPTIONS (description = '`long_sleep`, `short_sleep`, `acknowledged_nap` or `unknown`.'),
  timezone_offset_s INT64 OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  duration_s INT64 OPTIONS (description = 'Duration from start to end. (s)'),
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
  efficiency FLOAT64 OPTIONS (description = 'Fraction of the session that the user was asleep. Some providers send 0.97, others 97.'),
  latency_s INT64 OPTIONS (description = 'Time to fall asleep. (s)'),
  temperature_delta_c FLOAT64 OPTIONS (description = 'Deviation of the skin temperature from its usual value. (°C)'),
  skin_temperature_c FLOAT64 OPTIONS (description = 'Skin temperature. (°C)'),
  hr_dip_pct FLOAT64 OPTIONS (description = 'Dip of the heart rate during sleep. (%)'),
  state STRING OPTIONS (description = '`tentative` or `confirmed`.'),
  average_hrv_ms FLOAT64 OPTIONS (description = 'Average heart rate variability (RMSSD). (ms)'),
  respiratory_rate_per_min FLOAT64 OPTIONS (description = 'Breaths per minute. (1/min)'),
  sleep_stream JSON OPTIONS (description = 'Series of values of the session. Deprecated by the service.'),
  created_at TIMESTAMP OPTIONS (description = 'When the service first stored the summary.'),
  updated_at TIMESTAMP OPTIONS (description = 'When the service last changed the summary. It decides which version of the row is the newest.'),
  extra JSON OPTIONS (description = 'Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path.'),
  _version_time TIMESTAMP NOT NULL OPTIONS (description = '`updated_at`. If it is missing: 1970-01-01T00:00:00Z for a `.created` event, `_received_at` for any other event.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (id) NOT ENFORCED
)
CLUSTER BY user_id, id
OPTIONS (description = 'One sleep session of a user.', labels = [('aorta', 'table'), ('aorta_shape', 'summary')]);

CREATE TABLE IF NOT EXISTS `my-project.health.sleep_cycle` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type STRING NOT NULL OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source_app_id STRING OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id STRING OPTIONS (description = 'Id of the service\'s device record.'),
  source_sport STRING OPTIONS (description = 'Sport, for workout timeseries.'),
  source_workout_id STRING OPTIONS (description = 'Id of the workout, for workout timeseries.'),
  source_name STRING OPTIONS (description = 'Display name of the provider, in the old form.'),
  source_logo STRING OPTIONS (description = 'URL of an icon, in the old form.'),
  id STRING NOT NULL OPTIONS (description = 'Id of the summary. The newest version of an id replaces the others.'),
  data_user_id STRING OPTIONS (description = 'User id in the data object, if the service repeats it there.'),
  sleep_id STRING OPTIONS (description = 'Id of the session in `sleep`.'),
  session_start TIMESTAMP OPTIONS (description = 'Start of the session.'),
  session_end TIMESTAMP OPTIONS (description = 'End of the session.'),
  stage_start_offset_s ARRAY<INT64> OPTIONS (description = 'Start of each stage, counted from the start of the session. (s)'),
  stage_end_offset_s ARRAY<INT64> OPTIONS (description = 'End of each stage, counted from the start of the session. (s)'),
  stage_type ARRAY<INT64> OPTIONS (description = 'Kind of each stage: -1 unknown, 1 deep, 2 light, 3 REM, 4 awake, 5 manual.'),
  time_zone STRING OPTIONS (description = 'IANA time zone.'),
  data_source_provider STRING OPTIONS (description = 'Slug of the provider in the data object, if the service repeats it there.'),
  data_source_type STRING OPTIONS (description = 'Kind of device or origin in the data object, if the service repeats it there.'),
  data_source_app_id STRING OPTIONS (description = 'Id of the app in the data object, if the service repeats it there.'),
  data_source_device_id STRING OPTIONS (description = 'Id of the device record in the data object, if the service repeats it there.'),
  created_at TIMESTAMP OPTIONS (description = 'When the service first stored the summary.'),
  updated_at TIMESTAMP OPTIONS (description = 'When the service last changed the summary. It decides which version of the row is the newest.'),
  extra JSON OPTIONS (description = 'Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path.'),
  _version_time TIMESTAMP NOT NULL OPTIONS (description = '`updated_at`. If it is missing: 1970-01-01T00:00:00Z for a `.created` event, `_received_at` for any other event.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (id) NOT ENFORCED
)
CLUSTER BY user_id, id
OPTIONS (description = 'The stages of one sleep session, as three parallel lists. `sleep_cycle_stages` has a row for each stage.', labels = [('aorta', 'table'), ('aorta_shape', 'summary')]);

CREATE TABLE IF NOT EXISTS `my-project.health.timeseries` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  resource STRING NOT NULL OPTIONS (description = 'Timeseries resource, as in the event type.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type STRING NOT NULL OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source_app_id STRING OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id STRING OPTIONS (description = 'Id of the service\'s device record.'),
  source_sport STRING OPTIONS (description = 'Sport, for workout timeseries.'),
  source_workout_id STRING NOT NULL OPTIONS (description = 'Id of the workout, for workout timeseries.'),
  source_name STRING OPTIONS (description = 'Display name of the provider, in the old form.'),
  source_logo STRING OPTIONS (description = 'URL of an icon, in the old form.'),
  time_basis STRING NOT NULL OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  data_user_id STRING OPTIONS (description = 'User id in the data object, if the service repeats it there.'),
  data_source_id INT64 OPTIONS (description = 'Number of the source in the old event format. It has no meaning.'),
  legacy_provider JSON OPTIONS (description = 'Name, slug and logo of the provider in the old event format.'),
  start_at TIMESTAMP NOT NULL OPTIONS (description = 'Start of the interval, or time of the sample.'),
  timezone_offset_s INT64 OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  end_at TIMESTAMP OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  value FLOAT64 OPTIONS (description = 'The measured value.'),
  sensor_location STRING OPTIONS (description = 'Body site of the temperature measurement, such as `armpit`, `body`, `ear` or `finger`. Only for body temperatures.'),
  intensity STRING OPTIONS (description = '`low`, `medium` or `high`. Only for workout_duration.'),
  delivery_mode STRING OPTIONS (description = '`basal` or `bolus`. Only for insulin_injection.'),
  delivery_form STRING OPTIONS (description = '`standard` or `extended`. Only for insulin_injection.'),
  bolus_purpose STRING OPTIONS (description = '`meal`, `correction`, `mixed` or `unknown`. Only for insulin_injection.'),
  sample_type STRING NOT NULL OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  unit STRING OPTIONS (description = 'Unit of the value, as sent.'),
  sample_id INT64 OPTIONS (description = 'Number of the sample. Deprecated by the service.'),
  sample_extra JSON OPTIONS (description = 'Unknown members of the sample, and members whose value does not fit the type of their column. A JSON object with the values as sent.'),
  extra JSON OPTIONS (description = 'Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path.'),
  local_date DATE OPTIONS (description = 'Local date of the sample; NULL if the event does not determine it.'),
  _day DATE NOT NULL OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (user_id, resource, provider, source_type, start_at, sample_type, source_workout_id) NOT ENFORCED
)
PARTITION BY _day
CLUSTER BY resource, user_id
OPTIONS (description = 'One sample of a timeseries resource.', labels = [('aorta', 'table'), ('aorta_shape', 'timeseries')]);

CREATE TABLE IF NOT EXISTS `my-project.health.user_connections` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider.'),
  provider_name STRING OPTIONS (description = 'Display name of the provider.'),
  provider_logo STRING OPTIONS (description = 'URL of an icon.'),
  status STRING OPTIONS (description = '`connected`, `error`, or `gone` if the service no longer lists the connection.'),
  created_on TIMESTAMP OPTIONS (description = 'When the user connected the provider.'),
  error_details JSON OPTIONS (description = 'Error of the connection, as sent.'),
  resource_availability JSON OPTIONS (description = 'For each resource: its status, and the scopes that the user granted or denied.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (user_id, provider) NOT ENFORCED
)
CLUSTER BY user_id
OPTIONS (description = 'A connection of a user to a provider, as the service reports its state. One row per user and provider: the newest answer that differs from the previous one.', labels = [('aorta', 'table'), ('aorta_shape', 'event')]);

CREATE TABLE IF NOT EXISTS `my-project.health.user_states` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  state STRING OPTIONS (description = '`present`, or `missing` if the user was deleted. A deletion can be undone for 7 days.'),
  since TIMESTAMP OPTIONS (description = 'When the pipeline noticed the change.'),
  erase_after TIMESTAMP OPTIONS (description = 'When the data of a missing user should be erased.'),
  returned BOOL OPTIONS (description = 'Whether a present user was missing before.'),
  extra JSON OPTIONS (description = 'Unknown members of the answer, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (user_id) NOT ENFORCED
)
CLUSTER BY user_id
OPTIONS (description = 'Whether a user is in the service\'s list of users. One row per user: the last change.', labels = [('aorta', 'table'), ('aorta_shape', 'event')]);

CREATE TABLE IF NOT EXISTS `my-project.health.users` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  data_team_id STRING OPTIONS (description = 'Team of the user.'),
  created_on TIMESTAMP OPTIONS (description = 'When the user was created.'),
  fallback_time_zone STRING OPTIONS (description = 'IANA time zone for sources that have none.'),
  fallback_time_zone_source STRING OPTIONS (description = 'Origin of the fallback time zone.'),
  fallback_time_zone_updated_at TIMESTAMP OPTIONS (description = 'When the fallback time zone was set.'),
  fallback_birth_date_source STRING OPTIONS (description = 'Origin of the fallback birth date.'),
  fallback_birth_date_updated_at TIMESTAMP OPTIONS (description = 'When the fallback birth date was set.'),
  ingestion_start DATE OPTIONS (description = 'First date of ingested data.'),
  ingestion_end DATE OPTIONS (description = 'Last date of ingested data.'),
  connected_sources JSON OPTIONS (description = 'Connected providers, as sent.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (user_id) NOT ENFORCED
)
CLUSTER BY user_id
OPTIONS (description = 'A user in the service\'s list of users. One row per user: the newest answer that differs from the previous one.', labels = [('aorta', 'table'), ('aorta_shape', 'event')]);

CREATE TABLE IF NOT EXISTS `my-project.health.workout_stream_events` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type STRING NOT NULL OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source_app_id STRING OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id STRING OPTIONS (description = 'Id of the service\'s device record.'),
  source_sport STRING OPTIONS (description = 'Sport, for workout timeseries.'),
  source_workout_id STRING OPTIONS (description = 'Id of the workout, for workout timeseries.'),
  source_name STRING OPTIONS (description = 'Display name of the provider, in the old form.'),
  source_logo STRING OPTIONS (description = 'URL of an icon, in the old form.'),
  workout_id STRING NOT NULL OPTIONS (description = 'Id of the workout in `workouts`.'),
  data_user_id STRING OPTIONS (description = 'User id in the data object, if the service repeats it there.'),
  provider_id STRING OPTIONS (description = 'Id of the workout at the provider.'),
  message STRING OPTIONS (description = 'The service\'s message about the stream.'),
  sport_id INT64 OPTIONS (description = 'Id of the sport, which differs between environments of the service. Deprecated by the service; use sport_slug.'),
  sport_name STRING OPTIONS (description = 'Display name of the sport.'),
  sport_slug STRING OPTIONS (description = 'Slug of the sport.'),
  extra JSON OPTIONS (description = 'Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (user_id, workout_id) NOT ENFORCED
)
CLUSTER BY user_id, workout_id
OPTIONS (description = 'An event which announces that a workout has a stream of points. With a retired event type, it announces that the workout has none. The event does not contain the stream. One row per user and workout: the newest event.', labels = [('aorta', 'table'), ('aorta_shape', 'event')]);

CREATE TABLE IF NOT EXISTS `my-project.health.workout_streams` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  workout_id STRING NOT NULL OPTIONS (description = 'Id of the workout in `workouts`.'),
  points ARRAY<STRUCT<time_s INT64, point_at TIMESTAMP, heart_rate_bpm FLOAT64, cadence FLOAT64, altitude_m FLOAT64, speed_m_s FLOAT64, distance_m FLOAT64, power_w FLOAT64, resistance FLOAT64, temperature_c FLOAT64, latitude_deg FLOAT64, longitude_deg FLOAT64>> OPTIONS (description = 'The points, as many as the longest sent column has.'),
  uneven BOOL OPTIONS (description = 'Whether the sent columns had different lengths.'),
  extra JSON OPTIONS (description = 'Unknown members of the answer, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (user_id, workout_id) NOT ENFORCED
)
CLUSTER BY user_id, workout_id
OPTIONS (description = 'The stream of points of a workout, fetched after an event announced it. One row per user and workout: the newest answer.', labels = [('aorta', 'table'), ('aorta_shape', 'event')]);

CREATE TABLE IF NOT EXISTS `my-project.health.workouts` (
  event_type STRING NOT NULL OPTIONS (description = 'Event type.'),
  team_id STRING OPTIONS (description = 'Team of the user.'),
  user_id STRING NOT NULL OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id STRING OPTIONS (description = 'The customer\'s id of the user.'),
  provider STRING NOT NULL OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type STRING NOT NULL OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source_app_id STRING OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id STRING OPTIONS (description = 'Id of the service\'s device record.'),
  source_sport STRING OPTIONS (description = 'Sport, for workout timeseries.'),
  source_workout_id STRING OPTIONS (description = 'Id of the workout, for workout timeseries.'),
  source_name STRING OPTIONS (description = 'Display name of the provider, in the old form.'),
  source_logo STRING OPTIONS (description = 'URL of an icon, in the old form.'),
  id STRING NOT NULL OPTIONS (description = 'Id of the summary. The newest version of an id replaces the others.'),
  data_user_id STRING OPTIONS (description = 'User id in the data object, if the service repeats it there.'),
  title STRING OPTIONS (description = 'Title of the workout.'),
  timezone_offset_s INT64 OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  calendar_date DATE OPTIONS (description = 'The local day of the workout, normally the day on which it starts.'),
  time_start TIMESTAMP OPTIONS (description = 'Start of the workout.'),
  time_end TIMESTAMP OPTIONS (description = 'End of the workout.'),
  sport_id INT64 OPTIONS (description = 'Id of the sport, which differs between environments of the service. Deprecated by the service; use sport_slug.'),
  sport_name STRING OPTIONS (description = 'Display name of the sport.'),
  sport_slug STRING OPTIONS (description = 'Slug of the sport.'),
  average_hr_bpm FLOAT64 OPTIONS (description = 'Average heart rate. (bpm)'),
  max_hr_bpm FLOAT64 OPTIONS (description = 'Highest heart rate. (bpm)'),
  hr_zones_s ARRAY<INT64> OPTIONS (description = 'Time in each of six heart rate zones, from below 50 % to above 90 % of the maximum heart rate, in steps of 10 points. `workouts_hr_zones` has a row for each. (s)'),
  distance_m FLOAT64 OPTIONS (description = 'Distance. (m)'),
  calories_kcal FLOAT64 OPTIONS (description = 'Energy spent. (kcal)'),
  moving_time_s INT64 OPTIONS (description = 'Moving time. (s)'),
  total_elevation_gain_m FLOAT64 OPTIONS (description = 'Elevation gain. (m)'),
  elev_high_m FLOAT64 OPTIONS (description = 'Highest altitude. (m)'),
  elev_low_m FLOAT64 OPTIONS (description = 'Lowest altitude. (m)'),
  average_speed_m_s FLOAT64 OPTIONS (description = 'Average speed. (m/s)'),
  max_speed_m_s FLOAT64 OPTIONS (description = 'Highest speed. (m/s)'),
  average_watts FLOAT64 OPTIONS (description = 'Average power. (W)'),
  device_watts FLOAT64 OPTIONS (description = 'Power measured by the device. (W)'),
  max_watts FLOAT64 OPTIONS (description = 'Highest power. (W)'),
  weighted_average_watts FLOAT64 OPTIONS (description = 'Weighted average power. (W)'),
  steps INT64 OPTIONS (description = 'Number of steps. (count)'),
  map_polyline STRING OPTIONS (description = 'Route, as an encoded polyline.'),
  map_summary_polyline STRING OPTIONS (description = 'Route, as an encoded polyline of lower resolution.'),
  provider_id STRING OPTIONS (description = 'Id of the workout at the provider.'),
  created_at TIMESTAMP OPTIONS (description = 'When the service first stored the summary.'),
  updated_at TIMESTAMP OPTIONS (description = 'When the service last changed the summary. It decides which version of the row is the newest.'),
  extra JSON OPTIONS (description = 'Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path.'),
  _version_time TIMESTAMP NOT NULL OPTIONS (description = '`updated_at`. If it is missing: 1970-01-01T00:00:00Z for a `.created` event, `_received_at` for any other event.'),
  _received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery.'),
  _origin INT64 NOT NULL OPTIONS (description = 'Hash of the source and the partition.'),
  _offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (id) NOT ENFORCED
)
CLUSTER BY user_id, id
OPTIONS (description = 'One workout of a user.', labels = [('aorta', 'table'), ('aorta_shape', 'summary')]);

CREATE TABLE IF NOT EXISTS `my-project.health.deliveries` (
  source STRING NOT NULL OPTIONS (description = 'Configured name of the source.'),
  source_partition STRING NOT NULL OPTIONS (description = 'Partition of the source. For a webhook, the id of the message.'),
  source_offset INT64 NOT NULL OPTIONS (description = 'Offset in the partition. For a webhook, the CRC-32 of the body.'),
  received_at TIMESTAMP NOT NULL OPTIONS (description = 'When the broker received the delivery. For a webhook, when the service created the message.'),
  event_type STRING OPTIONS (description = 'Type of the event, if it could be read.'),
  delivery_id STRING OPTIONS (description = '`idempotency-key` or `svix-id`.'),
  team_id STRING OPTIONS (description = 'Team, if it could be read.'),
  user_id STRING OPTIONS (description = 'User, if it could be read.'),
  client_user_id STRING OPTIONS (description = 'Id that the customer gave the user, if the event names it.'),
  provider STRING OPTIONS (description = 'Provider, if the event names one.'),
  source_type STRING OPTIONS (description = 'Kind of device or origin, if the event names one.'),
  resource STRING OPTIONS (description = 'Resource of a timeseries event or a historical completion.'),
  samples INT64 OPTIONS (description = 'Number of samples kept from a timeseries event. (count)'),
  stream STRING NOT NULL OPTIONS (description = 'Stream that holds the delivery.'),
  dead_letter_reason STRING OPTIONS (description = 'Reason code, if the delivery became a dead letter.'),
  redelivered BOOL NOT NULL OPTIONS (description = 'Whether the redelivery window already contained the delivery.'),
  body_bytes INT64 NOT NULL OPTIONS (description = 'Length of the uncompressed body. (byte)'),
  body_crc32 INT64 NOT NULL OPTIONS (description = 'CRC-32 of the uncompressed body.'),
  arrived_at TIMESTAMP OPTIONS (description = 'When the delivery arrived at Aorta, if Aorta received it itself.'),
  _reader INT64 NOT NULL OPTIONS (description = 'Revision of the reader.'),
  _day DATE NOT NULL OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _loaded_at TIMESTAMP NOT NULL OPTIONS (description = 'When the row was last merged.'),
  PRIMARY KEY (source, source_partition, source_offset, received_at) NOT ENFORCED
)
PARTITION BY _day
CLUSTER BY user_id
OPTIONS (description = 'One row per received delivery, including redeliveries, unrouted events and dead letters.', labels = [('aorta', 'table'), ('aorta_shape', 'deliveries')]);

CREATE OR REPLACE VIEW `my-project.health.latest` (
  one OPTIONS (description = 'The number \'1\'. (count)')
)
OPTIONS (description = 'One row.', labels = [('aorta', 'view'), ('aorta_text', '70d501bdc85b04fc')]) AS
SELECT 1 AS one;
