import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Receipt } from '../streams/streams.generated.ts';
import {
  appointment,
  criticalResult,
  device,
  envelope,
  matchReview,
  order,
  parsingJob,
  queryChanges,
  user,
} from './lab.fixture.ts';
import { type EventStream, readEvent } from './read-event.ts';

const receipt: Receipt = {
  source: 's',
  partition: '0',
  offset: 7,
  received_at: 1,
  delivery_id: null,
  header_facts: 0,
  body_bytes: 2,
  body_crc32: 3,
  arrived_at: null,
};

function record(stream: EventStream, data: unknown, around: object = {}): Record<string, unknown> {
  const reading = readEvent(stream, 'type', { ...envelope('type', data), ...around }, receipt);
  if (reading.kind !== 'record') throw new Error(`refused: ${reading.reason}`);
  return { ...reading.record, refused: reading.refused } as unknown as Record<string, unknown>;
}

const micros = (time: string): number => {
  const [seconds, fraction = ''] = time.split('.');
  return Date.parse(`2026-${seconds}Z`) * 1000 + Number(fraction.padEnd(6, '0'));
};
const day = (date: string): number => Date.parse(date) / 86_400_000;

describe('an order', () => {
  const read = record('lab_orders', order);

  test('members of the order, its test, its details and its transaction become columns', () => {
    expect(read).toMatchObject({
      id: 'order-1',
      data_user_id: user,
      data_team_id: 'team-1',
      sample_id: 'SAMPLE-1',
      status: 'sample_with_lab',
      last_event_id: 44,
      last_event_at: micros('03-09T11:30:00'),
      last_event_status: 'sample_with_lab.testkit.delivered_to_lab',
      last_event_status_detail: 'sample_hemolyzed',
      lab_test_id: 'test-1',
      lab_test_price: 59.5,
      lab_test_method: 'testkit',
      lab_test_fasting: true,
      lab_test_common_tat_days: 3,
      lab_test_markers: JSON.stringify(order.lab_test.markers),
      lab_id: 12,
      lab_name: 'Good Lab',
      lab_sample_types: '["dried_blood_spot"]',
      details_type: 'testkit',
      details_id: 'kit-1',
      details_appointment_id: null,
      details_updated_at: micros('03-09T11:30:01'),
      shipment_id: 'shipment-1',
      shipment_inbound_courier: 'ups',
      priority: true,
      activate_by: day('2026-03-02'),
      icd_codes: ['E78.5', 'Z00.00'],
      has_abn: false,
      interpretation: 'abnormal',
      expected_result_by_date: day('2026-03-12'),
      order_origin: 'redraw',
      order_transaction_id: 'transaction-1',
      order_transaction_status: 'active',
      created_at: micros('03-01T09:00:00.000001'),
      updated_at: micros('03-09T11:30:00.25'),
      refused: [],
    });
  });

  test('the history of the order and the orders of its transaction become lists', () => {
    expect(read.events).toEqual([
      { event_id: 41, created_at: micros('03-01T09:00:00.000001'), status: 'received.testkit.ordered', status_detail: null },
      {
        event_id: 43,
        created_at: micros('03-05T08:00:00'),
        status: 'collecting_sample.testkit.with_customer',
        status_detail: null,
      },
      {
        event_id: 44,
        created_at: micros('03-09T11:30:00'),
        status: 'sample_with_lab.testkit.delivered_to_lab',
        status_detail: 'sample_hemolyzed',
      },
    ]);
    expect(read.order_transaction_orders).toMatchObject([
      { order_id: 'order-0', low_level_status: 'sample_error', low_level_status_at: micros('03-01T08:59:00'), parent_id: null },
      { order_id: 'order-1', low_level_status_at: null, order_origin: 'redraw', parent_id: 'order-0' },
    ]);
  });

  test('the extra column contains only the unknown member, because every member that the service declares has a field', () => {
    expect(JSON.parse(read.extra as string)).toEqual({ 'data.guardian_name': order.guardian_name });
  });

  test.each([
    ['walk_in_test', { id: 'w', appointment_id: 'a' }, { details_id: 'w', details_appointment_id: 'a', shipment_id: null }],
    ['at_home_phlebotomy', { id: 'h', appointment_id: null }, { details_id: 'h', details_appointment_id: null }],
    ['on_site_collection', { id: 'o', created_at: '2026-03-01T00:00:00Z' }, { details_created_at: micros('03-01T00:00:00') }],
    ['drone_flight', null, { details_id: null }],
  ])('the details of a %s order are read', (type, data, expected) => {
    expect(record('lab_orders', { ...order, details: { type, data } })).toMatchObject({ details_type: type, ...expected });
  });

  test('an order in the old form has its user in the data, and neither a test nor a history', () => {
    const old = { id: 'order-9', user_id: user, status: 'received', icd_codes: null, events: null, order_transaction: null };
    expect(record('lab_orders', old, { user_id: undefined, team_id: undefined })).toMatchObject({
      event: { user_id: user, team_id: null },
      status: 'received',
      events: [],
      icd_codes: [],
      order_transaction_orders: [],
      updated_at: null,
      extra: null,
    });
  });

  test('members of the history that do not fit go to the extra column by path', () => {
    const events = [order.events[0], { id: 'x', created_at: 'soon', status: 'a.b.c', by: 'lab' }];
    const odd = record('lab_orders', { id: 'order-8', events });
    expect(odd.events).toMatchObject([{ event_id: 41 }, { event_id: null, created_at: null, status: 'a.b.c' }]);
    expect(JSON.parse(odd.extra as string)).toEqual({
      'data.events[1].id': 'x',
      'data.events[1].created_at': 'soon',
      'data.events[1].by': 'lab',
    });
  });

  test('an order without an id is refused', () => {
    const body = envelope('labtest.order.created', { ...order, id: null });
    expect(readEvent('lab_orders', 'labtest.order.created', body, receipt)).toMatchObject({ reason: 'no_id', place: 'data.id' });
  });
});

describe('an appointment', () => {
  const read = record('lab_appointments', appointment);

  test('every member of an appointment that the service declares has a field', () => {
    expect(read).toMatchObject({
      id: 'appointment-1',
      order_id: 'order-2',
      appointment_type: 'phlebotomy',
      provider: 'getlabs',
      provider_id: 'G-17',
      status: 'confirmed',
      event_status: 'scheduled',
      event_data: JSON.stringify(appointment.event_data),
      can_reschedule: true,
      longitude_deg: -110.926479,
      latitude_deg: 32.221743,
      time_zone: 'America/Phoenix',
      address: JSON.stringify(appointment.address),
      events: [
        { created_at: micros('03-28T10:00:00'), status: 'pending', data: null },
        { created_at: micros('03-28T12:00:00'), status: 'scheduled', data: JSON.stringify(appointment.events[1]!.data) },
      ],
      refused: [],
    });
    expect(JSON.parse(read.extra as string)).toEqual({ 'data.phlebotomist': appointment.phlebotomist });
  });

  test.each([
    ['2026-04-01T15:00:00', '04-01T15:00:00'],
    ['2026-04-01T15:00:00.25', '04-01T15:00:00.25'],
    ['2026-04-01T15:00:00Z', '04-01T15:00:00'],
    ['2026-04-01T15:00:00+00:00', '04-01T15:00:00'],
    ['2026-04-01T08:00:00-07:00', '04-01T15:00:00'],
  ])('the start "%s" is read as UTC', (start_at, expected) => {
    expect(record('lab_appointments', { ...appointment, start_at })).toMatchObject({ starts_at: micros(expected) });
  });

  test('an appointment may have no time', () => {
    expect(record('lab_appointments', { ...appointment, start_at: null, end_at: null })).toMatchObject({
      starts_at: null,
      ends_at: null,
    });
  });
});

describe('a critical result', () => {
  test('the key of a critical result consists of its order id and its sample id', () => {
    expect(record('lab_critical_results', criticalResult)).toMatchObject({
      order_id: 'order-1',
      sample_id: 'SAMPLE-1',
      status: 'partial',
      interpretation: 'critical',
      created_at: micros('03-10T08:00:00.5'),
      updated_at: micros('03-10T09:00:00'),
      extra: null,
    });
  });

  test.each([[undefined], [null], ['']])('the sample_id %j of a critical result counts as missing', (sample_id) => {
    expect(record('lab_critical_results', { ...criticalResult, sample_id })).toMatchObject({ sample_id: '' });
  });

  test.each([
    [{ sample_id: 5 }, 'data.sample_id'],
    [{ sample_id: '\ud800' }, 'data.sample_id'],
    [{ order_id: '' }, 'data.order_id'],
    [{ order_id: undefined }, 'data.order_id'],
  ])('a critical result with %j is refused because of %s', (change, place) => {
    const body = envelope('labtest.result.critical', { ...criticalResult, ...change });
    const reading = readEvent('lab_critical_results', 'labtest.result.critical', body, receipt);
    expect(reading).toMatchObject({ kind: 'refused', reason: 'no_id', place });
  });
});

test('a critical result is refused unless its order id is valid and its sample id is valid or missing', () => {
  const sent = fc.oneof(fc.constantFrom(undefined, null, '', '\ud800'), fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(sent, sent, (order_id, sample_id) => {
      const body = envelope('labtest.result.critical', { ...criticalResult, order_id, sample_id });
      const reading = readEvent('lab_critical_results', 'labtest.result.critical', body, receipt);
      const isText = (value: unknown): boolean => typeof value === 'string' && value !== '' && value.isWellFormed();
      const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';
      if (isText(order_id) && (isText(sample_id) || isAbsent(sample_id))) {
        expect(reading).toMatchObject({ kind: 'record', record: { order_id, sample_id: sample_id ?? '' } });
      } else {
        expect(reading).toMatchObject({ kind: 'refused', reason: 'no_id' });
      }
    }),
  );
});

describe('a match review', () => {
  test('a match review may have no user', () => {
    const resolved = { status: 'resolved', resolution_action: 'accept', resolved_user_id: user, resolved_order_id: 'order-1' };
    expect(record('lab_match_reviews', { ...matchReview, ...resolved }, { user_id: undefined })).toMatchObject({
      event: { user_id: '', team_id: 'team-1' },
      id: 'review-1',
      decision_code: 'multiple_demo_match',
      sub_reason_codes: ['lab_account_mismatch'],
      ...resolved,
      extra: null,
    });
  });

  test('a match review with a user keeps the user', () => {
    expect(record('lab_match_reviews', matchReview)).toMatchObject({ event: { user_id: user } });
  });
});

describe('a lab report parsing job', () => {
  test('the results of a parsing job become a list, and the patient’s details become separate fields', () => {
    const read = record('lab_report_parsing_jobs', parsingJob);
    const { metadata, results } = parsingJob.data;
    expect(read).toMatchObject({
      id: 'job-1',
      status: 'completed',
      needs_human_review: true,
      is_reviewed: false,
      patient_first_name: metadata.patient_first_name,
      patient_birth_date: metadata.dob,
      patient_gender: 'female',
      lab_name: 'Old Lab',
      date_collected: 'about October',
      refused: [],
    });
    expect(read.results).toMatchObject([
      {
        test_name: 'Ferritin',
        value: '8.5',
        value_type: 'numeric',
        units: 'ng/mL',
        min_reference_range: 15,
        max_reference_range: 150.5,
        is_below_min_range: true,
        loinc_matches: JSON.stringify(results[0]!.loinc_matches),
      },
      { test_name: 'Appearance', value: 'clear', value_type: null, is_below_min_range: null, loinc_matches: null },
    ]);
    expect(JSON.parse(read.extra as string)).toEqual({ 'data.data.metadata.address': metadata.address });
  });

  test('a failed parsing job has no results', () => {
    expect(
      record('lab_report_parsing_jobs', { id: 'job-2', status: 'failed', failure_reason: 'low_quality', data: null }),
    ).toMatchObject({
      failure_reason: 'low_quality',
      results: [],
      extra: null,
    });
  });
});

describe('a continuous query result', () => {
  test('each change becomes a list element with the id, the slug and the result columns of its query', () => {
    expect(record('continuous_query_results', queryChanges)).toMatchObject({
      changes: [
        { query_id: 'query-1', query_slug: 'weekly-steps', result_columns: JSON.stringify(queryChanges[0]!.data) },
        { query_id: 'query-2', query_slug: 'none', result_columns: '{}' },
      ],
      extra: null,
      refused: [],
    });
    expect(record('continuous_query_results', [])).toMatchObject({ changes: [], extra: null });
  });

  test('the extra column keeps unknown members of a change by path, or the whole list if an element is not an object', () => {
    const odd = record('continuous_query_results', [{ query_id: 5, data: {}, since: 'x' }]);
    expect(odd).toMatchObject({ changes: [{ query_id: null, result_columns: '{}' }] });
    expect(JSON.parse(odd.extra as string)).toEqual({ 'data[0].query_id': 5, 'data[0].since': 'x' });
    const mixed = record('continuous_query_results', [queryChanges[0], 7]);
    expect(mixed).toMatchObject({ changes: [], refused: [{ reason: 'value_does_not_fit', place: 'data' }] });
    expect(JSON.parse(mixed.extra as string)).toEqual({ data: [queryChanges[0], 7] });
  });

  test('a continuous query result whose data is not a list is refused', () => {
    const body = envelope('continuous_query.result_table.changed', { query_id: 'q' });
    expect(readEvent('continuous_query_results', 'continuous_query.result_table.changed', body, receipt)).toMatchObject({
      reason: 'no_data',
    });
  });
});

describe('a device', () => {
  test('a device in the current form is read', () => {
    expect(record('devices', device)).toMatchObject({
      id: 'device-1',
      provider: 'apple_health_kit',
      source_type: 'watch',
      app_id: 'com.example.health',
      device_model: 'W3',
      device_id: device.device_id,
      extra: null,
    });
  });

  const current = { provider: 'oura', source_type: 'ring' };
  const named = { name: 'Oura', slug: 'oura', logo: 'l' };
  test.each([
    ['the current form', current, undefined],
    [
      'a source object',
      { source: { provider: 'oura', type: 'ring', name: 'Oura' } },
      { provider: 'oura', type: 'ring', name: 'Oura' },
    ],
    ['a source of the old generation', { source: named, source_type: 'ring' }, named],
    ['a provider that is an object', { provider: named, source_type: 'ring' }, named],
    ['both forms, and the plain one wins', { ...current, source: { provider: 'fitbit' } }, { provider: 'fitbit' }],
  ])('the provider and the kind of a device are read from %s', (_, data, source) => {
    const read = record('devices', { id: 'device-2', ...data });
    expect(read).toMatchObject({ id: 'device-2', ...current, refused: [] });
    expect(JSON.parse((read.extra as string | null) ?? '{}')).toEqual(source === undefined ? {} : { 'data.source': source });
  });
});
