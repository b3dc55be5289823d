import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LandedDates, MergeRange } from './landed-dates.ts';
import { datesOf, type Lacking, type MergePart, type MergeTarget, type PendingMerge } from './pending-merge.ts';
import { backloggedStreams, cutMerge, dueAt, isDue, type MergePatience, type MergeRules, planMerges, planWaits } from './plan.ts';
import { SetAside } from './set-aside.ts';

/** A minimal warehouse with one row per day, two tables, and a set of merged units. A unit is one day of a batch in one table. */
interface Batch extends LandedDates {
  readonly name: string;
}
interface Table {
  readonly name: 'samples' | 'deliveries';
}
const samples: Table = { name: 'samples' };
const deliveries: Table = { name: 'deliveries' };
type Merge = PendingMerge<Table, Batch>;

const RECENT = { afterMs: 100, rows: 6, batches: 5 };
const OLD = { afterMs: 1_000, rows: 9, batches: 5 };
const LIMITS = { batches: 3, rows: 8, days: 4 };

const batch = (landedAt: number, stream: LandedDates['stream'] = 'sleep'): LandedDates => ({
  stream,
  records: 1,
  landedAt,
  receivedDays: [],
  recentDays: [],
  recentRows: 0,
  oldDays: [],
  oldRows: 0,
});
const merge = (...batches: LandedDates[]): PendingMerge<MergeTarget, LandedDates> => ({
  target: { name: 'sleep' },
  range: 'recent',
  parts: batches.map((one) => ({ batch: one, days: [], rows: 10 })),
});
const patience = (some: Partial<MergePatience>): MergePatience => ({
  afterMs: Number.POSITIVE_INFINITY,
  rows: Number.POSITIVE_INFINITY,
  batches: Number.POSITIVE_INFINITY,
  ...some,
});

test.for([
  ['its oldest batch has waited long enough', merge(batch(1_000), batch(5_000)), patience({ afterMs: 4_000 }), 4_999, 5_000],
  ['it has enough rows', merge(batch(1_000), batch(1_000)), patience({ rows: 20 }), undefined, 0],
  ['one stream has enough batches', merge(batch(9), batch(9)), patience({ batches: 2 }), undefined, 0],
] as const)('a merge is due when %s', ([_, pending, rule, before, from]) => {
  if (before !== undefined) expect(isDue(pending, rule, before)).toBe(false);
  expect(isDue(pending, rule, from)).toBe(true);
});

test('a merge is not due while it is below every limit', () => {
  expect(isDue(merge(batch(0), batch(0)), patience({ afterMs: 10, rows: 21, batches: 3 }), 9)).toBe(false);
});

test('a merge with enough rows is due as soon as its oldest batch is landed, any other after the maximum wait', () => {
  expect(dueAt(merge(batch(1_000), batch(2_000)), patience({ afterMs: 500, rows: 20 }))).toBe(1_000);
  expect(dueAt(merge(batch(1_000), batch(2_000)), patience({ afterMs: 500, rows: 21 }))).toBe(1_500);
});

test('only a stream’s own batches count towards its limit', () => {
  const of = (stream: string, batches: number) => Array.from({ length: batches }, () => ({ stream }));
  expect(backloggedStreams([...of('sleep', 449), ...of('body', 450)], 450)).toEqual(new Set(['body']));
});

const unit = (batch: Batch, table: Table, day: number): string => `${batch.name} ${table.name} ${day}`;

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

function rulesOver(merged: ReadonlySet<string>, aside?: SetAside): MergeRules<Table, Batch> {
  const lackingIn = (batch: Batch, target: Table, range: MergeRange, all: readonly number[]): Lacking<Table>[] => {
    const days = all.filter((day) => !merged.has(unit(batch, target, day)));
    return days.length === 0 ? [] : [{ target, range, days, rows: days.length }];
  };
  return {
    lacking: (batch) => [
      ...lackingIn(batch, samples, 'recent', batch.recentDays),
      ...lackingIn(batch, samples, 'old', batch.oldDays),
      ...lackingIn(batch, deliveries, 'recent', batch.receivedDays),
    ],
    patience: ({ range }) => (range === 'recent' ? RECENT : OLD),
    limits: () => LIMITS,
    aside,
  };
}

/** Old days are below 50 and recent days are above, so that a test can tell them apart. */
const anyBatches = fc
  .array(
    fc.record({
      landedAt: fc.nat(2_000),
      oldDays: fc.uniqueArray(fc.nat(49), { maxLength: 6 }),
      recentDays: fc.uniqueArray(fc.integer({ min: 50, max: 60 }), { maxLength: 4 }),
    }),
    { maxLength: 14 },
  )
  .map((some) =>
    some.map(
      ({ landedAt, oldDays, recentDays }, index): Batch => ({
        name: `b${index}`,
        stream: index % 3 === 0 ? 'timeseries' : 'sleep',
        records: 1,
        landedAt,
        receivedDays: [70],
        recentDays,
        recentRows: recentDays.length,
        oldDays,
        oldRows: oldDays.length,
      }),
    ),
  );

const unitsOf = (batches: readonly Batch[]): string[] =>
  batches.flatMap((batch) => [
    ...[...batch.recentDays, ...batch.oldDays].map((day) => unit(batch, samples, day)),
    ...batch.receivedDays.map((day) => unit(batch, deliveries, day)),
  ]);
const plannedUnits = (merges: readonly Merge[]): string[] =>
  merges.flatMap(({ target, parts }) => parts.flatMap(({ batch, days }) => days.map((day) => unit(batch, target, day))));

const everything = { extent: 'all', now: 0 } as const;

describe('a plan of everything', () => {
  test('every unmerged day of every batch is merged into its table exactly once', () => {
    fc.assert(
      fc.property(anyBatches, fc.func(fc.boolean()), (batches, isMerged) => {
        const all = unitsOf(batches);
        const merged = new Set(all.filter((one) => isMerged(one)));
        const planned = plannedUnits(planMerges(batches, rulesOver(merged), everything));
        expect([...planned].sort()).toEqual(all.filter((one) => !merged.has(one)).sort());
      }),
    );
  });

  test('each merge has one table and one range, stays within the limits, and covers only dates of its own batches', () => {
    fc.assert(
      fc.property(anyBatches, (batches) => {
        for (const merge of planMerges(batches, rulesOver(new Set()), everything)) {
          const dates = datesOf(merge);
          const inRange = (day: number): boolean => (merge.range === 'old' ? day < 50 : day >= 50);
          expect(dates.every(inRange)).toBe(true);
          expect(dates.every((day) => (merge.target === deliveries) === (day === 70))).toBe(true);
          // Each of these days occurs in a batch of the merge. A span from first to last would contain more.
          expect(dates.every((day) => merge.parts.some(({ days }) => days.includes(day)))).toBe(true);
          expect(merge.parts.length).toBeLessThanOrEqual(3);
          expect(dates.length).toBeLessThanOrEqual(4);
          if (merge.parts.length > 1) expect(merge.parts.flatMap(({ days }) => days).length).toBeLessThanOrEqual(8);
        }
      }),
    );
  });

  test('the oldest batches of each table and range are merged first', () => {
    fc.assert(
      fc.property(anyBatches, (batches) => {
        const merges = planMerges(batches, rulesOver(new Set()), everything);
        for (const some of Map.groupBy(merges, ({ target, range }) => `${target.name}/${range}`).values()) {
          const times = some.flatMap(({ parts }) => parts.map(({ batch }) => batch.landedAt));
          expect(times).toEqual([...times].sort((a, b) => a - b));
        }
      }),
    );
  });
});

/** Checks whether a range of a table is due, without using the tested code. */
function dueByHand(batches: readonly Batch[], table: Table, range: MergeRange, now: number): boolean {
  const daysOf = (batch: Batch): readonly number[] => {
    if (table === deliveries) return range === 'recent' ? batch.receivedDays : [];
    return range === 'recent' ? batch.recentDays : batch.oldDays;
  };
  const waiting = batches.filter((batch) => daysOf(batch).length > 0);
  const rows = waiting.reduce((sum, batch) => sum + daysOf(batch).length, 0);
  const old = range === 'old';
  if (rows >= (old ? 9 : 6)) return true;
  if (['sleep', 'timeseries'].some((stream) => waiting.filter((batch) => batch.stream === stream).length >= 5)) return true;
  return waiting.some(({ landedAt }) => now >= landedAt + (old ? 1_000 : 100));
}

describe('a plan of due merges', () => {
  test('the plan contains the tables and ranges that have enough rows or batches or have waited long enough', () => {
    fc.assert(
      fc.property(anyBatches, fc.nat(4_000), (batches, now) => {
        const due = planMerges(batches, rulesOver(new Set()), { extent: 'due', now });
        const all = planMerges(batches, rulesOver(new Set()), everything);
        expect(due).toEqual(all.filter(({ target, range }) => dueByHand(batches, target, range, now)));
      }),
    );
  });

  test('the plan includes a merge at its due time, but not a millisecond earlier', () => {
    fc.assert(
      fc.property(anyBatches, (batches) => {
        const rules = rulesOver(new Set());
        for (const { merge, dueAt, landedAt } of planWaits(batches, rules)) {
          const isPlanned = (now: number): boolean =>
            planMerges(batches, rules, { extent: 'due', now }).some(
              ({ target, range }) => target === merge.target && range === merge.range,
            );
          expect(isPlanned(dueAt)).toBe(true);
          if (dueAt > landedAt) expect(isPlanned(dueAt - 1)).toBe(false);
        }
      }),
    );
  });

  test('the list of waiting merges covers everything that is not merged', () => {
    fc.assert(
      fc.property(anyBatches, (batches) => {
        const waits = planWaits(batches, rulesOver(new Set()));
        expect(plannedUnits(waits.map(({ merge }) => merge)).sort()).toEqual(unitsOf(batches).sort());
      }),
    );
  });
});

test('batches that were set aside after a failed merge do not block other merges, and each is retried alone', () => {
  const HOUR = 3_600_000;
  const landed = (name: string): Batch => ({
    name,
    stream: 'sleep',
    records: 1,
    landedAt: 0,
    receivedDays: [70],
    recentDays: [],
    recentRows: 0,
    oldDays: [],
    oldRows: 0,
  });
  const batches = [landed('a'), landed('b'), landed('c')];
  const aside = new SetAside();
  aside.add('b', 'deliveries', 'recent', 0);
  const rules = rulesOver(new Set(), aside);
  const names = (merges: readonly Merge[]): string[] => merges.map(({ parts }) => parts.map(({ batch }) => batch.name).join(' '));
  expect(names(planMerges(batches, rules, { extent: 'due', now: HOUR - 1 }))).toEqual(['a c']);
  expect(names(planMerges(batches, rules, { extent: 'due', now: HOUR }))).toEqual(['a c', 'b']);
  expect(names(planMerges(batches, rules, { extent: 'all', now: 0 }))).toEqual(['a c', 'b']);
  expect(planWaits(batches, rules).map(({ merge, dueAt, aside: isAside }) => [names([merge])[0], dueAt, isAside])).toEqual([
    ['a c', 100, false],
    ['b', HOUR, true],
  ]);
});
