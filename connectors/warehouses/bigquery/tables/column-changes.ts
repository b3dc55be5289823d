import { column, sqlType } from '../sql/types.ts';
import { columnDefinition, type WantedTable } from './declared.ts';
import type { TableField } from './fields.ts';

/** For each type, the wider types to which a column may be changed. */
const wider: Readonly<Record<string, readonly string[]>> = {
  INTEGER: ['NUMERIC', 'BIGNUMERIC', 'FLOAT'],
  NUMERIC: ['BIGNUMERIC', 'FLOAT'],
  BIGNUMERIC: ['FLOAT'],
};

const apiNames: Readonly<Record<string, string>> = {
  INT64: 'INTEGER',
  FLOAT64: 'FLOAT',
  BOOL: 'BOOLEAN',
  STRUCT: 'RECORD',
};

/** Returns a type under its API name. Statements and some responses use a different name. */
const typeOf = ({ type }: TableField): string => apiNames[type] ?? type;
const modeOf = ({ mode }: TableField): string => mode ?? 'NULLABLE';
const sameType = (a: TableField, b: TableField): boolean => typeOf(a) === typeOf(b);
const said = (field: TableField): string => sqlType({ ...field, type: typeOf(field), fields: field.fields ?? [] });

export interface ColumnChanges {
  /** The fields after all additions and relaxations. */
  readonly fields: TableField[];
  readonly statements: { readonly what: string; readonly sql: string }[];
  /** Statements that widen a type. They run after the schema is patched, because the patch still names the narrower type. */
  readonly widened: { readonly what: string; readonly sql: string }[];
  readonly refused: { readonly what: string; readonly why: string; readonly sql?: string }[];
}

/** Compares the declared columns with the existing ones. Existing columns that are not declared are kept. */
export function columnChanges(
  of: string,
  { fields: wanted, withheld = [] }: WantedTable,
  found: readonly TableField[],
): ColumnChanges {
  const changes: ColumnChanges = { fields: [...found], statements: [], widened: [], refused: [] };
  // Column names are case-insensitive.
  const place = (name: string): number => found.findIndex((field) => field.name.toLowerCase() === name.toLowerCase());
  for (const field of wanted) {
    const at = place(field.name);
    if (at < 0) added(changes, of, field);
    else altered(changes, of, field, at);
  }
  for (const [at, field] of found.entries()) {
    const declared = wanted.some(({ name }) => name.toLowerCase() === field.name.toLowerCase());
    if (!declared && modeOf(field) === 'REQUIRED') undeclared(changes, of, at, withheld);
  }
  return changes;
}

function added(changes: ColumnChanges, of: string, field: TableField): void {
  // BigQuery cannot add a REQUIRED column, so the new column is nullable. Merges fill it, but existing rows have no value.
  const relaxed = { ...field, mode: modeOf(field) === 'REQUIRED' ? 'NULLABLE' : modeOf(field) };
  changes.fields.push(relaxed);
  changes.statements.push({
    what: `column ${field.name} is missing`,
    sql: `ALTER TABLE ${of} ADD COLUMN IF NOT EXISTS ${columnDefinition(relaxed)}`,
  });
}

function altered(changes: ColumnChanges, of: string, field: TableField, at: number): void {
  const there = changes.fields[at]!;
  const name = column(there.name);
  const what = `column ${field.name} is ${said(there)} instead of ${said(field)}`;
  if (hasAnotherMeaning(field, there)) {
    changes.refused.push({
      what,
      why: 'the types are incompatible: a replay must fill the column again, in this table or in a new one',
      sql: `ALTER TABLE ${of} RENAME COLUMN ${name} TO ${column(`${there.name}_before`)}`,
    });
    return;
  }
  // If the table's type is already wider, it is kept, and merges insert the narrower values.
  if (!sameType(field, there) && wider[typeOf(there)]?.includes(typeOf(field)))
    changes.widened.push({ what, sql: `ALTER TABLE ${of} ALTER COLUMN ${name} SET DATA TYPE ${sqlType(field)}` });
  if (modeOf(there) === 'REQUIRED' && modeOf(field) === 'NULLABLE') {
    changes.fields[at] = { ...there, mode: 'NULLABLE' };
    changes.statements.push({
      what: `column ${field.name} is required but declared as nullable`,
      sql: `ALTER TABLE ${of} ALTER COLUMN ${name} DROP NOT NULL`,
    });
  }
  if (field.fields !== undefined) nested(changes, of, field, at);
}

function hasAnotherMeaning(field: TableField, there: TableField): boolean {
  const isList = (one: TableField): boolean => modeOf(one) === 'REPEATED';
  return isList(field) !== isList(there) || (!sameType(field, there) && !mayWiden(field, there));
}

/** Handles the required column at index `at`, which no merge fills. */
function undeclared(changes: ColumnChanges, of: string, at: number, withheld: readonly string[]): void {
  const field = changes.fields[at]!;
  const sql = `ALTER TABLE ${of} ALTER COLUMN ${column(field.name)} DROP NOT NULL`;
  if (withheld.includes(field.name)) {
    changes.fields[at] = { ...field, mode: 'NULLABLE' };
    changes.statements.push({ what: `column ${field.name} is required but no longer landed`, sql });
    return;
  }
  changes.refused.push({
    what: `column ${field.name} is required but not declared`,
    why: 'merges cannot insert rows, because no record has a value for this column',
    sql,
  });
}

const mayWiden = (field: TableField, there: TableField): boolean =>
  wider[typeOf(there)]?.includes(typeOf(field)) === true || wider[typeOf(field)]?.includes(typeOf(there)) === true;

/** Compares the fields of the objects in a list. BigQuery has no statement to add such a field, so the schema is patched. */
function nested(changes: ColumnChanges, of: string, field: TableField, at: number): void {
  const there = changes.fields[at]!;
  const known = new Map((there.fields ?? []).map((one) => [one.name.toLowerCase(), one]));
  const missing = field.fields!.filter(({ name }) => !known.has(name.toLowerCase()));
  const other = field.fields!.filter((one) => {
    const found = known.get(one.name.toLowerCase());
    return found !== undefined && !sameType(one, found);
  });
  for (const one of other)
    changes.refused.push({
      what: `field ${field.name}[].${one.name} is ${said(known.get(one.name.toLowerCase())!)} instead of ${said(one)}`,
      why: 'the type of a field in a list of objects cannot be changed',
    });
  if (missing.length === 0) return;
  const fields = [...(there.fields ?? []), ...missing.map((one) => ({ ...one, mode: 'NULLABLE' }))];
  changes.fields[at] = { ...changes.fields[at]!, fields };
  changes.statements.push({
    what: `${missing.length === 1 ? 'field' : 'fields'} ${missing.map(({ name }) => `${field.name}[].${name}`).join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`,
    sql: `ALTER TABLE ${of} ALTER COLUMN ${column(there.name)} SET DATA TYPE ${sqlType({ ...there, fields })}`,
  });
}
