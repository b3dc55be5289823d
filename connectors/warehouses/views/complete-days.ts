import type { ViewColumn, ViewDialect } from './dialect.ts';
import { localDates } from './person-sources.ts';

/** A source is expected on a day if it has data on one of this many days before. */
const EXPECTED_DAYS = 7;

export const isCompleteColumn: ViewColumn = {
  name: 'is_complete',
  type: 'bool',
  doc: `Whether the day is over for each source with data in the ${EXPECTED_DAYS} days before: the source has sent an event after the end of the day. The day must also have ended before the last receipt of any user.`,
};

/**
 * Query for the last receipt of anybody, as `last_at`. A receipt that is later than the merge of its row by more than a day
 * has a wrong time, and does not count.
 */
const lastReceipt = ({ table, addSeconds }: ViewDialect): string => `select max(received_at) as last_at
    from ${table('deliveries')}
    where received_at <= ${addSeconds('_loaded_at', String(24 * 60 * 60))}`;

/** Query for the local date of each user with data at the last receipt of anybody, as `at_date`. */
export const currentDates = (dialect: ViewDialect): string =>
  localDates(
    dialect,
    `    select user_id, last_at as start_at
    from (select distinct user_id from ${dialect.table('source_days')}) users
    cross join (
      ${lastReceipt(dialect)}
    ) latest`,
    ['user_id'],
  );

/**
 * Joins for the columns of {@link isComplete}. `days` is the alias of a relation with `user_id` and `local_date`.
 *
 * The local day of an instant is over for all dates before the user's local date at that instant. So a source delays only the
 * dates from its last receipt on, and only while it is expected.
 */
export function completenessJoins(dialect: ViewDialect, days: string): string {
  const { table, addDays, numbered } = dialect;
  const own = ['user_id', 'local_date', 'last_received_date'];
  const recent = `(
      select s.user_id, s.local_date, r.last_received_date
      from ${table('source_days')} s
      join ${table('person_sources')} r
        on r.user_id = s.user_id and r.provider = s.provider and r.source_type = s.source_type
      where r.last_received_date is null or ${addDays('s.local_date', String(EXPECTED_DAYS))} >= r.last_received_date
    )`;
  return `left join (
  select distinct user_id, delayed_date
  from (
    select *, ${addDays('local_date', 'ordinal')} as delayed_date
    from (
    ${numbered(recent, own, String(EXPECTED_DAYS))}
    ) expected
  ) dated
  where last_received_date is null or delayed_date >= last_received_date
) delayed on delayed.user_id = ${days}.user_id and delayed.delayed_date = ${days}.local_date
left join (
${currentDates(dialect)}
) current_dates on current_dates.user_id = ${days}.user_id`;
}

/** Expression for {@link isCompleteColumn}, over the joins of {@link completenessJoins}. */
export const isComplete = (days: string): string =>
  `(delayed.user_id is null and coalesce(${days}.local_date < current_dates.at_date, false))`;
