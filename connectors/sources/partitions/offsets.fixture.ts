import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery } from '../../source.ts';

/** Waits until `holds` returns true. Throws after the given number of milliseconds. */
export async function until(holds: () => boolean | Promise<boolean>, what: string, milliseconds = 10_000): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not within ${milliseconds} ms: ${what}`);
    await sleep(20);
  }
}

/** Returns the offsets of a partition's deliveries, in the order of emission. */
export function offsetsOf(deliveries: readonly Delivery[], partition: string): number[] {
  return deliveries.filter((delivery) => delivery.partition === partition).map(({ offset }) => offset);
}

export function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}
