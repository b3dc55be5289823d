import type { TableDeclaration } from '@aorta/schemas';
import { allColumns } from './columns.ts';
import type { View, ViewDialect } from './dialect.ts';

/** Workouts without those that another source recorded more completely. `workouts_duplicates` has the others. */
export function workoutsDeduplicatedView(dialect: ViewDialect, workouts: TableDeclaration): View {
  const { table, jsonList, emptyList } = dialect;
  const names = [...workouts.columns.map(({ name }) => name), '_loaded_at'];
  const others = { id: 'id', provider: 'provider', source_type: 'source_type', overlap_share: 'overlap_share' };
  return {
    name: 'workouts_deduplicated',
    doc: 'One workout of a user, in the most complete record of all sources.',
    columns: [
      ...allColumns(workouts),
      {
        name: 'also_recorded',
        type: 'json',
        doc: 'List of the records of other sources, each with id, provider, source_type, and the overlap as a share of the longer one.',
      },
      { name: 'sources', type: 'int64', unit: 'count', doc: 'Number of records of the workout, including this one.' },
    ],
    query: `with duplicates as (
  select user_id, id, kept_id, provider, source_type, overlap_share
  from ${table('workouts_duplicates')}
)
select
  ${names.map((name) => `w.${dialect.name(name)}`).join(', ')},
  coalesce(other_records.also_recorded, ${emptyList}) as also_recorded,
  1 + coalesce(other_records.records, 0) as sources
from ${table('workouts')} w
left join duplicates duplicate on duplicate.user_id = w.user_id and duplicate.id = w.id
left join (
  select user_id, kept_id, count(*) as records, ${jsonList(others, ['provider', 'source_type', 'id'])} as also_recorded
  from duplicates
  group by user_id, kept_id
) other_records on other_records.user_id = w.user_id and other_records.kept_id = w.id
where duplicate.id is null`,
  };
}
