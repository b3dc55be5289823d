import type { ViewDialect } from './dialect.ts';

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
export function greedyChoice({ matches }: ViewDialect, records: string): string {
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
