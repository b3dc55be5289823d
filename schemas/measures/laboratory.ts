import { type Measure, ofResource, ofSampleType } from './measure.ts';
import { cholesterol, fluorescence, glucose, triglycerides, unknownLipid } from './sent-units.ts';

/** In blood, from the lowest levels of inherited diseases to those of untreated familial hypercholesterolaemia. */
const CHOLESTEROL = [0.1, 40] as const;
/** Pancreatitis with 100 mmol/L has been described. */
const TRIGLYCERIDES = [0.1, 120] as const;

const lipid = { kind: 'level', unit: 'mmol/L' } as const;
const antibodies = { kind: 'level', unit: '{FSU}', sent: fluorescence, plausible: [0, 1_000_000] } as const;

export const laboratoryMeasures: readonly Measure[] = [
  // The service does not tell interstitial fluid from blood, so the term for any body fluid is used.
  ofResource('glucose', {
    // Meters show up to 33 mmol/L. In a coma, levels above 100 have been measured.
    name: 'Glucose',
    kind: 'level',
    unit: 'mmol/L',
    sent: glucose,
    plausible: [0.5, 60],
    loinc: { code: '14745-4', match: 'broader' },
  }),
  // The codes of lipids name serum or plasma, to which meters for whole blood are calibrated.
  // A type without a measure of its own could be a triglyceride, so a mass is not converted.
  ofResource('cholesterol', { name: 'Lipids of another type', ...lipid, sent: unknownLipid, plausible: TRIGLYCERIDES }),
  ofSampleType('cholesterol', 'total', 'cholesterol/total', {
    name: 'Cholesterol',
    ...lipid,
    sent: cholesterol,
    plausible: CHOLESTEROL,
    loinc: { code: '14647-2', match: 'exact' },
  }),
  ofSampleType('cholesterol', 'hdl', 'cholesterol/hdl', {
    name: 'HDL cholesterol',
    ...lipid,
    sent: cholesterol,
    plausible: CHOLESTEROL,
    loinc: { code: '14646-4', match: 'exact' },
  }),
  ofSampleType('cholesterol', 'ldl', 'cholesterol/ldl', {
    name: 'LDL cholesterol',
    ...lipid,
    sent: cholesterol,
    plausible: CHOLESTEROL,
    loinc: { code: '22748-8', match: 'exact' },
  }),
  ofSampleType('cholesterol', 'triglycerides', 'cholesterol/triglycerides', {
    name: 'Triglycerides',
    ...lipid,
    sent: triglycerides,
    plausible: TRIGLYCERIDES,
    loinc: { code: '14927-8', match: 'exact' },
  }),
  // The sample type is the antigen. There are hundreds, and they share a measure.
  ofResource('ige', { name: 'IgE antibodies against an antigen', ...antibodies }),
  ofResource('igg', { name: 'IgG antibodies against an antigen', ...antibodies }),
];
