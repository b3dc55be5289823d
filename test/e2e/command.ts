import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const program = join(import.meta.dirname, '..', '..', 'pipelines', 'aorta', 'bin', 'aorta.js');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs `aorta` with these arguments in a folder, as a user would, and waits until the command ends. `environment` is added to the
 * environment of this process.
 */
export async function aorta(
  folder: string,
  words: readonly string[],
  input = '',
  environment: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const env = { ...process.env, NO_COLOR: '1', ...environment };
  const child = spawn(process.execPath, [program, ...words], { cwd: folder, env });
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, stdout, stderr };
}
