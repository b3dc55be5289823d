/** Changes of the queries in docs/guides/questions.md that make the answer wrong. */

interface Careless {
  readonly heading: string;
  /** Completes the sentence "a query that …". */
  readonly mistake: string;
  readonly replaced: string;
  readonly by: string;
}

const of = (heading: string, ...mistakes: readonly (readonly [mistake: string, replaced: string, by: string])[]): Careless[] =>
  mistakes.map(([mistake, replaced, by]) => ({ heading, mistake, replaced, by }));

const utcNights = 'select user_id, night_date, cast(start_at as datetime) as local_start_at from sleep_nights';
const lastDates = 'select user_id, min(local_date) as first_date, max(local_date) as last_date from person_days group by user_id';

export const careless: readonly Careless[] = [
  ...of(
    'How does resting heart rate change from week to week?',
    ['averages days, not people', 'group by 1, 2', 'group by 1, 2, local_date'],
    ['counts incomplete days', 'where is_complete', 'where true'],
    [
      'takes all sources',
      'from person_days',
      'from (select user_id, calendar_date as local_date, heart_rate_resting_bpm, true as is_complete from activity) a',
    ],
  ),
  ...of(
    'Do people sleep longer after active days?',
    ['takes the night before the day', 'd.local_date + 1', 'd.local_date'],
    ['counts incomplete days', 'd.is_complete and n.is_complete and', ''],
  ),
  ...of('Which workouts were recorded twice?', ['counts workouts as people', 'distinct user_id', 'user_id']),
  ...of(
    'At what time of day do people walk?',
    ['counts incomplete days', 'where d.is_complete', 'where true'],
    [
      'takes the mean of the hours with steps',
      'sum(h.steps) / sum(sum(h.steps)) over ()',
      'avg(h.steps) / sum(avg(h.steps)) over ()',
    ],
    [
      'adds the sources',
      'from steps_hours h',
      "from (select *, value as steps from timeseries_local where resource = 'steps' and value >= 0) h",
    ],
  ),
  ...of(
    'When did each user last have data?',
    ['forgets users without data', 'left join', 'join'],
    ['counts deliveries that are not data', 'max(s.last_received_at)', 'max(p.last_received_at)'],
  ),
  ...of(
    'Which users have stopped sending data?',
    ['believes dates in the future', 'from people p', `from (${lastDates}) p`],
    ['counts broken connections', " and c.status = 'connected'", ''],
  ),
  ...of('How long do lab results take?', ['counts orders without a result', ', turnaround_s is null order', ' order']),
  ...of('Which lab results are abnormal?', ['counts results that a retest has replaced', 'where is_latest', 'where true']),
  ...of(
    'Is blood pressure higher in the morning or in the evening?',
    ['takes the hour in UTC', 'o.local_hour', 'extract(hour from o.effective_start_at)'],
    ['counts all sources', ' and d.blood_pressure_source = o.source', ''],
    ['ignores the unit', 'o.value', 'o.value_sent'],
    ['counts impossible values', ' and o.is_plausible', ''],
  ),
  ...of(
    'How much time do people spend in the glucose range?',
    ['averages the shares of days', '100 * sum(in_range_s) / sum(covered_s)', 'avg(in_range_pct)'],
    ['forgets very low values', 'very_low_s + low_s', 'low_s'],
  ),
  ...of(
    'Which people go to bed at irregular times?',
    ['takes the time in UTC', 'from sleep_nights', `from (${utcNights}) n`],
    ['counts people with few nights', '>= 7', '>= 1'],
  ),
  ...of(
    'Which people gain or lose weight?',
    ['fits a line through a few days', 'min(local_date) + 13', 'min(local_date)'],
    ['counts incomplete days', 'where is_complete and', 'where'],
  ),
  ...of(
    'Which providers send doubtful values?',
    ['counts flags instead of values', 'select distinct', 'select'],
    ['takes the flags of all sources', ' and f.source = m.source', ''],
    ['counts incomplete days', ' and d.is_complete', ''],
  ),
  ...of(
    'On how many days does each user have data?',
    ['forgets days without data', 'from person_calendar', 'from (select * from person_calendar where sources is not null) c'],
    ['forgets those who have stopped', 'from person_calendar', 'from (select * from person_calendar where is_complete) c'],
  ),
];
