import type { KeptTable } from './kept-table.ts';

/** Tables of samples whose providers send offsets. */
export const samplesTables = ['timeseries', 'blood_pressure', 'notes'] as const;

/** The offsets of a user's samples on each local date. One row may summarize thousands of samples. */
export const userOffsetDays: KeptTable = {
  name: 'user_offset_days',
  doc: 'One offset of a user’s samples on a local date.',
  columns: [
    { name: 'user_id', type: 'string', class: 'key', doc: 'The service’s id of the user.' },
    { name: 'local_date', type: 'date', class: 'measure', doc: 'Date of the samples in their own offset.' },
    {
      name: 'timezone_offset_s',
      type: 'int64',
      unit: 's',
      class: 'measure',
      doc: 'Offset of local time from UTC, positive to the east.',
    },
    { name: 'first_at', type: 'timestamp', class: 'measure', doc: 'Start of the first sample.' },
    { name: 'last_at', type: 'timestamp', class: 'measure', doc: 'Start of the last sample.' },
    { name: 'samples', type: 'int64', class: 'measure', doc: 'Number of samples.' },
  ],
  key: ['user_id', 'local_date', 'timezone_offset_s'],
  scope: { of: 'day', date: 'local_date' },
  query: (_, from) => `select
  user_id, local_date, timezone_offset_s, min(start_at) as first_at, max(start_at) as last_at, count(*) as samples
from (
${samplesTables.map((name) => `  select user_id, local_date, timezone_offset_s, start_at from ${from(name)}`).join('\n  union all\n')}
) samples
where timezone_offset_s is not null and local_date is not null
group by user_id, local_date, timezone_offset_s`,
};
