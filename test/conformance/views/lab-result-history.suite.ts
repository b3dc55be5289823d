import type { ValueType } from '@aorta/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { labResultHistoryView } from '../../../connectors/warehouses/views/lab-result-history.ts';
import type { LoadedViews, OpenViews, Row } from './loaded-views.ts';

/** The results of each marker over time, on both warehouses. */

const item = (order_id: string, taken_at: string | null, result_number: number | null, more: Row = {}): Row => ({
  user_id: 'ada',
  order_id,
  ordinal: 1,
  slug: 'glucose',
  name: 'Glucose',
  taken_at,
  result_number,
  unit: 'mg/dL',
  ...more,
});

const rows: readonly Row[] = [
  item('o-3', '2026-03-03T08:00:00Z', 130, { is_above_max_range: true, is_below_min_range: false }),
  item('o-1', '2026-01-03T08:00:00Z', 90, { is_above_max_range: false, is_below_min_range: false }),
  item('o-2', '2026-02-03T08:00:00Z', 5.5, { unit: 'mmol/L', interpretation: 'critical', is_above_max_range: false }),
  item('o-4', '2026-04-03T08:00:00Z', 60, { result_sign: '<', interpretation: 'unknown', is_below_min_range: true }),
  item('o-5', '2026-05-03T08:00:00Z', 95, { is_above_max_range: false, is_below_min_range: null }),
  item('o-0', null, 88, { interpretation: 'normal' }),
  // Two results of one order, the second without a slug.
  item('o-1', '2026-01-03T08:00:00Z', 14, { ordinal: 2, slug: 'iron', name: 'Iron' }),
  item('o-1', '2026-01-03T08:00:00Z', 15, { ordinal: 3, slug: null, name: 'iron' }),
  item('o-9', '2026-01-03T08:00:00Z', 1, { user_id: 'bo', unit: null }),
  item('o-10', '2026-01-04T08:00:00Z', 2, { user_id: 'bo', unit: null }),
  item('o-11', '2026-01-04T08:00:00Z', 2, { slug: null, name: null }),
];

const typed = (type: ValueType, ...names: readonly string[]): Record<string, ValueType> =>
  Object.fromEntries(names.map((name) => [name, type]));

const columns: Readonly<Record<string, ValueType>> = {
  ...typed('string', 'user_id', 'order_id', 'slug', 'name', 'loinc', 'result', 'result_sign', 'unit', 'interpretation'),
  ...typed('float64', 'result_number', 'reference_low', 'reference_high'),
  ...typed('bool', 'is_above_max_range', 'is_below_min_range'),
  ordinal: 'int64',
  taken_at: 'timestamp',
};

export function labResultHistorySuite(warehouse: string, open: OpenViews): void {
  describe(`results of labs, on ${warehouse}`, () => {
    let loaded: LoadedViews;
    beforeAll(async () => {
      loaded = await open([{ name: 'lab_results_items', columns, rows }], (dialect) => [labResultHistoryView(dialect)]);
    });
    afterAll(() => loaded?.[Symbol.asyncDispose]());

    test('the results of a marker follow each other, with a verdict and the number before', async () => {
      const found = await loaded.query(
        `select user_id, marker, order_id, nth, is_latest, verdict, previous_number, previous_at
        from {lab_result_history} order by user_id, marker, nth`,
      );
      const day = (date: string): string => `${date}T08:00:00.000Z`;
      expect(found.map((row) => Object.values(row))).toEqual([
        ['ada', 'glucose', 'o-0', 1, false, 'normal', null, null],
        ['ada', 'glucose', 'o-1', 2, false, 'normal', 88, null],
        ['ada', 'glucose', 'o-2', 3, false, 'critical', null, day('2026-01-03')],
        ['ada', 'glucose', 'o-3', 4, false, 'abnormal', null, day('2026-02-03')],
        ['ada', 'glucose', 'o-4', 5, false, 'abnormal', null, day('2026-03-03')],
        ['ada', 'glucose', 'o-5', 6, true, 'unknown', null, day('2026-04-03')],
        ['ada', 'iron', 'o-1', 1, false, 'unknown', null, null],
        ['ada', 'iron', 'o-1', 2, true, 'unknown', 14, day('2026-01-03')],
        ['bo', 'glucose', 'o-9', 1, false, 'unknown', null, null],
        ['bo', 'glucose', 'o-10', 2, true, 'unknown', 1, day('2026-01-03')],
      ]);
    });
  });
}
