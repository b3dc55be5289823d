import { Cursors } from './api/cursor.ts';
import type { Database } from './storage/database.ts';
import { type Draws, storedDraws } from './storage/draws.ts';
import { type Secrets, secretsOf } from './storage/secrets.ts';
import { Signatures } from './storage/signatures.ts';
import { Clock } from './time/clock.ts';
import { Jobs } from './time/jobs.ts';
import { Versions } from './versions/versions.ts';

/** What all parts of the service share. */
export interface State {
  readonly database: Database;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly versions: Versions;
  readonly draws: Draws;
  readonly secrets: Secrets;
  readonly signatures: Signatures;
  readonly cursors: Cursors;
}

/** The options of a state, which {@link ServiceOptions} explains. */
interface StateOptions {
  readonly start: number | undefined;
  readonly runs: boolean | undefined;
  readonly seed: number | undefined;
  readonly secretKey: string | undefined;
  /** File of a secret key that is not given. Default: none. */
  readonly keyFile: string | undefined;
}

/** Returns the state in a database. Throws a {@link StateError} if an option contradicts it. */
export function openState(database: Database, { start, runs, seed, secretKey, keyFile }: StateOptions): State {
  const clock = new Clock(database, { start, runs });
  const jobs = new Jobs(database, clock);
  const secrets = secretsOf(database, keyFile, secretKey);
  const drawn = { database, draws: storedDraws(database, secrets, seed), secrets };
  const signatures = new Signatures(drawn);
  const versions = new Versions(database, clock);
  return { ...drawn, clock, jobs, versions, signatures, cursors: new Cursors(signatures) };
}
