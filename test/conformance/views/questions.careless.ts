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

export const careless: readonly Careless[] = [
  ...of(
    'How does resting heart rate change from week to week?',
    ['averages days, not people', 'group by 1, 2', 'group by 1, 2, local_date'],
    [
      'takes all sources',
      'from person_days',
      'from (select user_id, calendar_date as local_date, heart_rate_resting_bpm from activity) a',
    ],
  ),
  ...of(
    'Do people sleep longer after active days?',
    ['takes the night before the day', 'd.local_date + 1', 'd.local_date'],
    ['compares people with others', 'avg(steps) over (partition by user_id)', 'avg(steps) over ()'],
  ),
  ...of('Which workouts were recorded twice?', ['takes the distance of the kept record', 'w.id = d.id', 'w.id = d.kept_id']),
  ...of(
    'At what time of day do people walk?',
    ['adds the sources', 'where c.nth = 1', 'where c.nth >= 1'],
    ['takes the hour in UTC', 's.local_hour', `extract(hour from s.start_at)`],
    ['counts impossible values', 's.steps_count between m.plausible_low and m.plausible_high', 's.steps_count is not null'],
  ),
  ...of(
    'When did each user last have data?',
    ['forgets users without data', 'select user_id from users', 'select user_id from person_days'],
    ['believes dates in the future', "local_date <= date '2026-04-01' + 1", 'local_date is not null'],
    ['counts what the service fetched', "event_type like 'daily.data.%'", 'event_type is not null'],
  ),
  ...of('Which users have stopped sending data?', [
    'believes dates in the future',
    "local_date <= date '2026-04-01' + 1",
    'local_date is not null',
  ]),
  ...of(
    'How long do lab results take?',
    ['takes the last status', 'min(began_at)', 'max(began_at)'],
    ['takes partial results for the result', "high_level = 'completed'", "low_level in ('completed', 'partial_results')"],
  ),
  ...of(
    'Which lab results are abnormal?',
    ['takes what is not known for normal', 'not above and not below', 'above is null or not above'],
    ['counts results that a retest has replaced', 'where nth = 1', 'where nth >= 1'],
  ),
  ...of(
    'Is blood pressure higher in the morning or in the evening?',
    ['compares different people', 'where parts = 2', 'where parts >= 1'],
    ['takes the hour in UTC', 'b.local_hour', 'extract(hour from b.start_at)'],
    ['counts all sources', "concat(b.provider, '/', b.source_type)", 'p.blood_pressure_source'],
    ['ignores the unit', 'b.systolic_mmhg * c.times / c.per', 'b.systolic_mmhg'],
    ['counts impossible values', 'from plausible', 'from readings'],
  ),
  ...of(
    'How much time do people spend in the glucose range?',
    ['compares with 3.9 mmol/L', 'round(g.glucose_mmol_l * 18.0182)', 'g.glucose_mmol_l * 70 / 3.9'],
    ['ignores the unit', 'round(g.glucose_mmol_l * 18.0182)', 'g.value'],
    ['counts impossible values', 'g.glucose_mmol_l between m.plausible_low and m.plausible_high', 'g.glucose_mmol_l is not null'],
    ['counts all sources', "concat(g.provider, '/', g.source_type)", 'p.glucose_source'],
  ),
  ...of(
    'Which people go to bed at irregular times?',
    ['counts hours from midnight', 'extract(hour from local_start_at) + 12', 'extract(hour from local_start_at) + 24'],
    ['takes the hour in UTC', 'from local_start_at', 'from start_at'],
  ),
  ...of(
    'Which people gain or lose weight?',
    ['compares weeks that overlap', 'last_day >= first_day + 13', 'last_day >= first_day'],
    ['takes single readings', 'first_day + 7', 'first_day + 1'],
  ),
  ...of('Which providers send doubtful values?', [
    'counts flags instead of days',
    'group by 1, 2, 3, 4, 5',
    'group by 1, 2, 3, 4, 5, flag',
  ]),
  ...of('On how many days does each user have data?', ['forgets users without data', 'left join', 'join']),
];
