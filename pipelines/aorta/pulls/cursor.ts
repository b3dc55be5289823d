import { AortaError } from '@aorta/telemetry';
import { z } from 'zod';
import { type Row, type Standing, standings } from './board.ts';

/** A place on the board: the pull that the page before ended with. Pulls that come and go meanwhile move no page. */
export interface Cursor {
  readonly standing: Standing;
  readonly since: string;
  readonly userId: string;
  readonly provider: string;
  readonly resource: string;
}

const written = z.tuple([z.enum(standings), z.iso.datetime(), z.string(), z.string(), z.string()]);

/** The place behind a row, as `--after` takes it. */
export function cursorAfter({ standing, since, user_id, provider, resource }: Row): string {
  return Buffer.from(JSON.stringify([standing, since, user_id, provider, resource])).toString('base64url');
}

/** Reads what {@link cursorAfter} wrote. */
export function parseCursor(text: string): Cursor {
  try {
    const [standing, since, userId, provider, resource] = written.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    return { standing, since, userId, provider, resource };
  } catch {
    throw new AortaError('AORTA-USAGE', {
      problem: '--after takes what the page before ended with',
      hint: 'Copy it whole from the line `Next page: …` that the page before ended with.',
    });
  }
}
