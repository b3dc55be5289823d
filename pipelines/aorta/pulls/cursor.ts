import type { QueryValue } from '@aorta/connectors';
import { z } from 'zod';
import { ProgramError } from '../errors.ts';
import { type Standing, standings } from './standing.ts';

/** The last pull on the previous page of the board. New or removed pulls do not shift the next page. */
export interface Cursor {
  readonly standing: Standing;
  readonly since: string;
  readonly userId: string;
  readonly provider: string;
  readonly resource: string;
}

const written = z.tuple([z.enum(standings), z.iso.datetime(), z.string(), z.string(), z.string()]);

/** The columns of a row that determine its position on the board. */
type Placed = Readonly<Record<'standing' | 'since' | 'user_id' | 'provider' | 'resource', QueryValue>>;

/** Encodes the position after a row, as a value of `--after`. */
export function cursorAfter({ standing, since, user_id, provider, resource }: Placed): string {
  return Buffer.from(JSON.stringify([standing, since, user_id, provider, resource])).toString('base64url');
}

/** Decodes a value that {@link cursorAfter} returned. Throws AORTA-USAGE for any other string. */
export function parseCursor(text: string): Cursor {
  try {
    const [standing, since, userId, provider, resource] = written.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    return { standing, since, userId, provider, resource };
  } catch {
    throw new ProgramError('AORTA-USAGE', {
      problem: '--after needs the place that the previous page printed',
      hint: 'Copy the whole place from the line `Next page: …` of the previous page.',
    });
  }
}
