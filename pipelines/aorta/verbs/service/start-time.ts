import { z } from 'zod';
import { ProgramError } from '../../errors.ts';

const FIRST = 0;
/** Last instant with a year of four digits. */
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const date = z.iso.date();
const dateTime = z.iso.datetime({ offset: true });

/** Parses the value of `--start` as milliseconds since 1970. A date is its midnight in UTC. */
export function startTime(text: string): number {
  const isTime = date.safeParse(text).success || dateTime.safeParse(text).success;
  const time = isTime ? Date.parse(text) : Number.NaN;
  if (time >= FIRST && time <= LAST) return time;
  throw new ProgramError('AORTA-USAGE', {
    problem: `--start needs a date, or a time with an offset, in the years 1970 to 9999`,
    hint: 'For example --start 2025-05-08, or --start 2025-05-08T12:00:00+02:00.',
  });
}
