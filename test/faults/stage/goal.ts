/** The allowed silence of a partition beyond the fault itself, in milliseconds. */
export interface Goal {
  /** Sum of the timeouts that must expire; the same on every machine. */
  readonly clockMs: number;
  /** Time for work, as measured on the reference machine. */
  readonly workMs: number;
}

export const work = (workMs: number): Goal => ({ clockMs: 0, workMs });

/** Returns the goal plus a timeout that must expire first. */
export const after = (clockMs: number, goal: Goal): Goal => ({ ...goal, clockMs: clockMs + goal.clockMs });

/** Returns a goal of timeouts only, which does not depend on the machine's speed. */
export const clock = (clockMs: number): Goal => ({ clockMs, workMs: 0 });

/** Milliseconds to wait beyond the goal, so that a missed goal is measured too. */
const BEYOND_MS = 60_000;

/** Returns the milliseconds after which an unread partition counts as stalled: beyond the goal, so that a miss is measured. */
export function patienceMs({ clockMs, workMs }: Goal, slowness: number): number {
  return clockMs + workMs * slowness + BEYOND_MS;
}
