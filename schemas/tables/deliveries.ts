import type { Column, TableDeclaration, ValueType } from './declaration.ts';

const column = (name: string, type: ValueType, nullable: boolean, doc: string, unit?: string): Column => ({
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
    column('source', 'string', false, 'Configured name of the source.'),
    column('source_partition', 'string', false, 'Partition of the source.'),
    column('source_offset', 'int64', false, 'Offset in the partition.'),
    column('received_at', 'timestamp', false, 'When the broker had the delivery.'),
    column('event_type', 'string', true, 'Type of the event, where it could be read.'),
    column('delivery_id', 'string', true, '`idempotency-key` or `svix-id`.'),
    column('team_id', 'string', true, 'Team, where it could be read.'),
    column('user_id', 'string', true, 'User, where it could be read.'),
    column('provider', 'string', true, 'Provider, of events that name one.'),
    column('resource', 'string', true, 'Resource, of timeseries and historical events.'),
    column('samples', 'int64', true, 'Samples kept of a timeseries event.', 'count'),
    column('stream', 'string', false, 'Stream that holds the delivery.'),
    column('dead_letter_reason', 'string', true, 'Why it could not be read.'),
    column('redelivered', 'bool', false, 'Its redelivery window already held it.'),
    column('body_bytes', 'int64', false, 'Length of the uncompressed body.', 'byte'),
    column('_reader', 'int64', false, 'Revision of the reader.'),
  ],
  key: ['source', 'source_partition', 'source_offset', 'received_at'],
  order: ['_reader'],
  partition: '_day',
  cluster: ['user_id'],
};
