import { type Analyte, analytes } from './analytes.ts';
import { CATALOGUE_DATE, type LabTest, labTests, timesOf, uuidOf } from './lab-tests.ts';
import { type CollectionMethod, type Laboratory, laboratories } from './laboratories.ts';
import { type Marker, markers } from './markers.ts';

export type { LabTest } from './lab-tests.ts';
export { labTests } from './lab-tests.ts';
export type { Laboratory } from './laboratories.ts';
export { laboratories } from './laboratories.ts';
export type { Marker } from './markers.ts';
export { markers } from './markers.ts';

const labs = new Map(laboratories.map((lab) => [lab.id, lab]));
const markersById = new Map(markers.map((marker) => [marker.id, marker]));
const testsById = new Map(labTests.map((test) => [test.id, test]));
const analytesBySlug = new Map(analytes.map((analyte) => [analyte.slug, analyte]));

export const labOf = (id: number): Laboratory | undefined => labs.get(id);
export const markerOf = (id: number): Marker | undefined => markersById.get(id);
export const labTestOf = (id: string): LabTest | undefined => testsById.get(id);

/** Finds a marker by the lab's code. */
export function markerByProviderId(labId: number, code: string): Marker | undefined {
  return markers.find(({ lab_id, provider_id }) => lab_id === labId && provider_id === code);
}

/** Returns the analytes that a marker reports. A panel reports several. */
export function analytesOf(marker: Marker): Analyte[] {
  return marker.analytes.map((slug) => analytesBySlug.get(slug)!);
}

/** Returns the markers that the lab adds to a lab test if results are abnormal. */
export function reflexesOf(test: LabTest): Marker[] {
  const ids = new Set(test.markers.flatMap(({ reflexes }) => reflexes));
  return [...ids].map((id) => markersById.get(id)!);
}

/** Returns the things without those whose id an earlier one has. */
const unique = <Thing extends { readonly id: string | number }>(things: readonly Thing[]): Thing[] =>
  things.filter(({ id }, index) => things.findIndex((thing) => thing.id === id) === index);

/** Returns the markers of lab tests and additional ones, each once. */
export const markersOf = (tests: readonly LabTest[], addOn: readonly Marker[]): Marker[] =>
  unique([...tests.flatMap((test) => test.markers), ...addOn]);

const CENTS = 100;
/** Returns a price in cents, which add up without rounding. */
export const minorOf = (price: string | number): number => Math.round(Number(price) * CENTS);

/**
 * Returns the lab test that the service makes of an order set: several lab tests, or additional markers. All belong to one lab,
 * and there is at least one. The same parts in the same order give the same lab test.
 */
export function combined(tests: readonly LabTest[], addOn: readonly Marker[], method: CollectionMethod): LabTest {
  const parts = [...unique(tests), ...unique(addOn)];
  const all = markersOf(tests, addOn);
  const lab_id = all[0]!.lab_id;
  const id = uuidOf(JSON.stringify([method, ...parts.map((part) => part.id)]));
  const created = Math.max(CATALOGUE_DATE, ...tests.map(({ created_at }) => created_at));
  return {
    id,
    lab_id,
    method,
    slug: `auto-${id}`,
    name: parts.map(({ name }) => name).join(' + '),
    sample_type: tests[0]?.sample_type ?? labs.get(lab_id)!.sample_types[0]!,
    markers: all,
    price: parts.reduce((sum, { price }) => sum + minorOf(price), 0) / CENTS,
    status: 'active',
    fasting: tests.some(({ fasting }) => fasting),
    auto_generated: true,
    ...timesOf(all),
    created_at: created,
    updated_at: created,
  };
}

/** A result that a lab reports for a marker. */
interface ExpectedResult {
  /** The lab has the same id for the analyte in all of its markers. */
  readonly id: number;
  readonly lab_id: number;
  /** The lab's code of the result, which is not that of a marker. */
  readonly provider_id: string;
  /** False if the result may be missing without a reason. */
  readonly required: boolean;
  readonly analyte: Analyte;
  readonly loinc_id: number;
}

const RESULTS_OF_A_LAB = 10_000_000;

export function expectedResultsOf(marker: Marker): ExpectedResult[] {
  return analytesOf(marker).map((analyte) => {
    // The digits of a LOINC code identify it without the dash, too.
    const loinc_id = Number(analyte.loinc.code.replace('-', ''));
    const id = marker.lab_id * RESULTS_OF_A_LAB + loinc_id;
    const required = analyte.values.kind !== 'comment';
    return { id, lab_id: marker.lab_id, provider_id: String(id), required, analyte, loinc_id };
  });
}
