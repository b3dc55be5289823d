const googleFit = 'https://www.googleapis.com/auth/fitness';
const googleHealth = 'https://www.googleapis.com/auth/googlehealth';
const identity: readonly string[] = ['openid', 'email'];

/** The permissions that users can grant, by the provider. */
export const scopes: Readonly<Record<string, readonly string[]>> = {
  fitbit: [
    ...['heartrate', 'oxygen_saturation', 'cardio_fitness', 'respiratory_rate', 'activity', 'location', 'nutrition'],
    ...['profile', 'settings', 'sleep', 'social', 'weight', 'temperature'],
  ],
  google_fit: [
    ...identity,
    ...['activity', 'body', 'sleep', 'blood_glucose', 'blood_pressure', 'heart_rate', 'nutrition', 'location'].map(
      (name) => `${googleFit}.${name}.read`,
    ),
  ],
  google_health: [
    ...identity,
    ...[
      ...['activity_and_fitness', 'sleep', 'health_metrics_and_measurements', 'nutrition', 'ecg', 'irn'],
      ...['location', 'profile', 'settings'],
    ].map((name) => `${googleHealth}.${name}.readonly`),
  ],
  oura: ['email', 'personal', 'daily', 'heartrate', 'workout', 'tag', 'session'],
  strava: ['activity:read_all', 'activity:write', 'profile:write', 'profile:read_all'],
  withings: ['user.activity', 'user.metrics', 'user.sleepevents'],
  wahoo: ['email', 'user_read', 'workouts_read', 'offline_data'],
  whoop_v2: [
    ...['read:recovery', 'read:cycles', 'read:workout', 'read:sleep', 'read:profile', 'read:body_measurement', 'offline'],
  ],
  my_fitness_pal_v2: ['diary', 'measurements', 'private-exercises', 'subscriptions'],
};
