import { type Measure, ofResource, ofSampleType } from './measure.ts';
import { counted } from './sent-units.ts';

/** A sample stands for one hour of the day, and has the value 1. */
const hour = { kind: 'additive_event', unit: '{hours}', sent: counted('hour', 'hours'), plausible: [0, 25] } as const;

export const standingMeasures: readonly Measure[] = [
  ofResource('stand_hour', { name: 'Hours of the day', ...hour }),
  ofSampleType('stand_hour', 'stood', 'stood', { name: 'Hours with standing', ...hour }),
  ofSampleType('stand_hour', 'idle', 'idle', { name: 'Hours without standing', ...hour }),
];
