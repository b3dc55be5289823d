import { deliveries, type StreamName, type TableDeclaration, tables } from '@aorta/schemas';
import { expect, test } from 'vitest';
import { planMerges } from '../../warehouses/merging/plan.ts';
import { SetAside } from '../../warehouses/merging/set-aside.ts';
import { bookkeepingPerDay, FORGOTTEN_AT_ONCE, LEAST_BYTES, priceOf, withoutLandings } from '../cost/price.ts';
import { DaySpending } from '../cost/spending-log.ts';
import type { LandedBatch } from '../landing/landed-batch.ts';
import { mergeRules, type TableMerge } from '../merging/merge-rules.ts';
import { isMerged, MergedRecord } from '../merging/merged-record.ts';
import { mergeBytes, mergeIntervals } from '../merging/table-pace.ts';
import { bigQueryOptions } from '../options.ts';
import { landingInterval, limits, type QuotaName, Quotas, type QuotaUse } from './quotas.ts';

/**
 * Simulates a day of 1,000 events a second, 40 tables and 4 workers with a virtual clock. The code that schedules landing and
 * merging is real. Delays replace the calls to BigQuery. Prints the freshness of the tables and the cost of the day.
 */

const WORKERS = 4;
const PARTITIONS = 4;
const EVENTS_PER_S = 1_000;
const SAMPLES_PER_EVENT = 20;
const DAY_MS = 86_400_000;
const GIB = 2 ** 30;
/** Milliseconds that a load job, a merge, and each GiB in a merge take on a busy day. */
const LOAD_MS = 8_000;
const MERGE_MS = 15_000;
const MERGE_GIB_MS = 400;
const LANDS_AT_ONCE = 4;
const TARGETS_AT_ONCE = 4;

const settings = bigQueryOptions.parse({ type: 'bigquery', project: 'p', dataset: 'd', workers: WORKERS, budget_per_day: 40 });

const SHARE = { workers: WORKERS, loadJobs: settings.load_jobs_share };

const summary = tables.find(({ name }) => name === 'sleep')!;
const timeseries = tables.find(({ name }) => name === 'timeseries')!;

interface Target {
  readonly table: TableDeclaration;
  /** Fraction of all events that belong to the table. */
  readonly share: number;
  /** Size of the table, or of one day if the table is partitioned. */
  bytes: number;
  readonly bytesPerEvent: number;
}

/** 38 summary tables of 0.5 to 20 GiB, and two sample tables with 1 TiB per year. Half of the events are samples. */
const targets: Target[] = Array.from({ length: 40 }, (_, index) => {
  const samples = index < 2;
  const table = { ...(samples ? timeseries : summary), name: `t${index}`, stream: `t${index}` };
  const weight = 1 / (index - 1);
  const all = Array.from({ length: 38 }, (_unused, at) => 1 / (at + 1)).reduce((sum, one) => sum + one, 0);
  return {
    table,
    share: samples ? 0.25 : (0.5 * weight) / all,
    bytes: samples ? (1024 / 365) * GIB : Math.max(0.2, 20 * weight) * GIB,
    bytesPerEvent: samples ? SAMPLES_PER_EVENT * 120 : 600,
  };
});
const declared = targets.map(({ table }) => table);
const targetOf = new Map(targets.map((target) => [target.table.name, target]));
const all = [...declared, deliveries];
const ownerOf = (name: string): number => all.findIndex((table) => table.name === name) % WORKERS;

function mostIn(times: readonly number[], windowMs: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  let most = 0;
  for (let first = 0, last = 0; last < sorted.length; last++) {
    while (sorted[last]! - sorted[first]! >= windowMs) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

/** Histogram, in seconds, of the age of events when they become visible. */
class Ages {
  readonly #bins: number[] = [];
  add(youngestMs: number, oldestMs: number, events: number): void {
    const [first, last] = [Math.floor(youngestMs / 1000), Math.floor(oldestMs / 1000)];
    for (let bin = first; bin <= last; bin++) this.#bins[bin] = (this.#bins[bin] ?? 0) + events / (last - first + 1);
  }
  quantile(q: number): number {
    const sum = this.#bins.reduce((total, one) => total + (one ?? 0), 0);
    let seen = 0;
    for (let bin = 0; bin < this.#bins.length; bin++) {
      seen += this.#bins[bin] ?? 0;
      if (seen >= q * sum) return bin;
    }
    return this.#bins.length;
  }
}

test('a day at 1,000 events a second with 40 tables and 4 workers stays within every quota', () => {
  const uses = new Map<string, number[]>();
  let longestWait = { ms: 0, quota: '' };
  const note = (use: QuotaUse, at: number): void => {
    const key = `${use.quota}|${use.table ?? ''}`;
    const times = uses.get(key);
    if (times === undefined) uses.set(key, [at]);
    else times.push(at);
  };
  /** Returns the time at which the worker's share of the quotas allows the step. */
  const ready = (quotas: Quotas, some: readonly QuotaUse[], from: number): number => {
    let at = from;
    for (;;) {
      const wait = quotas.wait(some, at);
      if (wait === undefined) break;
      at += wait.milliseconds;
      if (at - from > longestWait.ms) longestWait = { ms: at - from, quota: wait.quota };
    }
    quotas.take(some, at);
    for (const use of some) note(use, at);
    return at;
  };

  const workers = Array.from({ length: WORKERS }, (_, index) => ({
    quotas: new Quotas(SHARE),
    spending: new DaySpending({ mostPerDay: undefined, workers: WORKERS }, 0, 0),
    // One partition of every stream, its landed position, and the times at which the worker's slots become free.
    landed: declared.map(({ name }) => ({ stream: name, partition: index % PARTITIONS, at: 0, last: Number.NEGATIVE_INFINITY })),
    slots: new Array<number>(LANDS_AT_ONCE).fill(0),
    busyUntil: 0,
  }));
  let batches: LandedBatch[] = [];
  const spans = new Map<string, { from: number; to: number; events: number }>();
  const merged = new MergedRecord();
  const [sampleAges, summaryAges] = [new Ages(), new Ages()];
  const billed = new Map<string, number>();
  const ran = new Map<string, { readonly from: number; readonly to: number }[]>();
  let merges = 0;
  let loads = 0;
  /** Bytes billed for bookkeeping outside merges: starting workers, and deleting superseded positions and merge records. */
  let bookkeeping = (WORKERS + 1) * LEAST_BYTES;
  let forgotten = 0;
  const everyMs = ({ name, partition }: TableDeclaration): number => {
    if (partition !== undefined) return settings.merge_every_s * 1000;
    return Math.max(settings.merge_every_s * 1000, (intervals.get(name) ?? 0) * 1000);
  };
  const whole = targets.filter(({ table }) => table.partition === undefined);
  let intervals = new Map<string, number>();
  const weigh = (): void => {
    const weighed = whole.map(({ table, bytes }) => ({ name: table.name, bytes }));
    const every = landingInterval(settings.land_every_s * 1000, declared.length, SHARE);
    const landings = (DAY_MS / every) * declared.length * WORKERS;
    const beside = bookkeepingPerDay(landings, WORKERS, false);
    const left = withoutLandings(settings.budget_per_day!, landings, beside, settings.price_per_tib);
    intervals = mergeIntervals(left, weighed, settings.price_per_tib);
  };
  const paced = { ...settings, merge_rows: settings.merge_rows * 10 };
  const rules = mergeRules({ settings: paced, everyMs, merged, tables: declared, setAside: new SetAside() });

  for (let now = 0; now < DAY_MS; now += 2000) {
    if (now % 600_000 === 0) weigh();
    for (const [index, worker] of workers.entries()) {
      for (const line of worker.landed) {
        const every = landingInterval(settings.land_every_s * 1000, worker.landed.length, SHARE);
        if (now - line.last < every) continue;
        const slot = worker.slots.findIndex((free) => free <= now);
        if (slot < 0) break;
        const name = `b${loads++}`;
        const at = ready(
          worker.quotas,
          [{ quota: 'projectLoads' }, { quota: 'tableLoads', table: name }, { quota: 'tableUpdates', table: name }],
          now,
        );
        worker.slots[slot] = at + LOAD_MS;
        const target = targetOf.get(line.stream)!;
        const events = (EVENTS_PER_S / WORKERS) * target.share * ((now - line.at) / 1000);
        spans.set(name, { from: line.at, to: now, events });
        line.at = now;
        line.last = now;
        const samples = target.table.shape === 'timeseries';
        batches.push({
          name,
          stream: line.stream as StreamName,
          partition: index,
          incarnation: 'i',
          from: loads,
          to: loads + 1,
          begins: false,
          records: events,
          landedAt: at + LOAD_MS,
          fields: [],
          receivedDays: [20_000],
          recentDays: samples ? [19_999, 20_000] : [],
          recentRows: samples ? events * SAMPLES_PER_EVENT * 0.9 : events,
          // A tenth of the samples belong to a single earlier day, up to 300 days ago.
          oldDays: samples ? [19_700 + (loads % 290)] : [],
          oldRows: samples ? events * SAMPLES_PER_EVENT * 0.1 : 0,
        });
      }
    }
    if (now % 60_000 !== 0) continue;
    const pending = planMerges(
      batches.filter(({ landedAt }) => landedAt <= now),
      rules,
      { extent: 'due', now },
    );
    for (const [index, worker] of workers.entries()) {
      if (worker.busyUntil > now) continue;
      const due = pending.filter(({ target }) => ownerOf(target.name) === index);
      if (due.length === 0) continue;
      const free = new Array<number>(TARGETS_AT_ONCE).fill(now);
      for (const [name, some] of Map.groupBy(due, ({ target }) => target.name)) {
        const slot = free.indexOf(Math.min(...free));
        let at = free[slot]!;
        for (const merge of some) at = mergeNow(worker, name, merge, at);
        free[slot] = at;
      }
      worker.busyUntil = ready(worker.quotas, [{ quota: 'tableDml', table: 'aorta_positions' }], Math.max(...free));
    }
    const [gone, waiting] = [
      batches.filter((one) => isMerged(one, merged, declared)),
      batches.filter((one) => !isMerged(one, merged, declared)),
    ];
    forgotten += gone.length;
    while (forgotten >= FORGOTTEN_AT_ONCE) {
      forgotten -= FORGOTTEN_AT_ONCE;
      bookkeeping += LEAST_BYTES;
    }
    for (const { name } of gone) {
      merged.forget(name);
      spans.delete(name);
    }
    batches = waiting;
  }

  function mergeNow(worker: (typeof workers)[number], name: string, { target, range, parts }: TableMerge, from: number): number {
    const mass = targetOf.get(name);
    // In a partitioned table, a merge reads only the days that it names. In `deliveries`, it reads only today.
    const days = new Set(parts.flatMap((part) => part.days)).size;
    const bytes =
      target.partition === undefined
        ? mergeBytes({ bytes: mass!.bytes, others: parts.length + 2 })
        : mergeBytes({ bytes: days * (mass?.bytes ?? 10 * GIB), others: parts.length + 2 });
    const reserved = worker.spending.reserve(bytes, from);
    const at = ready(
      worker.quotas,
      [
        { quota: 'tableDml', table: name },
        { quota: 'tableDml', table: 'aorta_merged' },
      ],
      from,
    );
    const ended = at + MERGE_MS + (bytes / GIB) * MERGE_GIB_MS;
    reserved.settle(bytes, ended);
    ran.set(name, [...(ran.get(name) ?? []), { from: at, to: ended }]);
    billed.set(name, (billed.get(name) ?? 0) + bytes);
    merges++;
    for (const { batch, days: some } of parts) {
      merged.add(batch.name, name, some);
      if (range === 'old' || mass === undefined) continue;
      const span = spans.get(batch.name)!;
      (target.shape === 'timeseries' ? sampleAges : summaryAges).add(ended - span.to, ended - span.from, span.events);
      if (target.partition === undefined) mass.bytes += span.events * mass.bytesPerEvent;
    }
    return ended;
  }

  const rows: string[] = [];
  const most = new Map<QuotaName, number>();
  for (const [key, times] of uses) {
    const quota = key.split('|')[0] as QuotaName;
    most.set(quota, Math.max(most.get(quota) ?? 0, mostIn(times, limits[quota].windowMs)));
  }
  for (const [quota, found] of most) {
    rows.push(`${limits[quota].words.padEnd(42)} ${String(found).padStart(7)} of ${String(limits[quota].limit).padStart(7)}`);
    const part = quota === 'projectLoads' ? settings.load_jobs_share : 1;
    expect(found, quota).toBeLessThanOrEqual(limits[quota].limit * part);
  }
  // BigQuery can run two DML statements on a table at once, but two merges into the same table would abort each other. They must
  // therefore not overlap.
  for (const [name, spans] of ran)
    for (const [index, { from }] of spans.entries()) expect([name, from >= (spans[index - 1]?.to ?? 0)]).toEqual([name, true]);
  const sum = (names: readonly string[]): number =>
    priceOf(
      names.reduce((total, name) => total + (billed.get(name) ?? 0), 0),
      settings.price_per_tib,
    );
  const samplesCost = sum(['t0', 't1']);
  const summariesCost = sum(whole.map(({ table }) => table.name));
  rows.push(
    `load jobs ${loads}, merges ${merges}, longest wait for a quota ${Math.round(longestWait.ms / 1000)} s ${longestWait.quota}`,
    `fresh within, samples:   p50 ${sampleAges.quantile(0.5)} s, p99 ${sampleAges.quantile(0.99)} s`,
    `fresh within, summaries: p50 ${summaryAges.quantile(0.5)} s, p99 ${summaryAges.quantile(0.99)} s`,
    `cost of the day: samples ${samplesCost.toFixed(2)}, summaries ${summariesCost.toFixed(2)} (budget ${settings.budget_per_day}), deliveries ${sum(['deliveries']).toFixed(2)}, bookkeeping ${priceOf(bookkeeping, settings.price_per_tib).toFixed(2)}`,
  );
  process.stdout.write(`${rows.join('\n')}\n`);
  expect(summariesCost).toBeLessThanOrEqual(settings.budget_per_day! * 1.05);
  // The cost of merges includes the control tables that they name.
  const allMerges = [...billed.values()].reduce((total, bytes) => total + bytes, 0);
  expect(bookkeeping).toBeGreaterThan(WORKERS * LEAST_BYTES);
  expect(bookkeeping).toBeLessThanOrEqual(allMerges / 10);
  expect(bookkeeping).toBeLessThanOrEqual(bookkeepingPerDay(loads, WORKERS, false));
  expect(sampleAges.quantile(0.99)).toBeLessThanOrEqual(900);
  // Without the longer interval, 40 tables and 4 workers at one load a minute would exceed the project's quota.
  expect(WORKERS * declared.length * (DAY_MS / (settings.land_every_s * 1000))).toBeGreaterThan(limits.projectLoads.limit);
});
