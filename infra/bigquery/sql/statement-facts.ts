import { isSymbol, isWord, type Statement, type Token, tablePathAt } from './tokens.ts';

/** A table that a statement reads or writes. */
interface TableUse {
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

/** The days (`YYYY-MM-DD`) to which the literals in a statement limit a partition column. */
export type PartitionBounds =
  /** No condition excludes a partition. */
  | { readonly kind: 'none' }
  /** A condition on the column contains no literal day. It satisfies a required partition filter, but excludes no partition. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'days'; readonly days: ReadonlySet<string> }
  | { readonly kind: 'range'; readonly from: string | undefined; readonly to: string | undefined };

/**
 * Returns the bounds of a table's partition column in a statement, from conditions such as `alias.column IN (DATE '…', …)`,
 * `BETWEEN … AND …` and `>=`. If there are several conditions, the first one that lists days is used. This is less exact than
 * the real service's planning, because it ignores how AND and OR join conditions.
 */
export function partitionBounds(tokens: readonly Token[], column: string, alias: string): PartitionBounds {
  let from: string | undefined;
  let to: string | undefined;
  let compared = false;
  for (let at = 0; at < tokens.length; at++) {
    if (!isColumn(tokens, at, column, alias)) continue;
    const after = at + 1;
    const listed = listedDays(tokens, after);
    if (listed !== undefined) return { kind: 'days', days: listed };
    const range = rangeAt(tokens, after);
    if (range === undefined) continue;
    compared = true;
    from = range.from ?? from;
    to = range.to ?? to;
  }
  if (from !== undefined || to !== undefined) return { kind: 'range', from, to };
  return { kind: compared ? 'unknown' : 'none' };
}

/** Returns true if the bounds include a day. */
export function leavesIn(bounds: PartitionBounds, day: string): boolean {
  if (bounds.kind === 'days') return bounds.days.has(day);
  if (bounds.kind !== 'range') return true;
  return (bounds.from === undefined || day >= bounds.from) && (bounds.to === undefined || day <= bounds.to);
}

function isColumn(tokens: readonly Token[], at: number, column: string, alias: string): boolean {
  const token = tokens[at]!;
  if ((token.kind !== 'word' && token.kind !== 'name') || token.text.toLowerCase() !== column.toLowerCase()) return false;
  if (!isSymbol(tokens[at - 1], '.')) return true;
  const owner = tokens[at - 2];
  return (owner?.kind === 'word' || owner?.kind === 'name') && owner.text.toLowerCase() === alias.toLowerCase();
}

/** Reads the days of `= DATE '…'` or `IN (DATE '…', …)`. */
function listedDays(tokens: readonly Token[], at: number): ReadonlySet<string> | undefined {
  if (isSymbol(tokens[at], '=')) {
    const day = dayAt(tokens, at + 1);
    return day === undefined ? undefined : new Set([day.day]);
  }
  if (!isWord(tokens[at], 'IN')) return undefined;
  const days = new Set<string>();
  let next = at + 1;
  if (isWord(tokens[next], 'UNNEST')) next += 1;
  while (isSymbol(tokens[next], '(') || isSymbol(tokens[next], '[')) next++;
  for (;;) {
    const day = dayAt(tokens, next);
    if (day === undefined) return undefined;
    days.add(day.day);
    if (!isSymbol(tokens[day.next], ',')) return days;
    next = day.next + 1;
  }
}

function rangeAt(tokens: readonly Token[], at: number): { readonly from?: string; readonly to?: string } | undefined {
  const token = tokens[at];
  if (isWord(token, 'BETWEEN')) {
    const from = dayAt(tokens, at + 1);
    const to = from === undefined || !isWord(tokens[from.next], 'AND') ? undefined : dayAt(tokens, from.next + 1);
    return { from: from?.day, to: to?.day };
  }
  if (isWord(token, 'IN')) return {};
  if (token?.kind !== 'symbol' || !['=', '<', '<=', '>', '>='].includes(token.text)) return undefined;
  const day = dayAt(tokens, at + 1)?.day;
  if (day === undefined || token.text === '=') return {};
  return token.text.startsWith('>') ? { from: day } : { to: day };
}

/** Reads the day of `DATE '…'`, `DATE('…')`, `TIMESTAMP '…'` or `'…'`. */
function dayAt(tokens: readonly Token[], at: number): { readonly day: string; readonly next: number } | undefined {
  let next = at;
  let closing = 0;
  if (isWord(tokens[next], 'DATE', 'TIMESTAMP', 'DATETIME')) next++;
  if (isSymbol(tokens[next], '(')) {
    next++;
    closing = 1;
  }
  const token = tokens[next];
  const day = token?.kind === 'string' ? /^\d{4}-\d{2}-\d{2}/.exec(token.text)?.[0] : undefined;
  return day === undefined ? undefined : { day, next: next + 1 + closing };
}
