import type { ViewDialect } from './dialect.ts';

/**
 * Common table expressions that choose records greedily. They visit the records in order, and keep a record unless it
 * conflicts with a record that is already kept. Records that are not kept do not exclude others. The last expression is
 * `losers`, which contains the records that are not kept. `kept_id` is the first kept record with which the loser conflicts,
 * and `reason` is the reason for the conflict.
 *
 * `records` contains the records, with `time_start` and `time_end`. `conflicts` contains each pair of conflicting records
 * once, with both start times. `clustered` contains the records that conflict with any other. The query `placed` reads
 * `clustered`, and returns `user_id`, `id`, `cluster_key` and `place`. `place` numbers the records of a cluster from 1, in
 * the order in which they are visited.
 *
 * Each round of the recursion visits one record of every cluster. `kept` lists the places kept so far, such as `,1,4,`.
 * `rivals` is a regular expression that matches the places of earlier records that conflict with a record.
 *
 * BigQuery allows `with recursive` only at the top of a SELECT, CREATE VIEW, CREATE TABLE AS or INSERT, and at most 500 rounds.
 * A larger cluster therefore fails, but never gives a wrong result.
 */
export function greedyChoice({ matches }: ViewDialect, records: string, placed: string): string {
  return `both_ways as (
  select user_id, id, other_id, other_start, reason from conflicts
  union all
  select user_id, other_id as id, id as other_id, one_start as other_start, reason from conflicts
),
reaching as (
  select user_id, id, max(other_start) as reach from both_ways group by user_id, id
),
-- A cluster ends where no conflict has one record before and one after, in the order of their start.
bounded as (
  select
    records.*,
    case when time_start <= max(reach) over (
      partition by records.user_id order by time_start, time_end, records.id rows between unbounded preceding and 1 preceding
    ) then 0 else 1 end as begins
  from ${records} records
  join reaching on reaching.user_id = records.user_id and reaching.id = records.id
),
clustered as (
  select *, sum(begins) over (partition by user_id order by time_start, time_end, id) as cluster from bounded
),
placed as (
  ${placed}
),
-- The joins of two records with each other use the cluster, because a join by user alone would compare all pairs.
earlier as (
  select
    one.user_id, one.id, one.cluster_key, one.place, other.id as other_id, other.place as other_place, both_ways.reason
  from both_ways
  join placed one on one.user_id = both_ways.user_id and one.id = both_ways.id
  join placed other on other.cluster_key = one.cluster_key and other.id = both_ways.other_id
  where other.place < one.place
),
contested as (
  select placed.cluster_key, placed.place, first_rival, ',(' || rivals || '),' as rivals
  from placed
  left join (
    select cluster_key, place, min(other_place) as first_rival, string_agg(cast(other_place as string), '|') as rivals
    from earlier
    group by cluster_key, place
  ) named on named.cluster_key = placed.cluster_key and named.place = placed.place
),
folded as (
  select cluster_key, cast(1 as int64) as place, '' as kept_before, ',1,' as kept
  from contested
  where place = 1
  union all
  select
    next_one.cluster_key, next_one.place, folded.kept as kept_before,
    case
      when next_one.first_rival is null then folded.kept || cast(next_one.place as string) || ','
      -- The first record of a cluster is always kept, so most records need no regular expression, which is slow.
      when next_one.first_rival = 1 then folded.kept
      when ${matches('folded.kept', 'next_one.rivals')} then folded.kept
      else folded.kept || cast(next_one.place as string) || ','
    end as kept
  from folded
  join contested next_one on next_one.cluster_key = folded.cluster_key and next_one.place = folded.place + 1
),
losers as (
  select user_id, id, kept_id, reason
  from (
    select
      earlier.user_id, earlier.id, earlier.other_id as kept_id, earlier.reason,
      row_number() over (partition by earlier.cluster_key, earlier.place order by earlier.other_place) as nth
    from earlier
    join folded loser
      on loser.cluster_key = earlier.cluster_key and loser.place = earlier.place and loser.kept = loser.kept_before
    join folded kept
      on kept.cluster_key = earlier.cluster_key and kept.place = earlier.other_place and kept.kept <> kept.kept_before
  ) found
  where nth = 1
)`;
}
