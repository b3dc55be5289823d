import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery } from '../../source.ts';

/** Waits until something holds; fails after ten seconds. */
export async function until(holds: () => boolean | Promise<boolean>, what: string, milliseconds = 10_000): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not within ${milliseconds} ms: ${what}`);
    await sleep(20);
  }
}

/** Offsets of a partition, in the order in which they were emitted. */
export function offsetsOf(deliveries: readonly Delivery[], partition: string): number[] {
  return deliveries.filter((delivery) => delivery.partition === partition).map(({ offset }) => offset);
}

export function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}
