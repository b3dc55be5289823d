/**
 * The conversions of units in plain code, from the definitions of the units and from the molar masses. Each function converts a
 * value to the canonical unit of a resource. Units are spelled in lower case.
 */

type Conversions = Readonly<Record<string, (value: number) => number>>;
interface Scale {
  readonly unit: string;
  readonly from: Conversions;
}

const same = (value: number): number => value;
const CELSIUS_PER_FAHRENHEIT = 5 / 9;
const FOOT_M = 12 * 0.0254;

const energy: Scale = { unit: 'kcal', from: { kcal: same, kj: (v) => v / 4.184 } };
const length: Scale = {
  unit: 'm',
  from: {
    m: same,
    km: (v) => v * 1000,
    cm: (v) => v * 0.01,
    ft: (v) => v * FOOT_M,
    mi: (v) => v * 5280 * FOOT_M,
    miles: (v) => v * 5280 * FOOT_M,
  },
};
const girth: Scale = {
  unit: 'cm',
  from: { cm: same, m: (v) => v * 100, in: (v) => v * 2.54, ft: (v) => v * FOOT_M * 100 },
};
const mass: Scale = {
  unit: 'kg',
  from: {
    kg: same,
    g: (v) => v * 0.001,
    lb: (v) => v * 0.45359237,
    lbs: (v) => v * 0.45359237,
    st: (v) => v * 14 * 0.45359237,
    oz: (v) => (v * 0.45359237) / 16,
  },
};
const smallMass: Scale = {
  unit: 'g',
  from: { g: same, mg: (v) => v * 0.001, kg: (v) => v * 1000, oz: (v) => (v * 453.59237) / 16 },
};
const volume: Scale = {
  unit: 'mL',
  from: { ml: same, l: (v) => v * 1000, 'fl oz': (v) => (v * 231 * 2.54 ** 3) / 128 },
};
const lung: Scale = { unit: 'L', from: { l: same, ml: (v) => v * 0.001 } };
const time: Scale = {
  unit: 'min',
  from: { min: same, s: (v) => v / 60, h: (v) => v * 60 },
};
const temperature: Scale = {
  unit: 'Cel',
  from: {
    '°c': same,
    c: same,
    '°f': (v) => (v - 32) * CELSIUS_PER_FAHRENHEIT,
    f: (v) => (v - 32) * CELSIUS_PER_FAHRENHEIT,
    k: (v) => v - 273.15,
  },
};
const difference: Scale = {
  unit: 'K',
  from: { '°c': same, c: same, '°f': (v) => v * CELSIUS_PER_FAHRENHEIT, f: (v) => v * CELSIUS_PER_FAHRENHEIT, k: same },
};
const molar = (milligramPerMillimole: number): Scale => ({
  unit: 'mmol/L',
  from: { 'mmol/l': same, 'mg/dl': (v) => (v * 10) / milligramPerMillimole },
});
const share: Scale = { unit: '%', from: { '%': same } };
const rate: Scale = { unit: '/min', from: { bpm: same, 'count/min': same } };
const counts = (unit: string): Scale => ({ unit, from: { count: same } });

const scales: Readonly<Record<string, Scale>> = {
  active_energy_burned: energy,
  afib_burden: share,
  basal_body_temperature: temperature,
  basal_energy_burned: energy,
  blood_oxygen: share,
  body_mass_index: { unit: 'kg/m2', from: { index: same } },
  body_temperature: temperature,
  body_temperature_delta: difference,
  caffeine: smallMass,
  calories_active: energy,
  calories_basal: energy,
  carbohydrates: smallMass,
  'cholesterol cholesterol/hdl': molar(386.7),
  'cholesterol cholesterol/ldl': molar(386.7),
  'cholesterol cholesterol/total': molar(386.7),
  'cholesterol cholesterol/triglycerides': molar(885.7),
  cholesterol: { unit: 'mmol/L', from: { 'mmol/l': same } },
  daylight_exposure: time,
  distance: length,
  distance_running_walking: length,
  electrocardiogram_voltage: {
    unit: 'mV',
    // In upper case, the micro sign becomes the Greek letter.
    from: { mv: same, '\u00b5v': (v) => v * 0.001, '\u03bcv': (v) => v * 0.001 },
  },
  fall: counts('{events}'),
  fat: share,
  floors_climbed: counts('{floors}'),
  forced_expiratory_volume_1: lung,
  forced_vital_capacity: lung,
  glucose: molar(180.182),
  handwashing: counts('{events}'),
  heart_rate_alert: counts('{events}'),
  heart_rate_recovery_one_minute: { unit: '/min', from: { count: same, bpm: same, 'count/min': same } },
  heartrate: rate,
  hrv: { unit: 'ms', from: { rmssd: same, ms: same, s: (v) => v * 1000 } },
  ige: { unit: '{FSU}', from: { fsu: same } },
  igg: { unit: '{FSU}', from: { fsu: same } },
  inhaler_usage: counts('{events}'),
  insulin_injection: { unit: '[iU]', from: { unit: same } },
  lean_body_mass: mass,
  mindfulness_minutes: time,
  peak_expiratory_flow_rate: { unit: 'L/min', from: { 'l/min': same } },
  respiratory_rate: rate,
  sleep_apnea_alert: counts('{events}'),
  sleep_breathing_disturbance: counts('{events}'),
  stand_duration: time,
  stand_hour: counts('{hours}'),
  steps: counts('{steps}'),
  stress_level: share,
  uv_exposure: { unit: '{index}', from: { index: same } },
  vo2_max: { unit: 'mL/kg/min', from: { 'ml/kg/min': same } },
  waist_circumference: girth,
  water: volume,
  weight: mass,
  wheelchair_push: counts('{pushes}'),
  workout_distance: length,
  workout_duration: time,
  workout_swimming_stroke: counts('{strokes}'),
};

/** All units of this file, and some that no resource has. */
export const units: readonly string[] = [
  ...new Set(Object.values(scales).flatMap(({ from }) => Object.keys(from))),
  'mmol',
  'cal',
  'furlong',
  'count/s',
  'mg/ dl',
  'stage',
  "o'clock",
  // Spaces around a unit do not matter. A unit that consists of spaces counts as no unit.
  ' mg/dl ',
  'bpm  ',
  ' kg',
  '',
  '  ',
];

/** Whether the value has no unit. */
export const withoutUnit = (unit: string | null): boolean => unit === null || /^ *$/.test(unit);

/** Returns the value and unit that the warehouse must show. Both are null if the unit is not known for the resource. */
export function canonical(resource: string, sampleType: string | null, unit: string | null, value: number) {
  const scale = scales[`${resource} ${sampleType}`] ?? scales[resource];
  const convert = withoutUnit(unit) ? same : scale?.from[unit!.replace(/^ +| +$/g, '').toLowerCase()];
  if (scale === undefined || convert === undefined) return { value: null, unit: null };
  return { value: convert(value), unit: scale.unit };
}
