import { type Column, elementFields, type TableDeclaration } from '@aorta/schemas';
import { listColumns, ownerColumns, shownColumn, shownField } from './columns.ts';
import { eventsOnce } from './copies.ts';
import type { View, ViewDialect } from './dialect.ts';

/**
 * Returns a view for each list of objects in a table, named after the table and the list. It has one row per element, with the
 * parent's key and the element's `ordinal`, from 1. An empty list yields no rows. Each field of an element becomes a column of
 * the same name, so no field may have the name of a parent's column. For a declared list that is not landed, the query is
 * undefined, so that Aorta drops a view that an earlier run created.
 */
export function listViews(dialect: ViewDialect, table: TableDeclaration, declared: TableDeclaration): View[] {
  return declared.columns
    .filter(({ type }) => elementFields(type) !== undefined)
    .map(({ name }) => {
      const column = table.columns.find((landed) => landed.name === name);
      return column === undefined ? { name: `${table.name}_${name}`, query: undefined } : listView(dialect, table, column);
    });
}

function listView(dialect: ViewDialect, declaration: TableDeclaration, column: Column): View {
  const { name: table, columns } = declaration;
  const { name: list, type, doc } = column;
  const { name, elements } = dialect;
  const keys = ownerColumns(declaration).map((owner) => owner.name);
  const onePerDelivery = columns.some((column) => column.name === '_body_crc32');
  const events = onePerDelivery ? eventsOnce(dialect, table) : undefined;
  const relation = events === undefined ? dialect.table(table) : `(\n${events.query}\n)`;
  const fields = elementFields(type)!.map((field) => field.name);
  const described = listColumns(declaration, column);
  const shown = described.map((one) => one.name);
  const taken = shown.find((one, index) => shown.indexOf(one) !== index);
  if (taken !== undefined) throw new Error(`${table}.${list}: two columns of the view have the name ${taken}`);
  return {
    name: `${table}_${list}`,
    doc: `One element of the list \`${list}\` in \`${table}\`. ${doc}`,
    columns: described,
    query: `${events === undefined ? '' : `with ${events.tables}\n`}select
  ${shown
    .slice(0, shown.indexOf('ordinal'))
    .map((one) => shownColumn(dialect, one))
    .join(', ')}, ordinal,
  ${fields.map((field) => `element.${name(field)}${shownField(field) === field ? '' : ` as ${shownField(field)}`}`).join(', ')}
from (
  ${elements(relation, keys, list)}
) listed`,
  };
}
