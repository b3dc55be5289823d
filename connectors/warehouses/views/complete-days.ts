import type { ViewColumn, ViewDialect } from './dialect.ts';
import { localDates, receivedSources } from './person-sources.ts';

/** A source is expected on a day if it has data on one of this many days before. */
export const EXPECTED_DAYS = 7;

const DAY_S = 24 * 60 * 60;

export const isCompleteColumn: ViewColumn = {
  name: 'is_complete',
  type: 'bool',
  doc: `Whether the day is over for each source with data in the ${EXPECTED_DAYS} days before: the source has sent an event after the end of the day. The day must also have ended before the last receipt of any user.`,
};

/** Query for the last receipt of anybody, as `last_at`. */
export const lastReceipt = ({ table, addSeconds }: ViewDialect): string => `select max(received_at) as last_at
      from ${table('deliveries')}
      where received_at <= ${addSeconds('_loaded_at', String(DAY_S))}`;

/**
 * Query for each user's `current_date_of` and `delayed_dates`. The first is the user's local date at the last receipt of
 * anybody. The second lists the dates for which an expected source has sent nothing after their end, as text.
 *
 * The local day of an instant is over for all dates before the user's local date at that instant. So a source delays only the
 * dates from its last receipt on, and only while it is expected. A receipt that is later than the merge of its row by more than a
 * day has a wrong time, and does not count as the last one.
 *
 * The query names each view once, because BigQuery computes a view again wherever it is named.
 */
export function openDates(dialect: ViewDialect): string {
  const { table, addDays, joined, numbered } = dialect;
  const of = ['user_id', 'provider', 'source_type'];
  const instants = `${receivedSources(dialect)}
    union all
    select user_id, null, null, last_at
    from (select distinct user_id from ${table('deliveries')} where user_id is not null) users
    cross join (
      ${lastReceipt(dialect)}
    ) latest`;
  const expected = `(
    select r.user_id, r.provider, r.at_date, s.local_date
    from (
${localDates(dialect, instants, of)}
    ) r
    left join ${table('source_days')} s
      on s.user_id = r.user_id and s.provider = r.provider and s.source_type = r.source_type
      and ${addDays('s.local_date', String(EXPECTED_DAYS))} >= r.at_date
  )`;
  return `select
  user_id, max(case when provider is null then at_date end) as current_date_of,
  ${joined('case when delayed_date >= at_date then cast(delayed_date as string) end')} as delayed_dates
from (
  select *, ${addDays('local_date', 'ordinal')} as delayed_date
  from (
  ${numbered(expected, ['user_id', 'provider', 'at_date', 'local_date'], String(EXPECTED_DAYS))}
  ) expected
) dated
group by user_id`;
}

/** Expression for {@link isCompleteColumn}. `open` is the alias of {@link openDates}. */
export const isComplete = (date: string, open: string): string =>
  `(coalesce(${date} < ${open}.current_date_of, false) and coalesce(strpos(${open}.delayed_dates, cast(${date} as string)), 0) = 0)`;
