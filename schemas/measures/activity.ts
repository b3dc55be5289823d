import { type Measure, ofColumn, ofResource } from './measure.ts';
import { counted, kilocalories, metres, minutes } from './sent-units.ts';

/*
 * A sample may cover a whole day, so these are the limits for a day. They are above the records of 24-hour races, such as
 * 320 km on foot and 1,000 km on a bicycle. A value in a wrong unit exceeds them.
 */
const STEPS = [0, 250_000] as const;
const DISTANCE_M = [0, 1_100_000] as const;
const ENERGY_KCAL = [0, 20_000] as const;
/** A person at rest spends energy, too. */
const TOTAL_KCAL = [1, 20_000] as const;
/** The basal rate of an adult is 1,000 to 3,000 kcal a day. */
const BASAL_KCAL = [0, 5000] as const;
const FLOORS = [0, 3000] as const;
const DAY_MIN = [0, 1500] as const;
const PUSHES = [0, 100_000] as const;

const energy = (range: readonly [number, number]) =>
  ({ kind: 'additive_interval', unit: 'kcal', sent: kilocalories, plausible: range }) as const;
const distance = { kind: 'additive_interval', unit: 'm', sent: metres, plausible: DISTANCE_M } as const;
const floors = { kind: 'additive_interval', unit: '{floors}', plausible: FLOORS } as const;
const pushes = { kind: 'additive_interval', unit: '{pushes}', plausible: PUSHES } as const;
const duration = { kind: 'duration', unit: 'min', plausible: DAY_MIN } as const;

export const activityMeasures: readonly Measure[] = [
  ofResource('steps', {
    name: 'Steps',
    kind: 'additive_interval',
    unit: '{steps}',
    sent: counted('step', 'steps'),
    plausible: STEPS,
    loinc: { code: '55423-8', match: 'broader' },
  }),
  ofResource('distance', { name: 'Distance', ...distance }),
  ofResource('distance_running_walking', { name: 'Distance, running and walking', ...distance }),
  ofResource('calories_active', { name: 'Active energy', ...energy(ENERGY_KCAL) }),
  ofResource('active_energy_burned', { name: 'Active energy, former resource', ...energy(ENERGY_KCAL) }),
  ofResource('calories_basal', { name: 'Basal energy', ...energy(BASAL_KCAL) }),
  ofResource('basal_energy_burned', { name: 'Basal energy, former resource', ...energy(BASAL_KCAL) }),
  ofResource('floors_climbed', { name: 'Floors climbed', ...floors, sent: counted('floor', 'floors') }),
  ofResource('wheelchair_push', { name: 'Wheelchair pushes', ...pushes, sent: counted('push', 'pushes') }),
  ofResource('stand_duration', { name: 'Standing', ...duration, sent: minutes }),
  ofResource('daylight_exposure', { name: 'Time in daylight', ...duration, sent: minutes }),
  ofResource('mindfulness_minutes', { name: 'Mindfulness', ...duration, sent: minutes }),

  ofColumn('activity', 'steps', {
    name: 'Steps, daily total',
    kind: 'additive_interval',
    unit: '{steps}',
    plausible: STEPS,
    loinc: { code: '41950-7', match: 'exact' },
  }),
  ofColumn('activity', 'distance_m', {
    name: 'Distance, daily total',
    kind: 'additive_interval',
    unit: 'm',
    plausible: DISTANCE_M,
  }),
  ofColumn('activity', 'calories_total_kcal', {
    name: 'Energy, daily total',
    kind: 'additive_interval',
    unit: 'kcal',
    plausible: TOTAL_KCAL,
    loinc: { code: '41979-6', match: 'exact' },
  }),
  ofColumn('activity', 'calories_active_kcal', {
    name: 'Active energy, daily total',
    kind: 'additive_interval',
    unit: 'kcal',
    plausible: ENERGY_KCAL,
  }),
  ofColumn('activity', 'floors_climbed', { name: 'Floors climbed, daily total', ...floors }),
  ofColumn('activity', 'wheelchair_push', { name: 'Wheelchair pushes, daily total', ...pushes }),
  ofColumn('activity', 'low_min', {
    name: 'Low activity, daily total',
    ...duration,
    loinc: { code: '101688-0', match: 'exact' },
  }),
  ofColumn('activity', 'medium_min', {
    name: 'Medium activity, daily total',
    ...duration,
    loinc: { code: '101689-8', match: 'exact' },
  }),
  ofColumn('activity', 'high_min', {
    name: 'High activity, daily total',
    ...duration,
    loinc: { code: '101690-6', match: 'exact' },
  }),
];
