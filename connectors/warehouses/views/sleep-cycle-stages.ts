import { columnsOf, withSource } from './columns.ts';
import type { View, ViewDialect } from './dialect.ts';
import { sourceName } from './source-rank.ts';

/**
 * One row per stage of a sleep session. The three lists are parallel. If one is shorter than the others, or was not sent as a
 * list, its column is NULL for the missing stages.
 */
export function sleepCycleStagesView(dialect: ViewDialect): View {
  const { table, addSeconds, length, element, numbered } = dialect;
  const lists = { stage_type: 'stage_type', start_offset_s: 'stage_start_offset_s', end_offset_s: 'stage_end_offset_s' };
  const columns = ['user_id', 'id', 'provider', 'source_type', 'sleep_id', 'session_start'];
  const longest = `greatest(${Object.values(lists).map(length).join(', ')})`;
  const elements = Object.entries(lists).map(([name, list]) => `${element(list, 'ordinal')} as ${name}`);
  return {
    name: 'sleep_cycle_stages',
    doc: 'One stage of a sleep session.',
    columns: [
      ...withSource(columnsOf('sleep_cycle', ['user_id', 'id', 'provider', 'source_type', 'sleep_id'])),
      { name: 'ordinal', type: 'int64', doc: 'Position of the stage in the session, from 1.' },
      {
        name: 'stage',
        type: 'string',
        doc: '`unknown`, `deep`, `light`, `rem`, `awake` or `manual`; NULL if `stage_type` is NULL or any other number.',
      },
      {
        name: 'stage_type',
        type: 'int64',
        doc: 'Kind of the stage as sent: -1 unknown, 1 deep, 2 light, 3 REM, 4 awake, 5 manual. NULL if it was not sent.',
      },
      { name: 'start_at', type: 'timestamp', doc: 'Start of the stage; NULL if it was not sent.' },
      { name: 'end_at', type: 'timestamp', doc: 'End of the stage; NULL if it was not sent.' },
      { name: 'duration_s', type: 'int64', unit: 's', doc: 'Duration of the stage; NULL without a start or an end.' },
    ],
    query: `select
  user_id, id, provider, source_type, ${sourceName(dialect)} as source, sleep_id, ordinal,
  case stage_type
    when -1 then 'unknown' when 1 then 'deep' when 2 then 'light' when 3 then 'rem' when 4 then 'awake' when 5 then 'manual'
  end as stage,
  stage_type,
  ${addSeconds('session_start', 'start_offset_s')} as start_at,
  ${addSeconds('session_start', 'end_offset_s')} as end_at,
  end_offset_s - start_offset_s as duration_s
from (
  select ${columns.join(', ')}, ordinal, ${elements.join(', ')}
  from (
  ${numbered(table('sleep_cycle'), [...columns, ...Object.values(lists)], longest)}
  ) numbered
) staged`,
  };
}
