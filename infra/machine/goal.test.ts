import { expect, test } from 'vitest';
import { happensWithin, MissedTime, takesAtMost } from './goal.fixture.ts';

// A negative goal is always missed, and an infinite goal is always met.
const [MISSED, MET] = [-1, Number.POSITIVE_INFINITY];

test('takesAtMost() returns the result of the work, or throws a MissedTime that names it', async () => {
  const work = async () => 42;
  expect(await takesAtMost(MET, 'the sum', work)).toBe(42);
  const failure = await takesAtMost(MISSED, 'the sum', work).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(MissedTime);
  expect(String(failure)).toMatch(/^MissedTime: the sum took \d+\.\d s; the goal is -0\.001 s$/);
});

test('happensWithin() waits for the condition, or throws a MissedTime with what was seen last', async () => {
  let looks = 0;
  await happensWithin(
    MET,
    'a third look',
    () => ++looks === 3,
    () => looks,
  );
  expect(looks).toBe(3);
  const failure = await happensWithin(
    MISSED,
    'rain',
    () => false,
    async () => 'sunshine',
  ).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(MissedTime);
  expect(String(failure)).toBe('MissedTime: rain did not happen within -0.001 s; seen last: sunshine');
});
