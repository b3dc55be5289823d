import type { TableDeclaration } from '@aorta/schemas';
import type { Preferences } from '../../preferences.ts';
import type { ComputedColumn, KeptTable } from '../kept/kept-table.ts';
import type { ViewDialect } from './dialect.ts';
import { greedyChoice } from './greedy-choice.ts';
import { recordedWorkouts, workoutOrder } from './recorded-workouts.ts';
import { sourceName, usualSource } from './source-rank.ts';
import { workoutPairs } from './workout-pairs.ts';
import { workoutParts } from './workout-parts.ts';

const columns: readonly ComputedColumn[] = [
  { name: 'user_id', type: 'string', class: 'key', doc: 'User.' },
  { name: 'id', type: 'string', class: 'key', doc: 'Id of the workout that is a duplicate.' },
  { name: 'provider', type: 'string', class: 'key', doc: 'Provider of the duplicate.' },
  { name: 'source_type', type: 'string', class: 'key', doc: 'Source type of the duplicate.' },
  { name: 'source', type: 'string', class: 'key', doc: 'Source of the duplicate, as `provider/source_type`.' },
  { name: 'kept_id', type: 'string', class: 'key', doc: 'Id of the workout that workouts_deduplicated has instead.' },
  { name: 'kept_provider', type: 'string', class: 'key', doc: 'Provider of that workout.' },
  { name: 'kept_source_type', type: 'string', class: 'key', doc: 'Source type of that workout.' },
  { name: 'kept_source', type: 'string', class: 'key', doc: 'Source of that workout, as `provider/source_type`.' },
  {
    name: 'reason',
    type: 'string',
    class: 'measure',
    doc: '`other_source`: another source recorded the same workout. `repeated`: the same source recorded it again. `leg`: a multisport workout contains the record. `contained`: another record of the same source contains it.',
  },
  {
    name: 'overlap_share',
    type: 'float64',
    class: 'measure',
    doc: 'Overlap of the two as a share of the longer one, up to 1. It is at least 0.5, except for legs and contained records.',
  },
  {
    name: 'source_place',
    type: 'int64',
    class: 'measure',
    doc: 'For legs and contained records: rank of the source, from 1, among the sources with such records of the workout. NULL if another of these records contains or repeats this one.',
  },
];

/**
 * Workout records that workouts_deduplicated leaves out, because another record represents the same workout.
 * {@link workoutPairs} says which records count as one workout.
 *
 * 1. Parts (legs and contained records) are never kept.
 * 2. The whole records are chosen greedily, the most complete one first.
 * 3. A part belongs to a whole record. If that record is a duplicate, the part belongs to the record that is kept instead.
 *
 * A record with an unknown or impossible duration is never matched with another record.
 */
export function workoutsDuplicates(workouts: TableDeclaration, preferences: Preferences): KeptTable {
  return {
    name: 'workouts_duplicates',
    doc: 'One workout record that duplicates, or is part of, another record of the same user.',
    columns,
    key: ['user_id', 'id'],
    scope: { of: 'user' },
    query: (dialect, from) => `with recursive ${[
      recordedWorkouts(dialect, workouts, preferences, from('workouts')),
      workoutPairs(dialect),
      workoutParts(),
      greedyChoice(dialect, 'lasting', placed(dialect)),
      duplicates,
      summed(dialect),
    ].join(',\n')}
${shown(dialect)}`,
  };
}

/** Adds the days on which the source of a record was used before. Few records need them. */
const withDays = (records: string): string => `(
    select r.*, workout_days.days_before
    from ${records} r
    join workout_days
      on workout_days.user_id = r.user_id and workout_days.provider = r.provider
      and workout_days.source_type = r.source_type and workout_days.day = r.day
  ) used`;

const placed = (dialect: ViewDialect): string => `select
    user_id, id, cast(cluster as string) || ' ' || user_id as cluster_key,
    row_number() over (partition by user_id, cluster order by ${workoutOrder(dialect)}) as place
  from ${withDays('clustered')}`;

/** The records that are not kept. A part `adds_up` if no other part of its source contains or repeats it. */
const duplicates = `duplicates as (
  select
    one.*, parts.reason, coalesce(losers.kept_id, parts.root_id) as kept_id,
    not parts.is_nested and repeated.id is null as adds_up
  from parts
  join lasting one on one.user_id = parts.user_id and one.id = parts.id
  left join losers on losers.user_id = parts.user_id and losers.id = parts.root_id
  left join losers repeated on repeated.user_id = parts.user_id and repeated.id = parts.id
  union all
  select one.*, losers.reason, losers.kept_id, false as adds_up
  from losers
  join lasting one on one.user_id = losers.user_id and one.id = losers.id
  left join parts on parts.user_id = losers.user_id and parts.id = losers.id
  where parts.id is null
)`;

/** The parts that add up, with the place of their source in the order of sources. */
function summed(dialect: ViewDialect): string {
  return `summed as (
  select
    user_id, id,
    dense_rank() over (
      partition by user_id, kept_id order by source_rank, ${usualSource(dialect, 'workout_days_before')}
    ) as source_place
  from (
    select *, max(days_before) over (partition by user_id, kept_id, provider, source_type) as workout_days_before
    from ${withDays('(select * from duplicates where adds_up)')}
  ) adding
)`;
}

function shown(dialect: ViewDialect): string {
  const { secondsBetween } = dialect;
  const shared = secondsBetween('greatest(one.time_start, kept.time_start)', 'least(one.time_end, kept.time_end)');
  return `select
  one.user_id, one.id, one.provider, one.source_type, ${sourceName(dialect, 'one.provider', 'one.source_type')} as source,
  kept.id as kept_id, kept.provider as kept_provider, kept.source_type as kept_source_type,
  ${sourceName(dialect, 'kept.provider', 'kept.source_type')} as kept_source,
  one.reason,
  greatest(0, ${shared}) / greatest(one.lasts_s, kept.lasts_s) as overlap_share,
  summed.source_place
from duplicates one
join lasting kept on kept.user_id = one.user_id and kept.id = one.kept_id
left join summed on summed.user_id = one.user_id and summed.id = one.id`;
}
