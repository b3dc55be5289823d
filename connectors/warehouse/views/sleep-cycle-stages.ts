/**
 * A row for each stage of a sleep session. The three lists are parallel; where one of them is shorter, or came as something
 * else than a list, its column is NULL for the stages that it lacks.
 */
export const sleepCycleStagesView = `create or replace view sleep_cycle_stages as
select
  user_id, id, provider, source_type, sleep_id, ordinal,
  case stage_type
    when -1 then 'unknown' when 1 then 'deep' when 2 then 'light' when 3 then 'rem' when 4 then 'awake' when 5 then 'manual'
  end as stage,
  stage_type,
  session_start + to_seconds(start_offset_s) as start_at,
  session_start + to_seconds(end_offset_s) as end_at,
  end_offset_s - start_offset_s as duration_s
from (
  select
    user_id, id, provider, source_type, sleep_id, session_start, ordinal,
    stage_types[ordinal] as stage_type, starts[ordinal] as start_offset_s, ends[ordinal] as end_offset_s
  from (
    select
      user_id, id, provider, source_type, sleep_id, session_start,
      stage_type as stage_types, stage_start_offset_s as starts, stage_end_offset_s as ends,
      unnest(range(1, 1 + greatest(len(stage_type), len(stage_start_offset_s), len(stage_end_offset_s)))) as ordinal
    from sleep_cycle
  )
)`;
