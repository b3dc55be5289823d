import { SAMPLES } from './events.ts';
import { type Figure, figure, type Spent } from './measure.ts';

/** Returns the rate of a stage and its core time per event. Each event has 100 samples. */
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
