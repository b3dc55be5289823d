/** A column, as the REST API writes it. */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly mode?: string;
  readonly description?: string;
  readonly fields?: readonly Field[];
}

/** The names that the REST API has had from the start, by those of GoogleSQL. */
const OLD_NAMES: Readonly<Record<string, string>> = { INT64: 'INTEGER', FLOAT64: 'FLOAT', BOOL: 'BOOLEAN', STRUCT: 'RECORD' };
const NEW_NAMES: Readonly<Record<string, string>> = Object.fromEntries(Object.entries(OLD_NAMES).map(([a, b]) => [b, a]));

/** The type as the REST API answers it: INTEGER, FLOAT, BOOLEAN, RECORD. */
export const typeOf = ({ type }: Field): string => OLD_NAMES[type.toUpperCase()] ?? type.toUpperCase();
export const modeOf = ({ mode }: Field): string => mode?.toUpperCase() ?? 'NULLABLE';

/** The same columns with the names that the REST API answers, and a mode each. */
export function normalised(fields: readonly Field[]): Field[] {
  return fields.map((field) => ({
    ...field,
    type: typeOf(field),
    mode: modeOf(field),
    ...(field.fields === undefined ? {} : { fields: normalised(field.fields) }),
  }));
}

/** The columns for the emulator, which has no BIGNUMERIC. */
export function forEmulator(fields: readonly Field[]): Field[] {
  return normalised(fields).map((field) => ({
    ...field,
    ...(field.type === 'BIGNUMERIC' ? { type: 'NUMERIC' } : {}),
    ...(field.fields === undefined ? {} : { fields: forEmulator(field.fields) }),
  }));
}

/** The column’s type as the emulator reads it: `ARRAY<STRUCT<at TIMESTAMP>>`. */
export function sqlType(field: Field): string {
  const type = typeOf(field);
  const inner = (field.fields ?? []).map((one) => `\`${one.name}\` ${sqlType(one)}`).join(', ');
  // Without its digits the emulator keeps three of them after the point.
  const exact = type === 'NUMERIC' || type === 'BIGNUMERIC' ? 'NUMERIC(38, 9)' : undefined;
  const single = type === 'RECORD' ? `STRUCT<${inner}>` : (exact ?? NEW_NAMES[type] ?? type);
  return modeOf(field) === 'REPEATED' ? `ARRAY<${single}>` : single;
}
