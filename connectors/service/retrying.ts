// Decides when a failed call is retried. Pure: the caller passes in the random number.

const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/** Maximum number of attempts, including the first. */
export const MOST_ATTEMPTS = 8;

/**
 * Returns the pause that the service asks for, in milliseconds, or undefined if `Retry-After` is missing or invalid.
 * The header is a number of seconds, or a date by the service's clock.
 */
export function askedToWait(retryAfter: string | null, servedAtMs: number): number | undefined {
  if (retryAfter === null) return undefined;
  const text = retryAfter.trim();
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const until = Date.parse(text);
  return Number.isNaN(until) ? undefined : Math.max(0, until - servedAtMs);
}

/**
 * Returns the milliseconds until the next attempt. If the service asked for a pause, a random amount of up to 50 ms plus a
 * tenth of the pause is added. Otherwise, the wait doubles with each attempt, and is shortened by a random amount of up
 * to half. The random amount keeps callers that failed together from retrying together.
 */
export function pauseBefore(attempt: number, asked: number | undefined, chance: number): number {
  if (asked !== undefined) return asked + (asked / 10 + 50) * chance;
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1));
  return whole / 2 + (whole / 2) * chance;
}
