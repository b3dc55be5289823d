import type { TableDeclaration, ValueType } from '@aorta/schemas';
import type { View, ViewDialect } from './dialect.ts';
import { implausibleValues } from './implausible-values.ts';
import { startInstant } from './local-time.ts';
import { sourceName } from './source-rank.ts';
import { conversion, countedSamples, measureOfSamples } from './unit-conversions.ts';
import { unknownTimeZones } from './zone-issues.ts';

/** Data may be this many seconds later than its receipt: some times are local times marked as UTC, and clocks differ. */
const TOLERANCE_S = 24 * 60 * 60;

/** Condition that a time of a row is more than a day later than the receipt of the row. Never overflows. */
export function laterThanReceipt({ secondsBetween }: ViewDialect, at: string, row?: string): string {
  return `(${secondsBetween(row === undefined ? '_received_at' : `${row}._received_at`, at)} > ${TOLERANCE_S})`;
}

const types: Readonly<Record<string, ValueType>> = {
  records: 'int64',
  first_at: 'timestamp',
  last_at: 'timestamp',
  last_received_at: 'timestamp',
};

const columns: Readonly<Record<string, string>> = {
  user_id: 'Id of the user.',
  provider: 'Slug of the provider; NULL for lab data and users.',
  source_type: 'Kind of device or origin; NULL for lab data and users.',
  source: 'Source of the rows, as `provider/source_type`; NULL for lab data and users.',
  origin_table: 'Table with the rows.',
  measure:
    'Id of the measure, or the resource if the samples have no measure or several. NULL if the issue concerns a summary’s times.',
  unit: 'Unit of the samples, as sent; NULL for samples without a unit, and for summaries.',
  time_zone: 'Name of the time zone, as sent; NULL unless the issue is `unknown_time_zone`.',
  issue:
    '`unknown_unit`, `implausible`, `unknown_instant`, `unknown_time_zone`, `later_than_receipt` or `updated_later_than_receipt`.',
  records: 'Number of rows; for `implausible`, number of values, because a summary has several.',
  first_at:
    'Earliest time of the rows: start of the samples or summaries, or `updated_at` for `updated_later_than_receipt`. For `unknown_time_zone`: the day of an activity, the start of a session, or when the fallback time zone was set.',
  last_at: 'Latest of these times.',
  last_received_at: 'Latest receipt of these rows.',
};

/**
 * Counts the rows that other views ignore, or that cannot be right.
 * - `unknown_unit`: samples whose unit is not known for their measure.
 * - `implausible`: values outside the plausible range of their measure.
 * - `unknown_instant`: samples with a local time, if the user's offset is not known.
 * - `unknown_time_zone`: summaries and users whose time zone has an unknown name.
 * - `later_than_receipt`: samples more than a day later than their receipt.
 * - `updated_later_than_receipt`: summaries whose `updated_at` is more than a day later than their receipt.
 */
export function dataIssuesView(dialect: ViewDialect, tables: readonly TableDeclaration[]): View {
  const updated = tables.filter((table) => table.shape === 'summary' && table.columns.some(({ name }) => name === 'updated_at'));
  return {
    name: 'data_issues',
    doc: 'One kind of row that other views ignore or that cannot be right, by user, source, measure, unit and time zone, with the number of rows.',
    columns: Object.entries(columns).map(([name, doc]) => ({ name, type: types[name] ?? 'string', doc })),
    query: `select
  user_id, provider, source_type, ${sourceName(dialect)} as source, origin_table, measure, unit, time_zone, issue,
  count(*) as records,
  min(occurred_at) as first_at, max(occurred_at) as last_at, max(_received_at) as last_received_at
from (
  select *, cast(null as string) as time_zone
  from (
${[...ofSamples(dialect), ...implausibleValues(dialect), ...updated.map((table) => ofSummaries(dialect, table))].join('\n  union all\n')}
  ) others
  union all
${unknownTimeZones(dialect)}
) found
group by user_id, provider, source_type, origin_table, measure, unit, time_zone, issue`,
  };
}

/** Queries for the samples with an issue. A sample may have several, but each table is read once. */
function ofSamples(dialect: ViewDialect): string[] {
  const { text, table, rows } = dialect;
  const typed = measureOfSamples(dialect, 's.resource', 's.sample_type');
  const sample = countedSamples(dialect, 's');
  const pressure = conversion(dialect, text('blood_pressure.systolic_mmhg'), 's.systolic_mmhg', 's.unit');
  const instant = startInstant(dialect, 's');
  const times = {
    unknown_instant: `${instant} is null`,
    later_than_receipt: laterThanReceipt(dialect, `coalesce(${instant}, s.start_at)`, 's'),
  };
  /** Few rows have an issue, so the query finds these before it gives them a row for each issue. */
  const query = (origin: string, measure: string, join: string, conditions: Readonly<Record<string, string>>): string => {
    const issues = Object.entries(conditions);
    return `  select
    user_id, provider, source_type, ${text(origin)} as origin_table, measure, unit, found.issue, start_at as occurred_at, _received_at
  from (
    select
      s.user_id, s.provider, s.source_type, ${measure} as measure, s.unit, s.start_at, s._received_at,
      ${issues.map(([issue, condition]) => `${condition} as is_${issue}`).join(', ')}
    from ${table(`${origin}_local`)} s
    ${join}
    where ${issues.map(([, condition]) => `${condition}`).join(' or ')}
  ) samples
  cross join (${rows(
    [{ name: 'issue', type: 'string' }],
    issues.map(([issue]) => [issue]),
  )}) found
  where case found.issue ${issues.map(([issue]) => `when ${text(issue)} then is_${issue}`).join(' ')} end`;
  };
  return [
    query('timeseries', typed, sample.join, {
      unknown_unit: `not ${sample.knownUnit}`,
      implausible: sample.implausible,
      ...times,
    }),
    query('blood_pressure', 's.resource', pressure.join, { unknown_unit: `${pressure.unit} is null`, ...times }),
    query('notes', 's.resource', '', times),
  ];
}

function ofSummaries(dialect: ViewDialect, { name, columns: own }: TableDeclaration): string {
  const { table, text } = dialect;
  const none = 'cast(null as string)';
  const present = (column: string): string => (own.some((one) => one.name === column) ? column : none);
  return `  select
    user_id, ${present('provider')}, ${present('source_type')}, ${text(name)}, ${none}, ${none}, 'updated_later_than_receipt',
    updated_at, _received_at
  from ${table(name)}
  where ${laterThanReceipt(dialect, 'updated_at')}`;
}
