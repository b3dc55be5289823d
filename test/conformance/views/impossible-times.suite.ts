import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deliveryCopiesView } from '../../../connectors/warehouses/views/copies.ts';
import { freshnessView } from '../../../connectors/warehouses/views/freshness.ts';
import type { LoadedViews, OpenViews, Row } from './loaded-views.ts';
import { storedTables, storedViews } from './stored-tables.ts';

/** Times that cannot be right: data later than its receipt, and receipts later than now. */

const watch = { provider: 'garmin', source_type: 'watch' };
const glucose = {
  resource: 'glucose',
  sample_type: '',
  source_workout_id: '',
  time_basis: 'utc',
  unit: 'mmol/L',
  ...watch,
};
const received = '2026-03-20T08:10:00.000Z';
const activity = { ...watch, calendar_date: '2026-03-20', _received_at: received };

const rows: Readonly<Record<string, readonly Row[]>> = {
  timeseries: [
    { ...glucose, user_id: 'wrong-clock', start_at: '2034-08-01T16:20:00Z', value: 3.3, _received_at: received },
    { ...glucose, user_id: 'wrong-clock', start_at: '2026-03-20T08:00:00Z', value: 5.6, _received_at: received },
    { ...glucose, user_id: 'wrong-clock', start_at: '2026-03-20T08:05:00Z', value: 5.8, _received_at: received },
    { ...glucose, user_id: 'a-day', start_at: '2026-03-20T08:00:00Z', value: 1, _received_at: received },
    { ...glucose, user_id: 'a-day', start_at: '2026-03-21T08:10:00Z', value: 2, _received_at: received },
    { ...glucose, user_id: 'a-day', start_at: '2026-03-21T08:10:00.000001Z', value: 3, _received_at: received },
    // The last year of a warehouse's times must not overflow.
    { ...glucose, user_id: 'only-wrong', start_at: '9999-12-31T23:00:00Z', value: 3, _received_at: received },
    { ...glucose, user_id: 'last-year', start_at: '9999-12-31T22:00:00Z', value: 4, _received_at: '9999-12-31T23:00:00Z' },
  ],
  notes: [
    {
      ...watch,
      user_id: 'a-day',
      resource: 'note',
      sample_type: '',
      source_workout_id: '',
      start_at: '2026-03-22T00:00:00Z',
      _received_at: received,
    },
  ],
  activity: [
    { ...activity, id: '1', user_id: 'wrong-clock', updated_at: '2034-08-01T00:00:00Z' },
    { ...activity, id: '2', user_id: 'wrong-clock', updated_at: '2035-08-01T00:00:00Z' },
    { ...activity, id: '3', user_id: 'wrong-clock', updated_at: '2026-03-20T08:00:00Z' },
    { ...activity, id: '4', user_id: 'a-day', updated_at: '2026-03-21T08:10:00Z' },
    { ...activity, id: '5', user_id: 'a-day', updated_at: null },
  ],
  lab_orders: [{ id: '6', user_id: 'a-day', updated_at: '2026-03-21T08:10:01Z', _received_at: received }],
};

function deliveries(): Row[] {
  const delivery = (offset: number, event_type: string, received_at: string, user_id: string): Row => ({
    source: 'files',
    source_partition: '0',
    source_offset: offset,
    received_at,
    event_type,
    user_id,
    provider: 'oura',
    stream: 'activity',
    redelivered: false,
    body_bytes: 1,
    _loaded_at: '2026-03-20T09:00:00Z',
  });
  return [
    delivery(1, 'mixed', '2020-01-01T00:00:00Z', 'ada'),
    delivery(2, 'mixed', '2020-01-02T00:00:00Z', 'ada'),
    delivery(3, 'mixed', '2206-01-01T00:00:00Z', 'bo'),
    delivery(4, 'mixed', '2207-01-01T00:00:00Z', 'bo'),
    { ...delivery(5, 'mixed', '2207-01-01T00:00:00Z', 'bo'), redelivered: true },
    delivery(6, 'only future', '2206-01-01T00:00:00Z', 'ada'),
  ];
}

export function impossibleTimesSuite(warehouse: string, open: OpenViews): void {
  describe(`impossible times, on ${warehouse}`, () => {
    let loaded: LoadedViews;
    beforeAll(async () => {
      loaded = await open(storedTables({ ...rows, deliveries: deliveries() }), (dialect) => [
        ...storedViews(dialect),
        deliveryCopiesView(dialect),
        freshnessView(dialect),
      ]);
    });
    afterAll(() => loaded?.[Symbol.asyncDispose]());

    test('a sample more than a day later than its receipt is not the latest sample', async () => {
      expect(await loaded.query('select user_id, start_at, value from {latest_samples} order by user_id')).toEqual([
        { user_id: 'a-day', start_at: '2026-03-21T08:10:00.000Z', value: 2 },
        { user_id: 'last-year', start_at: '9999-12-31T22:00:00.000Z', value: 4 },
        { user_id: 'wrong-clock', start_at: '2026-03-20T08:05:00.000Z', value: 5.8 },
      ]);
    });

    test('data that is more than a day later than its receipt is counted by user, source and table', async () => {
      const found =
        await loaded.query(`select user_id, provider, origin_table, measure, issue, records, first_at, last_at, last_received_at
        from {data_issues} order by user_id, origin_table`);
      const late = { provider: 'garmin', issue: 'later_than_receipt', records: 1, last_received_at: received };
      const updated = { ...late, issue: 'updated_later_than_receipt', measure: null };
      const once = (at: string): Row => ({ first_at: at, last_at: at });
      expect(found).toEqual([
        { ...updated, user_id: 'a-day', provider: null, origin_table: 'lab_orders', ...once('2026-03-21T08:10:01.000Z') },
        { ...late, user_id: 'a-day', origin_table: 'notes', measure: 'note', ...once('2026-03-22T00:00:00.000Z') },
        { ...late, user_id: 'a-day', origin_table: 'timeseries', measure: 'glucose', ...once('2026-03-21T08:10:00.000Z') },
        { ...late, user_id: 'only-wrong', origin_table: 'timeseries', measure: 'glucose', ...once('9999-12-31T23:00:00.000Z') },
        {
          ...updated,
          user_id: 'wrong-clock',
          origin_table: 'activity',
          records: 2,
          first_at: '2034-08-01T00:00:00.000Z',
          last_at: '2035-08-01T00:00:00.000Z',
        },
        { ...late, user_id: 'wrong-clock', origin_table: 'timeseries', measure: 'glucose', ...once('2034-08-01T16:20:00.000Z') },
      ]);
    });

    test('the freshness ignores deliveries received later than now, and counts them', async () => {
      const found = await loaded.query(
        `select event_type, deliveries, users, first_received_at, last_received_at, age_s > 0 as is_past, deliveries_in_future
        from {freshness} order by event_type`,
      );
      expect(found).toEqual([
        {
          event_type: 'mixed',
          deliveries: 2,
          users: 1,
          is_past: true,
          deliveries_in_future: 2,
          first_received_at: '2020-01-01T00:00:00.000Z',
          last_received_at: '2020-01-02T00:00:00.000Z',
        },
        {
          event_type: 'only future',
          deliveries: 0,
          users: 0,
          is_past: null,
          deliveries_in_future: 1,
          first_received_at: null,
          last_received_at: null,
        },
      ]);
    });
  });
}
