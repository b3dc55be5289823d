import type { ViewColumn, ViewDescription } from '@aorta/connectors/warehouses';
import { typeName } from '@aorta/schemas';
import { table } from '../printing/table.ts';
import { styled, type Terminal } from '../printing/terminal.ts';

/** A view, as `aorta schema --json` prints it. */
export function viewObject({ name, doc, columns }: ViewDescription): object {
  const members = columns.map((column) => ({
    name: column.name,
    type: column.type === undefined ? null : nameOf(column.type),
    unit: column.unit ?? null,
    what: column.doc,
  }));
  return { view: name, what: doc, columns: members };
}

export function viewsOverview(views: readonly ViewDescription[], { out }: Terminal): string {
  return table(
    [{ name: 'view' }, { name: 'one row is' }],
    views.map(({ name, doc }) => [name, doc]),
    out.columns,
  );
}

export function viewDetails({ name, doc, columns }: ViewDescription, { out }: Terminal): string {
  const rows = columns.map((column) => [
    column.name,
    column.type === undefined ? '' : nameOf(column.type),
    column.unit ?? '',
    column.doc,
  ]);
  const head = [{ name: 'column' }, { name: 'type' }, { name: 'unit' }, { name: 'description' }];
  return `${styled(out, 'bold', `view ${name}`)}\n${doc}\n\n${table(head, rows, out.columns)}`;
}

const nameOf = (type: NonNullable<ViewColumn['type']>): string => (type === 'datetime' ? type : typeName(type));
