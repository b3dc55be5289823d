import type { PrivacyClass } from '../streams/declaration.ts';

/** Column types that every warehouse has; a dialect says what they are called. `timestamp` is an instant in UTC with microseconds. */
export type ColumnType = 'string' | 'int64' | 'float64' | 'bool' | 'timestamp' | 'date' | 'json';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  readonly class: PrivacyClass;
  readonly doc: string;
  readonly unit?: string;
  /** Where the value stands in a stream's record. */
  readonly path: readonly string[];
  /** The path leads to an array with the values of the samples. */
  readonly perSample?: true;
  /** Where the value stands in the event, as a JSONPath. */
  readonly source?: string;
}

/**
 * A table, free of any dialect. Columns whose name begins with `_` are of the pipeline: `_day` (partition: the date of
 * the key's time, clamped to 2010-01-01…2036-12-31), the version (`_version_time`, `_received_at`, `_origin`, `_offset`,
 * `_reader`) and `_loaded_at`, the only one of processing time.
 */
export interface TableDeclaration {
  readonly name: string;
  readonly stream: string;
  readonly shape: 'summary' | 'timeseries' | 'event' | 'deliveries';
  readonly doc: string;
  readonly columns: readonly Column[];
  /** Columns that identify a row. */
  readonly key: readonly string[];
  /** Columns of the version, compared in this order. */
  readonly order: readonly string[];
  readonly partition?: string;
  readonly cluster: readonly string[];
}
