import { activityMeasures } from './activity.ts';
import { HRV_MS, heartMeasures } from './heart.ts';
import {
  type ColumnMeasure,
  isColumnMeasure,
  isSampleMeasure,
  type Measure,
  ofColumn,
  ofResource,
  ofSampleType,
  type SampleMeasure,
  type Unit,
} from './measure.ts';
import {
  bodyMassIndex,
  centimetres,
  cholesterol,
  counted,
  fluorescence,
  glucose,
  grams,
  insulinUnits,
  kilograms,
  metres,
  millilitres,
  minutes,
  percent,
  type SentUnit,
  triglycerides,
  unknownLipid,
} from './sent-units.ts';
import { RESPIRATORY_RATE, SKIN_TEMPERATURE_C, TEMPERATURE_DIFFERENCE_K, vitalMeasures } from './vitals.ts';

/** A sample stands for one hour of the day, and has the value 1. */
const hour = { kind: 'additive_event', unit: '{hours}', sent: counted('hour', 'hours'), plausible: [0, 25] } as const;

const standingMeasures: readonly Measure[] = [
  ofResource('stand_hour', { name: 'Hours of the day', ...hour }),
  ofSampleType('stand_hour', 'stood', 'stood', { name: 'Hours with standing', ...hour }),
  ofSampleType('stand_hour', 'idle', 'idle', { name: 'Hours without standing', ...hour }),
];

/** From a premature infant to the heaviest person known, 635 kg. */
const WEIGHT_KG = [0.3, 650] as const;
/** Scales send 0 if they have no reading. Bones are about 3 % of the body. */
const BODY_SHARE_PERCENT = [0.5, 100] as const;
const FAT_PERCENT = [1, 80] as const;
const BODY_MASS_INDEX = [5, 210] as const;
const WAIST_CM = [15, 320] as const;

const weight = { kind: 'level', unit: 'kg', plausible: WEIGHT_KG } as const;
const share = { kind: 'level', unit: '%', plausible: BODY_SHARE_PERCENT } as const;
const fat = { kind: 'level', unit: '%', plausible: FAT_PERCENT, loinc: { code: '41982-0', match: 'exact' } } as const;
const index = { kind: 'level', unit: 'kg/m2', plausible: BODY_MASS_INDEX, loinc: { code: '39156-5', match: 'exact' } } as const;
// LOINC's terms for the circumference name a method, but the data does not.
const waist = { kind: 'level', unit: 'cm', plausible: WAIST_CM } as const;
const bodyWeight = { code: '29463-7', match: 'exact' } as const;
const leanWeight = { code: '91557-9', match: 'exact' } as const;

const bodyMeasures: readonly Measure[] = [
  ofResource('weight', { name: 'Body weight', ...weight, sent: kilograms, loinc: bodyWeight }),
  ofResource('lean_body_mass', { name: 'Lean body mass', ...weight, sent: kilograms, loinc: leanWeight }),
  ofResource('fat', { name: 'Body fat', ...fat, sent: percent }),
  ofResource('body_mass_index', { name: 'Body mass index', ...index, sent: bodyMassIndex }),
  ofResource('waist_circumference', { name: 'Waist circumference', ...waist, sent: centimetres }),

  ofColumn('body', 'weight_kg', { name: 'Body weight, daily', ...weight, loinc: bodyWeight }),
  ofColumn('body', 'lean_body_mass_kg', { name: 'Lean body mass, daily', ...weight, loinc: leanWeight }),
  ofColumn('body', 'fat_pct', { name: 'Body fat, daily', ...fat }),
  ofColumn('body', 'water_pct', { name: 'Body water', ...share }),
  ofColumn('body', 'muscle_mass_pct', { name: 'Muscle mass', ...share }),
  ofColumn('body', 'bone_mass_pct', { name: 'Bone mass', ...share }),
  // Scales show 1 to 59.
  ofColumn('body', 'visceral_fat_index', { name: 'Visceral fat index', kind: 'level', unit: '{index}', plausible: [1, 60] }),
  ofColumn('body', 'body_mass_index', { name: 'Body mass index, daily', ...index }),
  ofColumn('body', 'waist_circumference_cm', { name: 'Waist circumference, daily', ...waist }),
  // From a premature infant to the tallest person known, 272 cm.
  ofColumn('profile', 'height_cm', {
    name: 'Body height',
    kind: 'level',
    unit: 'cm',
    plausible: [25, 280],
    loinc: { code: '8302-2', match: 'exact' },
  }),
];

/** A meal or an entry in a diary may stand for a whole day. */
const MACRONUTRIENT_G = [0, 2000] as const;
/** Pumps and pens give at most 100 units at once. Resistant patients inject several hundred. */
const insulin = { kind: 'additive_event', unit: '[iU]', sent: insulinUnits, plausible: [0, 500] } as const;

/** Macronutrients of a meal, by column. */
const nutrients: Readonly<Record<string, string>> = {
  carbs_g: 'Carbohydrates',
  protein_g: 'Protein',
  fat_total_g: 'Fat',
  fat_saturated_g: 'Saturated fat',
  fat_monounsaturated_g: 'Monounsaturated fat',
  fat_polyunsaturated_g: 'Polyunsaturated fat',
  fat_omega3_g: 'Omega-3 fatty acids',
  fat_omega6_g: 'Omega-6 fatty acids',
  alcohol_g: 'Alcohol',
  fibre_g: 'Dietary fibre',
  sugar_g: 'Sugar',
};

const ofMeal = (column: string, name: string, plausible: readonly [number, number]): Measure =>
  ofColumn('meal', column, { name: `${name} of a meal`, kind: 'additive_event', unit: 'g', plausible });

const nutritionMeasures: readonly Measure[] = [
  ofResource('water', { name: 'Water', kind: 'additive_event', unit: 'mL', sent: millilitres, plausible: [0, 20_000] }),
  // 10 g of caffeine are lethal. The service uses grams.
  ofResource('caffeine', { name: 'Caffeine', kind: 'additive_event', unit: 'g', sent: grams, plausible: [0, 10] }),
  ofResource('carbohydrates', {
    name: 'Carbohydrates',
    kind: 'additive_event',
    unit: 'g',
    sent: grams,
    plausible: MACRONUTRIENT_G,
  }),
  ofResource('insulin_injection', { name: 'Insulin', ...insulin }),
  ofSampleType('insulin_injection', 'rapid_acting', 'rapid_acting', { name: 'Rapid-acting insulin', ...insulin }),
  ofSampleType('insulin_injection', 'long_acting', 'long_acting', { name: 'Long-acting insulin', ...insulin }),

  ofColumn('meal', 'energy_kcal', { name: 'Energy of a meal', kind: 'additive_event', unit: 'kcal', plausible: [0, 20_000] }),
  ...Object.entries(nutrients).map(([column, name]) => ofMeal(column, name, MACRONUTRIENT_G)),
  ofMeal('cholesterol_g', 'Cholesterol', [0, 20]),
  ofMeal('water_g', 'Water', [0, 20_000]),
];

/** In blood, from the lowest levels of inherited diseases to those of untreated familial hypercholesterolaemia. */
const CHOLESTEROL = [0.1, 40] as const;
/** Pancreatitis with 100 mmol/L has been described. */
const TRIGLYCERIDES = [0.1, 120] as const;

const lipid = { kind: 'level', unit: 'mmol/L' } as const;
const antibodies = { kind: 'level', unit: '{FSU}', sent: fluorescence, plausible: [0, 1_000_000] } as const;

const laboratoryMeasures: readonly Measure[] = [
  // The service does not tell interstitial fluid from blood, so the term for any body fluid is used.
  ofResource('glucose', {
    // Meters show up to 33 mmol/L. In a coma, levels above 100 have been measured.
    name: 'Glucose',
    kind: 'level',
    unit: 'mmol/L',
    sent: glucose,
    plausible: [0.5, 60],
    loinc: { code: '14745-4', match: 'broader' },
  }),
  // The codes of lipids name serum or plasma, to which meters for whole blood are calibrated.
  // A type without a measure of its own could be a triglyceride, so a mass is not converted.
  ofResource('cholesterol', { name: 'Lipids of another type', ...lipid, sent: unknownLipid, plausible: TRIGLYCERIDES }),
  ofSampleType('cholesterol', 'total', 'cholesterol/total', {
    name: 'Cholesterol',
    ...lipid,
    sent: cholesterol,
    plausible: CHOLESTEROL,
    loinc: { code: '14647-2', match: 'exact' },
  }),
  ofSampleType('cholesterol', 'hdl', 'cholesterol/hdl', {
    name: 'HDL cholesterol',
    ...lipid,
    sent: cholesterol,
    plausible: CHOLESTEROL,
    loinc: { code: '14646-4', match: 'exact' },
  }),
  ofSampleType('cholesterol', 'ldl', 'cholesterol/ldl', {
    name: 'LDL cholesterol',
    ...lipid,
    sent: cholesterol,
    plausible: CHOLESTEROL,
    loinc: { code: '22748-8', match: 'exact' },
  }),
  ofSampleType('cholesterol', 'triglycerides', 'cholesterol/triglycerides', {
    name: 'Triglycerides',
    ...lipid,
    sent: triglycerides,
    plausible: TRIGLYCERIDES,
    loinc: { code: '14927-8', match: 'exact' },
  }),
  // The sample type is the antigen. There are hundreds, and they share a measure.
  ofResource('ige', { name: 'IgE antibodies against an antigen', ...antibodies }),
  ofResource('igg', { name: 'IgG antibodies against an antigen', ...antibodies }),
];

/** A sleep lasts at most a day. A longer one joins several nights. */
const SESSION_S = [0, 86_400] as const;
const duration = { kind: 'duration', unit: 's', plausible: SESSION_S } as const;
/** A device that recognized no sleep sends 0. */
const asleep = { ...duration, plausible: [60, SESSION_S[1]] } as const;
/** Providers send 0 if they have no score. */
const score = { kind: 'level', unit: '{score}', plausible: [1, 100] } as const;

/** An alert always has the value 1. */
const alert = { kind: 'additive_event', unit: '{events}', sent: counted(), plausible: [0, 1] } as const;
/** Disturbances per hour of sleep. Severe sleep apnea begins at 30. */
const disturbance = { kind: 'level', unit: '{events}', sent: counted(), plausible: [0, 200] } as const;

const sleepMeasures: readonly Measure[] = [
  ofResource('sleep_apnea_alert', { name: 'Alerts, sleep apnea', ...alert }),
  ofResource('sleep_breathing_disturbance', { name: 'Breathing disturbances', ...disturbance }),
  ofSampleType('sleep_breathing_disturbance', 'elevated', 'elevated', {
    name: 'Breathing disturbances, elevated',
    ...disturbance,
  }),
  ofSampleType('sleep_breathing_disturbance', 'not_elevated', 'not_elevated', {
    name: 'Breathing disturbances, not elevated',
    ...disturbance,
  }),

  ofColumn('sleep', 'duration_s', { name: 'Time in bed', ...asleep }),
  ofColumn('sleep', 'total_s', { name: 'Sleep', ...asleep, loinc: { code: '93832-4', match: 'exact' } }),
  ofColumn('sleep', 'awake_s', { name: 'Time awake in bed', ...duration }),
  ofColumn('sleep', 'light_s', { name: 'Light sleep', ...duration, loinc: { code: '93830-8', match: 'exact' } }),
  ofColumn('sleep', 'rem_s', { name: 'REM sleep', ...duration, loinc: { code: '93829-0', match: 'exact' } }),
  ofColumn('sleep', 'deep_s', { name: 'Deep sleep', ...duration, loinc: { code: '93831-6', match: 'exact' } }),
  ofColumn('sleep', 'latency_s', { name: 'Time to fall asleep', ...duration }),
  ofColumn('sleep', 'score', { name: 'Sleep score', ...score }),
  ofColumn('sleep', 'recovery_readiness_score', { name: 'Recovery score', ...score }),
  ofColumn('sleep', 'efficiency', {
    name: 'Sleep efficiency',
    kind: 'level',
    unit: '1',
    plausible: [0.01, 1],
    mayBePercent: true,
  }),
  // Negative if the heart is faster during sleep than during the day.
  ofColumn('sleep', 'hr_dip_pct', { name: 'Dip of the heart rate', kind: 'level', unit: '%', plausible: [-50, 100] }),
  ofColumn('sleep', 'average_hrv_ms', {
    name: 'Heart rate variability (RMSSD), mean of a sleep',
    kind: 'level',
    unit: 'ms',
    plausible: HRV_MS,
  }),
  ofColumn('sleep', 'respiratory_rate_per_min', {
    name: 'Respiratory rate, mean of a sleep',
    kind: 'level',
    unit: '/min',
    plausible: RESPIRATORY_RATE,
    loinc: { code: '9279-1', match: 'broader' },
  }),
  ofColumn('sleep', 'temperature_delta_c', {
    name: 'Deviation of the skin temperature',
    kind: 'level',
    unit: 'K',
    plausible: TEMPERATURE_DIFFERENCE_K,
  }),
  ofColumn('sleep', 'skin_temperature_c', {
    name: 'Skin temperature',
    kind: 'level',
    unit: 'Cel',
    plausible: SKIN_TEMPERATURE_C,
  }),
];

/** A workout may last several days, such as a race through a desert. */
const WORKOUT_MIN = [0, 10_000] as const;
const DISTANCE_M = [0, 2_000_000] as const;
/** A sprinter on a track bike reaches 2,500 W. */
const watts = { kind: 'level', unit: 'W', plausible: [0, 3000] } as const;
/** Downhill skiing reaches 70 m/s. */
const speed = { kind: 'level', unit: 'm/s', plausible: [0, 80] } as const;
/** From the Dead Sea to above the highest mountain. */
const altitude = { kind: 'level', unit: 'm', plausible: [-450, 9000] } as const;

const workoutMeasures: readonly Measure[] = [
  ofResource('workout_distance', {
    name: 'Distance during a workout',
    kind: 'additive_interval',
    unit: 'm',
    sent: metres,
    plausible: DISTANCE_M,
  }),
  // A sample has the minutes of one intensity.
  ofResource('workout_duration', {
    name: 'Workout',
    kind: 'duration',
    unit: 'min',
    sent: minutes,
    plausible: WORKOUT_MIN,
    loinc: { code: '55411-3', match: 'broader' },
  }),
  ofResource('workout_swimming_stroke', {
    name: 'Swimming strokes',
    kind: 'additive_interval',
    unit: '{strokes}',
    plausible: [0, 200_000],
    sent: counted('stroke', 'strokes'),
  }),

  ofColumn('workouts', 'distance_m', {
    name: 'Distance of a workout',
    kind: 'additive_interval',
    unit: 'm',
    plausible: DISTANCE_M,
  }),
  ofColumn('workouts', 'calories_kcal', {
    name: 'Energy of a workout',
    kind: 'additive_interval',
    unit: 'kcal',
    plausible: [0, 50_000],
  }),
  ofColumn('workouts', 'steps', {
    name: 'Steps of a workout',
    kind: 'additive_interval',
    unit: '{steps}',
    plausible: [0, 500_000],
  }),
  ofColumn('workouts', 'moving_time_s', {
    name: 'Moving time of a workout',
    kind: 'duration',
    unit: 's',
    plausible: [0, 600_000],
  }),
  ofColumn('workouts', 'total_elevation_gain_m', {
    name: 'Elevation gain of a workout',
    kind: 'additive_interval',
    unit: 'm',
    plausible: [0, 50_000],
  }),
  ofColumn('workouts', 'elev_high_m', { name: 'Highest altitude of a workout', ...altitude }),
  ofColumn('workouts', 'elev_low_m', { name: 'Lowest altitude of a workout', ...altitude }),
  ofColumn('workouts', 'average_speed_m_s', { name: 'Speed, mean of a workout', ...speed }),
  ofColumn('workouts', 'max_speed_m_s', { name: 'Speed, maximum of a workout', ...speed }),
  ofColumn('workouts', 'average_watts', { name: 'Power, mean of a workout', ...watts }),
  ofColumn('workouts', 'device_watts', { name: 'Power measured by the device', ...watts }),
  ofColumn('workouts', 'max_watts', { name: 'Power, maximum of a workout', ...watts }),
  ofColumn('workouts', 'weighted_average_watts', { name: 'Power, weighted mean of a workout', ...watts }),
];

/** All measures, sorted by id. */
export const measures: readonly Measure[] = [
  ...activityMeasures,
  ...bodyMeasures,
  ...heartMeasures,
  ...laboratoryMeasures,
  ...nutritionMeasures,
  ...sleepMeasures,
  ...standingMeasures,
  ...vitalMeasures,
  ...workoutMeasures,
].sort((a, b) => (a.id < b.id ? -1 : 1));

export const sampleMeasures: readonly SampleMeasure[] = measures.filter(isSampleMeasure);
export const columnMeasures: readonly ColumnMeasure[] = measures.filter(isColumnMeasure);

const bySampleType = new Map(sampleMeasures.map((measure) => [keyOf(measure.resource, measure.sampleType), measure]));

function keyOf(resource: string, sampleType: string | undefined): string {
  return sampleType === undefined ? resource : `${resource} ${sampleType}`;
}

/** Returns the measure of a sample, or undefined if its resource has none. */
export function measureOfSample(resource: string, sampleType: string | null): SampleMeasure | undefined {
  return bySampleType.get(keyOf(resource, sampleType ?? undefined)) ?? bySampleType.get(resource);
}

/** A value in the canonical unit of its measure. */
interface CanonicalValue {
  readonly value: number;
  readonly unit: Unit;
}

function converted(value: number, { minus = 0, times = 1, per = 1 }: SentUnit): number {
  return ((value - minus) * times) / per;
}

/**
 * Converts the value of a sample to the canonical unit of its measure. A value without a unit is in the declared unit. The
 * case of a unit and spaces around it do not matter. Returns undefined if the unit is not known for this measure, because a
 * guess could be a wrong number.
 */
export function toCanonicalUnit(
  { resource, sampleType, unit }: { resource: string; sampleType: string | null; unit: string | null },
  value: number,
): CanonicalValue | undefined {
  const measure = measureOfSample(resource, sampleType);
  if (measure === undefined) return undefined;
  const spelled = (unit ?? '').replace(/^ +| +$/g, '').toLowerCase();
  const sent = spelled === '' ? measure.sent[0] : measure.sent.find((one) => one.spelled.includes(spelled));
  return sent === undefined ? undefined : { value: converted(value, sent), unit: measure.unit };
}

/** Resources whose samples are not measures, each with the reason. */
export const resourcesWithoutMeasure: Readonly<Record<string, string>> = {
  hypnogram: 'The value is a code for a sleep stage.',
  note: 'The value is a text.',
};

/**
 * Numeric columns that are not measures, each with the reason. The key is `column`, or `table.column` for a single table.
 */
export const columnsWithoutMeasure: Readonly<Record<string, string>> = {
  timezone_offset_s: 'It belongs to the time of the row.',
  sample_id: 'It is an identifier.',
  data_source_id: 'It has no meaning.',
  lab_id: 'It is an identifier.',
  'timeseries.value': 'Its meaning depends on the resource, and each resource has a measure.',
  'activity.daily_movement_m': 'The service has replaced it with `distance_m`.',
  'electrocardiogram.voltage_sample_count': 'It describes the recording, not the user.',
  'electrocardiogram.sampling_frequency_hz': 'It describes the recording, not the user.',
  'lab_orders.lab_test_price': 'It describes the laboratory, not the user.',
  'lab_orders.lab_test_common_tat_days': 'It describes the laboratory, not the user.',
  'lab_orders.lab_test_worst_case_tat_days': 'It describes the laboratory, not the user.',
  'meal.priority_id': 'It has no meaning.',
  'meal.source_id': 'It has no meaning.',
  'workouts.sport_id': 'It is an identifier.',
};
