import type { AortaError } from '@aorta/runtime';
import { WarehouseError } from '../../errors.ts';

/**
 * Descriptions of failed queries. DuckDB's messages quote data and are never passed on. Only names that occur in the query
 * itself are taken from messages of the parser, the binder and the catalogue.
 */
type Describe = (match: RegExpExecArray) => readonly [problem: string, hint: string];

const patterns: readonly (readonly [RegExp, Describe])[] = [
  [
    /syntax error at or near "([^"]*)"/,
    ([, near]) => [`syntax error near "${near}"`, 'Check the statement; the tables are listed by `aorta schema`.'],
  ],
  [/syntax error at end of input/, () => ['the statement ends too early', 'Complete it.']],
  [
    /Referenced column "([^"]*)" (?:was )?not found/,
    ([, column]) => [`there is no column "${column}"`, '`aorta schema` lists the columns of every table.'],
  ],
  [/Table with name (\S+) does not exist/, ([, table]) => [`there is no table "${table}"`, '`aorta schema` lists the tables.']],
  [
    /(?:Scalar|Aggregate|Table) Function with name (\S+) does not exist/,
    ([, name]) => [`there is no function "${name}"`, 'Use a function that DuckDB has.'],
  ],
  [
    /disabled (?:by|through) configuration|Permission Error/i,
    () => ['queries cannot access files and other databases', 'Only the tables of the warehouse can be read.'],
  ],
  [/must appear in the GROUP BY/, () => ['a column is neither grouped nor aggregated', 'Add it to GROUP BY.']],
  [
    /Ambiguous reference to column name "([^"]*)"/,
    ([, column]) => [`"${column}" is a column of more than one table`, 'Qualify it with the table name.'],
  ],
  [/Conversion Error/, () => ['a value could not be converted to the requested type', 'Use try_cast if values may not fit.']],
  [/Out of Memory/i, () => ['the query needs more memory than the limit', 'Select fewer rows or columns.']],
];

export function queryFailure(error: unknown): AortaError {
  const text = error instanceof Error ? error.message : '';
  for (const [pattern, describe] of patterns) {
    const match = pattern.exec(text);
    if (match !== null) {
      const [problem, hint] = describe(match);
      return new WarehouseError('AORTA-QUERY-FAILED', { problem, hint });
    }
  }
  const kind = /^(?:[A-Z]\w*: )?([A-Z][\w ]*?) Error/.exec(text)?.[1]?.toLowerCase() ?? 'unknown';
  return new WarehouseError('AORTA-QUERY-FAILED', {
    problem: `${kind} error`,
    hint: 'Check the statement; the tables are listed by `aorta schema`.',
  });
}
