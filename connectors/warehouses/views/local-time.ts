import type { TableDeclaration } from '@aorta/schemas';
import { TIME_ZONES } from '../time-zones.ts';
import { allColumns, shownColumn, sourceColumn, withSource } from './columns.ts';
import type { View, ViewColumn, ViewDialect } from './dialect.ts';

/** End of the last period of a user. No sample is later. */
export const END = '9999-12-31T23:59:59Z';

/** Condition that a row of the table of time zones, named `zones`, applies to a zone at a time. */
export function inZone(zone: string, basis: string, at: string): string {
  return `zones.zone = ${zone} and zones.time_basis = ${basis} and ${at} >= zones.from_at and ${at} < zones.to_at`;
}

/** Columns with the local time of a sample, in the order in which {@link localSamples} adds them. */
export const localTimeColumns: readonly ViewColumn[] = [
  {
    name: 'local_date',
    type: 'date',
    doc: 'Date of the sample in local time; NULL if the local time is not known.',
  },
  {
    name: 'local_date_basis',
    type: 'string',
    doc: 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.',
  },
  { name: 'local_at', type: 'datetime', doc: 'Local time of the sample, without a zone; NULL if it is not known.' },
  { name: 'local_hour', type: 'int64', doc: 'Hour of the local time, from 0 to 23; NULL if it is not known.' },
  {
    name: 'local_offset_s',
    type: 'int64',
    unit: 's',
    doc: 'Offset of local time from UTC, positive to the east. It is the offset of the sample, otherwise the offset of the user at that time. NULL if neither is known.',
  },
];

/**
 * Query for samples with their local time. It shows `columns`: those of the relation except `local_date`, and `source`, which it
 * computes. Samples with an offset never match the joined tables, so they cost little.
 *
 * The start of a floating sample is a local time. The query looks it up in `user_time_zones` as if it were UTC. Close to a
 * change of zones, `local_offset_s` may therefore be the offset of the other zone.
 */
export function localSamples(dialect: ViewDialect, relation: string, columns: readonly string[]): string {
  const { table, name, localTime, instant } = dialect;
  const own = columns.filter((column) => column !== sourceColumn.name);
  const user = 'case when samples.timezone_offset_s is null then samples.user_id end';
  return `select
  ${columns.map((column) => shownColumn(dialect, column)).join(', ')},
  cast(local_at as date) as local_date, local_date_basis, local_at, extract(hour from local_at) as local_hour, local_offset_s
from (
  select
    *,
    case
      when time_basis = 'floating' then ${localTime('start_at', '0')}
      else ${localTime('start_at', 'local_offset_s')}
    end as local_at
  from (
    select
      ${own.map((column) => `samples.${name(column)}`).join(', ')},
      coalesce(samples.timezone_offset_s, zones.offset_s, spans.offset_s) as local_offset_s,
      case
        when samples.time_basis = 'floating' then 'floating'
        when samples.timezone_offset_s is not null then 'offset'
        when zones.offset_s is not null then 'zone'
        when spans.offset_s is not null then 'zone_offset'
        else 'none'
      end as local_date_basis
    from ${relation} samples
    left join ${table('user_time_zones')} spans
      on spans.user_id = samples.user_id and spans.user_id = ${user}
      and samples.start_at >= spans.from_at and samples.start_at < coalesce(spans.to_at, ${instant(END)})
    left join ${table(TIME_ZONES)} zones on ${inZone('spans.time_zone', 'samples.time_basis', 'samples.start_at')}
  ) offsets
) timed`;
}

/**
 * Expression for the instant at which a sample starts, for a row of {@link localSamples}. NULL if the provider sends local times
 * and the user's offset is not known.
 */
export function startInstant({ instantOfLocal }: ViewDialect, sample: string): string {
  const local = instantOfLocal(`${sample}.start_at`, `${sample}.local_offset_s`);
  return `case when ${sample}.time_basis = 'floating' then ${local} else ${sample}.start_at end`;
}

/** Returns a view of a table of samples with their local time, named after the table. */
export function localSamplesView(dialect: ViewDialect, table: TableDeclaration): View {
  const own = withSource(allColumns(table)).filter(({ name }) => name !== 'local_date');
  return {
    name: `${table.name}_local`,
    doc: `One row of \`${table.name}\`, with its local time even if the provider sent no offset.`,
    columns: [...own, ...localTimeColumns],
    query: localSamples(
      dialect,
      dialect.table(table.name),
      own.map(({ name }) => name),
    ),
  };
}
