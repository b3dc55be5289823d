import { z } from 'zod';
import { componentName, type SampleFacts, type SampleShape, sampleForm } from './sample-form.ts';
import { sourceSchema } from './source-form.ts';
import { oneOf } from './values.ts';

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
  /** The form of one sample. It has no unknown members. */
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
