/** When a call that may succeed later is made again: pure, with chance passed in. */

const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/** Calls at most, the first one included. */
export const MOST_ATTEMPTS = 8;

/**
 * Milliseconds that the service asks to wait, or undefined where it asks for nothing that can be read. `Retry-After` is a
 * number of seconds, or a date, which is told by the service's own clock.
 */
export function askedToWait(retryAfter: string | null, servedAtMs: number): number | undefined {
  if (retryAfter === null) return undefined;
  const text = retryAfter.trim();
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const until = Date.parse(text);
  return Number.isNaN(until) ? undefined : Math.max(0, until - servedAtMs);
}

/**
 * Milliseconds until the next attempt. Without a wish of the service: doubled each time, and anywhere in the upper half,
 * so that callers who failed together do not come again together. With one: never earlier, and up to a tenth later.
 */
export function pauseBefore(attempt: number, asked: number | undefined, chance: number): number {
  if (asked !== undefined) return asked + (asked / 10 + 50) * chance;
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1));
  return whole / 2 + (whole / 2) * chance;
}
