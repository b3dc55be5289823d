import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const text = readFileSync(join(import.meta.dirname, '..', '..', 'package-lock.json'), 'utf8');
const { packages } = JSON.parse(text) as { packages: Record<string, LockedPackage> };
const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);

/** Returns the entry that Node would find for a dependency of the package in `folder`, or undefined. */
function lockedFor(folder: string, name: string): LockedPackage | undefined {
  const found = packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`];
  if (found !== undefined || folder === '') return found;
  return lockedFor(folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/'))), name);
}

it('the lock file has an entry for every optional dependency, so it installs on every platform', () => {
  const wanted = Object.entries(packages).flatMap(([folder, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies).map(([name, range]) => ({ folder, name, range })),
  );
  expect(wanted.length).toBeGreaterThan(100);
  expect(wanted.filter(({ folder, name }) => lockedFor(folder, name) === undefined)).toEqual([]);
  // Binaries for a platform have the version of the package that loads them.
  const exact = wanted.filter(({ range }) => /^\d/.test(range));
  expect(exact.filter(({ folder, name, range }) => lockedFor(folder, name)?.version !== range)).toEqual([]);
});

it('the lock file has hashes but no download addresses, so it works with every registry', () => {
  expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  expect(installed.filter(([, { integrity }]) => integrity === undefined)).toEqual([]);
});
