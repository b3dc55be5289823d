INSERT INTO `my-project.health.aorta_suppressed` (user_hash, suppressed_at)
SELECT TO_HEX(SHA256(CONCAT((SELECT MIN(value) FROM `my-project.health.aorta_meta` WHERE name = 'suppression_key'), @user))), CURRENT_TIMESTAMP() FROM UNNEST([1]) AS once
WHERE TO_HEX(SHA256(CONCAT((SELECT MIN(value) FROM `my-project.health.aorta_meta` WHERE name = 'suppression_key'), @user))) NOT IN (SELECT user_hash FROM `my-project.health.aorta_suppressed`)
BEGIN TRANSACTION;

UPDATE `my-project.health.aorta_fences`
SET merges = merges + 1, merged_at = CURRENT_TIMESTAMP()
WHERE target = 'activity';

DELETE FROM `my-project.health.activity`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

UPDATE `my-project.health.aorta_fences`
SET merges = merges + 1, merged_at = CURRENT_TIMESTAMP()
WHERE target = 'blood_pressure';

DELETE FROM `my-project.health.blood_pressure`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

UPDATE `my-project.health.aorta_fences`
SET merges = merges + 1, merged_at = CURRENT_TIMESTAMP()
WHERE target = 'body';

DELETE FROM `my-project.health.body`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

UPDATE `my-project.health.aorta_fences`
SET merges = merges + 1, merged_at = CURRENT_TIMESTAMP()
WHERE target = 'connection_events';

DELETE FROM `my-project.health.connection_events`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

UPDATE `my-project.health.aorta_fences`
SET merges = merges + 1, merged_at = CURRENT_TIMESTAMP()
WHERE target = 'continuous_query_results';

DELETE FROM `my-project.health.continuous_query_results`
WHERE user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

UPDATE `my-project.health.aorta_fences`
SET merges = merges + 1, merged_at = CURRENT_TIMESTAMP()
WHERE target = 'delivery_failures';

DELETE FROM `my-project.health.delivery_failures`
WHERE user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

UPDATE `my-project.health.aorta_fences`
SET merges = merges + 1, merged_at = CURRENT_TIMESTAMP()
WHERE target = 'devices';

DELETE FROM `my-project.health.devices`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

UPDATE `my-project.health.aorta_fences`
SET merges = merges + 1, merged_at = CURRENT_TIMESTAMP()
WHERE target = 'electrocardiogram';

DELETE FROM `my-project.health.electrocardiogram`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

UPDATE `my-project.health.aorta_fences`
SET merges = merges + 1, merged_at = CURRENT_TIMESTAMP()
WHERE target = 'historical_completions';

DELETE FROM `my-project.health.historical_completions`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

UPDATE `my-project.health.aorta_fences`
SET merges = merges + 1, merged_at = CURRENT_TIMESTAMP()
WHERE target = 'lab_appointments';

DELETE FROM `my-project.health.lab_appointments`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

UPDATE `my-project.health.aorta_fences`
SET merges = merges + 1, merged_at = CURRENT_TIMESTAMP()
WHERE target = 'lab_critical_results';

DELETE FROM `my-project.health.lab_critical_results`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

UPDATE `my-project.health.aorta_fences`
SET merges = merges + 1, merged_at = CURRENT_TIMESTAMP()
WHERE target = 'lab_match_reviews';

DELETE FROM `my-project.health.lab_match_reviews`
WHERE user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

UPDATE `my-project.health.aorta_fences`
SET merges = merges + 1, merged_at = CURRENT_TIMESTAMP()
WHERE target = 'lab_orders';

DELETE FROM `my-project.health.lab_orders`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

UPDATE `my-project.health.aorta_fences`
SET merges = merges + 1, merged_at = CURRENT_TIMESTAMP()
WHERE target = 'lab_report_parsing_jobs';

DELETE FROM `my-project.health.lab_report_parsing_jobs`
WHERE user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

UPDATE `my-project.health.aorta_fences`
SET merges = merges + 1, merged_at = CURRENT_TIMESTAMP()
WHERE target = 'meal';

DELETE FROM `my-project.health.meal`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

UPDATE `my-project.health.aorta_fences`
SET merges = merges + 1, merged_at = CURRENT_TIMESTAMP()
WHERE target = 'menstrual_cycle';

DELETE FROM `my-project.health.menstrual_cycle`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

UPDATE `my-project.health.aorta_fences`
SET merges = merges + 1, merged_at = CURRENT_TIMESTAMP()
WHERE target = 'notes';

DELETE FROM `my-project.health.notes`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

UPDATE `my-project.health.aorta_fences`
SET merges = merges + 1, merged_at = CURRENT_TIMESTAMP()
WHERE target = 'profile';

DELETE FROM `my-project.health.profile`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

UPDATE `my-project.health.aorta_fences`
SET merges = merges + 1, merged_at = CURRENT_TIMESTAMP()
WHERE target = 'raw_events';

DELETE FROM `my-project.health.raw_events`
WHERE user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

UPDATE `my-project.health.aorta_fences`
SET merges = merges + 1, merged_at = CURRENT_TIMESTAMP()
WHERE target = 'sleep';

DELETE FROM `my-project.health.sleep`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

UPDATE `my-project.health.aorta_fences`
SET merges = merges + 1, merged_at = CURRENT_TIMESTAMP()
WHERE target = 'sleep_cycle';

DELETE FROM `my-project.health.sleep_cycle`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

UPDATE `my-project.health.aorta_fences`
SET merges = merges + 1, merged_at = CURRENT_TIMESTAMP()
WHERE target = 'timeseries';

DELETE FROM `my-project.health.timeseries`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

UPDATE `my-project.health.aorta_fences`
SET merges = merges + 1, merged_at = CURRENT_TIMESTAMP()
WHERE target = 'workout_stream_events';

DELETE FROM `my-project.health.workout_stream_events`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

UPDATE `my-project.health.aorta_fences`
SET merges = merges + 1, merged_at = CURRENT_TIMESTAMP()
WHERE target = 'workouts';

DELETE FROM `my-project.health.workouts`
WHERE user_id = @user OR data_user_id = @user;

COMMIT TRANSACTION;

BEGIN TRANSACTION;

UPDATE `my-project.health.aorta_fences`
SET merges = merges + 1, merged_at = CURRENT_TIMESTAMP()
WHERE target = 'deliveries';

DELETE FROM `my-project.health.deliveries`
WHERE user_id = @user;

COMMIT TRANSACTION;
