import { deliveries, type StreamName, type TableDeclaration } from '@aorta/schemas';
import type { WaitingMerge } from '../warehouse.ts';
import { type MergeRange, mergeRanges, rowsIn } from '../warehouses/merging/landed-dates.ts';
import { rowsOf } from '../warehouses/merging/pending-merge.ts';
import { byDueTime, type MergeRules, planMerges, planWaits } from '../warehouses/merging/plan.ts';
import type { LandedBatch } from './batches.ts';
import {
  EarlyMerges,
  isMerged,
  MOST_BATCHES,
  MOST_SAMPLES,
  mergeRules,
  ROW_GROUP,
  type StreamMerge,
  type StreamTarget,
} from './merge-rules.ts';
import type { OldDatesPace } from './options.ts';

/**
 * Number of waiting batches that a checkpoint may write. Each is one or two tables, and every table takes at least one block of
 * 256 KiB in the file. DuckDB only frees blocks at the end of the file.
 */
const FEW = 16;

/**
 * In a larger file, a checkpoint may write one waiting batch for each multiple of this many bytes. Waiting batches then take up
 * about a twentieth of the file.
 */
const BYTES_A_BATCH = 16 * 2 ** 20;

/** If batches have more records than this on average, they fill their blocks. They are then not merged before a checkpoint. */
const FULL = 2_048;

/**
 * Maximum number of landed batches between two checkpoints. After a crash, the replay of the write-ahead log creates, fills and
 * drops a table for each batch.
 */
const MOST_LANDED = 500;

const recordsOf = (batches: readonly LandedBatch[]): number => batches.reduce((sum, { records }) => sum + records, 0);
const batchesOf = ({ parts }: Pick<StreamMerge, 'parts'>): LandedBatch[] => parts.map(({ batch }) => batch);

/**
 * Batches that are landed and not yet merged into all of their tables. Decides which merges and checkpoints are due, and when there
 * are too many batches.
 */
export class Backlog {
  #batches: readonly LandedBatch[];
  /** Number of batches landed since the last checkpoint, including those in the write-ahead log of an earlier process. */
  #sinceCheckpoint: number;
  readonly #tables: ReadonlyMap<string, TableDeclaration>;
  readonly #pace: OldDatesPace;
  readonly #rules: MergeRules<StreamTarget, LandedBatch>;
  readonly early = new EarlyMerges();

  /** `tables` are the declared tables with their landed columns. */
  constructor(batches: readonly LandedBatch[], tables: readonly TableDeclaration[], pace: OldDatesPace) {
    this.#batches = batches;
    this.#sinceCheckpoint = batches.length;
    this.#tables = new Map(tables.map((table) => [table.stream, table]));
    this.#pace = pace;
    this.#rules = mergeRules((stream) => this.isTimeseries(stream), pace, this.early);
  }

  /** Returns the table into which a stream's batches are merged, besides `deliveries`. Undefined if it has none. */
  tableOf(stream: StreamName): TableDeclaration | undefined {
    return this.#tables.get(stream);
  }

  isTimeseries(stream: StreamName): boolean {
    return this.tableOf(stream)?.shape === 'timeseries';
  }

  get streams(): StreamName[] {
    return [...new Set(this.#batches.map(({ stream }) => stream))];
  }

  get merged(): LandedBatch[] {
    return this.#batches.filter((batch) => mergeRanges.every((range) => isMerged(batch, range)));
  }

  size(): { batches: number; records: number } {
    return { batches: this.#batches.length, records: recordsOf(this.#batches) };
  }

  add(batch: LandedBatch): void {
    this.#batches = [...this.#batches, batch];
    this.#sinceCheckpoint++;
  }

  mark(merge: StreamMerge): void {
    const { range } = merge;
    const ids = new Set(batchesOf(merge).map(({ id }) => id));
    const mark = range === 'recent' ? { recentMerged: true } : { oldMerged: true };
    this.#batches = this.#batches.map((batch) => (ids.has(batch.id) ? { ...batch, ...mark } : batch));
  }

  remove(batches: readonly LandedBatch[]): void {
    this.#batches = this.#batches.filter((batch) => !batches.includes(batch));
  }

  /** Returns the number of a stream's next landed row. It is higher than the number of every landed row that still exists. */
  nextNo(stream: StreamName): number {
    return this.#batches.filter((batch) => batch.stream === stream).reduce((next, { nextNo }) => Math.max(next, nextNo), 0);
  }

  /**
   * Returns the maximum number of records in a stream's next batch. A batch of this size completes a row group, as
   * {@link ROW_GROUP} explains. Timeseries have no limit.
   */
  room(stream: StreamName): number {
    if (this.isTimeseries(stream)) return Number.POSITIVE_INFINITY;
    return ROW_GROUP - (recordsOf(this.#unmerged(stream, 'recent')) % ROW_GROUP);
  }

  /** Returns the due merges of a stream, or all its pending merges. `now` is by `steadyNow`. */
  due(stream: StreamName, extent: 'due' | 'all', now: number): StreamMerge[] {
    const batches = this.#batches.filter((batch) => batch.stream === stream);
    return planMerges(batches, this.#rules, { extent, now });
  }

  /** Returns the pending merges, including those into `deliveries`, which are listed as recent. */
  waiting(): WaitingMerge[] {
    const merges: WaitingMerge[] = [];
    const receipts: WaitingMerge[] = [];
    for (const { merge, landedAt, dueAt, dueAtRows } of planWaits(this.#batches, this.#rules)) {
      const { target, range, parts } = merge;
      const due = { range, batches: parts.length, landedAt, dueAtRows, dueAt };
      const rows = rowsOf(merge);
      const table = this.tableOf(target.name)?.name;
      if (table !== undefined && rows > 0) merges.push({ ...due, table, rows });
      if (range === 'recent') receipts.push({ ...due, table: deliveries.name, rows: recordsOf(batchesOf(merge)) });
    }
    return [...merges, ...together(receipts)].sort(byDueTime);
  }

  /** Whether landing should wait for the running merge, because enough batches have been landed for another full merge. */
  get isFull(): boolean {
    return this.streams.some((stream) => {
      const recent = this.#unmerged(stream, 'recent');
      if (recent.length >= 2 * MOST_BATCHES) return true;
      if (!this.isTimeseries(stream)) return recordsOf(recent) >= 2 * ROW_GROUP;
      const most = { recent: MOST_SAMPLES, old: this.#pace.old_rows + MOST_SAMPLES };
      return mergeRanges.some((range) => {
        const rows = this.#unmerged(stream, range).reduce((sum, batch) => sum + rowsIn(batch, range), 0);
        return rows > most[range];
      });
    });
  }

  get isCheckpointDue(): boolean {
    return this.#sinceCheckpoint >= MOST_LANDED;
  }

  /**
   * Whether so many small batches are waiting that they should be merged before a checkpoint of a file with this many bytes.
   */
  crowdsCheckpoint(fileBytes: number): boolean {
    const { batches, records } = this.size();
    if (records > batches * FULL) return false;
    return batches > FEW && batches > fileBytes / BYTES_A_BATCH;
  }

  checkpointed(): void {
    this.#sinceCheckpoint = 0;
  }

  #unmerged(stream: StreamName, range: MergeRange): LandedBatch[] {
    return this.#batches.filter((batch) => batch.stream === stream && !isMerged(batch, range));
  }
}

/** Combines merges of several streams that have the same target table into one merge. Returns an empty list if there are none. */
function together(merges: readonly WaitingMerge[]): WaitingMerge[] {
  const [first] = merges;
  if (first === undefined) return [];
  const sum = (of: (merge: WaitingMerge) => number): number => merges.reduce((all, merge) => all + of(merge), 0);
  const least = (of: (merge: WaitingMerge) => number): number => Math.min(...merges.map(of));
  return [
    {
      ...first,
      batches: sum(({ batches }) => batches),
      rows: sum(({ rows }) => rows),
      landedAt: least(({ landedAt }) => landedAt),
      dueAt: least(({ dueAt }) => dueAt),
      dueAtRows: least(({ dueAtRows }) => dueAtRows),
    },
  ];
}
