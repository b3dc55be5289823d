import { AortaError } from '@aorta/runtime';

/** Creates an AORTA-BUG error: a caller violated the stream log's interface contract, or the log broke one of its own invariants. */
export function streamsBug(problem: string): AortaError {
  return new AortaError('AORTA-BUG', { place: 'streams', problem });
}
