import { expect, test } from 'vitest';
import { shortcomings, trickle } from './trickle.ts';

/** The file of the warehouse while many small batches come in, for two minutes; for an hour it is `npm run soak -- growth`. */

test('the DuckDB file stays as small as its data while streams of many partitions trickle into it', async () => {
  const trickled = await trickle(2);
  expect(shortcomings(trickled), JSON.stringify(trickled)).toEqual([]);
});
