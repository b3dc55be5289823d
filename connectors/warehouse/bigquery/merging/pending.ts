import { deliveries, type TableDeclaration } from '@aorta/schemas';
import { byDueTime, type WaitingMerge } from '../../waiting-merges.ts';
import { crowdedStreams } from '../landing/crowded.ts';
import type { LandedBatch } from '../landing/landed-batch.ts';
import type { BigQuerySettings } from '../options.ts';
import { MOST_DAYS } from '../sql/index.ts';

type Extent = 'recent' | 'old';

/** Batches of which one table lacks something: what a merge would fold. */
export interface PendingMerge {
  readonly target: TableDeclaration;
  readonly extent: Extent;
  readonly parts: readonly PendingPart[];
}

interface PendingPart {
  readonly batch: LandedBatch;
  /** Days since 1970 that are not merged; none where the target is not partitioned. */
  readonly days: readonly number[];
  readonly rows: number;
}

/** What was merged: by batch and target the days; an empty set says that the whole batch was, of a target without days. */
export class MergedRecord {
  readonly #merged = new Map<string, Map<string, Set<number>>>();

  add(batch: string, target: string, days: readonly number[]): void {
    let targets = this.#merged.get(batch);
    if (targets === undefined) {
      targets = new Map();
      this.#merged.set(batch, targets);
    }
    let known = targets.get(target);
    if (known === undefined) {
      known = new Set();
      targets.set(target, known);
    }
    for (const day of days) known.add(day);
  }

  /** Adds everything of another record. */
  addAll(other: MergedRecord): void {
    for (const [batch, targets] of other.#merged) for (const [target, days] of targets) this.add(batch, target, [...days]);
  }

  of(batch: string, target: string): ReadonlySet<number> | undefined {
    return this.#merged.get(batch)?.get(target);
  }

  forget(batch: string): void {
    this.#merged.delete(batch);
  }

  batches(): IterableIterator<string> {
    return this.#merged.keys();
  }
}

/** The tables that a batch of a stream goes into. */
function targetsOf(stream: string, tables: readonly TableDeclaration[]): TableDeclaration[] {
  const own = tables.find((table) => table.stream === stream);
  return own === undefined ? [deliveries] : [own, deliveries];
}

/** What of a batch a table lacks, by extent. */
function partOf(batch: LandedBatch, target: TableDeclaration, extent: Extent, merged: MergedRecord): PendingPart | undefined {
  const done = merged.of(batch.name, target.name);
  if (target.partition === undefined) {
    if (extent === 'old' || done !== undefined) return undefined;
    return { batch, days: [], rows: batch.records };
  }
  const isDeliveries = target.shape === 'deliveries';
  if (isDeliveries && extent === 'old') return undefined;
  const all = isDeliveries ? batch.receivedDays : extent === 'recent' ? batch.recentDays : batch.oldDays;
  const days = done === undefined ? all : all.filter((day) => !done.has(day));
  if (days.length === 0) return undefined;
  return { batch, days, rows: isDeliveries ? batch.records : extent === 'recent' ? batch.recentRows : batch.oldRows };
}

/** Everything that is landed and not merged, by target and extent, the oldest batches first. */
export function pendingMerges(
  batches: readonly LandedBatch[],
  merged: MergedRecord,
  tables: readonly TableDeclaration[],
): PendingMerge[] {
  const pending = new Map<string, { target: TableDeclaration; extent: Extent; parts: PendingPart[] }>();
  for (const batch of [...batches].sort((a, b) => a.landedAt - b.landedAt)) {
    for (const target of targetsOf(batch.stream, tables)) {
      for (const extent of ['recent', 'old'] as const) {
        const part = partOf(batch, target, extent, merged);
        if (part === undefined) continue;
        const key = `${target.name}/${extent}`;
        const merge = pending.get(key);
        if (merge === undefined) pending.set(key, { target, extent, parts: [part] });
        else merge.parts.push(part);
      }
    }
  }
  return [...pending.values()];
}

/** Whether every table has all of a batch. */
export function isMerged(batch: LandedBatch, merged: MergedRecord, tables: readonly TableDeclaration[]): boolean {
  return targetsOf(batch.stream, tables).every((target) =>
    (['recent', 'old'] as const).every((extent) => partOf(batch, target, extent, merged) === undefined),
  );
}

export interface MergePace {
  /** Milliseconds from one merge of a target to the next. */
  readonly everyMs: (target: TableDeclaration) => number;
  /** Rows that are merged at once. */
  readonly rows: number;
  readonly oldRows: number;
  readonly oldAfterMs: number;
}

/** The pace of a configuration. */
export function mergePaceOf(
  settings: Pick<BigQuerySettings, 'merge_rows' | 'old_rows' | 'old_after_s'>,
  everyMs: MergePace['everyMs'],
): MergePace {
  return {
    everyMs,
    rows: settings.merge_rows,
    oldRows: settings.old_rows,
    oldAfterMs: settings.old_after_s * 1000,
  };
}

/** Whether a merge has come due: by the age of its oldest batch, by its rows, or since landing tables grow too many. */
export function isDue({ target, extent, parts }: PendingMerge, pace: MergePace, now: number): boolean {
  if (crowdedStreams(parts.map(({ batch }) => batch)).size > 0) return true;
  const age = now - parts[0]!.batch.landedAt;
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  if (extent === 'old') return rows >= pace.oldRows || age >= pace.oldAfterMs;
  return rows >= pace.rows || age >= pace.everyMs(target);
}

/** What is to be merged, with its due times. `heldBy` gives the code of the error that holds up merges of a table. */
export function waitingMerges(
  pending: readonly PendingMerge[],
  pace: MergePace,
  heldBy: (table: string) => string | undefined,
): WaitingMerge[] {
  const waiting = pending.map((merge): WaitingMerge => {
    const { target, extent, parts } = merge;
    const landedAt = parts[0]!.batch.landedAt;
    const [afterMs, dueAtRows] = extent === 'old' ? [pace.oldAfterMs, pace.oldRows] : [pace.everyMs(target), pace.rows];
    const held = heldBy(target.name);
    return {
      table: target.name,
      range: extent,
      batches: parts.length,
      rows: parts.reduce((sum, part) => sum + part.rows, 0),
      landedAt,
      dueAt: isDue(merge, pace, landedAt) ? landedAt : landedAt + afterMs,
      dueAtRows,
      ...(held === undefined ? {} : { heldBy: held }),
    };
  });
  return waiting.sort(byDueTime);
}

/**
 * Batches of one statement at most. Every statement reads a table without partitions whole, so few large ones are cheaper;
 * the service takes a thousand tables in one.
 */
const MOST_BATCHES = 300;
/** Rows of one statement at most, unless one batch has more. */
const MOST_ROWS = 20_000_000;

/** Cuts a merge into statements, in the order of its batches; a statement takes so many dates at most. */
export function cutMerge({ target, extent, parts }: PendingMerge): PendingMerge[] {
  const cut: PendingPart[][] = [];
  let rows = 0;
  let days = new Set<number>();
  for (const whole of parts) {
    for (const part of cutDays(whole)) {
      const group = cut.at(-1);
      const together = new Set([...days, ...part.days]);
      rows += part.rows;
      if (group !== undefined && group.length < MOST_BATCHES && rows <= MOST_ROWS && together.size <= MOST_DAYS) {
        group.push(part);
        days = together;
      } else {
        cut.push([part]);
        rows = part.rows;
        days = new Set(part.days);
      }
    }
  }
  return cut.map((some) => ({ target, extent, parts: some }));
}

/** A merge of several batches as two of half as many each, in their order. */
export function halvesOf({ target, extent, parts }: PendingMerge): [PendingMerge, PendingMerge] {
  const middle = Math.ceil(parts.length / 2);
  return [
    { target, extent, parts: parts.slice(0, middle) },
    { target, extent, parts: parts.slice(middle) },
  ];
}

function cutDays(part: PendingPart): PendingPart[] {
  if (part.days.length <= MOST_DAYS) return [part];
  const cut: PendingPart[] = [];
  for (let at = 0; at < part.days.length; at += MOST_DAYS) {
    const days = part.days.slice(at, at + MOST_DAYS);
    cut.push({ ...part, days, rows: Math.ceil((part.rows * days.length) / part.days.length) });
  }
  return cut;
}
