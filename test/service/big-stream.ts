import type { Json } from './world.ts';

/** A workout stream with this many points takes more than ten megabytes as JSON. */
export const BIG_POINTS = 70_000;

const columns = ['time', 'heartrate', 'cadence', 'altitude', 'velocity_smooth', 'distance', 'power', 'lat', 'lng'];

export function bigStream(): Json {
  const value = (name: string, index: number): number => (name === 'time' ? 1_767_225_600 + index : 100.125 + (index * 7) / 11);
  return Object.fromEntries(columns.map((name) => [name, Array.from({ length: BIG_POINTS }, (_, index) => value(name, index))]));
}
