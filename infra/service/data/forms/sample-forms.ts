import { z } from 'zod';
import { idSchema, momentSchema, offsetSchema, oneOf, sourceSchema, sportSchema } from './values.ts';

/** `discrete` has a timestamp, `interval` a start and an end. `blood_pressure` is discrete, and has two values. `note` is a text. */
type SampleShape = 'discrete' | 'interval' | 'blood_pressure' | 'note';

/** The facts of one resource that decide the form of its samples. */
interface SampleFacts {
  /** As in event types, such as `heartrate`. */
  readonly name: string;
  readonly shape: SampleShape;
  readonly unit: string;
  /** Whether the service may also send another unit. Default: false. */
  readonly isUnitOpen?: true;
  /** The known types of samples, if each sample has a type. */
  readonly types?: readonly string[];
  /** Whether the type may be null although samples have types. Default: false. */
  readonly isTypeNullable?: true;
  /** Members that only this resource has, or has in a form of its own. */
  readonly members?: Readonly<Record<string, z.ZodType>>;
}

/** Returns the form of one sample. */
function sampleForm(facts: SampleFacts): z.ZodObject {
  const { name, unit, isUnitOpen, shape, members } = facts;
  return z
    .strictObject({
      id: z.int().nullish().meta({ deprecated: true }),
      timezone_offset: offsetSchema,
      type: typeForm(facts),
      unit: isUnitOpen ? oneOf(unit) : z.literal(unit),
      ...(shape === 'discrete' || shape === 'blood_pressure' ? momentMembers : intervalMembers),
      ...valueMembers(facts),
      ...members,
    })
    .meta({ id: `${componentName(name)}Sample` });
}

/** Returns a resource's name as the OpenAPI document writes it: `body_fat` is `BodyFat`. */
function componentName(resource: string): string {
  return resource.replaceAll(/(?:^|_)([a-z0-9])/g, (_, first: string) => first.toUpperCase());
}

const momentMembers = { timestamp: momentSchema };
const intervalMembers = {
  start: momentSchema.describe('The first instant of the interval.'),
  end: momentSchema.describe('The first instant after the interval.'),
  timestamp: momentSchema.optional().meta({ deprecated: true, description: 'Equals start.' }),
};

/** Source type, workout, sport and device of a blood pressure. */
const groupingSchema = z.tuple([
  z.string(),
  idSchema.nullable().optional(),
  z.string().nullable().optional(),
  idSchema.nullable().optional(),
]);

function typeForm({ types, isTypeNullable }: SampleFacts): z.ZodType {
  if (types === undefined) return z.string().nullish();
  const form = types.length === 0 ? z.string() : oneOf(...types);
  return isTypeNullable ? form.nullable() : form;
}

function valueMembers({ shape, unit }: SampleFacts): Record<string, z.ZodType> {
  if (shape === 'note') return { value: z.string() };
  const number = z.number().describe(unit);
  if (shape !== 'blood_pressure') return { value: number };
  return {
    systolic: number,
    diastolic: number,
    grouping: groupingSchema.optional().describe('Source type, workout id, sport and device id.'),
  };
}

/** A resource whose events carry samples. */
export interface TimeseriesResource {
  /** As in event types, such as `fat`. */
  readonly name: string;
  /** As in paths of the API, such as `body_fat`. */
  readonly apiName: string;
  /** The unit that the service documents. */
  readonly unit: string;
  readonly shape: SampleShape;
  /** Whether the type is part of a sample's key. */
  readonly hasTypes: boolean;
  /** Schema of one sample, without unknown members. */
  readonly form: z.ZodObject;
  /** The form of the samples of one source: an object with `source` and `data`. */
  readonly batchForm: z.ZodObject;
}

/** The resources whose paths differ from their event types. */
const apiNames: Readonly<Record<string, string>> = { fat: 'body_fat', weight: 'body_weight' };

const atSensor = {
  sensor_location: oneOf(
    ...['armpit', 'body', 'ear', 'finger', 'gastrointestinal', 'mouth', 'rectum', 'toe', 'eardrum', 'temporal_artery'],
    ...['forehead', 'wrist'],
  ).nullable(),
};

const injection = {
  delivery_mode: oneOf('basal', 'bolus').nullish(),
  delivery_form: oneOf('standard', 'extended').nullish(),
  bolus_purpose: oneOf('meal', 'correction', 'mixed', 'unknown').nullish(),
};

/** The 50 timeseries resources, sorted by name. */
const sampleFacts: readonly SampleFacts[] = [
  { name: 'afib_burden', shape: 'interval', unit: '%' },
  { name: 'basal_body_temperature', shape: 'interval', unit: '°C' },
  { name: 'blood_oxygen', shape: 'discrete', unit: '%', isUnitOpen: true },
  { name: 'blood_pressure', shape: 'blood_pressure', unit: 'mmHg', isUnitOpen: true },
  { name: 'body_mass_index', shape: 'interval', unit: 'index' },
  { name: 'body_temperature', shape: 'interval', unit: '°C', members: atSensor },
  { name: 'body_temperature_delta', shape: 'interval', unit: '°C', members: atSensor },
  { name: 'caffeine', shape: 'interval', unit: 'g', isUnitOpen: true },
  { name: 'calories_active', shape: 'interval', unit: 'kcal' },
  { name: 'calories_basal', shape: 'discrete', unit: 'kcal' },
  { name: 'carbohydrates', shape: 'interval', unit: 'g', isUnitOpen: true },
  {
    name: 'cholesterol',
    shape: 'discrete',
    unit: 'mmol/L',
    isUnitOpen: true,
    types: ['cholesterol/hdl', 'cholesterol/ldl', 'cholesterol/total', 'cholesterol/triglycerides'],
  },
  { name: 'daylight_exposure', shape: 'interval', unit: 'min' },
  { name: 'distance', shape: 'interval', unit: 'm' },
  { name: 'electrocardiogram_voltage', shape: 'discrete', unit: 'mV', isUnitOpen: true, types: ['lead_1'] },
  { name: 'fall', shape: 'interval', unit: 'count' },
  { name: 'fat', shape: 'discrete', unit: '%', isUnitOpen: true },
  { name: 'floors_climbed', shape: 'discrete', unit: 'count' },
  { name: 'forced_expiratory_volume_1', shape: 'interval', unit: 'L' },
  { name: 'forced_vital_capacity', shape: 'interval', unit: 'L' },
  { name: 'glucose', shape: 'discrete', unit: 'mmol/L', isUnitOpen: true },
  { name: 'handwashing', shape: 'interval', unit: 'count' },
  {
    name: 'heart_rate_alert',
    shape: 'interval',
    unit: 'count',
    types: ['low_heart_rate', 'high_heart_rate', 'irregular_rhythm'],
    members: { value: z.literal(1) },
  },
  { name: 'heart_rate_recovery_one_minute', shape: 'interval', unit: 'count' },
  { name: 'heartrate', shape: 'discrete', unit: 'bpm', isUnitOpen: true },
  { name: 'hrv', shape: 'discrete', unit: 'rmssd', isUnitOpen: true },
  { name: 'ige', shape: 'discrete', unit: 'FSU', isUnitOpen: true, types: [] },
  { name: 'igg', shape: 'discrete', unit: 'FSU', isUnitOpen: true, types: [] },
  { name: 'inhaler_usage', shape: 'interval', unit: 'count' },
  {
    name: 'insulin_injection',
    shape: 'interval',
    unit: 'unit',
    types: ['rapid_acting', 'long_acting'],
    members: injection,
  },
  { name: 'lean_body_mass', shape: 'interval', unit: 'kg' },
  { name: 'mindfulness_minutes', shape: 'interval', unit: 'min', isUnitOpen: true },
  {
    name: 'note',
    shape: 'note',
    unit: 'text',
    isUnitOpen: true,
    members: { tags: z.array(oneOf('food', 'exercise', 'insulin_injection', 'unspecified')).nullish() },
  },
  { name: 'peak_expiratory_flow_rate', shape: 'interval', unit: 'L/min' },
  { name: 'respiratory_rate', shape: 'discrete', unit: 'bpm', isUnitOpen: true },
  { name: 'sleep_apnea_alert', shape: 'interval', unit: 'count' },
  {
    name: 'sleep_breathing_disturbance',
    shape: 'interval',
    unit: 'count',
    types: ['elevated', 'not_elevated'],
    isTypeNullable: true,
  },
  { name: 'stand_duration', shape: 'interval', unit: 'min' },
  { name: 'stand_hour', shape: 'interval', unit: 'count', types: ['stood', 'idle'] },
  { name: 'steps', shape: 'interval', unit: 'count' },
  { name: 'stress_level', shape: 'discrete', unit: '%', isUnitOpen: true },
  { name: 'uv_exposure', shape: 'interval', unit: 'index' },
  { name: 'vo2_max', shape: 'interval', unit: 'mL/kg/min', isUnitOpen: true },
  { name: 'waist_circumference', shape: 'interval', unit: 'cm' },
  { name: 'water', shape: 'discrete', unit: 'ml', isUnitOpen: true },
  { name: 'weight', shape: 'discrete', unit: 'kg', isUnitOpen: true },
  { name: 'wheelchair_push', shape: 'interval', unit: 'count' },
  { name: 'workout_distance', shape: 'interval', unit: 'm' },
  {
    name: 'workout_duration',
    shape: 'interval',
    unit: 'min',
    members: { intensity: oneOf('low', 'medium', 'high').nullable() },
  },
  { name: 'workout_swimming_stroke', shape: 'interval', unit: 'count' },
];

/** The 50 timeseries resources, sorted by name. */
export const timeseriesResources: readonly TimeseriesResource[] = sampleFacts.map(resourceOf);

const byName = new Map(timeseriesResources.map((resource) => [resource.name, resource]));

/** Returns the resource with this name in event types. */
export function timeseriesOf(name: string): TimeseriesResource | undefined {
  return byName.get(name);
}

function resourceOf(facts: SampleFacts): TimeseriesResource {
  const { name, unit, shape, types } = facts;
  const apiName = apiNames[name] ?? name;
  const form = sampleForm({ ...facts, name: apiName });
  const batchForm = z
    .strictObject({ source: sourceSchema, data: z.array(form) })
    .meta({ id: `Grouped${componentName(apiName)}` });
  return { name, apiName, unit, shape, hasTypes: types !== undefined, form, batchForm };
}

const samplesOf = (resource: string) => z.array(timeseriesOf(resource)!.form).nullish();

/** The stage of sleep in an interval. Sleep cycles have replaced the hypnogram, which is no longer a resource of events. */
export const hypnogramForm = sampleForm({ name: 'hypnogram', shape: 'interval', unit: 'stage', isUnitOpen: true });

/** The samples of one sleep. */
export const sleepStreamSchema = z
  .strictObject({
    hrv: samplesOf('hrv'),
    heartrate: samplesOf('heartrate'),
    hypnogram: z.array(hypnogramForm).nullish().describe('Stages: 1 deep, 2 light, 3 REM, 4 awake, 5 manual, -1 missing.'),
    respiratory_rate: samplesOf('respiratory_rate'),
  })
  .meta({ id: 'SleepStream' });

const column = (unit: string) => z.array(z.number().nullable()).nullish().describe(unit);

/** The measurements of a workout, as lists that are parallel to `time`. The lists may have different lengths. */
export const workoutStreamSchema = z
  .strictObject({
    time: z.array(z.int()).nullish().describe('Seconds since 1970.'),
    heartrate: z.array(z.int().nullable()).nullish().describe('Beats per minute.'),
    cadence: column('Revolutions per minute on a bicycle, steps per minute on foot.'),
    altitude: column('Meters.'),
    velocity_smooth: column('Meters per second.'),
    distance: column('Meters since the start.'),
    power: column('Watts.'),
    resistance: column('Resistance of the bicycle.'),
    temperature: column('Degrees Celsius.'),
    lat: column('Degrees of latitude.'),
    lng: column('Degrees of longitude.'),
  })
  .meta({ id: 'WorkoutStream' });

/** The event of a workout stream. The stream itself may be too large for an event. */
export const shallowStreamSchema = z
  .strictObject({
    user_id: idSchema,
    workout_id: idSchema,
    provider_id: z.string().describe('Id of the workout at the provider.'),
    message: z.string().optional().describe('Says where the stream is.'),
    sport: sportSchema.optional(),
    source: sourceSchema,
  })
  .meta({ id: 'ShallowWorkoutStream' });
