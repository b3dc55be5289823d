import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached, finished, ServerProblem } from '@aorta/machine';

export const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
export const OLDEST = [3, 11] as const;

const NO_PYTHON = new ServerProblem(
  'The local BigQuery needs python3 of version 3.11 or newer, which was not found',
  'Install it and start again (on Debian: apt-get install python3 python3-venv).',
);
const NO_VENV = new ServerProblem(
  'The local BigQuery needs a virtual environment, which python3 cannot create',
  'Install its modules venv and ensurepip and start again (on Debian: apt-get install python3-venv).',
);
const NO_PACKAGES = new ServerProblem(
  'The packages of the local BigQuery could not be installed',
  'Check that PyPI, or the mirror in your pip settings, can be reached, and start again.',
);

/**
 * Returns the version of `python3`, such as `3.11.7`. Rejects with {@link ServerProblem} if `python3` is missing, is too old, or
 * lacks the modules for virtual environments.
 */
async function pythonVersion(): Promise<string> {
  const asked = ['-c', 'import platform; print(platform.python_version()); import venv, ensurepip; print("venv")'];
  const { output } = await finished('python3', asked).catch(() => {
    throw NO_PYTHON;
  });
  const [version = '', venv] = output.split('\n');
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (!(major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]))) throw NO_PYTHON;
  if (venv !== 'venv') throw NO_VENV;
  return version;
}

function folderName(version: string): string {
  const hash = createHash('sha256').update(readFileSync(REQUIREMENTS)).update(`${version} ${process.platform} ${process.arch}`);
  return `bigquery-${hash.digest('hex').slice(0, 12)}`;
}

/**
 * Returns the Python of the cached virtual environment with the emulator's packages. If the environment does not exist yet, calls
 * `fetching` and creates it. Rejects with {@link ServerProblem} if that fails.
 */
export async function emulatorPython(fetching: () => void = () => {}): Promise<string> {
  const folder = await cached(folderName(await pythonVersion()), async (making) => {
    fetching();
    const made = await finished('python3', ['-m', 'venv', making]);
    if (made.code !== 0) throw NO_VENV;
    // Every package is pinned, so pip does not resolve dependencies.
    const words = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '--requirement', REQUIREMENTS];
    const { code } = await finished(join(making, 'bin', 'python'), words);
    if (code !== 0) throw NO_PACKAGES;
  });
  return join(folder, 'bin', 'python');
}

/** Returns the reason if this machine has no suitable Python, or undefined if it has one. */
export async function pythonProblem(): Promise<ServerProblem | undefined> {
  return pythonVersion().then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof ServerProblem) return error;
      throw error;
    },
  );
}
