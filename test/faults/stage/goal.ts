/** How long a partition may stay silent beyond the duration of the fault, in milliseconds. */
export interface Goal {
  /** Sum of the timeouts that must expire. It is the same on every machine. */
  readonly clockMs: number;
  /** Time that the work takes on the reference machine. */
  readonly workMs: number;
}

export const work = (workMs: number): Goal => ({ clockMs: 0, workMs });

/** Returns the goal plus a timeout that must expire first. */
export const after = (clockMs: number, goal: Goal): Goal => ({ ...goal, clockMs: clockMs + goal.clockMs });

/** Returns a goal that consists only of timeouts, so it does not depend on the machine's speed. */
export const clock = (clockMs: number): Goal => ({ clockMs, workMs: 0 });

/** Extra time, in milliseconds, that the test waits after the goal has passed, so that a miss can be measured. */
const BEYOND_MS = 60_000;

/**
 * Returns how long a partition may go unread before it counts as stalled, in milliseconds. This is longer than the goal, so that
 * a silence that misses the goal can still be measured.
 */
export function patienceMs({ clockMs, workMs }: Goal, slowness: number): number {
  return clockMs + workMs * slowness + BEYOND_MS;
}
