import type { AortaError } from '@aorta/runtime';
import { WarehouseError } from '../errors.ts';
import { CHECK, LIST } from '../warehouses/query-hints.ts';

/**
 * Descriptions of failed queries. DuckDB's messages quote data and are never passed on. Only the messages of the parser, the binder
 * and the catalogue see no data. From these, only names in the query and names of tables are taken, because a PIVOT makes columns of
 * data.
 */
type Describe = (match: RegExpExecArray) => readonly [problem: string, hint: string];

/** The first pattern that matches a message without its prefix describes the failure. */
const patterns: readonly (readonly [RegExp, Describe])[] = [
  [/^Parser Error: syntax error at or near "([^"]*)"/, ([, near]) => [`syntax error near "${near}"`, CHECK]],
  [/^Parser Error: syntax error at end of input/, () => ['the statement ends too early', 'Complete it.']],
  [
    /^Parser Error: unterminated ([a-z/* -]+) at/,
    ([, what]) => [
      `the statement has an unterminated ${what}`,
      'Close it. In a shell, mind which quotes the shell itself removes.',
    ],
  ],
  [
    /^Parser Error: PIVOT .*parameters/,
    () => ['PIVOT without an IN list cannot have parameters', 'Write values instead of parameters such as ? and $1.'],
  ],
  [/^Parser Error: SELECT clause without selection list/, () => ['SELECT has no columns', 'Write columns or * after SELECT.']],
  [/^(?:Parser|Syntax) Error/, () => ['the syntax of the statement is not valid', CHECK]],
  [/^Binder Error: Referenced column "([^"]*)" (?:was )?not found/, ([, column]) => [`there is no column "${column}"`, LIST]],
  [
    /^Binder Error: (?:Table|Values list) "([^"]*)" does not have a column named "([^"]*)"/,
    ([, table, column]) => [`"${table}" has no column "${column}"`, LIST],
  ],
  [
    /^Binder Error: Column "([^"]*)" (?:in (?:EXCLUDE|REPLACE|RENAME) list|referenced in UNPIVOT|does not exist)/,
    ([, column]) => [`there is no column "${column}"`, LIST],
  ],
  [
    /^Binder Error: Referenced table "([^"]*)" not found/,
    ([, table]) => [`FROM has no table "${table}"`, 'Add the table to FROM, or use its alias.'],
  ],
  [
    /^Binder Error: No function matches the given name and argument types '([^(']+)\(/,
    ([, name]) => [`${name} does not accept these argument types`, 'Cast its arguments.'],
  ],
  [
    /^Binder Error: column .* must appear in the GROUP BY/,
    () => ['a column is neither grouped nor aggregated', 'Add it to GROUP BY.'],
  ],
  [
    /^Binder Error: Cannot compare values of type ([A-Z]+).* and type ([A-Z]+)/,
    ([, one, other]) => [
      `a value of type ${one} is compared with one of type ${other}`,
      "Cast one of them, as in date '2026-03-30'.",
    ],
  ],
  [
    /^Binder Error: Ambiguous reference to column name "([^"]*)"/,
    ([, column]) => [`"${column}" is a column of more than one table`, 'Qualify it with the table name.'],
  ],
  [
    /^Binder Error: SELECT list is empty after resolving/,
    () => ['the result has no columns', 'If it is a PIVOT that found no values, give it an IN list.'],
  ],
  [
    /^Binder Error: Pivot column limit/,
    () => ['PIVOT found more values than a result may have columns', 'Give PIVOT an IN list with the values that you need.'],
  ],
  [/^Binder Error/, () => ['a name, an argument or a clause does not fit', CHECK]],
  [
    /^Catalog Error: Table with name "?([^"\s]+)"? does not exist(?:!\nDid you mean "(\w+)")?/,
    ([, table, meant]) => [
      `there is no table "${table}"`,
      `${meant === undefined ? '' : `Did you mean ${meant}? `}\`aorta schema\` lists the tables.`,
    ],
  ],
  [
    /^Catalog Error: (?:Scalar|Aggregate|Table|Macro|Window) Function with name (\S+) does not exist/,
    ([, name]) => [`there is no function "${name}"`, 'Use a function that DuckDB has.'],
  ],
  [
    /^Catalog Error: Type with name (\S+) does not exist/,
    ([, name]) => [`there is no type "${name}"`, 'Use a type that DuckDB has.'],
  ],
  [/^Catalog Error/, () => ['the statement uses a name that does not exist', CHECK]],
  [
    /^(?:Permission|Missing Extension|Invalid Configuration) Error/,
    () => ['queries cannot access files and other databases', 'Only the tables of the warehouse can be read.'],
  ],
  [
    /^(?:Conversion|Mismatch Type|Invalid type) Error/i,
    () => ['a value could not be converted to the requested type', 'Use try_cast if values may not fit.'],
  ],
  [
    /^Out of Range Error/i,
    () => ['the result of a calculation is out of range', 'Cast its operands to a larger type, such as hugeint or double.'],
  ],
  [
    /^Invalid Input Error: Values were not provided for the following prepared statement parameters/,
    () => ['the statement has parameters', 'Write values instead of parameters such as ? and $1.'],
  ],
  [
    /^Invalid Input Error: More than one row returned by a subquery/,
    () => ['a subquery used as a value returned more than one row', 'Aggregate it, or add limit 1.'],
  ],
  [
    /^Invalid Input Error/i,
    () => [
      'a function received a value that it does not accept',
      'Check the arguments of the functions, for example with try(…).',
    ],
  ],
  [
    /^Not implemented Error/i,
    () => ['DuckDB does not support a part of the statement', 'Write it differently, for example with a cast.'],
  ],
  [
    /^Out of Memory Error: failed to offload|No space left on device/i,
    () => [
      'the disk of the warehouse has too little space for the temporary data of the query',
      'Free space there, or select fewer rows or columns.',
    ],
  ],
  [/^Out of Memory Error/i, () => ['the query needs more memory than the limit', 'Select fewer rows or columns.']],
  [/^INTERRUPT Error/i, () => ['the query was interrupted', 'Run it again.']],
  [/^IO Error/i, () => ['the file of the warehouse could not be read', 'Check the file and its disk with `aorta doctor`.']],
  [
    /^(?:INTERNAL|FATAL) Error/i,
    () => ['DuckDB has an internal error with this statement', 'Write it differently, for example in smaller steps.'],
  ],
];

const other = ['DuckDB could not run the statement', CHECK] as const;

/** Returns AORTA-QUERY-FAILED for an error of DuckDB or its client library. */
export function queryFailure(error: unknown): AortaError {
  const text = error instanceof Error ? error.message.replace(/^Failed to [a-z ]+: /, '') : '';
  for (const [pattern, describe] of patterns) {
    const match = pattern.exec(text);
    if (match !== null) return failed(...describe(match));
  }
  return failed(...other);
}

function failed(problem: string, hint: string): AortaError {
  return new WarehouseError('AORTA-QUERY-FAILED', { problem, hint });
}
