import type { Cursors } from './api/cursor.ts';
import type { Database } from './storage/database.ts';
import type { Draws } from './storage/draws.ts';
import type { Secrets } from './storage/secrets.ts';
import type { Signatures } from './storage/signatures.ts';
import type { Clock } from './time/clock.ts';
import type { Jobs } from './time/jobs.ts';

/** What all parts of the service share. */
export interface State {
  readonly database: Database;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly draws: Draws;
  readonly secrets: Secrets;
  readonly signatures: Signatures;
  readonly cursors: Cursors;
}
