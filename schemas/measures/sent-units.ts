/**
 * A unit in which values are sent, and how to convert them: canonical = (value − minus) × times ÷ per. Two factors are used
 * instead of one, so that each is an exact number from the definition of the unit.
 */
export interface SentUnit {
  /** Spellings in lower case. Spellings are compared without regard to case. */
  readonly spelled: readonly string[];
  readonly minus?: number;
  readonly times?: number;
  readonly per?: number;
}

export type SentUnits = readonly [SentUnit, ...SentUnit[]];

/** Spellings of a unit with the prefix micro: the micro sign, the Greek letter mu, or a plain u. */
const micro = (unit: string): string[] => [`\u00b5${unit}`, `\u03bc${unit}`, `u${unit}`];

/** Counts have no other unit. `nouns` are the things that are counted. */
export const counted = (...nouns: readonly string[]): SentUnits => [{ spelled: ['count', 'counts', '{count}', ...nouns] }];

export const kilocalories: SentUnits = [
  // `cal` is left out: `Cal` means a kilocalorie, `cal` a thousandth of it, and case is ignored.
  { spelled: ['kcal', 'kilocalorie', 'kilocalories'] },
  { spelled: ['kj', 'kilojoule', 'kilojoules'], per: 4.184 },
  { spelled: ['j', 'joule', 'joules'], per: 4184 },
];

export const metres: SentUnits = [
  { spelled: ['m', 'meter', 'meters', 'metre', 'metres'] },
  { spelled: ['km', 'kilometer', 'kilometers', 'kilometre', 'kilometres'], times: 1000 },
  { spelled: ['cm', 'centimeter', 'centimeters', 'centimetre', 'centimetres'], per: 100 },
  { spelled: ['mi', 'mile', 'miles', '[mi_i]'], times: 1609.344 },
  { spelled: ['yd', 'yard', 'yards', '[yd_i]'], times: 0.9144 },
  { spelled: ['ft', 'foot', 'feet', '[ft_i]'], times: 0.3048 },
];

export const centimetres: SentUnits = [
  { spelled: ['cm', 'centimeter', 'centimeters', 'centimetre', 'centimetres'] },
  { spelled: ['m', 'meter', 'meters', 'metre', 'metres'], times: 100 },
  { spelled: ['mm', 'millimeter', 'millimeters', 'millimetre', 'millimetres'], per: 10 },
  { spelled: ['in', 'inch', 'inches', '[in_i]'], times: 2.54 },
  { spelled: ['ft', 'foot', 'feet', '[ft_i]'], times: 30.48 },
];

export const kilograms: SentUnits = [
  { spelled: ['kg', 'kilogram', 'kilograms'] },
  { spelled: ['g', 'gram', 'grams'], per: 1000 },
  { spelled: ['lb', 'lbs', 'pound', 'pounds', '[lb_av]'], times: 0.45359237 },
  { spelled: ['st', 'stone', 'stones', '[stone_av]'], times: 6.35029318 },
  { spelled: ['oz', 'ounce', 'ounces', '[oz_av]'], times: 0.028349523125 },
];

export const grams: SentUnits = [
  { spelled: ['g', 'gram', 'grams'] },
  { spelled: ['mg', 'milligram', 'milligrams'], per: 1000 },
  { spelled: [...micro('g'), 'mcg', 'microgram', 'micrograms'], per: 1_000_000 },
  { spelled: ['kg', 'kilogram', 'kilograms'], times: 1000 },
  { spelled: ['oz', 'ounce', 'ounces', '[oz_av]'], times: 28.349523125 },
];

export const millilitres: SentUnits = [
  // `oz` is missing, because it may be a mass. `cup` is missing, because it has several sizes.
  { spelled: ['ml', 'milliliter', 'milliliters', 'millilitre', 'millilitres'] },
  { spelled: ['l', 'liter', 'liters', 'litre', 'litres'], times: 1000 },
  { spelled: ['dl', 'deciliter', 'deciliters', 'decilitre', 'decilitres'], times: 100 },
  { spelled: ['cl', 'centiliter', 'centiliters', 'centilitre', 'centilitres'], times: 10 },
  // The ounce of the United States, unless the unit says otherwise.
  { spelled: ['fl oz', 'fl_oz', 'floz', 'fl_oz_us', 'fl oz us', '[foz_us]'], times: 29.5735295625 },
  { spelled: ['fl_oz_imp', 'fl oz imp', 'fl oz uk', '[foz_br]'], times: 28.4130625 },
];

export const litres: SentUnits = [
  { spelled: ['l', 'liter', 'liters', 'litre', 'litres'] },
  { spelled: ['ml', 'milliliter', 'milliliters', 'millilitre', 'millilitres'], per: 1000 },
];

export const litresPerMinute: SentUnits = [{ spelled: ['l/min'] }, { spelled: ['l/s'], times: 60 }];

export const oxygenPerMass: SentUnits = [
  { spelled: ['ml/kg/min', 'ml/min/kg', 'ml/(kg*min)', 'ml/(kg.min)', 'ml/(kg·min)', 'ml/kg·min', 'ml/kg*min'] },
];

export const celsius: SentUnits = [
  { spelled: ['°c', 'c', 'cel', 'celsius', 'degc', 'deg c', 'degree celsius', 'degrees celsius'] },
  {
    spelled: ['°f', 'f', 'fahrenheit', 'degf', '[degf]', 'deg f', 'degree fahrenheit', 'degrees fahrenheit'],
    minus: 32,
    times: 5,
    per: 9,
  },
  { spelled: ['k', 'kelvin'], minus: 273.15 },
];

/** The scales of temperature have different zeros, which do not matter for a difference. */
export const kelvins: SentUnits = [
  { spelled: [...celsius[0].spelled, 'k', 'kelvin'] },
  { spelled: celsius[1]!.spelled, times: 5, per: 9 },
];

export const minutes: SentUnits = [
  { spelled: ['min', 'mins', 'minute', 'minutes'] },
  { spelled: ['s', 'sec', 'secs', 'second', 'seconds'], per: 60 },
  { spelled: ['h', 'hr', 'hrs', 'hour', 'hours'], times: 60 },
];

/** The service names the unit of heart rate variability after the method, RMSSD. */
export const milliseconds: SentUnits = [
  { spelled: ['rmssd', 'ms', 'msec', 'millisecond', 'milliseconds'] },
  { spelled: ['s', 'sec', 'second', 'seconds'], times: 1000 },
];

export const millivolts: SentUnits = [
  { spelled: ['mv', 'millivolt', 'millivolts'] },
  { spelled: [...micro('v'), 'microvolt', 'microvolts'], per: 1000 },
  { spelled: ['v', 'volt', 'volts'], times: 1000 },
];

export const percent: SentUnits = [{ spelled: ['%', 'percent', 'percentage', 'pct'] }];

export const beatsPerMinute: SentUnits = [
  { spelled: ['bpm', 'beats/min', 'beats/minute', 'count/min', '/min', '1/min', '{beats}/min'] },
];

export const breathsPerMinute: SentUnits = [
  { spelled: ['bpm', 'brpm', 'breaths/min', 'breaths/minute', 'count/min', '/min', '1/min', '{breaths}/min'] },
];

export const millimetresOfMercury: SentUnits = [
  { spelled: ['mmhg', 'mm hg', 'mm[hg]'] },
  { spelled: ['kpa', 'kilopascal', 'kilopascals'], per: 0.133322387415 },
];

const millimolar = { spelled: ['mmol/l', 'mmol/liter', 'mmol/litre'] };
const massPerVolume = ['mg/dl', 'mg/100ml'];

/** The mass of 1 mmol of glucose is 180.182 mg. */
export const glucose: SentUnits = [millimolar, { spelled: massPerVolume, per: 18.0182 }];

/** The mass of 1 mmol of cholesterol is 386.7 mg, in every kind of lipoprotein. */
export const cholesterol: SentUnits = [millimolar, { spelled: massPerVolume, per: 38.67 }];

/** The mean mass of 1 mmol of triglycerides is 885.7 mg. */
export const triglycerides: SentUnits = [millimolar, { spelled: massPerVolume, per: 88.57 }];

/** For a substance that the type of the sample does not name. Its mass cannot be converted. */
export const unknownLipid: SentUnits = [millimolar];

export const fluorescence: SentUnits = [{ spelled: ['fsu'] }];

export const insulinUnits: SentUnits = [{ spelled: ['unit', 'units', 'iu', '[iu]', 'u'] }];

export const indexPoints: SentUnits = [{ spelled: ['index'] }];

export const bodyMassIndex: SentUnits = [{ spelled: ['index', 'kg/m2', 'kg/m²', 'kg/m^2'] }];
