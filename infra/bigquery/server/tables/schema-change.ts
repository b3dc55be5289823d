import { invalid } from '../service-error.ts';
import { type Field, modeOf, normalised, sqlType, typeOf } from './field.ts';

/** The types to which BigQuery can widen a column. */
const WIDER: Readonly<Record<string, readonly string[]>> = {
  INTEGER: ['NUMERIC', 'BIGNUMERIC', 'FLOAT'],
  NUMERIC: ['BIGNUMERIC', 'FLOAT'],
};

/** A change to a table's columns that BigQuery allows. */
export interface SchemaChange {
  readonly fields: readonly Field[];
  /** Clauses for ALTER TABLE, such as `ADD COLUMN` and `ALTER COLUMN`. */
  readonly statements: readonly string[];
  readonly added: readonly string[];
  readonly relaxed: readonly string[];
}

/**
 * Returns the change from a table's columns to the requested columns. Throws BigQuery's error for a removed column, a different
 * type or a stricter mode. With `partial`, columns that are not requested stay, because a load names only its own columns.
 */
export function schemaChange(table: string, is: readonly Field[], wanted: readonly Field[], partial = false): SchemaChange {
  const refused = (why: string): Error => invalid(`Provided Schema does not match Table ${table}. ${why}`);
  const before = new Map(is.map((field) => [field.name.toLowerCase(), field]));
  const named = new Set(wanted.map(({ name }) => name.toLowerCase()));
  const missing = is.find(({ name }) => !named.has(name.toLowerCase()));
  if (missing !== undefined && !partial) throw refused(`Field ${missing.name} is missing in new schema`);
  const statements: string[] = [];
  const added: string[] = [];
  const relaxed: string[] = [];
  const fields = new Map(is.map((field) => [field.name.toLowerCase(), field]));
  for (const field of normalised(wanted)) {
    const old = before.get(field.name.toLowerCase());
    if (old === undefined) {
      if (modeOf(field) === 'REQUIRED') throw refused(`Cannot add required fields to an existing schema. (field: ${field.name})`);
      statements.push(`ADD COLUMN \`${field.name}\` ${sqlType(field)}`);
      added.push(field.name);
      fields.set(field.name.toLowerCase(), field);
      continue;
    }
    const change = fieldChange(old, field, { partial, refused });
    added.push(...change.added);
    relaxed.push(...change.relaxed);
    const changed = { ...old, ...field, name: old.name, ...(change.fields === undefined ? {} : { fields: change.fields }) };
    if (sqlType(changed) !== sqlType(old)) statements.push(`ALTER COLUMN \`${old.name}\` SET DATA TYPE ${sqlType(changed)}`);
    fields.set(field.name.toLowerCase(), changed);
  }
  return { fields: [...fields.values()], statements, added, relaxed };
}

interface FieldChange {
  readonly fields?: readonly Field[];
  readonly added: readonly string[];
  readonly relaxed: readonly string[];
}

/**
 * Returns the change from the `old` field to the requested field. With `partial`, members may be omitted. If the change is not
 * allowed, throws the error that `refused` returns.
 */
function fieldChange(
  old: Field,
  field: Field,
  { partial, refused }: { readonly partial: boolean; readonly refused: (why: string) => Error },
): FieldChange {
  const path = field.name;
  const [oldType, type, oldMode, mode] = [typeOf(old), typeOf(field), modeOf(old), modeOf(field)];
  if (type !== oldType && (partial || !WIDER[oldType]?.includes(type)))
    throw refused(`Field ${path} has changed type from ${oldType} to ${type}`);
  const relaxes = oldMode === 'REQUIRED' && mode === 'NULLABLE';
  if (mode !== oldMode && !relaxes && !(partial && oldMode === 'NULLABLE' && mode === 'REQUIRED'))
    throw refused(`Field ${path} has changed mode from ${oldMode} to ${mode}`);
  const relaxed = relaxes ? [path] : [];
  if (type !== 'RECORD') return { added: [], relaxed };
  const inner = schemaChange('', old.fields ?? [], field.fields ?? [], partial);
  return {
    fields: inner.fields,
    added: inner.added.map((name) => `${path}.${name}`),
    relaxed: [...relaxed, ...inner.relaxed.map((name) => `${path}.${name}`)],
  };
}
