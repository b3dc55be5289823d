import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cached } from './cache.ts';
import { finished, ServerProblem } from './run.ts';

/** The oldest Python that {@link cachedPython} uses. */
export const OLDEST_PYTHON = [3, 11] as const;

/** Python packages, which a cached virtual environment holds. */
interface PythonPackages {
  /** Prefix of the folder in the cache, such as `bigquery`. */
  readonly name: string;
  /** The subject of errors, such as `The local BigQuery`. */
  readonly user: string;
  /** The content of a `requirements.txt`. It names every package with its version, because pip does not resolve dependencies. */
  readonly requirements: string;
}

/**
 * Returns the version of `python3`, such as `3.11.7`. Rejects with {@link ServerProblem} if `python3` is missing, is too old, or
 * lacks the modules for virtual environments.
 */
async function pythonVersion(user: string): Promise<string> {
  const [oldestMajor, oldestMinor] = OLDEST_PYTHON;
  const missing = new ServerProblem(
    `${user} needs python3 of version ${OLDEST_PYTHON.join('.')} or newer, which was not found`,
    'Install it and start again (on Debian: apt-get install python3 python3-venv).',
  );
  const asked = ['-c', 'import platform; print(platform.python_version()); import venv, ensurepip; print("venv")'];
  const { output } = await finished('python3', asked).catch(() => {
    throw missing;
  });
  const [version = '', venv] = output.split('\n');
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (!(major > oldestMajor || (major === oldestMajor && minor >= oldestMinor))) throw missing;
  if (venv !== 'venv') throw noEnvironment(user);
  return version;
}

const noEnvironment = (user: string): ServerProblem =>
  new ServerProblem(
    `${user} needs a virtual environment, which python3 cannot create`,
    'Install its modules venv and ensurepip and start again (on Debian: apt-get install python3-venv).',
  );

/**
 * Returns the Python of a cached virtual environment with the packages. If the environment does not exist yet, calls `fetching`
 * and creates it. Rejects with {@link ServerProblem} if that fails.
 */
export async function cachedPython(
  { name, user, requirements }: PythonPackages,
  fetching: () => void = () => {},
): Promise<string> {
  const version = await pythonVersion(user);
  const hash = createHash('sha256').update(requirements).update(`${version} ${process.platform} ${process.arch}`);
  const folder = await cached(`${name}-${hash.digest('hex').slice(0, 12)}`, async (making) => {
    fetching();
    const made = await finished('python3', ['-m', 'venv', making]);
    if (made.code !== 0) throw noEnvironment(user);
    const list = join(making, 'requirements.txt');
    await writeFile(list, requirements);
    const words = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '--requirement', list];
    const { code } = await finished(join(making, 'bin', 'python'), words);
    if (code === 0) return;
    throw new ServerProblem(
      `The packages of ${user.replace(/^The /, 'the ')} could not be installed`,
      'Check that PyPI, or the mirror in your pip settings, can be reached, and start again.',
    );
  });
  return join(folder, 'bin', 'python');
}

/** Returns the reason if this machine has no suitable Python, or undefined if it has one. */
export async function pythonProblem(user: string): Promise<ServerProblem | undefined> {
  return pythonVersion(user).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof ServerProblem) return error;
      throw error;
    },
  );
}
