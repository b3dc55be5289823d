import { z } from 'zod';
import { amount } from './values.ts';

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

export const macrosSchema = z
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

export const microsSchema = z
  .strictObject({
    minerals: amountsByName('Milligrams by mineral.'),
    trace_elements: amountsByName('Micrograms by trace element. Copper and manganese: milligrams.'),
    vitamins: amountsByName('By vitamin. A, B12, D, K, biotin and folic acid: micrograms. All others: milligrams.'),
  })
  .meta({ id: 'Micros' });

export const energySchema = z.strictObject({ unit: z.literal('kcal'), value: z.number() }).meta({ id: 'Energy' });

export const foodSchema = z
  .strictObject({ energy: energySchema.nullish(), macros: macrosSchema.nullish(), micros: microsSchema.nullish() })
  .meta({ id: 'Food' });
