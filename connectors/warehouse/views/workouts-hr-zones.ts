/**
 * A row for each zone of the heart rate in a workout: 1 is below 50 % of the highest rate, 2 to 5 are ten points wide each,
 * 6 is above 90 %.
 */
export const workoutsHrZonesView = `create or replace view workouts_hr_zones as
select user_id, id, provider, source_type, generate_subscripts(hr_zones_s, 1) as zone, unnest(hr_zones_s) as duration_s
from workouts`;
