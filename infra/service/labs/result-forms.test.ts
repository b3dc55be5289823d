import fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyte, expectedOf, someExpected, someSeed } from './analyte.fixture.ts';
import {
  metadataForm,
  metadataSchema,
  missingResultForm,
  orderResultForm,
  orderResultSchema,
  type ReportFacts,
  resultForm,
  sampleForm,
} from './result-forms.ts';
import { resultsOf } from './results.ts';

const at = { time: Date.parse('2026-03-05T09:30:00Z'), laboratory: 'Good Lab', sampleId: 'S-1' };
const facts: ReportFacts = {
  status: 'final',
  patient: { id: 'P-1', name: 'Ann Example', birthDate: '1990-03-03' },
  physician: 'Dr. Bo Example',
  laboratory: {
    slug: 'good-lab',
    name: 'Good Lab',
    clia: '00D0000000',
    phoneNumber: '+15550100',
    medicalDirector: 'Dr. Cy Example',
    address: { first_line: '1 Main St', second_line: null, city: 'Town', state: 'CA', zip: '90001', country: 'US' },
  },
  accountId: 'A-1',
  sample: {
    number: 'S-1',
    controlNumber: 'C-1',
    timeZoneOffset: -28_800,
    fasting: true,
    notes: 'Sit for ten minutes.',
    collected: Date.parse('2026-03-03T07:00:00Z'),
    received: Date.parse('2026-03-04T20:00:00Z'),
    reported: Date.parse('2026-03-06T01:00:00Z'),
  },
};
const none = { ...facts.sample, collected: null, received: null };
const order = [
  expectedOf(analyte('colour', { kind: 'coded_value', normal: ['Negative'], abnormal: ['Positive'] })),
  expectedOf(analyte('remark', { kind: 'comment', normal: ['No growth.'], abnormal: [] })),
];

test('the metadata has local dates, and the age on the date of collection', () => {
  expect(metadataForm(facts, 'abnormal')).toEqual({
    age: '35',
    dob: '1990-03-03',
    'clia_#': '00D0000000',
    patient: 'Ann Example',
    provider: 'Dr. Bo Example',
    laboratory: 'Good Lab',
    date_reported: '2026-03-05',
    date_collected: '2026-03-02',
    specimen_number: 'S-1',
    date_received: '2026-03-04',
    status: 'final',
    interpretation: 'abnormal',
    patient_id: 'P-1',
    account_id: 'A-1',
  });
});

test('without a date of collection, the metadata has the age on the date of the report', () => {
  const form = metadataForm({ ...facts, sample: none }, null);
  expect(form).toMatchObject({ age: '36', date_collected: null, date_received: null, interpretation: null });
  expect(metadataSchema.parse(form)).toEqual(form);
});

test('a sample has instants with their offset, its laboratory and clinical information', () => {
  expect(sampleForm(facts)).toEqual({
    sample_id: 'S-1',
    control_number: 'C-1',
    date_collected: { timestamp: '2026-03-03T07:00:00.000+00:00', timezone_offset: -28_800 },
    date_received: { timestamp: '2026-03-04T20:00:00.000+00:00', timezone_offset: -28_800 },
    date_reported: { timestamp: '2026-03-06T01:00:00.000+00:00', timezone_offset: -28_800 },
    performing_laboratories: {
      'good-lab': {
        name: 'Good Lab',
        phone_number: '+15550100',
        medical_director: 'Dr. Cy Example',
        address: { first_line: '1 Main St', second_line: null, city: 'Town', state: 'CA', zip: '90001', country: 'US' },
      },
    },
    clinical_information: { fasting: true, notes: 'Sit for ten minutes.', information: null, total_volume: null },
  });
  expect(sampleForm({ ...facts, sample: none })).toMatchObject({ date_collected: null, date_received: null });
});

test('a result has its type under both names, and no value', () => {
  const [result] = resultsOf(order, Buffer.alloc(16), { interpretation: 'abnormal', hasMissing: false }, at).results;
  expect(resultForm(result!)).toEqual({
    name: 'Name of colour',
    slug: 'colour',
    result: 'Positive',
    result_type: 'coded_value',
    type: 'coded_value',
    unit: null,
    timestamp: '2026-03-05T09:30:00.000+00:00',
    notes: null,
    reference_range: 'Negative',
    min_range_value: null,
    max_range_value: null,
    is_above_max_range: null,
    is_below_min_range: null,
    interpretation: 'abnormal',
    source_interpretation: 'abnormal',
    loinc: '1-8',
    loinc_slug: 'colour-mass-volume-in-serum',
    provider_id: 'code-colour',
    source_markers: [{ marker_id: 7, name: 'Panel', slug: 'panel', provider_id: 'P7' }],
    performing_laboratory: 'Good Lab',
    source_sample_id: 'S-1',
  });
});

test('the result of an order has its interpretation, its missing results and its sample', () => {
  const report = resultsOf(order, Buffer.alloc(16), { interpretation: 'abnormal', hasMissing: true }, at);
  const form = orderResultForm({ ...facts, status: 'partial' }, report);
  expect(form.metadata).toEqual({ ...metadataForm(facts, 'abnormal'), status: 'partial' });
  expect(form.results.map(({ slug }) => slug)).toEqual(['colour']);
  expect(form.missing_results).toEqual(report.missing.map(missingResultForm));
  expect(form.missing_results).toMatchObject([{ slug: 'remark', provider_id: 'code-remark', loinc: '1-8' }]);
  expect(form.sample_information).toEqual({ 'S-1': sampleForm(facts) });
});

test('the schema accepts every form, and knows all its members', () => {
  fc.assert(
    fc.property(someExpected, someSeed, (expected, seed) => {
      const form = orderResultForm(facts, resultsOf(expected, seed, {}, at));
      expect(orderResultSchema.parse(form)).toEqual(form);
    }),
  );
});
