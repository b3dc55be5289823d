import { globSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import config from '../../vitest.config.ts';
import { filesOf, parts } from '../run/parts.ts';

const root = join(import.meta.dirname, '..', '..');

interface Project {
  readonly test: { readonly name: string; readonly include: readonly string[]; readonly exclude: readonly string[] };
}

test('every test file belongs to exactly one vitest project', () => {
  const projects = (config as unknown as { test: { projects: readonly Project[] } }).test.projects;
  const files = globSync('{schemas,pipelines,connectors,infra,test}/**/*.test.ts', { cwd: root }).filter(
    (file) => !file.includes('node_modules'),
  );
  expect(files.length).toBeGreaterThan(50);
  const runs = (file: string): string[] =>
    projects
      .filter(({ test: { include, exclude } }) => {
        const is = (globs: readonly string[]): boolean => globs.some((glob) => matchesGlob(file, glob));
        return is(include) && !is(exclude);
      })
      .map(({ test: { name } }) => name);
  expect(files.filter((file) => runs(file).length !== 1)).toEqual([]);
});

test('every pattern of a campaign part matches a file, and no file is in two parts', () => {
  const patterns = Object.values(parts).flat();
  expect(patterns.filter((pattern) => globSync(pattern, { cwd: root }).length === 0)).toEqual([]);
  const files = Object.keys(parts).flatMap(filesOf);
  expect(files.filter((file, index) => files.indexOf(file) !== index)).toEqual([]);
});

test('CI runs every part of the campaign', () => {
  const workflow = readFileSync(join(root, '.github/workflows/campaign.yml'), 'utf8');
  expect(/^ +part: \[(.+)\]$/m.exec(workflow)?.[1]?.split(', ')).toEqual(Object.keys(parts));
});
