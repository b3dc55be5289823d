import { SAMPLES } from './events.ts';
import { type Figure, figure, type Spent } from './measure.ts';

/** A stage's rate, and what an event of 100 samples takes of a core in it. */
export function stage(name: string, list: readonly Spent[], events: number): Figure[] {
  return [
    figure(
      name,
      'samples/s',
      list.map(({ wall }) => (events * SAMPLES * 1000) / wall),
    ),
    figure(
      `${name}: a core for an event`,
      'µs',
      list.map(({ cpu }) => (cpu * 1000) / events),
    ),
  ];
}
