import { createHash } from 'node:crypto';
import type { CollectionMethod, SampleType } from './laboratories.ts';
import { type Marker, markers } from './markers.ts';

export const labTestStatuses = ['active', 'pending_approval', 'inactive'] as const;

/** Markers of one lab that teams order together, with the way of collecting the sample. */
export interface LabTest {
  readonly id: string;
  readonly lab_id: number;
  readonly slug: string;
  readonly name: string;
  readonly method: CollectionMethod;
  readonly sample_type: SampleType;
  readonly markers: readonly Marker[];
  /** In dollars. */
  readonly price: number;
  readonly status: (typeof labTestStatuses)[number];
  readonly fasting: boolean;
  /** The service made it from an order. */
  readonly auto_generated: boolean;
  readonly common_tat_days: number;
  readonly worst_case_tat_days: number;
  /** Milliseconds since 1970. */
  readonly created_at: number;
  readonly updated_at: number;
}

/** Returns the UUID of a text, in the form of version 4. */
export function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Returns the longest of the usual and of the worst times that markers take. */
export function timesOf(some: readonly Marker[]): Pick<LabTest, 'common_tat_days' | 'worst_case_tat_days'> {
  return {
    common_tat_days: Math.max(...some.map(({ common_tat_days }) => common_tat_days)),
    worst_case_tat_days: Math.max(...some.map(({ worst_case_tat_days }) => worst_case_tat_days)),
  };
}

type Given = Pick<LabTest, 'slug' | 'name' | 'method' | 'price'> & Partial<LabTest> & { readonly marker_ids: readonly number[] };

/** When the first lab tests were made, in milliseconds since 1970. */
export const CATALOGUE_DATE = Date.UTC(2025, 2, 3, 9);

function labTest({ marker_ids, ...given }: Given): LabTest {
  const some = marker_ids.map((id) => markers.find((marker) => marker.id === id)!);
  return {
    id: uuidOf(given.slug),
    lab_id: some[0]!.lab_id,
    markers: some,
    sample_type: 'serum',
    status: 'active',
    fasting: false,
    auto_generated: false,
    ...timesOf(some),
    created_at: CATALOGUE_DATE,
    updated_at: CATALOGUE_DATE,
    ...given,
  };
}

const LATER = Date.UTC(2025, 6, 14, 15, 30);

export const labTests: readonly LabTest[] = [
  labTest({
    slug: 'metabolic-baseline',
    name: 'Metabolic Baseline',
    method: 'walk_in_test',
    price: 59,
    fasting: true,
    marker_ids: [361, 363, 368],
  }),
  labTest({
    slug: 'thyroid-check',
    name: 'Thyroid Check',
    method: 'walk_in_test',
    price: 69,
    marker_ids: [366, 337],
  }),
  labTest({
    slug: 'blood-count',
    name: 'Blood Count',
    method: 'walk_in_test',
    price: 24.5,
    marker_ids: [365, 371],
  }),
  labTest({
    slug: 'urine-check',
    name: 'Urine Check',
    method: 'walk_in_test',
    price: 24.5,
    sample_type: 'urine',
    marker_ids: [352, 353],
  }),
  labTest({
    slug: 'infection-screen',
    name: 'Infection Screen',
    method: 'walk_in_test',
    price: 129,
    marker_ids: [382, 383, 384, 385, 386],
    created_at: LATER,
    updated_at: LATER,
  }),
  labTest({
    slug: 'heart-risk',
    name: 'Heart Risk',
    method: 'at_home_phlebotomy',
    price: 99,
    fasting: true,
    marker_ids: [363, 318, 319, 320, 321],
  }),
  labTest({
    slug: 'iron-and-energy',
    name: 'Iron and Energy',
    method: 'at_home_phlebotomy',
    price: 99,
    marker_ids: [367, 364, 330, 331, 332, 334],
  }),
  labTest({
    slug: 'male-hormones',
    name: 'Male Hormones',
    method: 'at_home_phlebotomy',
    price: 139,
    marker_ids: [369, 348],
    created_at: LATER,
    updated_at: LATER,
  }),
  labTest({
    slug: 'chemistry-classic',
    name: 'Chemistry Classic',
    method: 'at_home_phlebotomy',
    price: 49,
    status: 'inactive',
    marker_ids: [360, 362, 313],
    updated_at: LATER,
  }),
  labTest({
    slug: 'workplace-wellness',
    name: 'Workplace Wellness',
    method: 'on_site_collection',
    price: 45,
    marker_ids: [360, 363],
  }),
  labTest({
    slug: 'workplace-sugar',
    name: 'Workplace Sugar',
    method: 'on_site_collection',
    price: 29,
    fasting: true,
    marker_ids: [301, 368],
    created_at: LATER,
    updated_at: LATER,
  }),
  labTest({
    slug: 'heart-kit',
    name: 'Heart Kit',
    method: 'testkit',
    price: 79,
    sample_type: 'dried_blood_spot',
    fasting: true,
    marker_ids: [560, 562, 505],
  }),
  labTest({
    slug: 'thyroid-kit',
    name: 'Thyroid Kit',
    method: 'testkit',
    price: 99,
    sample_type: 'dried_blood_spot',
    marker_ids: [561],
  }),
  labTest({
    slug: 'stress-kit',
    name: 'Stress Kit',
    method: 'testkit',
    price: 45,
    sample_type: 'saliva',
    marker_ids: [530, 531],
  }),
  labTest({
    slug: 'sti-kit',
    name: 'STI Kit',
    method: 'testkit',
    price: 119,
    sample_type: 'urine',
    marker_ids: [563],
    created_at: LATER,
    updated_at: LATER,
  }),
  labTest({
    slug: 'gut-kit',
    name: 'Gut Kit',
    method: 'testkit',
    price: 139,
    sample_type: 'stool',
    status: 'pending_approval',
    marker_ids: [564],
    created_at: LATER,
    updated_at: LATER,
  }),
];
