import { deliveries, tables } from '@aorta/schemas';
import { expect, test } from 'vitest';
import { pendingMerges } from '../../warehouses/merging/pending-merge.ts';
import { cutMerge, isDue } from '../../warehouses/merging/plan.ts';
import { SetAside } from '../../warehouses/merging/set-aside.ts';
import { landedBatch } from '../landing/landed-batch.fixture.ts';
import type { LandedBatch } from '../landing/landed-batch.ts';
import { MOST_DAYS } from '../sql/merge.ts';
import { type MergeRulesOptions, mergeRules, statementLimits, type TableMerge, waitingMerges } from './merge-rules.ts';
import { isMerged, lackingOf, MergedRecord } from './merged-record.ts';

const batch = (name: string, stream: LandedBatch['stream'], more: Partial<LandedBatch> = {}): LandedBatch =>
  landedBatch({ name, stream, ...more });
const samples = batch('t1', 'timeseries', { recentDays: [20_000], recentRows: 100, oldDays: [19_000, 19_001], oldRows: 5 });

const pendingOf = (batches: readonly LandedBatch[], merged = new MergedRecord()): TableMerge[] =>
  pendingMerges(batches, (one) => lackingOf(one, merged, tables));

type Pace = Pick<MergeRulesOptions, 'settings' | 'everyMs'>;

const dueAt = (merge: TableMerge, pace: Pace, now: number): boolean =>
  isDue(merge, mergeRules({ ...pace, merged: new MergedRecord(), tables }).patience(merge), now);

const names = (batches: readonly LandedBatch[], merged = new MergedRecord()): string[] =>
  pendingOf(batches, merged).map(
    ({ target, range, parts }) => `${target.name} ${range} ${parts.map(({ batch: one }) => one.name).join(' ')}`,
  );

test('a batch is merged into its stream’s table and into deliveries, with separate merges for old dates', () => {
  expect(names([samples, batch('s1', 'sleep')])).toEqual([
    'timeseries recent t1',
    'timeseries old t1',
    'deliveries recent t1 s1',
    'sleep recent s1',
  ]);
  // A stream without a table is only merged into deliveries.
  expect(names([batch('d1', 'redelivered')])).toEqual(['deliveries recent d1']);
});

test('days that are already merged are not merged again', () => {
  const merged = new MergedRecord();
  merged.add('t1', 'timeseries', [20_000, 19_000]);
  merged.add('t1', 'deliveries', [20_000]);
  expect(names([samples], merged)).toEqual(['timeseries old t1']);
  expect(isMerged(samples, merged, tables)).toBe(false);
  merged.add('t1', 'timeseries', [19_001]);
  expect(isMerged(samples, merged, tables)).toBe(true);
  merged.add('s1', 'sleep', []);
  expect(names([batch('s1', 'sleep')], merged)).toEqual(['deliveries recent s1']);
});

test('a merge becomes due by age or by number of rows, with separate limits for old dates', () => {
  const pace = { everyMs: () => 1000, settings: { merge_rows: 50, old_rows: 50, old_after_s: 9 } };
  const [recent, old] = pendingOf([samples]);
  expect([dueAt(recent!, pace, 0), dueAt(old!, pace, 8999), dueAt(old!, pace, 9000)]).toEqual([true, false, true]);
  const [few] = pendingOf([batch('s1', 'sleep')]);
  expect([dueAt(few!, pace, 999), dueAt(few!, pace, 1000)]).toEqual([false, true]);
});

test('a merge of many batches or days is split into several statements without losing rows', () => {
  const target = tables.find(({ name }) => name === 'timeseries')!;
  const days = Array.from({ length: MOST_DAYS * 2 + 1 }, (_, index) => 15_000 + index);
  const parts = [...Array(700)].map((_, index) => ({
    batch: batch(`b${index}`, 'timeseries'),
    days: [19_000 + (index % 90)],
    rows: 1,
  }));
  const cut = cutMerge({ target, range: 'old', parts: [{ batch: samples, days, rows: 7000 }, ...parts] }, statementLimits);
  expect(cut.every((one) => new Set(one.parts.flatMap((part) => part.days)).size <= MOST_DAYS)).toBe(true);
  expect(cut.every((one) => one.parts.length <= 300)).toBe(true);
  const merged = new MergedRecord();
  for (const one of cut) for (const part of one.parts) merged.add(part.batch.name, target.name, part.days);
  expect(days.every((day) => merged.of('t1', 'timeseries')?.has(day))).toBe(true);
  expect(parts.every(({ batch: one, days: [day] }) => merged.of(one.name, 'timeseries')?.has(day!))).toBe(true);
  expect(deliveries.partition).toBe('_day');
});

test('waiting merges are listed by table and range, with their due time and the error that blocks them', () => {
  const pace = { everyMs: () => 60_000, settings: { merge_rows: 150, old_rows: 50, old_after_s: 600 } };
  const later = { landedAt: 9_000, recentDays: [20_000], recentRows: 60 };
  const batches = [{ ...samples, landedAt: 5_000 }, batch('t2', 'timeseries', later)];
  const merged = new MergedRecord();
  merged.add('t1', 'deliveries', [20_000]);
  merged.add('t2', 'deliveries', [20_000]);
  const rules = mergeRules({ ...pace, merged, tables, setAside: new SetAside() });
  const held = (table: string) => (table === 'timeseries' ? 'AORTA-BIGQUERY-CAP' : undefined);
  expect(waitingMerges(batches, rules, held)).toEqual([
    {
      table: 'timeseries',
      range: 'recent',
      batches: 2,
      rows: 160,
      landedAt: 5_000,
      // 160 rows exceed 150, so the merge is due at once instead of a minute after landing.
      dueAt: 5_000,
      dueAtRows: 150,
      heldBy: 'AORTA-BIGQUERY-CAP',
    },
    {
      table: 'timeseries',
      range: 'old',
      batches: 1,
      rows: 5,
      landedAt: 5_000,
      dueAt: 605_000,
      dueAtRows: 50,
      heldBy: 'AORTA-BIGQUERY-CAP',
    },
  ]);
  const [sleep] = waitingMerges([batch('s1', 'sleep', { landedAt: 1_000 })], rules, (table) => held(table)).filter(
    ({ table }) => table === 'sleep',
  );
  expect(sleep).toMatchObject({ dueAt: 61_000 });
  expect(sleep).not.toHaveProperty('heldBy');
});

test('a merge is due before the view of landed rows would name too many landing tables', () => {
  const settings = { merge_rows: 1e9, old_rows: 1e9, old_after_s: Number.POSITIVE_INFINITY };
  const pace = { everyMs: () => Number.POSITIVE_INFINITY, settings };
  const of = (count: number) =>
    pendingOf(
      Array.from({ length: count }, (_, index) =>
        batch(`b${index}`, 'timeseries', { oldDays: [19_000], oldRows: 1, recentDays: [20_000] }),
      ),
    );
  expect(of(449).filter((merge) => dueAt(merge, pace, 0))).toEqual([]);
  // Old dates and deliveries are due too, because a landing table is dropped only after all of it is merged.
  expect(
    of(450)
      .filter((merge) => dueAt(merge, pace, 0))
      .map(({ target, range }) => `${target.name} ${range}`),
  ).toEqual(['timeseries recent', 'timeseries old', 'deliveries recent']);
});
