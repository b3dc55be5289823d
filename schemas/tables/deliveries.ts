import type { Receipt, StreamName } from '../streams/streams.generated.ts';
import type { Column, TableDeclaration, ValueType } from './declaration.ts';

const column = (
  name: string,
  type: ValueType,
  doc: string,
  { nullable = false, unit }: { readonly nullable?: boolean; readonly unit?: string } = {},
): Column => ({
  name,
  type,
  nullable,
  class: ['user_id', 'client_user_id', 'team_id'].includes(name) ? 'key' : 'measure',
  doc,
  path: [],
  unit,
});

/**
 * The audit trail, with one narrow row per receipt. Each landed row is merged both into its stream's own table and into this
 * table. If a replay produces a second row for the same delivery, the row with the better outcome wins. The outcomes, from
 * worst to best, are: dead letter, redelivered, unrouted, read.
 */
export const deliveries: TableDeclaration = {
  name: 'deliveries',
  stream: '*',
  shape: 'deliveries',
  doc: 'One row per received delivery, including redeliveries, unrouted events and dead letters.',
  columns: [
    column('source', 'string', 'Configured name of the source.'),
    column('source_partition', 'string', 'Partition of the source. For a webhook, the id of the message.'),
    column('source_offset', 'int64', 'Offset in the partition. For a webhook, the CRC-32 of the body.'),
    column(
      'received_at',
      'timestamp',
      'When the broker received the delivery. For a webhook, when the service created the message.',
    ),
    column('event_type', 'string', 'Type of the event, if it could be read.', { nullable: true }),
    column('delivery_id', 'string', '`idempotency-key` or `svix-id`.', { nullable: true }),
    column('team_id', 'string', 'Team, if it could be read.', { nullable: true }),
    column('user_id', 'string', 'User, if it could be read.', { nullable: true }),
    column('client_user_id', 'string', 'Id that the customer gave the user, if the event names it.', { nullable: true }),
    column('provider', 'string', 'Provider, if the event names one.', { nullable: true }),
    column('source_type', 'string', 'Kind of device or origin, if the event names one.', { nullable: true }),
    column('resource', 'string', 'Resource of a timeseries event or a historical completion.', { nullable: true }),
    column('samples', 'int64', 'Number of samples kept from a timeseries event.', { nullable: true, unit: 'count' }),
    column('stream', 'string', 'Stream that holds the delivery.'),
    column('dead_letter_reason', 'string', 'Reason code, if the delivery became a dead letter.', { nullable: true }),
    column('redelivered', 'bool', 'Whether the redelivery window already contained the delivery.'),
    column('body_bytes', 'int64', 'Length of the uncompressed body.', { unit: 'byte' }),
    column('body_crc32', 'int64', 'CRC-32 of the uncompressed body.'),
    column('arrived_at', 'timestamp', 'When the delivery arrived at Aorta, if Aorta received it itself.', { nullable: true }),
    column('_reader', 'int64', 'Revision of the reader.'),
  ],
  key: ['source', 'source_partition', 'source_offset', 'received_at'],
  order: ['_reader'],
  partition: '_day',
  cluster: ['user_id'],
};

/** The values of `source_partition` and `source_offset` in `deliveries`. */
export interface DeliveryPlace {
  readonly partition: string;
  readonly offset: number;
}

/**
 * Returns the place that identifies a delivery in tables with one row per delivery. For a broker or a file, it is the
 * partition and the offset. The sender of a webhook repeats a message until it receives an answer, so the intake log may
 * hold the message several times. Therefore the message id and the CRC-32 of the body identify it. A repetition that the
 * redelivery window has recognized has its own row, identified by its place in the intake log.
 */
export function deliveryPlace(stream: StreamName, receipt: Receipt): DeliveryPlace {
  const { delivery_id: id, body_crc32: offset, arrived_at } = receipt;
  return stream === 'redelivered' || arrived_at === null || id === null ? receipt : { partition: id, offset };
}

/** Returns whether a table has one row per delivery, and so identifies its rows by {@link deliveryPlace}. */
export function hasRowPerDelivery({ key }: Pick<TableDeclaration, 'key'>): boolean {
  return key.includes('_offset');
}
