import { onTestFinished, vi } from 'vitest';

/** Two hours, in milliseconds. Tests set the system clock back or forward by this much. */
export const TWO_HOURS = 7_200_000;

/** The cases of a test about a change of the system clock: a name, and how far the clock is set. */
export const clockChanges: readonly (readonly [name: string, jump: number])[] = [
  ['set back', -TWO_HOURS],
  ['set forward', TWO_HOURS],
];

/** A system clock that only the test moves. Ends with the test. */
export interface MovedClock {
  /** Lets time pass, by the system clock and by the steady clock. */
  pass(milliseconds: number): void;
  /** Sets the system clock. The steady clock stays as it is. */
  set(jump: number): void;
  /** The time by the system clock, in milliseconds since 1970. */
  now(): number;
}

/** Replaces the system clock and the steady clock of this process. Timers stay real. `start` is the time by the system clock. */
export function moveClocks(start?: number): MovedClock {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], ...(start === undefined ? {} : { now: start }) });
  onTestFinished(() => void vi.useRealTimers());
  const now = (): number => vi.getMockedSystemTime()!.getTime();
  return {
    pass: (milliseconds) => void vi.advanceTimersByTime(milliseconds),
    set: (jump) => void vi.setSystemTime(now() + jump),
    now,
  };
}
