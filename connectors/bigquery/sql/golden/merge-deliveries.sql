BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_deliveries` AS T
USING (SELECT 'deliveries' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

MERGE INTO `my-project.health.deliveries` AS T
USING (
  SELECT *, CASE WHEN d.dead_letter_reason IS NOT NULL THEN 0 WHEN d.redelivered THEN 1 WHEN d.stream = 'unrouted' THEN 2 ELSE 3 END AS _reached
  FROM (
    SELECT l.d_source AS source,
      l.d_source_partition AS source_partition,
      l.d_source_offset AS source_offset,
      l.d_received_at AS received_at,
      l.d_event_type AS event_type,
      l.d_delivery_id AS delivery_id,
      l.d_team_id AS team_id,
      l.d_user_id AS user_id,
      l.d_client_user_id AS client_user_id,
      l.d_provider AS provider,
      l.d_source_type AS source_type,
      l.d_resource AS resource,
      l.d_samples AS samples,
      'timeseries' AS stream,
      l.d_dead_letter_reason AS dead_letter_reason,
      l.d_redelivered AS redelivered,
      l.d_body_bytes AS body_bytes,
      l.d_body_crc32 AS body_crc32,
      l.d_arrived_at AS arrived_at,
      l._reader AS _reader,
      GREATEST(DATE '2010-01-01', LEAST(DATE '2036-12-31', DATE(l.d_received_at))) AS _day
    FROM `my-project.health.aorta_landed_timeseries__3_de7d1b721a1e0632_0_100_50014c4e_1` AS l
    WHERE l.d_counts
    UNION ALL
    SELECT l.d_source AS source,
      l.d_source_partition AS source_partition,
      l.d_source_offset AS source_offset,
      l.d_received_at AS received_at,
      l.d_event_type AS event_type,
      l.d_delivery_id AS delivery_id,
      l.d_team_id AS team_id,
      l.d_user_id AS user_id,
      l.d_client_user_id AS client_user_id,
      l.d_provider AS provider,
      l.d_source_type AS source_type,
      l.d_resource AS resource,
      l.d_samples AS samples,
      'dead_letters' AS stream,
      l.d_dead_letter_reason AS dead_letter_reason,
      l.d_redelivered AS redelivered,
      l.d_body_bytes AS body_bytes,
      l.d_body_crc32 AS body_crc32,
      l.d_arrived_at AS arrived_at,
      l._reader AS _reader,
      GREATEST(DATE '2010-01-01', LEAST(DATE '2036-12-31', DATE(l.d_received_at))) AS _day
    FROM `my-project.health.aorta_landed_dead_letters__3_de7d1b721a1e0632_7_107_e7f78449_1` AS l
    WHERE l.d_counts
  ) AS d
  WHERE _day IN (DATE '2026-03-28', DATE '2026-03-29')
    AND IFNULL(TO_HEX(SHA256(CONCAT((SELECT MIN(SUBSTR(user_hash, 5)) FROM `my-project.health.aorta_suppressed` WHERE STARTS_WITH(user_hash, 'key:')), user_id))), '') NOT IN (SELECT user_hash FROM `my-project.health.aorta_suppressed`)
  QUALIFY ROW_NUMBER() OVER (PARTITION BY source, source_partition, source_offset, received_at ORDER BY _reached DESC, _reader DESC) = 1
) AS S
ON T._day IN (DATE '2026-03-28', DATE '2026-03-29')
  AND T.source = S.source
  AND T.source_partition = S.source_partition
  AND T.source_offset = S.source_offset
  AND T.received_at = S.received_at
WHEN MATCHED AND (S._reached > CASE WHEN T.dead_letter_reason IS NOT NULL THEN 0 WHEN T.redelivered THEN 1 WHEN T.stream = 'unrouted' THEN 2 ELSE 3 END OR (S._reached = CASE WHEN T.dead_letter_reason IS NOT NULL THEN 0 WHEN T.redelivered THEN 1 WHEN T.stream = 'unrouted' THEN 2 ELSE 3 END AND S._reader > T._reader)) THEN UPDATE SET
  event_type = S.event_type,
  delivery_id = S.delivery_id,
  team_id = S.team_id,
  user_id = S.user_id,
  client_user_id = S.client_user_id,
  provider = S.provider,
  source_type = S.source_type,
  resource = S.resource,
  samples = S.samples,
  stream = S.stream,
  dead_letter_reason = S.dead_letter_reason,
  redelivered = S.redelivered,
  body_bytes = S.body_bytes,
  body_crc32 = S.body_crc32,
  arrived_at = S.arrived_at,
  _reader = S._reader,
  _loaded_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (source, source_partition, source_offset, received_at, event_type, delivery_id, team_id, user_id, client_user_id, provider, source_type, resource, samples, stream, dead_letter_reason, redelivered, body_bytes, body_crc32, arrived_at, _reader, _day, _loaded_at)
VALUES (S.source, S.source_partition, S.source_offset, S.received_at, S.event_type, S.delivery_id, S.team_id, S.user_id, S.client_user_id, S.provider, S.source_type, S.resource, S.samples, S.stream, S.dead_letter_reason, S.redelivered, S.body_bytes, S.body_crc32, S.arrived_at, S._reader, S._day, CURRENT_TIMESTAMP());

INSERT INTO `my-project.health.aorta_merged` (batch, target, extent, dates, merged_at)
VALUES ('aorta_landed_timeseries__3_de7d1b721a1e0632_0_100_50014c4e_1', 'deliveries', 'recent', [DATE '2026-03-29'], CURRENT_TIMESTAMP()),
  ('aorta_landed_dead_letters__3_de7d1b721a1e0632_7_107_e7f78449_1', 'deliveries', 'recent', [DATE '2026-03-28', DATE '2026-03-29'], CURRENT_TIMESTAMP());

COMMIT TRANSACTION;
