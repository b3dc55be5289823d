/** Additional members that only the samples of some resources have. `timeseries` has a column of the same name for each. */
export const sampleMembers = ['sensor_location', 'intensity', 'delivery_mode', 'delivery_form', 'bolus_purpose'] as const;
/**
 * Returns the resource in an event type, such as `heartrate` in `daily.data.heartrate.created`, or undefined if the event
 * type has none.
 */
export function resourceOf(eventType: string): string | undefined {
  const parts = eventType.split('.');
  return parts.length >= 4 && parts[1] === 'data' && parts[2] !== '' ? parts[2] : undefined;
}

export type SampleMember = (typeof sampleMembers)[number];

/** The streams whose events are batches of samples. */
export type TimeseriesStream = 'timeseries' | 'blood_pressure' | 'notes';

/**
 * A timeseries resource of the service. The resource's route, reader, key, view and reference page are all derived from
 * this declaration.
 */
export interface TimeseriesResource {
  /** Segment of the event type that names the resource, such as `heartrate`. */
  readonly resource: string;
  readonly stream: TimeseriesStream;
  readonly form: 'discrete' | 'interval';
  /** Unit that the service declares for the resource. Each sample is also stored with the unit that it was sent with. */
  readonly unit: string;
  /** Suffix of the value column's name in the view of the resource. */
  readonly suffix: string;
  /** True if several samples may have the same time. The type of a sample is then part of its key. */
  readonly typeIsKey?: true;
  readonly members?: readonly SampleMember[];
  /**
   * True if the service no longer sends the resource, or has announced that it will stop sending it. Older deliveries
   * still contain it.
   */
  readonly retired?: true;
}

/**
 * Resources, sorted by name. For a retired resource, only the name is known. Its unit and form are therefore taken from the
 * resource that replaced it.
 */
export const timeseriesResources: readonly TimeseriesResource[] = [
  { resource: 'active_energy_burned', stream: 'timeseries', form: 'interval', unit: 'kcal', suffix: 'kcal', retired: true },
  { resource: 'afib_burden', stream: 'timeseries', form: 'interval', unit: '%', suffix: 'pct' },
  { resource: 'basal_body_temperature', stream: 'timeseries', form: 'interval', unit: '°C', suffix: 'c' },
  { resource: 'basal_energy_burned', stream: 'timeseries', form: 'interval', unit: 'kcal', suffix: 'kcal', retired: true },
  { resource: 'blood_oxygen', stream: 'timeseries', form: 'discrete', unit: '%', suffix: 'pct' },
  { resource: 'blood_pressure', stream: 'blood_pressure', form: 'discrete', unit: 'mmHg', suffix: 'mmhg' },
  { resource: 'body_mass_index', stream: 'timeseries', form: 'interval', unit: 'index', suffix: 'index' },
  {
    resource: 'body_temperature',
    stream: 'timeseries',
    form: 'interval',
    unit: '°C',
    suffix: 'c',
    members: ['sensor_location'],
  },
  {
    resource: 'body_temperature_delta',
    stream: 'timeseries',
    form: 'interval',
    unit: '°C',
    suffix: 'c',
    members: ['sensor_location'],
  },
  { resource: 'caffeine', stream: 'timeseries', form: 'interval', unit: 'g', suffix: 'g' },
  { resource: 'calories_active', stream: 'timeseries', form: 'interval', unit: 'kcal', suffix: 'kcal' },
  { resource: 'calories_basal', stream: 'timeseries', form: 'discrete', unit: 'kcal', suffix: 'kcal' },
  { resource: 'carbohydrates', stream: 'timeseries', form: 'interval', unit: 'g', suffix: 'g' },
  { resource: 'cholesterol', stream: 'timeseries', form: 'discrete', unit: 'mmol/L', suffix: 'mmol_l', typeIsKey: true },
  { resource: 'daylight_exposure', stream: 'timeseries', form: 'interval', unit: 'min', suffix: 'min' },
  { resource: 'distance', stream: 'timeseries', form: 'interval', unit: 'm', suffix: 'm' },
  { resource: 'distance_running_walking', stream: 'timeseries', form: 'interval', unit: 'm', suffix: 'm', retired: true },
  { resource: 'electrocardiogram_voltage', stream: 'timeseries', form: 'discrete', unit: 'mV', suffix: 'mv', typeIsKey: true },
  { resource: 'fall', stream: 'timeseries', form: 'interval', unit: 'count', suffix: 'count' },
  { resource: 'fat', stream: 'timeseries', form: 'discrete', unit: '%', suffix: 'pct' },
  { resource: 'floors_climbed', stream: 'timeseries', form: 'discrete', unit: 'count', suffix: 'count' },
  { resource: 'forced_expiratory_volume_1', stream: 'timeseries', form: 'interval', unit: 'L', suffix: 'l' },
  { resource: 'forced_vital_capacity', stream: 'timeseries', form: 'interval', unit: 'L', suffix: 'l' },
  { resource: 'glucose', stream: 'timeseries', form: 'discrete', unit: 'mmol/L', suffix: 'mmol_l' },
  { resource: 'handwashing', stream: 'timeseries', form: 'interval', unit: 'count', suffix: 'count' },
  { resource: 'heart_rate_alert', stream: 'timeseries', form: 'interval', unit: 'count', suffix: 'count', typeIsKey: true },
  { resource: 'heart_rate_recovery_one_minute', stream: 'timeseries', form: 'interval', unit: 'count', suffix: 'count' },
  { resource: 'heartrate', stream: 'timeseries', form: 'discrete', unit: 'bpm', suffix: 'bpm' },
  // The service names the unit after the method, RMSSD. The values are in milliseconds.
  { resource: 'hrv', stream: 'timeseries', form: 'discrete', unit: 'rmssd', suffix: 'rmssd_ms' },
  // Sleep stages: 1 deep, 2 light, 3 REM, 4 awake, 5 manual, -1 missing. `sleep_cycle` has replaced this resource.
  { resource: 'hypnogram', stream: 'timeseries', form: 'interval', unit: 'stage', suffix: 'stage', retired: true },
  { resource: 'ige', stream: 'timeseries', form: 'discrete', unit: 'FSU', suffix: 'fsu', typeIsKey: true },
  { resource: 'igg', stream: 'timeseries', form: 'discrete', unit: 'FSU', suffix: 'fsu', typeIsKey: true },
  { resource: 'inhaler_usage', stream: 'timeseries', form: 'interval', unit: 'count', suffix: 'count' },
  {
    resource: 'insulin_injection',
    stream: 'timeseries',
    form: 'interval',
    unit: 'unit',
    suffix: 'unit',
    typeIsKey: true,
    members: ['delivery_mode', 'delivery_form', 'bolus_purpose'],
  },
  { resource: 'lean_body_mass', stream: 'timeseries', form: 'interval', unit: 'kg', suffix: 'kg' },
  { resource: 'mindfulness_minutes', stream: 'timeseries', form: 'interval', unit: 'min', suffix: 'min' },
  { resource: 'note', stream: 'notes', form: 'interval', unit: 'text', suffix: 'text' },
  { resource: 'peak_expiratory_flow_rate', stream: 'timeseries', form: 'interval', unit: 'L/min', suffix: 'l_min' },
  // Breaths per minute. The service also uses `bpm` for heartbeats per minute.
  { resource: 'respiratory_rate', stream: 'timeseries', form: 'discrete', unit: 'bpm', suffix: 'per_min' },
  { resource: 'sleep_apnea_alert', stream: 'timeseries', form: 'interval', unit: 'count', suffix: 'count' },
  {
    resource: 'sleep_breathing_disturbance',
    stream: 'timeseries',
    form: 'interval',
    unit: 'count',
    suffix: 'count',
    typeIsKey: true,
  },
  { resource: 'stand_duration', stream: 'timeseries', form: 'interval', unit: 'min', suffix: 'min' },
  { resource: 'stand_hour', stream: 'timeseries', form: 'interval', unit: 'count', suffix: 'count', typeIsKey: true },
  { resource: 'steps', stream: 'timeseries', form: 'interval', unit: 'count', suffix: 'count' },
  { resource: 'stress_level', stream: 'timeseries', form: 'discrete', unit: '%', suffix: 'pct' },
  { resource: 'uv_exposure', stream: 'timeseries', form: 'interval', unit: 'index', suffix: 'index' },
  { resource: 'vo2_max', stream: 'timeseries', form: 'interval', unit: 'mL/kg/min', suffix: 'ml_kg_min' },
  { resource: 'waist_circumference', stream: 'timeseries', form: 'interval', unit: 'cm', suffix: 'cm' },
  { resource: 'water', stream: 'timeseries', form: 'discrete', unit: 'ml', suffix: 'ml' },
  { resource: 'weight', stream: 'timeseries', form: 'discrete', unit: 'kg', suffix: 'kg' },
  { resource: 'wheelchair_push', stream: 'timeseries', form: 'interval', unit: 'count', suffix: 'count' },
  { resource: 'workout_distance', stream: 'timeseries', form: 'interval', unit: 'm', suffix: 'm' },
  { resource: 'workout_duration', stream: 'timeseries', form: 'interval', unit: 'min', suffix: 'min', members: ['intensity'] },
  { resource: 'workout_swimming_stroke', stream: 'timeseries', form: 'interval', unit: 'count', suffix: 'count' },
];

export const resourcesKeyedByType: readonly string[] = timeseriesResources
  .filter(({ typeIsKey }) => typeIsKey)
  .map(({ resource }) => resource);

/**
 * Returns the event-type prefixes that are routed to a timeseries stream. A prefix ends with a dot, because otherwise
 * `daily.data.sleep` would match `daily.data.sleep_apnea_alert.created`.
 */
export function prefixesOf(stream: string): string[] {
  return timeseriesResources.filter((one) => one.stream === stream).map(({ resource }) => `daily.data.${resource}.`);
}

/** The columns that are specific to the view of one `timeseries` resource. */
export interface ResourceColumns {
  /** Column with the values that were sent in the declared unit or without a unit. */
  readonly value: string;
  /** Columns for the additional members and for the workout. */
  readonly further: readonly string[];
}

/**
 * Returns the columns that are specific to a resource's view. The views of `workout_…` resources show the workout, which
 * is part of their key.
 */
export function resourceColumns({ resource, suffix, members = [] }: TimeseriesResource): ResourceColumns {
  const workout = resource.startsWith('workout_') ? ['source_workout_id', 'source_sport'] : [];
  return { value: `${resource}_${suffix}`, further: [...workout, ...members] };
}
