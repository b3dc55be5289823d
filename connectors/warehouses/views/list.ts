import { type Column, elementFields, type TableDeclaration } from '@aorta/schemas';
import type { View, ViewDialect } from './dialect.ts';

/** Columns that say whose row it is, beside the key of the table. */
const parent = ['user_id', 'provider', 'source_type'];

/**
 * A view for each list of objects in a table, named after both: a row for each element, with the parent's key and its
 * place in the list, from 1. An empty list has no row. The name of an element's field is also the name of its column, so
 * it must not be that of a parent's. Of a list that is declared and not landed there is none, nor one from before.
 */
export function listViews(dialect: ViewDialect, table: TableDeclaration, declared: TableDeclaration): View[] {
  const { columns } = table;
  const keys = columns.map(({ name }) => name).filter((name) => table.key.includes(name) || parent.includes(name));
  return declared.columns
    .filter(({ type }) => elementFields(type) !== undefined)
    .map(({ name }) => {
      const column = columns.find((landed) => landed.name === name);
      if (column === undefined) return { name: `${table.name}_${name}`, query: undefined };
      return listView(dialect, table.name, column, keys);
    });
}

function listView(
  { table: relation, name, elements }: ViewDialect,
  table: string,
  { name: list, type }: Column,
  keys: readonly string[],
): View {
  const fields = elementFields(type)!.map((field) => field.name);
  const taken = fields.find((field) => field === 'ordinal' || keys.includes(field));
  if (taken !== undefined) throw new Error(`${table}.${list}: the field ${taken} has the name of another column of the view`);
  return {
    name: `${table}_${list}`,
    query: `select
  ${keys.map(name).join(', ')}, ordinal,
  ${fields.map((field) => `element.${name(field)}`).join(', ')}
from (
  ${elements(relation(table), keys, list)}
) listed`,
  };
}
