import { type Measure, ofColumn, ofResource, ofSampleType } from './measure.ts';
import { beatsPerMinute, counted, millimetresOfMercury, milliseconds, millivolts, percent } from './sent-units.ts';

/** Below the slowest resting rates of athletes, and above the fastest tachycardia that a wearable can follow. */
const HEART_RATE = [20, 300] as const;
/** Devices send 0 if they have no reading. */
export const HRV_MS = [1, 500] as const;

const rate = { kind: 'level', unit: '/min', plausible: HEART_RATE } as const;
const heartRate = { code: '8867-4', match: 'broader' } as const;
const resting = { code: '40443-4', match: 'exact' } as const;

/** An alert always has the value 1. */
const alert = { kind: 'additive_event', unit: '{events}', sent: counted(), plausible: [0, 1] } as const;
/** The service names millivolts. The voltage of a heartbeat at the skin is at most about 5 mV. */
const voltage = { kind: 'level', unit: 'mV', sent: millivolts, plausible: [-10, 10] } as const;

export const heartMeasures: readonly Measure[] = [
  ofResource('heartrate', { name: 'Heart rate', ...rate, sent: beatsPerMinute, loinc: { code: '8867-4', match: 'exact' } }),
  // LOINC has a term for SDNN, which is a different statistic.
  ofResource('hrv', {
    name: 'Heart rate variability (RMSSD)',
    kind: 'level',
    unit: 'ms',
    sent: milliseconds,
    plausible: HRV_MS,
  }),
  // The drop within a minute, which may be negative if the heart is faster after the minute.
  ofResource('heart_rate_recovery_one_minute', {
    name: 'Heart rate recovery in one minute',
    kind: 'level',
    unit: '/min',
    plausible: [-50, 150],
    sent: [{ spelled: [...counted()[0].spelled, ...beatsPerMinute[0].spelled] }],
  }),
  ofResource('afib_burden', {
    name: 'Time in atrial fibrillation',
    kind: 'level',
    unit: '%',
    sent: percent,
    plausible: [0, 100],
  }),
  ofResource('heart_rate_alert', { name: 'Heart rate alerts', ...alert }),
  ofSampleType('heart_rate_alert', 'low_heart_rate', 'low_heart_rate', { name: 'Alerts, low heart rate', ...alert }),
  ofSampleType('heart_rate_alert', 'high_heart_rate', 'high_heart_rate', { name: 'Alerts, high heart rate', ...alert }),
  ofSampleType('heart_rate_alert', 'irregular_rhythm', 'irregular_rhythm', { name: 'Alerts, irregular rhythm', ...alert }),
  ofResource('electrocardiogram_voltage', { name: 'Electrocardiogram', ...voltage }),
  ofSampleType('electrocardiogram_voltage', 'lead_1', 'lead_1', { name: 'Electrocardiogram, lead I', ...voltage }),

  // Between shock and the highest pressures ever measured during exercise.
  ofColumn('blood_pressure', 'systolic_mmhg', {
    name: 'Systolic blood pressure',
    kind: 'level',
    unit: 'mm[Hg]',
    sent: millimetresOfMercury,
    plausible: [40, 350],
    loinc: { code: '8480-6', match: 'exact' },
  }),
  ofColumn('blood_pressure', 'diastolic_mmhg', {
    name: 'Diastolic blood pressure',
    kind: 'level',
    unit: 'mm[Hg]',
    sent: millimetresOfMercury,
    plausible: [20, 250],
    loinc: { code: '8462-4', match: 'exact' },
  }),

  ofColumn('electrocardiogram', 'heart_rate_mean_bpm', { name: 'Heart rate, mean of a recording', ...rate, loinc: heartRate }),
  ofColumn('activity', 'heart_rate_avg_bpm', { name: 'Heart rate, daily mean', ...rate, loinc: heartRate }),
  ofColumn('activity', 'heart_rate_min_bpm', { name: 'Heart rate, daily minimum', ...rate, loinc: heartRate }),
  ofColumn('activity', 'heart_rate_max_bpm', {
    name: 'Heart rate, daily maximum',
    ...rate,
    loinc: { code: '8873-2', match: 'exact' },
  }),
  ofColumn('activity', 'heart_rate_resting_bpm', { name: 'Resting heart rate', ...rate, loinc: resting }),
  ofColumn('activity', 'heart_rate_avg_walking_bpm', { name: 'Heart rate, mean while walking', ...rate, loinc: heartRate }),
  ofColumn('sleep', 'hr_lowest_bpm', { name: 'Heart rate, minimum of a sleep', ...rate, loinc: heartRate }),
  ofColumn('sleep', 'hr_average_bpm', { name: 'Heart rate, mean of a sleep', ...rate, loinc: heartRate }),
  ofColumn('sleep', 'hr_resting_bpm', { name: 'Resting heart rate, from a sleep', ...rate, loinc: resting }),
  ofColumn('workouts', 'average_hr_bpm', { name: 'Heart rate, mean of a workout', ...rate, loinc: heartRate }),
  ofColumn('workouts', 'max_hr_bpm', { name: 'Heart rate, maximum of a workout', ...rate, loinc: heartRate }),
];
