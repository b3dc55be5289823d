/**
 * The canonical units, as UCUM codes, with their names. UCUM allows any text in braces, so a unit such as `{steps}` counts as 1
 * in calculations.
 */
export const unitNames = {
  '%': 'percent',
  '/min': 'per minute',
  '1': 'fraction',
  '[iU]': 'international units',
  Cel: 'degrees Celsius',
  K: 'kelvins, equal to degrees Celsius for a difference of temperatures',
  L: 'litres',
  'L/min': 'litres per minute',
  W: 'watts',
  cm: 'centimetres',
  g: 'grams',
  kcal: 'kilocalories',
  kg: 'kilograms',
  'kg/m2': 'kilograms per square metre',
  m: 'metres',
  'm/s': 'metres per second',
  mL: 'millilitres',
  'mL/kg/min': 'millilitres per kilogram and minute',
  mV: 'millivolts',
  min: 'minutes',
  'mm[Hg]': 'millimetres of mercury',
  'mmol/L': 'millimoles per litre',
  ms: 'milliseconds',
  s: 'seconds',
  '{FSU}': 'fluorescence scale units',
  '{events}': 'events',
  '{floors}': 'floors',
  '{hours}': 'hours of the day',
  '{index}': 'points of an index',
  '{pushes}': 'pushes',
  '{score}': 'points of a score',
  '{steps}': 'steps',
  '{strokes}': 'strokes',
} as const;

export type Unit = keyof typeof unitNames;
