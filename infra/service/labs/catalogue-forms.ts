import { z } from 'zod';
import type { Answer, AnswerForm } from '../api/operation.ts';
import { decimal, uuidSchema } from '../api/parameters.ts';
import {
  analytesOf,
  expectedResultsOf,
  type Laboratory,
  type LabTest,
  labOf,
  laboratories,
  labTests,
  type Marker,
  markers,
  minorOf,
} from './catalogue.ts';
import { accountOf, type LabAccount } from './lab-accounts.ts';
import { labTestStatuses } from './lab-tests.ts';
import { collectionMethods, sampleTypes } from './laboratories.ts';
import { loincSlug } from './result.ts';

/* Each schema has an entry of the catalogue as its example, because one made of the names of members would make no sense. */

const labMembers = z.object({
  id: z.int(),
  slug: z.string(),
  name: z.string(),
  first_line_address: z.string(),
  city: z.string(),
  zipcode: z.string(),
  collection_methods: z.array(z.enum(collectionMethods)),
  sample_types: z.array(z.enum(sampleTypes)),
  logo_url: z.string().nullable(),
});

export function labForm({ clia: _, state: __, ...lab }: Laboratory): z.input<typeof labMembers> {
  return {
    ...lab,
    collection_methods: [...lab.collection_methods],
    sample_types: [...lab.sample_types],
    logo_url: `https://images.example.com/${lab.slug}.png`,
  };
}

export const labSchema = labMembers.meta({ id: 'Lab', examples: laboratories.map(labForm) });

const questionSchema = z.object({
  id: z.int(),
  required: z.boolean(),
  code: z.string(),
  value: z.string().describe('The question.'),
  type: z.enum(['choice', 'text', 'numeric', 'multi_choice']),
  sequence: z.int(),
  answers: z.array(z.object({ id: z.int(), code: z.string(), value: z.string() })),
  constraint: z.string().nullable(),
  default: z.string().nullable(),
});

const markerMembers = z.object({
  id: z.int(),
  name: z.string(),
  slug: z.string(),
  description: z.string(),
  lab_id: z.int(),
  provider_id: z.string().describe("The lab's code."),
  type: z.enum(['biomarker', 'panel']),
  unit: z.string().nullable(),
  price: z.string().describe('In dollars.'),
  aoe: z.object({ questions: z.array(questionSchema) }).nullable(),
  a_la_carte_enabled: z.boolean().describe('The marker can be added to an order by itself.'),
  common_tat_days: z.int(),
  worst_case_tat_days: z.int(),
  is_orderable: z.boolean(),
});

export function markerForm(marker: Marker): z.input<typeof markerMembers> {
  const { analytes: _, questions, reflexes: __, ...shared } = marker;
  const [first] = analytesOf(marker);
  return {
    ...shared,
    unit: marker.type === 'biomarker' && first !== undefined && 'unit' in first.values ? first.values.unit : null,
    aoe:
      questions.length === 0
        ? null
        : { questions: questions.map((one) => ({ ...one, answers: [...one.answers], constraint: null, default: null })) },
  };
}

export const markerSchema = markerMembers.meta({ id: 'Marker', examples: [markerForm(markers[0]!)] });

const loincSchema = z.object({
  id: z.int(),
  name: z.string(),
  slug: z.string(),
  code: z.string(),
  unit: z.string().nullable(),
});

const withResultsMembers = markerMembers.extend({
  expected_results: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      slug: z.string(),
      lab_id: z.int(),
      provider_id: z.string(),
      required: z.boolean(),
      loinc: loincSchema,
    }),
  ),
});

function markerWithResultsForm(marker: Marker): z.input<typeof withResultsMembers> {
  return {
    ...markerForm(marker),
    expected_results: expectedResultsOf(marker).map(({ analyte: { slug, name, loinc, values }, loinc_id, ...result }) => ({
      ...result,
      slug,
      name,
      loinc: {
        id: loinc_id,
        name: loinc.name,
        slug: loincSlug(loinc.name),
        code: loinc.code,
        unit: 'unit' in values ? values.unit : null,
      },
    })),
  };
}

const markerWithResultsSchema = withResultsMembers.meta({
  id: 'MarkerWithResults',
  examples: [markerWithResultsForm(markers[0]!)],
});

const labTestMembers = z.object({
  id: z.uuid(),
  slug: z.string(),
  name: z.string(),
  sample_type: z.enum(sampleTypes),
  method: z.enum(collectionMethods),
  price: z.number().describe('In dollars.'),
  is_active: z.boolean().meta({ deprecated: true, description: 'Use status.' }),
  status: z.enum(labTestStatuses),
  fasting: z.boolean(),
  lab: labSchema,
  markers: z.array(markerSchema),
  is_delegated: z.boolean().meta({ deprecated: true, description: 'Always false.' }),
  auto_generated: z.boolean().describe('The service made the lab test from an order.'),
  has_collection_instructions: z.boolean().describe('Always false, because the service has no such document.'),
  common_tat_days: z.int(),
  worst_case_tat_days: z.int(),
});

export function labTestForm(test: LabTest): z.input<typeof labTestMembers> {
  const { lab_id, created_at: _, updated_at: __, ...shared } = test;
  return {
    ...shared,
    is_active: test.status === 'active',
    lab: labForm(labOf(lab_id)!),
    markers: test.markers.map(markerForm),
    is_delegated: false,
    has_collection_instructions: false,
  };
}

export const labTestSchema = labTestMembers.meta({ id: 'LabTest', examples: [labTestForm(labTests[3]!)] });

/* What several operations of the catalogue share. */

const unknown = (what: string): Answer => ({ status: 404, body: { detail: `${what} not found` } });
export const NO_ACCOUNT = unknown('Lab account');
export const NO_LAB_TEST = unknown('Lab test');
export const NO_MARKER = unknown('Marker');

/** The id of a lab account, or its number. */
const accountIdSchema = z.union([decimal(z.int().min(1)), uuidSchema]);
export const accountParameter = accountIdSchema
  .optional()
  .describe('Id or number of a lab account. Default: everything that the labs offer.');

/**
 * Returns the account that a request names; undefined if it names none, and `unknown` if there is no such account. `isUsable` tells
 * whether the team may use an account. The service does not tell a team of others.
 */
export function namedAccount(
  id: string | number | null | undefined,
  isUsable: (account: string) => boolean,
): LabAccount | undefined | 'unknown' {
  if (id === undefined || id === null) return undefined;
  const account = accountOf(id);
  return account !== undefined && isUsable(account.id) ? account : 'unknown';
}

const countSchema = z.int().min(0);

const priceSchema = z.object({
  base_amount_minor: z.int().describe('In cents.'),
  modifiers: z.null().describe('The service has none.'),
});

const pricingOf = <Price extends z.ZodType>(id: string, key: string, price: Price) =>
  z.object({ currency: z.literal('USD'), data: z.record(z.string(), price).describe(`By ${key}.`) }).meta({ id });

const markerPricingSchema = pricingOf('MarkerPricing', 'marker id', priceSchema);
export const labTestPricingSchema = pricingOf(
  'LabTestPricing',
  'lab test id',
  z.object({ pricing: priceSchema, marker_breakdown: z.record(z.string(), priceSchema).describe('By marker id.') }),
);

const amount = (price: string | number): z.input<typeof priceSchema> => ({ base_amount_minor: minorOf(price), modifiers: null });
const amounts = (markers: readonly Marker[]) => Object.fromEntries(markers.map(({ id, price }) => [id, amount(price)]));

function markerPricing(markers: readonly Marker[]): z.input<typeof markerPricingSchema> {
  return { currency: 'USD', data: amounts(markers) };
}

export function labTestPricing(tests: readonly LabTest[]): z.input<typeof labTestPricingSchema> {
  const entries = tests.map(({ id, price, markers }) => {
    return [id, { pricing: amount(price), marker_breakdown: amounts(markers) }] as const;
  });
  return { currency: 'USD', data: Object.fromEntries(entries) };
}

export const markersPage: AnswerForm = {
  description: 'A page of markers.',
  schema: z.object({
    markers: z.array(markerWithResultsSchema),
    total: countSchema,
    page: countSchema,
    size: countSchema,
    pages: countSchema,
    pricing: markerPricingSchema.nullable(),
  }),
};

interface Page {
  readonly page: number;
  readonly size: number;
}

export function markersAnswer(all: readonly Marker[], { page, size }: Page, { isPriced = false } = {}): Answer {
  const some = all.slice((page - 1) * size, page * size);
  return {
    status: 200,
    body: {
      markers: some.map(markerWithResultsForm),
      total: all.length,
      page,
      size,
      pages: Math.ceil(all.length / size),
      pricing: isPriced ? markerPricing(some) : null,
    },
  };
}
