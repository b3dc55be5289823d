import type { ErrorProto } from '../service-error.ts';
import type { Field } from '../tables/field.ts';
import { RowCheck } from './row-check.ts';

/** The result of checking the NDJSON rows of a load. */
export interface CheckedRows {
  /** The good rows as NDJSON, ready to load. */
  readonly data: Buffer;
  readonly rows: number;
  readonly bad: number;
  /** The errors of the first bad rows. */
  readonly errors: readonly ErrorProto[];
}

const TOLD = 5;
const NEWLINE = 0x0a;

/** Checks each row. Omits bad rows and reports the errors of the first bad rows. */
export function checkedRows(data: Buffer, fields: readonly Field[], ignoreUnknown: boolean): CheckedRows {
  const check = new RowCheck(fields, ignoreUnknown);
  const kept: Buffer[] = [];
  const errors: ErrorProto[] = [];
  let bad = 0;
  for (let start = 0; start < data.length; ) {
    const newline = data.indexOf(NEWLINE, start);
    const end = newline < 0 ? data.length : newline;
    const line = data.subarray(start, end);
    const position = start;
    start = end + 1;
    if (line.length === 0 || line.toString('latin1').trim() === '') continue;
    const row = parsed(line);
    const problem = check.problem(row);
    if (problem === undefined) {
      kept.push(withLists(line, check.absentLists(row as Readonly<Record<string, unknown>>)), Buffer.from('\n'));
      continue;
    }
    bad++;
    if (errors.length < TOLD)
      errors.push({
        reason: 'invalid',
        message: `Error while reading data, error message: JSON parsing error in row starting at position ${position}: ${problem}`,
      });
  }
  return { data: Buffer.concat(kept), rows: kept.length / 2, bad, errors };
}

function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Adds an empty list to a row for each of the given columns. Edits the text, because parsing and rewriting the row could change
 * large numbers.
 */
function withLists(line: Buffer, columns: readonly string[]): Buffer {
  if (columns.length === 0) return line;
  const text = columns.map((name) => `${JSON.stringify(name)}:[]`).join(',');
  const brace = line.indexOf('{');
  const empty = /^\s*\}/.test(line.toString('utf8', brace + 1));
  return Buffer.concat([line.subarray(0, brace + 1), Buffer.from(empty ? text : `${text},`), line.subarray(brace + 1)]);
}
