import { columnMeasures, type TableDeclaration } from '@aorta/schemas';
import { allColumns, withSource } from './columns.ts';
import type { View, ViewColumn, ViewDialect } from './dialect.ts';
import { plausibleValue } from './plausible.ts';
import { additiveColumns, workoutDay } from './recorded-workouts.ts';
import { sourceName } from './source-rank.ts';

/** Sources whose parts cover this share of a workout come before sources whose parts cover less of it. */
const MOST = 0.75;
/**
 * Base of the order for sources that cover less; their place is subtracted. The highest order wins. No workout has that many
 * sources.
 */
const LESS = 1000;

const LOCAL_DATE =
  'Local date of the workout: `calendar_date` as sent, otherwise the date of its start in its own offset, or in UTC without one.';

/**
 * Workouts without their duplicate records, which `workouts_duplicates` contains.
 *
 * If the kept record lacks a value, the view adds up the values of its parts: the legs of a multisport workout, and
 * contained records. All parts of a sum come from one source. Sources whose parts with this value cover most of the workout
 * come first, because a device that recorded a single leg does not know the total. Then the order of sources decides.
 */
export function workoutsDeduplicatedView(dialect: ViewDialect, workouts: TableDeclaration): View {
  const { table, jsonList, emptyList, latest } = dialect;
  const additive = additiveColumns(workouts);
  const isAdditive = (name: string): boolean => additive.some((one) => one.name === name);
  const own = (name: string): string => `w.${dialect.name(name)}`;
  const plausible = (name: string): string => plausibleValue('workouts', name, own(name));
  const measured = new Set(columnMeasures.flatMap((measure) => (measure.table === 'workouts' ? [measure.column] : [])));
  const computed: Readonly<Record<string, string>> = {
    local_date: workoutDay(dialect, 'w'),
    source: sourceName(dialect, 'w.provider', 'w.source_type'),
  };
  const columns = withSource(allColumns(workouts)).map((column) =>
    column.name === 'calendar_date' ? { ...column, name: 'local_date', doc: LOCAL_DATE } : column,
  );
  const values = columns.map(({ name }) => {
    if (computed[name] !== undefined) return `${computed[name]} as ${name}`;
    if (!measured.has(name)) return own(name);
    return `${isAdditive(name) ? `coalesce(${plausible(name)}, sums.${name})` : plausible(name)} as ${name}`;
  });
  const others = {
    id: 'id',
    provider: 'provider',
    source_type: 'source_type',
    reason: 'reason',
    overlap_share: 'overlap_share',
  };
  // The covered share is rounded, because the last digits of a sum depend on the order of the rows.
  const sums = additive.flatMap(({ name, type }) => [
    `${type === 'int64' ? `cast(sum(${plausible(name)}) as int64)` : `sum(${plausible(name)})`} as ${name}`,
    `round(sum(case when ${plausible(name)} is not null then d.overlap_share end), 6) >= ${MOST} as ${name}_of_most`,
  ]);
  const chosen = additive.map(({ name }) => {
    const order = `case when ${name}_of_most then ${2 * LESS} else ${LESS} end - source_place`;
    return `${latest(name, order)} as ${name}`;
  });
  return {
    name: 'workouts_deduplicated',
    doc: 'One workout of a user, however many records it has.',
    columns: [
      ...columns.map((column) => (isAdditive(column.name) ? withSum(column) : column)),
      {
        name: 'also_recorded',
        type: 'json',
        doc: 'List of the other records of the workout, each with id, provider, source_type, reason and overlap_share, as in workouts_duplicates.',
      },
      { name: 'sources', type: 'int64', unit: 'count', doc: 'Number of records of the workout, including this one.' },
      {
        name: 'summed_columns',
        type: 'string',
        doc: 'Names of the columns whose value is a sum of legs or contained records, separated by commas; NULL if there are none.',
      },
    ],
    query: `with duplicates as (
  select user_id, id, kept_id, provider, source_type, reason, overlap_share, source_place
  from ${table('workouts_duplicates')}
),
-- The sums of each source that has parts of a workout.
sums_of_sources as (
  select
    d.user_id, d.kept_id, d.source_place,
    ${sums.join(',\n    ')}
  from duplicates d
  join ${table('workouts')} w on w.user_id = d.user_id and w.id = d.id
  where d.source_place is not null
  group by d.user_id, d.kept_id, d.source_place
),
sums as (
  select
    user_id, kept_id,
    ${chosen.join(',\n    ')}
  from sums_of_sources
  group by user_id, kept_id
)
select
  ${values.join(', ')},
  coalesce(other_records.also_recorded, ${emptyList}) as also_recorded,
  1 + coalesce(other_records.records, 0) as sources,
  case when sums.kept_id is not null then nullif(substr(${additive
    .map(({ name }) => `case when ${plausible(name)} is null and sums.${name} is not null then ', ${name}' else '' end`)
    .join('\n    || ')}, 3), '') end as summed_columns
from ${table('workouts')} w
left join duplicates duplicate on duplicate.user_id = w.user_id and duplicate.id = w.id
left join (
  select user_id, kept_id, count(*) as records, ${jsonList(others, ['provider', 'source_type', 'id'])} as also_recorded
  from duplicates
  group by user_id, kept_id
) other_records on other_records.user_id = w.user_id and other_records.kept_id = w.id
left join sums on sums.user_id = w.user_id and sums.kept_id = w.id
where duplicate.id is null`,
  };
}

function withSum(column: ViewColumn): ViewColumn {
  return { ...column, doc: `${column.doc} If the record lacks it, the sum over the legs or contained records of one source.` };
}
