/**
 * Returns the error that happened first. If a block fails and closing its resource fails too, `await using` throws a
 * SuppressedError. Its `error` is the failure to close, and its `suppressed` is the original error, which callers need.
 */
export function firstError(error: unknown): unknown {
  let first = error;
  while (first instanceof SuppressedError) first = first.suppressed;
  return first;
}
