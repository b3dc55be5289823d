import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAhead } from './content.ts';

async function* numbers(count: number, told: { asked: number; closed: boolean }, failing = false): AsyncGenerator<number> {
  try {
    for (let item = 0; item < count; item++) {
      told.asked += 1;
      await Promise.resolve();
      yield item;
    }
    if (failing) throw new Error('the end is damaged');
  } finally {
    told.closed = true;
  }
}

describe('readAhead', () => {
  test('readAhead yields the items of the source in order, then its error', () =>
    fc.assert(
      fc.asyncProperty(fc.nat(20), fc.boolean(), async (count, failing) => {
        const told = { asked: 0, closed: false };
        const given: number[] = [];
        const reading = (async () => {
          for await (const item of readAhead(numbers(count, told, failing))) given.push(item);
        })();
        if (failing) await expect(reading).rejects.toThrow('the end is damaged');
        else await reading;
        expect(given).toEqual(Array.from({ length: count }, (_, item) => item));
        expect(told.closed).toBe(true);
      }),
    ));

  test('readAhead requests one item ahead, and no more', async () => {
    const told = { asked: 0, closed: false };
    const items = readAhead(numbers(10, told));
    expect(await items.next()).toEqual({ done: false, value: 0 });
    expect(told.asked).toBe(2);
    expect(await items.next()).toEqual({ done: false, value: 1 });
    expect(told.asked).toBe(3);
    await items.return(undefined);
    expect(told.closed).toBe(true);
    expect(told.asked).toBe(3);
  });

  test('an error that occurs before the caller requests the next item causes no unhandled rejection', async () => {
    const told = { asked: 0, closed: false };
    const items = readAhead(numbers(1, told, true));
    await items.next();
    await new Promise((resolve) => setImmediate(resolve));
    await expect(items.next()).rejects.toThrow('the end is damaged');
  });
});
