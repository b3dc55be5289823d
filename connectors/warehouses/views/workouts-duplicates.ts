import type { TableDeclaration } from '@aorta/schemas';
import { type Preferences, sourceOrder } from '../../preferences.ts';
import type { ComputedColumn, KeptTable } from '../kept/kept-table.ts';
import type { ViewDialect } from './dialect.ts';
import { sourceRank } from './source-rank.ts';
import { sportFamily } from './sport-families.ts';

const columns: readonly ComputedColumn[] = [
  { name: 'user_id', type: 'string', class: 'key', doc: 'User.' },
  { name: 'id', type: 'string', class: 'key', doc: 'Id of the workout that is a duplicate.' },
  { name: 'provider', type: 'string', class: 'key', doc: 'Provider of the duplicate.' },
  { name: 'source_type', type: 'string', class: 'key', doc: 'Source type of the duplicate.' },
  { name: 'kept_id', type: 'string', class: 'key', doc: 'Id of the workout that workouts_deduplicated has instead.' },
  { name: 'kept_provider', type: 'string', class: 'key', doc: 'Provider of that workout.' },
  { name: 'kept_source_type', type: 'string', class: 'key', doc: 'Source type of that workout.' },
  {
    name: 'overlap_share',
    type: 'float64',
    class: 'measure',
    doc: 'Overlap of the two as a share of the longer one, from 0.5 to 1.',
  },
];

/** Records at least this long are compared with all other long ones of the user: two may match but begin over a day apart. */
const LONG_S = 24 * 60 * 60;

/**
 * Common table expressions that choose records greedily: in their order, a record is kept unless it is in conflict with a record
 * that is already kept. Records that are not kept exclude no others. The last expression is `choice`, with `cluster_key`, `place`
 * and `is_kept` of each record.
 *
 * `records` has one row per record, with `cluster_key` (text) and `place`, which counts the records of a cluster from 1 in the
 * order of the choice. `rivals` is a regular expression for the places of the earlier records that are in conflict with it.
 *
 * The recursion visits the clusters side by side, one record of each at a time. `kept` lists the places that are kept so far,
 * such as `,1,4,`.
 *
 * BigQuery allows `with recursive` only at the top of a SELECT, CREATE VIEW, CREATE TABLE AS or INSERT, and at most 500 rounds.
 * A larger cluster therefore fails. It cannot give a wrong result.
 */
function greedyChoice({ matches }: ViewDialect, records: string): string {
  return `folded as (
  select cluster_key, cast(1 as int64) as place, ',1,' as kept
  from ${records}
  where place = 1
  union all
  select
    next_one.cluster_key, next_one.place,
    case
      when ${matches('folded.kept', 'next_one.rivals')} then folded.kept
      else folded.kept || cast(next_one.place as string) || ','
    end as kept
  from folded
  join ${records} next_one on next_one.cluster_key = folded.cluster_key and next_one.place = folded.place + 1
),
choice as (
  select cluster_key, place, kept like '%,' || cast(place as string) || ',' as is_kept
  from folded
)`;
}

/**
 * Workouts that another source recorded more completely.
 *
 * Two records of different sources are the same workout if they overlap by at least half of the longer one. Their sports must be
 * of one family, or the family of one sport must be unknown.
 *
 * The query keeps the most complete record, then each record that is not the same workout as a kept one. Completeness is the
 * number of measures. Ties go to the source with the better rank, then to the earlier record, and to the smaller id. A record without a duration is the same workout as no other.
 */
export function workoutsDuplicates(workouts: TableDeclaration, preferences: Preferences): KeptTable {
  const measures = workouts.columns.filter(({ unit, name }) => unit !== undefined && name !== 'timezone_offset_s');
  return {
    name: 'workouts_duplicates',
    doc: 'One workout of a user that another source recorded more completely.',
    columns,
    key: ['user_id', 'id'],
    scope: { of: 'user' },
    query: (dialect, from) => {
      const { date, secondsBetween, length, addSeconds } = dialect;
      const counted = measures.map(({ name, type }) =>
        typeof type === 'object'
          ? `case when ${length(name)} > 0 then 1 else 0 end`
          : `case when ${name} is not null then 1 else 0 end`,
      );
      const shared = secondsBetween('greatest(one.time_start, other.time_start)', 'least(one.time_end, other.time_end)');
      return `with recursive lasting as (
  select
    user_id, id, provider, source_type, time_start, time_end,
    ${secondsBetween('time_start', 'time_end')} as lasts_s,
    ${sportFamily(dialect, 'sport_slug')} as family,
    ${sourceRank(dialect, sourceOrder(preferences, 'workouts'))} as source_rank,
    ${counted.join('\n    + ')} as measures
  from ${from('workouts')}
  where time_end > time_start
),
-- The same workout begins less than half of its duration apart, so both records have a day in common, or both are long.
near as (
  select *, ${date('time_start')} as near_day, 0 as near_long from lasting
  union all
  select *, ${date(addSeconds('time_start', '86400'))} as near_day, 0 as near_long from lasting
  union all
  select *, cast('1970-01-01' as date) as near_day, 1 as near_long from lasting where lasts_s >= ${LONG_S}
),
pairs as (
  select distinct
    one.user_id, one.id, other.id as other_id, ${shared} / greatest(one.lasts_s, other.lasts_s) as overlap_share
  from near one
  join near other
    on other.user_id = one.user_id and other.near_day = one.near_day and other.near_long = one.near_long
    and (other.provider <> one.provider or other.source_type <> one.source_type)
  where 2 * (${shared}) >= greatest(one.lasts_s, other.lasts_s)
    and coalesce(one.family = other.family, true)
),
-- A cluster ends where no pair has one record before and one after, in the order of their start.
in_time as (
  select lasting.*, row_number() over (partition by lasting.user_id order by time_start, time_end, lasting.id) as position
  from lasting
  join (select distinct user_id, id from pairs) paired on paired.user_id = lasting.user_id and paired.id = lasting.id
),
reaching as (
  select one.user_id, one.id, max(other.position) as reach
  from pairs
  join in_time one on one.user_id = pairs.user_id and one.id = pairs.id
  join in_time other on other.user_id = pairs.user_id and other.id = pairs.other_id
  group by one.user_id, one.id
),
clustered as (
  select *, sum(begins) over (partition by user_id order by position) as cluster
  from (
    select
      in_time.*,
      case when position <= max(reach) over (
        partition by in_time.user_id order by position rows between unbounded preceding and 1 preceding
      ) then 0 else 1 end as begins
    from in_time
    join reaching on reaching.user_id = in_time.user_id and reaching.id = in_time.id
  ) bounded
),
placed as (
  select
    user_id, id, provider, source_type, cast(cluster as string) || ' ' || user_id as cluster_key,
    row_number() over (
      partition by user_id, cluster order by measures desc, source_rank, time_start, id
    ) as place
  from clustered
),
earlier as (
  select one.user_id, one.id, other.id as other_id, other.place as other_place, pairs.overlap_share
  from pairs
  join placed one on one.user_id = pairs.user_id and one.id = pairs.id
  join placed other on other.user_id = pairs.user_id and other.id = pairs.other_id
  where other.place < one.place
),
contested as (
  select
    placed.*, coalesce(',(' || rivals || '),', 'none') as rivals
  from placed
  left join (
    select user_id, id, string_agg(cast(other_place as string), '|') as rivals
    from earlier
    group by user_id, id
  ) named on named.user_id = placed.user_id and named.id = placed.id
),
${greedyChoice(dialect, 'contested')},
chosen as (
  select contested.user_id, contested.id, contested.provider, contested.source_type, choice.is_kept
  from contested
  join choice on choice.cluster_key = contested.cluster_key and choice.place = contested.place
)
select
  user_id, id, provider, source_type, kept_id, kept_provider, kept_source_type, overlap_share
from (
  select
    swallowed.user_id, swallowed.id, swallowed.provider, swallowed.source_type,
    kept.id as kept_id, kept.provider as kept_provider, kept.source_type as kept_source_type, earlier.overlap_share,
    row_number() over (partition by swallowed.user_id, swallowed.id order by earlier.other_place) as nth
  from chosen swallowed
  join earlier on earlier.user_id = swallowed.user_id and earlier.id = swallowed.id
  join chosen kept on kept.user_id = earlier.user_id and kept.id = earlier.other_id and kept.is_kept
  where not swallowed.is_kept
) found
where nth = 1`;
    },
  };
}
