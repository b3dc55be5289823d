import { TIME_ZONES } from '../time-zones.ts';
import type { ViewDialect } from './dialect.ts';
import { END } from './local-time.ts';

/** Records of one source at most this long apart are fragments of one session. */
const GAP_S = 60 * 60;
/** A longer record cannot be one sleep, so the query ignores it. */
const LONGEST_S = 24 * 60 * 60;
/** From this time asleep on, the service calls a sleep long. */
const LONG_SLEEP_S = 3 * 60 * 60;
/** A night begins at 18:00, 6 hours before its date. */
const NIGHT_BEGINS_S = 6 * 60 * 60;

/** Durations that a session adds up. */
const sums: readonly string[] = ['total_s', 'awake_s', 'light_s', 'rem_s', 'deep_s'];

/** Columns that contain a mean over the fragments, weighted by the time asleep, and the columns of `sleep` for them. */
const means: Readonly<Record<string, string>> = {
  hr_average_bpm: 'hr_average_bpm',
  hr_resting_bpm: 'hr_resting_bpm',
  hrv_ms: 'average_hrv_ms',
  respiratory_rate_per_min: 'respiratory_rate_per_min',
  temperature_delta_c: 'temperature_delta_c',
  skin_temperature_c: 'skin_temperature_c',
  hr_dip_pct: 'hr_dip_pct',
};

/** Scores of the provider. They cannot be added or averaged, so a session has those of its longest fragment. */
const scores: readonly string[] = ['score', 'recovery_readiness_score'];

/**
 * Common table expressions that end with `sessions`: the sleep sessions of each source, each with the date of its night.
 *
 * 1. `records`: the records of `sleep`, with their times if they are usable, and the user's offset.
 * 2. `fragments`: without the repetitions. A record repeats a better record of the same source if their overlap is at least half
 *    the duration of the shorter one. Confirmed records are better than tentative ones, sleeps than naps, and longer records than shorter ones.
 * 3. `sessions`: fragments at most 60 minutes apart, together. Acknowledged naps are apart from other sleep. A record without
 *    usable times is a session of its own.
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
 * `user_time_zones`: directly, or from the transitions of its time zone. Each condition compares a row with a joined row, because
 * DuckDB compares all pairs of rows if it finds an OR in a join.
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
  const { secondsBetween } = dialect;
  const length = secondsBetween('bedtime_start', 'bedtime_stop');
  const { joins, offset_s } = userOffset(dialect, { from, alias: 's', instant: 'bedtime_start', own: 'timezone_offset_s' });
  const copied = [...sums, ...new Set(Object.values(means)), ...scores, 'hr_lowest_bpm', 'latency_s', 'state'];
  const asleep = `coalesce(total_s, cast(floor(${length}) as int64), duration_s, 0)`;
  return `  select
    s.user_id, s.provider, s.source_type, s.id, calendar_date,
    case when ${length} > 0 then bedtime_start end as start_at,
    case when ${length} > 0 then bedtime_stop end as end_at,
    timezone_offset_s as own_offset_s, ${offset_s} as zone_offset_s,
    case when sleep_type = 'acknowledged_nap' then 1 else 0 end as is_nap,
    case when sleep_type = 'short_sleep' then 1 else 0 end as is_short,
    case when sleep_type = 'long_sleep' then 1 else 0 end as is_long,
    case when state = 'tentative' then 1 else 0 end as is_tentative,
    coalesce(duration_s, cast(floor(${length}) as int64)) as sent_duration_s,
    case when efficiency > 1 then efficiency / 100 else efficiency end as sent_efficiency,
    ${asleep} as asleep_s,
    ${copied.join(', ')}
  from ${from('sleep')} s
  ${joins}
  where coalesce(${length}, duration_s, total_s, 0) <= ${LONGEST_S}`;
}

/** Only records that overlap are compared with each other. `stretch` numbers the stretches of overlapping records. */
function fragments({ secondsBetween }: ViewDialect): string {
  const source = 'user_id, provider, source_type';
  const order = 'start_at, end_at, id';
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
  const shared = secondsBetween('greatest(one.start_at, other.start_at)', 'least(one.end_at, other.end_at)');
  const shorter = `least(${secondsBetween('one.start_at', 'one.end_at')}, ${secondsBetween('other.start_at', 'other.end_at')})`;
  return `stretches as (
  select *, sum(begins) over (partition by ${source} order by ${order}) as stretch
  from (
    select
      *,
      case when start_at < max(end_at) over (
        partition by ${source} order by ${order} rows between unbounded preceding and 1 preceding
      ) then 0 else 1 end as begins
    from records
  ) timed
),
repetitions as (
  select distinct other.user_id, other.id
  from stretches one
  join stretches other on ${[...source.split(', '), 'stretch'].map((name) => `other.${name} = one.${name}`).join(' and ')}
  where 2 * (${shared}) >= ${shorter}
    and (
      ${isBetter.join('\n      or ')}
    )
),
fragments as (
  select stretches.*
  from stretches
  left join repetitions on repetitions.user_id = stretches.user_id and repetitions.id = stretches.id
  where repetitions.id is null
)`;
}

function sessions(dialect: ViewDialect): string {
  const { addSeconds, secondsBetween, latest, date, midpoint, jsonList } = dialect;
  const kind = 'user_id, provider, source_type, is_nap';
  const order = 'start_at, end_at, id';
  const session = `${kind}, session`;
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
placed as (
  select
    *,
    row_number() over (partition by ${session} order by start_at desc, end_at desc, id desc) as from_last,
    row_number() over (partition by ${session} order by asleep_s, start_at desc, end_at desc, id desc) as by_length
  from grouped
),
summed as (
  select
    user_id, provider, source_type, is_nap,
    min(start_at) as start_at, max(end_at) as end_at,
    coalesce(cast(floor(${secondsBetween('min(start_at)', 'max(end_at)')}) as int64), max(sent_duration_s)) as duration_s,
    coalesce(${latest('own_offset_s', 'from_last')}, ${latest('zone_offset_s', 'from_last')}) as offset_s,
    count(own_offset_s) as own_offsets,
    ${latest('calendar_date', 'from_last')} as calendar_date,
    min(id) as first_id, count(*) as fragments, ${jsonList('id', ['start_at', 'end_at', 'id'])} as ids,
    min(is_short) as is_short,
    case when max(is_long) = 1 or sum(asleep_s) >= ${LONG_SLEEP_S} then 1 else 0 end as is_long,
    max(is_tentative) as is_tentative,
    case when max(is_tentative) = 1 then 'tentative' else min(state) end as state,
    cast(sum(asleep_s) as int64) as asleep_s,
    ${sums.map((name) => `case when count(${name}) = count(*) then cast(sum(${name}) as int64) end as ${name}`).join(',\n    ')},
    ${latest('latency_s', 'from_last')} as latency_s,
    min(hr_lowest_bpm) as hr_lowest_bpm,
    ${Object.entries(means)
      .map(([name, of]) => `${weightedMean(of)} as ${name}`)
      .join(',\n    ')},
    ${scores.map((name) => `${latest(name, 'by_length')} as ${name}`).join(', ')},
    ${weightedMean('sent_efficiency')} as sent_efficiency
  from placed
  group by ${session}
),
sessions as (
  select
    *,
    case when efficiency_here between 0 and 1 then efficiency_here end as efficiency,
    case
      when start_at is null or offset_s is null then 'calendar_date' when own_offsets > 0 then 'offset' else 'zone'
    end as local_basis,
    case
      when start_at is null or offset_s is null then calendar_date
      else ${date(addSeconds(midpoint('start_at', 'end_at'), `(offset_s + ${NIGHT_BEGINS_S})`))}
    end as night_date
  from (
    select
      *,
      coalesce(sent_efficiency, total_s / nullif(duration_s, 0)) as efficiency_here
    from summed
  ) sent
)`;
}

/** Mean over the fragments that have a value, weighted by the time asleep. The value of a single fragment stays exact. */
function weightedMean(column: string): string {
  const weighted = `sum(${column} * asleep_s) / nullif(sum(case when ${column} is not null then asleep_s end), 0)`;
  return `case when count(${column}) = 1 then avg(${column}) else coalesce(${weighted}, avg(${column})) end`;
}
