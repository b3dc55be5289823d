import type { AortaError, ErrorCatalogue, Logger, MetricCatalogue, Metrics, StepObserver } from '@aorta/runtime';
import type { StreamName, StreamRecords, TableDeclaration } from '@aorta/schemas';
import type { AdapterOptions, AdapterSettings, Finding } from './adapter.ts';
import type { Preferences } from './preferences.ts';
import type { Privacy } from './privacy.ts';
import type { QueryResult } from './query-values.ts';

/**
 * A warehouse works in two steps: *land, then merge*. Landing appends a batch of records to a landing table and stores the
 * landed position of the stream in the same transaction. Merging upserts landed batches into the target tables, which keep the
 * newest version of each key. A batch is dropped once all of its dates are merged into every target table. The function
 * `tableRows` defines which rows a record adds to the target tables, with their keys and versions.
 */
export interface Warehouse {
  /** Returns the landed position of a partition; undefined if none of its records has been landed. */
  landed(of: LandedPartition): Landed | undefined;

  /** Like {@link landed} for a newly assigned partition, but includes what other workers landed. Absent for a single worker. */
  learn?(of: LandedPartition): Promise<Landed | undefined>;

  /** Time until new records of a partition should be landed, in milliseconds; 0 means now. If absent, records are landed at once. */
  landingWait?(of: LandedPartition): number;

  /** Maximum number of records in the next batch of a partition. If absent, there is no limit. */
  landsAtMost?(of: LandedPartition): number;

  /** Maximum number of batches, each from a different partition, that may be landed at the same time. Default: 1. */
  readonly landsAtOnce?: number;

  /** Begins a batch whose records arrive in portions. If absent, the exported function `gather` collects the records instead. */
  gather?<S extends StreamName>(start: BatchStart<S>): GrowingBatch<S>;

  /**
   * Lands a batch. `batch.from` must be the partition's landed position. A batch that was landed before is skipped. A batch without
   * records moves the position past lost records. A warehouse that is reopened may return the position before them.
   */
  land<S extends StreamName>(batch: LandingBatch<S>): Promise<void>;

  /**
   * Runs the merges that are due, or merges everything. A merge is due once its oldest batch has waited long enough or enough
   * rows are landed. A `due` merge may continue after the call returns. The next call then reports it or throws its error.
   */
  merge(extent: 'due' | 'all'): Promise<MergeReport>;

  /** Resolves when no merge is running. Absent if merges never run in the background. */
  settled?(): Promise<void>;

  /** Publishes a copy of the tables if a table has changed. With `due`, does so only if the configured interval has passed. */
  publish(pace: 'due' | 'now'): Promise<boolean>;

  /**
   * Erases the user with this id (as assigned by the service) from landed batches, every table and the published copy.
   * A keyed hash of the id stays on the suppression list, which every merge checks. A replay therefore cannot restore
   * the user. The receipt counts only the rows that this call deletes.
   */
  erase(user: string): Promise<ErasureReceipt>;

  /** Number of rows in each table. */
  rows(): Promise<Record<string, number>>;

  /** Number of batches that are landed but not merged yet, and the number of records in these batches. */
  backlog(): { readonly batches: number; readonly records: number };

  /** Pending merges by table and range of dates, sorted by due time. */
  waitingMerges(): readonly WaitingMerge[];

  /** Current waits for a quota or for a service that did not answer. Absent if the warehouse never waits. */
  waits?(): readonly TimedWait[];

  /**
   * Time at which the next publication is due, by `steadyNow`; undefined if the copy is up to date. Absent
   * if there is no copy to publish.
   */
  publicationDue?(): number | undefined;

  close(): Promise<void>;
}

/** A partition of a stream. An unpartitioned stream has only partition 0. */
export interface LandedPartition {
  readonly stream: StreamName;
  readonly partition: number;
}

export interface Landed {
  readonly incarnation: string;
  /** The position after the last landed record. */
  readonly position: number;
}

export interface BatchStart<S extends StreamName = StreamName> {
  readonly stream: S;
  /** Default: 0. */
  readonly partition?: number;
  readonly incarnation: string;
  /** Position of the first record. Positions may have gaps, so their difference is not a number of records. */
  readonly from: number;
}

export interface LandingBatch<S extends StreamName = StreamName> extends BatchStart<S> {
  readonly to: number;
  readonly records: readonly StreamRecords[S][];
}

/** A batch whose records arrive in portions, in order. Until {@link land} is called, nothing is stored. */
export interface GrowingBatch<S extends StreamName = StreamName> {
  add(records: readonly StreamRecords[S][]): void;
  /** Lands the added records as one batch that ends before position `to`; see {@link Warehouse.land}. */
  land(to: number): Promise<void>;
}

/** Begins a batch in any warehouse. Holds the records until the batch is complete if the warehouse has no `gather`. */
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

/** A wait that ends at a known time. Both times are by `steadyNow`. */
export interface TimedWait {
  readonly reason: string;
  readonly since: number;
  readonly dueAt: number;
}

/**
 * Landed batches that still have recent or old dates to merge into a table. The two ranges are listed separately. Times are by
 * `steadyNow`.
 */
export interface WaitingMerge {
  readonly table: string;
  readonly range: 'recent' | 'old';
  readonly batches: number;
  /** Number of rows to be merged: samples, summaries or events, before deduplication. */
  readonly rows: number;
  /** Time at which the oldest of these batches was landed. */
  readonly landedAt: number;
  /** Latest time at which the merge is due. It is due earlier if enough rows are landed. */
  readonly dueAt: number;
  /** Number of rows at which the merge becomes due immediately. */
  readonly dueAtRows: number;
  /** Code of the error that blocks the merge even after its due time; absent if nothing blocks it. */
  readonly heldBy?: string;
}

export interface MergeReport {
  readonly batches: number;
  /** Number of rows merged into each target, for recent and for old dates. */
  readonly targets: readonly {
    readonly table: string;
    readonly range: 'recent' | 'old';
    readonly rows: number;
    readonly milliseconds: number;
  }[];
}

/** How a published copy differs from what Aorta recorded when it published the copy. */
export interface CopyDifference {
  /**
   * `changed`: the content differs. `replaced`: only the inode or the time differs, as after a restore. `unrecorded`: the record of
   * the publication cannot be read, so nothing was compared.
   */
  readonly kind: 'changed' | 'replaced' | 'unrecorded';
  /** What differs, such as `size, headers`, or the path of the record. */
  readonly what: string;
}

/** Reads the published tables, even while another process writes. `await using` closes the reader. */
export interface WarehouseReader extends AsyncDisposable {
  /** Time at which the copy was published, in ISO 8601; undefined if the reader reads the warehouse itself. */
  readonly publishedAt: string | undefined;
  /**
   * Runs one SELECT. Rejects with AORTA-QUERY-NOT-READ-ONLY for any other statement, and with AORTA-QUERY-FAILED if the query
   * fails. Values are ready for JSON: instants as RFC 3339 in UTC, dates as YYYY-MM-DD, 64-bit integers as bigint, decimals as
   * `Decimal`, JSON columns as text. Columns of floating-point numbers have NaN and infinities as text.
   */
  query(sql: string): Promise<QueryResult>;
  /** Quotes a string as a literal in the warehouse's SQL dialect. */
  literal(text: string): string;
  /**
   * Compares the published copy with what was published. With `deep`, reads the whole copy. Undefined if nothing differs. Absent
   * if the warehouse publishes no copies.
   */
  copyDifference?(deep: boolean): Promise<CopyDifference | undefined>;
  /** Number of rows in each declared table; 0 if the warehouse does not have the table. */
  rows(): Promise<Record<string, number>>;
  /** Finds landed values that the given privacy setting withholds. They were landed before their class was switched off. */
  withheldValues(privacy: Privacy): Promise<readonly WithheldValues[]>;
  /** Compares the existing tables with those that the given privacy setting would create. Writes nothing. */
  tableDifferences(privacy: Privacy): Promise<readonly TableDifference[]>;
  /** Merged position of each partition: that of the first unmerged record, or the landed position if everything is merged. */
  merged(): Promise<readonly (LandedPartition & Landed)[]>;
  /** Same as {@link Warehouse.waitingMerges}. In a published copy, these are the merges that were pending when it was published. */
  waitingMerges(): Promise<readonly WaitingMerge[]>;
  /** Costs of the last `days` days. Absent if using the warehouse is free. */
  costs?(days: number): Promise<CostReport>;
  close(): Promise<void>;
}

/** Usage and costs of a warehouse that bills by bytes or slot time. */
export interface CostReport {
  /** Prices and costs are in the currency of the bill. */
  readonly pricePerTib: number;
  readonly pricePerSlotHour: number;
  readonly mostPerDay: number | undefined;
  /** Costs by UTC day, latest day first, and by table. The table `bookkeeping` contains all statements that are not merges. */
  readonly days: readonly {
    readonly day: string;
    readonly estimatedBytes: number;
    readonly billedBytes: number;
    /** Billed slot hours, if jobs run in a reservation. */
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
  readonly waits: readonly {
    readonly reason: string;
    readonly times: number;
    readonly seconds: number;
    readonly lastAt: string;
  }[];
}

/** Numbers of rows and events that an erasure deleted. */
export interface ErasureReceipt {
  /** Number of deleted rows per table; for tables of samples, the number of deleted samples. Tables without deleted rows are absent. */
  readonly tables: readonly { readonly table: string; readonly rows: number }[];
  /** Number of events removed from batches that were landed but not merged yet. */
  readonly landed: number;
  /** How long the warehouse's provider keeps the deleted rows. Absent if the provider does not keep them. */
  readonly kept?: {
    /** Number of hours during which users with access to the dataset can still read the deleted rows (time travel). */
    readonly timeTravelHours: number;
    /** Number of days after the time travel period during which only the provider can restore the rows (fail-safe). */
    readonly failSafeDays: number;
  };
}

const columns = ['user_id', 'data_user_id'];

/** Returns the columns that link a row to a user: the user that the event belongs to, and the user named in its data object. */
export function userColumns(table: TableDeclaration): string[] {
  return columns.filter((name) => table.columns.some((column) => column.name === name));
}

/** A table or column that differs from its declaration. */
export interface TableDifference {
  readonly table: string;
  /** Absent if the difference concerns the whole table. */
  readonly column?: string;
  /** The difference, as the end of a sentence that begins with the name of the table or column. */
  readonly what: string;
  /**
   * How the difference can be removed: by the next run, by `aorta apply`, or only by an operator. If only an operator
   * can remove it, every run stops until then.
   */
  readonly fixedBy: 'run' | 'apply' | 'person';
}

/** Values in a column that is no longer landed. */
export interface WithheldValues {
  readonly table: string;
  readonly column: string;
  readonly values: number;
}

/**
 * Describes a type of warehouse: everything that the program needs before it opens a warehouse. Every command loads the
 * adapter, so only {@link WarehouseAdapter.load} may import a client library.
 */
export interface WarehouseAdapter<S extends AdapterSettings = AdapterSettings> {
  /** Value of `type` in the configuration, and of TYPE in `--warehouse TYPE:PATH`. */
  readonly type: S['type'];
  /** Every error code that this warehouse raises itself (see `errorsOf`). */
  readonly errors?: ErrorCatalogue;
  /** Every metric that this warehouse defines itself. The adapter's code may report only these metrics (see `Metrics`). */
  readonly metrics?: MetricCatalogue;
  /** Name of the product, such as `BigQuery`. */
  readonly product: string;
  /** What messages call one such warehouse, such as `a BigQuery dataset`. */
  readonly noun: string;
  /** Schema of the settings. Values must be structured-cloneable, because they are sent to the loader's thread. */
  readonly options: AdapterOptions<S>;
  /** `import.meta.url` of the file that exports this adapter as `warehouse`. The loader's thread imports the adapter from this address. */
  readonly address: string;
  load(): Promise<WarehouseModule<S>>;

  describe(settings: S): WarehouseLocation;

  /** Present if the warehouse is a file or folder on this machine, so that `--warehouse TYPE:PATH` and `--data` can name it. */
  readonly onDisk?: WarehouseOnDisk;
  /**
   * Returns the settings with absolute paths, resolved against `folder`. Not needed if the settings have no path other than
   * that of {@link onDisk}.
   */
  resolvePaths?(settings: S, folder: string): S;
  /**
   * Returns the settings with call timeouts capped at `seconds`. `aorta doctor` uses these settings. Not needed if the warehouse
   * makes no remote calls.
   */
  hurried?(settings: S, seconds: number): S;
  /** Whether several workers load into this warehouse. If so, only one worker at a time merges into each table. Default: no. */
  isShared?(settings: S): boolean;
  /** Whether a copy of the tables can be published within seconds. If so, a run publishes a copy before it stops. Default: no. */
  isPublishedSoon?(settings: S): Promise<boolean>;
  /** Set if the module has {@link WarehouseModule.plan} and `apply`. Otherwise, opening the warehouse creates its tables. */
  readonly isPlanned?: true;
  /** Set if the reader has {@link WarehouseReader.costs}. */
  readonly reportsCosts?: true;
  /** Milliseconds between two refreshes of `aorta pulls --watch`. Default: 30,000. */
  readonly watchEveryMs?: number;
  /** Returns a string that changes whenever a new copy of the tables is published; undefined if only a query can detect a change. */
  stampOf?(settings: S): string | undefined;
  /** A sentence about the data that an erasure cannot remove immediately. */
  readonly afterErasure?: string;
}

export interface WarehouseOnDisk {
  /** Name of the warehouse inside a data folder. */
  readonly name: string;
  /** The field of the settings that contains the path of the warehouse. */
  readonly field: string;
  /** Returns the paths of all files and folders that the warehouse at a path may consist of. They are not read as input. */
  filesOf(path: string): readonly string[];
  /** Returns why the warehouse cannot use a path, such as a character in it, or undefined if it can. Default: it can use every path. */
  problemOf?(path: string): string | undefined;
}

export interface WarehouseLocation {
  /** `TYPE:` and the location, such as `duckdb:PATH`. */
  readonly text: string;
  /** Location in `aorta status --json`. Default: `text`. */
  readonly status?: string;
  /** Members that `aorta validate --json` prints in addition to the type. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** The message that `doctor` prints while there are no tables. */
  readonly empty: string;
}

/** The parts of the configuration that decide which columns and views a warehouse has. */
export interface TableChoices {
  /** Decides which classes of columns are landed. */
  readonly privacy: Privacy;
  /** Decides from which source the daily views take a value. */
  readonly preferences: Preferences;
}

export interface WarehouseOpening<S extends AdapterSettings = AdapterSettings> extends TableChoices {
  readonly settings: S;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly onStep?: StepObserver;
  /** Returns true if this worker currently merges into the table. If `owns` is absent, no other worker loads the warehouse. */
  readonly owns?: (table: string) => boolean;
}

/** The part of an adapter that uses the client library. */
export interface WarehouseModule<S extends AdapterSettings = AdapterSettings> {
  /** Opens the warehouse for landing and merging. Creates its tables unless the adapter sets `isPlanned`. */
  open(opening: WarehouseOpening<S>): Promise<Warehouse>;
  /**
   * Opens the published tables. Rejects with AORTA-WAREHOUSE-MISSING or AORTA-WAREHOUSE-UNPUBLISHED. `memory`, such as `64MB`,
   * limits this reader's memory.
   */
  openReader(settings: S, bounds?: { readonly memory?: string }): Promise<WarehouseReader>;
  /** Returns findings for `doctor`, in addition to those common to all warehouses. With `deep`, may read all data. */
  probe(reader: WarehouseReader, settings: S, deep: boolean): Promise<readonly Finding[]>;
  /** Compares the declarations with the existing tables and views. Changes nothing. */
  plan?(settings: S, choices: TableChoices): Promise<readonly WarehouseDifference[]>;
  /** Creates what is missing. Never drops anything. */
  apply?(settings: S, choices: TableChoices, onProgress: (progress: ApplyProgress) => void): Promise<AppliedDifferences>;
  /** Returns the error for an `apply` that could not create these tables or views. */
  unmade?(settings: S, names: readonly string[]): AortaError;
}

/** A difference between a declaration and the warehouse. `apply` either makes the change, or refuses it and leaves it to the operator. */
export interface WarehouseDifference {
  readonly kind: 'create' | 'change' | 'refused';
  readonly of: 'dataset' | 'table' | 'view';
  readonly name: string;
  readonly what: string;
  /** The statement that makes the change, or that the operator could run after reading {@link why}. */
  readonly sql?: string;
  /** Set if the table or view does not exist and cannot be created. */
  readonly isMissing?: true;
  readonly why?: string;
}

export interface AppliedDifferences {
  readonly done: readonly WarehouseDifference[];
  readonly left: readonly WarehouseDifference[];
}

export interface ApplyProgress {
  /** Number of changes attempted so far, including failed ones. */
  readonly done: number;
  readonly total: number;
  /** The change in progress; undefined when all changes are done. */
  readonly next: WarehouseDifference | undefined;
}
