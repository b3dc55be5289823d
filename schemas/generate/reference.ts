import { resourceColumns, type TimeseriesResource, timeseriesResources } from '../events/resource.ts';
import type { StreamDeclaration } from '../streams/declaration.ts';
import { type Column, elementFields, typeName } from '../tables/declaration.ts';
import { tableOf } from './tables.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|');

function row(name: string, type: string, described: Pick<Column, 'unit' | 'class' | 'source' | 'doc'>): string {
  const { unit, class: privacyClass, source, doc } = described;
  return `| \`${name}\` | ${type} | ${unit ?? ''} | ${privacyClass} | ${source === undefined ? '' : `\`${source}\``} | ${cell(doc)} |`;
}

function streamSection(declaration: StreamDeclaration): string {
  const { stream, schema } = declaration;
  const lines = [`## \`${stream}\``, '', schema.doc, ''];
  const { prefixes } = schema.aorta;
  if (prefixes.length > 0)
    lines.push(`Event types: ${prefixes.map((prefix) => `\`${prefix}${prefix.endsWith('.') ? '*' : ''}\``).join(', ')}.`);
  const table = tableOf(declaration);
  if (table === undefined) {
    lines.push('No table: kept whole, each delivery has its row in `deliveries`.');
    return lines.join('\n');
  }
  lines.push(
    `Table \`${table.name}\`: key ${table.key.map((name) => `\`${name}\``).join(', ')}; newest by ${table.order.map((name) => `\`${name}\``).join(', ')}.`,
  );
  lines.push('', '| column | type | unit | class | source field | what |', '| --- | --- | --- | --- | --- | --- |');
  for (const column of table.columns) {
    const type = typeName(column.type);
    lines.push(row(column.name, column.nullable ? type : `${type}, never null`, column));
    for (const field of elementFields(column.type) ?? []) lines.push(row(`${column.name}[].${field.name}`, field.type, field));
  }
  return lines.join('\n');
}

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

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
    'A resource is the third part of an event type, `heartrate` in `daily.data.heartrate.created`. Those of `timeseries` have a view of their own name: the samples with times, source and type, `value` and `unit` as sent, and the columns below. The first holds the value where it came in the unit of the resource, or without one; the further ones are what only this resource has.',
    'Where the type is part of the key, one moment holds several values; the workout is part of the key of `workout_…`. Retired names are those that only older deliveries have.',
    '',
    '| resource | value | further columns | unit | form | type is key |',
    '| --- | --- | --- | --- | --- | --- |',
    ...timeseriesResources.map(resourceRow),
  ].join('\n');
}

/** The reference page of streams and tables, in Markdown. */
export function referencePage(streams: readonly StreamDeclaration[]): string {
  return [
    '# Streams and tables',
    '',
    'Generated from the declarations in `schemas/streams/` by `npm run generate`; a test fails when they drift.',
    'Columns that begin with `_` are of the pipeline: the version of the row, and `_loaded_at`, when it was last merged. The class of a column decides whether it reaches the tables, by `privacy` in the [configuration](configuration.md): identifiers, and those of patients, only where they are switched on, secrets never, `extra` where every class of its stream does. `aorta schema` says it for yours. A list is empty, never null, where the event has none; `a[].b` is the field `b` of the objects in the list `a`, and the view named after table and list has a row for each.',
    '',
    ...streams.map((declaration) => `${streamSection(declaration)}\n`),
    `${resourcesSection()}\n`,
  ].join('\n');
}
