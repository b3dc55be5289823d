import { spawn } from 'node:child_process';
import { join } from 'node:path';

const program = join(import.meta.dirname, '..', '..', 'pipelines', 'aorta', 'bin', 'aorta.js');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs `aorta` with these arguments in a folder, as a user would, and waits until the command ends. If it takes longer than
 * `milliseconds`, kills it and rejects with the end of its output. Default: no limit.
 */
export function aorta(folder: string, words: readonly string[], input = '', milliseconds?: number): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...words], { cwd: folder, env: { ...process.env, NO_COLOR: '1' } });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const late = (): void => {
      child.kill('SIGKILL');
      const said = `${stdout.slice(-1000)}\n${stderr.slice(-3000)}`;
      reject(new Error(`waited ${milliseconds! / 1000} s for aorta ${words.join(' ')} to end; the end of its output: ${said}`));
    };
    const timer = milliseconds === undefined ? undefined : setTimeout(late, milliseconds);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, stdout, stderr });
    });
    child.stdin.end(input);
  });
}
