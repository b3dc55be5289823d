import { type Column, type ElementField, elementFields, type TableDeclaration } from '@aorta/schemas';

/** What a column, or a field of a list's objects, says of itself. */
type Described = Pick<Column, 'class'>;

const withheldClass = ({ class: privacyClass }: Described): boolean => privacyClass === 'identifier' || privacyClass === 'secret';

/** Why a column of a declaration, or a field of a list's objects, is not in the warehouse; undefined where it is. */
export function withheld(table: TableDeclaration, described: Described): string | undefined {
  if (described.class === 'identifier') return 'identifies a person';
  if (described.class === 'secret') return 'is a secret';
  if (described.class === 'extra' && table.columns.some(withholdsSomething)) return 'may hold what its stream withholds';
  return undefined;
}

function withholdsSomething(column: Column): boolean {
  return withheldClass(column) || (elementFields(column.type)?.some(withheldClass) ?? false);
}

/** The columns of a declaration that are landed; a list of objects with the fields that are landed. */
export function landedColumns(table: TableDeclaration): readonly Column[] {
  return table.columns.flatMap((column) => {
    if (withheld(table, column) !== undefined) return [];
    const fields = elementFields(column.type);
    if (fields === undefined) return [column];
    const landed: readonly ElementField[] = fields.filter((field) => withheld(table, field) === undefined);
    return landed.length === 0 ? [] : [{ ...column, type: { list: landed } }];
  });
}
