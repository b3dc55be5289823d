import { resourceColumns, type TimeseriesResource, timeseriesResources } from '../events/resource.ts';
import { eventTypesOf, type StreamDeclaration } from '../streams/declaration.ts';
import { type Column, elementFields, typeName } from '../tables/declaration.ts';
import { tableOf } from './tables.ts';

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
const cell = (text: string): string => text.replaceAll('|', '\\|');

function row(name: string, type: string, described: Pick<Column, 'unit' | 'class' | 'source' | 'doc'>): string {
  const { unit, class: privacyClass, source, doc } = described;
  return `| \`${name}\` | ${type} | ${unit ?? ''} | ${privacyClass} | ${source === undefined ? '' : `\`${source}\``} | ${cell(doc)} |`;
}

function streamSection(declaration: StreamDeclaration): string {
  const { stream, schema } = declaration;
  const lines = [`## \`${stream}\``, '', schema.doc, ''];
  const { shape, prefixes, endings } = schema.aorta;
  if (shape === 'timeseries' && prefixes.length > 1) {
    const types = eventTypesOf({ prefixes: ['daily.data.{resource}.'], endings });
    lines.push(`Event types: ${code(types)} for its [resources](#timeseries-resources).`, '');
  } else if (prefixes.length > 0) lines.push(`Event types: ${code(eventTypesOf(schema.aorta))}.`, '');
  const table = tableOf(declaration);
  if (table === undefined) {
    lines.push('This stream has no table. It keeps whole deliveries, and each delivery has a row in `deliveries`.');
    return lines.join('\n');
  }
  lines.push(`Table: \`${table.name}\`. Key: ${code(table.key)}. Version order: ${code(table.order)}.`);
  lines.push('', '| column | type | unit | class | source field | description |', '| --- | --- | --- | --- | --- | --- |');
  for (const column of table.columns) {
    const type = typeName(column.type);
    lines.push(row(column.name, column.nullable ? type : `${type}, never null`, column));
    for (const field of elementFields(column.type) ?? []) lines.push(row(`${column.name}[].${field.name}`, field.type, field));
  }
  return lines.join('\n');
}

function resourceRow(resource: TimeseriesResource): string {
  const { resource: name, stream, form, unit, typeIsKey, retired } = resource;
  const { value, further } = resourceColumns(resource);
  const own = stream === 'timeseries' ? [code([value]), code(further)] : [`table ${code([stream])}`, ''];
  const cells = [`${code([name])}${retired ? ' (retired)' : ''}`, ...own, unit, form, typeIsKey ? 'yes' : ''];
  return `| ${cells.map(cell).join(' | ')} |`;
}

function resourcesSection(): string {
  return [
    '## Timeseries resources',
    '',
    'The third part of an event type is its resource, such as `heartrate` in `daily.data.heartrate.created`. Each resource of `timeseries` has a view with the same name. The view shows the samples with their times, source and type, the `value` and `unit` as sent, and the columns below. The column under "value" is NULL if the value came in a unit that cannot be converted. `value_canonical` and `unit_canonical` have the value in the unit of its [measure](measures.md). The columns under "further columns" exist only for this resource.',
    'If the type is part of the key, several samples may have the same time. The workout is part of the key of `workout_…`. Only older deliveries have retired resources.',
    '',
    '| resource | value | further columns | unit | form | type is key |',
    '| --- | --- | --- | --- | --- | --- |',
    ...timeseriesResources.map(resourceRow),
  ].join('\n');
}

export function referencePage(streams: readonly StreamDeclaration[]): string {
  return [
    '# Streams and tables',
    '',
    'This page is generated from the declarations in `schemas/streams/` by `npm run generate`. A test fails if they differ.',
    '',
    '- A stream reads only the listed event types. `{…}` stands for one segment of any name, and `*` for any text. A backfill creates the types that end with `backfilled`. An event type with another ending is `unrouted`, unless a [route](../guides/configuration.md#routes) names it.',
    '- The pipeline adds the columns that begin with `_`. They are the version of the row, and `_loaded_at`, the time of its last merge.',
    '- The class of a column and the section `privacy` of the [configuration](configuration.md) decide whether its values reach the tables. Identifiers of users and of patients reach the tables only if you switch them on. Secrets never reach a table. `extra` reaches a table only if all classes of its stream do. `aorta schema` shows the result for your configuration.',
    '- `extra`, `sample_extra` and `fields_extra` have one member for each value. Its name is the [path](../guides/querying.md#columns) of the value in the event.',
    '- A list is empty, never null, if the event has none. `a[].b` is the field `b` of the objects in the list `a`. The view named after the table and the list has one row per object.',
    '',
    ...streams.map((declaration) => `${streamSection(declaration)}\n`),
    `${resourcesSection()}\n`,
  ].join('\n');
}
