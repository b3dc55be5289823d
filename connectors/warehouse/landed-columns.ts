import type { Column, TableDeclaration } from '@aorta/schemas';

/** Why a column of a declaration is not in the warehouse; undefined where it is. */
export function withheld(table: TableDeclaration, column: Column): string | undefined {
  if (column.class === 'identifier') return 'identifies a person';
  if (column.class === 'secret') return 'is a secret';
  if (column.class === 'extra' && table.columns.some((other) => other.class === 'identifier' || other.class === 'secret')) {
    return 'may hold what its stream withholds';
  }
  return undefined;
}

/** The columns of a declaration that are landed. */
export function landedColumns(table: TableDeclaration): readonly Column[] {
  return table.columns.filter((column) => withheld(table, column) === undefined);
}
