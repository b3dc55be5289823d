import { isSymbol, isWord, type Token } from './tokens.ts';

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
    return { ...(from === undefined ? {} : { from: from.day }), ...(to === undefined ? {} : { to: to.day }) };
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
