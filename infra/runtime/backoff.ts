/**
 * Returns the pause before the next attempt, in the unit of `first`. It is `first` after one failure, and doubles with each
 * further failure, up to `longest`.
 */
export function backoff(failures: number, first: number, longest: number): number {
  return Math.min(longest, first * 2 ** Math.max(0, failures - 1));
}
