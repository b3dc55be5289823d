/**
 * Returns the error that happened first. If a block fails and closing its resource fails too, `await using` throws a
 * SuppressedError, whose `error` is the failure to close and whose `suppressed` is the original error. Code that
 * classifies errors needs the original error.
 */
export function firstError(error: unknown): unknown {
  let first = error;
  while (first instanceof SuppressedError) first = first.suppressed;
  return first;
}
