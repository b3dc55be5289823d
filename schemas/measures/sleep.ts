import { HRV_MS } from './heart.ts';
import { type Measure, ofColumn, ofResource, ofSampleType } from './measure.ts';
import { counted } from './sent-units.ts';
import { RESPIRATORY_RATE, SKIN_TEMPERATURE_C, TEMPERATURE_DIFFERENCE_K } from './vitals.ts';

/** A session lasts at most a day and a half. A longer one joins several nights. */
const SESSION_S = [0, 129_600] as const;
const duration = { kind: 'duration', unit: 's', plausible: SESSION_S } as const;
const score = { kind: 'level', unit: '{score}', plausible: [0, 100] } as const;

/** An alert always has the value 1. */
const alert = { kind: 'additive_event', unit: '{events}', sent: counted(), plausible: [0, 1] } as const;
/** Disturbances per hour of sleep. Severe sleep apnea begins at 30. */
const disturbance = { kind: 'level', unit: '{events}', sent: counted(), plausible: [0, 200] } as const;

export const sleepMeasures: readonly Measure[] = [
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

  ofColumn('sleep', 'duration_s', { name: 'Time in bed', ...duration }),
  ofColumn('sleep', 'total_s', { name: 'Sleep', ...duration, loinc: { code: '93832-4', match: 'exact' } }),
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
    plausible: [0, 1],
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
