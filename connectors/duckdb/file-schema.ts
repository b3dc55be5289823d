import { createHash } from 'node:crypto';
import { deliveries, type TableDeclaration } from '@aorta/schemas';
import { keptTables } from '../warehouses/kept/kept-tables.ts';
import { TIME_ZONES, timeZoneColumns, timeZonesDoc, timeZoneText } from '../warehouses/time-zones.ts';
import { CHANGED_PERSON_DAYS } from '../warehouses/views/changed-person-days.ts';
import { allColumns, descriptionOf } from '../warehouses/views/columns.ts';
import { isShown, type ShownView, type ViewColumn } from '../warehouses/views/dialect.ts';
import { views } from '../warehouses/views/views.ts';
import { allDays, followedViews } from './changed-person-days.ts';
import { boundKinds } from './day-bounds.ts';
import { FORMAT } from './format.ts';
import { columnsOf, definedTables, definer } from './kept-definitions.ts';
import type { KeptSchema } from './kept-tables.ts';
import type { OpeningOptions } from './options.ts';
import { bookkeeping, createTable, databaseTables, timeseriesView } from './sql/create.ts';
import { type DatabaseTable, text } from './sql/types.ts';
import { duckDbView, duckDbViews } from './views-dialect.ts';

/** Everything in a warehouse file except the data. It depends on the declared tables, the privacy classes and the preferences. */
export interface FileSchema extends KeptSchema {
  readonly tables: readonly DatabaseTable[];
  /** Statements that create the time zones, the views and all comments. They replace what is there. */
  readonly statements: readonly string[];
  /** Hash of everything that a new file contains. */
  readonly hash: string;
}

const commentOn = (of: 'table' | 'view', { name, doc }: Pick<ShownView, 'name' | 'doc'>): string =>
  `comment on ${of} ${name} is ${text(doc)}`;

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
  commentOn('table', { name: TIME_ZONES, doc: timeZonesDoc }),
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
  const relations: readonly { readonly name: string; readonly columns: readonly ViewColumn[] }[] = [
    ...[...landed, deliveries].map((table) => ({ name: table.name, columns: allColumns(table) })),
    { name: TIME_ZONES, columns: timeZoneColumns },
    ...shown,
  ];
  const statements = [
    ...timeZoneStatements,
    ...samples.map(timeseriesView),
    ...all.map(duckDbView),
    ...[...samples, ...shown].map((view) => commentOn('view', view)),
    ...stored.map((table) => commentOn('table', table)),
    ...relations.flatMap(({ name, columns }) =>
      columns.map((column) => `comment on column ${name}."${column.name}" is ${text(descriptionOf(column))}`),
    ),
  ];
  const kept = keptTables(preferences);
  const define = definer(kept, all);
  const bounds = boundKinds.map((kind) => ({
    ...define(kind.name, [kind.query({ from: (name) => name, users: '' })], null),
    kind,
  }));
  const declared = { tables: databaseTables(landed), kept: definedTables(kept, all), statements };
  return {
    ...declared,
    followed: { definition: define(CHANGED_PERSON_DAYS, followedViews(all), null), bounds, days: allDays(landed) },
    relations: new Map(relations.map(({ name, columns }) => [name, new Set(columns.map((column) => column.name))])),
    hash: hashOf(declared),
  };
}

function hashOf({ tables, kept, statements }: Pick<FileSchema, 'tables' | 'kept' | 'statements'>): string {
  const parts = [
    String(FORMAT),
    ...bookkeeping(),
    ...tables.map(createTable),
    ...kept.flatMap(({ name, table, hash }) => [name, columnsOf(table), hash]),
    ...statements,
  ];
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16);
}
