import type { ViewDialect } from './dialect.ts';
import { TOLERANCE_S } from './recorded-workouts.ts';

const DAY_S = 24 * 60 * 60;

/** Reasons why a record is a part of another one. */
export const partReasons = "('leg', 'contained')";

const columns = ['user_id', 'id', 'provider', 'source_type', 'time_start', 'time_end', 'lasts_s', 'family', 'is_multisport'];

/**
 * Common table expressions that compare overlapping records of `lasting`. The last one is `pairs`, with `id`, `other_id`,
 * `same_source`, and the `reason` why the two records count as one workout. `id` is the record with the greater `size_s`. If
 * the reason is one of {@link partReasons}, `id` contains `other_id`.
 *
 * - Two records are the same workout if they overlap by at least half of the longer one, and their sport families are equal
 *   or unknown. The reason is `repeated` for one source, otherwise `other_source`.
 * - A record contains another if the other begins and ends inside it, within the tolerance, and at least half of the other
 *   is inside. A multisport parent contains its legs, whatever their sport and source: `leg`. Any other record contains only
 *   records of its own source, with the same or an unknown family: `contained`.
 * - If two records that may be the same workout begin and end together, within the tolerance, neither contains the other.
 *   The more complete record is then better than the longer one. The same applies to multisport parents from two sources.
 */
export function workoutPairs({ date, addSeconds, secondsBetween, numbered, floor }: ViewDialect): string {
  const shared = secondsBetween('greatest(one.time_start, other.time_start)', 'least(one.time_end, other.time_end)');
  const together = `abs(later_start_s) <= ${TOLERANCE_S} and abs(later_end_s) <= ${TOLERANCE_S}`;
  return `days as (
  ${numbered('lasting', [...columns, 'size_s'], `2 + ${floor(`lasts_s / ${DAY_S}`)}`)}
),
-- Two records that overlap have one of these days in common.
near as (
  select *, ${date(addSeconds('time_start', `(ordinal - 1) * ${DAY_S}`))} as near_day, ${date('time_start')} as first_day
  from days
),
overlapping as (
  select
    one.user_id, one.id, other.id as other_id, one.size_s, one.is_multisport, other.is_multisport as other_multisport,
    one.provider = other.provider and one.source_type = other.source_type as same_source,
    coalesce(one.family = other.family, true) as may_match,
    one.time_start as one_start, other.time_start as other_start,
    ${shared} as shared_s,
    greatest(one.lasts_s, other.lasts_s) as longer_s,
    other.lasts_s as other_s,
    ${secondsBetween('one.time_start', 'other.time_start')} as later_start_s,
    ${secondsBetween('one.time_end', 'other.time_end')} as later_end_s
  from near one
  join near other
    on other.user_id = one.user_id and other.near_day = one.near_day
  -- Each pair is found on its first common day only.
  where one.near_day = greatest(one.first_day, other.first_day)
    and case when other.size_s = one.size_s then other.id > one.id else other.size_s < one.size_s end
    and other.time_start < one.time_end and one.time_start < other.time_end
),
compared as (
  select
    *,
    may_match and 2 * shared_s >= longer_s as is_same,
    ${together} as is_together,
    later_start_s >= -${TOLERANCE_S} and later_end_s <= ${TOLERANCE_S} and 2 * shared_s >= other_s as is_inside
  from overlapping
),
pairs as (
  select user_id, id, other_id, one_start, other_start, size_s, same_source, reason
  from (
    select
      *,
      case
        when is_inside and is_multisport and not (is_same and (is_together or (other_multisport and not same_source)))
          then case when other_multisport and same_source then 'contained' else 'leg' end
        when is_inside and may_match and same_source and not (is_same and is_together) then 'contained'
        when is_same then case when same_source then 'repeated' else 'other_source' end
      end as reason
    from compared
  ) explained
  where reason is not null
)`;
}
