import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Entry } from './entry.ts';
import { capacityFor, RecentEntries } from './recent-entries.ts';

const anyEntry = fc.record({
  gap: fc.integer({ min: 1, max: 3 }),
  receivedAt: fc.nat(100),
  // Some different identities have the same lowest bits, which select the bucket.
  identity: fc.constantFrom(1, 2, 3, 1 + 2 ** 40, 2 + 2 ** 33),
  bytes: fc.integer({ min: 1, max: 4 }),
  crc32: fc.constantFrom(7, 2 ** 32 - 1),
});

test('RecentEntries finds the same entries as a plain list, even after the ring has grown or wrapped around', () => {
  fc.assert(
    fc.property(
      fc.array(anyEntry, { minLength: 70, maxLength: 700, size: 'max' }),
      fc.integer({ min: 10, max: 200 }),
      fc.nat(50),
      fc.nat(300),
      (made, reach, since, bytes) => {
        const window = 100;
        const recent = new RecentEntries(window);
        const list: Entry[] = [];
        let offset = 0;
        for (const { gap, ...entry } of made) {
          offset += gap;
          const next = { offset, ...entry };
          const kept = list.slice(-capacityFor(window));
          expect(recent.toArray()).toEqual(kept);
          const behind = (at: number): number => kept.slice(at).reduce((sum, one) => sum + one.bytes, 0);
          const reached = kept.filter(
            (one, at) =>
              one.identity === next.identity && one.offset >= offset - reach && one.receivedAt >= since && behind(at) <= bytes,
          );
          const same = reached.some((one) => one.bytes === next.bytes && one.crc32 === next.crc32);
          const expected = same ? 'body' : reached.length > 0 ? 'identity' : 'none';
          expect(recent.find(next, offset - reach, since, bytes)).toBe(expected);
          recent.push(next);
          list.push(next);
        }
      },
    ),
    // Shrinking a failure with hundreds of entries takes minutes and rarely helps.
    { numRuns: 12, endOnFailure: true },
  );
});
