import { resourceColumns, type TableDeclaration, type TimeseriesResource } from '@aorta/schemas';
import type { View, ViewDialect } from './dialect.ts';

/** Columns of `timeseries` that identify the owner and the source of a sample. The view omits columns that are not landed. */
const origin = ['user_id', 'client_user_id', 'team_id', 'provider', 'source_type', 'source_app_id', 'source_device_id'];

/**
 * Returns the view of one timeseries resource. The name of the value column contains a unit. The column is NULL for values that
 * were sent in a different unit, so glucose in mg/dL never appears as mmol/L. A value without a unit counts as being in the
 * column's unit. `value` and `unit` contain the value and unit as sent.
 */
export function resourceView(dialect: ViewDialect, declared: TimeseriesResource, timeseries: TableDeclaration): View {
  const { resource, form, unit } = declared;
  const { value, further } = resourceColumns(declared);
  const landed = new Set(timeseries.columns.map(({ name }) => name));
  const end = form === 'interval' ? '\n  end_at,' : '';
  const own = further.map((column) => `${column}, `).join('');
  return {
    name: resource,
    query: `select
  ${origin.filter((name) => landed.has(name)).join(', ')},
  start_at,${end} timezone_offset_s, local_date, time_basis, sample_type,
  ${own}case when unit is null or lower(unit) = ${dialect.text(unit.toLowerCase())} then value end as ${value},
  value, unit, _day, _received_at, _loaded_at
from ${dialect.table('timeseries')}
where resource = ${dialect.text(resource)}`,
  };
}
