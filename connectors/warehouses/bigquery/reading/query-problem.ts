/** What may be said of a failed query. Messages quote values; names that they take from the query itself are picked out. */
export interface QueryProblem {
  readonly problem: string;
  readonly hint: string;
}

type Describe = (match: RegExpExecArray) => QueryProblem;

const check = 'Check the statement; the tables are listed by `aorta schema`.';

const patterns: readonly (readonly [RegExp, Describe])[] = [
  [
    /Syntax error: Unexpected (?:keyword|identifier|end of script|string literal|integer literal)?.*?(?: at \[(\d+:\d+)\])/,
    ([, at]) => ({ problem: `syntax error at ${at}`, hint: check }),
  ],
  [/Syntax error/, () => ({ problem: 'syntax error', hint: check })],
  [
    /Unrecognized name: (`?[A-Za-z_][\w.]*`?)/,
    ([, name]) => ({ problem: `there is no column ${name}`, hint: '`aorta schema` lists the columns of every table.' }),
  ],
  [
    /Name ([A-Za-z_]\w*) not found inside/,
    ([, name]) => ({ problem: `there is no column ${name}`, hint: '`aorta schema` lists the columns of every table.' }),
  ],
  [
    /Function not found: ([A-Za-z_]\w*)/,
    ([, name]) => ({ problem: `there is no function ${name}`, hint: 'Functions are those of BigQuery.' }),
  ],
  [
    /No matching signature for (function|operator) ([A-Z_]+|[-+*/<>=!]+)/,
    ([, kind, name]) => ({ problem: `${kind} ${name} does not take such types`, hint: 'Cast what it is given.' }),
  ],
  [
    /neither grouped nor aggregated/,
    () => ({ problem: 'a column is neither grouped nor aggregated', hint: 'Add it to GROUP BY.' }),
  ],
  [
    /Column name ([A-Za-z_]\w*) is ambiguous/,
    ([, name]) => ({ problem: `${name} could be a column of two tables`, hint: 'Put the table before it.' }),
  ],
  [
    /without a filter over column/,
    () => ({ problem: 'the table is only read by its partitions', hint: 'Add a condition on its partition column.' }),
  ],
];

const nothing: QueryProblem = { problem: 'it is not valid', hint: check };

/** Whether a message says what is wrong with a statement, in a way that is known here. */
export const isNamed = (message: string): boolean => patterns.some(([pattern]) => pattern.test(message));

export function queryProblem(message: string): QueryProblem {
  for (const [pattern, describe] of patterns) {
    const match = pattern.exec(message);
    if (match !== null) return describe(match);
  }
  return nothing;
}
