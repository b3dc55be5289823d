import { columnsOf } from './columns.ts';
import type { View, ViewDialect } from './dialect.ts';

/**
 * Changed rows in the results of continuous queries, as JSON objects. The service sends the results as columns. Shorter columns
 * are filled with null.
 */
export function continuousQueryRowsView({ table, name, objects }: ViewDialect): View {
  const columns = ['user_id', 'query_id', 'query_slug', '_received_at', '_origin', '_offset'];
  return {
    name: 'continuous_query_rows',
    doc: 'One changed row in the result of a continuous query.',
    columns: [
      ...columnsOf('continuous_query_results_changes', ['user_id', 'query_id', 'query_slug']),
      { name: 'row_number', type: 'int64', doc: 'Position of the row in the event, from 1.' },
      { name: 'row', type: 'json', doc: 'The row, as an object with the values by column.' },
      ...columnsOf('continuous_query_results_changes', ['_received_at', '_origin', '_offset']),
    ],
    query: `select
  user_id, query_id, query_slug, ordinal as row_number,
  object as ${name('row')},
  _received_at, _origin, _offset
from (
  ${objects(table('continuous_query_results_changes'), columns, 'result_columns')}
) changed`,
  };
}
