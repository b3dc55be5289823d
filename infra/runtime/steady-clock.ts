/**
 * Returns the current time in milliseconds since 1970 by a clock that is never set: the system clock at the start of this
 * process, plus the time since then. It is the same in all threads. Intervals, pauses, ages and deadlines use it, so that a
 * change of the system clock neither delays nor hurries them.
 */
export const steadyNow = (): number => Math.round(performance.timeOrigin + performance.now());

/**
 * Converts a time of {@link steadyNow} to the time of the system clock, to show or store it. Differences below a second do not
 * count, so that the same time always looks the same.
 */
export function systemTime(steady: number): number {
  const seconds = Math.round((Date.now() - steadyNow()) / 1000);
  return steady + seconds * 1000;
}
