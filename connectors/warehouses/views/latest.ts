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
 *
 * The query finds the newest times first, and orders only the samples at these times. Ordering all samples takes ten times as
 * long in DuckDB. The join does not compare the types, which may be NULL, because it may find more samples than needed.
 */
export function latestSamplesView(dialect: ViewDialect): View {
  const names = columns.map(({ name }) => name);
  const { join, counts, value, unit } = countedSamples(dialect, 's');
  const considered = `not ${laterThanReceipt(dialect, 'start_at')}`;
  // Two sources may have a sample at the same time. Ordering by name makes the result deterministic.
  const order = 's.start_at desc, s._received_at desc, s.provider, s.source_type, s.source_workout_id';
  const type = 's.user_id, s.resource, s.sample_type';
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
          row_number() over (partition by ${type} order by ${order}) as nth
        from ${dialect.table('timeseries')} s
        join (
          select ${type}, max(start_at) as start_at
          from (
            select user_id, resource, sample_type, unit, max(start_at) as start_at
            from ${dialect.table('timeseries')}
            where ${considered}
            group by user_id, resource, sample_type, unit
          ) s
          ${join}
          where ${counts}
          group by ${type}
        ) newest on newest.user_id = s.user_id and newest.resource = s.resource and newest.start_at = s.start_at
        ${join}
        where ${counts} and not ${laterThanReceipt(dialect, 's.start_at')}
      ) numbered
      where nth = 1
    )`,
      names,
    ),
  };
}
