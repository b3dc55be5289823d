import { type Measure, ofColumn, ofResource } from './measure.ts';
import { bodyMassIndex, centimetres, kilograms, percent } from './sent-units.ts';

/** From a premature infant to the heaviest person known, 635 kg. */
const WEIGHT_KG = [0.3, 650] as const;
const PERCENT = [0, 100] as const;
const FAT_PERCENT = [1, 80] as const;
const BODY_MASS_INDEX = [5, 210] as const;
const WAIST_CM = [15, 320] as const;

const weight = { kind: 'level', unit: 'kg', plausible: WEIGHT_KG } as const;
const share = { kind: 'level', unit: '%', plausible: PERCENT } as const;
const fat = { kind: 'level', unit: '%', plausible: FAT_PERCENT, loinc: { code: '41982-0', match: 'exact' } } as const;
const index = { kind: 'level', unit: 'kg/m2', plausible: BODY_MASS_INDEX, loinc: { code: '39156-5', match: 'exact' } } as const;
// LOINC's terms for the circumference name a method, which the data does not.
const waist = { kind: 'level', unit: 'cm', plausible: WAIST_CM } as const;
const bodyWeight = { code: '29463-7', match: 'exact' } as const;
const leanWeight = { code: '91557-9', match: 'exact' } as const;

export const bodyMeasures: readonly Measure[] = [
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
  ofColumn('body', 'visceral_fat_index', { name: 'Visceral fat index', kind: 'level', unit: '{index}', plausible: [0, 60] }),
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
