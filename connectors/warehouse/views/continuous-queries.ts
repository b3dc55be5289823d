/**
 * The rows that changed in the results of continuous queries: what the service sends by column, turned into a JSON object
 * a row. Columns of different lengths are filled up with null.
 */
export const continuousQueryRowsView = `create or replace view continuous_query_rows as
select
  user_id, query_id, query_slug, n as row_number,
  to_json(map_from_entries(list_transform(map_entries(columns), lambda entry: {k: entry.key, v: entry.value[n]}))) as "row",
  _received_at, _origin, _offset
from (
  select *, from_json(result_columns, '"MAP(VARCHAR, JSON[])"') as columns
  from continuous_query_results_changes
), lateral (
  select unnest(range(1, 1 + coalesce(list_max(list_transform(map_values(columns), lambda list: len(list))), 0))) as n
)`;
