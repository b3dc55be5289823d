import { elementFields, type TableDeclaration } from '@aorta/schemas';
import { type Privacy, withheld } from '../privacy.ts';
import type { WithheldValues } from '../warehouse.ts';
import type { Database } from './database.ts';
import { fieldsOf } from './table-differences.ts';

/** Values of columns, and of fields of lists' objects, that a setting withholds: a class that is switched off leaves what was landed before. */
export async function withheldValues(
  database: Database,
  tables: readonly TableDeclaration[],
  privacy: Privacy,
): Promise<WithheldValues[]> {
  const step = 'looking for withheld values';
  const present = await database.rows(
    step,
    "select schema_name || '.' || table_name, column_name from duckdb_columns() where schema_name in ('main', 'aorta')",
  );
  const standsIn = new Set(present.map(([table, column]) => `${table}.${column}`));
  const found: WithheldValues[] = [];
  for (const table of tables) {
    const count = async (column: string, value: string, from: string): Promise<void> => {
      const values = Number((await database.rows(step, `select count(${value}) from ${from}`))[0]![0]);
      if (values > 0) found.push({ table: table.name, column, values });
    };
    const holders =
      table.shape === 'timeseries' ? [`aorta.${table.name}_events`, `aorta.${table.name}_samples`] : [`main.${table.name}`];
    for (const holder of holders) {
      for (const column of table.columns.filter(({ name }) => standsIn.has(`${holder}.${name}`))) {
        const { name } = column;
        const fields = elementFields(column.type);
        if (fields !== undefined) {
          const whole = withheld(table, column, privacy) !== undefined;
          const known = await fieldsOf(database, holder, name);
          for (const field of fields.filter(
            (one) => known.has(one.name) && (whole || withheld(table, one, privacy) !== undefined),
          ))
            await count(`${name}[].${field.name}`, `element.${field.name}`, `(select unnest(${name}) as element from ${holder})`);
        } else if (withheld(table, column, privacy) !== undefined) {
          await count(name, name, holder);
        }
      }
    }
  }
  return found;
}
