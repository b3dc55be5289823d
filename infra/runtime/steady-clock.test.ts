import { expect, test } from 'vitest';
import { clockChanges, moveClocks } from '../machine/system-clock.fixture.ts';
import { steadyNow, systemTime } from './steady-clock.ts';

test.each(clockChanges)('if the system clock is %s, the steady clock runs on', (_, jump) => {
  const clock = moveClocks();
  const began = steadyNow();
  clock.set(jump);
  clock.pass(500);
  expect(steadyNow() - began).toBe(500);
});

test.each([...clockChanges, ['almost right', 0] as const])(
  'if the system clock is %s, a time is shown by this clock, and always in the same way',
  (_, jump) => {
    const clock = moveClocks(steadyNow() + 400);
    const began = steadyNow();
    clock.set(jump);
    const shown = systemTime(began);
    expect(shown - began).toBe(jump);
    clock.pass(5_000);
    expect(systemTime(began)).toBe(shown);
  },
);
