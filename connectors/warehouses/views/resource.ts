import { measureOfSample, resourceColumns, type TableDeclaration, type TimeseriesResource } from '@aorta/schemas';
import { canonicalUnit, canonicalValue } from './canonical-unit.ts';
import { allColumns, sourceColumn } from './columns.ts';
import type { View, ViewColumn, ViewDialect } from './dialect.ts';
import { localTimeColumns } from './local-time.ts';
import { unitText } from './unit-conversions.ts';

/** Columns of `timeseries` that identify the owner and the source of a sample. The view omits columns that are not landed. */
const origin = ['user_id', 'client_user_id', 'team_id', 'provider', 'source_type', 'source', 'source_app_id', 'source_device_id'];

/** A column of the view, with its expression if it is not a column of `timeseries`. */
interface ShownColumn extends ViewColumn {
  readonly expression?: string;
}

/**
 * Returns the view of one timeseries resource. The name of the value column contains a unit. The column contains every value
 * whose unit can be converted to this unit, and is NULL for all others. So glucose in mg/dL never appears as mmol/L. `value`
 * and `unit` contain the value and unit as sent, and `value_canonical` and `unit_canonical` the converted ones.
 */
export function resourceView(dialect: ViewDialect, declared: TimeseriesResource, timeseries: TableDeclaration): View {
  const { resource, form } = declared;
  const { further } = resourceColumns(declared);
  const known = new Map([...allColumns(timeseries), sourceColumn, ...localTimeColumns].map((column) => [column.name, column]));
  const plain = (...names: readonly string[]): ShownColumn[] => names.map((name) => known.get(name)!);
  const columns: readonly ShownColumn[] = [
    ...plain(...origin.filter((name) => known.has(name))),
    ...plain('start_at', ...(form === 'interval' ? ['end_at'] : []), 'timezone_offset_s'),
    ...plain('local_date', 'local_date_basis', 'local_at', 'local_hour', 'time_basis'),
    ...plain('sample_type', ...further),
    valueColumn(dialect, declared),
    ...plain('value', 'unit'),
    ...canonicalColumns(dialect, resource),
    ...plain('_day', '_received_at', '_loaded_at'),
  ];
  return {
    name: resource,
    doc: `The samples of the resource ${resource}.`,
    columns: columns.map(({ expression: _, ...column }) => column),
    query: `select
  ${columns.map(({ name, expression }) => (expression === undefined ? name : `${expression} as ${name}`)).join(',\n  ')}
from ${dialect.table('timeseries_local')}
where resource = ${dialect.text(resource)}`,
  };
}

function canonicalColumns(dialect: ViewDialect, resource: string): ShownColumn[] {
  return [
    {
      name: 'value_canonical',
      type: 'float64',
      unit: 'unit_canonical',
      doc: 'The value in the canonical unit; NULL if the unit of the value is not known for this resource.',
      expression: canonicalValue(dialect, resource),
    },
    {
      name: 'unit_canonical',
      type: 'string',
      doc: 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.',
      expression: canonicalUnit(dialect, resource),
    },
  ];
}

/** The column whose name contains the unit. A resource without a measure has codes, which no unit converts. */
function valueColumn(dialect: ViewDialect, declared: TimeseriesResource): ShownColumn {
  const { resource, unit } = declared;
  const own = `case when ${unitText('unit')} in ('', ${dialect.text(unit.toLowerCase())}) then value end`;
  return {
    name: resourceColumns(declared).value,
    type: 'float64',
    unit,
    doc: 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted.',
    expression: measureOfSample(resource, null) === undefined ? own : canonicalValue(dialect, resource),
  };
}
