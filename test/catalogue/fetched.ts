import type { DeliveryLine } from './loaded.ts';

/** Events with values that BigQuery and DuckDB might treat differently. Aorta creates most of them from the service's answers. */

const user = '11111111-2222-4333-8444-555555555555';

const event = (type: string, data: unknown, id?: string): DeliveryLine => ({
  headers: id === undefined ? {} : { 'idempotency-key': id },
  body: JSON.stringify({ event_type: type, user_id: user, data }),
});

const steps = (count: number, minute: number) => ({
  source: { provider: 'oura', type: 'ring' },
  data: Array.from({ length: count }, (_, index) => {
    const at = `2026-01-01T00:${String(minute + index).padStart(2, '0')}`;
    return { start: `${at}:00Z`, end: `${at}:30Z`, unit: 'count', value: index };
  }),
});

export const fetchedEvents: readonly DeliveryLine[] = [
  event('service.workout_stream.fetched', {
    workout_id: 'ragged',
    stream: { time: [1_767_225_600, 162_662_560, null], heartrate: [100, null], lat: [52.5], lng: null, power: [] },
  }),
  event('service.workout_stream.fetched', { workout_id: 'empty', stream: {} }),
  event('service.lab_result.fetched', {
    order_id: 'order-1',
    metadata: {
      'clia_#': '12D',
      status: 'partial',
      patient: 'Planted Name',
      provider: 'Planted Physician',
      date_reported: '2026-03-29T23:30:00-08:00',
      date_collected: '2026-03-29',
      date_received: '2026-03-29T08:00:00',
    },
    results: [
      {
        name: 'HDL',
        result: '5.20',
        type: 'numeric',
        unit: 'mmol/L',
        loinc: '14646-4',
        min_range_value: 1,
        interpretation: 'normal',
      },
      { name: 'CRP', result: '<0.3', result_type: 'range', reference_range: '<1.2' },
      { name: 'Ratio', result: '1-5', result_type: 'range' },
      { name: 'Note', result: 'see 5', type: 'comment' },
    ],
    missing_results: [{ name: 'LDL', inferred_failure_type: 'quantity_not_sufficient_failure' }],
  }),
  event('labtest.order.updated', {
    id: 'order-1',
    events: [
      { id: 1, created_at: '2026-01-01T00:00:00Z', status: 'received.walk_in_test.ordered' },
      { id: 2, created_at: '2026-01-02T00:00:00.5Z', status: 'sample_with_lab.walk_in_test.partial_results' },
    ],
    last_event: { id: 2, created_at: '2026-01-02T00:00:00.5Z', status: 'sample_with_lab.walk_in_test.partial_results' },
  }),
  event('service.user_state.missing', { state: 'missing', since: '2026-01-01T00:00:00Z', erase_after: '2026-01-08T00:00:00Z' }),
  event('service.user.polled', { user_id: user, client_user_id: 'Planted Client', fallback_birth_date: { value: '1980-01-01' } }),
  event('service.connection.polled', { slug: 'oura', status: 'connected' }),
  event('service.marker.polled', { id: 7, name: 'HDL', price: '9.50' }),
  event('service.resource.polled', { provider: 'oura', resource: 'steps', sent_count: 12, oldest_data: '2026-01-01T00:00:00Z' }),
  event('service.resource.polled', { provider: 'oura', resource: 'body_weight', sent_count: 3 }),
  event('service.resource.polled', { provider: 'oura', resource: 'order', sent_count: 3 }),
  event('service.resource.polled', { provider: 'oura', resource: 'floors_climbed' }),
  event('daily.data.steps.created', steps(4, 0), 'd1'),
  event('daily.data.steps.created', steps(4, 0), 'd1'),
  event('daily.data.steps.created', steps(3, 10)),
  event('daily.data.steps.backfilled', steps(9, 0), 'b1'),
  event('service.backfill.finished', {
    provider: 'oura',
    resource: 'steps',
    from: '2026-01-01',
    to: '2026-01-02',
    objects: 9,
    finished_at: '2026-01-02T00:00:00.000Z',
  }),
];
