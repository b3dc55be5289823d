import { lstatSync, readlinkSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { explained, systemCode } from '@aorta/runtime';
import { ProgramError } from '../errors.ts';

/** Aorta adds endings of at most this many bytes to the path of a warehouse, and puts files with such paths into a folder. */
const ADDED = { file: 32, folder: 200 } as const;

interface PathUse {
  readonly kind: 'file' | 'folder';
  /** Returns why the adapter cannot use a path, or undefined if it can. */
  readonly problemOf?: ((path: string) => string | undefined) | undefined;
  /** Whether the path is on another machine, so that only its characters matter. */
  readonly isElsewhere?: boolean | undefined;
}

/**
 * Throws AORTA-PATH-REFUSED if Aorta cannot keep data at an absolute path, or read it there. The cause is a character of the path,
 * its length, or a file on the way. Nothing needs to exist at the path. Without this check, Aorta would treat such a path as
 * one at which nothing exists yet.
 */
export function checkPath(path: string, { kind, problemOf, isElsewhere = false }: PathUse): void {
  const problem =
    problemOfBytes(path) ??
    problemOf?.(path) ??
    (isElsewhere ? undefined : (problemOfLength(path, kind) ?? problemOnDisk(path, kind)));
  if (problem !== undefined) throw new ProgramError('AORTA-PATH-REFUSED', { path, problem });
}

/** Throws AORTA-PATH-REFUSED if a link on a path leads nowhere. Nothing else needs to exist at the path. */
export function checkLinks(path: string): void {
  const problem = problemOnDisk(path, 'file');
  if (problem !== undefined) throw new ProgramError('AORTA-PATH-REFUSED', { path, problem });
}

/**
 * Returns what is wrong with the bytes of a path. In the command line and in the working directory, Node replaces bytes that
 * are not UTF-8, so the path would be a different one.
 */
export function problemOfBytes(path: string): string | undefined {
  if (path.includes('\0')) return 'it has a NUL character';
  const replaced = path.lastIndexOf('\ufffd');
  if (replaced === -1 && path.isWellFormed()) return undefined;
  const end = path.indexOf('/', replaced);
  if (replaced !== -1 && codeAt(end === -1 ? path : path.slice(0, end)) === undefined) return undefined;
  return 'it has bytes that are not UTF-8, which are shown as \ufffd';
}

function problemOfLength(path: string, kind: PathUse['kind']): string | undefined {
  const longest = kind === 'file' ? `${path}${'x'.repeat(ADDED.file)}` : join(path, 'x'.repeat(ADDED.folder));
  return codeAt(longest) === 'ENAMETOOLONG'
    ? 'it is too long, or a name in it is too long, for the files that Aorta adds'
    : undefined;
}

function problemOnDisk(path: string, kind: PathUse['kind']): string | undefined {
  const code = codeAt(path);
  if (code === undefined) {
    const isFolder = statSync(path).isDirectory();
    if (isFolder === (kind === 'folder')) return undefined;
    return isFolder ? 'it is a folder, but must be a file' : 'it is a file, but must be a folder';
  }
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return code === 'EACCES' || code === 'ELOOP' ? explained(code) : undefined;
  // The nearest part of the path that exists decides what is missing.
  let nearest = path;
  while (!isThere(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  if (codeAt(nearest) === 'ENOENT') return `the link ${nearest} leads to ${readlinkSync(nearest)}, which does not exist`;
  return code === 'ENOTDIR' ? `${nearest} is not a folder` : undefined;
}

/** Returns the code of the error if nothing can be found at a path. */
function codeAt(path: string): string | undefined {
  try {
    statSync(path);
    return undefined;
  } catch (error) {
    return systemCode(error);
  }
}

/** Returns whether something has this path, even a link that leads nowhere. */
function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
