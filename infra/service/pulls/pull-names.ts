/* The names that the preferences of historical pulls accept. This service pulls only some of them. */

export const pullProviders: readonly string[] = [
  ...['oura', 'fitbit', 'garmin', 'strava', 'withings', 'peloton', 'wahoo', 'zwift', 'freestyle_libre'],
  ...['abbott_libreview', 'eight_sleep', 'renpho', 'omron', 'dexcom_v3', 'hammerhead', 'polar', 'cronometer'],
  ...['kardia', 'whoop_v2', 'my_fitness_pal_v2', 'map_my_fitness', 'runkeeper', 'apple_health_kit'],
  ...['google_fit', 'beurer_api', 'ultrahuman', 'google_health'],
];

export const pullResources: readonly string[] = [
  ...['profile', 'activity', 'sleep', 'body', 'workouts', 'workout_stream', 'connection', 'order', 'result'],
  ...['match_review', 'appointment', 'result_table', 'glucose', 'heartrate', 'hrv', 'ige', 'igg'],
  ...['blood_oxygen', 'blood_pressure', 'cholesterol', 'device', 'device_legacy', 'weight', 'fat'],
  ...['body_temperature', 'body_temperature_delta', 'meal', 'water', 'caffeine', 'mindfulness_minutes'],
  ...['steps', 'calories_active', 'distance', 'floors_climbed', 'respiratory_rate', 'vo2_max'],
  ...['calories_basal', 'stress_level', 'menstrual_cycle', 'sleep_cycle', 'electrocardiogram'],
  ...['electrocardiogram_voltage', 'afib_burden', 'heart_rate_alert', 'stand_hour', 'stand_duration'],
  ...['sleep_apnea_alert', 'sleep_breathing_disturbance', 'wheelchair_push', 'forced_expiratory_volume_1'],
  ...['forced_vital_capacity', 'peak_expiratory_flow_rate', 'inhaler_usage', 'fall', 'uv_exposure'],
  ...['daylight_exposure', 'handwashing', 'basal_body_temperature', 'heart_rate_recovery_one_minute'],
  ...['body_mass_index', 'lean_body_mass', 'waist_circumference', 'workout_distance'],
  ...['workout_swimming_stroke', 'workout_duration', 'insulin_injection', 'carbohydrates', 'note'],
  ...['sleep_stream', 'hypnogram'],
];
