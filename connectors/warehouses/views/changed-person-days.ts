import type { View, ViewDialect } from './dialect.ts';

export const CHANGED_PERSON_DAYS = 'changed_person_days';

/** Number of days for which BigQuery keeps changes, and for which both warehouses keep the days of an erased user. */
export const CHANGES_KEPT_DAYS = 35;

/** One row per day of a user that has changed. DuckDB keeps all days, and BigQuery those of the last {@link CHANGES_KEPT_DAYS} days. */
export const changedPersonDaysView = ({ changedDays }: ViewDialect): View => ({
  name: CHANGED_PERSON_DAYS,
  doc: `One day of a user, and when its rows in the views of the group \`days\` may last have changed. A day that has lost its rows is here, too. On BigQuery, only changes of the last ${CHANGES_KEPT_DAYS} days are here, and NULL stands for all days, or for all users.`,
  columns: [
    { name: 'user_id', type: 'string', doc: 'User; NULL for all users, only on BigQuery.' },
    {
      name: 'local_date',
      type: 'date',
      doc: 'Local date of the user, or `night_date` of `sleep_nights`. NULL for all days of the user, only on BigQuery.',
    },
    {
      name: 'changed_at',
      type: 'timestamp',
      doc: 'When Aorta last computed rows of this day that may differ from those before. It is the time of processing, so another load of the same events has other times.',
    },
  ],
  query: `select user_id, local_date, changed_at
from ${changedDays}`,
});
