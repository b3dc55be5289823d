import { columnsOf } from './columns.ts';
import { laterThanReceipt } from './data-issues.ts';
import type { View, ViewColumn, ViewDialect } from './dialect.ts';
import { localSamples, localTimeColumns } from './local-time.ts';
import { countedSamples } from './unit-conversions.ts';

const columns: readonly ViewColumn[] = [
  ...columnsOf('timeseries', ['user_id', 'resource', 'sample_type', 'provider', 'source_type', 'start_at', 'end_at']),
  ...columnsOf('timeseries', ['timezone_offset_s', 'value', 'unit']),
  {
    name: 'value_canonical',
    type: 'float64',
    unit: 'unit_canonical',
    doc: 'The value in the canonical unit; NULL for a resource without a measure.',
  },
  {
    name: 'unit_canonical',
    type: 'string',
    doc: 'The canonical unit as a UCUM code; NULL for a resource without a measure.',
  },
  ...columnsOf('timeseries', ['time_basis', '_received_at']),
];

/**
 * The latest sample of each user, resource and type, across all sources. The view ignores samples whose unit is not known
 * for their measure. It also ignores samples later than their receipt, because a device with a wrong clock sent them.
 */
export function latestSamplesView(dialect: ViewDialect): View {
  const names = columns.map(({ name }) => name);
  const { join, counts, value, unit } = countedSamples(dialect, 's');
  // Two sources may have a sample at the same time. Ordering by name makes the result deterministic.
  const order = 'start_at desc, _received_at desc, provider, source_type, source_workout_id';
  return {
    name: 'latest_samples',
    doc: 'The latest sample of one user, resource and sample type, across all sources.',
    columns: [...columns, ...localTimeColumns],
    query: localSamples(
      dialect,
      `(
      select ${names.join(', ')}
      from (
        select
          s.*, ${value} as value_canonical, ${unit} as unit_canonical,
          row_number() over (partition by user_id, resource, sample_type order by ${order}) as nth
        from ${dialect.table('timeseries')} s
        ${join}
        where ${counts} and not ${laterThanReceipt(dialect, 'start_at')}
      ) numbered
      where nth = 1
    )`,
      names,
    ),
  };
}
