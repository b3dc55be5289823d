import { type Privacy, withheld } from '@aorta/connectors';
import { declaredViews, type Group, groups, type ViewColumn, type ViewDescription } from '@aorta/connectors/warehouses';
import {
  type Column,
  deliveries,
  type ElementField,
  elementFields,
  eventTypesOf,
  type StreamName,
  streamNames,
  streamSchemas,
  type TableDeclaration,
  tables,
  typeName,
} from '@aorta/schemas';
import { type Command, Option } from 'commander';
import { readSetting, type Setting } from '../../config/configuration.ts';
import { nearestName } from '../../config/nearest-name.ts';
import { ProgramError } from '../../errors.ts';
import { openReader } from '../../report/stored-data.ts';
import { exit } from '../exit.ts';
import { withCommandLines } from '../printing/command-lines.ts';
import { table } from '../printing/table.ts';
import { styled, type Terminal } from '../printing/terminal.ts';
import type { Surroundings } from '../surroundings.ts';
import { firstSentence, groupsText, relationsOf, withRows } from './schema-groups.ts';
import { type PlaceFlags, withPlace } from './setting.ts';
import { action, verb } from './verb.ts';

/** A view, as `aorta schema --json` prints it. */
function viewObject({ name, group, doc, columns }: ViewDescription): object {
  const members = columns.map((column) => ({
    name: column.name,
    type: nameOf(column.type),
    unit: column.unit ?? null,
    what: column.doc,
  }));
  return { view: name, group, what: doc, columns: members };
}

function viewsOverview(views: readonly ViewDescription[], { out }: Terminal): string {
  return table(
    [{ name: 'view' }, { name: 'one row is' }],
    views.map(({ name, doc }) => [name, doc]),
    out.columns,
  );
}

function viewDetails({ name, doc, columns }: ViewDescription, { out }: Terminal): string {
  const rows = columns.map((column) => [column.name, nameOf(column.type), column.unit ?? '', column.doc]);
  const head = [{ name: 'column' }, { name: 'type' }, { name: 'unit' }, { name: 'description' }];
  return `${styled(out, 'bold', `view ${name}`)}\n${doc}\n\n${table(head, rows, out.columns)}`;
}

const nameOf = (type: ViewColumn['type']): string => (type === 'datetime' ? type : typeName(type));

interface SchemaFlags extends PlaceFlags {
  readonly json?: true;
  readonly group?: Group;
  readonly rows?: true;
}

export function schemaCommand(surroundings: Surroundings): Command {
  const { terminal, environment, folder } = surroundings;
  const command = verb(
    'schema [name]',
    'describe streams, tables, views and columns',
    'Lists the streams with their event types and tables, and the views. For one stream or table, lists its columns with unit, class and source field. It also says for each column whether this configuration lands it, and if not, why. For one view, lists its columns with their descriptions. With a group, lists only its tables and views.',
    [
      'aorta schema',
      'aorta schema timeseries',
      'aorta schema person_days',
      'aorta schema --group days --rows',
      'aorta schema sleep --json',
    ],
  )
    .addOption(new Option('--group <group>', 'list the tables and views of one group').choices(groups))
    .option('--rows', 'list the tables and views by group, those without rows in one line: reads the warehouse')
    .option('--json', 'print a JSON array, or one JSON object for one stream, table or view');
  return action(withPlace(command), async (flags: SchemaFlags, name?: string) => {
    if (flags.group !== undefined || flags.rows) return await listGroups(flags, name, surroundings);
    const { configuration, call } = readSetting(flags, environment, folder, { needs: ['privacy'] });
    const { privacy } = configuration;
    if (name === undefined) {
      const all = [...streamNames.map((stream) => describeStream(stream, privacy)), describeDeliveries(privacy)];
      const views = declaredViews(privacy).shown;
      await terminal.out.write(
        flags.json ? json([...all, ...views.map(viewObject)]) : `${overview(all, terminal)}\n${viewsOverview(views, terminal)}`,
      );
      return exit.done;
    }
    const found = find(name, privacy);
    await terminal.out.write(flags.json ? json(jsonOf(found)) : withCommandLines(textOf(found, terminal), call));
    return exit.done;
  });
}

async function listGroups(flags: SchemaFlags, name: string | undefined, { terminal, environment, folder }: Surroundings) {
  if (name !== undefined)
    throw new ProgramError('AORTA-USAGE', {
      problem: `${flags.group === undefined ? '--rows' : '--group'} lists several tables, and ${name} is the name of one`,
      hint: `Leave out one of the two: \`aorta schema ${name}\` describes its columns.`,
    });
  const needs = flags.rows ? (['privacy', 'warehouse', 'streams.folder'] as const) : (['privacy'] as const);
  const setting = readSetting(flags, environment, folder, { needs });
  const listed = relationsOf(flags.group, setting.configuration.privacy);
  const read = async () => {
    await using reader = await openReader(setting as Setting);
    return await withRows(listed, reader);
  };
  const relations = flags.rows ? await read() : listed;
  await terminal.out.write(flags.json ? json(relations) : groupsText(relations, terminal));
  return exit.done;
}

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** Meaning of a name: a stream or table, a view, or both. */
interface Found {
  readonly table?: Description | undefined;
  readonly view?: ViewDescription | undefined;
}

function jsonOf({ table: one, view }: Found): object {
  if (one === undefined) return viewObject(view!);
  return view === undefined ? one : { ...one, view_of_this_name: viewObject(view) };
}

const textOf = ({ table: one, view }: Found, terminal: Terminal): string =>
  [...(one === undefined ? [] : [details(one, terminal)]), ...(view === undefined ? [] : [viewDetails(view, terminal)])].join(
    '\n',
  );

interface Description {
  /** Null for the table `deliveries`, which has rows of every stream. */
  readonly stream: StreamName | null;
  readonly table: string | null;
  readonly what: string;
  readonly event_types: readonly string[];
  readonly key: readonly string[];
  readonly newest_by: readonly string[];
  readonly columns: readonly ColumnDescription[];
}

interface ColumnDescription extends FieldDescription {
  readonly nullable: boolean;
  /** The fields of the objects in a list; null for other columns. */
  readonly elements: readonly FieldDescription[] | null;
}

interface FieldDescription {
  readonly name: string;
  readonly type: string;
  readonly unit: string | null;
  readonly class: string;
  /** JSONPath of the value in the event; null if the value is computed. */
  readonly source: string | null;
  readonly landed: boolean;
  /** Reason why the field is not landed; null if the field is landed. */
  readonly withheld: string | null;
  readonly what: string;
}

function describeStream(stream: StreamName, privacy: Privacy): Description {
  const { aorta, doc } = streamSchemas[stream];
  const declaration = tables.find((one) => one.stream === stream);
  return describe(declaration, privacy, { stream, what: doc, event_types: eventTypesOf(aorta) });
}

function describeDeliveries(privacy: Privacy): Description {
  return describe(deliveries, privacy, { stream: null, what: deliveries.doc, event_types: [] });
}

function describe(
  declaration: TableDeclaration | undefined,
  privacy: Privacy,
  rest: Pick<Description, 'stream' | 'what' | 'event_types'>,
): Description {
  return {
    ...rest,
    table: declaration?.name ?? null,
    key: declaration?.key ?? [],
    newest_by: declaration?.order ?? [],
    columns: declaration?.columns.map((column) => describeColumn(declaration, column, privacy)) ?? [],
  };
}

function describeColumn(declaration: TableDeclaration, column: Column, privacy: Privacy): ColumnDescription {
  const elements = elementFields(column.type)?.map((field) => describeField(declaration, field, privacy)) ?? null;
  return { ...describeField(declaration, column, privacy), nullable: column.nullable, elements };
}

function describeField(declaration: TableDeclaration, field: Column | ElementField, privacy: Privacy): FieldDescription {
  const reason = withheld(declaration, field, privacy);
  return {
    name: field.name,
    type: typeName(field.type),
    unit: field.unit ?? null,
    class: field.class,
    source: field.source ?? null,
    landed: reason === undefined,
    withheld: reason ?? null,
    what: field.doc,
  };
}

function find(name: string, privacy: Privacy): Found {
  const { shown, withheld: dropped } = declaredViews(privacy);
  const found = { table: findTable(name, privacy), view: shown.find((view) => view.name === name) };
  if (found.table !== undefined || found.view !== undefined) return found;
  if (dropped.includes(name))
    throw new ProgramError('AORTA-USAGE', {
      problem: `the view ${name} does not exist with this configuration`,
      hint: 'The section `privacy` withholds its data.',
    });
  const names = [...streamNames, ...tables.map((one) => one.name), deliveries.name, ...shown.map((view) => view.name)];
  const meant = (groups as readonly string[]).includes(name) ? `--group ${name}` : nearestName(name, names);
  throw new ProgramError('AORTA-USAGE', {
    problem: `there is no stream, table or view ${name}`,
    hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}\`aorta schema\` lists the streams and tables, and \`aorta schema --group days\` the views of a day.`,
  });
}

function findTable(name: string, privacy: Privacy): Description | undefined {
  const stream =
    streamNames.find((one) => one === name) ?? (tables.find((one) => one.name === name)?.stream as StreamName | undefined);
  if (stream !== undefined) return describeStream(stream, privacy);
  return name === deliveries.name ? describeDeliveries(privacy) : undefined;
}

function overview(all: readonly Description[], { out }: Terminal): string {
  const rows = all.map((one) => [
    one.stream ?? '(every stream)',
    one.table ?? '–',
    fewEventTypes(one.event_types),
    firstSentence(one.what),
  ]);
  return table([{ name: 'stream' }, { name: 'table' }, { name: 'event types' }, { name: 'what' }], rows, out.columns);
}

/**
 * Shortens the list to at most three entries, because a timeseries stream has dozens of event types. `aorta schema STREAM`
 * lists them all.
 */
function fewEventTypes(types: readonly string[]): string {
  const shown = types.length <= 3 ? types : [...types.slice(0, 2), `${types.length - 2} more`];
  return shown.join(', ') || '–';
}

function details(one: Description, { out }: Terminal): string {
  const head = [styled(out, 'bold', one.stream === null ? `table ${one.table}` : `stream ${one.stream}`), one.what];
  if (one.event_types.length > 0) head.push(`Event types: ${one.event_types.join(', ')}`);
  if (one.table === null)
    return `${[...head, 'No table: the stream keeps whole deliveries, and each has a row in the table deliveries.'].join('\n')}\n`;
  head.push(
    `Table: ${one.table}, key ${one.key.join(', ')}${one.newest_by.length === 0 ? '' : `; newest by ${one.newest_by.join(', ')}`}`,
    '',
  );
  const row = (name: string, type: string, field: FieldDescription): string[] => [
    name,
    type,
    field.unit ?? '',
    field.class,
    field.withheld === null ? 'yes' : `no: ${field.withheld}`,
    field.source ?? '',
  ];
  const rows = one.columns.flatMap((column) => [
    row(column.name, column.nullable ? column.type : `${column.type}!`, column),
    ...(column.elements ?? []).map((field) => row(`${column.name}[].${field.name}`, field.type, field)),
  ]);
  const columns = [
    { name: 'column' },
    { name: 'type (! never null)' },
    { name: 'unit' },
    { name: 'class' },
    { name: 'landed' },
    { name: 'source field' },
  ];
  const switchedOff = one.columns.some((column) => column.withheld?.startsWith('privacy.'));
  const foot = switchedOff
    ? '\nValues that were landed before a class was switched off stay in the tables until you rebuild them. `aorta doctor` counts them.\n'
    : '';
  return `${head.join('\n')}\n${table(columns, rows, out.columns)}${foot}`;
}
