import { Decimal, jsonOf, type QueryResult, type QueryValue } from '@aorta/connectors';
import { visible } from '@aorta/runtime';
import { columnWidths, nullMark, type TableColumn, tableHead, tableLine } from './table.ts';
import { type Output, styled } from './terminal.ts';

/** Number of rows that determine the column widths of a table. Later rows use these widths, so the result need not fit into memory. */
const sample = 1000;

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

function jsonRow(names: readonly string[], row: readonly QueryValue[]): string {
  return `{${names.map((name, index) => `${JSON.stringify(name)}:${jsonOf(row[index] ?? null)}`).join(',')}}`;
}

/** Prints a JSON array with one row per line. Returns the number of rows. */
export async function printJson(out: Output, result: QueryResult): Promise<number> {
  const names = memberNames(result.columns.map((column) => column.name));
  let rows = 0;
  for await (const batch of result.rows) {
    if (batch.length === 0) continue;
    const lines = batch.map((row) => jsonRow(names, row));
    await out.write(`${rows === 0 ? '[\n' : ',\n'}${lines.join(',\n')}`);
    rows += batch.length;
  }
  await out.write(rows === 0 ? '[]\n' : '\n]\n');
  return rows;
}

/**
 * Formats one line according to RFC 4180. NULL becomes an empty field, an empty string becomes a quoted field, and lists
 * and objects become JSON.
 */
export function csvLine(values: readonly QueryValue[]): string {
  return `${values.map(field).join(',')}\r\n`;
}

function field(value: QueryValue): string {
  if (value === null) return '';
  if (typeof value === 'string') return value === '' || /[",\r\n]|^\s|\s$/.test(value) ? quoted(value) : value;
  if (typeof value === 'object' && !(value instanceof Decimal)) return quoted(jsonOf(value));
  return String(value);
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** Prints CSV (RFC 4180) with column names in the first line, as bytes with the exact values. Returns the number of rows. */
export async function printCsv(out: Output, result: QueryResult): Promise<number> {
  await out.write(Buffer.from(csvLine(result.columns.map((column) => column.name))));
  let rows = 0;
  for await (const batch of result.rows) {
    await out.write(Buffer.from(batch.map(csvLine).join('')));
    rows += batch.length;
  }
  return rows;
}

/** Prints a table, at most as wide as the terminal. Returns the number of rows. */
export async function printTable(out: Output, result: QueryResult): Promise<number> {
  const columns = result.columns.map(
    ({ name, type }): TableColumn => ({ name: visible(name), align: isNumber(type) ? 'right' : 'left' }),
  );
  let widths: number[] | undefined;
  let waiting: string[][] = [];
  let rows = 0;
  const flush = async () => {
    const lines: string[] = [];
    if (widths === undefined) {
      widths = columnWidths(columns, waiting, out.columns);
      const [names = '', rule = ''] = tableHead(columns, widths);
      lines.push(styled(out, 'bold', names), styled(out, 'dim', rule));
    }
    for (const row of waiting) lines.push(tableLine(row, widths, columns));
    waiting = [];
    if (lines.length > 0) await out.write(`${lines.join('\n')}\n`);
  };
  for await (const batch of result.rows) {
    for (const row of batch) waiting.push(row.map(cellText));
    rows += batch.length;
    if (waiting.length >= sample) await flush();
  }
  if (waiting.length > 0 || widths === undefined) await flush();
  return rows;
}

function cellText(value: QueryValue): string {
  if (value === null) return nullMark;
  if (typeof value === 'string') return visible(value);
  if (typeof value === 'object') return visible(jsonOf(value));
  return String(value);
}

function isNumber(type: string): boolean {
  return /^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL.*|BIGNUM|(BIG)?NUMERIC|int64|float64)$/i.test(type);
}
