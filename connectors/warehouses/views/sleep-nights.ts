import { type Preferences, sourceOrder } from '../../preferences.ts';
import type { ComputedColumn, From, KeptTable } from '../kept/kept-table.ts';
import type { ViewDialect } from './dialect.ts';
import { betterSleeps, repeatsNap, sleepKinds } from './sleep-naps.ts';
import { sleepSessions } from './sleep-sessions.ts';
import { recordValues, sessionValues } from './sleep-values.ts';
import { daysBefore, sourceRank, usualSource } from './source-rank.ts';

const columns: readonly ComputedColumn[] = [
  { name: 'user_id', type: 'string', class: 'key', doc: 'User.' },
  {
    name: 'night_date',
    type: 'date',
    class: 'key',
    doc: 'Date of the night, usually the date on which it ends. The midpoint of the sleep is between 18:00 of the day before and 18:00 of this date, in local time. A record that overlaps a longer night of another source has the date of that night.',
  },
  { name: 'start_at', type: 'timestamp', class: 'measure', doc: 'Start of the main sleep; NULL if there are only naps.' },
  { name: 'end_at', type: 'timestamp', class: 'measure', doc: 'End of the main sleep.' },
  { name: 'local_start_at', type: 'datetime', class: 'measure', doc: 'Local time of start_at; NULL if the offset is unknown.' },
  { name: 'local_end_at', type: 'datetime', class: 'measure', doc: 'Local time of end_at; NULL if the offset is unknown.' },
  {
    name: 'local_basis',
    type: 'string',
    class: 'measure',
    doc: '`offset`: the record has an offset. `zone`: the offset comes from user_time_zones. `calendar_date`: the offset or a time is unknown, so night_date is the calendar_date of the record. NULL if there are only naps.',
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
    doc: 'Time to fall asleep, from the first fragment that reports it.',
  },
  {
    name: 'efficiency',
    type: 'float64',
    class: 'measure',
    doc: 'Share of the main sleep that is spent asleep, from 0 to 1. Values above 1 are read as percentages. If the source sends none, it is total_s / duration_s. NULL if the result is not between 0 and 1.',
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
  {
    name: 'provider',
    type: 'string',
    class: 'key',
    doc: 'Provider of the main sleep and all its values; NULL if there are only naps.',
  },
  { name: 'source_type', type: 'string', class: 'key', doc: 'Source type of the main sleep; NULL if there are only naps.' },
  {
    name: 'source',
    type: 'string',
    class: 'key',
    doc: '`provider/source_type` of the main sleep; NULL if there are only naps.',
  },
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
    doc: 'Number of naps of all sources. A nap that several sources recorded counts once.',
  },
  {
    name: 'nap_total_s',
    type: 'int64',
    unit: 's',
    class: 'measure',
    doc: 'Time asleep in these naps. If the source sends none for a nap, the duration counts.',
  },
  {
    name: 'nap_sources',
    type: 'string',
    class: 'key',
    doc: 'Sources of these naps, as `provider/source_type`, separated by commas; NULL without naps.',
  },
  {
    name: 'other_sleeps',
    type: 'int64',
    class: 'measure',
    doc: 'Number of sessions of the source in this night that are neither the main sleep nor naps.',
  },
  { name: 'other_sleeps_total_s', type: 'int64', unit: 's', class: 'measure', doc: 'Time asleep in these other sessions.' },
  { name: 'others', type: 'int64', class: 'measure', doc: 'Number of other sources that have a main sleep in this night.' },
  {
    name: 'partial_others',
    type: 'int64',
    class: 'measure',
    doc: 'Number of these sources that were left out because they recorded less than half of the night.',
  },
  {
    name: 'other_sources',
    type: 'json',
    class: 'measure',
    doc: 'List of these other sources, best first, each with provider, source_type, the total_s of its main sleep, and is_partial.',
  },
];

/** A main sleep with less than this share of the longest one is partial. */
const PARTIAL_SHARE = 0.5;
/**
 * Other main sleeps are not compared with a main sleep longer than this, because a device on a table may have recorded it.
 */
const LONGEST_REFERENCE_S = 14 * 60 * 60;

/**
 * One row per user and night.
 *
 * 1. A record repeats a better record of the same source if their overlap is at least half the duration of the shorter one. The
 *    query leaves it out. Confirmed records are better than tentative ones, sleeps than naps, and longer records than shorter ones.
 * 2. Records of one source at most 60 minutes apart form a session. Acknowledged naps form sessions of their own.
 * 3. The date of a session follows from its midpoint in local time. A session that overlaps a longer night of another source
 *    has the date of that night.
 * 4. The sessions of all sources decide what is a nap ({@link sleepKinds}).
 * 5. For each source, the main sleep of a night is the longest session that is not a nap. Confirmed sessions come before
 *    tentative ones.
 * 6. All values of a night come from one source. The query leaves out sources that recorded little of the night, and then
 *    chooses by rank.
 * 7. The naps of all sources count. A nap that several sources recorded counts once.
 */
export const sleepNights = (preferences: Preferences): KeptTable => ({
  name: 'sleep_nights',
  doc: 'One night of a user: the main sleep as one source recorded it, and the naps of all sources.',
  columns,
  key: ['user_id', 'night_date'],
  scope: { of: 'user' },
  query: (dialect, from) => {
    const rank = sourceRank(dialect, sourceOrder(preferences, 'sleep'));
    const { emptyList, localTime, secondsBetween } = dialect;
    const duration = `coalesce(cast(floor(${secondsBetween('start_at', 'end_at')}) as int64), sent_duration_s)`;
    const efficiency = `coalesce(sent_efficiency, total_s / nullif(${duration}, 0))`;
    const values: Readonly<Record<string, string>> = {
      local_start_at: localTime('start_at', 'offset_s'),
      local_end_at: localTime('end_at', 'offset_s'),
      local_basis: `case
    when source is null then null
    when start_at is null or offset_s is null then 'calendar_date' when own_offsets > 0 then 'offset' else 'zone'
  end`,
      duration_s: duration,
      efficiency: `case when ${efficiency} between 0 and 1 then ${efficiency} end`,
      fragments: 'case when source is not null then fragments end',
      ids: 'case when source is not null then ids end',
      other_sleeps: 'coalesce(of_kind - 1, 0)',
      other_sleeps_total_s: 'cast(coalesce(of_kind_asleep_s - asleep_s, 0) as int64)',
      others: 'cast(coalesce(main_sleeps - 1, 0) as int64)',
      partial_others: 'cast(coalesce(partial_sleeps, 0) as int64)',
      other_sources: `case when main_sleeps > 1 then other_sources else ${emptyList} end`,
    };
    return `with ${sleepSessions(dialect, from)},
${sleepKinds(dialect)},
${nights(dialect, rank, from)}
select
  ${columns.map(({ name }) => (values[name] === undefined ? name : `${values[name]} as ${name}`)).join(',\n  ')}
from nights`;
  },
});

/** Query for the nights with a main sleep, as `user_id` and `night_date`. Several sources may have one in the same night. */
export const nightsWithSleep = (dialect: ViewDialect, from: From): string => `with ${sleepSessions(dialect, from)},
${sleepKinds(dialect)}
select user_id, night_date from sleeps where is_main = 1`;

/** Columns of the chosen main sleep that become columns of its night. */
const ofMain = [
  'provider',
  'source_type',
  'source',
  'start_at',
  'end_at',
  'offset_s',
  'own_offsets',
  'asleep_s',
  'of_kind',
  'of_kind_asleep_s',
  'main_sleeps',
  'partial_sleeps',
];

/**
 * Common table expressions. The last one is `nights`, which contains the main sleep of each night, from the chosen source,
 * and the naps.
 *
 * 1. `ranked`: `nth` orders the main sleeps of a night. `is_partial` marks main sleeps that cover little of the night.
 * 2. `chosen`: the main sleep of the chosen source, and each nap once.
 * 3. `repeated`: one row for each fragment of the main sleep, so that a single aggregation adds up fragments and naps.
 */
function nights(dialect: ViewDialect, rank: string, from: (name: string) => string): string {
  const { elements, jsonListOfFollowing, latest, text } = dialect;
  const night = 'user_id, night_date';
  const order = `source_rank, ${usualSource(dialect, 'days_before')}`;
  const mainOrder = `partition by ${night}, is_main order by is_partial, ${order}, first_id`;
  const members = { provider: 'provider', source_type: 'source_type', total_s: 'total_s', is_partial: 'is_partial = 1' };
  const isReference = `is_main = 1 and source_type <> ${text('phone')} and provider <> ${text('manual')}`;
  const kept = ['user_id', 'night_date', ...ofMain, 'is_chosen', 'is_counted', 'other_sources'];
  const values = {
    ...Object.fromEntries(ofMain.map((name) => [name, `max(case when is_chosen = 1 then ${name} end)`])),
    other_sources: latest('other_sources', 'is_chosen', 'is_chosen = 1'),
    naps: 'cast(sum(is_counted) as int64)',
    nap_total_s: 'cast(sum(case when is_counted = 1 then asleep_s else 0 end) as int64)',
    nap_sources: dialect.joined('case when is_counted = 1 then source end'),
    ...sessionValues(dialect),
  };
  return `measured as (
  select
    *, ${rank} as source_rank,
    ${daysBefore(dialect, 'user_id, source', 'night_date', 'case when is_main = 1 then 1 end')} as days_before,
    max(case when ${isReference} and asleep_s <= ${LONGEST_REFERENCE_S} then asleep_s end) over (partition by ${night}) as longest_s
  from sleeps
),
ranked as (
  select
    *,
    sum(is_main) over (partition by ${night}) as main_sleeps,
    sum(is_partial) over (partition by ${night}) as partial_sleeps,
    row_number() over (${mainOrder}) as nth,
    ${jsonListOfFollowing(members, mainOrder)} as other_sources,
    ${betterSleeps(dialect, order)} as better
  from (
    select *, case when is_main = 1 and asleep_s < ${PARTIAL_SHARE} * longest_s then 1 else 0 end as is_partial
    from measured
  ) compared_sleeps
),
chosen as (
  select *, case when is_chosen = 1 then ids else [cast(null as string)] end as fragment_ids
  from (
    select
      *, case when is_main = 1 and nth = 1 then 1 else 0 end as is_chosen,
      case when is_nap = 0 or ${repeatsNap(dialect, 'one.better')} then 0 else 1 end as is_counted
    from ranked one
  ) marked
  where is_chosen = 1 or is_counted = 1
),
repeated as (
${elements('chosen', kept, 'fragment_ids')}
),
record_values as (
${recordValues(dialect, from)}
),
nights as (
  select
    repeated.user_id, night_date,
    ${Object.entries(values)
      .map(([name, value]) => `${value} as ${name}`)
      .join(',\n    ')}
  from repeated
  left join record_values on record_values.record_user_id = repeated.user_id and record_values.record_id = repeated.element
  group by repeated.user_id, night_date
)`;
}
