import { columnsOf } from './columns.ts';
import type { View, ViewColumn, ViewDialect } from './dialect.ts';

const columns: readonly ViewColumn[] = [
  ...columnsOf('lab_results_items', ['user_id']),
  { name: 'marker', type: 'string', doc: 'Slug of the result, otherwise its name.' },
  ...columnsOf('lab_results_items', ['name', 'loinc', 'order_id', 'ordinal', 'taken_at', 'result', 'result_sign']),
  ...columnsOf('lab_results_items', ['result_number', 'unit', 'reference_low', 'reference_high']),
  {
    name: 'verdict',
    type: 'string',
    doc: '`normal`, `abnormal` or `critical`, from the interpretation, otherwise from the reference range. `unknown` if there is neither.',
  },
  { name: 'is_above', type: 'bool', doc: 'Whether the result is above the reference range; NULL if it is not known.' },
  { name: 'is_below', type: 'bool', doc: 'Whether the result is below the reference range; NULL if it is not known.' },
  { name: 'nth', type: 'int64', doc: 'Number of the result among those of the user and marker, from 1 for the first.' },
  { name: 'is_latest', type: 'bool', doc: 'Whether it is the last result of the user and marker.' },
  {
    name: 'previous_number',
    type: 'float64',
    unit: 'unit',
    doc: 'Number of the result before it; NULL if the units differ, or if one of the two has a sign such as `<`.',
  },
  { name: 'previous_at', type: 'timestamp', doc: 'Time of the result before it.' },
];

/**
 * Every result of a marker of a user, in the order in which the samples were taken. `lab_results` has the newest answer for each
 * order, so a corrected result appears once. Results without a time come first, in the order of their orders' ids.
 */
export function labResultHistoryView({ table, text }: ViewDialect): View {
  const marker = 'coalesce(slug, name)';
  const window = `partition by user_id, marker order by taken_at nulls first, order_id, ordinal`;
  const interpretations = ['normal', 'abnormal', 'critical'].map(text).join(', ');
  return {
    name: 'lab_result_history',
    doc: 'One result of a marker of a user, with its verdict and the result before it.',
    columns,
    query: `select
  user_id, marker, name, loinc, order_id, ordinal, taken_at, result, result_sign, result_number, unit, reference_low, reference_high,
  case
    when interpretation in (${interpretations}) then interpretation
    when is_above_max_range or is_below_min_range then 'abnormal'
    when not is_above_max_range and not is_below_min_range then 'normal'
    else 'unknown'
  end as verdict,
  is_above_max_range as is_above, is_below_min_range as is_below, nth, nth = results as is_latest,
  case when coalesce(unit, '') = previous_unit and result_sign is null and previous_sign is null then previous_number end as previous_number,
  previous_at
from (
  select
    *, row_number() over (${window}) as nth, count(*) over (partition by user_id, marker) as results,
    lag(result_number) over (${window}) as previous_number, lag(coalesce(unit, '')) over (${window}) as previous_unit,
    lag(result_sign) over (${window}) as previous_sign, lag(taken_at) over (${window}) as previous_at
  from (
    select *, ${marker} as marker
    from ${table('lab_results_items')}
  ) named
  where marker is not null
) ordered`,
  };
}
