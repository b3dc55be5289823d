/** How much longer than the fault itself a partition may be silent, in milliseconds. */
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

/** How long to wait beyond the goal, in milliseconds, so that a missed goal can be measured. */
const BEYOND_MS = 60_000;

/** Returns how long a partition may be unread before it counts as stalled. This exceeds the goal, so that a miss is measured. */
export function patienceMs({ clockMs, workMs }: Goal, slowness: number): number {
  return clockMs + workMs * slowness + BEYOND_MS;
}
