import { expect, test } from 'vitest';
import { shortcomings, slowSteps, trickle } from './trickle.ts';

/** The file of the warehouse while many small batches come in, for two minutes; for an hour it is `npm run soak -- growth`. */

test('the DuckDB file stays as small as its data, and landing goes on, while streams of many partitions trickle into it', async () => {
  const first = await trickle(2);
  expect(shortcomings(first), JSON.stringify(first)).toEqual([]);
  const missed = slowSteps(first);
  if (missed.length === 0) return;
  // Like every goal in seconds, it is measured once more, and both measurements are shown.
  const second = await trickle(2);
  process.stderr.write(`missed once: ${missed.join('; ')}\n${JSON.stringify([first, second])}\n`);
  expect([...shortcomings(second), ...slowSteps(second)], JSON.stringify(second)).toEqual([]);
});
