import type { View, ViewDialect } from './dialect.ts';
import { localSamples } from './local-time.ts';

/** The latest sample of each user, resource and type, across all sources. */
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
    'time_basis',
    '_received_at',
  ];
  // Two sources may have a sample at the same time. Ordering by name makes the result deterministic.
  const order = 'start_at desc, _received_at desc, provider, source_type, source_workout_id';
  return {
    name: 'latest_samples',
    query: localSamples(
      dialect,
      `(
      select ${columns.join(', ')}
      from (
        select *, row_number() over (partition by user_id, resource, sample_type order by ${order}) as nth
        from ${dialect.table('timeseries')}
      ) numbered
      where nth = 1
    )`,
      columns,
    ),
  };
}
