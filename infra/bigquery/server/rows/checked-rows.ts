import type { ErrorProto } from '../service-error.ts';
import { type Field, modeOf, typeOf } from '../tables/field.ts';

const WHOLE = /^\s*[+-]?\d+(?:\.0*)?\s*$/;
const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;
const NO_NUMBER = /^[+-]?(?:nan|inf|infinity)$/i;
const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const INSTANT = /^\d{4}-\d{1,2}-\d{1,2}(?:[T ]|$)/;
const TRUTH = /^(?:true|false|t|f|yes|no|y|n|1|0)$/i;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

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

/** The problem with a row, as the real service words it after "JSON parsing error in row starting at position N: ". */
type RowProblem = string;

/**
 * Checks whether the real service would load a row of JSON. Required columns must be present, unknown columns are errors unless
 * they are ignored, and each value must fit its column's type. The emulator itself accepts rows that the real service refuses,
 * and it rounds numbers.
 */
class RowCheck {
  readonly #fields: Fields;
  readonly #ignoreUnknown: boolean;

  constructor(fields: readonly Field[], ignoreUnknown: boolean) {
    this.#fields = fieldsOf(fields);
    this.#ignoreUnknown = ignoreUnknown;
  }

  problem(row: unknown): RowProblem | undefined {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) return 'Parser terminated before end of string';
    return this.#record(row as Readonly<Record<string, unknown>>, this.#fields, '');
  }

  /** Returns the repeated columns that are missing from the row. BigQuery stores an empty list for them. */
  absentLists(row: Readonly<Record<string, unknown>>): string[] {
    return this.#fields.lists.filter((name) => !Object.hasOwn(row, name));
  }

  #record(row: Readonly<Record<string, unknown>>, { byName, required }: Fields, path: string): RowProblem | undefined {
    let filled = 0;
    for (const [name, value] of Object.entries(row)) {
      const field = byName.get(name) ?? byName.get(name.toLowerCase());
      if (field === undefined) {
        if (!this.#ignoreUnknown) return `No such field: ${path}${name}.`;
        continue;
      }
      if (field.required && value !== null) filled++;
      const problem = this.#value(value, field, `${path}${name}`);
      if (problem !== undefined) return problem;
    }
    if (filled < required.length) {
      const names = new Set(Object.keys(row).map((name) => name.toLowerCase()));
      const missing = required.find((name) => !names.has(name.toLowerCase())) ?? required[0];
      return `Missing required field: ${path}${missing}.`;
    }
    return undefined;
  }

  #value(value: unknown, field: Known, path: string): RowProblem | undefined {
    if (field.repeated) {
      if (!Array.isArray(value))
        return value === null
          ? `Only optional fields can be set to NULL. Field: ${path}; Value: NULL`
          : `Repeated field must be imported as a JSON array. Field: ${path}.`;
      for (const one of value) {
        if (one === null) return `Only optional fields can be set to NULL. Field: ${path}; Value: NULL`;
        const problem = this.#single(one, field, path);
        if (problem !== undefined) return problem;
      }
      return undefined;
    }
    if (value === null)
      return field.required ? `Only optional fields can be set to NULL. Field: ${path}; Value: NULL` : undefined;
    if (Array.isArray(value) && field.type !== 'JSON') return `Array specified for non-repeated field: ${path}.`;
    return this.#single(value, field, path);
  }

  #single(value: unknown, field: Known, path: string): RowProblem | undefined {
    if (field.type === 'JSON') return undefined;
    if (field.type === 'RECORD') {
      if (typeof value !== 'object' || Array.isArray(value)) return `Nested field expected: ${path}.`;
      return this.#record(value as Readonly<Record<string, unknown>>, field.inner!, `${path}.`);
    }
    if (typeof value === 'object') return `This field: ${path} is not a record.`;
    return canBe(field.type, value as Scalar)
      ? undefined
      : `Could not convert value to ${field.type.toLowerCase()}. Field: ${path}.`;
  }
}

type Scalar = string | number | boolean;

interface Known {
  readonly type: string;
  readonly required: boolean;
  readonly repeated: boolean;
  readonly inner: Fields | undefined;
}

interface Fields {
  /** Each field, under its name and under its lower-case name. */
  readonly byName: ReadonlyMap<string, Known>;
  readonly required: readonly string[];
  readonly lists: readonly string[];
}

function fieldsOf(fields: readonly Field[]): Fields {
  const byName = new Map<string, Known>();
  for (const field of fields) {
    const type = typeOf(field);
    const inner = type === 'RECORD' ? fieldsOf(field.fields ?? []) : undefined;
    const known = { type, required: modeOf(field) === 'REQUIRED', repeated: modeOf(field) === 'REPEATED', inner };
    byName.set(field.name, known);
    byName.set(field.name.toLowerCase(), known);
  }
  const named = (mode: string): string[] => fields.filter((field) => modeOf(field) === mode).map(({ name }) => name);
  return { byName, required: named('REQUIRED'), lists: named('REPEATED') };
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one case for each type of BigQuery
function canBe(type: string, value: Scalar): boolean {
  switch (type) {
    case 'INTEGER':
      // Parsing may change the last digits of a number beyond 2^53, but the text that is loaded still has the exact digits.
      if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) <= 2 ** 63;
      if (typeof value === 'boolean' || !WHOLE.test(value)) return false;
      return within(BigInt(value.trim().replace(/\..*$/, '').replace(/^\+/, '')));
    case 'FLOAT':
      return typeof value === 'number' || (typeof value === 'string' && (NUMBER.test(value) || NO_NUMBER.test(value)));
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return typeof value === 'number' || (typeof value === 'string' && NUMBER.test(value));
    case 'BOOLEAN':
      return typeof value === 'boolean' || (typeof value === 'string' && TRUTH.test(value));
    case 'DATE': {
      const [, year, month, day] = (typeof value === 'string' && DATE.exec(value)) || [];
      return year !== undefined && year !== '0000' && isDay(Number(year), Number(month), Number(day));
    }
    case 'TIMESTAMP':
      return typeof value === 'number' || (typeof value === 'string' && (INSTANT.test(value) || NUMBER.test(value)));
    case 'DATETIME':
      return typeof value === 'string' && INSTANT.test(value);
    default:
      return true;
  }
}

const within = (value: bigint): boolean => value >= INT64_MIN && value <= INT64_MAX;

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

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
