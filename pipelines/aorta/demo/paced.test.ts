import type { DeliveryBatch, Source } from '@aorta/connectors';
import { expect, test } from 'vitest';
import { paced } from './paced.ts';

const batch: DeliveryBatch<null> = { deliveries: [], position: null };
const source: Source<null> = {
  name: 'three',
  commit: async () => {},
  async *batches() {
    yield* [batch, batch, batch];
  },
};

async function timesOf(paces: Source<null>, signal = new AbortController().signal): Promise<number[]> {
  const times: number[] = [];
  for await (const _ of paces.batches(signal)) times.push(performance.now());
  return times;
}

test('a paced source lets some time pass between two batches', async () => {
  const begun = performance.now();
  const [, second, third] = await timesOf(paced(source, 300, new Promise(() => {})));
  // A timer may fire a millisecond early.
  expect(second! - begun).toBeGreaterThanOrEqual(299);
  expect(third! - begun).toBeGreaterThanOrEqual(598);
});

test.each([
  ['has ended', () => Promise.resolve()],
  ['has failed', () => Promise.reject(new Error('ended'))],
])('a paced source yields all batches at once when the sending %s', async (_, end) => {
  expect(await timesOf(paced(source, 3_600_000, end()))).toHaveLength(3);
});

test('a paced source stops waiting when its signal aborts', async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 50);
  expect(await timesOf(paced(source, 3_600_000, new Promise(() => {})), stop.signal)).toHaveLength(3);
});
