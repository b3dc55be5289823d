import type { ViewDialect } from './dialect.ts';
import { LONG_SLEEP_S } from './sleep-sessions.ts';

/** A shorter sleep counts as a night only if its midpoint is between 00:00 and 08:00 local time. */
const SHORT_SLEEP_S = 60 * 60;

const night = 'user_id, source, night_date';

/** Condition that two sessions of different sources, `one` and `other`, overlap. */
const overlaps = 'other.source <> one.source and other.start_at < one.end_at and other.end_at > one.start_at';

/**
 * Common table expressions. The last one is `sleeps`, which contains the sessions of all sources, each with its final night
 * and its kind.
 *
 * 1. `stretched`: sessions with the same `stretch` may overlap. `night_place` is 1 for a source's best session in a night,
 *    among its sessions with at least 3 hours asleep.
 * 2. `compared`: `same_night` is the night of the longest such session of another source, among those that overlap a session
 *    and are longer.
 * 3. `kinds` decides which sessions are naps. An acknowledged nap is a nap. A session that records the same night as another
 *    source's session is not. Otherwise, the time asleep and the local time decide. If the local time is unknown, a short
 *    sleep is a nap if the same source has a long sleep in that night.
 * 4. `sleeps`: `is_main` marks the main sleep of each source and night.
 *
 * The query compares sessions in a window, not in a join. With a join, DuckDB reads all users even if a condition selects
 * one user. DuckDB's planning time doubles with each level of windows, so each level contains as many windows as possible.
 */
export function sleepKinds(dialect: ViewDialect): string {
  const inTime = 'start_at, end_at, first_id';
  const isLongNight = `is_nap = 0 and asleep_s >= ${LONG_SLEEP_S} and start_at is not null and night_date is not null`;
  const longer = dialect.listUpTo(
    named('source', 'start_at', 'end_at', 'night_date', 'night_place'),
    'partition by user_id, stretch order by asleep_s desc, start_at, first_id',
  );
  const sameNight = dialect.firstOf('one.longer', `other.night_place = 1 and ${overlaps}`);
  return `stretched as (
  select
    *, sum(begins) over (partition by user_id order by ${inTime}) as stretch
  from (
    select
      *,
      case when ${isLongNight} then row_number() over (
        partition by ${night}
        order by case when ${isLongNight} then 0 else 1 end, is_tentative, asleep_s desc, start_at, first_id
      ) end as night_place,
      max(case when is_nap = 0 then is_long end) over (partition by ${night}) as beside_long,
      case when start_at < max(end_at) over (
        partition by user_id order by ${inTime} rows between unbounded preceding and 1 preceding
      ) then 0 else 1 end as begins
    from sessions
  ) begun
),
compared as (
  select
    user_id, provider, source_type, source, first_id, ids, start_at, end_at, offset_s, own_offsets, night_date, local_hour, stretch,
    is_nap, is_short, is_long, beside_long, is_tentative, asleep_s, total_s,
    case when is_nap = 0 then (${sameNight}).night_date end as same_night
  from (
    select *, ${longer} as longer
    from stretched
  ) one
),
kinds as (
  select
    user_id, provider, source_type, source, first_id, ids, start_at, end_at, offset_s, own_offsets, stretch, is_tentative, asleep_s,
    total_s, coalesce(same_night, night_date) as night_date,
    case
      when is_nap = 1 then 1
      when same_night is not null then 0
      when local_hour is null then is_short * (1 - is_long) * coalesce(beside_long, 0)
      when asleep_s < ${LONG_SLEEP_S} and local_hour between 9 and 20 then 1
      when asleep_s < ${SHORT_SLEEP_S} and local_hour >= 8 then 1
      else 0
    end as is_nap
  from compared
  where coalesce(same_night, night_date) is not null
),
sleeps as (
  select
    *,
    case when is_nap = 0 and row_number() over (
      partition by ${night}, is_nap
      order by is_tentative, asleep_s desc, case when start_at is null then 1 else 0 end, start_at, first_id
    ) = 1 then 1 else 0 end as is_main,
    count(*) over (partition by ${night}, is_nap) as of_kind,
    sum(asleep_s) over (partition by ${night}, is_nap) as of_kind_asleep_s
  from kinds
)`;
}

const named = (...columns: readonly string[]): Record<string, string> => Object.fromEntries(columns.map((name) => [name, name]));

/**
 * Window function: a list of the sleeps of the same kind that may overlap a sleep. The list starts with the best source and
 * ends with the sleep itself. `order` ranks the sources.
 */
export function betterSleeps({ listUpTo }: ViewDialect, order: string): string {
  return listUpTo(
    named('source', 'start_at', 'end_at'),
    `partition by user_id, is_nap, stretch order by ${order}, start_at, first_id`,
  );
}

/** Condition that the nap `one`, with its {@link betterSleeps}, overlaps one of them by at least half of the shorter one. */
export function repeatsNap({ firstOf, secondsBetween }: ViewDialect, better: string): string {
  const shared = secondsBetween('greatest(one.start_at, other.start_at)', 'least(one.end_at, other.end_at)');
  const shorter = `least(${secondsBetween('one.start_at', 'one.end_at')}, ${secondsBetween('other.start_at', 'other.end_at')})`;
  return `${firstOf(better, `${overlaps} and 2 * (${shared}) >= ${shorter}`)} is not null`;
}
