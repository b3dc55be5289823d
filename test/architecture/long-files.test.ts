import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const LONGEST = 250;

const linesOf = (file: string): number => readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length;
const isOfTests = (file: string): boolean => /\.(test|fixture|process)\.ts$|\/testing\//.test(file);

/** Returns the long files that the architecture guide lists, each with the reason for its length. */
function listed(): ReadonlyMap<string, string> {
  const guide = readFileSync(join(root, 'docs/guides/architecture.md'), 'utf8');
  const [, section = ''] = guide.split('## Files above 250 lines, and why');
  return new Map([...section.matchAll(/^\| `([^`]+)` +\| (.+?) +\|$/gm)].map(([, file, reason]) => [file!, reason!]));
}

test('the architecture guide lists exactly the files above 250 lines', () => {
  const files = globSync('{schemas,pipelines,connectors,infra}/**/*.ts', {
    cwd: root,
    exclude: (name) => name.includes('node_modules'),
  });
  const long = files.filter((file) => !isOfTests(file) && !file.endsWith('.generated.ts') && linesOf(file) > LONGEST);
  const reasons = listed();
  expect({ missing: long.filter((file) => !reasons.has(file)) }).toEqual({ missing: [] });
  expect({ shorter: [...reasons.keys()].filter((file) => !long.includes(file)) }).toEqual({ shorter: [] });
});
