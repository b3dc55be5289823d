import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LandedBatch } from './batches.ts';
import { mergeGroups } from './merge-groups.ts';

const batchOf = (recentRows: number, id: number): LandedBatch => ({ id, recentRows }) as LandedBatch;
const rowsOf = (batch: LandedBatch): number => batch.recentRows;

test('every batch is in one merge, in its order, and no merge is larger than it has to be', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(3_000_000), { maxLength: 60 }), (rows) => {
      const batches = rows.map(batchOf);
      const groups = mergeGroups(batches, rowsOf);
      expect(groups.flat()).toEqual(batches);
      for (const [index, group] of groups.entries()) {
        const sum = group.reduce((total, batch) => total + rowsOf(batch), 0);
        expect(group.length).toBeLessThanOrEqual(16);
        if (group.length > 1) expect(sum).toBeLessThanOrEqual(2_000_000);
        // The next batch would not have fitted in.
        const next = groups[index + 1]?.[0];
        if (next !== undefined) expect(group.length === 16 || sum + rowsOf(next) > 2_000_000).toBe(true);
      }
    }),
  );
});
