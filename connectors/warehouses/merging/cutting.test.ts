import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutMerge } from './cutting.ts';
import type { MergePart } from './pending-merge.ts';

const target = { name: 'timeseries' };
const anyLimits = fc.record({ batches: fc.integer({ min: 1, max: 20 }), rows: fc.integer({ min: 1, max: 600_000 }) });
const anyRows = fc.array(fc.nat(750_000), { maxLength: 60 });

const rowsIn = (parts: readonly MergePart<number>[]): number => parts.reduce((sum, { rows }) => sum + rows, 0);

test('every batch is in exactly one merge, and no two neighbouring merges fit into one', () => {
  fc.assert(
    fc.property(anyRows, anyLimits, (rows, { batches, rows: most }) => {
      const parts = rows.map((count, batch) => ({ batch, rows: count, days: [batch % 7] }));
      const limits = { batches, rows: most, days: Number.POSITIVE_INFINITY };
      const cut = cutMerge({ target, range: 'old', parts }, limits).map((merge) => merge.parts);
      expect(cut.flat()).toEqual(parts);
      for (const [index, some] of cut.entries()) {
        expect(some.length).toBeLessThanOrEqual(batches);
        if (some.length > 1) expect(rowsIn(some)).toBeLessThanOrEqual(most);
        // The next batch would exceed a limit.
        const next = cut[index + 1]?.[0];
        if (next !== undefined) expect(some.length === batches || rowsIn(some) + next.rows > most).toBe(true);
      }
    }),
  );
});

test('when a merge is cut by date, each date of each batch is in exactly one part, and no part has too many days', () => {
  const anyDays = fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(fc.array(anyDays, { maxLength: 20 }), fc.integer({ min: 1, max: 12 }), (lists, most) => {
      const parts = lists.map((days, batch) => ({ batch, rows: days.length, days }));
      const cut = cutMerge({ target, range: 'old', parts }, { batches: 100, rows: 1e9, days: most });
      const named = cut.flatMap((merge) => merge.parts.flatMap(({ batch, days }) => days.map((day) => `${batch}/${day}`)));
      expect(named).toEqual(lists.flatMap((days, batch) => days.map((day) => `${batch}/${day}`)));
      for (const merge of cut) expect(new Set(merge.parts.flatMap(({ days }) => days)).size).toBeLessThanOrEqual(most);
    }),
  );
});

test('a batch with too many dates is split, and its rows are divided among the parts', () => {
  const whole = { batch: 1, rows: 10, days: [1, 2, 3, 4, 5] };
  const cut = cutMerge({ target, range: 'old', parts: [whole] }, { batches: 100, rows: 1e9, days: 2 });
  expect(cut.map(({ parts }) => parts)).toEqual([
    [{ batch: 1, rows: 4, days: [1, 2] }],
    [{ batch: 1, rows: 4, days: [3, 4] }],
    [{ batch: 1, rows: 2, days: [5] }],
  ]);
});
