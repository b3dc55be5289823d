import { columnsOf } from './columns.ts';
import type { View, ViewDialect } from './dialect.ts';

/** Maximum time between the deliveries of one event by two sources, in seconds. */
const WINDOW_S = 48 * 60 * 60;

/** Columns of `deliveries` that identify a delivery. */
const deliveryPosition = ['source', 'source_partition', 'source_offset', 'received_at'];

/** Columns that identify a row in a table with one row per delivery. */
const rowPosition = ['_origin', '_offset', '_received_at'];

/**
 * Deliveries of events that another source had already delivered. For example, while a team moves from webhooks to a hub,
 * both deliver each event. The other views do not count them.
 */
export function deliveryCopiesView(dialect: ViewDialect): View {
  const { table } = dialect;
  const columns = [...deliveryPosition, 'user_id', 'event_type', 'stream', 'body_bytes', 'body_crc32'];
  const copied = copies(dialect, {
    deliveries: `select ${columns.join(', ')} from ${table('deliveries')} where not redelivered`,
    position: deliveryPosition,
    // A delivery that could not be read cannot be the original of one that was read.
    content: ['user_id', 'event_type', 'stream'],
  });
  return {
    name: 'delivery_copies',
    doc: 'One delivery of an event that another source had delivered before. The columns identify its row in `deliveries`.',
    columns: columnsOf('deliveries', deliveryPosition),
    query: `with ${copied.tables}\n${copied.query}`,
  };
}

/**
 * A query, and the table definitions for the WITH clause before it. In a view, WITH must be at the top. DuckDB 1.4.0 and
 * 1.4.1 cannot read WITH in a subquery of a view that a later version created (duckdb/duckdb#19393).
 */
interface WithTables {
  readonly tables: string;
  readonly query: string;
}

/** Query for the rows of `deliveries` that are not copies. */
export function deliveriesOnce({ table }: ViewDialect): string {
  return without(table('deliveries'), `select * from ${table('delivery_copies')}`, deliveryPosition);
}

/** Query for the rows that are not copies, in a table with one row per delivery. */
export function eventsOnce(dialect: ViewDialect, name: string): WithTables {
  const { table } = dialect;
  const deliveries = `select
  ${rowPosition.join(', ')}, _source as source, user_id, event_type, _received_at as received_at,
  _body_bytes as body_bytes, _body_crc32 as body_crc32
from ${table(name)}`;
  const { tables, query } = copies(dialect, { deliveries, position: rowPosition, content: ['user_id', 'event_type'] });
  return { tables, query: without(table(name), query, rowPosition) };
}

/** Query for the rows of a relation that are not copies. `copied` is the query of {@link copies}. */
export function without(relation: string, copied: string, position: readonly string[]): string {
  return `select kept.*
from ${relation} kept
left join (
${copied}
) copy on ${position.map((name) => `copy.${name} = kept.${name}`).join(' and ')}
where copy.${position[0]} is null`;
}

/** A query for deliveries, and the columns that {@link copies} compares. */
interface Deliveries {
  /** Query with the columns of `position` and `content`, and with source, received_at, body_bytes and body_crc32. */
  readonly deliveries: string;
  /** Columns that identify a delivery. */
  readonly position: readonly string[];
  /** Columns that must be equal in copies, in addition to the length and CRC-32 of the body. */
  readonly content: readonly string[];
}

/**
 * Query for the copies among deliveries, with the columns of `position`.
 *
 * A source may send the same content several times, and each time is a separate event. So for every two sources, the query
 * pairs their deliveries one to one, in order of receipt. A delivery forms a pair with the other source's newest unpaired
 * delivery. It is a copy if that delivery is at most 48 hours older. After 48 hours without a delivery of this content,
 * earlier deliveries no longer form pairs.
 *
 * `balance` is the number of unpaired deliveries: positive for the first source, negative for the second. At each level,
 * deliveries that move the balance away from 0 to the level alternate with deliveries that move it back. Each of the former
 * forms a pair with the next of the latter.
 */
export function copies({ addSeconds }: ViewDialect, { deliveries, position, content }: Deliveries): WithTables {
  const id = position.join(', ');
  const key = ['key_bytes', 'key_crc32', ...content.map((name) => `key_${name}`)];
  const keys = key.join(', ');
  const order = `came_at, own, ${id}`;
  const tables = `came as (
  ${deliveries}
),
-- In most warehouses no user has two sources, and this cheap step leaves nothing for the others.
shared_users as (
  select shared_user
  from (select coalesce(user_id, '') as shared_user, source from came) of_users
  group by shared_user
  having min(source) <> max(source)
),
shared as (
  select body_bytes as key_bytes, body_crc32 as key_crc32
  from came
  join shared_users on shared_user = coalesce(user_id, '')
  group by body_bytes, body_crc32
  having min(source) <> max(source)
),
keyed as (
  select
    ${position.map((name) => `came.${name}`).join(', ')}, came.source as own, came.received_at as came_at,
    key_bytes, key_crc32, ${content.map((name) => `coalesce(came.${name}, '') as key_${name}`).join(', ')}
  from came
  join shared on key_bytes = came.body_bytes and key_crc32 = came.body_crc32
),
numbered as (
  select *, sum(starts) over (partition by ${keys} order by ${order}) as session
  from (
    select
      *,
      case when came_at > ${addSeconds(`lag(came_at) over (partition by ${keys} order by ${order})`, String(WINDOW_S))} then 1 else 0 end as starts
    from keyed
  ) gaps
),
paired as (
  select one.*, least(own, other) as first_source, greatest(own, other) as second_source, case when own < other then 1 else -1 end as step
  from numbered one
  join (select distinct ${keys}, session, own as other from numbered) sources
    on ${[...key, 'session'].map((name) => `sources.${name} = one.${name}`).join(' and ')} and other <> own
),
balanced as (
  select *, sum(step) over (partition by ${keys}, session, first_source, second_source order by ${order}) as balance
  from paired
),
levels as (
  select
    *, abs(balance) < abs(balance - step) as ends_pair,
    case when abs(balance) < abs(balance - step) then balance - step else balance end as level
  from balanced
)`;
  const query = `select distinct ${id}
from (
  select
    *, lag(came_at) over (partition by ${keys}, session, first_source, second_source, level order by ${order}) as partner_at
  from levels
) ended
where ends_pair and came_at <= ${addSeconds('partner_at', String(WINDOW_S))}`;
  return { tables, query };
}
