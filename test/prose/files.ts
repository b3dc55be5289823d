import { globSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
/** Generated, frozen and recorded files. Their text comes from other files, or must not change. */
const LEFT_OUT =
  /(?:^|\/)(?:node_modules|dist|golden|\.[^/]+)\/|\.generated\.ts$|^docs\/bench\/|^test\/released\/.*\/|^aorta-demo\//;

/**
 * Returns the TypeScript and Markdown files under these paths. The returned paths are relative to the root of the repository. If
 * no path is given, returns all files in the repository.
 */
export function filesUnder(paths: readonly string[]): string[] {
  const under = (path: string): string[] =>
    statSync(path).isFile()
      ? [path]
      : globSync('**/*.{ts,md}', { cwd: path, exclude: ['**/node_modules'] }).map((name) => join(path, name));
  const found = (paths.length === 0 ? [root] : paths).flatMap((path) => under(resolve(path)));
  return found
    .map((path) => relative(root, path))
    .filter((path) => !LEFT_OUT.test(path))
    .sort();
}

/** Returns the text of a file that {@link filesUnder} returned. */
export function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
