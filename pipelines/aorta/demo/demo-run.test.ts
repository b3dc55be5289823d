import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DeliveryBatch, Source } from '@aorta/connectors';
import { describe, expect, it, test } from 'vitest';
import { endingAt, paced } from './demo-run.ts';

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
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
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
  await nextTurn();
  stop.abort();
  expect(await read).toBe(3);
});

const batchOf = (deliveries: number, before = false): DeliveryBatch<null> => ({
  deliveries: Array.from({ length: deliveries }) as unknown as DeliveryBatch<null>['deliveries'],
  position: null,
  ...(before ? { before: true as const } : {}),
});

/** A source that yields these batches, then waits until its signal aborts. */
function waiting(batches: readonly DeliveryBatch<null>[]): Source<null> {
  return {
    name: 'waiting',
    commit: async () => {},
    async *batches(signal) {
      yield* batches;
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    },
  };
}

async function taken(source: Source<null>, signal = new AbortController().signal): Promise<number> {
  let count = 0;
  for await (const { deliveries } of source.batches(signal)) count += deliveries.length;
  return count;
}

describe('a source that ends after a total number of deliveries', () => {
  it('ends even if the total becomes known only after that many deliveries', async () => {
    expect(await taken(endingAt(waiting([batchOf(2), batchOf(1)]), Promise.resolve(3)))).toBe(3);
    const total = Promise.withResolvers<number>();
    const late = taken(endingAt(waiting([batchOf(2), batchOf(1)]), total.promise));
    setImmediate(() => total.resolve(3));
    expect(await late).toBe(3);
    expect(await taken(endingAt(waiting([]), Promise.resolve(0)))).toBe(0);
  });

  it('does not count deliveries that are read only to rebuild the redelivery window', async () => {
    const stop = new AbortController();
    let ended = false;
    const reading = taken(endingAt(waiting([batchOf(5, true), batchOf(2)]), Promise.resolve(3)), stop.signal).then(() => {
      ended = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(ended).toBe(false);
    stop.abort();
    await reading;
  });

  it('fails if the promise for the total rejects, unless the source was already stopped', async () => {
    const failed = Promise.reject(new Error('no total'));
    await expect(taken(endingAt(waiting([batchOf(1)]), failed))).rejects.toThrow('no total');
    expect(await taken(endingAt(waiting([batchOf(1)]), failed), AbortSignal.abort())).toBe(1);
  });
});
