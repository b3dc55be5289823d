import { columnMeasures, sampleMeasures, type ValueType } from '@aorta/schemas';
import type { View, ViewDialect } from './dialect.ts';
import { sourceName } from './source-rank.ts';
import { conversion, measureOfSamples, typedResources } from './unit-conversions.ts';

/** The columns of a table that say when its values were measured. Tables of days have only a date, and a profile has no time. */
interface MeasuredAt {
  readonly start?: string;
  readonly end?: string;
  readonly date?: string;
}

export const measuredAt: Readonly<Record<string, MeasuredAt>> = {
  activity: { date: 'calendar_date' },
  blood_pressure: { start: 'start_at', date: 'local_date' },
  body: { date: 'calendar_date' },
  electrocardiogram: { start: 'session_start', end: 'session_end' },
  meal: { start: 'eaten_at', date: 'calendar_date' },
  profile: {},
  sleep: { start: 'bedtime_start', end: 'bedtime_stop', date: 'calendar_date' },
  workouts: { start: 'time_start', end: 'time_end', date: 'calendar_date' },
};

/** Tables whose rows are identified by a sample key instead of an id. */
const keyedLikeSamples = ['blood_pressure'];

/**
 * One row per value of a measure, from all samples and summaries. The warehouse can push conditions on `user_id` down to all
 * tables. It can push conditions on `measure` down to the samples, because the measure of most samples is their resource.
 */
export function observationsView(dialect: ViewDialect): View {
  const { table, text } = dialect;
  const tables = [...new Set(columnMeasures.map((measure) => measure.table))];
  const { join, value, unit } = conversion(dialect, 'o.measure', 'o.value_sent', 'o.unit_sent');
  const fractions = columnMeasures.filter(({ mayBePercent }) => mayBePercent).map(({ id }) => text(id));
  const canonical = `case when o.measure in (${fractions.join(', ')}) and o.value_sent > 1 then o.value_sent / 100 else ${value} end`;
  return {
    name: 'observations',
    doc: 'One row per value of a measure, from all samples and summaries.',
    columns: Object.entries(columns).map(([name, doc]) => ({ name, type: types[name] ?? 'string', doc })),
    query: `select
  o.user_id, o.provider, o.source_type, ${sourceName(dialect, 'o.provider', 'o.source_type')} as source, o.measure, m.display_name, o.effective_start_at, o.effective_end_at, o.local_date, o.local_hour,
  -- Some providers send these fractions as percentages.
  ${canonical} as value, ${canonical} between m.plausible_low and m.plausible_high as is_plausible,
  ${unit}, o.value_sent, o.unit_sent, m.loinc_code, m.loinc_match,
  o.origin_table, o.origin_id, m.resource, o.sample_type, o.source_workout_id
from (
${[...ofSamples(dialect), ...tables.map((name) => ofTable(dialect, name))].join('\n  union all\n')}
) o
join ${table('measures')} m on m.measure = o.measure
${join}
where o.value_sent is not null`,
  };
}

const types: Readonly<Record<string, ValueType>> = {
  effective_start_at: 'timestamp',
  effective_end_at: 'timestamp',
  local_date: 'date',
  local_hour: 'int64',
  value: 'float64',
  is_plausible: 'bool',
  value_sent: 'float64',
};

const columns: Readonly<Record<string, string>> = {
  user_id: 'Id of the user.',
  provider: 'Slug of the provider.',
  source_type: 'Kind of device or origin.',
  source: 'Source of the value, as `provider/source_type`.',
  measure: 'Id of the measure.',
  display_name: 'Name of the measure for display.',
  effective_start_at:
    'Time of the value, or start of its interval, as sent: some providers send local times marked as UTC. NULL for a value of a day, and for a profile.',
  effective_end_at: 'End of the interval (exclusive); NULL if the value has none.',
  local_date: 'Local date of the value; NULL if it is unknown.',
  local_hour: 'Hour of the local time of a sample, from 0 to 23; NULL if it is unknown, and in tables of summaries.',
  value: 'The value in the canonical unit; NULL if the unit of the value is not known for the measure.',
  is_plausible: 'Whether the value is in the plausible range of its measure; NULL if the value is NULL.',
  unit: 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for the measure.',
  value_sent: 'The value as sent.',
  unit_sent: 'The unit as sent; NULL if the service sent none.',
  loinc_code: 'LOINC code of the measure; NULL if none fits.',
  loinc_match: '`exact` if the code means the same, `broader` if it covers the measure and more, or `none`.',
  origin_table: 'Table with the value.',
  origin_id: 'Id of the summary; NULL in tables of samples.',
  resource:
    'Timeseries resource. With user, provider, source type, start, `sample_type` and `source_workout_id` it is the key of the sample.',
  sample_type: 'Type of the sample; NULL in tables of summaries.',
  source_workout_id: 'Workout of the sample; NULL in tables of summaries.',
};

/** Queries for all samples: first the resources with one measure, then those whose measure depends on the sample type. */
function ofSamples(dialect: ViewDialect): string[] {
  const { text, table } = dialect;
  const untyped = sampleMeasures.map(({ resource }) => resource).filter((resource) => !typedResources.includes(resource));
  const select = (measure: string, resources: readonly string[]): string => `  select
    user_id, provider, source_type, ${measure} as measure, start_at as effective_start_at, end_at as effective_end_at, local_date, local_hour,
    value as value_sent, unit as unit_sent, 'timeseries' as origin_table, cast(null as string) as origin_id,
    sample_type, source_workout_id
  from ${table('timeseries_local')}
  where resource in (${resources.map((resource) => text(resource)).join(', ')})`;
  return [select('resource', untyped), select(measureOfSamples(dialect), typedResources)];
}

/** Query for the values of another table, with one row per row of the table and measure. */
function ofTable({ text, float, table, rows }: ViewDialect, origin: string): string {
  const { start = 'null', end = 'null', date = 'null' } = measuredAt[origin]!;
  const own = columnMeasures.filter((measure) => measure.table === origin);
  const values = own.map(({ id, column }) => ` when ${text(id)} then ${float(column)}`);
  const ids = rows(
    [{ name: 'measure', type: 'string' }],
    own.map(({ id }) => [id]),
  );
  const isSample = keyedLikeSamples.includes(origin);
  const rest = isSample ? `unit, ${text(origin)}, null, sample_type, source_workout_id` : `null, ${text(origin)}, id, null, null`;
  return `  select
    user_id, provider, source_type, measure, ${start}, ${end}, ${date}, ${isSample ? 'local_hour' : 'null'},
    case measure${values.join('')} end, ${rest}
  from ${table(isSample ? `${origin}_local` : origin)}
  cross join (${ids}) measured`;
}
