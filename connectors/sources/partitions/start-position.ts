import { AortaError } from '@aorta/runtime';
import { z } from 'zod';
import { parseReceivedAt } from '../received-at.ts';

/** The position at which reading of a new partition starts. A number is a time in milliseconds since 1970. */
export type StartPosition = 'earliest' | 'latest' | number;

export const startPositionOption = z
  .string()
  .refine((text) => text === 'earliest' || text === 'latest' || !Number.isNaN(parseReceivedAt(text)), {
    error: 'neither `earliest`, `latest` nor an RFC 3339 date-time',
  })
  .default('earliest');

/** Converts the configured value to a position. The schema has already validated the value. */
export function startPositionOf(written: string): StartPosition {
  if (written === 'earliest' || written === 'latest') return written;
  const time = parseReceivedAt(written);
  if (Number.isNaN(time)) throw new AortaError('AORTA-BUG', { place: 'source', problem: 'a start position that is not a time' });
  return time / 1000;
}
