import type { View, ViewDialect } from './dialect.ts';
import { startInstant } from './local-time.ts';

/**
 * How long the measurements of each provider take to arrive, from their end to their receipt. Measurements are samples,
 * blood pressure readings and workouts. The view ignores measurements from before the connection, because they are history
 * and not late. It also ignores corrections, which are not new, and times after the receipt, which are wrong.
 */
export function providerLatencyView(dialect: ViewDialect): View {
  const { table, secondsBetween, floor, instantOfLocal } = dialect;
  const end = 'coalesce(s.end_at, s.start_at)';
  const ended = `case when s.time_basis = 'floating' then ${instantOfLocal(end, 's.local_offset_s')} else ${end} end`;
  const latency = floor(secondsBetween('measured_at', 'received_at'));
  const within = (share: string): string => `min(case when ${share} then latency_s end) / 60.0`;
  return {
    name: 'provider_latency',
    doc: 'How long the new measurements of one provider take to arrive: samples, readings of blood pressure and workouts.',
    columns: [
      { name: 'provider', type: 'string', doc: 'Slug of the provider.' },
      {
        name: 'measurements',
        type: 'int64',
        unit: 'count',
        doc: 'Number of measurements after the connection. Corrections do not count, nor do measurements later than their receipt. One that is sent again as new counts with its last receipt.',
      },
      {
        name: 'median_min',
        type: 'float64',
        unit: 'min',
        doc: 'Shortest time within which half of them arrive, from their end to their receipt.',
      },
      { name: 'p90_min', type: 'float64', unit: 'min', doc: 'Shortest time within which 90 % of them arrive.' },
      {
        name: 'unknown_instant',
        type: 'int64',
        unit: 'count',
        doc: 'Number of measurements that are left out because they have a local time and the user’s offset is not known.',
      },
    ],
    query: `with received as (
  select s.user_id, s.provider, s.event_type, ${ended} as measured_at, s._received_at as received_at
  from ${table('timeseries_local')} s
  union all
  select s.user_id, s.provider, s.event_type, ${startInstant(dialect, 's')}, s._received_at
  from ${table('blood_pressure_local')} s
  union all
  select user_id, provider, event_type, time_end, _received_at
  from ${table('workouts')}
  where time_end is not null
),
-- Millions of measurements have few different latencies.
latencies as (
  select r.provider, ${latency} as latency_s, count(*) as measurements
  from received r
  join ${table('connections')} c on c.user_id = r.user_id and c.provider = r.provider
  where r.event_type like '%.created'
    and (measured_at is null or c.connected_at is not null and measured_at >= c.connected_at and measured_at <= received_at)
  group by r.provider, ${latency}
)
select
  provider, cast(coalesce(max(of_provider), 0) as int64) as measurements,
  ${within('2 * up_to >= of_provider')} as median_min, ${within('10 * up_to >= 9 * of_provider')} as p90_min,
  cast(coalesce(sum(case when latency_s is null then measurements end), 0) as int64) as unknown_instant
from (
  select
    *, sum(case when latency_s is not null then measurements end) over (partition by provider) as of_provider,
    sum(case when latency_s is not null then measurements end) over (partition by provider order by latency_s) as up_to
  from latencies
) ordered
group by provider`,
  };
}
