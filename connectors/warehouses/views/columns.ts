import { type Column, deliveries, type ElementField, elementFields, type TableDeclaration, tables } from '@aorta/schemas';
import { loadedAt, tableColumns } from '../table-rows.ts';
import type { ViewColumn, ViewDialect } from './dialect.ts';
import { sourceName } from './source-rank.ts';

/** Returns the text that describes a column in a warehouse: its meaning and its unit. */
export const descriptionOf = ({ doc, unit }: { readonly doc: string; readonly unit?: string | undefined }): string =>
  unit === undefined ? doc : `${doc} (${unit})`;

/** Returns the description of a column that shows the values of a declared column or field. */
function described({ name, type, unit, doc }: Column | ElementField): ViewColumn {
  return { name, type, doc, unit };
}

/** Returns the descriptions of all columns of a table. */
export function allColumns(table: TableDeclaration): ViewColumn[] {
  return [...tableColumns(table), loadedAt].map(described);
}

/** The column that names a source. It follows its two parts. */
export const sourceColumn = {
  name: 'source',
  type: 'string',
  doc: 'Provider and source type, as `provider/source_type`.',
} as const;

/** The columns that name the source of a value. */
export const sourceColumns: readonly ViewColumn[] = [
  { name: 'provider', type: 'string', doc: 'Slug of the provider.' },
  { name: 'source_type', type: 'string', doc: 'Kind of device or origin.' },
  sourceColumn,
];

/** Adds {@link sourceColumn} to columns that contain the two parts of a source. */
export function withSource(columns: readonly ViewColumn[]): ViewColumn[] {
  const at = columns.findIndex(({ name }) => name === 'source_type');
  return columns.toSpliced(at + 1, 0, ...(at < 0 ? [] : [sourceColumn]));
}

/** Expression for a column of a view that has the parts of a source and not their name. */
export const shownColumn = (dialect: ViewDialect, name: string): string =>
  name === sourceColumn.name ? `${sourceName(dialect)} as ${name}` : dialect.name(name);

/** Columns that identify the owner of a row, in addition to the table's key. */
const parent = ['user_id', 'provider', 'source_type'];

/** Returns the columns of a table that identify the owner of an element of a list. */
export const ownerColumns = ({ columns, key }: TableDeclaration): Column[] =>
  columns.filter(({ name }) => key.includes(name) || parent.includes(name));

/** The name that a view gives to a field of a list's elements: in views, the local date of a row is `local_date`. */
export const shownField = (name: string): string => (name === 'calendar_date' ? 'local_date' : name);

/** Describes the columns of a list's view. */
export function listColumns(table: TableDeclaration, { type }: Column): ViewColumn[] {
  return [
    ...withSource(ownerColumns(table).map(described)),
    { name: 'ordinal', type: 'int64', doc: 'Position in the list, from 1.' },
    ...elementFields(type)!.map((field) => ({ ...described(field), name: shownField(field.name) })),
  ];
}

/** The columns of each declared table, and of the view for each list of objects. */
const declared: ReadonlyMap<string, readonly ViewColumn[]> = new Map(
  [...tables, deliveries].flatMap((table) => [
    [table.name, allColumns(table)] as const,
    ...table.columns
      .filter(({ type }) => elementFields(type) !== undefined)
      .map((list) => [`${table.name}_${list.name}`, listColumns(table, list)] as const),
  ]),
);

/**
 * Returns the descriptions of columns that a view takes from a declared table, or from the view of a list. The view may give a
 * column another name: `[column, name]`.
 */
export function columnsOf(relation: string, names: readonly (string | readonly [column: string, name: string])[]): ViewColumn[] {
  const columns = declared.get(relation)!;
  return names.map((entry) => {
    const [name, shownAs] = typeof entry === 'string' ? [entry, entry] : entry;
    return { ...columns.find((column) => column.name === name)!, name: shownAs };
  });
}
