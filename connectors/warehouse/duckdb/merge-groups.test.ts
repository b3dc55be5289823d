import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LandedBatch, MergeRange } from './batches.ts';
import { MOST_SAMPLES, mergeGroups, ROW_GROUP } from './merge-groups.ts';

const anyRows = fc.nat(750_000);
const anyBatches: fc.Arbitrary<LandedBatch[]> = fc
  .array(fc.record({ recentRows: anyRows, oldRows: anyRows }), { maxLength: 60 })
  .map((rows) => rows.map((counts, id) => ({ id, ...counts }) as LandedBatch));

test('every batch is in one merge, in its order, and no merge is larger than it has to be', () => {
  fc.assert(
    fc.property(
      anyBatches,
      fc.constantFrom<MergeRange>('recent', 'old'),
      fc.constantFrom(MOST_SAMPLES, ROW_GROUP),
      (batches, range, most) => {
        const rows = (batch: LandedBatch): number => (range === 'recent' ? batch.recentRows : batch.oldRows);
        const groups = mergeGroups(batches, range, most);
        expect(groups.flat()).toEqual(batches);
        for (const [index, group] of groups.entries()) {
          const sum = group.reduce((total, batch) => total + rows(batch), 0);
          expect(group.length).toBeLessThanOrEqual(16);
          if (group.length > 1) expect(sum).toBeLessThanOrEqual(most);
          // The next batch would not have fitted in.
          const next = groups[index + 1]?.[0];
          if (next !== undefined) expect(group.length === 16 || sum + rows(next) > most).toBe(true);
        }
      },
    ),
  );
});
