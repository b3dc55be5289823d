import { spawn } from 'node:child_process';

/** Runs a program until it exits. Returns its exit code and output. Rejects if the program cannot be started. */
export function finished(
  program: string,
  words: readonly string[],
): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (text: string): void => {
      output += text;
    };
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', collect);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

/**
 * Returns the output line that best explains why a program failed. The first choice is the line after Kafka's message
 * that it is exiting. The next choices are the first line with an exception, the first line with `ERROR`, and the last line.
 */
export function reason(output: string): string {
  return best(output).replace(/\.$/, '');
}

function best(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const end = lines.findIndex((line) => line.includes('Exiting Kafka due to fatal exception'));
  if (end >= 0 && lines[end + 1] !== undefined) return lines[end + 1]!;
  const found = [/^(Caused by: |Exception in thread "\S+" )?[\w.$]+(Exception|Error): /, /\bERROR\b/].map((kind) =>
    lines.find((line) => kind.test(line)),
  );
  return found.find((line) => line !== undefined) ?? lines.at(-1) ?? 'it printed nothing';
}
