import type { AortaError, ErrorCatalogue, Logger, MetricCatalogue, Metrics, StepObserver } from '@aorta/runtime';
import type { AdapterOptions, AdapterSettings } from './adapter-options.ts';
import type { Finding } from './finding.ts';
import type { Privacy } from './privacy.ts';
import type { Warehouse, WarehouseReader } from './warehouse.ts';

/**
 * A type of warehouse: what the program asks of it before, or without, opening one. It is loaded with every command, so
 * it imports no client library; {@link WarehouseAdapter.load} does.
 */
export interface WarehouseAdapter<S extends AdapterSettings = AdapterSettings> {
  /** Value of `type` in the configuration, and of TYPE in `--warehouse TYPE:PATH`. */
  readonly type: S['type'];
  /** What can go wrong with it: every error code that it makes itself, see `errorsOf`. */
  readonly errors?: ErrorCatalogue;
  /** Every metric that it counts itself. Its code takes the program's metrics as those of this catalogue, see `Metrics`. */
  readonly metrics?: MetricCatalogue;
  /** The product, as `BigQuery`, and one warehouse of it in a sentence, as `a dataset of BigQuery`. */
  readonly product: string;
  readonly noun: string;
  /** Schema of its settings: structured-cloneable values, since the loader's thread gets them. */
  readonly options: AdapterOptions<S>;
  /** `import.meta.url` of the file that exports this adapter by the name `warehouse`. The loader's thread imports it from there. */
  readonly address: string;
  load(): Promise<WarehouseModule<S>>;

  describe(settings: S): WarehousePlace;

  /** Of a warehouse that is a file or a folder of this machine: `--warehouse TYPE:PATH` and `--data` can name it. */
  readonly onDisk?: WarehouseOnDisk<S>;
  /** The settings with paths made absolute. `folder` is that of the configuration. Absent: there are no other paths than that of {@link onDisk}. */
  resolvePaths?(settings: S, folder: string): S;
  /** The settings with at most so much patience for an answer, for `doctor`. Absent: nothing is waited for. */
  hurried?(settings: S, seconds: number): S;
  /** Whether several workers load into it: one at a time merges into each table then. Absent: never. */
  isShared?(settings: S): boolean;
  /** Whether a copy for readers is published within seconds, so that a stopped run still does it. Absent: never. */
  isPublishedSoon?(settings: S): Promise<boolean>;
  /** Whether it has {@link WarehouseModule.plan} and `apply`: without them opening it makes its tables. */
  readonly isPlanned?: true;
  /** Whether its reader has {@link WarehouseReader.costs}. */
  readonly reportsCosts?: true;
  /** Milliseconds from one look of `aorta pulls --watch` to the next. Default: 30,000. */
  readonly watchEveryMs?: number;
  /** A text that differs as soon as other tables are published; undefined if only a query tells. */
  stampOf?(settings: S): string | undefined;
  /** What an erasure cannot reach at once, as a sentence. */
  readonly afterErasure?: string;
}

/** Where a warehouse on this machine is. */
export interface WarehouseOnDisk<S extends AdapterSettings = AdapterSettings> {
  /** Its name in a data folder. */
  readonly name: string;
  pathOf(settings: S): string;
  at(settings: S, path: string): S;
}

/** Where a warehouse is, for people and programs. */
export interface WarehousePlace {
  /** `TYPE:` and the place, as `duckdb:PATH`. */
  readonly text: string;
  /** What `aorta status --json` says of it. Default: the text. */
  readonly status?: string;
  /** What `aorta validate --json` says of it, beside its type. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** What `doctor` says while there are no tables. */
  readonly empty: string;
}

/** What a warehouse is opened with for writing. */
export interface WarehouseOpening<S extends AdapterSettings = AdapterSettings> {
  readonly settings: S;
  /** Which classes of columns are landed. */
  readonly privacy: Privacy;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly onStep?: StepObserver;
  /** Of a shared warehouse: whether this worker merges into a table now. Absent: it is the only worker. */
  readonly owns?: (table: string) => boolean;
}

/** What works with a warehouse, and its client library. */
export interface WarehouseModule<S extends AdapterSettings = AdapterSettings> {
  /** Opens it for landing and merging, and makes its tables unless the adapter is planned. */
  open(opening: WarehouseOpening<S>): Promise<Warehouse>;
  /** Opens the published tables. Rejects with AORTA-WAREHOUSE-MISSING and AORTA-WAREHOUSE-UNPUBLISHED. `memory`: bound of one reader of several, as `64MB`. */
  openReader(settings: S, bounds?: { readonly memory?: string }): Promise<WarehouseReader>;
  /** What `doctor` says of it, beside what every warehouse is asked. */
  probe(reader: WarehouseReader, settings: S): Promise<readonly Finding[]>;
  /** What differs between the declarations and what is there. Changes nothing. */
  plan?(settings: S, privacy: Privacy): Promise<readonly WarehouseDifference[]>;
  /** Makes what is missing. Nothing is ever taken away. */
  apply?(settings: S, privacy: Privacy, onProgress: (progress: ApplyProgress) => void): Promise<AppliedDifferences>;
  /** The error of an `apply` that leaves these unmade. */
  unmade?(settings: S, names: readonly string[]): AortaError;
}

/** A difference between what is declared and what is there. `apply` carries it out, or refuses and leaves it to a person. */
export interface WarehouseDifference {
  readonly kind: 'create' | 'change' | 'refused';
  readonly of: 'dataset' | 'table' | 'view';
  readonly name: string;
  /** What differs, in words. */
  readonly what: string;
  /** The statement that changes it, or that a person could run after reading {@link why}. */
  readonly sql?: string;
  /** It is not there, and cannot be made. */
  readonly isMissing?: true;
  /** Why it is left to a person. */
  readonly why?: string;
}

/** What was done, and what differs still. */
export interface AppliedDifferences {
  readonly done: readonly WarehouseDifference[];
  readonly left: readonly WarehouseDifference[];
}

/** How far an `apply` is. */
export interface ApplyProgress {
  /** Changes that were made, or could not be. */
  readonly done: number;
  readonly total: number;
  /** What is made or changed now; undefined at the end. */
  readonly next: WarehouseDifference | undefined;
}
