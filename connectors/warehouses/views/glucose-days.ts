import { DAY_US, lasting, lastingSamples } from '../kept/lasting-samples.ts';
import { sourceColumns } from './columns.ts';
import { GLUCOSE_MG_DL } from './day-parts.ts';
import type { View, ViewColumn, ViewDialect } from './dialect.ts';

const DAY_S = 24 * 60 * 60;
/** Days of the glucose management indicator, and the share of their time that samples must cover. */
export const GMI_DAYS = 14;
const GMI_COVERAGE = 0.7;

/** The bands of the international consensus on time in range (Battelino et al. 2019), in whole mg/dL. */
const bands = [
  { name: 'very_low', condition: 'mg_dl < 54', doc: 'below 54 mg/dL (3.0 mmol/L)' },
  { name: 'low', condition: 'mg_dl between 54 and 69', doc: 'from 54 to 69 mg/dL (3.0–3.8 mmol/L)' },
  { name: 'in_range', condition: 'mg_dl between 70 and 180', doc: 'from 70 to 180 mg/dL (3.9–10.0 mmol/L)' },
  { name: 'high', condition: 'mg_dl between 181 and 250', doc: 'from 181 to 250 mg/dL (10.1–13.9 mmol/L)' },
  { name: 'very_high', condition: 'mg_dl > 250', doc: 'above 250 mg/dL (13.9 mmol/L)' },
] as const;

const columns: readonly ViewColumn[] = [
  { name: 'user_id', type: 'string', doc: 'User.' },
  { name: 'local_date', type: 'date', doc: 'Local date. A sample without a local date counts on its UTC date.' },
  ...sourceColumns,
  { name: 'readings', type: 'int64', unit: 'count', doc: 'Number of readings that count.' },
  {
    name: 'covered_s',
    type: 'float64',
    unit: 's',
    doc: 'Time that the readings cover. A reading lasts until its end, but not beyond the next reading or the day. Without an end, it lasts at most 20 minutes.',
  },
  { name: 'coverage_pct', type: 'float64', unit: '%', doc: 'This time as a share of 24 hours.' },
  {
    name: 'mean_mg_dl',
    type: 'float64',
    unit: 'mg/dL',
    doc: 'Mean of the readings, weighted by how long each lasts. `person_days` has the mean of the hourly means instead.',
  },
  {
    name: 'cv_pct',
    type: 'float64',
    unit: '%',
    doc: 'Coefficient of variation of the readings: their standard deviation as a share of their mean. NULL for a single reading.',
  },
  ...bands.flatMap(({ name, doc }): ViewColumn[] => [
    { name: `${name}_s`, type: 'float64', unit: 's', doc: `Time ${doc}.` },
    { name: `${name}_pct`, type: 'float64', unit: '%', doc: `This time as a share of \`covered_s\`.` },
  ]),
  {
    name: 'coverage_14d_pct',
    type: 'float64',
    unit: '%',
    doc: `Time that readings cover on this day and the ${GMI_DAYS - 1} days before, as a share of ${GMI_DAYS} days.`,
  },
  {
    name: 'gmi_pct',
    type: 'float64',
    unit: '%',
    doc: `Glucose management indicator over these ${GMI_DAYS} days: 3.31 + 0.02392 × mean glucose in mg/dL. NULL below ${GMI_COVERAGE * 100} % coverage.`,
  },
];

/** The glucose of each day, from the source of that day. A value is compared with the bands in whole mg/dL, as devices show it. */
export function glucoseDaysView(dialect: ViewDialect): View {
  const { table, text, addDays, dayNumber, float } = dialect;
  const keys = ['user_id', 'provider', 'source_type'];
  const samples = lastingSamples(
    dialect,
    table,
    ['glucose'],
    keys.map((key) => `s.${key}`),
  );
  const seconds = (condition?: string): string =>
    `sum(${condition === undefined ? 'lasts_us' : `case when ${condition} then lasts_us else 0 end`}) / ${float('1000000')}`;
  const last = `over (
      partition by g.user_id order by ${dayNumber('g.local_date')} range between ${GMI_DAYS - 1} preceding and current row
    )`;
  return {
    name: 'glucose_days',
    doc: 'The glucose of a user on a local date, from the source of `glucose` in `person_days`: time in range, variation and coverage.',
    columns,
    query: `select
  user_id, local_date, provider, source_type, source, readings, covered_s, 100 * covered_s / ${DAY_S} as coverage_pct, mean_mg_dl, cv_pct,
  ${bands.map(({ name }) => `${name}_s, 100 * ${name}_s / covered_s as ${name}_pct`).join(',\n  ')},
  100 * covered_14d_s / ${GMI_DAYS * DAY_S} as coverage_14d_pct,
  case when covered_14d_s >= ${GMI_COVERAGE} * ${GMI_DAYS * DAY_S} then 3.31 + 0.02392 * weighted_14d / covered_14d_s end as gmi_pct
from (
  select
    g.*, d.source, sum(covered_s) ${last} as covered_14d_s,
    sum(mean_mg_dl * covered_s) ${last} as weighted_14d
  from (
    select
      ${keys.join(', ')}, ${addDays("date '1970-01-01'", 'local_period')} as local_date, count(*) as readings, ${seconds()} as covered_s,
      sum(exact_mg_dl * lasts_us) / sum(lasts_us) as mean_mg_dl, 100 * stddev_samp(exact_mg_dl) / avg(exact_mg_dl) as cv_pct,
      ${bands.map(({ name, condition }) => `${seconds(condition)} as ${name}_s`).join(',\n      ')}
    from (
      select *, canonical * ${GLUCOSE_MG_DL} as exact_mg_dl, round(canonical * ${GLUCOSE_MG_DL}) as mg_dl
      from (
${lasting(samples, keys, DAY_US, [...keys, 'source_key'])}
      ) lasting
      where canonical is not null
    ) converted
    group by ${keys.join(', ')}, local_period
  ) g
  join ${table('metric_days')} d
    on d.user_id = g.user_id and d.local_date = g.local_date and d.provider = g.provider and d.source_type = g.source_type
    and d.measure = ${text('glucose')}
) days`,
  };
}
