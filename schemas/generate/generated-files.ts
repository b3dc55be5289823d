import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

function current(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Writes the generated files that are out of date. `files` contains the texts by path, relative to the repository's
 * root. With `--check` on the command line, writes nothing and sets exit code 1 if a file is out of date.
 */
export function writeOrCheck(files: Readonly<Record<string, string>>, source: string): void {
  const stale = Object.entries(files).filter(([path, text]) => current(path) !== text);
  if (process.argv.includes('--check')) {
    for (const [path] of stale) process.stderr.write(`${path} does not match ${source}. Run: npm run generate\n`);
    process.exitCode = stale.length === 0 ? 0 : 1;
  } else {
    for (const [path, text] of stale) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
      process.stderr.write(`wrote ${path}\n`);
    }
  }
}
