import { isSymbol, isWord, type Statement, type Token, tablePathAt } from './tokens.ts';

/** A table that a statement reads or writes. */
export interface TableUse {
  readonly parts: readonly string[];
  /** The table's alias in the statement, or the table's name if it has no alias. */
  readonly alias: string;
}

/** The parts of a statement that the server needs to know. The emulator handles the rest. */
export interface StatementFacts {
  readonly kind: 'query' | 'insert' | 'update' | 'delete' | 'merge' | 'truncate' | 'ddl' | 'other';
  /** The table whose rows the statement changes. */
  readonly target: TableUse | undefined;
  /** All tables that the statement names, including the target. */
  readonly tables: readonly TableUse[];
}

const KINDS: Readonly<Record<string, StatementFacts['kind']>> = {
  SELECT: 'query',
  WITH: 'query',
  INSERT: 'insert',
  UPDATE: 'update',
  DELETE: 'delete',
  MERGE: 'merge',
  TRUNCATE: 'truncate',
  CREATE: 'ddl',
  ALTER: 'ddl',
  DROP: 'ddl',
};

/** Keywords that can follow a table's name and must not be read as aliases. */
const NO_ALIAS = new Set(
  'ON USING WHERE GROUP ORDER HAVING LIMIT QUALIFY WINDOW JOIN INNER LEFT RIGHT FULL CROSS UNION INTERSECT EXCEPT WHEN SET FROM VALUES SELECT FOR TABLESAMPLE PIVOT UNPIVOT WITH AS THEN'.split(
    ' ',
  ),
);

/**
 * Reads a statement. Names without a dataset may be columns, as in `EXTRACT(DAY FROM at)`. The caller decides which names are
 * tables.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the tokens of a statement
export function readingOf({ tokens }: Statement): StatementFacts {
  let first = 0;
  while (isSymbol(tokens[first], '(')) first++;
  const kind = (tokens[first]?.kind === 'word' && KINDS[tokens[first]!.text.toUpperCase()]) || 'other';
  const named = kind === 'ddl' || kind === 'other' ? undefined : targetAt(tokens, kind);
  const target = named === undefined ? undefined : useAt(tokens, named, true)?.use;
  const uses: TableUse[] = target === undefined ? [] : [target];
  for (let at = 0; at < tokens.length; at++) {
    if (!isWord(tokens[at], 'FROM', 'JOIN', 'USING')) continue;
    if (at + 1 === named) continue;
    // FROM can list several tables, separated by commas.
    for (let next: number | undefined = at + 1; next !== undefined; ) {
      const found = useAt(tokens, next);
      if (found === undefined) break;
      uses.push(found.use);
      next = isWord(tokens[at], 'FROM') && isSymbol(tokens[found.next], ',') ? found.next + 1 : undefined;
    }
  }
  const aliases = new Set(uses.map(({ alias }) => alias.toLowerCase()));
  // In `FROM t, t.samples`, the second name is a column of the first table.
  const tables = uses.filter(({ parts }, index) => index === 0 || parts.length !== 2 || !aliases.has(parts[0]!.toLowerCase()));
  return { kind, target, tables };
}

/** Returns the index of the token at which the target table's name begins; undefined for a query. */
function targetAt(tokens: readonly Token[], kind: StatementFacts['kind']): number | undefined {
  if (kind === 'query') return undefined;
  let at = tokens.findIndex((token) => isWord(token, 'INSERT', 'UPDATE', 'DELETE', 'MERGE', 'TRUNCATE')) + 1;
  while (isWord(tokens[at], 'INTO', 'FROM', 'TABLE')) at++;
  return at;
}

/**
 * Reads the table name at a token. After the name of a target table, parentheses contain columns. After any other name, they mark
 * a function call.
 */
function useAt(
  tokens: readonly Token[],
  at: number,
  target = false,
): { readonly use: TableUse; readonly next: number } | undefined {
  if (isWord(tokens[at], 'UNNEST', 'SELECT', 'EXTERNAL_QUERY')) return undefined;
  const path = tablePathAt(tokens, at);
  if (path === undefined || (!target && isSymbol(tokens[path.next], '('))) return undefined;
  let { next } = path;
  let alias = path.parts.at(-1)!;
  if (isWord(tokens[next], 'AS')) next++;
  const token = tokens[next];
  if (token?.kind === 'name' || (token?.kind === 'word' && !NO_ALIAS.has(token.text.toUpperCase()))) {
    alias = token.text;
    next++;
  }
  return { use: { parts: path.parts, alias }, next };
}
