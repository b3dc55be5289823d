import { AortaError } from '@aorta/runtime';
import { z } from 'zod';
import { parseReceivedAt } from '../received-at.ts';

/** Where a partition begins that was never read before; a number is a time, in milliseconds since 1970. */
export type StartPosition = 'earliest' | 'latest' | number;

/** `start_position` of a source, as it is written in the configuration. */
export const startPositionOption = z
  .string()
  .refine((text) => text === 'earliest' || text === 'latest' || !Number.isNaN(parseReceivedAt(text)), {
    error: 'neither `earliest`, `latest` nor an RFC 3339 date-time',
  })
  .default('earliest');

/** What is written, as a position. */
export function startPositionOf(written: string): StartPosition {
  if (written === 'earliest' || written === 'latest') return written;
  const time = parseReceivedAt(written);
  // Checked when the configuration was read.
  if (Number.isNaN(time)) throw new AortaError('AORTA-BUG', { place: 'source', problem: 'a start position that is no time' });
  return time / 1000;
}
