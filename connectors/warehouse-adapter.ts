import type { AortaError, ErrorCatalogue, Logger, MetricCatalogue, Metrics, StepObserver } from '@aorta/runtime';
import type { AdapterOptions, AdapterSettings } from './adapter-options.ts';
import type { Finding } from './finding.ts';
import type { Preferences } from './preferences.ts';
import type { Privacy } from './privacy.ts';
import type { Warehouse, WarehouseReader } from './warehouse.ts';

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
  readonly onDisk?: WarehouseOnDisk<S>;
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

export interface WarehouseOnDisk<S extends AdapterSettings = AdapterSettings> {
  /** Name of the warehouse inside a data folder. */
  readonly name: string;
  pathOf(settings: S): string;
  at(settings: S, path: string): S;
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
  /** Decides from which source the views of days take a value. */
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
  /** Returns findings for `doctor`, in addition to those common to all warehouses. */
  probe(reader: WarehouseReader, settings: S): Promise<readonly Finding[]>;
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
