import { FIRST_INSTANT_S, LAST_INSTANT_S } from '@aorta/schemas';
import { TIME_ZONES } from '../time-zones.ts';
import type { ViewDialect } from '../views/dialect.ts';
import { inZone } from '../views/local-time.ts';
import type { KeptTable } from './kept-table.ts';

/** Source of the time zone in answers about a user for whom no zone was set. Nothing is known from it. */
const NO_SOURCE = 'service';
/** Moment at which each user's first span begins. */
const FIRST = '1970-01-01T00:00:00Z';

const dateOf = (second: number): string => new Date(second * 1000).toISOString().slice(0, 10);
/** The query ignores observations outside these bounds, because the table of time zones has no offsets for them. */
const KNOWN_FROM = dateOf(FIRST_INSTANT_S);
const KNOWN_TO = dateOf(LAST_INSTANT_S);

/** Summaries with a time zone, and the column with the moment at which the user was in it. */
const zoned: readonly (readonly [table: string, at: string])[] = [
  ['sleep_cycle', 'session_start'],
  ['electrocardiogram', 'session_start'],
];

/** Tables with an offset, and the column with the moment at which the user had it. */
const offset: readonly (readonly [table: string, at: string])[] = [
  ['user_offset_days', 'first_at'],
  ['user_offset_days', 'last_at'],
  ['sleep', 'bedtime_stop'],
  ['workouts', 'time_start'],
];

/**
 * The time zones of a user over time. The query considers two kinds of observations, in chronological order:
 * - A summary with a time zone. The zone of an activity summary holds from the start of its calendar date.
 * - An offset. It confirms the last zone before it, or else the fallback zone, if that zone has this offset at this time.
 *   Otherwise the user is in an unknown zone with this offset.
 *
 * A span lasts until the first observation that differs. Before the first observation, the user is in the fallback zone. A
 * user without a fallback zone is in the zone of the first observation.
 */
export const userTimeZones: KeptTable = {
  name: 'user_time_zones',
  doc: 'One period in which a user was in a time zone. The periods of a user follow each other without gaps.',
  columns: [
    { name: 'user_id', type: 'string', class: 'key', doc: 'The service’s id of the user.' },
    { name: 'from_at', type: 'timestamp', class: 'measure', doc: 'Start of the period. The first period begins in 1970.' },
    { name: 'to_at', type: 'timestamp', class: 'measure', doc: 'First moment after the period. NULL in the last period.' },
    { name: 'time_zone', type: 'string', class: 'measure', doc: 'IANA time zone; NULL if only an offset is known.' },
    {
      name: 'offset_s',
      type: 'int64',
      unit: 's',
      class: 'measure',
      doc: 'Offset of local time from UTC, positive to the east; NULL if the time zone is known.',
    },
    {
      name: 'basis',
      type: 'string',
      class: 'measure',
      doc: 'How the time zone is known: `summary_zone`, `offset`, or `fallback` for the user’s fallback time zone.',
    },
  ],
  key: ['user_id', 'from_at'],
  scope: { of: 'user' },
  query: (dialect, from) => {
    const { table, instant } = dialect;
    const zones = table(TIME_ZONES);
    const first = instant(FIRST);
    return `with observed as (
${observations(dialect, from, zones)}
),
-- At the same moment, a zone counts more than an offset. If two differ, the order of names or numbers decides.
merged as (
  select
    user_id, observed_at, min(time_zone) as time_zone, case when min(time_zone) is null then min(offset_s) end as offset_s
  from observed
  group by user_id, observed_at
),
fallback as (
  select user_id, fallback_time_zone
  from ${from('users')}
  where fallback_time_zone in (select zone from ${zones}) and coalesce(fallback_time_zone_source, '') <> '${NO_SOURCE}'
),
placed as (
  select
    known.user_id, observed_at, time_zone, offset_s, summary_zone, coalesce(summary_zone, fallback_time_zone) as candidate
  from (
    select
      *,
      last_value(time_zone ignore nulls) over (
        partition by user_id order by observed_at rows between unbounded preceding and current row
      ) as summary_zone
    from merged
  ) known
  left join fallback on fallback.user_id = known.user_id
),
confirmed as (
  select
    placed.user_id, observed_at, candidate, placed.offset_s, summary_zone,
    placed.time_zone is not null or coalesce(zones.offset_s = placed.offset_s, false) as is_in_zone
  from placed
  left join ${zones} zones on ${inZone('candidate', "'utc'", 'observed_at')}
),
states as (
  select
    user_id, observed_at as from_at,
    case when is_in_zone then candidate end as time_zone,
    case when not is_in_zone then offset_s end as offset_s,
    case when not is_in_zone then 'offset' when summary_zone is null then 'fallback' else 'summary_zone' end as basis
  from confirmed
  union all
  select user_id, ${first}, fallback_time_zone, cast(null as int64), 'fallback' from fallback
),
compared as (
  select *, lag(state) over (partition by user_id order by from_at) as state_before
  from (
    select *, basis || ' ' || coalesce(time_zone, cast(offset_s as string)) as state from states
  ) named
),
changes as (
  select
    user_id, case when state_before is null then ${first} else from_at end as from_at, time_zone, offset_s, basis
  from compared
  where state_before is null or state_before <> state
)
select
  user_id, from_at, lead(from_at) over (partition by user_id order by from_at) as to_at, time_zone, offset_s, basis
from changes`;
  },
};

/** Query for the observations of all users: `observed_at`, and either `time_zone` or `offset_s`. */
function observations({ instant, startOfDay, addSeconds }: ViewDialect, from: (name: string) => string, zones: string): string {
  const known = (at: string): string =>
    `${at} >= ${instant(`${KNOWN_FROM}T00:00:00Z`)} and ${at} < ${instant(`${KNOWN_TO}T00:00:00Z`)}`;
  const midnight = startOfDay('calendar_date');
  const dated = `calendar_date >= date '${KNOWN_FROM}' and calendar_date < date '${KNOWN_TO}'`;
  const none = 'cast(null as int64) as offset_s';
  return [
    `  select user_id, ${addSeconds(midnight, '(-zones.offset_s)')} as observed_at, time_zone, ${none}
  from ${from('activity')} summary
  join ${zones} zones on ${inZone('summary.time_zone', "'floating'", midnight)}`,
    ...zoned.map(
      ([name, at]) => `  select user_id, ${at} as observed_at, time_zone, ${none}
  from ${from(name)}
  where ${known(at)} and time_zone in (select zone from ${zones})`,
    ),
    ...offset.map(
      ([name, at]) => `  select user_id, ${at} as observed_at, cast(null as string) as time_zone, timezone_offset_s as offset_s
  from ${from(name)}
  where ${known(at)} and timezone_offset_s is not null`,
    ),
    // An activity summary has one offset for its whole day. The query assumes that it applied at local noon.
    `  select
    user_id, ${addSeconds(midnight, '(43200 - timezone_offset_s)')} as observed_at, cast(null as string) as time_zone,
    timezone_offset_s as offset_s
  from ${from('activity')}
  where ${dated} and timezone_offset_s is not null
    and (time_zone is null or time_zone not in (select zone from ${zones}))`,
  ].join('\n  union all\n');
}
