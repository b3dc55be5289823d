import { TIME_ZONES } from '../time-zones.ts';
import type { ViewDialect } from './dialect.ts';
import { END } from './local-time.ts';
import { plausibleValue } from './plausible.ts';
import { beforeEnd, timeAsleep, USABLE, usableLength } from './sleep-values.ts';
import { sourceName } from './source-rank.ts';

/** Records of one source at most this long apart are fragments of one session. */
export const GAP_S = 60 * 60;
/** A longer record cannot be one sleep, so the query ignores it. */
export const LONGEST_S = 24 * 60 * 60;
/** Minimum time asleep of a long sleep. The service uses the same limit. */
export const LONG_SLEEP_S = 3 * 60 * 60;
/** A night begins at 18:00, 6 hours before its date. */
const NIGHT_BEGINS_S = 6 * 60 * 60;

/**
 * Common table expressions. The last one is `sessions`, which contains the sleep sessions of each source with the dates of
 * their nights.
 *
 * 1. `records`: the records of `sleep` with the columns that determine sessions and nights: usable times, the user's offset,
 *    and the time asleep. A record with an implausible time asleep does not count as sleep.
 * 2. `fragments`: the records without repetitions. A record repeats a better record of the same source if their overlap is
 *    at least half the duration of the shorter one. Confirmed records are better than tentative ones, sleeps than naps, and
 *    longer records than shorter ones.
 * 3. `sessions`: groups of fragments that are at most 60 minutes apart. Acknowledged naps are grouped separately from other
 *    sleep. A record without usable times is a session of its own. `local_hour` is the local hour of the midpoint.
 */
export function sleepSessions(dialect: ViewDialect, from: (name: string) => string): string {
  return `records as (
${records(dialect, from)}
),
${fragments(dialect)},
${sessions(dialect)}`;
}

/**
 * Joins that find the user's offset from UTC at an instant, for rows without an offset of their own. The offset comes from
 * `user_time_zones`, either directly or through the transitions of the time zone. The conditions contain no OR, because with
 * an OR in a join, DuckDB compares all pairs of rows.
 */
function userOffset(
  { table, instant: constant }: ViewDialect,
  { from, alias, instant, own }: { from: (name: string) => string; alias: string; instant: string; own: string },
): { readonly joins: string; readonly offset_s: string } {
  const within = (span: string): string =>
    `${alias}.${instant} >= ${span}.from_at and ${alias}.${instant} < coalesce(${span}.to_at, ${constant(END)})`;
  return {
    joins: `left join ${from('user_time_zones')} zone_span
    on zone_span.user_id = case when ${alias}.${own} is null then ${alias}.user_id end and zone_span.user_id = ${alias}.user_id
    and ${within('zone_span')}
  left join ${table(TIME_ZONES)} zone_rule
    on zone_rule.zone = case when zone_span.offset_s is null then zone_span.time_zone end and zone_rule.time_basis = 'utc'
    and ${within('zone_rule')}`,
    offset_s: 'coalesce(zone_span.offset_s, zone_rule.offset_s)',
  };
}

function records(dialect: ViewDialect, from: (name: string) => string): string {
  const length = usableLength(dialect);
  const { joins, offset_s } = userOffset(dialect, { from, alias: 's', instant: 'bedtime_start', own: 'timezone_offset_s' });
  const [total_s, duration_s] = [plausibleValue('sleep', 'total_s'), plausibleValue('sleep', 'duration_s')];
  return `  select
    s.user_id, s.provider, s.source_type, s.id, calendar_date,
    case when ${USABLE} then bedtime_start end as start_at,
    case when ${USABLE} then bedtime_stop end as end_at,
    timezone_offset_s as own_offset_s, ${offset_s} as zone_offset_s,
    case when sleep_type = 'acknowledged_nap' then 1 else 0 end as is_nap,
    case when sleep_type = 'short_sleep' then 1 else 0 end as is_short,
    case when sleep_type = 'long_sleep' then 1 else 0 end as is_long,
    case when state = 'tentative' then 1 else 0 end as is_tentative,
    ${timeAsleep(dialect)} as asleep_s, total_s
  from ${from('sleep')} s
  ${joins}
  where (total_s is null or ${total_s} is not null)
    and coalesce(${length}, ${duration_s}, total_s, 0) <= ${LONGEST_S}`;
}

/** A record is compared with the records of the same source that start during it, on one of its two days in UTC. */
function fragments({ secondsBetween, date }: ViewDialect): string {
  const ranks = [
    ['one.is_tentative', 'other.is_tentative'],
    ['one.is_nap', 'other.is_nap'],
    ['other.asleep_s', 'one.asleep_s'],
    ['one.start_at', 'other.start_at'],
    ['one.id', 'other.id'],
  ] as const;
  const isBetter = ranks.map(([less, more], index) =>
    [...ranks.slice(0, index).map(([a, b]) => `${a} = ${b}`), `${less} < ${more}`].join(' and '),
  );
  const shared = secondsBetween('other.start_at', 'least(one.end_at, other.end_at)');
  const shorter = `least(${secondsBetween('one.start_at', 'one.end_at')}, ${secondsBetween('other.start_at', 'other.end_at')})`;
  return `near as (
  select *, ${date('start_at')} as near_day from records where start_at is not null
  union all
  select *, ${date('end_at')} as near_day from records where ${date('end_at')} <> ${date('start_at')}
),
repetitions as (
  select distinct user_id, id
  from (
    select
      one.user_id,
      case when
        ${isBetter.join('\n        or ')}
      then other.id else one.id end as id
    from near one
    join records other
      on other.user_id = one.user_id and other.provider = one.provider and other.source_type = one.source_type
      and ${date('other.start_at')} = one.near_day
    where other.id <> one.id and other.start_at >= one.start_at and 2 * (${shared}) >= ${shorter}
  ) worse
),
fragments as (
  select records.*
  from records
  left join repetitions on repetitions.user_id = records.user_id and repetitions.id = records.id
  where repetitions.id is null
)`;
}

function sessions(dialect: ViewDialect): string {
  const { addSeconds, latest, date, localTime } = dialect;
  const middle = dialect.midpoint('start_at', 'end_at');
  const kind = 'user_id, provider, source_type, is_nap';
  const order = 'start_at, end_at, id';
  const session = `${kind}, session`;
  const earliest = beforeEnd(dialect, 'start_at');
  return `grouped as (
  select *, sum(begins_session) over (partition by ${kind} order by ${order}) as session
  from (
    select
      *,
      case when start_at <= ${addSeconds(
        `max(end_at) over (
          partition by ${kind} order by ${order} rows between unbounded preceding and 1 preceding
        )`,
        String(GAP_S),
      )} then 0 else 1 end as begins_session
    from fragments
  ) compared
),
summed as (
  select
    ${kind}, ${sourceName(dialect)} as source,
    min(start_at) as start_at, max(end_at) as end_at,
    coalesce(${latest('own_offset_s', earliest)}, ${latest('zone_offset_s', earliest)}) as offset_s,
    count(own_offset_s) as own_offsets,
    ${latest('calendar_date', earliest)} as calendar_date,
    min(id) as first_id, array_agg(id) as ids,
    min(is_short) as is_short,
    case when max(is_long) = 1 or sum(asleep_s) >= ${LONG_SLEEP_S} then 1 else 0 end as is_long,
    max(is_tentative) as is_tentative,
    cast(sum(asleep_s) as int64) as asleep_s,
    case when count(total_s) = count(*) then cast(sum(total_s) as int64) end as total_s
  from grouped
  group by ${session}
),
sessions as (
  select
    *,
    coalesce(${date(addSeconds(middle, `(offset_s + ${NIGHT_BEGINS_S})`))}, calendar_date) as night_date,
    extract(hour from ${localTime(middle, 'offset_s')}) as local_hour
  from summed
)`;
}
