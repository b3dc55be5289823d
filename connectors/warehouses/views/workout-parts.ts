import { partReasons } from './workout-pairs.ts';

/**
 * Common table expressions that find the parts among the records of `pairs`. A part is a record that another one contains. All
 * other records are whole.
 *
 * - `containers` has the largest record that contains a part. It may be a part itself.
 * - `parts` has each part, with `root_id`, the whole record to which it belongs. `is_nested` is true if another part of the
 *   same source contains it, such as a leg that contains a lap.
 * - `conflicts` has the pairs that are the same workout: pairs of whole records, and pairs of parts from one source that are
 *   not nested.
 */
export function workoutParts(): string {
  return `containers as (
  select user_id, other_id as id, id as container_id, reason
  from (
    select *, row_number() over (partition by user_id, other_id order by size_s desc, id) as nth
    from pairs
    where reason in ${partReasons}
  ) containing
  where nth = 1
),
roots as (
  select user_id, id, container_id as root_id
  from containers
  union all
  select roots.user_id, roots.id, containers.container_id as root_id
  from roots
  join containers on containers.user_id = roots.user_id and containers.id = roots.root_id
),
nested as (
  select distinct pairs.user_id, pairs.other_id as id
  from pairs
  join containers on containers.user_id = pairs.user_id and containers.id = pairs.id
  where pairs.reason in ${partReasons} and pairs.same_source
),
parts as (
  select containers.user_id, containers.id, containers.reason, roots.root_id, nested.id is not null as is_nested
  from containers
  join roots on roots.user_id = containers.user_id and roots.id = containers.id
  left join containers above on above.user_id = roots.user_id and above.id = roots.root_id
  left join nested on nested.user_id = containers.user_id and nested.id = containers.id
  where above.id is null
),
conflicts as (
  select pairs.user_id, pairs.id, pairs.other_id, pairs.one_start, pairs.other_start, pairs.reason
  from pairs
  left join parts one on one.user_id = pairs.user_id and one.id = pairs.id
  left join parts other on other.user_id = pairs.user_id and other.id = pairs.other_id
  where pairs.reason not in ${partReasons}
    and (one.id is null) = (other.id is null)
    and (one.id is null or pairs.same_source)
    and not coalesce(one.is_nested or other.is_nested, false)
)`;
}
