import type { QueryValue } from '@aorta/connectors';

/** `JSON.rawJSON` keeps all digits of a 64-bit integer. TypeScript's library does not declare it yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** Formats a value as JSON, with all digits of 64-bit integers. Numbers that JSON cannot represent become `"NaN"` or `"Infinity"`. */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === 'bigint') return rawJSON(inner.toString());
    if (typeof inner === 'number' && !Number.isFinite(inner)) return String(inner);
    return inner;
  });
}

/** Returns unique member names for the columns. A repeated column name gets a number appended. */
export function memberNames(columns: readonly string[]): string[] {
  const taken = new Set(columns);
  const used = new Set<string>();
  return columns.map((column) => {
    let name = column;
    for (let number = 1; used.has(name) || (name !== column && taken.has(name)); number += 1) name = `${column}_${number}`;
    used.add(name);
    return name;
  });
}

export function jsonRow(names: readonly string[], row: readonly QueryValue[]): string {
  return `{${names.map((name, index) => `${JSON.stringify(name)}:${jsonOf(row[index] ?? null)}`).join(',')}}`;
}
