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
  class: name === 'user_id' || name === 'team_id' ? 'key' : 'measure',
  doc,
  path: [],
  ...(unit === undefined ? {} : { unit }),
});

/**
 * One narrow row per receipt: the audit trail. Every stream feeds it from the same landed rows as its own table. Of two
 * rows of one position (a delivery replayed after a reader was fixed) the one that got further stays.
 */
export const deliveries: TableDeclaration = {
  name: 'deliveries',
  stream: '*',
  shape: 'deliveries',
  doc: 'One row per delivery received, whatever became of it.',
  columns: [
    column('source', 'string', 'Configured name of the source.'),
    column('source_partition', 'string', 'Partition of the source.'),
    column('source_offset', 'int64', 'Offset in the partition.'),
    column('received_at', 'timestamp', 'When the broker had the delivery.'),
    column('event_type', 'string', 'Type of the event, where it could be read.', { nullable: true }),
    column('delivery_id', 'string', '`idempotency-key` or `svix-id`.', { nullable: true }),
    column('team_id', 'string', 'Team, where it could be read.', { nullable: true }),
    column('user_id', 'string', 'User, where it could be read.', { nullable: true }),
    column('provider', 'string', 'Provider, of events that name one.', { nullable: true }),
    column('resource', 'string', 'Resource, of timeseries and historical events.', { nullable: true }),
    column('samples', 'int64', 'Samples kept of a timeseries event.', { nullable: true, unit: 'count' }),
    column('stream', 'string', 'Stream that holds the delivery.'),
    column('dead_letter_reason', 'string', 'Why it could not be read.', { nullable: true }),
    column('redelivered', 'bool', 'Its redelivery window already held it.'),
    column('body_bytes', 'int64', 'Length of the uncompressed body.', { unit: 'byte' }),
    column('_reader', 'int64', 'Revision of the reader.'),
  ],
  key: ['source', 'source_partition', 'source_offset', 'received_at'],
  order: ['_reader'],
  partition: '_day',
  cluster: ['user_id'],
};
