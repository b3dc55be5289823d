import { jsonOf, type QueryValue } from '@aorta/connectors';

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
