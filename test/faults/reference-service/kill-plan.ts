import type { Random } from '@aorta/people';

export interface Kill {
  readonly victims: readonly ('service' | 'aorta')[];
  /** Virtual time for which the clock is moved, in hours. */
  readonly hours: number;
  /** The kill follows this many webhooks of the move, so that it hits processes at work. */
  readonly afterMessages: number;
  /** Real time from the last of these webhooks to the kill, in milliseconds. */
  readonly afterMs: number;
}

/** The service gives up on a webhook after 27.6 hours. Aorta is away for less virtual time than that. */
const LONGEST_HOURS = 6;

const choices: readonly Kill['victims'][] = [['service'], ['aorta'], ['service', 'aorta']];

/** Draws kills with different victims, at most three. */
export function drawKills(random: Random, count: number): Kill[] {
  const left = [...choices];
  return Array.from({ length: count }, () => {
    const [victims] = left.splice(random.whole(0, left.length - 1), 1) as [Kill['victims']];
    const hours = random.between(3, LONGEST_HOURS);
    return { victims, hours, afterMessages: random.whole(1, 4), afterMs: random.between(0, 60) };
  });
}
