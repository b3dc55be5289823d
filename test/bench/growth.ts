import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privacyOptions } from '@aorta/connectors';
import { duckDbOptions } from '@aorta/connectors/duckdb';
import { openDuckDbWarehouse } from '@aorta/connectors/duckdb/module';
import { readEvent, type StreamRecords } from '@aorta/schemas';
import { activityEvent, receivedAt, SAMPLES } from './events.ts';
import { receiptOf, recordOf } from './landing.ts';
import { type Figure, figure, median } from './measure.ts';

const EVENTS = 5000;

/**
 * Measures whether the cost of merges stays flat while the table grows tenfold. One event in ten backfills a date in the previous
 * year. Recent dates are merged batch by batch, and old dates several batches at a time. Costs are in microseconds per merged
 * event.
 */
export async function growth(millions: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-bench-'));
  const settings = duckDbOptions.parse({ type: 'duckdb', path: join(folder, 'warehouse.duckdb') });
  const warehouse = await openDuckDbWarehouse({ ...settings, privacy: privacyOptions.parse({}) });
  const batches = Math.round((millions * 1e6) / (EVENTS * SAMPLES));
  const recent: Merge[] = [];
  const old: Merge[] = [];
  let rows = 0;
  try {
    for (let batch = 0; batch < batches; batch++) {
      const from = batch * EVENTS;
      // The prime factor spreads the backfilled events over the days of the year.
      const records = Array.from({ length: EVENTS }, (_, index) =>
        recordOf(from + index, index % 10 === 0 ? 10 + (((from + index) * 7919) % 355) : 0),
      );
      await warehouse.land({ stream: 'timeseries', incarnation: 'bench', from, to: from + EVENTS, records });
      await warehouse.merge('due');
      await warehouse.settled?.();
      // `merge` reports the merges since its previous call.
      const { targets } = await warehouse.merge('due');
      for (const target of targets.filter(({ table }) => table === 'timeseries')) {
        const list = target.range === 'recent' ? recent : old;
        list.push({ rows, merged: target.rows, milliseconds: target.milliseconds });
      }
      rows = (await warehouse.rows()).timeseries!;
    }
  } finally {
    await warehouse.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const apart = (name: string, list: readonly Merge[]): Figure[] => {
    const costs = [early, late].map((part) => within(list, rows, part).map((merge) => cost([merge], SAMPLES))) as Costs;
    return [
      figure(`merge of ${name} dates, table at 10–40 % of its size`, 'µs/event', costs[0]),
      figure(`merge of ${name} dates, table at 70–100 % of its size`, 'µs/event', costs[1]),
      figure(`growth of the cost of ${name} dates`, '×', [median(costs[1]) / median(costs[0])]),
    ];
  };
  const all = [early, late].map((part) => cost(within([...recent, ...old], rows, part), SAMPLES)) as [number, number];
  return [
    figure('rows of the table at the end', 'rows', [rows]),
    ...apart('recent', recent),
    ...apart('old', old),
    figure('growth of the cost of a merged event, one in ten backfilled', '×', [all[1] / all[0]], flat),
  ];
}

type Costs = [early: number[], late: number[]];

/** Number of summaries per landed batch. */
const SUMMARIES = 20_480;

/**
 * Measures whether the cost of merging summaries stays flat while their table grows tenfold. One summary in ten is a newer
 * version of an earlier summary.
 */
export async function growthOfSummaries(count: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-bench-'));
  const settings = duckDbOptions.parse({ type: 'duckdb', path: join(folder, 'warehouse.duckdb') });
  const warehouse = await openDuckDbWarehouse({ ...settings, privacy: privacyOptions.parse({}) });
  const merges: Merge[] = [];
  let rows = 0;
  try {
    for (let from = 0; from < count; ) {
      const size = Math.min(SUMMARIES, count - from, warehouse.landsAtMost!({ stream: 'activity', partition: 0 }));
      const records = Array.from({ length: size }, (_, at) => {
        const index = from + at;
        return index % 10 === 1 ? summaryOf(index, (index * 7919) % index) : summaryOf(index);
      });
      await warehouse.land({ stream: 'activity', incarnation: 'bench', from, to: from + size, records });
      from += size;
      await warehouse.merge('due');
      await warehouse.settled?.();
      const { targets } = await warehouse.merge('due');
      const merged = targets.filter(({ table }) => table === 'activity');
      if (merged.length === 0) continue;
      rows = (await warehouse.rows()).activity!;
      merges.push(...merged.map((target) => ({ rows, merged: target.rows, milliseconds: target.milliseconds })));
    }
  } finally {
    await warehouse.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const costs = [early, late].map((part) => within(merges, rows, part).map((merge) => cost([merge], 1))) as Costs;
  return [
    figure('rows of the table of summaries at the end', 'rows', [rows]),
    figure('merge of summaries, table at 10–40 % of its size', 'µs/summary', costs[0]),
    figure('merge of summaries, table at 70–100 % of its size', 'µs/summary', costs[1]),
    figure(
      'growth of the cost of a merged summary, one in ten a newer version',
      '×',
      [median(costs[1]) / median(costs[0])],
      flat,
    ),
  ];
}

function summaryOf(index: number, version: number = index): StreamRecords['activity'] {
  const event = activityEvent(version) as { data: object };
  const updated_at = new Date(receivedAt(index) + index).toISOString();
  const body = { ...event, data: { ...event.data, updated_at } };
  const reading = readEvent('activity', 'daily.data.activity.updated', body, receiptOf(index, 1_000));
  if (reading.kind !== 'record') throw new Error(reading.reason);
  return reading.record;
}

const flat = { target: '≤ 1.5', met: (ratio: number) => ratio <= 1.5 };

/** A merge. `rows` is the number of rows in the table after the merge. */
interface Merge {
  readonly rows: number;
  readonly merged: number;
  readonly milliseconds: number;
}

/** The two phases of growth that are compared, as fractions of the table's final size. */
const early = [0.1, 0.4] as const;
const late = [0.7, 1] as const;

const within = (list: readonly Merge[], rows: number, [low, high]: readonly [number, number]): Merge[] =>
  list.filter((merge) => merge.rows >= low * rows && merge.rows <= high * rows);

/** Returns the cost per merged event, in microseconds. Each event has `rowsOfEvent` rows. */
function cost(merges: readonly Merge[], rowsOfEvent: number): number {
  const sum = (of: (merge: Merge) => number): number => merges.reduce((total, merge) => total + of(merge), 0);
  return (sum(({ milliseconds }) => milliseconds) * 1000 * rowsOfEvent) / sum(({ merged }) => merged);
}
