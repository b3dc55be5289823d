import { expect, test } from 'vitest';
import { toCanonicalUnit } from './measures.ts';

/** Expected values come from the definitions of the units, and from published tables of molar masses. */
test.each<[string, string | null, string | null, readonly [number, number, string]]>([
  ['glucose', null, 'mg/dL', [180.182, 10, 'mmol/L']],
  ['glucose', null, 'MMOL/L', [5.5, 5.5, 'mmol/L']],
  ['glucose', null, null, [5.5, 5.5, 'mmol/L']],
  ['glucose', null, '', [5.5, 5.5, 'mmol/L']],
  ['glucose', null, '  ', [5.5, 5.5, 'mmol/L']],
  ['glucose', null, ' mg/dL ', [180.182, 10, 'mmol/L']],
  ['heartrate', null, 'COUNT/MIN', [60, 60, '/min']],
  ['cholesterol', 'cholesterol/hdl', 'mg/dL', [38.67, 1, 'mmol/L']],
  ['cholesterol', 'cholesterol/triglycerides', 'mg/dl', [88.57, 1, 'mmol/L']],
  ['cholesterol', 'cholesterol/vldl', 'mmol/L', [1, 1, 'mmol/L']],
  ['weight', null, 'lb', [100, 45.359237, 'kg']],
  ['weight', null, 'st', [10, 63.5029318, 'kg']],
  ['weight', null, 'Lbs', [1, 0.45359237, 'kg']],
  ['body_temperature', null, '°F', [98.6, 37, 'Cel']],
  ['body_temperature', null, 'F', [-40, -40, 'Cel']],
  ['body_temperature', null, 'K', [273.15, 0, 'Cel']],
  ['body_temperature_delta', null, '°F', [1.8, 1, 'K']],
  ['body_temperature_delta', null, '°C', [0.3, 0.3, 'K']],
  ['distance', null, 'miles', [1, 1609.344, 'm']],
  ['distance', null, 'km', [2.5, 2500, 'm']],
  ['waist_circumference', null, 'in', [10, 25.4, 'cm']],
  ['water', null, 'fl oz', [10, 295.735295625, 'mL']],
  ['water', null, 'fl_oz_imp', [20, 568.26125, 'mL']],
  ['calories_active', null, 'kJ', [4184, 1000, 'kcal']],
  ['heartrate', null, 'bpm', [60, 60, '/min']],
  ['respiratory_rate', null, 'bpm', [15, 15, '/min']],
  ['hrv', null, 'rmssd', [42, 42, 'ms']],
  ['caffeine', null, 'mg', [95, 0.095, 'g']],
  ['electrocardiogram_voltage', 'lead_1', 'µV', [373, 0.373, 'mV']],
  ['workout_duration', null, 's', [90, 1.5, 'min']],
  ['body_mass_index', null, 'index', [22, 22, 'kg/m2']],
  ['insulin_injection', 'rapid_acting', 'unit', [4, 4, '[iU]']],
])('a value of %s (type %s) in %s', (resource, sampleType, unit, [sent, value, canonicalUnit]) => {
  const found = toCanonicalUnit({ resource, sampleType, unit }, sent)!;
  expect(found.unit).toBe(canonicalUnit);
  expect(found.value).toBeCloseTo(value, 10);
});

test.each<[string, string | null, string | null]>([
  ['glucose', null, 'mg'],
  ['glucose', null, 'mmol / L'],
  ['heartrate', null, 'count/s'],
  ['cholesterol', null, 'mg/dL'],
  ['cholesterol', 'cholesterol/vldl', 'mg/dL'],
  ['weight', null, 'mmol/L'],
  ['calories_active', null, 'cal'],
  ['water', null, 'oz'],
  ['hypnogram', null, 'stage'],
  ['unheard_of', null, null],
])('a value of %s (type %s) in "%s" has no canonical value', (resource, sampleType, unit) => {
  expect(toCanonicalUnit({ resource, sampleType, unit }, 1)).toBeUndefined();
});
