import { z } from 'zod';
import { birthDateSchema, dateSchema, instantSchema, timeZoneSchema } from '../../api/times.ts';
import { sleepStreamSchema } from './sample-forms.ts';
import {
  amount,
  idSchema,
  momentSchema,
  offsetSchema,
  oneOf,
  repeatedSource,
  sourceSchema,
  sportSchema,
  wholeAmount,
  zoneNameSchema,
} from './values.ts';

/** The members of every summary. The service adds `created_at` and `updated_at`, so pushed data need not have them. */
const summaryMembers = {
  id: idSchema,
  user_id: idSchema,
  source: sourceSchema,
  created_at: instantSchema.optional().describe('When the service got the first version.'),
  updated_at: instantSchema.optional().describe('When the service got this version.'),
};

/** The dates of a summary that covers a day. */
const dayMembers = {
  calendar_date: dateSchema.describe('Local date.'),
  date: instantSchema.optional().meta({ deprecated: true, description: 'calendar_date at 00:00 UTC.' }),
};

/** A user has one profile per provider. */
const profileSchema = z
  .strictObject({
    ...summaryMembers,
    height: wholeAmount('Centimeters.'),
    birth_date: birthDateSchema.nullish(),
    wheelchair_use: z.literal(true).nullish(),
    gender: oneOf('female', 'male', 'other', 'unknown').nullish(),
    sex: oneOf('female', 'male', 'other').nullish(),
  })
  .meta({ id: 'Profile' });

const bodySchema = z
  .strictObject({
    ...summaryMembers,
    ...dayMembers,
    weight: amount('Kilograms.'),
    fat: amount('Percent.'),
    water_percentage: amount('Percent.'),
    muscle_mass_percentage: amount('Percent.'),
    visceral_fat_index: amount('Index without a unit.'),
    bone_mass_percentage: amount('Percent.'),
    body_mass_index: amount('Kilograms per square meter.'),
    lean_body_mass_kilogram: amount('Kilograms.'),
    waist_circumference_centimeter: amount('Centimeters.'),
  })
  .meta({ id: 'Body' });

/** One recording. Its voltages are samples of the resource `electrocardiogram_voltage`. */
const electrocardiogramSchema = z
  .strictObject({
    ...summaryMembers,
    ...repeatedSource,
    source_device_model: z.string().nullish(),
    session_start: momentSchema,
    session_end: momentSchema,
    voltage_sample_count: z.int(),
    heart_rate_mean: wholeAmount('Beats per minute.'),
    sampling_frequency_hz: amount('Hertz.'),
    classification: oneOf('sinus_rhythm', 'atrial_fibrillation', 'inconclusive').nullish(),
    inconclusive_cause: oneOf('high_heart_rate', 'low_heart_rate', 'poor_reading').nullish(),
    algorithm_version: z.string().nullish(),
    time_zone: zoneNameSchema,
  })
  .meta({ id: 'Electrocardiogram' });

const fatsSchema = z
  .strictObject({
    saturated: amount('Grams.'),
    monounsaturated: amount('Grams.'),
    polyunsaturated: amount('Grams.'),
    omega3: amount('Grams.'),
    omega6: amount('Grams.'),
    total: amount('Grams.'),
  })
  .meta({ id: 'Fats' });

const macrosSchema = z
  .strictObject({
    carbs: amount('Grams.'),
    protein: amount('Grams.'),
    fats: fatsSchema.optional(),
    alcohol: amount('Grams.'),
    water: amount('Grams.'),
    fibre: amount('Grams.'),
    sugar: amount('Grams.'),
    cholesterol: amount('Grams.'),
  })
  .meta({ id: 'Macros' });

const amountsByName = (unit: string) => z.record(z.string(), z.number()).nullish().describe(unit);

const microsSchema = z
  .strictObject({
    minerals: amountsByName('Milligrams by mineral.'),
    trace_elements: amountsByName('Micrograms by trace element. Copper and manganese: milligrams.'),
    vitamins: amountsByName('By vitamin. A, B12, D, K, biotin and folic acid: micrograms. All others: milligrams.'),
  })
  .meta({ id: 'Micros' });

const energySchema = z.strictObject({ unit: z.literal('kcal'), value: z.number() }).meta({ id: 'Energy' });

const foodSchema = z
  .strictObject({ energy: energySchema.nullish(), macros: macrosSchema.nullish(), micros: microsSchema.nullish() })
  .meta({ id: 'Food' });

const mealSchema = z
  .strictObject({
    ...summaryMembers,
    priority_id: z.int().optional().meta({ deprecated: true, description: 'Has no meaning.' }),
    source_id: z.int().optional().meta({ deprecated: true, description: 'Has no meaning.' }),
    provider_id: z.string().optional().meta({ deprecated: true, description: 'Equals id.' }),
    timestamp: momentSchema,
    calendar_date: dateSchema.describe('Local date.'),
    name: z.string(),
    energy: energySchema.nullable(),
    macros: macrosSchema.nullable(),
    micros: microsSchema.nullable(),
    data: z.record(z.string(), foodSchema).optional().describe('The foods of the meal, by name.'),
    source_app_id: z.string().nullish(),
    source_device_id: idSchema.nullish(),
  })
  .meta({ id: 'Meal' });

/** Stages lie within two days of the session's start. Hypnograms search for them no farther away. */
const stageOffsetSchema = z.int().min(-172_800).max(172_800);

/** The stages of one sleep, as three parallel lists. */
const sleepCycleSchema = z
  .strictObject({
    ...summaryMembers,
    ...repeatedSource,
    sleep_id: idSchema,
    session_start: momentSchema,
    session_end: momentSchema,
    stage_start_offset_second: z.array(stageOffsetSchema).describe('Seconds since session_start.'),
    stage_end_offset_second: z.array(stageOffsetSchema).describe('Seconds since session_start.'),
    stage_type: z
      .array(z.int())
      .describe('Known values: -1 unknown, 1 deep, 2 light, 3 REM, 4 awake, 5 manual. There may be others.'),
    time_zone: zoneNameSchema,
  })
  .refine(
    ({ stage_type, stage_start_offset_second: starts, stage_end_offset_second: ends }) =>
      starts.length === stage_type.length && ends.length === stage_type.length,
    'the three lists of stages differ in their length',
  )
  .meta({ id: 'SleepCycle' });

const heartRateSchema = z
  .strictObject({
    avg_bpm: amount('Beats per minute.'),
    min_bpm: amount('Beats per minute.'),
    max_bpm: amount('Beats per minute.'),
    resting_bpm: amount('Beats per minute.'),
    avg_walking_bpm: amount('Beats per minute.'),
  })
  .meta({ id: 'DailyHeartRate' });

const activitySchema = z
  .strictObject({
    ...summaryMembers,
    ...dayMembers,
    calories_total: amount('kcal, with the basal metabolic rate.'),
    calories_active: amount('kcal, without the basal metabolic rate.'),
    steps: wholeAmount('Number of steps.'),
    daily_movement: z.number().nullish().meta({ deprecated: true, description: 'Meters of walking with the same effort.' }),
    distance: amount('Meters.'),
    low: amount('Minutes of low intensity.'),
    medium: amount('Minutes of medium intensity.'),
    high: amount('Minutes of high intensity.'),
    floors_climbed: wholeAmount('Number of floors.'),
    time_zone: zoneNameSchema,
    timezone_offset: offsetSchema,
    heart_rate: heartRateSchema.nullish(),
    wheelchair_use: z.literal(true).nullish(),
    wheelchair_push: wholeAmount('Number of pushes.'),
  })
  .meta({ id: 'Activity' });

const sleepSchema = z
  .strictObject({
    ...summaryMembers,
    ...dayMembers,
    bedtime_start: momentSchema,
    bedtime_stop: momentSchema,
    type: oneOf('long_sleep', 'short_sleep', 'acknowledged_nap', 'unknown'),
    timezone_offset: offsetSchema,
    duration: z.int().describe('Seconds from bedtime_start to bedtime_stop.'),
    total: z.int().describe('Seconds asleep: light, REM and deep sleep.'),
    awake: z.int().describe('Seconds.'),
    light: z.int().describe('Seconds.'),
    rem: z.int().describe('Seconds.'),
    deep: z.int().describe('Seconds.'),
    score: wholeAmount('From 1 to 100.'),
    recovery_readiness_score: wholeAmount('From 0 to 100.'),
    hr_lowest: wholeAmount('Beats per minute.'),
    hr_average: wholeAmount('Beats per minute.'),
    hr_resting: wholeAmount('Beats per minute.'),
    efficiency: amount('Time asleep as percentage of duration. Some providers send a fraction.'),
    latency: wholeAmount('Seconds from bedtime_start until asleep.'),
    temperature_delta: amount('Degrees Celsius from the long-term average.'),
    skin_temperature: amount('Degrees Celsius.'),
    hr_dip: amount('Percent by which the heart rate is lower than awake.'),
    state: oneOf('tentative', 'confirmed').nullish(),
    average_hrv: amount('Milliseconds (RMSSD).'),
    respiratory_rate: amount('Breaths per minute.'),
    sleep_stream: sleepStreamSchema.nullish().meta({ deprecated: true }),
  })
  .meta({ id: 'Sleep' });

/** A list of what happened on which date. */
const entries = (members: z.core.$ZodLooseShape) => z.array(z.strictObject({ date: dateSchema, ...members })).optional();

const testResult = oneOf('negative', 'positive', 'indeterminate');

const menstrualCycleSchema = z
  .strictObject({
    ...summaryMembers,
    ...repeatedSource,
    period_start: dateSchema,
    period_end: dateSchema.nullish(),
    cycle_end: dateSchema.nullish(),
    is_predicted: z.boolean().optional(),
    menstrual_flow: entries({ flow: oneOf('unspecified', 'none', 'light', 'medium', 'heavy') }),
    cervical_mucus: entries({ quality: oneOf('dry', 'sticky', 'creamy', 'watery', 'egg_white') }),
    intermenstrual_bleeding: entries({}),
    contraceptive: entries({
      type: oneOf('unspecified', 'implant', 'injection', 'iud', 'intravaginal_ring', 'oral', 'patch'),
    }),
    detected_deviations: entries({
      deviation: oneOf(
        'persistent_intermenstrual_bleeding',
        'prolonged_menstrual_periods',
        'irregular_menstrual_cycles',
        'infrequent_menstrual_cycles',
      ),
    }),
    ovulation_test: entries({
      test_result: oneOf('negative', 'positive', 'luteinizing_hormone_surge', 'estrogen_surge', 'indeterminate'),
    }),
    home_pregnancy_test: entries({ test_result: testResult }),
    home_progesterone_test: entries({ test_result: testResult }),
    sexual_activity: entries({ protection_used: z.boolean().nullish() }),
    basal_body_temperature: entries({ value: z.number().describe('Degrees Celsius.') }),
  })
  .meta({ id: 'MenstrualCycle' });

const mapSchema = z
  .strictObject({
    polyline: z.string().nullish(),
    summary_polyline: z.string().nullish().describe('The polyline with fewer points.'),
  })
  .meta({ id: 'WorkoutMap' });

const workoutSchema = z
  .strictObject({
    ...summaryMembers,
    title: z.string().nullish(),
    timezone_offset: offsetSchema,
    average_hr: wholeAmount('Beats per minute.'),
    max_hr: wholeAmount('Beats per minute.'),
    distance: amount('Meters.'),
    calendar_date: dateSchema.describe('Local date.'),
    time_start: momentSchema,
    time_end: momentSchema,
    calories: amount('kcal.'),
    sport: sportSchema.optional(),
    hr_zones: z
      .array(z.int())
      .nullish()
      .describe('Seconds in each of six zones: below 50 % of the maximum heart rate, to 60 %, 70 %, 80 %, 90 %, above.'),
    moving_time: wholeAmount('Seconds.'),
    total_elevation_gain: amount('Meters.'),
    elev_high: amount('Meters.'),
    elev_low: amount('Meters.'),
    average_speed: amount('Meters per second.'),
    max_speed: amount('Meters per second.'),
    average_watts: amount('Watts.'),
    device_watts: amount('Watts.'),
    max_watts: amount('Watts.'),
    weighted_average_watts: amount('Watts.'),
    steps: wholeAmount('Number of steps.'),
    map: mapSchema.nullish(),
    provider_id: z.string().describe('Id of the workout at the provider.'),
  })
  .meta({ id: 'Workout' });

/**
 * The forms of the summaries, by their names in event types. A form has no unknown members. It accepts what the real service
 * could send. Members that the service itself can add may be missing: `created_at`, `updated_at` and most deprecated members.
 */
export const summaryForms = {
  activity: activitySchema,
  sleep: sleepSchema,
  sleep_cycle: sleepCycleSchema,
  workouts: workoutSchema,
  body: bodySchema,
  meal: mealSchema,
  menstrual_cycle: menstrualCycleSchema,
  electrocardiogram: electrocardiogramSchema,
  profile: profileSchema,
} satisfies Record<string, z.ZodObject>;

export type SummaryResource = keyof typeof summaryForms;

export const summaryResources = Object.keys(summaryForms) as readonly SummaryResource[];

/** Returns the member of an answer that holds the list of summaries. A profile is an answer by itself. */
export function listName(resource: SummaryResource): string {
  return resource === 'meal' ? 'meals' : resource;
}

/**
 * Returns the date (YYYY-MM-DD) of a summary. A summary belongs to a range of dates if its date does. Summaries of a session
 * have the local date of its start, or the date in UTC if the time zone is unknown. A profile has no date.
 */
export function dayOfSummary(resource: SummaryResource, summary: Readonly<Record<string, unknown>>): string | undefined {
  switch (resource) {
    case 'profile':
      return undefined;
    case 'menstrual_cycle':
      return String(summary.period_start);
    case 'sleep_cycle':
    case 'electrocardiogram':
      return dateIn(summary.time_zone, new Date(String(summary.session_start)));
    default:
      return String(summary.calendar_date);
  }
}

function dateIn(zone: unknown, instant: Date): string {
  const known = timeZoneSchema.safeParse(zone);
  // The Swedish locale writes dates as YYYY-MM-DD.
  return new Intl.DateTimeFormat('sv-SE', { timeZone: known.success ? known.data : 'UTC' }).format(instant);
}
