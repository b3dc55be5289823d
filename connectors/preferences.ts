import * as z from 'zod';

/** Types of source in the service's API. */
export const sourceTypes: readonly string[] = [
  'unknown',
  'phone',
  'watch',
  'app',
  'multiple_sources',
  'fingerprick',
  'cuff',
  'manual_scan',
  'automatic',
  'insulin_pump',
  'scale',
  'chest_strap',
  'ring',
  'lab',
  'exercise_machine',
  'earphone',
];

/** Daily values that are taken from a single source, even if several sources report them. */
const preferredMeasures = [
  'steps',
  'distance',
  'calories_active',
  'calories_total',
  'floors_climbed',
  'heartrate',
  'heart_rate_resting',
  'hrv',
  'blood_oxygen',
  'glucose',
  'blood_pressure',
  'weight',
  'fat',
  'sleep',
  'workouts',
] as const;

export type PreferredMeasure = (typeof preferredMeasures)[number];

const order = (of: string) =>
  z
    .array(
      z
        .string()
        .regex(/^[a-z0-9_]+(\/[a-z0-9_]+)?$/, 'must be a provider, a source type, or both, such as oura, watch or oura/ring'),
    )
    .optional()
    .describe(`Sources for ${of}, best first.`);

export const preferencesOptions = z.strictObject({
  default: order('every measure that has no order of its own'),
  ...(Object.fromEntries(preferredMeasures.map((measure) => [measure, order(`\`${measure}\``)])) as Record<
    PreferredMeasure,
    ReturnType<typeof order>
  >),
});

/** For each measure, the preferred sources: a provider, a source type, or `provider/source_type`. */
export type Preferences = z.output<typeof preferencesOptions>;

/** The order of sources for a measure. */
export interface SourceOrder {
  /** The sources in the configuration. A source counts only if no earlier source in the list has a value. */
  readonly preferred: readonly string[];
  /** Types of all other sources. A type that is not listed counts as `unknown`. */
  readonly types: readonly string[];
}

/** Sensors that are always worn, or that measure one thing, come first. Entries by hand come last. */
const usual: readonly string[] = [
  'lab',
  'chest_strap',
  'cuff',
  'scale',
  'ring',
  'watch',
  'earphone',
  'exercise_machine',
  'fingerprick',
  'insulin_pump',
  'automatic',
  'multiple_sources',
  'phone',
  'app',
  'unknown',
  'manual_scan',
];

const first = (...types: readonly string[]): readonly string[] => [...types, ...usual.filter((type) => !types.includes(type))];

/** A watch counts steps at the wrist, and has the sensors of a phone. A ring estimates them. */
const moving = first('chest_strap', 'watch', 'ring');
/** A sensor measures all day. A fingerprick is a single moment, often an unusual one. */
const glucose = first('automatic', 'insulin_pump', 'unknown', 'manual_scan');

const usualOrders: Partial<Record<PreferredMeasure, readonly string[]>> = {
  steps: moving,
  distance: moving,
  calories_active: moving,
  calories_total: moving,
  floors_climbed: moving,
  workouts: first('chest_strap', 'exercise_machine', 'watch'),
  glucose,
};

export function sourceOrder(preferences: Preferences, measure: PreferredMeasure): SourceOrder {
  return { preferred: preferences[measure] ?? preferences.default ?? [], types: usualOrders[measure] ?? usual };
}
