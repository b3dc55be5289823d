import type { PrivacyClass } from '../streams/declaration.ts';

/** Types of single values that every warehouse has; a dialect says what they are called. `timestamp` is an instant in UTC with microseconds. */
export type ValueType = 'string' | 'int64' | 'float64' | 'bool' | 'timestamp' | 'date' | 'json';

/** A list of values, or of objects with these fields. The list is never NULL (empty where there is none), nor is an element. */
export interface ListType {
  readonly list: ValueType | readonly ElementField[];
}

/** A field of a list's objects; NULL where an object has none. */
export interface ElementField {
  readonly name: string;
  readonly type: ValueType;
  readonly class: PrivacyClass;
  readonly doc: string;
  readonly unit?: string;
  /** Where the value stands in the event, as a JSONPath. */
  readonly source?: string;
}

export type ColumnType = ValueType | ListType;

/** The fields of a list's objects; undefined for single values and lists of them. */
export function elementFields(type: ColumnType): readonly ElementField[] | undefined {
  return typeof type === 'object' && typeof type.list === 'object' ? type.list : undefined;
}

/** A type as people read it: `int64`, `list of int64`, `list of objects`. */
export function typeName(type: ColumnType): string {
  if (typeof type === 'string') return type;
  return typeof type.list === 'string' ? `list of ${type.list}` : 'list of objects';
}

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  readonly class: PrivacyClass;
  readonly doc: string;
  readonly unit?: string;
  /** What rows have that were made before there was the column, as Avro writes it: of columns that are never null. */
  readonly default?: unknown;
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
  readonly shape: 'summary' | 'timeseries' | 'event' | 'fetched' | 'deliveries';
  readonly doc: string;
  readonly columns: readonly Column[];
  /** Of a table as a privacy setting lands it: columns that it withholds, and fields of lists as `list[].field`. */
  readonly withheld?: readonly string[];
  /** Columns that identify a row. */
  readonly key: readonly string[];
  /** Columns of the version, compared in this order. */
  readonly order: readonly string[];
  readonly partition?: string;
  readonly cluster: readonly string[];
}
