import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 100;

/**
 * Thrown if a campaign test misses a goal in seconds. A busy machine can cause this, so `npm run test:campaign` repeats such
 * a test alone before the test counts as failed.
 */
export class MissedTime extends Error {
  override readonly name = 'MissedTime';
}

/** Returns the result of the work. Throws a {@link MissedTime} if the work took longer than the goal, in milliseconds. */
export async function takesAtMost<T>(goalMs: number, what: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await work();
  const ms = performance.now() - began;
  if (ms > goalMs) throw new MissedTime(`${what} took ${(ms / 1000).toFixed(1)} s; the goal is ${goalMs / 1000} s`);
  return result;
}

/**
 * Waits until a condition holds. Returns how long this took, in milliseconds. Throws a {@link MissedTime} once the goal, in
 * milliseconds, has passed. Use it for goals of a minute or more, because `until` gives up after a minute.
 */
export async function happensWithin(
  goalMs: number,
  what: string,
  holds: () => boolean | Promise<boolean>,
  seen: () => unknown,
): Promise<number> {
  const began = performance.now();
  while (!(await holds())) {
    if (performance.now() - began > goalMs)
      throw new MissedTime(`${what} did not happen within ${goalMs / 1000} s; seen last: ${String(await seen())}`);
    await sleep(LOOK_EVERY_MS);
  }
  return performance.now() - began;
}
