import { MessageChannel } from 'node:worker_threads';
import { AortaError, isAortaError } from '@aorta/runtime';
import { expect, test } from 'vitest';
import { Stopped } from '../loader.ts';
import { errorOf, failureOf, OtherThread } from './calls.ts';

interface Sums {
  add(amount: number): void;
  sum(): Promise<number>;
  refuse(): Promise<never>;
  stop(): never;
}

/** Returns one end of a channel. The other end serves the methods of {@link Sums} after `serve` is called. */
function connected() {
  const { port1, port2 } = new MessageChannel();
  const there = new OtherThread<Sums>(port1);
  const here = new OtherThread<object>(port2);
  let sum = 0;
  const methods: Sums = {
    add: (amount) => {
      sum += amount;
    },
    sum: async () => sum,
    refuse: () => Promise.reject(new AortaError('AORTA-DATA-LOCKED', { folder: 'x', pid: 1 })),
    stop: () => {
      throw new Stopped();
    },
  };
  there.serve({});
  return { there, serve: () => here.serve(methods), [Symbol.dispose]: () => port1.close() };
}

test('calls run in the order in which they were sent, even if they were sent before the other thread serves them', async () => {
  using ends = connected();
  ends.there.tell('add', 1);
  const first = ends.there.call('sum');
  ends.there.tell('add', 2);
  ends.serve();
  ends.there.tell('add', 4);
  expect([await first, await ends.there.call('sum')]).toEqual([1, 7]);
});

test('a failed call rejects with the code and the details of its error, and later calls are answered', async () => {
  using ends = connected();
  ends.serve();
  await expect(ends.there.call('refuse')).rejects.toMatchObject({ code: 'AORTA-DATA-LOCKED', details: { folder: 'x', pid: 1 } });
  await expect(ends.there.call('stop')).rejects.toBeInstanceOf(Stopped);
  expect(await ends.there.call('sum')).toBe(0);
});

test('pending and later calls reject with the first error that ended the other thread', async () => {
  using ends = connected();
  const pending = ends.there.call('sum');
  const first = new Error('first');
  expect([ends.there.fail(first), ends.there.fail(new Error('second'))]).toEqual([first, first]);
  await expect(pending).rejects.toBe(first);
  await expect(ends.there.call('sum')).rejects.toBe(first);
});

test('failureOf() returns the original error even if closing the warehouse also fails', async () => {
  const thrown: unknown = await (async () => {
    await using _warehouse = { [Symbol.asyncDispose]: () => Promise.reject(new Error('closing')) };
    throw new AortaError('AORTA-DATA-LOCKED', { folder: 'x', pid: 1 });
  })().catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(SuppressedError);
  const told = errorOf(structuredClone(failureOf(thrown)));
  expect(isAortaError(told) && told.code).toBe('AORTA-DATA-LOCKED');
});

test('only the class of an error without a code is sent, because its message may quote a value', () => {
  const told = errorOf(structuredClone(failureOf(new RangeError('the value of a person'))));
  expect(told).toMatchObject({ code: 'AORTA-BUG', details: { problem: 'RangeError' } });
  expect(JSON.stringify([told.message, told.stack, told.cause])).not.toContain('the value');
});
