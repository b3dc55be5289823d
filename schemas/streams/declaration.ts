/** What a `.avsc` of this folder may say: Avro's own members, and the attributes by which everything else is generated. */

export type AvroType =
  | string
  | readonly AvroType[]
  | { readonly type: 'array'; readonly items: AvroType }
  | { readonly type: 'map'; readonly values: AvroType }
  | { readonly type: 'long' | 'int'; readonly logicalType: string }
  | AvroRecord;

/**
 * Class of a field, by what may happen to it: `key` and `measure` are landed; `identifier` (names, addresses, e-mail)
 * only where switched on, and `patient` (the same of those whom a lab order is about) by a switch of its own; `free_text` and `location` may be switched off; `secret` is never landed; `extra` is as
 * strict as the strictest class of its stream; `whole` marks the untouched parts of a delivery, which no table holds.
 */
export type PrivacyClass = 'key' | 'measure' | 'identifier' | 'patient' | 'free_text' | 'location' | 'secret' | 'extra' | 'whole';

export interface FieldDeclaration {
  readonly name: string;
  readonly type: AvroType;
  readonly default?: unknown;
  readonly doc: string;
  readonly class?: PrivacyClass;
  /** Where the value stands in the event, as a JSONPath (`[*]` for an element of a list); absent or null where the reader makes it. */
  readonly source?: string | null;
  readonly unit?: string;
  /** Member beside the value that names its unit: a value that came in another unit than the field's does not fit. */
  readonly unitMember?: string;
  /** The text is JSON. */
  readonly json?: boolean;
  /** The array holds values of samples: none (empty), the same for all (one entry), or one a sample. Other arrays are list columns. */
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

/** The type of an array's items; undefined where the type is no array. */
export function itemsOf(type: AvroType): AvroType | undefined {
  return typeof type === 'object' && 'items' in type ? type.items : undefined;
}

/**
 * Shape of a stream's payload: how it is read, landed and merged. `fetched` is what jobs asked the service for, or made
 * from other streams: no delivery, so nothing is routed there, it has no envelope, and no row in `deliveries`.
 */
export type StreamShape = 'summary' | 'timeseries' | 'event' | 'fetched' | 'whole';

export interface StreamAttributes {
  readonly shape: StreamShape;
  /** Revision of the reader, the last part of a row's version: raised when a reader is fixed, so that a replay reaches existing rows. */
  readonly revision: number;
  /** Event-type prefixes that are routed here unless the configuration says otherwise; a timeseries stream has those of its resources (`schemas/events/resource.ts`). */
  readonly prefixes: readonly string[];
  /** `optional` where the service sends the event without a user too: its `user_id` is then empty. Everywhere else a user is demanded. */
  readonly user?: 'optional';
  readonly table: string | null;
  readonly key?: readonly string[];
  readonly order?: readonly string[];
  readonly partition?: string;
  readonly cluster?: readonly string[];
}

export interface StreamDeclaration {
  readonly stream: string;
  readonly schema: AvroRecord & { readonly aorta: StreamAttributes };
}
