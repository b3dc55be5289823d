export type AvroType =
  | string
  | readonly AvroType[]
  | { readonly type: 'array'; readonly items: AvroType }
  | { readonly type: 'map'; readonly values: AvroType }
  | { readonly type: 'long' | 'int'; readonly logicalType: string }
  | AvroRecord;

/**
 * Privacy class of a field, which decides whether its values are landed:
 * - `key`, `measure`: always
 * - `identifier` (names, addresses, e-mail): only if switched on
 * - `patient` (names, addresses, e-mail of lab patients): only if switched on by a separate setting
 * - `free_text`, `location`: unless switched off
 * - `secret`: never
 * - `extra`: only if all classes of its stream are landed
 * - `whole` (the unchanged parts of a delivery): never, because the streams with such fields have no table
 */
export type PrivacyClass = 'key' | 'measure' | 'identifier' | 'patient' | 'free_text' | 'location' | 'secret' | 'extra' | 'whole';

export interface FieldDeclaration {
  readonly name: string;
  readonly type: AvroType;
  readonly default?: unknown;
  readonly doc: string;
  readonly class?: PrivacyClass;
  /** JSONPath of the value in the event (`[*]` is an element of a list). Absent or null if the reader sets the field. */
  readonly source?: string | null;
  readonly unit?: string;
  /** Sibling member that names the unit of the value. A value in a different unit does not fit the field. */
  readonly unitMember?: string;
  /** Whether the string is JSON. */
  readonly json?: boolean;
  /**
   * Marks an array of per-sample values, which has the form that `PerSample` in `schemas/events/samples.ts` describes.
   * Other arrays are list columns.
   */
  readonly per?: 'sample';
}

export interface AvroRecord {
  readonly type: 'record';
  readonly name: string;
  readonly namespace?: string;
  readonly doc: string;
  readonly fields: readonly FieldDeclaration[];
}

export function isRecord(type: AvroType): type is AvroRecord {
  return typeof type === 'object' && 'type' in type && type.type === 'record';
}

/** Returns the type of an array's items, or undefined if the type is not an array. */
export function itemsOf(type: AvroType): AvroType | undefined {
  return typeof type === 'object' && 'items' in type ? type.items : undefined;
}

/**
 * Shape of a stream's records, which determines how they are read, landed and merged. Records of shape `fetched` come from
 * jobs, not from deliveries. They have no route, no envelope and no row in `deliveries`.
 */
type StreamShape = 'summary' | 'timeseries' | 'event' | 'fetched' | 'whole';

export interface StreamAttributes {
  readonly shape: StreamShape;
  /**
   * Revision of the reader, which is the last part of a row's version. Raise it when you fix a reader, so that a replay
   * updates existing rows.
   */
  readonly revision: number;
  /**
   * Prefixes of the event types that are routed to this stream by default. Each ends with a dot. Those of a timeseries
   * stream come from `schemas/events/resource.ts`.
   */
  readonly prefixes: readonly string[];
  /**
   * Endings of the event types that this stream reads, after one of its prefixes, such as `created`. `{…}` stands for one
   * segment of any name, and `*` for any text. All other types with a prefix of this stream are `unrouted`, because the
   * reader would take the data of a type such as `….deleted` for new data.
   */
  readonly endings: readonly string[];
  /** `optional` if the service may send the event without a user. `user_id` is then empty. All other streams require a user. */
  readonly user?: 'optional';
  readonly table: string | null;
  readonly key?: readonly string[];
  readonly order?: readonly string[];
  readonly partition?: string;
  readonly cluster?: readonly string[];
}

/** Returns the event types that a stream reads by default, in the notation of its endings. */
export function eventTypesOf({ prefixes, endings }: Pick<StreamAttributes, 'prefixes' | 'endings'>): string[] {
  return prefixes.flatMap((prefix) => endings.map((ending) => `${prefix}${ending}`));
}

export interface StreamDeclaration {
  readonly stream: string;
  readonly schema: AvroRecord & { readonly aorta: StreamAttributes };
}
