import { z } from 'zod';
import { dayMembers, summaryMembers } from './summary-members.ts';
import { amount } from './values.ts';

export const bodySchema = z
  .strictObject({
    ...summaryMembers,
    ...dayMembers,
    weight: amount('Kilograms.'),
    fat: amount('Percent.'),
    water_percentage: amount('Percent.'),
    muscle_mass_percentage: amount('Percent.'),
    visceral_fat_index: amount('Index without a unit.'),
    bone_mass_percentage: amount('Percent.'),
    body_mass_index: amount('Kilograms per square meter.'),
    lean_body_mass_kilogram: amount('Kilograms.'),
    waist_circumference_centimeter: amount('Centimeters.'),
  })
  .meta({ id: 'Body' });
