/** Maximum nesting of a JSON value in a warehouse. This is BigQuery's limit; DuckDB allows more. */
const MOST_LEVELS = 500;

/**
 * Returns why a value cannot be stored as JSON text, or undefined if it can. JSON.parse silently changes numbers that a
 * double cannot represent, such as 1e400 or integers beyond 2^53. The stored value would then be wrong.
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

/** Returns false if the number is infinite or an integer beyond 2^53, because JSON.parse may then have changed it. */
export function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/**
 * Matches every escape in JSON text, and captures the digits of an escaped surrogate. JSON.stringify escapes a surrogate
 * only if it is a lone one.
 */
const escapes = /\\(?:u(d[89a-f][0-9a-f]{2})|.)/g;

/**
 * Returns the JSON text of a value for JSON columns and `extra`. Check the value with {@link unkeepable} first. No warehouse
 * accepts the escape of a lone surrogate, so the characters of the escape are stored as text.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes('\\ud')
    ? text.replace(escapes, (spelled, half?: string) => (half === undefined ? spelled : `\\\\u${half}`))
    : text;
}

/** Matches a dot, a tilde, or the backslash of an escape that `jsonText` writes for half a surrogate pair. */
const special = /[.~]|\\(?=ud[89a-f][0-9a-f]{2})/;
const everySpecial = new RegExp(special, 'g');

/**
 * Returns the name of an unknown member as the paths in `extra` contain it: a tilde precedes each dot and each tilde of the
 * name. Otherwise `{"a.b": 1}` and `{"a": {"b": 1}}` would have the same path, and one of the values would be lost.
 *
 * The escape character is a tilde, because JSON and BigQuery's SQL would need two backslashes for one.
 */
export function pathName(member: string): string {
  return special.test(member) ? member.replace(everySpecial, '~$&') : member;
}
