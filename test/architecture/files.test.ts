import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const LONGEST = 500;

const linesOf = (file: string): number => readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length;
const isProduct = (file: string): boolean => !/\.(test|fixture|process|generated)\.ts$|\/testing\//.test(file);
const files = globSync('{schemas,pipelines,connectors,infra}/**/*.{ts,mjs}', {
  cwd: root,
  exclude: (name) => name.includes('node_modules'),
}).filter(isProduct);

test(`no file is longer than ${LONGEST} lines`, () => {
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => linesOf(file) > LONGEST)).toEqual([]);
});
