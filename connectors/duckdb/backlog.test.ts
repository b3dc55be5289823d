import { tables } from '@aorta/schemas';
import { describe, expect, test } from 'vitest';
import { Backlog } from './backlog.ts';
import type { LandedBatch } from './batches.ts';
import { FEW_ROWS, MOST_BATCHES, MOST_SAMPLES, ROW_GROUP, type StreamMerge } from './merge-rules.ts';

let id = 0;
const batch = (stream: LandedBatch['stream'], records: number, more: Partial<LandedBatch> = {}): LandedBatch =>
  ({
    id: ++id,
    stream,
    records,
    recentRows: records,
    recentMerged: false,
    oldRows: 0,
    oldMerged: true,
    landedAt: 0,
    nextNo: records,
    receivedDays: [],
    recentDays: [],
    oldDays: [],
    ...more,
  }) as LandedBatch;
const old = (rows: number): LandedBatch =>
  batch('timeseries', 1, { recentRows: 0, oldRows: rows, oldMerged: false, recentMerged: true });
const backlogOf = (...batches: LandedBatch[]): Backlog => new Backlog(batches, tables, { old_rows: 1_000, old_after_s: 60 });

const shown = (merges: readonly StreamMerge[]) =>
  merges.map(({ range, parts }) => ({ range, batches: parts.map(({ batch: one }) => one) }));

describe('due merges', () => {
  test('recent samples are due at once, and summaries once they fill a row group or have waited for 5 s', () => {
    const samples = batch('timeseries', 1);
    const summaries = batch('sleep', ROW_GROUP - 1);
    const backlog = backlogOf(samples, summaries);
    expect(shown(backlog.due('timeseries', 'due', 0))).toEqual([{ range: 'recent', batches: [samples] }]);
    expect(backlog.due('sleep', 'due', 4_999)).toEqual([]);
    expect(shown(backlog.due('sleep', 'due', 5_000))).toEqual([{ range: 'recent', batches: [summaries] }]);
    const last = batch('sleep', 1, { landedAt: 4_000 });
    backlog.add(last);
    expect(shown(backlog.due('sleep', 'due', 4_000))).toEqual([{ range: 'recent', batches: [summaries, last] }]);
  });

  test('old samples are due once there are enough rows or the maximum wait has passed', () => {
    expect(backlogOf(old(999)).due('timeseries', 'due', 59_999)).toEqual([]);
    expect(
      backlogOf(old(999))
        .due('timeseries', 'due', 60_000)
        .map(({ range }) => range),
    ).toEqual(['old']);
    expect(
      backlogOf(old(500), old(500))
        .due('timeseries', 'due', 0)
        .map(({ parts }) => parts.length),
    ).toEqual([2]);
  });

  test('a request for all merges returns each merge exactly once', () => {
    const both = batch('timeseries', 7, { oldRows: 3, oldMerged: false });
    const backlog = backlogOf(both, batch('sleep', 1));
    const merges = backlog.due('timeseries', 'all', 0);
    expect(merges.map(({ range }) => range)).toEqual(['recent', 'old']);
    for (const merge of merges) {
      expect(backlog.merged).toEqual([]);
      backlog.mark(merge);
    }
    expect(backlog.due('timeseries', 'all', 0)).toEqual([]);
    expect(backlog.merged.map(({ id: merged }) => merged)).toEqual([both.id]);
    backlog.remove(backlog.merged);
    expect(backlog.streams).toEqual(['sleep']);
    expect(backlog.size()).toEqual({ batches: 1, records: 1 });
  });
});

test('the next batch of summaries fills up the row group that the unmerged batches began', () => {
  const backlog = backlogOf(batch('sleep', ROW_GROUP - 5), batch('timeseries', 9));
  expect(backlog.room('sleep')).toBe(5);
  expect(backlog.room('activity')).toBe(ROW_GROUP);
  expect(backlog.room('timeseries')).toBe(Number.POSITIVE_INFINITY);
  for (const merge of backlog.due('sleep', 'all', 0)) backlog.mark(merge);
  expect(backlog.room('sleep')).toBe(ROW_GROUP);
});

test('row numbers continue after the highest row number of the stream', () => {
  const backlog = backlogOf(batch('sleep', 9, { nextNo: 40 }), batch('sleep', 2, { nextNo: 12 }), batch('activity', 1));
  expect([backlog.nextNo('sleep'), backlog.nextNo('body')]).toEqual([40, 0]);
});

test.each([
  ['enough batches for two merges', Array.from({ length: 2 * MOST_BATCHES }, () => batch('sleep', 1))],
  ['enough summaries for two row groups', [batch('sleep', 2 * ROW_GROUP)]],
  ['more recent samples than one merge takes', [batch('timeseries', MOST_SAMPLES + 1)]],
  ['more old samples than gather and one merge takes', [old(1_001 + MOST_SAMPLES)]],
])('landing waits if there are %s', (_, batches) => {
  expect(backlogOf(...batches).isFull).toBe(true);
  expect(backlogOf(...batches.slice(1)).isFull).toBe(false);
  const [first, ...rest] = batches;
  const less = { ...first!, records: first!.records - 1, recentRows: first!.recentRows - 1, oldRows: first!.oldRows - 1 };
  if (rest.length === 0) expect(backlogOf(less).isFull).toBe(false);
});

describe('waiting merges', () => {
  test('waiting merges are listed by table and range, with their rows and due time', () => {
    const backlog = backlogOf(
      batch('timeseries', 3, { landedAt: 10_000, recentRows: 40, oldRows: 300, oldMerged: false }),
      { ...old(200), landedAt: 12_000 },
      batch('sleep', 7, { landedAt: 11_000 }),
      batch('unrouted', 2, { landedAt: 11_500 }),
    );
    expect(backlog.waiting()).toEqual([
      // Recent samples are due at once, together with the receipts of their events.
      { table: 'deliveries', range: 'recent', batches: 3, rows: 12, landedAt: 10_000, dueAt: 10_000, dueAtRows: 0 },
      { table: 'timeseries', range: 'recent', batches: 1, rows: 40, landedAt: 10_000, dueAt: 10_000, dueAtRows: 0 },
      { table: 'sleep', range: 'recent', batches: 1, rows: 7, landedAt: 11_000, dueAt: 11_000, dueAtRows: ROW_GROUP },
      { table: 'timeseries', range: 'old', batches: 2, rows: 500, landedAt: 10_000, dueAt: 70_000, dueAtRows: 1_000 },
    ]);
  });

  test('a merge of few summaries waits until the merges before it have taken a tenth of the time, and for 5 seconds at most', () => {
    const dueAt = (backlog: Backlog) => backlog.waiting().find(({ table }) => table === 'sleep')!.dueAt;
    const backlog = backlogOf(batch('sleep', FEW_ROWS - 1, { landedAt: 10_000 }));
    backlog.early.took(200, 9_000);
    expect(dueAt(backlog)).toBe(10_800);
    expect([backlog.due('sleep', 'due', 10_799).length, backlog.due('sleep', 'due', 10_800).length]).toEqual([0, 1]);
    backlog.early.took(10_000, 9_000);
    expect(dueAt(backlog)).toBe(15_000);
    backlog.early.took(1, 9_000);
    expect(dueAt(backlog)).toBe(10_000);
  });

  test('if landing does not keep up, a merge of summaries waits for a row group or 5 seconds', () => {
    const backlog = backlogOf(batch('sleep', FEW_ROWS, { landedAt: 10_000 }));
    expect([backlog.due('sleep', 'due', 14_999).length, backlog.due('sleep', 'due', 15_000).length]).toEqual([0, 1]);
    expect(backlogOf(batch('sleep', ROW_GROUP, { landedAt: 10_000 })).due('sleep', 'due', 10_000)).toHaveLength(1);
  });

  test('a merge of enough old samples is due as soon as they are landed', () => {
    const [only] = backlogOf({ ...old(999), landedAt: 5_000 }).waiting();
    expect(only).toMatchObject({ table: 'timeseries', range: 'old', dueAt: 65_000 });
    const [many] = backlogOf({ ...old(1_000), landedAt: 5_000 }).waiting();
    expect(many).toMatchObject({ rows: 1_000, dueAt: 5_000 });
  });

  test('a merged range is not listed as waiting', () => {
    const both = batch('timeseries', 7, { oldRows: 3, oldMerged: false });
    const backlog = backlogOf(both);
    const [recent, rest] = backlog.due('timeseries', 'all', 0);
    backlog.mark(recent!);
    expect(backlog.waiting().map(({ table, range }) => `${table} ${range}`)).toEqual(['timeseries old']);
    backlog.mark(rest!);
    expect(backlog.waiting()).toEqual([]);
  });
});

describe('waiting batches before a checkpoint', () => {
  test.for([
    ['a few waiting batches are not merged before a checkpoint', 16, 16, 0, false],
    ['many waiting batches are merged before a checkpoint', 17, 17, 0, true],
    ['large waiting batches are not merged, because their blocks are full', 40, 40 * 20_480, 0, false],
    ['waiting batches are not merged if the file is so large that their blocks do not matter', 60, 60, 2 ** 30, false],
    ['waiting batches are merged if there are many even for a large file', 65, 65, 2 ** 30, true],
  ] as const)('%s', ([_, batches, records, bytes, merged]) => {
    const waiting = Array.from({ length: batches }, () => batch('timeseries', records / batches));
    expect(backlogOf(...waiting).crowdsCheckpoint(bytes)).toBe(merged);
  });
});

test('a checkpoint is due after 500 landed batches, including those waiting at the start', () => {
  const backlog = backlogOf(...Array.from({ length: 490 }, () => batch('timeseries', 1)));
  for (let landed = 0; landed < 9; landed++) backlog.add(batch('timeseries', 1));
  expect(backlog.isCheckpointDue).toBe(false);
  backlog.add(batch('timeseries', 1));
  expect(backlog.isCheckpointDue).toBe(true);
  backlog.checkpointed();
  expect(backlog.isCheckpointDue).toBe(false);
});
