import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { inTime, until } from './waiting.fixture.ts';

// The limit is a fake timer here, so it passes at once.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

async function failureAtLimit(waiting: Promise<unknown>): Promise<unknown> {
  const failure = waiting.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(59_999);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  return failure;
}

const never = new Promise<void>(() => {});

test('a wait that reaches its limit says what it waited for and what it saw last', async () => {
  expect(await failureAtLimit(until('three records', () => [1, 2], [1, 2, 3]))).toMatchObject({
    message: 'waited 60 s for three records; seen last: [ 1, 2 ]',
  });
  expect(
    await failureAtLimit(
      until(
        'rain',
        () => false,
        Boolean,
        () => 'sunshine',
      ),
    ),
  ).toMatchObject({
    message: 'waited 60 s for rain; seen last: sunshine',
  });
  expect(await failureAtLimit(inTime('the brokers', never, async () => 'two of three'))).toMatchObject({
    message: 'waited 60 s for the brokers; seen last: two of three',
  });
});

test('a wait whose look hangs says so', async () => {
  const wait = until(
    'rain',
    () => never,
    Boolean,
    () => 'clouds',
  );
  expect(await failureAtLimit(wait)).toMatchObject({
    message: 'waited 60 s for rain; seen last: clouds; look 1 has not ended',
  });
});

test('a wait returns the first wanted result', async () => {
  let count = 0;
  const next = (): number => ++count;
  vi.useRealTimers();
  expect(await until('a number', next)).toBe(1);
  expect(await until('three', next, 3)).toBe(3);
  expect(await until('more than five', next, (seen) => seen > 5)).toBe(6);
  expect(await inTime('an answer', Promise.resolve(42))).toBe(42);
});

test('an error of the awaited work ends the wait', async () => {
  await expect(inTime('an answer', Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  await expect(until('an answer', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
});
