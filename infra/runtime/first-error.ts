/**
 * The error that came first. If closing fails after another failure, `await using` throws a SuppressedError that holds
 * both: the failure in closing as `error`, the one before it as `suppressed`. The later one is a consequence, or beside
 * the point, so every place that classifies an error looks at the first one.
 */
export function firstError(error: unknown): unknown {
  let first = error;
  while (first instanceof SuppressedError) first = first.suppressed;
  return first;
}
