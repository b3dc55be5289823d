import { laterThanReceipt } from './data-issues.ts';
import type { View, ViewDialect } from './dialect.ts';
import { localSamples } from './local-time.ts';
import { countedSamples } from './unit-conversions.ts';

/**
 * The latest sample of each user, resource and type, across all sources. The view ignores samples whose unit is not known
 * for their measure. It also ignores samples later than their receipt, because a device with a wrong clock sent them.
 */
export function latestSamplesView(dialect: ViewDialect): View {
  const columns = [
    'user_id',
    'resource',
    'sample_type',
    'provider',
    'source_type',
    'start_at',
    'end_at',
    'timezone_offset_s',
    'value',
    'unit',
    'value_canonical',
    'unit_canonical',
    'time_basis',
    '_received_at',
  ];
  const { join, counts, value, unit } = countedSamples(dialect, 's');
  // Two sources may have a sample at the same time. Ordering by name makes the result deterministic.
  const order = 'start_at desc, _received_at desc, provider, source_type, source_workout_id';
  return {
    name: 'latest_samples',
    query: localSamples(
      dialect,
      `(
      select ${columns.join(', ')}
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
      columns,
    ),
  };
}
