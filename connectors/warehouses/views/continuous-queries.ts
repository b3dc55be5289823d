import type { View, ViewDialect } from './dialect.ts';

/**
 * Changed rows in the results of continuous queries, as JSON objects. The service sends the results as columns. Shorter columns
 * are filled with null.
 */
export function continuousQueryRowsView({ table, name, objects }: ViewDialect): View {
  const columns = ['user_id', 'query_id', 'query_slug', '_received_at', '_origin', '_offset'];
  return {
    name: 'continuous_query_rows',
    query: `select
  user_id, query_id, query_slug, ordinal as row_number,
  object as ${name('row')},
  _received_at, _origin, _offset
from (
  ${objects(table('continuous_query_results_changes'), columns, 'result_columns')}
) changed`,
  };
}
