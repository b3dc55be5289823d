import { spawn } from 'node:child_process';

/** Runs a program to its end. Rejects where it cannot be started. */
export function finished(
  program: string,
  words: readonly string[],
): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const hear = (text: string): void => {
      output += text;
    };
    child.stdout.setEncoding('utf8').on('data', hear);
    child.stderr.setEncoding('utf8').on('data', hear);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}
