import { setImmediate } from 'node:timers/promises';
import type { DeliveryBatch, Source } from '@aorta/connectors';
import { expect, test } from 'vitest';
import { paced } from './load.ts';

const batch: DeliveryBatch<null> = { deliveries: [], position: null };
const source: Source<null> = {
  name: 'three',
  commit: async () => {},
  async *batches() {
    yield* [batch, batch, batch];
  },
};

const never = new Promise<never>(() => {});

async function batchesOf(paces: Source<null>, signal = new AbortController().signal): Promise<number> {
  let count = 0;
  for await (const _ of paces.batches(signal)) count += 1;
  return count;
}

test('a paced source holds back the second batch until the sending has ended or the time has passed', async () => {
  const events: string[] = [];
  const { promise: end, resolve: endSending } = Promise.withResolvers<void>();
  const reading = (async () => {
    for await (const _ of paced(source, 3_600_000, end).batches(new AbortController().signal)) events.push('batch');
  })();
  // An unpaced source yields all of its batches in these turns of the event loop.
  for (let turn = 0; turn < 10; turn += 1) await setImmediate();
  events.push('sending ended');
  endSending();
  await reading;
  expect(events).toEqual(['batch', 'sending ended', 'batch', 'batch']);
  expect(await batchesOf(paced(source, 1, never))).toBe(3);
});

test.each([
  ['has ended', () => Promise.resolve()],
  ['has failed', () => Promise.reject(new Error('ended'))],
])('a paced source yields all batches at once when the sending %s', async (_, end) => {
  expect(await batchesOf(paced(source, 3_600_000, end()))).toBe(3);
});

test('a paced source stops waiting when its signal aborts', async () => {
  const stop = new AbortController();
  const read = batchesOf(paced(source, 3_600_000, never), stop.signal);
  await setImmediate();
  stop.abort();
  expect(await read).toBe(3);
});
