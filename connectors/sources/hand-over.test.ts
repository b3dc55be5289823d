import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HandOver } from './hand-over.ts';

const open = new AbortController().signal;

async function settled(promise: Promise<unknown> | undefined): Promise<boolean> {
  if (promise === undefined) return true;
  const pending = Symbol('pending');
  await new Promise((resolve) => setImmediate(resolve));
  return (await Promise.race([promise, Promise.resolve(pending)])) !== pending;
}

describe('hand-over', () => {
  test('items are taken in order of arrival, and a put above the limit waits until enough bytes are taken', async () => {
    const handOver = new HandOver<string, number>(10);
    expect(handOver.put({ owner: 'a', thing: 1, bytes: 10 })).toBeUndefined();
    const room = handOver.put({ owner: 'b', thing: 2, bytes: 5 });
    expect(await settled(room)).toBe(false);
    expect(handOver.bytes).toBe(15);
    expect((await handOver.take(open))?.thing).toBe(1);
    expect(await settled(room)).toBe(true);
    expect((await handOver.take(open))?.thing).toBe(2);
    expect(handOver.bytes).toBe(0);
  });

  test('dropping an owner discards its items and resolves all puts that waited for room', async () => {
    const handOver = new HandOver<string, number>(10);
    const own = handOver.put({ owner: 'a', thing: 1, bytes: 20 });
    const other = handOver.put({ owner: 'b', thing: 2, bytes: 5 });
    handOver.drop('a');
    expect([await settled(own), await settled(other)]).toEqual([true, true]);
    expect((await handOver.take(open))?.thing).toBe(2);
  });

  test('take() waits for an item until the signal aborts, or the hand-over ends or fails', async () => {
    const handOver = new HandOver<string, number>(10);
    const stop = new AbortController();
    const taken = handOver.take(stop.signal);
    expect(await settled(taken)).toBe(false);
    handOver.put({ owner: 'a', thing: 1, bytes: 1 });
    expect((await taken)?.thing).toBe(1);
    const stopped = handOver.take(stop.signal);
    stop.abort();
    expect(await stopped).toBeUndefined();

    handOver.put({ owner: 'a', thing: 2, bytes: 1 });
    handOver.end();
    expect(handOver.put({ owner: 'a', thing: 3, bytes: 100 })).toBeUndefined();
    expect((await handOver.take(open))?.thing).toBe(2);
    expect(await handOver.take(open)).toBeUndefined();
    handOver.fail(new RangeError('why'));
    await expect(handOver.take(open)).rejects.toBeInstanceOf(RangeError);
  });

  test('after any sequence of calls, the order and the byte count are correct, and no put waits while there is room', async () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ kind: fc.constant('put' as const), owner: fc.nat(2), bytes: fc.nat(8) }) },
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('take' as const) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const), owner: fc.nat(2) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const handOver = new HandOver<number, number>(10);
        let model: { owner: number; thing: number; bytes: number }[] = [];
        const waiting: { owner: number; room: Promise<void> }[] = [];
        for (const [thing, one] of steps.entries()) {
          if (one.kind === 'put') {
            const handed = { owner: one.owner, thing, bytes: one.bytes };
            model.push(handed);
            const room = handOver.put(handed);
            if (room !== undefined) waiting.push({ owner: one.owner, room });
          } else if (one.kind === 'drop') {
            model = model.filter(({ owner }) => owner !== one.owner);
            handOver.drop(one.owner);
          } else if (model.length > 0) expect(await handOver.take(open)).toEqual(model.shift());
          const bytes = model.reduce((sum, handed) => sum + handed.bytes, 0);
          expect(handOver.bytes).toBe(bytes);
          if (bytes <= 10) for (const { room } of waiting.splice(0)) expect(await settled(room)).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });
});
