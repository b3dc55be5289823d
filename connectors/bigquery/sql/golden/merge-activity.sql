BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_activity` AS T
USING (SELECT 'activity' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

INSERT INTO `my-project.health.aorta_changed_days` (user_id, from_date, to_date, changed_at)
WITH landed AS (
  SELECT *
  FROM (
    SELECT l.user_id AS user_id,
      l.id AS id,
      l.calendar_date AS calendar_date,
      l.time_zone AS time_zone,
      l.timezone_offset_s AS timezone_offset_s
    FROM `my-project.health.aorta_landed_activity__3_de7d1b721a1e0632_0_100_b41ace8b_1` AS l
    UNION ALL
    SELECT l.user_id AS user_id,
      l.id AS id,
      l.calendar_date AS calendar_date,
      l.time_zone AS time_zone,
      l.timezone_offset_s AS timezone_offset_s
    FROM `my-project.health.aorta_landed_activity__3_de7d1b721a1e0632_100_200_b41ace8b_1` AS l
  )
  WHERE user_id IS NOT NULL
    AND IFNULL(TO_HEX(SHA256(CONCAT((SELECT MIN(SUBSTR(user_hash, 5)) FROM `my-project.health.aorta_suppressed` WHERE STARTS_WITH(user_hash, 'key:')), user_id))), '') NOT IN (SELECT user_hash FROM `my-project.health.aorta_suppressed`)
),
changed AS (
  SELECT
    user_id, MIN(first_date) AS first_day, MAX(last_date) AS last_day, LOGICAL_OR(is_zoned) AS is_zoned
  FROM (
    SELECT user_id, calendar_date AS first_date, calendar_date AS last_date, (time_zone IS NOT NULL OR timezone_offset_s IS NOT NULL OR FALSE) AS is_zoned
    FROM landed
    UNION ALL
    SELECT user_id, calendar_date AS first_date, calendar_date AS last_date, (time_zone IS NOT NULL OR timezone_offset_s IS NOT NULL OR FALSE) AS is_zoned
    FROM `my-project.health.activity`
    WHERE id IN (SELECT id FROM landed)
  )
  WHERE user_id IS NOT NULL
  GROUP BY user_id
),
known AS (
  SELECT user_id, MIN(calendar_date) AS known_day
  FROM `my-project.health.activity`
  WHERE (time_zone IS NOT NULL OR timezone_offset_s IS NOT NULL OR FALSE)
  GROUP BY user_id
)
SELECT
  user_id, IF(is_far, NULL, DATE_TRUNC(DATE_SUB(first_day, INTERVAL 2 DAY), MONTH)),
  IF(is_far, NULL, GREATEST(DATE_ADD(last_day, INTERVAL 16 DAY), DATE_ADD(CURRENT_DATE(), INTERVAL 1 DAY))), CURRENT_TIMESTAMP()
FROM (
  SELECT
    changed.*,
    (is_zoned AND NOT IFNULL(known_day < first_day, FALSE))
      OR ABS(DATE_DIFF(CURRENT_DATE(), first_day, DAY)) > 400 OR ABS(DATE_DIFF(CURRENT_DATE(), last_day, DAY)) > 400 AS is_far
  FROM changed
  LEFT JOIN known USING (user_id)
);

MERGE INTO `my-project.health.activity` AS T
USING (
  SELECT *
  FROM (
    SELECT l.event_type AS event_type,
      l.team_id AS team_id,
      l.user_id AS user_id,
      l.client_user_id AS client_user_id,
      l.provider AS provider,
      l.source_type AS source_type,
      l.source_app_id AS source_app_id,
      l.source_device_id AS source_device_id,
      l.source_sport AS source_sport,
      l.source_workout_id AS source_workout_id,
      l.source_name AS source_name,
      l.source_logo AS source_logo,
      l.id AS id,
      l.data_user_id AS data_user_id,
      l.date_at AS date_at,
      l.calendar_date AS calendar_date,
      l.calories_total_kcal AS calories_total_kcal,
      l.calories_active_kcal AS calories_active_kcal,
      l.steps AS steps,
      l.daily_movement_m AS daily_movement_m,
      l.distance_m AS distance_m,
      l.low_min AS low_min,
      l.medium_min AS medium_min,
      l.high_min AS high_min,
      l.floors_climbed AS floors_climbed,
      l.time_zone AS time_zone,
      l.timezone_offset_s AS timezone_offset_s,
      l.heart_rate_avg_bpm AS heart_rate_avg_bpm,
      l.heart_rate_min_bpm AS heart_rate_min_bpm,
      l.heart_rate_max_bpm AS heart_rate_max_bpm,
      l.heart_rate_resting_bpm AS heart_rate_resting_bpm,
      l.heart_rate_avg_walking_bpm AS heart_rate_avg_walking_bpm,
      l.wheelchair_use AS wheelchair_use,
      l.wheelchair_push AS wheelchair_push,
      l.created_at AS created_at,
      l.updated_at AS updated_at,
      IF(l.extra IS NULL, NULL, IFNULL(SAFE.PARSE_JSON(l.extra, wide_number_mode => 'round'), TO_JSON(l.extra))) AS extra,
      l._version_time AS _version_time,
      l._received_at AS _received_at,
      l._origin AS _origin,
      l._offset AS _offset,
      l._reader AS _reader
    FROM `my-project.health.aorta_landed_activity__3_de7d1b721a1e0632_0_100_b41ace8b_1` AS l
    UNION ALL
    SELECT l.event_type AS event_type,
      l.team_id AS team_id,
      l.user_id AS user_id,
      l.client_user_id AS client_user_id,
      l.provider AS provider,
      l.source_type AS source_type,
      l.source_app_id AS source_app_id,
      l.source_device_id AS source_device_id,
      l.source_sport AS source_sport,
      l.source_workout_id AS source_workout_id,
      l.source_name AS source_name,
      l.source_logo AS source_logo,
      l.id AS id,
      l.data_user_id AS data_user_id,
      l.date_at AS date_at,
      l.calendar_date AS calendar_date,
      l.calories_total_kcal AS calories_total_kcal,
      l.calories_active_kcal AS calories_active_kcal,
      l.steps AS steps,
      l.daily_movement_m AS daily_movement_m,
      l.distance_m AS distance_m,
      l.low_min AS low_min,
      l.medium_min AS medium_min,
      l.high_min AS high_min,
      l.floors_climbed AS floors_climbed,
      l.time_zone AS time_zone,
      l.timezone_offset_s AS timezone_offset_s,
      l.heart_rate_avg_bpm AS heart_rate_avg_bpm,
      l.heart_rate_min_bpm AS heart_rate_min_bpm,
      l.heart_rate_max_bpm AS heart_rate_max_bpm,
      l.heart_rate_resting_bpm AS heart_rate_resting_bpm,
      l.heart_rate_avg_walking_bpm AS heart_rate_avg_walking_bpm,
      l.wheelchair_use AS wheelchair_use,
      l.wheelchair_push AS wheelchair_push,
      l.created_at AS created_at,
      l.updated_at AS updated_at,
      IF(l.extra IS NULL, NULL, IFNULL(SAFE.PARSE_JSON(l.extra, wide_number_mode => 'round'), TO_JSON(l.extra))) AS extra,
      l._version_time AS _version_time,
      l._received_at AS _received_at,
      l._origin AS _origin,
      l._offset AS _offset,
      l._reader AS _reader
    FROM `my-project.health.aorta_landed_activity__3_de7d1b721a1e0632_100_200_b41ace8b_1` AS l
  )
  WHERE IFNULL(TO_HEX(SHA256(CONCAT((SELECT MIN(SUBSTR(user_hash, 5)) FROM `my-project.health.aorta_suppressed` WHERE STARTS_WITH(user_hash, 'key:')), user_id))), '') NOT IN (SELECT user_hash FROM `my-project.health.aorta_suppressed`)
    AND IFNULL(TO_HEX(SHA256(CONCAT((SELECT MIN(SUBSTR(user_hash, 5)) FROM `my-project.health.aorta_suppressed` WHERE STARTS_WITH(user_hash, 'key:')), data_user_id))), '') NOT IN (SELECT user_hash FROM `my-project.health.aorta_suppressed`)
  QUALIFY ROW_NUMBER() OVER (PARTITION BY id ORDER BY _version_time DESC, _received_at DESC, _origin DESC, _offset DESC, _reader DESC) = 1
) AS S
ON T.id = S.id
WHEN MATCHED AND (S._version_time > T._version_time OR (S._version_time = T._version_time AND (S._received_at > T._received_at OR (S._received_at = T._received_at AND (S._origin > T._origin OR (S._origin = T._origin AND (S._offset > T._offset OR (S._offset = T._offset AND S._reader > T._reader)))))))) THEN UPDATE SET
  event_type = S.event_type,
  team_id = S.team_id,
  user_id = S.user_id,
  client_user_id = S.client_user_id,
  provider = S.provider,
  source_type = S.source_type,
  source_app_id = S.source_app_id,
  source_device_id = S.source_device_id,
  source_sport = S.source_sport,
  source_workout_id = S.source_workout_id,
  source_name = S.source_name,
  source_logo = S.source_logo,
  data_user_id = S.data_user_id,
  date_at = S.date_at,
  calendar_date = S.calendar_date,
  calories_total_kcal = S.calories_total_kcal,
  calories_active_kcal = S.calories_active_kcal,
  steps = S.steps,
  daily_movement_m = S.daily_movement_m,
  distance_m = S.distance_m,
  low_min = S.low_min,
  medium_min = S.medium_min,
  high_min = S.high_min,
  floors_climbed = S.floors_climbed,
  time_zone = S.time_zone,
  timezone_offset_s = S.timezone_offset_s,
  heart_rate_avg_bpm = S.heart_rate_avg_bpm,
  heart_rate_min_bpm = S.heart_rate_min_bpm,
  heart_rate_max_bpm = S.heart_rate_max_bpm,
  heart_rate_resting_bpm = S.heart_rate_resting_bpm,
  heart_rate_avg_walking_bpm = S.heart_rate_avg_walking_bpm,
  wheelchair_use = S.wheelchair_use,
  wheelchair_push = S.wheelchair_push,
  created_at = S.created_at,
  updated_at = S.updated_at,
  extra = S.extra,
  _version_time = S._version_time,
  _received_at = S._received_at,
  _origin = S._origin,
  _offset = S._offset,
  _reader = S._reader,
  _loaded_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (event_type, team_id, user_id, client_user_id, provider, source_type, source_app_id, source_device_id, source_sport, source_workout_id, source_name, source_logo, id, data_user_id, date_at, calendar_date, calories_total_kcal, calories_active_kcal, steps, daily_movement_m, distance_m, low_min, medium_min, high_min, floors_climbed, time_zone, timezone_offset_s, heart_rate_avg_bpm, heart_rate_min_bpm, heart_rate_max_bpm, heart_rate_resting_bpm, heart_rate_avg_walking_bpm, wheelchair_use, wheelchair_push, created_at, updated_at, extra, _version_time, _received_at, _origin, _offset, _reader, _loaded_at)
VALUES (S.event_type, S.team_id, S.user_id, S.client_user_id, S.provider, S.source_type, S.source_app_id, S.source_device_id, S.source_sport, S.source_workout_id, S.source_name, S.source_logo, S.id, S.data_user_id, S.date_at, S.calendar_date, S.calories_total_kcal, S.calories_active_kcal, S.steps, S.daily_movement_m, S.distance_m, S.low_min, S.medium_min, S.high_min, S.floors_climbed, S.time_zone, S.timezone_offset_s, S.heart_rate_avg_bpm, S.heart_rate_min_bpm, S.heart_rate_max_bpm, S.heart_rate_resting_bpm, S.heart_rate_avg_walking_bpm, S.wheelchair_use, S.wheelchair_push, S.created_at, S.updated_at, S.extra, S._version_time, S._received_at, S._origin, S._offset, S._reader, CURRENT_TIMESTAMP());

INSERT INTO `my-project.health.aorta_merged` (batch, target, extent, dates, merged_at)
VALUES ('aorta_landed_activity__3_de7d1b721a1e0632_0_100_b41ace8b_1', 'activity', 'recent', CAST([] AS ARRAY<DATE>), CURRENT_TIMESTAMP()),
  ('aorta_landed_activity__3_de7d1b721a1e0632_100_200_b41ace8b_1', 'activity', 'recent', CAST([] AS ARRAY<DATE>), CURRENT_TIMESTAMP());

COMMIT TRANSACTION;
