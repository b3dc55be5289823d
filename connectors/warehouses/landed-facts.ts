import {
  type Column,
  deliveries,
  deliveryPlace,
  type StreamName,
  type StreamRecords,
  type SummaryOrder,
  type TableDeclaration,
  versionTime,
} from '@aorta/schemas';
import { originOf, placeIn } from './merging/origin.ts';

/** Names of the version columns, which are landed under the same names as in the tables. */
const versionNames: ReadonlySet<string> = new Set(['_version_time', '_received_at', '_origin', '_offset', '_reader']);

/** Which facts of a record become columns of a landed row. Each warehouse converts the values to its own landed form. */

export type AnyRecord = StreamRecords[StreamName];

/** A column, and how its value is read from a record: instants as microseconds and dates as days since 1970. */
export interface Fact {
  readonly column: Pick<Column, 'name' | 'type' | 'nullable'>;
  readonly value: (record: AnyRecord) => unknown;
}

const member = (name: string) => (record: AnyRecord) => (record as unknown as Record<string, unknown>)[name] ?? null;

const event = (name: 'event_type' | 'team_id' | 'user_id' | 'client_user_id') => (record: AnyRecord) =>
  'event' in record ? record.event[name] : member(name)(record);

/** Columns of `deliveries`, and how they are read from a record of any stream. */
const deliveryValues: Readonly<Record<string, (record: AnyRecord, stream: StreamName) => unknown>> = {
  source: ({ receipt }) => receipt.source,
  source_partition: ({ receipt }, stream) => deliveryPlace(stream, receipt).partition,
  source_offset: ({ receipt }, stream) => deliveryPlace(stream, receipt).offset,
  received_at: ({ receipt }) => receipt.received_at,
  event_type: event('event_type'),
  delivery_id: ({ receipt }) => receipt.delivery_id,
  team_id: event('team_id'),
  // An event without a user, such as a match review, has an empty `user_id` in its record.
  user_id: (record) => event('user_id')(record) || null,
  client_user_id: event('client_user_id'),
  provider: (record) => ('origin' in record ? record.origin.provider : member('provider')(record)),
  source_type: (record) => ('origin' in record ? record.origin.source_type : member('source_type')(record)),
  resource: member('resource'),
  samples: (record) => ('start_at' in record ? record.start_at.length : null),
  dead_letter_reason: (record) => ('reason' in record ? record.reason : null),
  redelivered: (_, stream) => stream === 'redelivered',
  body_bytes: ({ receipt }) => receipt.body_bytes,
  body_crc32: ({ receipt }) => receipt.body_crc32,
  arrived_at: ({ receipt }) => receipt.arrived_at,
};

/** Returns the facts of `deliveries` in the records of a stream. The tables of deliveries fill `stream` and `_reader` themselves. */
export function deliveryFacts(stream: StreamName): Fact[] {
  return deliveries.columns.flatMap((column) => {
    const value = deliveryValues[column.name];
    return value === undefined ? [] : [{ column, value: (record: AnyRecord) => value(record, stream) }];
  });
}

/**
 * Returns whether a record provides the row of its delivery. If only a part of a delivery is a dead letter, the record of the
 * rest of the delivery provides the row.
 */
export function standsForDelivery(stream: StreamName, record: AnyRecord): boolean {
  return !(stream === 'dead_letters' && 'scope' in record && record.scope === 'part');
}

/** Returns the version columns of a stream, without `_version_time`. */
export function versionFacts(stream: StreamName, table: TableDeclaration | undefined): Fact[] {
  const place = placeIn(stream, table);
  const column = (name: string, type: 'timestamp' | 'int64') => ({ name, type, nullable: false });
  return [
    { column: column('_received_at', 'timestamp'), value: ({ receipt }) => receipt.received_at },
    { column: column('_origin', 'int64'), value: ({ receipt }) => originOf(receipt.source, place(receipt).partition) },
    { column: column('_offset', 'int64'), value: ({ receipt }) => place(receipt).offset },
    { column: column('_reader', 'int64'), value: ({ reader }) => reader },
  ];
}

/** Returns the version column that only summaries have. */
export function versionTimeFacts(table: TableDeclaration, order: SummaryOrder): Fact[] {
  if (table.shape !== 'summary') return [];
  const value = (record: AnyRecord): unknown => versionTime(record as StreamRecords['activity'], order);
  return [{ column: { name: '_version_time', type: 'timestamp', nullable: false }, value }];
}

/** Returns the columns of a stream's own table that have one value for each event. */
export function payloadColumns(table: TableDeclaration): Column[] {
  return table.columns.filter(({ name, perSample }) => !versionNames.has(name) && perSample !== true);
}

/** Returns a function that reads the value of a payload column, undefined if the record lacks it. */
export function payloadValue({ path }: Column): (record: AnyRecord) => unknown {
  const [first, second] = path;
  if (path.length === 1) return (record) => (record as unknown as Record<string, unknown>)[first!];
  if (path.length === 2) return (record) => (record as unknown as Record<string, Record<string, unknown>>)[first!]![second!];
  return (record) => path.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], record);
}
