import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const environment = join(root, '.venv');
const requirements = join(import.meta.dirname, 'requirements.txt');
const stamp = join(environment, 'aorta-setup');

/**
 * Makes the Python environment that some tests need, in `.venv`, and returns the PATH that has it first; the present PATH
 * where there is no Python, or where its packages cannot be installed: those tests then say that they were skipped.
 */
export function pythonPath(say: (text: string) => void): string {
  const path = process.env.PATH ?? '';
  const wanted = createHash('sha256').update(readFileSync(requirements)).digest('hex');
  const ready = `${join(environment, 'bin')}${delimiter}${path}`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return ready;
  rmSync(environment, { recursive: true, force: true });
  say('Making a Python environment for the tests …');
  const run = (program: string, ...words: string[]): boolean =>
    spawnSync(program, words, { stdio: ['ignore', 'ignore', 'pipe'] }).status === 0;
  if (!run('python3', '-m', 'venv', environment)) {
    say('There is no python3 with venv: tests that need it are skipped.');
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
    say('The Python packages could not be installed: tests that need them are skipped.');
    return path;
  }
  writeFileSync(stamp, wanted);
  return ready;
}
