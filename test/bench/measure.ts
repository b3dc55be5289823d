/** The result of one measurement over its rounds. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly median: number;
  readonly least: number;
  readonly most: number;
  readonly rounds: number;
  /** The target, if there is one, and whether the median meets it. */
  readonly target?: string;
  readonly met?: boolean;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function figure(
  name: string,
  unit: string,
  values: readonly number[],
  held?: { readonly target: string; readonly met: (median: number) => boolean },
): Figure {
  const middle = median(values);
  return {
    name,
    unit,
    median: middle,
    least: Math.min(...values),
    most: Math.max(...values),
    rounds: values.length,
    ...(held === undefined ? {} : { target: held.target, met: held.met(middle) }),
  };
}

/** Returns how long a step takes, in milliseconds. */
export async function timed(step: () => Promise<unknown> | unknown): Promise<number> {
  const begun = performance.now();
  await step();
  return performance.now() - begun;
}

/** The cost of a step in milliseconds, as wall-clock time and as CPU time of all cores. */
export interface Spent {
  readonly wall: number;
  readonly cpu: number;
}

export async function spent(step: () => Promise<unknown> | unknown): Promise<Spent> {
  const before = process.cpuUsage();
  const wall = await timed(step);
  const { user, system } = process.cpuUsage(before);
  return { wall, cpu: (user + system) / 1000 };
}
