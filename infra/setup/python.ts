import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const environment = join(root, '.venv');
const requirements = join(import.meta.dirname, 'requirements.txt');
const stamp = join(environment, 'aorta-setup');

/**
 * Creates the Python environment `.venv`, which some tests need, and returns a PATH that starts with its programs. If
 * Python or its packages cannot be installed, returns the current PATH, and those tests are skipped.
 */
export function pythonPath(say: (text: string) => void): string {
  const path = process.env.PATH ?? '';
  const wanted = createHash('sha256').update(readFileSync(requirements)).digest('hex');
  const ready = `${join(environment, 'bin')}${delimiter}${path}`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return ready;
  rmSync(environment, { recursive: true, force: true });
  say('Creating a Python environment for the tests …');
  const run = (program: string, ...words: string[]): boolean =>
    spawnSync(program, words, { stdio: ['ignore', 'ignore', 'pipe'] }).status === 0;
  if (!run('python3', '-m', 'venv', environment)) {
    say('python3 with venv was not found, so tests that need it are skipped.');
    return path;
  }
  if (
    !run(
      join(environment, 'bin', 'python3'),
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '--requirement',
      requirements,
    )
  ) {
    say('The Python packages could not be installed, so tests that need them are skipped.');
    return path;
  }
  writeFileSync(stamp, wanted);
  return ready;
}
