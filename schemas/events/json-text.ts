/**
 * Values of a body as JSON text, for columns and `extra`: what every warehouse takes as JSON, and nothing changed in it.
 */

/** Levels of nesting that a warehouse takes in one JSON value: BigQuery's limit, DuckDB takes more. */
const MOST_LEVELS = 500;

/**
 * Why a value cannot be kept as JSON text; undefined where it can. A number of JSON that no double holds (1e400, an integer
 * beyond 2^53) is another one already when it has been parsed: to write that would be a silent falsification.
 */
export function unkeepable(value: unknown, levels = MOST_LEVELS): 'nested_too_deep' | 'number_not_exact' | undefined {
  if (typeof value === 'number') return isExact(value) ? undefined : 'number_not_exact';
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return 'nested_too_deep';
  for (const element of Array.isArray(value) ? value : Object.values(value)) {
    const reason = unkeepable(element, levels - 1);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Whether a parsed number is certainly the one that was spelled: finite, and no integer beyond 2^53. */
export function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/** An escape of JSON text; JSON.stringify spells half a surrogate pair as one, and only that with these digits. */
const escapes = /\\(?:u(d[89a-f][0-9a-f]{2})|.)/g;

/**
 * The JSON text of a value that is not {@link unkeepable}. Half a surrogate pair is no Unicode, and no warehouse takes its
 * escape: its six characters then stand as text, so that it is seen and not lost.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes('\\ud')
    ? text.replace(escapes, (spelled, half?: string) => (half === undefined ? spelled : `\\\\u${half}`))
    : text;
}
