import type { StreamName, StreamRecords } from '@aorta/schemas';
import type { ErasureReceipt } from './erasure.ts';
import type { Privacy } from './privacy.ts';

/**
 * A warehouse: *land, then merge*. Landing appends a batch of a stream's records and remembers, in the same transaction,
 * how far the stream has been landed; merging folds landed batches into the tables, newest version of a key first, and
 * drops a batch once every target and every range of dates has it. `tableRows` gives the rows that a record adds to the
 * tables, with their keys and versions.
 */
export interface Warehouse {
  /** How far a partition of a stream has been landed, or undefined where nothing of it was. */
  landed(of: LandedPartition): Landed | undefined;

  /** {@link landed} of a partition that this worker has just been given: others may have landed more of it meanwhile. Absent where nobody else does. */
  learn?(of: LandedPartition): Promise<Landed | undefined>;

  /** Milliseconds until a partition that has something new ought to be landed, 0: now; absent: always now. It saves load jobs where each counts. */
  landingWait?(of: LandedPartition): number;

  /** Records of the next batch of a partition at most; absent: as many as there are. */
  landsAtMost?(of: LandedPartition): number;

  /** How many batches may be landed at the same time, of different partitions; absent: one. */
  readonly landsAtOnce?: number;

  /** Begins a batch whose records come in portions. Absent: it is held until it is whole, see `gather`. */
  gather?<S extends StreamName>(start: BatchStart<S>): GrowingBatch<S>;

  /** Lands a batch. `batch.from` has to be where the partition's landing stands; a batch that was landed already is left alone. */
  land<S extends StreamName>(batch: LandingBatch<S>): Promise<void>;

  /** Merges what is due (`due`: recent dates at once, old dates when enough have gathered) or everything landed (`all`). What is due may go on afterwards, and is reported, or its failure thrown, by the next call. */
  merge(extent: 'due' | 'all'): Promise<MergeReport>;

  /** Resolves when no merge is under way; absent where none ever is behind the caller's back. */
  settled?(): Promise<void>;

  /** Publishes the read-only copy: `due` keeps to the configured pace, `now` does not. Nothing happens where nothing changed. */
  publish(pace: 'due' | 'now'): Promise<boolean>;

  /**
   * Erases a user, by the service's id: out of landed batches and every table, and out of the copy that readers have. A
   * keyed hash stays on the suppression list, which every merge checks, so no replay brings the user back. What was
   * deleted already is not counted again.
   */
  erase(user: string): Promise<ErasureReceipt>;

  /**
   * Warns of rows that an upgrade has rewritten and whose records are gone from the streams. Call it when everything is
   * landed, until it gives true: false says that merges are still to come. Absent where no upgrade rewrites rows.
   */
  reportUpgrade?(): Promise<boolean>;

  /** Rows of every table. */
  rows(): Promise<Record<string, number>>;

  /** Landed and not yet merged: batches and their records. */
  backlog(): { readonly batches: number; readonly records: number };

  /** What is landed and waits for its merge, by table and range of dates, the earliest due first. */
  waitingMerges(): readonly WaitingMerge[];

  /** What the warehouse itself waits for now: a quota, or a service that did not answer. Absent if it never waits. */
  waits?(): readonly TimedWait[];

  /** When the next copy for readers is due, in milliseconds since 1970; undefined if the copy is up to date, or readers have none. */
  publicationDue?(): number | undefined;

  close(): Promise<void>;
}

/** A partition of a stream. Streams that are not divided are partition 0. */
export interface LandedPartition {
  readonly stream: StreamName;
  readonly partition: number;
}

export interface Landed {
  readonly incarnation: string;
  /** The position after the last record landed. */
  readonly position: number;
}

/** Where a batch begins. */
export interface BatchStart<S extends StreamName = StreamName> {
  readonly stream: S;
  /** Default 0. */
  readonly partition?: number;
  readonly incarnation: string;
  /** Positions may leave numbers out: what they are apart is not the number of records. */
  readonly from: number;
}

export interface LandingBatch<S extends StreamName = StreamName> extends BatchStart<S> {
  readonly to: number;
  readonly records: readonly StreamRecords[S][];
}

/** A batch whose records come in portions, in their order. One that is not landed has never been. */
export interface GrowingBatch<S extends StreamName = StreamName> {
  add(records: readonly StreamRecords[S][]): void;
  /** Lands what was added as the batch up to this position, see {@link Warehouse.land}. */
  land(to: number): Promise<void>;
}

/** Begins a batch whose records come in portions, in any warehouse. */
export function gather<S extends StreamName>(warehouse: Warehouse, start: BatchStart<S>): GrowingBatch<S> {
  if (warehouse.gather !== undefined) return warehouse.gather(start);
  const records: StreamRecords[S][] = [];
  return {
    add: (some) => {
      for (const record of some) records.push(record);
    },
    land: (to) => warehouse.land({ ...start, to, records }),
  };
}

/** A wait that ends at a known time. Milliseconds since 1970. */
export interface TimedWait {
  readonly reason: string;
  readonly since: number;
  readonly dueAt: number;
}

/** Landed batches that one table lacks, of its recent or its old dates. */
export interface WaitingMerge {
  readonly table: string;
  readonly range: 'recent' | 'old';
  readonly batches: number;
  /** Rows that the merge takes: samples, summaries or events, before they are deduplicated. */
  readonly rows: number;
  /** When the oldest of these batches was landed, in milliseconds since 1970. */
  readonly landedAt: number;
  /** When the merge is due at the latest, in milliseconds since 1970; more rows bring it forward. */
  readonly dueAt: number;
  /** Rows at which the merge is due at once. */
  readonly dueAtRows: number;
  /** Code of the error that holds the merge up, beyond its due time; absent if nothing does. */
  readonly heldBy?: string;
}

export interface MergeReport {
  /** Landed batches folded. */
  readonly batches: number;
  /** Rows folded into each target, by `recent` and `old` dates. */
  readonly targets: readonly {
    readonly table: string;
    readonly range: 'recent' | 'old';
    readonly rows: number;
    readonly milliseconds: number;
  }[];
}

/** Read-only access to the published tables, beside a writer. `await using` closes it. */
export interface WarehouseReader extends AsyncDisposable {
  /** When the copy was published, ISO 8601; undefined where the warehouse itself is read. */
  readonly publishedAt: string | undefined;
  /**
   * Runs one SELECT. Rejects with AORTA-QUERY-NOT-READ-ONLY for anything else and with AORTA-QUERY-FAILED, reworded.
   * Values are ready for JSON: instants as RFC 3339 in UTC, dates as YYYY-MM-DD, 64-bit integers as bigint, JSON columns as text.
   */
  query(sql: string): Promise<QueryResult>;
  /** A text as a literal of the dialect, for a statement that is put together. */
  literal(text: string): string;
  /** Rows of every table; none of one that the version which wrote these tables did not have. */
  rows(): Promise<Record<string, number>>;
  /** Values that stand in columns which are not landed under a setting: from before a class was switched off. */
  withheldValues(privacy: Privacy): Promise<readonly WithheldValues[]>;
  /** What differs between the tables as a setting lands them and those that stand there. Writes nothing. */
  tableDifferences(privacy: Privacy): Promise<readonly TableDifference[]>;
  /** How far each partition of a stream is in these very tables: to the first record that is landed and not merged, else to the last landed one. */
  merged(): Promise<readonly (LandedPartition & Landed)[]>;
  /** {@link Warehouse.waitingMerges}, as these tables tell it: of a copy, at the time when it was published. */
  waitingMerges(): Promise<readonly WaitingMerge[]>;
  /** What the last days cost; absent where nothing is billed. */
  costs?(days: number): Promise<CostReport>;
  close(): Promise<void>;
}

/** What a warehouse that bills by bytes was asked to do, and what it came to. */
export interface CostReport {
  /** In the currency of the bill. */
  readonly pricePerTib: number;
  readonly pricePerSlotHour: number;
  readonly mostPerDay: number | undefined;
  /** Days in UTC, the last one first; by table, `bookkeeping` among them. */
  readonly days: readonly {
    readonly day: string;
    readonly estimatedBytes: number;
    readonly billedBytes: number;
    /** Hours of slots that are paid for, in a reservation. */
    readonly slotHours: number;
    readonly cost: number;
    readonly tables: readonly {
      readonly table: string;
      readonly merges: number;
      readonly estimatedBytes: number;
      readonly billedBytes: number;
      readonly slotHours: number;
      readonly cost: number;
    }[];
  }[];
  /** What was waited for in the last hour. */
  readonly waits: readonly {
    readonly reason: string;
    readonly times: number;
    readonly seconds: number;
    readonly lastAt: string;
  }[];
}

/** A table, or a column of it, that is not as it is declared. */
export interface TableDifference {
  readonly table: string;
  /** Absent for a whole table. */
  readonly column?: string;
  /** What differs, as the end of a sentence that begins with the name. */
  readonly what: string;
  /** The next run mends it, `aorta apply` does, or only a person can: until then runs stop there. */
  readonly mendedBy: 'run' | 'apply' | 'person';
}

/** Values of a column that is not landed any more. */
export interface WithheldValues {
  readonly table: string;
  readonly column: string;
  readonly values: number;
}

export type QueryValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly QueryValue[]
  | { readonly [name: string]: QueryValue };

export interface QueryResult {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: AsyncIterable<readonly (readonly QueryValue[])[]>;
}
