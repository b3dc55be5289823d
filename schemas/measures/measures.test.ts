import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { timeseriesResources } from '../events/resource.ts';
import { tables } from '../tables/tables.generated.ts';
import { loincSource, loincTerms } from './loinc.ts';
import { isSampleMeasure, unitNames } from './measure.ts';
import {
  columnMeasures,
  columnsWithoutMeasure,
  measureOfSample,
  measures,
  resourcesWithoutMeasure,
  sampleMeasures,
} from './measures.ts';

/** Sample types in the service's public documentation, for the resources whose samples are told apart by their type. */
const knownTypes: Readonly<Record<string, readonly string[]>> = {
  cholesterol: ['cholesterol/hdl', 'cholesterol/ldl', 'cholesterol/total', 'cholesterol/triglycerides'],
  electrocardiogram_voltage: ['lead_1'],
  heart_rate_alert: ['low_heart_rate', 'high_heart_rate', 'irregular_rhythm'],
  insulin_injection: ['rapid_acting', 'long_acting'],
  sleep_breathing_disturbance: ['elevated', 'not_elevated'],
  stand_hour: ['stood', 'idle'],
};
/** Resources whose types are an open list of antigens. */
const openTypes = ['ige', 'igg'];

const ids = measures.map(({ id }) => id);
const mapped = measures.flatMap(({ id, loinc }) => (loinc === undefined ? [] : [{ id, ...loinc }]));

test('the id of each measure is unique', () => {
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('each resource has a measure for all its types, or a reason to have none', () => {
  const samples = timeseriesResources.filter(({ stream }) => stream !== 'blood_pressure').map(({ resource }) => resource);
  const without = samples.filter((resource) => measureOfSample(resource, null) === undefined);
  expect(without).toEqual(Object.keys(resourcesWithoutMeasure));
  expect(sampleMeasures.filter(({ resource }) => !samples.includes(resource))).toEqual([]);
  // The samples of this resource have two values, which are columns of the table of the same name.
  expect(columnMeasures.filter(({ table }) => table === 'blood_pressure')).toHaveLength(2);
});

test('each known sample type has a measure of its own', () => {
  const keyed = timeseriesResources.filter(({ typeIsKey }) => typeIsKey).map(({ resource }) => resource);
  expect([...Object.keys(knownTypes), ...openTypes].sort()).toEqual(keyed.toSorted());
  for (const [resource, types] of Object.entries(knownTypes)) {
    const found = types.map((type) => measureOfSample(resource, type)!.id);
    expect(new Set([...found, resource]).size, resource).toBe(types.length + 1);
    expect(measureOfSample(resource, 'some other type')!.id).toBe(resource);
  }
});

test('each column with numbers is a measure, or has a reason not to be one', () => {
  const named = (table: string, column: string): boolean =>
    column in columnsWithoutMeasure || `${table}.${column}` in columnsWithoutMeasure;
  const numeric = tables
    .filter(({ shape }) => shape === 'summary' || shape === 'timeseries')
    .flatMap((table) =>
      table.columns
        .filter(({ name, type, class: ofClass }) => {
          return (type === 'int64' || type === 'float64') && ofClass === 'measure' && !name.startsWith('_');
        })
        .map(({ name }) => ({ table: table.name, column: name })),
    );
  const measured = (table: string, column: string): boolean => ids.includes(`${table}.${column}`);
  const advice = 'declare each with ofColumn() in schemas/measures/, or add its reason to columnsWithoutMeasure; not both';
  expect(
    numeric.filter(({ table, column }) => measured(table, column) === named(table, column)),
    advice,
  ).toEqual([]);
  const known = new Set(numeric.map(({ table, column }) => `${table}.${column}`));
  expect(columnMeasures.filter(({ id }) => !known.has(id))).toEqual([]);
});

/** The canonical unit of a column, from the unit in its declaration. Every number stays the same. */
const ofDeclaration: Readonly<Record<string, readonly string[]>> = {
  '%': ['%'],
  '1/min': ['/min'],
  '°C': ['Cel', 'K'],
  bpm: ['/min'],
  count: ['{steps}', '{floors}', '{pushes}'],
  mmHg: ['mm[Hg]'],
};

test('the canonical unit of a column is its declared unit', () => {
  for (const { id, table, column, unit } of columnMeasures) {
    const declared = tables.find(({ name }) => name === table)!.columns.find(({ name }) => name === column)!.unit;
    if (declared === undefined) expect(['1', '{index}', '{score}', 'kg/m2'], id).toContain(unit);
    else expect(ofDeclaration[declared] ?? [declared], id).toContain(unit);
  }
});

test('the declared unit of a resource is one that needs no conversion', () => {
  for (const { resource, unit, stream } of timeseriesResources) {
    if (stream !== 'timeseries' || resource in resourcesWithoutMeasure) continue;
    for (const measure of sampleMeasures.filter((one) => one.resource === resource)) {
      const { spelled, ...conversion } = measure.sent[0];
      expect([measure.id, spelled.includes(unit.toLowerCase()), conversion]).toEqual([measure.id, true, {}]);
    }
  }
});

test('the spellings of a measure are in lower case, and no two units share one', () => {
  for (const measure of measures) {
    const spelled = (measure.sent ?? []).flatMap((unit) => unit.spelled);
    expect(new Set(spelled).size, measure.id).toBe(spelled.length);
    expect(spelled.map((one) => one.toLowerCase())).toEqual(spelled);
    expect(spelled.filter((one) => one === '' || one.includes("'"))).toEqual([]);
  }
});

test('plausible ranges are ordered', () => {
  expect(measures.filter(({ plausible: [low, high] }) => !(low < high)).map(({ id }) => id)).toEqual([]);
});

test('UCUM units come from the list, and each unit of the list is used', () => {
  expect(new Set(measures.map(({ unit }) => unit))).toEqual(new Set(Object.keys(unitNames)));
});

/** The check digit of LOINC: double every other digit from the right, add up all digits, and complete to a multiple of 10. */
function checkDigit(number: string): number {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + Math.floor(value / 10) + (value % 10);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

test('LOINC codes have valid check digits, and each code of the list is used', () => {
  for (const code of Object.keys(loincTerms)) {
    const [number, digit] = code.split('-') as [string, string];
    expect([code, checkDigit(number)]).toEqual([code, Number(digit)]);
  }
  expect(new Set(mapped.map(({ code }) => code))).toEqual(new Set(Object.keys(loincTerms)));
});

test('each LOINC code is in the published list of all codes, with the class that its meaning requires', () => {
  const [name, version, file] = loincSource.match(/^(.+)@(\d+\.\d+\.\d+)\/(.+)$/)!.slice(1) as [string, string, string];
  const { devDependencies } = createRequire(import.meta.url)('../../package.json') as { devDependencies: Record<string, string> };
  expect(devDependencies[name]).toBe(version);
  const main = createRequire(import.meta.url).resolve(name);
  const list = readFileSync(join(main.slice(0, main.indexOf(name)), name, file), 'utf8');
  const published = JSON.parse(list) as Record<string, { readonly class: string }>;
  const expected = Object.entries(loincTerms).map(([code, term]) => [code, term.class]);
  expect(expected.map(([code]) => [code, published[code!]?.class])).toEqual(expected);
});

test('only one measure of samples means exactly what a LOINC term means', () => {
  const exact = measures.filter(({ loinc }) => loinc?.match === 'exact');
  const samples = exact.filter(isSampleMeasure).map(({ loinc }) => loinc!.code);
  expect(new Set(samples).size).toBe(samples.length);
});

test('codes that would be forced are not used', () => {
  const codeOf = (id: string) => measures.find((measure) => measure.id === id)!.loinc;
  // SDNN (80404-7) is a different statistic, and the steps of an interval are not those of 24 hours (41950-7).
  expect(codeOf('hrv')).toBeUndefined();
  expect(codeOf('steps')).toEqual({ code: '55423-8', match: 'broader' });
  expect(codeOf('activity.steps')).toEqual({ code: '41950-7', match: 'exact' });
  // An oximeter does not measure a sample of arterial blood (2708-6).
  expect(codeOf('blood_oxygen')!.code).toBe('59408-5');
  // The specimen is not known.
  expect(codeOf('glucose')!.match).toBe('broader');
});
