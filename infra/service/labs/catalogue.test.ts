import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { analytes } from './analytes.ts';
import {
  analytesOf,
  combined,
  expectedResultsOf,
  type LabTest,
  labOf,
  laboratories,
  labTestOf,
  labTests,
  type Marker,
  markerByProviderId,
  markerOf,
  markers,
  reflexesOf,
} from './catalogue.ts';
import { accountOf, labAccounts, offersLabTest, offersMarker } from './lab-accounts.ts';

const require = createRequire(import.meta.url);
/** The main files of two packages that have codes of LOINC. */
const [classified, named] = [require.resolve('@metriport/shared'), require.resolve('@imranq2/fhirpatientsummary')];

/** The class of every code of LOINC. Classes of type 1 are those of laboratories. */
const classes = JSON.parse(
  readFileSync(join(dirname(classified), 'medical/fhir/loinc/loinc-code-class-lookup.json'), 'utf8'),
) as Readonly<Record<string, { readonly class: string; readonly classType: string }>>;
/** Long names of common codes. The package has each of them in a comment after the code; its build has replaced `#`. */
const names = new Map(
  [...readFileSync(named, 'utf8').matchAll(/^ +"(\d+-\d)",?\n +\/\/ (.+)$/gm)].map(([, code, name]) => [
    code!,
    name!.replace('///', '#/'),
  ]),
);

const unique = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];
const labTest = (slug: string): LabTest => labTests.find((one) => one.slug === slug)!;

test('every LOINC code is that of a laboratory term', () => {
  expect(Object.keys(classes).length).toBeGreaterThan(100_000);
  const wrong = analytes.filter(({ loinc }) => classes[loinc.code]?.classType !== '1');
  expect(wrong.map(({ slug, loinc }) => `${slug} ${loinc.code}`)).toEqual([]);
});

test('the LOINC codes of common analytes have their long names', () => {
  const known = analytes.filter(({ loinc }) => names.has(loinc.code));
  expect(known.length).toBeGreaterThan(40);
  expect(known.map(({ loinc }) => loinc)).toEqual(known.map(({ loinc: { code } }) => ({ code, name: names.get(code) })));
});

test.each(['numeric', 'range', 'coded_value', 'comment'] as const)('several analytes have values of kind %s', (kind) => {
  expect(analytes.filter(({ values }) => values.kind === kind).length).toBeGreaterThan(1);
});

test('reference ranges are inside the critical bounds', () => {
  const wrong = analytes.filter(({ values }) => {
    if (!('unit' in values)) return false;
    const { criticalLow = -Infinity, low = criticalLow, high = Infinity, criticalHigh = Infinity } = values;
    return !(criticalLow <= low && low < high && high <= criticalHigh) || (values.low ?? values.high) === undefined;
  });
  expect(wrong.map(({ slug }) => slug)).toEqual([]);
});

test('bounds have no more digits than the results', () => {
  const wrong = analytes.filter(({ values }) => {
    if (!('unit' in values)) return false;
    const { decimals, low, high, criticalLow, criticalHigh } = values;
    return [low, high, criticalLow, criticalHigh].some(
      (bound) => bound !== undefined && Number(bound.toFixed(decimals)) !== bound,
    );
  });
  expect(wrong.map(({ slug }) => slug)).toEqual([]);
});

test('each analyte, marker, lab test and account has an id of its own', () => {
  const repeated = (ids: readonly unknown[]): unknown[] => ids.filter((id, index) => ids.indexOf(id) !== index);
  expect(repeated(analytes.map(({ slug }) => slug))).toEqual([]);
  expect(repeated(analytes.map(({ loinc }) => loinc.code))).toEqual([]);
  expect(repeated(markers.map(({ id }) => id))).toEqual([]);
  expect(repeated(markers.map(({ provider_id }) => provider_id))).toEqual([]);
  expect(repeated(labTests.map(({ id }) => id))).toEqual([]);
  expect(repeated(labTests.map(({ slug }) => slug))).toEqual([]);
  expect(repeated(labAccounts.flatMap(({ id, number }) => [id, number]))).toEqual([]);
});

test('the two labs have at least sixty markers, and sell some analytes for different prices', () => {
  expect(laboratories.map(({ slug }) => slug)).toEqual(['quest', 'ussl']);
  expect(markers.length).toBeGreaterThan(60);
  const prices = Map.groupBy(
    markers.filter(({ type }) => type === 'biomarker'),
    ({ slug }) => slug,
  );
  const shared = [...prices.values()].filter((some) => some.length === 2);
  expect(shared.length).toBeGreaterThan(10);
  expect(shared.filter(([a, b]) => a!.price === b!.price).map(([a]) => a!.slug)).toEqual([]);
});

test('every marker is described, has a price in cents, and reports analytes of the catalogue', () => {
  const wrong = markers.filter((marker) => {
    const found = analytesOf(marker);
    const isWhole = found.every((analyte) => analyte !== undefined) && unique(found).length === found.length;
    const isOne = marker.type === 'biomarker' ? found.length === 1 : found.length > 1;
    return !(isWhole && isOne && /^[A-Z].+\.$/.test(marker.description) && /^\d+\.\d\d$/.test(marker.price));
  });
  expect(wrong.map(({ id, slug }) => `${id} ${slug}`)).toEqual([]);
});

test('only markers that cannot be ordered are reflexes', () => {
  const reflexes = markers.flatMap((marker) => marker.reflexes);
  expect(reflexes.filter((id) => markerOf(id)?.is_orderable !== false)).toEqual([]);
  expect(markers.filter(({ is_orderable, a_la_carte_enabled }) => !is_orderable && a_la_carte_enabled)).toEqual([]);
  expect(markers.filter(({ id, is_orderable }) => !is_orderable && !reflexes.includes(id))).toEqual([]);
});

test('lab tests have orderable markers of one lab, which collects and takes the sample in this way', () => {
  const wrong = labTests.filter(({ lab_id, method, sample_type, markers: some }) => {
    const lab = labOf(lab_id)!;
    const isPossible = lab.collection_methods.includes(method) && lab.sample_types.includes(sample_type);
    return !(isPossible && some.length > 0 && some.every((marker) => marker.lab_id === lab_id && marker.is_orderable));
  });
  expect(wrong.map(({ slug }) => slug)).toEqual([]);
});

test('there are several lab tests of each collection method, in every status', () => {
  const methods = Map.groupBy(labTests, ({ method }) => method);
  expect([...methods].map(([method, some]) => [method, some.length > 1])).toEqual([
    ['walk_in_test', true],
    ['at_home_phlebotomy', true],
    ['on_site_collection', true],
    ['testkit', true],
  ]);
  const statuses = Map.groupBy(labTests, ({ status }) => status);
  expect([statuses.get('inactive')?.length, statuses.get('pending_approval')?.length]).toEqual([1, 1]);
});

test('the id of a lab test is the SHA-256 of its slug, as a UUID of version 4', () => {
  // printf thyroid-kit | sha256sum
  expect(labTest('thyroid-kit').id).toBe('ec2ccb56-20e1-4862-8077-141f25f91c26');
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expect(labTests.filter(({ id }) => !form.test(id))).toEqual([]);
});

test('look-ups find things by their ids', () => {
  expect(labOf(3)?.slug).toBe('quest');
  expect(markerOf(365)?.name).toBe('CBC with Differential');
  expect(markerByProviderId(5, 'BS-1239')).toBe(markerOf(509));
  expect(labTestOf(labTest('gut-kit').id)).toBe(labTest('gut-kit'));
  expect(reflexesOf(labTest('infection-screen')).map(({ slug }) => slug)).toEqual(['hiv-1-antibody', 'hepatitis-liver-reflex']);
  expect([labOf(0), markerOf(0), markerByProviderId(3, 'BS-1239'), labTestOf('x')]).toEqual(Array(4).fill(undefined));
});

test('a lab has the same result id for an analyte in all of its markers, and the other lab has another one', () => {
  const glucose = (id: number) => expectedResultsOf(markerOf(id)!).find(({ analyte }) => analyte.slug === 'glucose');
  expect(glucose(301)).toMatchObject({ id: 30_023_457, provider_id: '30023457', lab_id: 3, required: true, loinc_id: 23_457 });
  expect(glucose(361)).toEqual(glucose(301));
  expect(glucose(501)).toMatchObject({ id: 50_023_457, lab_id: 5 });
  const optional = expectedResultsOf(markerOf(365)!).filter(({ required }) => !required);
  expect(optional.map(({ analyte }) => analyte.slug)).toEqual(['blood-smear']);
});

test('an account offers the markers of its lab that it does not lack, and the lab tests that need no other markers', () => {
  const [all, kits, some] = labAccounts;
  expect([accountOf(1001), accountOf(kits!.id), accountOf(1), accountOf('1001')]).toEqual([all, kits, undefined, undefined]);
  expect([all, kits, some].map((account) => offersMarker(account!, markerOf(380)!))).toEqual([true, false, false]);
  const offered = (account: typeof all) => labTests.filter((one) => offersLabTest(account!, one)).map(({ slug }) => slug);
  expect(offered(kits)).toEqual(['heart-kit', 'thyroid-kit', 'stress-kit', 'sti-kit', 'gut-kit']);
  expect(offered(all).filter((slug) => !offered(some).includes(slug))).toEqual(['infection-screen', 'male-hormones']);
});

test('a combined lab test has all markers once, and costs as much as its parts', () => {
  const ferritin = markerOf(328)!;
  const parts = [labTest('workplace-wellness'), labTest('blood-count'), labTest('metabolic-baseline')];
  const made = combined(parts, [ferritin], 'walk_in_test');
  expect(made).toMatchObject({
    name: 'Workplace Wellness + Blood Count + Metabolic Baseline + Ferritin',
    // 45 + 24.50 + 59 + 15
    price: 143.5,
    lab_id: 3,
    method: 'walk_in_test',
    sample_type: 'serum',
    status: 'active',
    auto_generated: true,
    fasting: true,
    common_tat_days: 1,
    worst_case_tat_days: 4,
  });
  // The lipid panel, 363, is part of two lab tests.
  expect(made.markers.map(({ id }) => id)).toEqual([360, 363, 365, 371, 361, 368, 328]);
});

test('the composition and the method of a combined lab test decide its id', () => {
  const [a, b] = [labTest('blood-count'), labTest('thyroid-check')];
  const ferritin = markerOf(328)!;
  const idOf = (tests: readonly LabTest[], addOn: readonly Marker[] = [], method: LabTest['method'] = 'walk_in_test') =>
    combined(tests, addOn, method).id;
  const ids = [idOf([a, b]), idOf([b, a]), idOf([a], [ferritin]), idOf([], [ferritin]), idOf([a, b], [], 'at_home_phlebotomy')];
  expect(unique(ids)).toHaveLength(ids.length);
  expect(idOf([a, { ...b }, b, a])).toBe(idOf([a, b]));
});
