import { type Measure, ofColumn, ofResource, ofSampleType } from './measure.ts';
import { grams, insulinUnits, millilitres } from './sent-units.ts';

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

export const nutritionMeasures: readonly Measure[] = [
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
