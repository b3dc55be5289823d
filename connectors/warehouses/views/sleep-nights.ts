import { type Preferences, sourceOrder } from '../../preferences.ts';
import type { ComputedColumn, KeptTable } from '../kept/kept-table.ts';
import { sleepSessions } from './sleep-sessions.ts';
import { sourceName, sourceRank } from './source-rank.ts';

const columns: readonly ComputedColumn[] = [
  { name: 'user_id', type: 'string', class: 'key', doc: 'User.' },
  {
    name: 'night_date',
    type: 'date',
    class: 'key',
    doc: 'Date of the night, usually the date on which it ends. The midpoint of the main sleep is between 18:00 of the day before and 18:00 of this date, in local time.',
  },
  { name: 'start_at', type: 'timestamp', class: 'measure', doc: 'Start of the main sleep; NULL if there are only naps.' },
  { name: 'end_at', type: 'timestamp', class: 'measure', doc: 'End of the main sleep.' },
  { name: 'local_start_at', type: 'datetime', class: 'measure', doc: 'Local time of start_at; NULL if the offset is unknown.' },
  { name: 'local_end_at', type: 'datetime', class: 'measure', doc: 'Local time of end_at; NULL if the offset is unknown.' },
  {
    name: 'local_basis',
    type: 'string',
    class: 'measure',
    doc: '`offset`: the record has an offset. `zone`: the offset comes from user_time_zones. `calendar_date`: the offset or a time is unknown, so night_date is the calendar_date of the record.',
  },
  {
    name: 'duration_s',
    type: 'int64',
    unit: 's',
    class: 'measure',
    doc: 'Duration of the main sleep from start to end. It contains the gaps between its fragments.',
  },
  { name: 'total_s', type: 'int64', unit: 's', class: 'measure', doc: 'Time asleep in the main sleep.' },
  { name: 'awake_s', type: 'int64', unit: 's', class: 'measure', doc: 'Time awake in the fragments of the main sleep.' },
  {
    name: 'light_s',
    type: 'int64',
    unit: 's',
    class: 'measure',
    doc: 'Time in light sleep; NULL if a fragment does not have it.',
  },
  { name: 'rem_s', type: 'int64', unit: 's', class: 'measure', doc: 'Time in REM sleep; NULL if a fragment does not have it.' },
  { name: 'deep_s', type: 'int64', unit: 's', class: 'measure', doc: 'Time in deep sleep; NULL if a fragment does not have it.' },
  {
    name: 'latency_s',
    type: 'int64',
    unit: 's',
    class: 'measure',
    doc: 'Time to fall asleep, of the first fragment that has it.',
  },
  {
    name: 'efficiency',
    type: 'float64',
    class: 'measure',
    doc: 'Share of the time asleep, from 0 to 1. Values above 1 are percentages. If the source sends none, it is total_s / duration_s. NULL if the result is not between 0 and 1.',
  },
  { name: 'hr_lowest_bpm', type: 'int64', unit: 'bpm', class: 'measure', doc: 'Lowest heart rate.' },
  { name: 'hr_average_bpm', type: 'float64', unit: 'bpm', class: 'measure', doc: 'Average heart rate.' },
  { name: 'hr_resting_bpm', type: 'float64', unit: 'bpm', class: 'measure', doc: 'Resting heart rate.' },
  { name: 'hrv_ms', type: 'float64', unit: 'ms', class: 'measure', doc: 'Average heart rate variability (RMSSD).' },
  { name: 'respiratory_rate_per_min', type: 'float64', unit: '1/min', class: 'measure', doc: 'Breaths per minute.' },
  {
    name: 'temperature_delta_c',
    type: 'float64',
    unit: '°C',
    class: 'measure',
    doc: 'Deviation of the skin temperature from its usual value.',
  },
  { name: 'skin_temperature_c', type: 'float64', unit: '°C', class: 'measure', doc: 'Skin temperature.' },
  { name: 'hr_dip_pct', type: 'float64', unit: '%', class: 'measure', doc: 'Dip of the heart rate during sleep.' },
  { name: 'score', type: 'int64', class: 'measure', doc: 'Sleep score of the provider, of the longest fragment that has it.' },
  {
    name: 'recovery_readiness_score',
    type: 'int64',
    class: 'measure',
    doc: 'Recovery or readiness score of the provider, of the longest fragment that has it.',
  },
  { name: 'state', type: 'string', class: 'measure', doc: '`tentative` if a fragment is tentative, else the state as sent.' },
  { name: 'provider', type: 'string', class: 'key', doc: 'Provider of all values of the row.' },
  { name: 'source_type', type: 'string', class: 'key', doc: 'Source type of all values of the row.' },
  { name: 'source', type: 'string', class: 'key', doc: '`provider/source_type` of all values of the row.' },
  { name: 'fragments', type: 'int64', class: 'measure', doc: 'Number of sleep records that form the main sleep.' },
  {
    name: 'ids',
    type: 'json',
    class: 'key',
    doc: 'List of the ids of the sleep records that form the main sleep, in their order.',
  },
  {
    name: 'naps',
    type: 'int64',
    class: 'measure',
    doc: 'Number of naps of the source: acknowledged naps, and short sleeps if the source also has a long sleep in this night.',
  },
  {
    name: 'nap_total_s',
    type: 'int64',
    unit: 's',
    class: 'measure',
    doc: 'Time asleep in the naps. If the source sends none for a nap, the duration counts.',
  },
  {
    name: 'other_sleeps',
    type: 'int64',
    class: 'measure',
    doc: 'Number of sessions of the source in this night that are neither the main sleep nor naps.',
  },
  { name: 'other_sleeps_total_s', type: 'int64', unit: 's', class: 'measure', doc: 'Time asleep in these other sessions.' },
  { name: 'others', type: 'int64', class: 'measure', doc: 'Number of other sources that recorded this night.' },
  {
    name: 'other_sources',
    type: 'json',
    class: 'measure',
    doc: 'List of the other sources that recorded this night, best first, each with provider, source_type, and the total_s of its main sleep.',
  },
];

/**
 * One row per user and night.
 *
 * 1. A record repeats a better record of the same source if their overlap is at least half the duration of the shorter one. The
 *    query leaves it out. Confirmed records are better than tentative ones, sleeps than naps, and longer records than shorter ones.
 * 2. Records of one source at most 60 minutes apart form a session. Acknowledged naps form sessions of their own.
 * 3. The date of a session follows from its midpoint in local time.
 * 4. For each source, the main sleep of a night is the longest session that is no nap. A session that is not tentative comes
 *    before a tentative one.
 * 5. All values of a night come from one source: the one with the best rank of those that have a main sleep.
 */
export const sleepNights = (preferences: Preferences): KeptTable => ({
  name: 'sleep_nights',
  doc: 'One night of a user: the main sleep and the naps, as one source recorded them.',
  columns,
  key: ['user_id', 'night_date'],
  scope: { of: 'user' },
  query: (dialect, from) => {
    // A night of only naps has no values of a main sleep.
    const main = (value: string): string => `case when is_nap_here = 0 then ${value} end`;
    const values: Readonly<Record<string, string>> = {
      user_id: 'user_id',
      night_date: 'night_date',
      local_start_at: main(dialect.localTime('start_at', 'offset_s')),
      local_end_at: main(dialect.localTime('end_at', 'offset_s')),
      provider: 'provider',
      source_type: 'source_type',
      source: sourceName(dialect),
      naps: 'cast(naps as int64)',
      nap_total_s: 'cast(nap_total_s as int64)',
      other_sleeps: 'cast(sleeps - naps - (1 - is_nap_here) as int64)',
      other_sleeps_total_s: 'cast(sleeps_total_s - nap_total_s - case when is_nap_here = 0 then asleep_s else 0 end as int64)',
      others: 'others',
      other_sources: `case when others > 0 then other_sources else ${dialect.emptyList} end`,
    };
    const ofSource = 'partition by user_id, provider, source_type, night_date';
    const other = { provider: 'provider', source_type: 'source_type', total_s: main('total_s') };
    return `with ${sleepSessions(dialect, from)},
kinds as (
  select
    *,
    case
      when is_nap = 1 then 1
      when is_short = 1 and is_long = 0 and max(case when is_nap = 0 then is_long end) over (${ofSource}) = 1 then 1
      else 0
    end as is_nap_here
  from sessions
  where night_date is not null
),
ordered as (
  select
    *,
    row_number() over (
      ${ofSource} order by is_nap_here, is_tentative, asleep_s desc, case when start_at is null then 1 else 0 end, start_at, first_id
    ) as nth,
    sum(is_nap_here) over (${ofSource}) as naps,
    sum(case when is_nap_here = 1 then asleep_s else 0 end) over (${ofSource}) as nap_total_s,
    count(*) over (${ofSource}) as sleeps,
    sum(asleep_s) over (${ofSource}) as sleeps_total_s
  from kinds
),
ranked as (
  select
    *,
    count(*) over (partition by user_id, night_date) - 1 as others,
    row_number() over (
      partition by user_id, night_date
      order by
        is_nap_here, ${sourceRank(dialect, sourceOrder(preferences, 'sleep'))},
        case when is_nap_here = 0 then is_tentative else 0 end, case when is_nap_here = 0 then asleep_s else 0 end desc,
        provider, source_type
    ) as place
  from ordered
  where nth = 1
)
select
  ${columns.map(({ name }) => `${values[name] ?? main(name)} as ${name}`).join(',\n  ')}
from (
  select
    *, ${dialect.jsonListOfFollowing(other, 'partition by user_id, night_date order by place')} as other_sources
  from ranked
) chosen
where place = 1`;
  },
});
