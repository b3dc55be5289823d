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

/** The reference page of streams and tables, in Markdown. */
export function referencePage(streams: readonly StreamDeclaration[]): string {
  return [
    '# Streams and tables',
    '',
    'Generated from the declarations in `schemas/streams/` by `npm run generate`; a test fails when they drift.',
    'Columns that begin with `_` are of the pipeline: the version of the row, and `_loaded_at`, when it was last merged. Columns of class `identifier` are not landed. A list is empty, never null, where the event has none; `a[].b` is the field `b` of the objects in the list `a`, and the view named after table and list has a row for each.',
    '',
    ...streams.map((declaration) => `${streamSection(declaration)}\n`),
  ].join('\n');
}
