import type { QueryValue } from '@aorta/connectors';

/** `JSON.rawJSON` keeps the digits of a 64-bit integer; TypeScript's library does not know it yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** JSON of a value, with every digit of a 64-bit integer, and the names of numbers that JSON has not (`"NaN"`, `"Infinity"`). */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === 'bigint') return rawJSON(inner.toString());
    if (typeof inner === 'number' && !Number.isFinite(inner)) return String(inner);
    return inner;
  });
}

/** Names for the members of a row's object: a second column of one name gets a number, as nothing may be lost. */
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

/** A row as one object, in the order of the columns. */
export function jsonRow(names: readonly string[], row: readonly QueryValue[]): string {
  return `{${names.map((name, index) => `${JSON.stringify(name)}:${jsonOf(row[index] ?? null)}`).join(',')}}`;
}
