import type { Statement } from './statements.ts';
import { tablePathAt } from './table-path.ts';
import { isSymbol, isWord, type Token } from './tokens.ts';

/** A table that a statement reads or writes. */
export interface TableUse {
  readonly parts: readonly string[];
  /** What the statement calls it: its alias, or its own name. */
  readonly alias: string;
}

/** What the server has to know of a statement; everything else is the emulator's. */
export interface Reading {
  readonly kind: 'query' | 'insert' | 'update' | 'delete' | 'merge' | 'truncate' | 'ddl' | 'other';
  /** The table whose rows it changes. */
  readonly target: TableUse | undefined;
  /** All tables that it names, the target too. */
  readonly tables: readonly TableUse[];
}

const KINDS: Readonly<Record<string, Reading['kind']>> = {
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

/** Words after a table that are no alias of it. */
const NO_ALIAS = new Set(
  'ON USING WHERE GROUP ORDER HAVING LIMIT QUALIFY WINDOW JOIN INNER LEFT RIGHT FULL CROSS UNION INTERSECT EXCEPT WHEN SET FROM VALUES SELECT FOR TABLESAMPLE PIVOT UNPIVOT WITH AS THEN'.split(
    ' ',
  ),
);

/** Reads a statement. A name that is neither `dataset.table` nor longer is a table only as the target, or with a default dataset. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the tokens of a statement
export function readingOf({ tokens }: Statement): Reading {
  let first = 0;
  while (isSymbol(tokens[first], '(')) first++;
  const kind = (tokens[first]?.kind === 'word' && KINDS[tokens[first]!.text.toUpperCase()]) || 'other';
  const named = kind === 'ddl' || kind === 'other' ? undefined : targetAt(tokens, kind);
  const target = named === undefined ? undefined : useAt(tokens, named, true)?.use;
  const uses: TableUse[] = target === undefined ? [] : [target];
  for (let at = 0; at < tokens.length; at++) {
    if (!isWord(tokens[at], 'FROM', 'JOIN', 'USING')) continue;
    if (at + 1 === named) continue;
    // After FROM there may be several, with commas between.
    for (let next: number | undefined = at + 1; next !== undefined; ) {
      const found = useAt(tokens, next);
      if (found === undefined) break;
      uses.push(found.use);
      next = isWord(tokens[at], 'FROM') && isSymbol(tokens[found.next], ',') ? found.next + 1 : undefined;
    }
  }
  const aliases = new Set(uses.map(({ alias }) => alias.toLowerCase()));
  // `FROM t, t.samples` names a column of a table that stands before it.
  const tables = uses.filter(({ parts }, index) => index === 0 || parts.length !== 2 || !aliases.has(parts[0]!.toLowerCase()));
  return { kind, target, tables };
}

/** Where the target's name stands. */
function targetAt(tokens: readonly Token[], kind: Reading['kind']): number | undefined {
  if (kind === 'query') return undefined;
  let at = tokens.findIndex((token) => isWord(token, 'INSERT', 'UPDATE', 'DELETE', 'MERGE', 'TRUNCATE')) + 1;
  while (isWord(tokens[at], 'INTO', 'FROM', 'TABLE')) at++;
  return at;
}

/** `target`: what stands after it in parentheses are its columns, where it else would be a function. */
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
