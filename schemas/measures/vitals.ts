import { type Measure, ofResource } from './measure.ts';
import {
  breathsPerMinute,
  celsius,
  counted,
  indexPoints,
  kelvins,
  litres,
  litresPerMinute,
  oxygenPerMass,
  percent,
} from './sent-units.ts';

/** From deep sedation to the fastest breathing of an athlete or an infant. */
export const RESPIRATORY_RATE = [2, 100] as const;
export const SKIN_TEMPERATURE_C = [10, 45] as const;
export const TEMPERATURE_DIFFERENCE_K = [-15, 15] as const;
/** From the deepest hypothermia that people survived to the highest fever. A wrist may be as cold as 10 °C. */
const BODY_TEMPERATURE_C = [10, 45] as const;

const event = (greatest: number) =>
  ({ kind: 'additive_event', unit: '{events}', sent: counted(), plausible: [0, greatest] }) as const;
/** The largest lungs hold about 12 L. */
const lungs = { kind: 'level', unit: 'L', sent: litres, plausible: [0.1, 12] } as const;

export const vitalMeasures: readonly Measure[] = [
  // A consumer's oximeter does not show less than 50 %.
  ofResource('blood_oxygen', {
    name: 'Oxygen saturation',
    kind: 'level',
    unit: '%',
    sent: percent,
    plausible: [50, 100],
    loinc: { code: '59408-5', match: 'exact' },
  }),
  ofResource('respiratory_rate', {
    name: 'Respiratory rate',
    kind: 'level',
    unit: '/min',
    sent: breathsPerMinute,
    plausible: RESPIRATORY_RATE,
    loinc: { code: '9279-1', match: 'exact' },
  }),
  ofResource('body_temperature', {
    name: 'Body temperature',
    kind: 'level',
    unit: 'Cel',
    sent: celsius,
    plausible: BODY_TEMPERATURE_C,
    loinc: { code: '8310-5', match: 'exact' },
  }),
  ofResource('basal_body_temperature', {
    name: 'Basal body temperature',
    kind: 'level',
    unit: 'Cel',
    sent: celsius,
    plausible: [30, 45],
    loinc: { code: '8310-5', match: 'broader' },
  }),
  ofResource('body_temperature_delta', {
    name: 'Deviation of the body temperature',
    kind: 'level',
    unit: 'K',
    sent: kelvins,
    plausible: TEMPERATURE_DIFFERENCE_K,
  }),
  // The highest value ever measured is about 97.
  ofResource('vo2_max', {
    name: 'Maximal oxygen consumption',
    kind: 'level',
    unit: 'mL/kg/min',
    sent: oxygenPerMass,
    plausible: [5, 100],
    loinc: { code: '94122-9', match: 'exact' },
  }),
  ofResource('forced_expiratory_volume_1', {
    name: 'Forced expiratory volume in one second',
    ...lungs,
    loinc: { code: '20150-9', match: 'exact' },
  }),
  ofResource('forced_vital_capacity', { name: 'Forced vital capacity', ...lungs }),
  ofResource('peak_expiratory_flow_rate', {
    name: 'Peak expiratory flow',
    kind: 'level',
    unit: 'L/min',
    sent: litresPerMinute,
    plausible: [20, 1200],
    loinc: { code: '33452-4', match: 'exact' },
  }),
  ofResource('stress_level', { name: 'Stress level', kind: 'level', unit: '%', sent: percent, plausible: [0, 100] }),
  // The highest index ever measured on the ground is 43.
  ofResource('uv_exposure', { name: 'UV index', kind: 'level', unit: '{index}', sent: indexPoints, plausible: [0, 45] }),
  ofResource('inhaler_usage', { name: 'Uses of an inhaler', ...event(100) }),
  ofResource('fall', { name: 'Falls', ...event(100) }),
  ofResource('handwashing', { name: 'Handwashing', ...event(500) }),
];
