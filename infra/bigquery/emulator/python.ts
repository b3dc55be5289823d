import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cachedPython, pythonProblem, type ServerProblem } from '@aorta/machine';

export const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
const USER = 'The local BigQuery';

/**
 * Returns the Python of the cached virtual environment with the emulator's packages. If the environment does not exist yet, calls
 * `fetching` and creates it. Rejects with {@link ServerProblem} if that fails.
 */
export function emulatorPython(fetching?: () => void): Promise<string> {
  return cachedPython({ name: 'bigquery', user: USER, requirements: readFileSync(REQUIREMENTS, 'utf8') }, fetching);
}

/** Returns the reason if this machine has no Python for the emulator, or undefined if it has one. */
export function noEmulatorPython(): Promise<ServerProblem | undefined> {
  return pythonProblem(USER);
}
