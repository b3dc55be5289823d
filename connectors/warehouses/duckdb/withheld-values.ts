import { type Column, elementFields, type TableDeclaration } from '@aorta/schemas';
import { type Privacy, withheld } from '../../privacy.ts';
import type { WithheldValues } from '../../warehouse.ts';
import type { Database } from './database.ts';
import { fieldsOf } from './table-differences.ts';

/**
 * Counts stored values that a privacy setting withholds, in columns and in the objects of lists. These values were landed before
 * the setting changed.
 */
export async function withheldValues(
  database: Database,
  tables: readonly TableDeclaration[],
  privacy: Privacy,
): Promise<WithheldValues[]> {
  const step = 'looking for withheld values';
  const present = await database.rows(
    step,
    "select schema_name || '.' || table_name, column_name from duckdb_columns() where schema_name in ('main', 'control')",
  );
  const standsIn = new Set(present.map(([table, column]) => `${table}.${column}`));
  const found: WithheldValues[] = [];
  for (const table of tables)
    for (const holder of holdersOf(table))
      for (const column of table.columns.filter(({ name }) => standsIn.has(`${holder}.${name}`)))
        for (const { name, value, from } of await withheldIn(database, { table, holder, column }, privacy)) {
          const values = Number((await database.rows(step, `select count(${value}) from ${from}`))[0]![0]);
          if (values > 0) found.push({ table: table.name, column: name, values });
        }
  return found;
}

/** Returns the database tables that hold the columns of a declaration. */
function holdersOf({ name, shape }: TableDeclaration): string[] {
  return shape === 'timeseries' ? [`control.${name}_events`, `control.${name}_samples`] : [`main.${name}`];
}

interface StandingColumn {
  readonly table: TableDeclaration;
  readonly holder: string;
  readonly column: Column;
}

/** Returns expressions that count the withheld values in a column itself or in the fields of the objects in its list. */
async function withheldIn(
  database: Database,
  { table, holder, column }: StandingColumn,
  privacy: Privacy,
): Promise<{ readonly name: string; readonly value: string; readonly from: string }[]> {
  const { name } = column;
  const whole = withheld(table, column, privacy) !== undefined;
  const fields = elementFields(column.type);
  if (fields === undefined) return whole ? [{ name, value: name, from: holder }] : [];
  const known = await fieldsOf(database, holder, name);
  return fields
    .filter((field) => known.has(field.name) && (whole || withheld(table, field, privacy) !== undefined))
    .map((field) => ({
      name: `${name}[].${field.name}`,
      value: `element.${field.name}`,
      from: `(select unnest(${name}) as element from ${holder})`,
    }));
}
