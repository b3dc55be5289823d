import { FIRST_INSTANT_S, LAST_INSTANT_S } from '@aorta/schemas';
import { TIME_ZONES } from '../time-zones.ts';
import type { ViewDialect } from '../views/dialect.ts';
import { inZone } from '../views/local-time.ts';
import { hasFallbackZone, namedZone } from '../views/zone-names.ts';
import type { KeptTable } from './kept-table.ts';

/** Moment at which each user's first span begins. */
const FIRST = '1970-01-01T00:00:00Z';

/** Summaries whose time zone holds from `session_start`. */
const sessions: readonly string[] = ['sleep_cycle', 'electrocardiogram'];

const dateOf = (second: number): string => new Date(second * 1000).toISOString().slice(0, 10);
/** The query ignores observations outside these bounds, because the table of time zones has no offsets for them. */
const KNOWN_FROM = dateOf(FIRST_INSTANT_S);
const KNOWN_TO = dateOf(LAST_INSTANT_S);

/** Tables with an offset, and the column with the moment to which it applies. */
const offset: readonly (readonly [table: string, at: string])[] = [
  ['user_offset_days', 'first_at'],
  ['user_offset_days', 'last_at'],
  ['sleep', 'bedtime_stop'],
  ['workouts', 'time_start'],
];

/**
 * The time zones of a user over time. The query considers two kinds of observations, in chronological order:
 * - A summary with a time zone. The zone of an activity summary holds from the start of its calendar date.
 * - An offset, or a summary whose time zone is a fixed offset. It confirms the zone of the last summary before it, or else
 *   the fallback zone, if that zone has this offset at this time. Otherwise, the user is in an unknown zone with this
 *   offset.
 *
 * A span lasts until the first observation that differs. Before the first observation, the user is in the fallback zone, which
 * may be a fixed offset. A user without a fallback zone is in the zone of the first observation.
 */
export const userTimeZones: KeptTable = {
  name: 'user_time_zones',
  doc: 'One period in which a user was in a time zone. The periods of a user follow each other without gaps.',
  columns: [
    { name: 'user_id', type: 'string', class: 'key', doc: 'The service’s id of the user.' },
    { name: 'from_at', type: 'timestamp', class: 'measure', doc: 'Start of the period. The first period begins in 1970.' },
    { name: 'to_at', type: 'timestamp', class: 'measure', doc: 'First moment after the period. NULL in the last period.' },
    {
      name: 'time_zone',
      type: 'string',
      class: 'measure',
      doc: 'IANA time zone, as `time_zone_transitions` spells it; NULL if only an offset is known.',
    },
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
    const named = namedZone(dialect, 'fallback_time_zone');
    return `with stated as (
${statedZones(dialect, from)}
),
observed as (
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
  select user_id, ${named.zone} as fallback_zone, ${named.offset_s} as fallback_offset_s
  from ${from('users')}
  ${named.join}
  where ${hasFallbackZone}
),
placed as (
  select
    known.user_id, observed_at, time_zone, offset_s, summary_zone, coalesce(summary_zone, fallback_zone) as candidate,
    fallback_offset_s
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
    placed.time_zone is not null or coalesce(coalesce(zones.offset_s, fallback_offset_s) = placed.offset_s, false) as is_confirmed
  from placed
  left join ${zones} zones on ${inZone('candidate', "'utc'", 'observed_at')}
),
states as (
  select
    user_id, observed_at as from_at,
    case when is_confirmed then candidate end as time_zone,
    case when candidate is null or not is_confirmed then offset_s end as offset_s,
    case when not is_confirmed then 'offset' when summary_zone is null then 'fallback' else 'summary_zone' end as basis
  from confirmed
  union all
  select user_id, ${first}, fallback_zone, fallback_offset_s, 'fallback'
  from fallback
  where fallback_zone is not null or fallback_offset_s is not null
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

/** Condition that the table of time zones has offsets for a moment. */
const isKnown = ({ instant }: ViewDialect, at: string): string =>
  `${at} >= ${instant(`${KNOWN_FROM}T00:00:00Z`)} and ${at} < ${instant(`${KNOWN_TO}T00:00:00Z`)}`;

/**
 * Query for the summaries with a time zone or an offset: `named_zone` or `named_offset_s` if the name is known. An activity
 * summary has a `calendar_date`, other summaries have `stated_at`.
 */
function statedZones(dialect: ViewDialect, from: (name: string) => string): string {
  const { join, zone, offset_s } = namedZone(dialect, 'time_zone');
  const none = 'cast(null as date) as calendar_date, cast(null as int64) as timezone_offset_s';
  return `  select
    user_id, stated_at, calendar_date, timezone_offset_s, ${zone} as named_zone,
    ${offset_s} as named_offset_s
  from (
${sessions
  .map(
    (name) => `    select user_id, session_start as stated_at, time_zone, ${none}
    from ${from(name)}
    where ${isKnown(dialect, 'session_start')}
    union all
`,
  )
  .join('')}    select user_id, null, time_zone, calendar_date, timezone_offset_s
    from ${from('activity')}
    where calendar_date >= date '${KNOWN_FROM}' and calendar_date < date '${KNOWN_TO}'
  ) summaries
  ${join}`;
}

/** Query for the observations of all users: `observed_at`, and either `time_zone` or `offset_s`. */
function observations(dialect: ViewDialect, from: (name: string) => string, zones: string): string {
  const { startOfDay, addSeconds } = dialect;
  const midnight = startOfDay('calendar_date');
  const noZone = 'cast(null as string) as time_zone, timezone_offset_s as offset_s';
  return [
    `  select
    user_id, coalesce(stated_at, ${addSeconds(midnight, '(-coalesce(zones.offset_s, named_offset_s))')}) as observed_at,
    named_zone as time_zone, named_offset_s as offset_s
  from stated
  left join ${zones} zones on ${inZone('named_zone', "'floating'", midnight)}
  where named_zone is not null or named_offset_s is not null`,
    ...offset.map(
      ([name, at]) => `  select user_id, ${at} as observed_at, ${noZone}
  from ${from(name)}
  where ${isKnown(dialect, at)} and timezone_offset_s is not null`,
    ),
    // An activity summary has one offset for its whole day. The query assumes that it applied at local noon.
    `  select user_id, ${addSeconds(midnight, '(43200 - timezone_offset_s)')} as observed_at, ${noZone}
  from stated
  where timezone_offset_s is not null and named_zone is null and named_offset_s is null`,
  ].join('\n  union all\n');
}
