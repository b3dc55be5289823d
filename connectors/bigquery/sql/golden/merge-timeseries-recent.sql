BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_timeseries` AS T
USING (SELECT 'timeseries' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

INSERT INTO `my-project.health.aorta_changed_days` (user_id, from_date, to_date, changed_at)
WITH landed AS (
  SELECT *
  FROM (
    SELECT l.user_id AS user_id,
      s.start_at AS start_at,
      s.timezone_offset_s AS timezone_offset_s,
      GREATEST(DATE '2010-01-01', LEAST(DATE '2036-12-31', DATE(s.start_at))) AS _day,
      place AS _place
    FROM `my-project.health.aorta_landed_timeseries__3_de7d1b721a1e0632_0_100_50014c4e_1` AS l, UNNEST(l._samples) AS s WITH OFFSET AS place
    UNION ALL
    SELECT l.user_id AS user_id,
      s.start_at AS start_at,
      s.timezone_offset_s AS timezone_offset_s,
      GREATEST(DATE '2010-01-01', LEAST(DATE '2036-12-31', DATE(s.start_at))) AS _day,
      place AS _place
    FROM `my-project.health.aorta_landed_timeseries__3_de7d1b721a1e0632_100_200_50014c4e_1` AS l, UNNEST(l._samples) AS s WITH OFFSET AS place
  )
  WHERE user_id IS NOT NULL AND _day IN (DATE '2026-03-28', DATE '2026-03-29')
    AND IFNULL(TO_HEX(SHA256(CONCAT((SELECT MIN(SUBSTR(user_hash, 5)) FROM `my-project.health.aorta_suppressed` WHERE STARTS_WITH(user_hash, 'key:')), user_id))), '') NOT IN (SELECT user_hash FROM `my-project.health.aorta_suppressed`)
),
changed AS (
  SELECT
    user_id, MIN(first_date) AS first_day, MAX(last_date) AS last_day, LOGICAL_OR(is_zoned) AS is_zoned
  FROM (
    SELECT user_id, DATE(start_at) AS first_date, DATE(start_at) AS last_date, (timezone_offset_s IS NOT NULL OR FALSE) AS is_zoned
    FROM landed
  )
  WHERE user_id IS NOT NULL
  GROUP BY user_id
),
known AS (
  SELECT user_id, MIN(DATE(start_at)) AS known_day
  FROM `my-project.health.timeseries`
  WHERE (timezone_offset_s IS NOT NULL OR FALSE) AND _day IN (DATE '2026-03-25', DATE '2026-03-26', DATE '2026-03-27', DATE '2026-03-28')
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

MERGE INTO `my-project.health.timeseries` AS T
USING (
  SELECT *,
    IF(time_basis = 'floating', DATE(start_at),
      DATE(SAFE.TIMESTAMP_ADD(start_at, INTERVAL timezone_offset_s SECOND))) AS local_date
  FROM (
    SELECT l.event_type AS event_type,
      l.team_id AS team_id,
      l.user_id AS user_id,
      l.client_user_id AS client_user_id,
      l.resource AS resource,
      l.provider AS provider,
      l.source_type AS source_type,
      l.source_app_id AS source_app_id,
      l.source_device_id AS source_device_id,
      l.source_sport AS source_sport,
      IFNULL(l.source_workout_id, '') AS source_workout_id,
      l.source_name AS source_name,
      l.source_logo AS source_logo,
      l.time_basis AS time_basis,
      l.data_user_id AS data_user_id,
      l.data_source_id AS data_source_id,
      CAST(NULL AS JSON) AS legacy_provider,
      s.start_at AS start_at,
      s.timezone_offset_s AS timezone_offset_s,
      s.end_at AS end_at,
      s.value AS value,
      s.sensor_location AS sensor_location,
      s.intensity AS intensity,
      s.delivery_mode AS delivery_mode,
      CAST(NULL AS STRING) AS delivery_form,
      s.bolus_purpose AS bolus_purpose,
      IFNULL(s.sample_type, '') AS sample_type,
      s.unit AS unit,
      s.sample_id AS sample_id,
      IF(s.sample_extra IS NULL, NULL, IFNULL(SAFE.PARSE_JSON(s.sample_extra, wide_number_mode => 'round'), TO_JSON(s.sample_extra))) AS sample_extra,
      IF(l.extra IS NULL, NULL, IFNULL(SAFE.PARSE_JSON(l.extra, wide_number_mode => 'round'), TO_JSON(l.extra))) AS extra,
      l._received_at AS _received_at,
      l._origin AS _origin,
      l._offset AS _offset,
      l._reader AS _reader,
      GREATEST(DATE '2010-01-01', LEAST(DATE '2036-12-31', DATE(s.start_at))) AS _day,
      place AS _place
    FROM `my-project.health.aorta_landed_timeseries__3_de7d1b721a1e0632_0_100_50014c4e_1` AS l, UNNEST(l._samples) AS s WITH OFFSET AS place
    UNION ALL
    SELECT l.event_type AS event_type,
      l.team_id AS team_id,
      l.user_id AS user_id,
      l.client_user_id AS client_user_id,
      l.resource AS resource,
      l.provider AS provider,
      l.source_type AS source_type,
      l.source_app_id AS source_app_id,
      l.source_device_id AS source_device_id,
      l.source_sport AS source_sport,
      IFNULL(l.source_workout_id, '') AS source_workout_id,
      l.source_name AS source_name,
      l.source_logo AS source_logo,
      l.time_basis AS time_basis,
      l.data_user_id AS data_user_id,
      l.data_source_id AS data_source_id,
      IF(l.legacy_provider IS NULL, NULL, IFNULL(SAFE.PARSE_JSON(l.legacy_provider, wide_number_mode => 'round'), TO_JSON(l.legacy_provider))) AS legacy_provider,
      s.start_at AS start_at,
      s.timezone_offset_s AS timezone_offset_s,
      s.end_at AS end_at,
      s.value AS value,
      s.sensor_location AS sensor_location,
      s.intensity AS intensity,
      s.delivery_mode AS delivery_mode,
      s.delivery_form AS delivery_form,
      s.bolus_purpose AS bolus_purpose,
      IFNULL(s.sample_type, '') AS sample_type,
      s.unit AS unit,
      s.sample_id AS sample_id,
      IF(s.sample_extra IS NULL, NULL, IFNULL(SAFE.PARSE_JSON(s.sample_extra, wide_number_mode => 'round'), TO_JSON(s.sample_extra))) AS sample_extra,
      IF(l.extra IS NULL, NULL, IFNULL(SAFE.PARSE_JSON(l.extra, wide_number_mode => 'round'), TO_JSON(l.extra))) AS extra,
      l._received_at AS _received_at,
      l._origin AS _origin,
      l._offset AS _offset,
      l._reader AS _reader,
      GREATEST(DATE '2010-01-01', LEAST(DATE '2036-12-31', DATE(s.start_at))) AS _day,
      place AS _place
    FROM `my-project.health.aorta_landed_timeseries__3_de7d1b721a1e0632_100_200_50014c4e_1` AS l, UNNEST(l._samples) AS s WITH OFFSET AS place
  )
  WHERE _day IN (DATE '2026-03-28', DATE '2026-03-29')
    AND IFNULL(TO_HEX(SHA256(CONCAT((SELECT MIN(SUBSTR(user_hash, 5)) FROM `my-project.health.aorta_suppressed` WHERE STARTS_WITH(user_hash, 'key:')), user_id))), '') NOT IN (SELECT user_hash FROM `my-project.health.aorta_suppressed`)
    AND IFNULL(TO_HEX(SHA256(CONCAT((SELECT MIN(SUBSTR(user_hash, 5)) FROM `my-project.health.aorta_suppressed` WHERE STARTS_WITH(user_hash, 'key:')), data_user_id))), '') NOT IN (SELECT user_hash FROM `my-project.health.aorta_suppressed`)
  QUALIFY ROW_NUMBER() OVER (
    PARTITION BY user_id, resource, provider, source_type, start_at, IF(resource IN ('cholesterol', 'electrocardiogram_voltage', 'heart_rate_alert', 'ige', 'igg', 'insulin_injection', 'sleep_breathing_disturbance', 'stand_hour'), sample_type, ''), IF(STARTS_WITH(resource, 'workout_'), source_workout_id, '')
    ORDER BY _received_at DESC, _origin DESC, _offset DESC, _reader DESC, _place DESC
  ) = 1
) AS S
ON T._day IN (DATE '2026-03-28', DATE '2026-03-29')
  AND T.user_id = S.user_id
  AND T.resource = S.resource
  AND T.provider = S.provider
  AND T.source_type = S.source_type
  AND T.start_at = S.start_at
  AND IF(T.resource IN ('cholesterol', 'electrocardiogram_voltage', 'heart_rate_alert', 'ige', 'igg', 'insulin_injection', 'sleep_breathing_disturbance', 'stand_hour'), T.sample_type, '') = IF(S.resource IN ('cholesterol', 'electrocardiogram_voltage', 'heart_rate_alert', 'ige', 'igg', 'insulin_injection', 'sleep_breathing_disturbance', 'stand_hour'), S.sample_type, '')
  AND IF(STARTS_WITH(T.resource, 'workout_'), T.source_workout_id, '') = IF(STARTS_WITH(S.resource, 'workout_'), S.source_workout_id, '')
WHEN MATCHED AND (S._received_at > T._received_at OR (S._received_at = T._received_at AND (S._origin > T._origin OR (S._origin = T._origin AND (S._offset > T._offset OR (S._offset = T._offset AND S._reader > T._reader)))))) THEN UPDATE SET
  event_type = S.event_type,
  team_id = S.team_id,
  client_user_id = S.client_user_id,
  source_app_id = S.source_app_id,
  source_device_id = S.source_device_id,
  source_sport = S.source_sport,
  source_workout_id = S.source_workout_id,
  source_name = S.source_name,
  source_logo = S.source_logo,
  time_basis = S.time_basis,
  data_user_id = S.data_user_id,
  data_source_id = S.data_source_id,
  legacy_provider = S.legacy_provider,
  timezone_offset_s = S.timezone_offset_s,
  end_at = S.end_at,
  value = S.value,
  sensor_location = S.sensor_location,
  intensity = S.intensity,
  delivery_mode = S.delivery_mode,
  delivery_form = S.delivery_form,
  bolus_purpose = S.bolus_purpose,
  sample_type = S.sample_type,
  unit = S.unit,
  sample_id = S.sample_id,
  sample_extra = S.sample_extra,
  extra = S.extra,
  local_date = S.local_date,
  _received_at = S._received_at,
  _origin = S._origin,
  _offset = S._offset,
  _reader = S._reader,
  _loaded_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (event_type, team_id, user_id, client_user_id, resource, provider, source_type, source_app_id, source_device_id, source_sport, source_workout_id, source_name, source_logo, time_basis, data_user_id, data_source_id, legacy_provider, start_at, timezone_offset_s, end_at, value, sensor_location, intensity, delivery_mode, delivery_form, bolus_purpose, sample_type, unit, sample_id, sample_extra, extra, local_date, _day, _received_at, _origin, _offset, _reader, _loaded_at)
VALUES (S.event_type, S.team_id, S.user_id, S.client_user_id, S.resource, S.provider, S.source_type, S.source_app_id, S.source_device_id, S.source_sport, S.source_workout_id, S.source_name, S.source_logo, S.time_basis, S.data_user_id, S.data_source_id, S.legacy_provider, S.start_at, S.timezone_offset_s, S.end_at, S.value, S.sensor_location, S.intensity, S.delivery_mode, S.delivery_form, S.bolus_purpose, S.sample_type, S.unit, S.sample_id, S.sample_extra, S.extra, S.local_date, S._day, S._received_at, S._origin, S._offset, S._reader, CURRENT_TIMESTAMP());

INSERT INTO `my-project.health.aorta_merged` (batch, target, extent, dates, merged_at)
VALUES ('aorta_landed_timeseries__3_de7d1b721a1e0632_0_100_50014c4e_1', 'timeseries', 'recent', [DATE '2026-03-28'], CURRENT_TIMESTAMP()),
  ('aorta_landed_timeseries__3_de7d1b721a1e0632_100_200_50014c4e_1', 'timeseries', 'recent', [DATE '2026-03-28', DATE '2026-03-29'], CURRENT_TIMESTAMP());

COMMIT TRANSACTION;
