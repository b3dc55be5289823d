import { AortaError } from '@aorta/runtime';

/** AORTA-BUG for a stream log that was used against its interface, or that broke its own rules. */
export function streamsBug(problem: string): AortaError {
  return new AortaError('AORTA-BUG', { place: 'streams', problem });
}
