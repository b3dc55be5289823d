import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cliReference } from '../cli-reference.ts';
import { configurationReference } from '../configuration/reference.ts';
import { errorsReference } from './errors.ts';
import { metricsReference } from './metrics.ts';

/** The reference pages that are made from the program itself, by path from the repository's root. */
export function referencePages(): Record<string, string> {
  return {
    'docs/reference/cli.md': cliReference(),
    'docs/reference/configuration.md': configurationReference(),
    'docs/reference/errors.md': errorsReference(),
    'docs/reference/metrics.md': metricsReference(),
  };
}

const root = join(import.meta.dirname, '..', '..', '..');

function current(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return undefined;
  }
}

if (import.meta.main) {
  const stale = Object.entries(referencePages()).filter(([path, text]) => current(path) !== text);
  if (process.argv.includes('--check')) {
    for (const [path] of stale) process.stderr.write(`${path} does not match the program: run npm run generate\n`);
    process.exitCode = stale.length === 0 ? 0 : 1;
  } else {
    for (const [path, text] of stale) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
      process.stderr.write(`wrote ${path}\n`);
    }
  }
}
