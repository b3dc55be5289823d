import { columnsOf } from './columns.ts';
import { copies, without } from './copies.ts';
import type { View, ViewColumn, ViewDialect } from './dialect.ts';

/** Resources that introspection reports, but that have no events with a provider. The view cannot count their objects. */
const uncounted = ['appointment', 'device_legacy', 'match_review', 'order', 'result', 'result_table', 'sleep_stream'];

/**
 * Compares the counts that the service reports as sent with the objects received, by user, provider and resource. The service
 * counts objects in `*.created` events. The view does the same. It counts each event once, even if it was redelivered or if a
 * second source delivered it too.
 *
 * Objects that a backfill recovered are counted separately. A backfill also fetches objects that had already arrived. The view
 * subtracts them, so the result is a lower bound for the number of recovered objects. Several backfills may recover the same
 * objects, so the view uses only the largest result.
 *
 * Because it is a view, it is always up to date, even after late deliveries, answers and backfills, or after an erasure. Each
 * query reads some narrow columns of `deliveries`.
 */
export function completenessView(dialect: ViewDialect): View {
  const { table, text } = dialect;
  const position = ['user_id', 'event_type', 'delivery'];
  const content = ['user_id', 'event_type'];
  const copied = copies(dialect, { deliveries: 'select * from arrived', position, content });
  return {
    name: 'completeness',
    doc: 'One resource of a user’s provider: how many objects the service has sent, and how many have arrived.',
    columns,
    query: `with arrived as (
${arrivedObjects(dialect)}
),
${copied.tables},
created as (
  ${without('arrived', copied.query, position)}
),
received as (
  select user_id, provider, resource, cast(sum(objects) as int64) as objects
  from created
  group by user_id, provider, resource
),
backfilled as (
  select
    user_id, provider, resource, max(objects) as objects, cast(max(objects - known) as int64) as found,
    max(finished_at) as finished_at
  from (
    select
      b.user_id, b.provider, b.resource, b.from_day, b.to_day, b.objects, b.finished_at,
      coalesce(sum(case when c.received_at <= b.finished_at then c.objects end), 0) as known
    from ${table('backfills')} b
    left join created c on c.user_id = b.user_id and c.provider = b.provider and c.resource = b.resource
    group by b.user_id, b.provider, b.resource, b.from_day, b.to_day, b.objects, b.finished_at
  ) each_one
  group by user_id, provider, resource
)
select
  user_id, provider, resource, sent, received, backfilled, gap,
  case when gap is not null then least(gap, found) end as closed_by_backfill, gap - least(gap, found) as missing,
  oldest_data, newest_data, last_attempt_at, last_attempt_status, backfilled_at, as_of
from (
  select
    s.user_id, s.provider, s.resource, s.sent_count as sent,
    case when s.is_counted then coalesce(r.objects, 0) end as received,
    coalesce(b.objects, 0) as backfilled, greatest(coalesce(b.found, 0), 0) as found,
    case when s.is_counted and s.sent_count is not null then greatest(s.sent_count - coalesce(r.objects, 0), 0) end as gap,
    s.oldest_data, s.newest_data, s.last_attempt_at, s.last_attempt_status, b.finished_at as backfilled_at, s._received_at as as_of
  from (
    select
      *, resource not in (${list(text, uncounted)}) as is_counted,
      case resource when 'body_fat' then 'fat' when 'body_weight' then 'weight' else resource end as event_resource
    from ${table('sent_resources')}
  ) s
  left join received r on r.user_id = s.user_id and r.provider = s.provider and r.resource = s.event_resource
  left join backfilled b on b.user_id = s.user_id and b.provider = s.provider and b.resource = s.event_resource
) compared`,
  };
}

const count = (name: string, doc: string): ViewColumn => ({ name, type: 'int64', unit: 'count', doc });

const columns: readonly ViewColumn[] = [
  ...columnsOf('sent_resources', ['user_id', 'provider', 'resource', ['sent_count', 'sent']]),
  count(
    'received',
    'Number of objects that arrived in `*.created` events; NULL if the events of this resource do not name their provider.',
  ),
  count('backfilled', 'Number of objects that the largest backfill fetched; 0 without a backfill.'),
  count('gap', 'Number of objects that were sent and did not arrive in events. NULL if `sent` or `received` is NULL.'),
  count('closed_by_backfill', 'Least number of these objects that a backfill recovered; NULL if `gap` is NULL.'),
  count('missing', 'Number of these objects that no backfill recovered; NULL if `gap` is NULL.'),
  ...columnsOf('sent_resources', ['oldest_data', 'newest_data', 'last_attempt_at', 'last_attempt_status']),
  { name: 'backfilled_at', type: 'timestamp', doc: 'When the last backfill ended; NULL without a backfill.' },
  { name: 'as_of', type: 'timestamp', doc: 'When the service gave its answer.' },
];

/** Query for the number of objects in each delivery of a `*.created` event. A delivery with an id has one row. */
function arrivedObjects({ table, part, text }: ViewDialect): string {
  return `  select
    user_id, event_type, delivery, provider, resource, min(received_at) as received_at, max(objects) as objects,
    min(source) as source, min(body_bytes) as body_bytes, min(body_crc32) as body_crc32
  from (
    select
      user_id, provider, received_at, event_type, source, body_bytes, body_crc32,
      case when event_type like 'daily.data.%' then ${part('event_type', 3)} else ${part('event_type', 2)} end as resource,
      coalesce(delivery_id, source || ' ' || source_partition || ' ' || cast(source_offset as string)) as delivery,
      coalesce(samples, 1) as objects
    from ${table('deliveries')}
    where (event_type like 'daily.data.%.created' or event_type in (${list(text, ['provider.connection.created', 'provider.device.created'])}))
      and not redelivered and dead_letter_reason is null
  ) came
  group by user_id, event_type, delivery, provider, resource`;
}

const list = (text: ViewDialect['text'], names: readonly string[]): string => names.map(text).join(', ');
