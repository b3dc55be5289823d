import type { Delivery } from '../../source.ts';

/** Returns the offsets of a partition's deliveries, in the order of emission. */
export function offsetsOf(deliveries: readonly Delivery[], partition: string): number[] {
  return deliveries.filter((delivery) => delivery.partition === partition).map(({ offset }) => offset);
}

export function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}
