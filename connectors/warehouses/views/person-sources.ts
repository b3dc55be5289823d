import { sourceDays } from '../kept/source-days.ts';
import type { View, ViewColumn, ViewDialect } from './dialect.ts';
import { localSamples } from './local-time.ts';

const source = ['user_id', 'provider', 'source_type', 'source'];

const columns: readonly ViewColumn[] = [
  ...sourceDays.columns.filter(({ name }) => source.includes(name)),
  { name: 'first_date', type: 'date', doc: 'First local date with data of the source.' },
  {
    name: 'last_date',
    type: 'date',
    doc: 'Last local date with data of the source. Dates more than a day after the last receipt do not count; NULL if there are no others.',
  },
  { name: 'days', type: 'int64', unit: 'count', doc: 'Number of local dates with data of the source.' },
  {
    name: 'last_received_at',
    type: 'timestamp',
    doc: 'When the last event of the source was received, whatever day its data belongs to; NULL if `deliveries` has none.',
  },
  {
    name: 'last_received_date',
    type: 'date',
    doc: 'Local date of the user at `last_received_at`; the date in UTC if the offset of the user is unknown.',
  },
];

/** Query for the local date of users at instants. `instants` is a query with these columns and `start_at`. */
export function localDates(dialect: ViewDialect, instants: string, names: readonly string[]): string {
  const own = [...names, 'start_at', 'timezone_offset_s', 'time_basis'];
  const sample = `(
  select *, cast(null as int64) as timezone_offset_s, 'utc' as time_basis
  from (
${instants}
  ) instants
)`;
  return `select ${[...names, 'start_at'].join(', ')}, coalesce(local_date, ${dialect.date('start_at')}) as at_date
from (
${localSamples(dialect, sample, own)}
) located`;
}

/** Condition that a delivery shows that its source was received. */
export const countsAsReceived =
  "source_type is not null and stream <> 'devices' and dead_letter_reason is null and not redelivered";

/** Query for the last receipt of each source of a user, as `start_at`. */
export const receivedSources = ({
  table,
}: ViewDialect): string => `    select user_id, provider, source_type, max(received_at) as start_at
    from ${table('deliveries')}
    where ${countsAsReceived}
    group by user_id, provider, source_type`;

/**
 * One row per user and source with data. An event counts for its source even if it corrects data of an earlier day. A device with
 * a wrong clock sends dates in the future, and such a date is not the last one.
 */
export function personSourcesView(dialect: ViewDialect): View {
  const of = ['user_id', 'provider', 'source_type'];
  return {
    name: 'person_sources',
    doc: 'One source of a user: its first and last data, and when it was last received.',
    columns,
    query: `select
  ${source.map((name) => `d.${name}`).join(', ')}, min(d.local_date) as first_date,
  max(case when received.at_date is null or d.local_date <= ${dialect.addDays('received.at_date', '1')} then d.local_date end) as last_date,
  count(*) as days, received.start_at as last_received_at, received.at_date as last_received_date
from ${dialect.table('source_days')} d
left join (
${localDates(dialect, receivedSources(dialect), of)}
) received on ${of.map((name) => `received.${name} = d.${name}`).join(' and ')}
group by ${source.map((name) => `d.${name}`).join(', ')}, received.start_at, received.at_date`,
  };
}
