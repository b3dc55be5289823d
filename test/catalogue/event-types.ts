/** Event types, copied by hand from the service's catalogue of events. Tests compare catalogue.json and our routes with this list. */

const summaries = [
  'activity',
  'body',
  'electrocardiogram',
  'meal',
  'menstrual_cycle',
  'profile',
  'sleep',
  'sleep_cycle',
  'workout_stream',
  'workouts',
];

/** Resources whose events contain samples. */
export const timeseries: readonly string[] = [
  'afib_burden',
  'basal_body_temperature',
  'blood_oxygen',
  'blood_pressure',
  'body_mass_index',
  'body_temperature',
  'body_temperature_delta',
  'caffeine',
  'calories_active',
  'calories_basal',
  'carbohydrates',
  'cholesterol',
  'daylight_exposure',
  'distance',
  'electrocardiogram_voltage',
  'fall',
  'fat',
  'floors_climbed',
  'forced_expiratory_volume_1',
  'forced_vital_capacity',
  'glucose',
  'handwashing',
  'heart_rate_alert',
  'heart_rate_recovery_one_minute',
  'heartrate',
  'hrv',
  'ige',
  'igg',
  'inhaler_usage',
  'insulin_injection',
  'lean_body_mass',
  'mindfulness_minutes',
  'note',
  'peak_expiratory_flow_rate',
  'respiratory_rate',
  'sleep_apnea_alert',
  'sleep_breathing_disturbance',
  'stand_duration',
  'stand_hour',
  'steps',
  'stress_level',
  'uv_exposure',
  'vo2_max',
  'waist_circumference',
  'water',
  'weight',
  'wheelchair_push',
  'workout_distance',
  'workout_duration',
  'workout_swimming_stroke',
];

/** Resources that can have several samples with the same timestamp. The type of the sample distinguishes them. */
export const keyedByType: readonly string[] = [
  'cholesterol',
  'electrocardiogram_voltage',
  'heart_rate_alert',
  'ige',
  'igg',
  'insulin_injection',
  'sleep_breathing_disturbance',
  'stand_hour',
];

const others = [
  'continuous_query.result_table.changed',
  'lab_report.parsing_job.created',
  'lab_report.parsing_job.updated',
  'labtest.appointment.created',
  'labtest.appointment.updated',
  'labtest.match_review.created',
  'labtest.match_review.updated',
  'labtest.order.created',
  'labtest.order.updated',
  'labtest.result.critical',
  'provider.connection.created',
  'provider.connection.error',
  'provider.device.created',
  'provider.device.updated',
];

const resources = [...summaries, ...timeseries];

/** The 194 event types that the service sends. */
export const currentEventTypes: readonly string[] = [
  ...resources.flatMap((resource) => [`daily.data.${resource}.created`, `daily.data.${resource}.updated`]),
  ...resources.map((resource) => `historical.data.${resource}.created`),
  ...others,
];

/**
 * Event types that the service no longer uses, but which old exports and replays contain. One page of the service's documentation
 * calls hypnogram events `daily.timeseries.…`, but the service's catalogue has never listed these names.
 */
export const retiredEventTypes: readonly string[] = [
  'daily.data.active_energy_burned.created',
  'daily.data.active_energy_burned.updated',
  'daily.data.basal_energy_burned.created',
  'daily.data.basal_energy_burned.updated',
  'daily.data.device.created',
  'daily.data.device.updated',
  'daily.data.distance_running_walking.created',
  'daily.data.distance_running_walking.updated',
  'daily.data.hypnogram.created',
  'daily.data.hypnogram.updated',
  'daily.data.workout_stream.unavailable',
  'daily.workout_stream.created',
  'historical.data.device.created',
  'historical.data.hypnogram.created',
  'labtest.appointment.update',
  'provider.connection.updated',
  'testkit.order.updated',
];

/** Opt-in events, named `raw.{provider}.{dataset}`. The service does not describe their data. */
export const rawEventTypes: readonly string[] = ['raw.fitbit.daily_activity_summary', 'raw.garmin.dailies'];

/** Events that the service's webhook sender reports about itself. */
export const webhookServiceEventTypes: readonly string[] = ['message.attempt.exhausted'];
