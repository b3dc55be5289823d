/** How long partitions may be silent beyond the fault itself, in milliseconds. */
export interface Goal {
  /** Clocks that have to run out, at the same time on every machine. */
  readonly clockMs: number;
  /** Work, on the machine that the goals were set on. */
  readonly workMs: number;
}

export const work = (workMs: number): Goal => ({ clockMs: 0, workMs });

/** The goal, once a clock has run out. */
export const after = (clockMs: number, goal: Goal): Goal => ({ ...goal, clockMs: clockMs + goal.clockMs });

/** No more than a clock, whatever the machine is worth. */
export const clock = (clockMs: number): Goal => ({ clockMs, workMs: 0 });

/** How much longer is waited than allowed, in milliseconds: a goal that is missed is to be measured. */
const BEYOND_MS = 60_000;

/**
 * After how many milliseconds a partition that is not read stands still. Always more than the goal allows on a machine that
 * is so many times slower: a wait that ended sooner could not tell whether the goal was met.
 */
export function patienceMs({ clockMs, workMs }: Goal, slowness: number): number {
  return clockMs + workMs * slowness + BEYOND_MS;
}
