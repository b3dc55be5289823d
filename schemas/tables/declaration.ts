import type { PrivacyClass } from '../streams/declaration.ts';

/** Types of single values. Each warehouse dialect maps them to its own types. `timestamp` is in UTC, precise to microseconds. */
export type ValueType = 'string' | 'int64' | 'float64' | 'bool' | 'timestamp' | 'date' | 'json';

/** A list of values, or of objects with these fields. Neither the list nor an element is ever NULL. A missing list is empty. */
export interface ListType {
  readonly list: ValueType | readonly ElementField[];
}

/** A field of the objects in a list. The field is NULL if an object does not have it. */
export interface ElementField {
  readonly name: string;
  readonly type: ValueType;
  readonly class: PrivacyClass;
  readonly doc: string;
  readonly unit?: string;
  /** Path of the value in the event, as a JSONPath. */
  readonly source?: string;
}

export type ColumnType = ValueType | ListType;

/** Returns the fields of the objects in a list, or undefined if the type is not a list of objects. */
export function elementFields(type: ColumnType): readonly ElementField[] | undefined {
  return typeof type === 'object' && typeof type.list === 'object' ? type.list : undefined;
}

/** Returns the name of a type for display: `int64`, `list of int64`, `list of objects`. */
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
  /** Value in rows that were written before the column was added, in Avro's notation. Only for columns that are never null. */
  readonly default?: unknown;
  readonly path: readonly string[];
  /** True if the path leads to an array of per-sample values. */
  readonly perSample?: true;
  /** Path of the value in the event, as a JSONPath. */
  readonly source?: string;
}

/**
 * A table, independent of any warehouse. The pipeline adds the columns whose names begin with `_`:
 * - `_day`: the partition, which is the date of the key's time, clamped to 2010-01-01…2036-12-31
 * - `_version_time`, `_received_at`, `_origin`, `_offset`, `_reader`: the version of the row
 * - `_loaded_at`: the only column that depends on processing time
 */
export interface TableDeclaration {
  readonly name: string;
  readonly stream: string;
  readonly shape: 'summary' | 'timeseries' | 'event' | 'fetched' | 'deliveries';
  readonly doc: string;
  readonly columns: readonly Column[];
  /** Columns whose values the privacy settings withhold. `list[].field` is a field of a list. */
  readonly withheld?: readonly string[];
  readonly key: readonly string[];
  /** Columns that form a row's version, compared in this order. The newest version wins. */
  readonly order: readonly string[];
  readonly partition?: string;
  readonly cluster: readonly string[];
}
