import type { DeliveryBatch, Source } from '@aorta/connectors';
import { describe, expect, it } from 'vitest';
import { endingAt } from './load.ts';

const batch = (deliveries: number, before = false): DeliveryBatch<null> => ({
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
    expect(await taken(endingAt(waiting([batch(2), batch(1)]), Promise.resolve(3)))).toBe(3);
    const total = Promise.withResolvers<number>();
    const late = taken(endingAt(waiting([batch(2), batch(1)]), total.promise));
    setImmediate(() => total.resolve(3));
    expect(await late).toBe(3);
    expect(await taken(endingAt(waiting([]), Promise.resolve(0)))).toBe(0);
  });

  it('does not count deliveries that are read only to rebuild the redelivery window', async () => {
    const stop = new AbortController();
    let ended = false;
    const reading = taken(endingAt(waiting([batch(5, true), batch(2)]), Promise.resolve(3)), stop.signal).then(() => {
      ended = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(ended).toBe(false);
    stop.abort();
    await reading;
  });

  it('fails if the promise for the total rejects, unless the source was already stopped', async () => {
    const failed = Promise.reject(new Error('no total'));
    await expect(taken(endingAt(waiting([batch(1)]), failed))).rejects.toThrow('no total');
    expect(await taken(endingAt(waiting([batch(1)]), failed), AbortSignal.abort())).toBe(1);
  });
});
