import { expect, test } from 'vitest';
import { slowness } from './stage/bystander.ts';
import { shortcomings, slowSteps, trickle } from './trickle.ts';

/** The file of the warehouse while many small batches come in, for two minutes; for an hour it is `npm run soak -- growth`. */

test('the DuckDB file stays as small as its data, and landing goes on, while streams of many partitions trickle into it', async () => {
  const first = await trickle(2);
  expect(shortcomings(first), JSON.stringify(first)).toEqual([]);
  if (slowSteps(first).length === 0) return;
  // Like every goal in seconds it is measured once more, and by how slow the machine is at the moment. Both measurements are shown.
  const before = await slowness();
  const second = await trickle(2);
  const slower = Math.max(before, await slowness());
  process.stderr.write(
    `missed once: ${slowSteps(first).join('; ')}; ${slower} times slower\n${JSON.stringify([first, second])}\n`,
  );
  expect([...shortcomings(second), ...slowSteps(second, slower)], JSON.stringify(second)).toEqual([]);
});
