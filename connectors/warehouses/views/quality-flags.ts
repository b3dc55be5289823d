import { columnMeasures } from '@aorta/schemas';
import type { KeptTable } from '../kept/kept-table.ts';
import { withSource } from './columns.ts';
import { dayMeasures } from './day-parts.ts';
import type { View, ViewDialect } from './dialect.ts';
import { sourceName } from './source-rank.ts';

/** Minimum number of days with values before the usual number of hours of a source is known. */
const LEAST_DAYS = 7;

const key = ['user_id', 'local_date', 'measure', 'provider', 'source_type'];

/** The measures of `activity` that add up. */
const additive = columnMeasures.filter(({ table, kind }) => table === 'activity' && kind === 'additive_interval');

/** The key columns, with the alias of a relation. */
const listOf = (alias: string): string => key.map((name) => `${alias}.${name}`).join(', ');

/** The counts behind the flags. A row depends only on observations of the same user and date. */
export const qualityDays: KeptTable = {
  name: 'quality_days',
  doc: 'One row per user, local date, measure and source: how many values there are, and how many of them are questionable.',
  columns: [
    { name: 'user_id', type: 'string', class: 'key', doc: 'Id of the user.' },
    { name: 'local_date', type: 'date', class: 'key', doc: 'Local date. Values whose local date is unknown are not counted.' },
    { name: 'measure', type: 'string', class: 'key', doc: 'Id of the measure.' },
    { name: 'provider', type: 'string', class: 'key', doc: 'Slug of the provider.' },
    { name: 'source_type', type: 'string', class: 'key', doc: 'Kind of device or origin.' },
    { name: 'source', type: 'string', class: 'key', doc: 'Source of the values, as `provider/source_type`.' },
    { name: 'observations', type: 'int64', class: 'measure', unit: 'count', doc: 'Number of values.' },
    {
      name: 'implausible',
      type: 'int64',
      class: 'measure',
      unit: 'count',
      doc: 'Number of values outside the plausible range of the measure.',
    },
    {
      name: 'unknown_unit',
      type: 'int64',
      class: 'measure',
      unit: 'count',
      doc: 'Number of values whose unit is not known for the measure.',
    },
    {
      name: 'hours',
      type: 'int64',
      class: 'measure',
      unit: 'count',
      doc: 'Number of different hours of the day (UTC), up to 24, in which a value begins; 0 if the values have only a date.',
    },
  ],
  key,
  scope: { of: 'day', date: 'local_date' },
  query: (dialect, from) => {
    const { table, secondsBetween, floor } = dialect;
    const list = listOf('o');
    const hour = floor(`${secondsBetween("timestamp '1970-01-01 00:00:00+00'", 'o.effective_start_at')} / 3600`);
    return `select
  ${list}, ${sourceName(dialect, 'o.provider', 'o.source_type')} as source, count(*) as observations,
  count(case when o.value < m.plausible_low or o.value > m.plausible_high then 1 end) as implausible,
  count(case when o.unit is null then 1 end) as unknown_unit,
  -- One bit for each hour. The second remainder makes hours before 1970 positive.
  cast(coalesce(bit_count(bit_or(1 << mod(mod(${hour}, 24) + 24, 24))), 0) as int64) as hours
from ${from('observations')} o
join ${table('measures')} m on m.measure = o.measure
where o.local_date is not null
group by ${list}`;
  },
};

/**
 * One row per user, local date, measure, source and flag.
 * - `implausible`: values outside the plausible range.
 * - `unknown_unit`: values whose unit is not known for the measure.
 * - `partial_day`: the source has values in fewer than half of its usual hours. The usual number of hours is the median over
 *   all days on which the source has values of this measure for this user, if there are at least seven such days.
 * - `conflicting`: the daily total of another source differs by more than a tenth of the greater total.
 */
export function qualityFlagsView(dialect: ViewDialect): View {
  const { table, rows } = dialect;
  const columns = key.join(', ');
  const source = 'user_id, measure, provider, source_type';
  return {
    name: 'quality_flags',
    doc: 'One row per user, local date, measure, source and flag: what is questionable about a day.',
    columns: [
      ...withSource(qualityDays.columns.filter(({ name }) => key.includes(name))),
      {
        name: 'day_measure',
        type: 'string',
        doc: 'Value of the day that comes from this measure: `measure` in `metric_days`, and the name before `_source` in `person_days`. NULL if there is none.',
      },
      {
        name: 'flag',
        type: 'string',
        doc: '`implausible`, `unknown_unit`, `partial_day` or `conflicting`.',
      },
      {
        name: 'affected',
        type: 'int64',
        doc: 'Number of such values. For `partial_day`, number of missing hours. For `conflicting`, number of sources with a different total.',
      },
      {
        name: 'out_of',
        type: 'int64',
        doc: 'Number of all values. For `partial_day`, number of usual hours. For `conflicting`, number of other sources.',
      },
    ],
    query: `with quality as (
  select ${columns}, observations, implausible, unknown_unit, hours from ${table('quality_days')}
),
hourly as (
  -- A source has at most 24 numbers of hours, so the median of thousands of days is found among 24 rows.
  select ${source}, hours, count(*) as days
  from quality
  where hours > 0
  group by ${source}, hours
),
usual as (
  -- The median; of two middle values, the lower.
  select ${source}, min(case when days_up_to * 2 >= all_days then hours end) as usual_hours, max(all_days) as days
  from (
    select
      ${source}, hours, sum(days) over (partition by ${source} order by hours) as days_up_to,
      sum(days) over (partition by ${source}) as all_days
    from hourly
  ) summed
  group by ${source}
),
totals as (
${totals(dialect)}
)
select ${columns}, ${sourceName(dialect)} as source, case measure${dayMeasureCases(dialect)} end as day_measure, flag, affected, out_of
from (
  select ${columns}, flag, case flag when 'implausible' then implausible else unknown_unit end as affected, observations as out_of
  from quality
  cross join (${rows([{ name: 'flag', type: 'string' }], [['implausible'], ['unknown_unit']])}) flags
  where case flag when 'implausible' then implausible else unknown_unit end > 0
  union all
  select ${listOf('day')}, 'partial_day', usual.usual_hours - day.hours, usual.usual_hours
  from quality day
  join usual
    on usual.user_id = day.user_id and usual.measure = day.measure and usual.provider = day.provider
    and usual.source_type = day.source_type
  where day.hours > 0 and usual.days >= ${LEAST_DAYS} and day.hours * 2 < usual.usual_hours
  union all
  select ${columns}, 'conflicting', affected, out_of
  from (
    select
      ${columns}, count(*) as out_of,
      count(case when abs(total - other_total) * 10 > greatest(total, other_total) then 1 end) as affected
    from (
${pairs(dialect)}
    ) pairs
    where total is not null and other_total is not null
    group by ${columns}
  ) counted
  where affected > 0
) flagged`,
  };
}

/** The branches of a CASE from the id of a measure to the value of the day that comes from it. */
const dayMeasureCases = ({ text }: ViewDialect): string =>
  [...dayMeasures].map(([id, day]) => ` when ${text(id)} then ${text(day)}`).join('');

/** Query for the daily totals of each source, with a column for each measure. */
function totals({ table, float }: ViewDialect): string {
  const sums = additive.map(({ column }) => `${float(`max(${column})`)} as ${column}`);
  return `  select
    user_id, calendar_date as local_date, provider, source_type,
    ${sums.join(', ')}
  from ${table('activity')}
  where calendar_date is not null
  group by user_id, calendar_date, provider, source_type`;
}

/** Query for each pair of sources that have totals of the same day, with one row per measure. */
function pairs({ rows, text }: ViewDialect): string {
  const total = (alias: string): string =>
    `case measure${additive.map(({ id, column }) => ` when ${text(id)} then ${alias}.${column}`).join('')} end`;
  return `    select
      one.user_id, one.local_date, measure, one.provider, one.source_type,
      ${total('one')} as total,
      ${total('other')} as other_total
    from totals one
    join totals other on other.user_id = one.user_id and other.local_date = one.local_date
    cross join (${rows(
      [{ name: 'measure', type: 'string' }],
      additive.map(({ id }) => [id]),
    )}) measured
    where other.provider <> one.provider or other.source_type <> one.source_type`;
}
