import { type Measure, ofColumn, ofResource } from './measure.ts';
import { counted, metres, minutes } from './sent-units.ts';

/** A workout may last several days, such as a race through a desert. */
const WORKOUT_MIN = [0, 10_000] as const;
const DISTANCE_M = [0, 2_000_000] as const;
/** A sprinter on a track bike reaches 2,500 W. */
const watts = { kind: 'level', unit: 'W', plausible: [0, 3000] } as const;
/** Downhill skiing reaches 70 m/s. */
const speed = { kind: 'level', unit: 'm/s', plausible: [0, 80] } as const;
/** From the Dead Sea to above the highest mountain. */
const altitude = { kind: 'level', unit: 'm', plausible: [-450, 9000] } as const;

export const workoutMeasures: readonly Measure[] = [
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
