INSERT INTO `my-project.health.aorta_suppressed` (user_hash, suppressed_at)
SELECT TO_HEX(SHA256(CONCAT((SELECT MIN(SUBSTR(user_hash, 5)) FROM `my-project.health.aorta_suppressed` WHERE STARTS_WITH(user_hash, 'key:')), @user))), CURRENT_TIMESTAMP() FROM UNNEST([1]) AS once
WHERE TO_HEX(SHA256(CONCAT((SELECT MIN(SUBSTR(user_hash, 5)) FROM `my-project.health.aorta_suppressed` WHERE STARTS_WITH(user_hash, 'key:')), @user))) NOT IN (SELECT user_hash FROM `my-project.health.aorta_suppressed`)
BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_activity` AS T
USING (SELECT 'activity' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.activity`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_backfills` AS T
USING (SELECT 'backfills' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.backfills`
WHERE user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_blood_pressure` AS T
USING (SELECT 'blood_pressure' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.blood_pressure`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_body` AS T
USING (SELECT 'body' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.body`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_connection_events` AS T
USING (SELECT 'connection_events' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.connection_events`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_continuous_query_results` AS T
USING (SELECT 'continuous_query_results' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.continuous_query_results`
WHERE user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_delivery_failures` AS T
USING (SELECT 'delivery_failures' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.delivery_failures`
WHERE user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_devices` AS T
USING (SELECT 'devices' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.devices`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_electrocardiogram` AS T
USING (SELECT 'electrocardiogram' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.electrocardiogram`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_historical_completions` AS T
USING (SELECT 'historical_completions' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.historical_completions`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_historical_pull_tracks` AS T
USING (SELECT 'historical_pull_tracks' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.historical_pull_tracks`
WHERE user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_introspection_polls` AS T
USING (SELECT 'introspection_polls' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.introspection_polls`
WHERE user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_lab_appointments` AS T
USING (SELECT 'lab_appointments' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.lab_appointments`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_lab_critical_results` AS T
USING (SELECT 'lab_critical_results' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.lab_critical_results`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_lab_markers` AS T
USING (SELECT 'lab_markers' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.lab_markers`
WHERE user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_lab_match_reviews` AS T
USING (SELECT 'lab_match_reviews' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.lab_match_reviews`
WHERE user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_lab_orders` AS T
USING (SELECT 'lab_orders' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.lab_orders`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_lab_report_parsing_jobs` AS T
USING (SELECT 'lab_report_parsing_jobs' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.lab_report_parsing_jobs`
WHERE user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_lab_results` AS T
USING (SELECT 'lab_results' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.lab_results`
WHERE user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_lab_tests` AS T
USING (SELECT 'lab_tests' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.lab_tests`
WHERE user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_meal` AS T
USING (SELECT 'meal' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.meal`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_menstrual_cycle` AS T
USING (SELECT 'menstrual_cycle' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.menstrual_cycle`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_notes` AS T
USING (SELECT 'notes' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.notes`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_profile` AS T
USING (SELECT 'profile' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.profile`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_raw_events` AS T
USING (SELECT 'raw_events' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.raw_events`
WHERE user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_sent_resources` AS T
USING (SELECT 'sent_resources' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.sent_resources`
WHERE user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_sleep` AS T
USING (SELECT 'sleep' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.sleep`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_sleep_cycle` AS T
USING (SELECT 'sleep_cycle' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.sleep_cycle`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_timeseries` AS T
USING (SELECT 'timeseries' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.timeseries`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_user_connections` AS T
USING (SELECT 'user_connections' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.user_connections`
WHERE user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_user_states` AS T
USING (SELECT 'user_states' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.user_states`
WHERE user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_users` AS T
USING (SELECT 'users' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.users`
WHERE user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_workout_stream_events` AS T
USING (SELECT 'workout_stream_events' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.workout_stream_events`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_workout_streams` AS T
USING (SELECT 'workout_streams' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.workout_streams`
WHERE user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_workouts` AS T
USING (SELECT 'workouts' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.workouts`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

MERGE INTO `my-project.health.aorta_fence_deliveries` AS T
USING (SELECT 'deliveries' AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP());

DELETE FROM `my-project.health.deliveries`
WHERE user_id = @user;

COMMIT TRANSACTION;
