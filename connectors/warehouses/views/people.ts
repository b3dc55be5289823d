import { aboveZero } from '../kept/timeseries-daily.ts';
import type { View, ViewColumn, ViewDialect } from './dialect.ts';

const columns: readonly ViewColumn[] = [
  { name: 'user_id', type: 'string', doc: 'The service’s id of the user.' },
  {
    name: 'client_user_id',
    type: 'string',
    doc: 'The customer’s id of the user, from `users`, otherwise from the newest event that names it; NULL if none does.',
  },
  { name: 'time_zone', type: 'string', doc: 'Current IANA time zone; NULL if it is unknown.' },
  {
    name: 'timezone_offset_s',
    type: 'int64',
    unit: 's',
    doc: 'Current offset of local time from UTC, positive to the east; NULL if the time zone is known, or neither is.',
  },
  {
    name: 'sources',
    type: 'string',
    doc: 'Sources with data, as `provider/source_type`, separated by commas; NULL if there are none.',
  },
  { name: 'first_date', type: 'date', doc: 'First local date with data; NULL without data.' },
  { name: 'last_date', type: 'date', doc: 'Last local date with data, as in `person_sources`; NULL without data.' },
  {
    name: 'last_received_at',
    type: 'timestamp',
    doc: 'When the last delivery was received, also an answer to a poll by Aorta; NULL if there is none. `person_sources` has the last receipt of each source.',
  },
  { name: 'devices', type: 'int64', unit: 'count', doc: 'Number of devices.' },
  {
    name: 'open_pulls',
    type: 'int64',
    unit: 'count',
    doc: 'Number of historical pulls that are `in_motion`, `retrying` or `stalled` in `historical_pull_board`.',
  },
];

/** One row per user that the service lists or that a delivery names. */
export function peopleView(dialect: ViewDialect): View {
  const { table, joined, latest, micros } = dialect;
  const counted = (relation: string, alias: string, condition = ''): string => `left join (
  select user_id, count(*) as ${alias}
  from ${table(relation)}${condition}
  group by user_id
) of_${alias} on of_${alias}.user_id = known.user_id`;
  return {
    name: 'people',
    doc: 'One person: both ids, the time zone, the sources and what there is of them.',
    columns,
    query: `select
  known.user_id, known.client_user_id, zone.time_zone, zone.offset_s as timezone_offset_s, data.sources, data.first_date, data.last_date,
  known.last_received_at, coalesce(of_devices.devices, 0) as devices, coalesce(of_open_pulls.open_pulls, 0) as open_pulls
from (
  select
    user_id, coalesce(max(listed_id), ${latest('sent_id', aboveZero(micros('received_at')))}) as client_user_id, max(received_at) as last_received_at
  from (
    select user_id, cast(null as string) as listed_id, client_user_id as sent_id, received_at
    from ${table('deliveries')}
    where user_id is not null
    union all
    select user_id, client_user_id, null, null
    from ${table('users')}
  ) named
  group by user_id
) known
left join ${table('user_time_zones')} zone on zone.user_id = known.user_id and zone.to_at is null
left join (
  select user_id, ${joined('source')} as sources, min(first_date) as first_date, max(last_date) as last_date
  from ${table('person_sources')}
  group by user_id
) data on data.user_id = known.user_id
${counted('devices', 'devices')}
${counted('historical_pull_board', 'open_pulls', "\n  where standing in ('in_motion', 'retrying', 'stalled')")}`,
  };
}
