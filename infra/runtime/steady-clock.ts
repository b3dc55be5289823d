/**
 * Returns the time of the steady clock in milliseconds since 1970: the time of the system clock when this process started, plus the
 * time since then. The steady clock is never set. All threads have the same clock. It stands still while the machine is suspended.
 * Intervals, pauses, ages and deadlines use it, because a change of the system clock must neither delay nor hurry them.
 */
export const steadyNow = (): number => Math.round(performance.timeOrigin + performance.now());

/**
 * Converts a time of {@link steadyNow} to the time of the system clock, to show or store it. The difference of the clocks is
 * rounded to seconds, so that converting the same time again gives the same result.
 */
export function systemTime(steady: number): number {
  const seconds = Math.round((Date.now() - steadyNow()) / 1000);
  return steady + seconds * 1000;
}
