import type { View, ViewDialect } from './dialect.ts';

/** One row per day of a user that has ever had rows in a view by day. Only a warehouse that stores the rows has the view. */
export const changedPersonDaysViews = ({ changedDays }: ViewDialect): View[] =>
  changedDays === undefined
    ? []
    : [
        {
          name: 'changed_person_days',
          doc: 'One day of a user, and when its rows in the views of the group `days` may last have changed. A day that has lost its rows is here, too.',
          columns: [
            { name: 'user_id', type: 'string', doc: 'User.' },
            { name: 'local_date', type: 'date', doc: 'Local date of the user, or `night_date` of `sleep_nights`.' },
            {
              name: 'changed_at',
              type: 'timestamp',
              doc: 'When Aorta last computed rows of this day that may differ from those before. It is the time of processing, so another load of the same events has other times.',
            },
          ],
          query: `select user_id, local_date, changed_at
from ${changedDays}`,
        },
      ];
