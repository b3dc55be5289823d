import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the commands in a text for people: each is a line of its own, follows a colon or *See*, or is between backticks. */
export function printedCommands(text: string): string[] {
  const command = '(?:gzip [^`\\n]*\\| )?(?:npx )?aorta [^`\\n]+|curl [^`\\n]+';
  const parts = [`(?:^ *|: )(${command})$`, 'See ((?:npx )?aorta [^`\\n]*--help)\\.', `\`(${command})\``];
  return [...text.matchAll(new RegExp(parts.join('|'), 'gm'))].map(([, ...groups]) => groups.find((one) => one !== undefined)!);
}

/** The words and the input that a shell passes to a program. */
export interface Passed {
  readonly program: string;
  readonly words: readonly string[];
  readonly input: string;
}

/**
 * Returns a function that pastes a line into a shell, which runs in `folder` and has the variable SERVICE_KEY. The programs
 * `aorta`, `npx` and `curl` do nothing: the function returns what the shell passes to the last one.
 */
export function shellIn(folder: string): (line: string) => Passed {
  const bin = `${folder}.bin`;
  const passed = join(bin, 'passed');
  mkdirSync(bin, { recursive: true });
  const record = `#!/bin/sh\nprintf '%s\\0' "\${0##*/}" "$@" > "$PASSED.words"\ncat > "$PASSED.input"\n`;
  const programs = { aorta: record, curl: record, npx: '#!/bin/sh\nexec "$@"\n' };
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(bin, name), text);
    chmodSync(join(bin, name), 0o755);
  }
  return (line) => {
    const env = { PATH: `${bin}:/usr/bin:/bin`, PASSED: passed, SERVICE_KEY: 'the key', LC_ALL: 'C.UTF-8' };
    execFileSync('sh', ['-c', line], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [program = '', ...words] = readFileSync(`${passed}.words`, 'utf8').split('\0').slice(0, -1);
    return { program, words, input: readFileSync(`${passed}.input`, 'utf8') };
  };
}
