/** The printable description of a failed query. BigQuery's messages quote values, so only names from the query itself are used. */
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
    ([, name]) => ({ problem: `there is no function ${name}`, hint: 'Use a function that BigQuery has.' }),
  ],
  [
    /No matching signature for (function|operator) ([A-Z_]+|[-+*/<>=!]+)/,
    ([, kind, name]) => ({ problem: `${kind} ${name} does not accept these argument types`, hint: 'Cast its arguments.' }),
  ],
  [
    /neither grouped nor aggregated/,
    () => ({ problem: 'a column is neither grouped nor aggregated', hint: 'Add it to GROUP BY.' }),
  ],
  [
    /Column name ([A-Za-z_]\w*) is ambiguous/,
    ([, name]) => ({ problem: `${name} is a column of more than one table`, hint: 'Qualify it with the table name.' }),
  ],
  [
    /without a filter over column/,
    () => ({ problem: 'the table requires a filter on its partition column', hint: 'Add a condition on that column.' }),
  ],
];

const nothing: QueryProblem = { problem: 'the statement is not valid', hint: check };

/** Whether a message matches a known problem with a statement. */
export const isNamed = (message: string): boolean => patterns.some(([pattern]) => pattern.test(message));

export function queryProblem(message: string): QueryProblem {
  for (const [pattern, describe] of patterns) {
    const match = pattern.exec(message);
    if (match !== null) return describe(match);
  }
  return nothing;
}
