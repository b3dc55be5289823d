import { createHash } from 'node:crypto';
import { deliveries, type TableDeclaration } from '@aorta/schemas';
import { keptTables } from '../warehouses/kept/kept-tables.ts';
import { TIME_ZONES, timeZoneColumns, timeZonesDoc, timeZoneText } from '../warehouses/time-zones.ts';
import { allColumns, descriptionOf } from '../warehouses/views/columns.ts';
import { isShown, type ShownView, type ViewColumn } from '../warehouses/views/dialect.ts';
import { views } from '../warehouses/views/views.ts';
import { FORMAT } from './format.ts';
import { columnsOf, definedTables, type KeptSchema } from './kept-tables.ts';
import type { OpeningOptions } from './options.ts';
import { bookkeeping, createTable, databaseTables, timeseriesView } from './sql/create.ts';
import { type DatabaseTable, text } from './sql/types.ts';
import { duckDbView, duckDbViews } from './views-dialect.ts';

/** A table or view with its comment. */
export interface Commented {
  readonly of: 'table' | 'view';
  readonly name: string;
  readonly doc: string;
}

/** Everything in a warehouse file except the data. It depends on the declared tables, the privacy classes and the preferences. */
export interface FileSchema extends KeptSchema {
  readonly tables: readonly DatabaseTable[];
  readonly describedTables: readonly Commented[];
  readonly describedViews: readonly Commented[];
  /** Statements that create the views with their comments. */
  readonly views: readonly string[];
  /** Statements that set the comments on all columns. */
  readonly columnComments: readonly string[];
}

export const commentOn = ({ of, name, doc }: Commented): string => `comment on ${of} ${name} is ${text(doc)}`;

/** Creates and fills the table of time zones. */
export const timeZoneStatements: readonly string[] = [
  `create or replace table ${TIME_ZONES} (
  zone varchar not null, time_basis varchar not null, from_at timestamptz not null, to_at timestamptz not null,
  offset_s bigint not null
)`,
  `insert into ${TIME_ZONES} (zone, time_basis, from_at, to_at, offset_s)
select
  unnest(string_split(split_part(rule, '|', 1), ',')) as zone,
  part[1] as time_basis, make_timestamptz(part[2]::bigint * 1000000) as from_at,
  make_timestamptz(part[3]::bigint * 1000000) as to_at, part[4]::bigint as offset_s
from (
  select rule, string_split(unnest(string_split(split_part(rule, '|', 2), ',')), ' ') as part
  from (select unnest(string_split(${text(timeZoneText)}, ';')) as rule) rules
) spans`,
  commentOn({ of: 'table', name: TIME_ZONES, doc: timeZonesDoc }),
];

/** Returns the schema of a file. `landed` are the declared tables with their landed columns. */
export function fileSchema(
  landed: readonly TableDeclaration[],
  { tables, preferences }: Pick<OpeningOptions, 'tables' | 'preferences'>,
): FileSchema {
  const all = views(duckDbViews, landed, tables, preferences);
  const shown = all.filter(isShown);
  const samples = landed.filter(({ shape }) => shape === 'timeseries');
  const stored = [...landed.filter(({ shape }) => shape !== 'timeseries'), deliveries];
  const described = (of: Commented['of']) => (one: Pick<ShownView, 'name' | 'doc'>) => ({ of, name: one.name, doc: one.doc });
  const describedViews = [...samples, ...shown].map(described('view'));
  const relations: readonly { readonly name: string; readonly columns: readonly ViewColumn[] }[] = [
    ...[...landed, deliveries].map((table) => ({ name: table.name, columns: allColumns(table) })),
    { name: TIME_ZONES, columns: timeZoneColumns },
    ...shown,
  ];
  return {
    tables: databaseTables(landed),
    kept: definedTables(keptTables(preferences), all),
    relations: new Map(relations.map(({ name, columns }) => [name, new Set(columns.map((column) => column.name))])),
    describedTables: stored.map(described('table')),
    describedViews,
    views: [...samples.map(timeseriesView), ...all.map(duckDbView), ...describedViews.map(commentOn)],
    columnComments: relations.flatMap(({ name, columns }) =>
      columns.map((column) => `comment on column ${name}."${column.name}" is ${text(descriptionOf(column))}`),
    ),
  };
}

/** Hash of everything that a new file contains. */
export function hashOfSchema(schema: FileSchema): string {
  const parts = [
    String(FORMAT),
    ...bookkeeping(),
    ...schema.tables.map(createTable),
    ...timeZoneStatements,
    ...schema.kept.flatMap(({ table, definition }) => [table.name, columnsOf(table), definition]),
    ...schema.views,
    ...schema.describedTables.map(commentOn),
    ...schema.columnComments,
  ];
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16);
}
