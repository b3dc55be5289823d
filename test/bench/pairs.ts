import { median } from './measure.ts';

/** One run of both checkouts: their figures in microseconds, by name. */
export interface Pair {
  readonly before: ReadonlyMap<string, number>;
  readonly after: ReadonlyMap<string, number>;
}

export interface Compared {
  readonly name: string;
  /** Medians of all runs, in microseconds. */
  readonly before: number;
  readonly after: number;
  /** Geometric mean of after ÷ before over all pairs, with its 95 % interval. */
  readonly ratio: number;
  readonly least: number;
  readonly most: number;
  /** True for a core-time figure whose interval lies entirely above {@link TOLERATED}. */
  readonly slower: boolean;
}

const TOLERATED = 1.03;

/** Student's t for a two-sided 95 % interval, by degrees of freedom from 1. The last value applies to all higher degrees. */
const t95 = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11, 2.101,
  2.093, 2.086,
];

/** Returns the figures in microseconds from the printed tables of the bench, by name. */
export function microseconds(printed: string): Map<string, number> {
  const rows = printed.matchAll(/^\| (?<name>[^|]+) \| (?<value>[\d.,]+) µs \|/gm);
  return new Map([...rows].map(({ groups }) => [groups!.name!, Number(groups!.value!.replaceAll(',', ''))]));
}

/** Compares the figures that both checkouts have in every run. */
export function compare(pairs: readonly Pair[]): Compared[] {
  const names = [...(pairs[0]?.after.keys() ?? [])];
  return names
    .filter((name) => pairs.every(({ before, after }) => before.has(name) && after.has(name)))
    .map((name) => {
      const before = pairs.map((pair) => pair.before.get(name)!);
      const after = pairs.map((pair) => pair.after.get(name)!);
      const { mean, least, most } = interval(after.map((value, index) => Math.log(value / before[index]!)));
      const slower = name.includes('core for an event') && Math.exp(least) > TOLERATED;
      const [ratio, from, to] = [mean, least, most].map(Math.exp) as [number, number, number];
      return { name, before: median(before), after: median(after), ratio, least: from, most: to, slower };
    });
}

function interval(values: readonly number[]): { mean: number; least: number; most: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  const reach = t95[Math.min(values.length - 1, t95.length) - 1]! * Math.sqrt(variance / values.length);
  return { mean, least: mean - reach, most: mean + reach };
}
