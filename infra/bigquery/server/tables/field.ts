/** A column in the format of the REST API. */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly mode?: string;
  readonly description?: string;
  readonly fields?: readonly Field[];
}

/** Maps GoogleSQL's type names to the REST API's type names, for types whose names differ. */
const OLD_NAMES: Readonly<Record<string, string>> = { INT64: 'INTEGER', FLOAT64: 'FLOAT', BOOL: 'BOOLEAN', STRUCT: 'RECORD' };
const NEW_NAMES: Readonly<Record<string, string>> = Object.fromEntries(Object.entries(OLD_NAMES).map(([a, b]) => [b, a]));

/** Returns a column's type as the REST API names it, such as INTEGER, FLOAT, BOOLEAN or RECORD. */
export const typeOf = ({ type }: Field): string => OLD_NAMES[type.toUpperCase()] ?? type.toUpperCase();
export const modeOf = ({ mode }: Field): string => mode?.toUpperCase() ?? 'NULLABLE';

/** Returns the columns with the REST API's type names and an explicit mode. */
export function normalised(fields: readonly Field[]): Field[] {
  return fields.map((field) => ({
    ...field,
    type: typeOf(field),
    mode: modeOf(field),
    ...(field.fields === undefined ? {} : { fields: normalised(field.fields) }),
  }));
}

/** Returns the columns with types that the emulator supports: BIGNUMERIC becomes NUMERIC. */
export function forEmulator(fields: readonly Field[]): Field[] {
  return normalised(fields).map((field) => ({
    ...field,
    ...(field.type === 'BIGNUMERIC' ? { type: 'NUMERIC' } : {}),
    ...(field.fields === undefined ? {} : { fields: forEmulator(field.fields) }),
  }));
}

/** Returns the column's type in SQL for the emulator, such as `ARRAY<STRUCT<at TIMESTAMP>>`. */
export function sqlType(field: Field): string {
  const type = typeOf(field);
  const inner = (field.fields ?? []).map((one) => `\`${one.name}\` ${sqlType(one)}`).join(', ');
  // Without an explicit scale, the emulator keeps only three decimal places.
  const exact = type === 'NUMERIC' || type === 'BIGNUMERIC' ? 'NUMERIC(38, 9)' : undefined;
  const single = type === 'RECORD' ? `STRUCT<${inner}>` : (exact ?? NEW_NAMES[type] ?? type);
  return modeOf(field) === 'REPEATED' ? `ARRAY<${single}>` : single;
}
