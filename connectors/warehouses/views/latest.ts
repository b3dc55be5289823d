import { aboveZero } from '../kept/timeseries-daily.ts';
import { columnsOf, withSource } from './columns.ts';
import type { View, ViewColumn, ViewDialect } from './dialect.ts';
import { localSamples, localTimeColumns } from './local-time.ts';
import { sourceName } from './source-rank.ts';
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
 * The latest sample of each user, resource and type, across all sources. The view ignores samples that do not count for their
 * measure. It also ignores samples that are later than their receipt, because the device's clock was wrong.
 *
 * `timeseries_daily` has the latest times of each source and day, so the query reads few samples. Times are compared as
 * instants. A local time without a known offset counts only if no source has an instant.
 */
export function latestSamplesView(dialect: ViewDialect): View {
  const { table, hash } = dialect;
  const names = columns.map(({ name }) => name);
  const shown = withSource(columns);
  const { join, counts, value, unit } = countedSamples(dialect, 's');
  const computed: Readonly<Record<string, string>> = { value_canonical: value, unit_canonical: unit };
  // Two sources may have a sample at the same time. The hash favours no provider.
  const source = hash(`s.user_id || ' ' || ${sourceName(dialect, 's.provider', 's.source_type')}`);
  const order = [
    'case when latest_at is null then 1 else 0 end',
    'latest_at desc',
    'case when latest_at is null then latest_floating_at end desc',
    's._received_at desc',
    source,
    's.provider',
    's.source_type',
    's.source_workout_id',
  ];
  const key = ['user_id', 'resource', 'sample_type', 'provider', 'source_type'];
  // These conditions are not in the join, because DuckDB would hash these texts for every sample, which takes longer.
  const same = key.slice(2).map((name) => `newest.${name} = s.${name}`);
  return {
    name: 'latest_samples',
    doc: 'The latest sample of one user, resource and sample type, across all sources.',
    columns: [...shown, ...localTimeColumns],
    query: localSamples(
      dialect,
      `(
      select ${names.join(', ')}
      from (
        select
          ${names.map((name) => `${computed[name] ?? `s.${name}`} as ${name}`).join(', ')},
          row_number() over (partition by s.user_id, s.resource, s.sample_type order by ${order.join(', ')}) as nth
        from ${table('timeseries')} s
        join (
          select
            *, case when latest_at is null then latest_floating_at else latest_start_at end as newest_start_at
          from (
            select
              ${key.join(', ')}, max(latest_at) as latest_at,
              ${dialect.latest('latest_start_at', aboveZero(dialect.micros('latest_at')))} as latest_start_at,
              max(latest_floating_at) as latest_floating_at
            from ${table('timeseries_daily')}
            group by ${key.join(', ')}
          ) of_source
        ) newest on newest.user_id = s.user_id and newest.resource = s.resource and newest.newest_start_at = s.start_at
        ${join}
        where ${counts} and case when ${same.join(' and ')} then true else false end
      ) numbered
      where nth = 1
    )`,
      shown.map(({ name }) => name),
    ),
  };
}
