import type { Stats } from 'node:fs';
import { readdir, readlink, realpath, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { AortaError, pathText, systemCode, systemPath } from '@aorta/runtime';
import type { Outputs } from '../source.ts';
import { unreadable } from './content.ts';
import { FileError } from './errors.ts';
import { namedError, ownError } from './foreign.ts';
import { holdsStreams, OwnFiles, streamsOfAorta } from './own-files.ts';

/** An input: a regular file with its size, or an input that can be read only once (standard input, a pipe). */
export type Readable =
  /** `named`: the path was given by the caller, not found in a folder. */
  | { readonly kind: 'file'; readonly path: string; readonly size: number; readonly named: boolean }
  | { readonly kind: 'once'; readonly path: string }
  | { readonly kind: 'error'; readonly error: AortaError; readonly named: boolean };

/** The path that stands for standard input. */
export const STANDARD_INPUT = '-';

export interface Expansion {
  /** Base folder for relative paths. Default: the working directory of the process. */
  readonly folder?: string;
  /** Whether to follow links in a folder that lead out of the given folders. Default: they are reported as errors. */
  readonly followLinks?: boolean;
  /** The outputs of this process. They are left out, and reported with AORTA-FILE-OWN. Default: nothing. */
  readonly outputs?: Outputs | undefined;
}

/**
 * Yields the files for the given paths, in order. An error in place of a path is yielded as it is. Folders are read
 * recursively, sorted by name, and entries whose name starts with a dot are skipped. A pipe, socket or device that the caller
 * names is read. If one is found in a folder, it is reported as an error, because reading it could block forever. Aorta's own
 * streams and other outputs are reported, and not read.
 *
 * A path may have bytes that are not UTF-8, so functions of `node:fs` need {@link systemPath}.
 */
export async function* expand(paths: readonly (string | AortaError)[], expansion: Expansion = {}): AsyncGenerator<Readable> {
  const { folder = '', followLinks = false, outputs } = expansion;
  const own = await OwnFiles.of(outputs);
  let roots: Promise<readonly string[]> | undefined;
  const leadsOut = async (target: string): Promise<boolean> => {
    roots ??= rootsOf(paths, folder);
    return !followLinks && !(await roots).some((root) => isInside(root, target));
  };
  for (const path of paths) {
    if (typeof path !== 'string') yield { kind: 'error', error: path, named: true };
    else if (path === STANDARD_INPUT) yield { kind: 'once', path };
    else yield* expandOne({ path, named: true, isLink: false, real: undefined }, new Set(), { folder, leadsOut, own });
  }
}

/** A path that the caller named, or an entry of a folder. */
interface Found {
  readonly path: string;
  readonly named: boolean;
  /** Whether an entry of a folder is a link. */
  readonly isLink: boolean;
  /** The real path of a folder entry that is not a link; undefined for links and for paths that the caller named. */
  readonly real: string | undefined;
}

interface Search {
  readonly folder: string;
  readonly own: OwnFiles;
  /**
   * Returns whether links must not lead to a real path, because it is outside all files and folders that the caller named.
   */
  readonly leadsOut: (target: string) => Promise<boolean>;
}

async function* expandOne(found: Found, above: ReadonlySet<string>, search: Search): AsyncGenerator<Readable> {
  const { path, named, isLink } = found;
  const { folder, leadsOut, own } = search;
  const problem = (error: AortaError): Readable => ({ kind: 'error', error, named });
  const leftOutAs = (what: string): Readable => problem(named ? namedError(path, what) : ownError(path, what));
  const at = resolve(folder, path);
  let entries: readonly Found[];
  let here: string;
  try {
    const facts = await stat(systemPath(at));
    // A named pipe, such as that of a process substitution, may have no real path.
    here = found.real ?? (await realPath(at).catch((error: unknown) => (named ? at : Promise.reject(error))));
    const what = own.whatIs(here, facts);
    if (what !== undefined) {
      yield leftOutAs(what);
      return;
    }
    if (isLink && (await leadsOut(here))) {
      yield problem(new FileError('AORTA-FILE-LINK', { file: path, target: here }));
      return;
    }
    if (facts.isFile()) {
      yield { kind: 'file', path, size: facts.size, named };
      return;
    }
    if (!facts.isDirectory()) {
      yield named ? { kind: 'once', path } : problem(leftOut(path, `it is ${kindOf(facts)}`));
      return;
    }
    // Following a link to a parent folder would loop forever.
    if (above.has(here)) return;
    const names = await namesIn(at);
    if (names.has('format.json') && (await holdsStreams(here))) {
      yield leftOutAs(streamsOfAorta);
      return;
    }
    const folderHere = here;
    entries = [...names]
      .filter(([name]) => !name.startsWith('.'))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, link]) => ({
        path: entryPath(path, name),
        named: false,
        isLink: link,
        real: link ? undefined : join(folderHere, name),
      }));
  } catch (error) {
    yield problem(await problemOf(found, at, error));
    return;
  }
  for (const entry of entries) yield* expandOne(entry, new Set([...above, here]), search);
}

/** Returns the names in a folder, and whether each is a link. */
async function namesIn(folder: string): Promise<ReadonlyMap<string, boolean>> {
  const entries = await readdir(systemPath(folder), { encoding: 'buffer', withFileTypes: true });
  return new Map(entries.map((entry) => [pathText(entry.name), entry.isSymbolicLink()]));
}

/** Returns the path of an entry in a folder. A file named `-` must not be taken for standard input. */
function entryPath(folder: string, name: string): string {
  const path = join(folder, name);
  return path === STANDARD_INPUT ? `.${sep}${path}` : path;
}

/** Returns the real paths of the files and folders that the caller named, without those that do not exist. */
async function rootsOf(paths: readonly (string | AortaError)[], folder: string): Promise<readonly string[]> {
  const named = paths.filter((path) => typeof path === 'string' && path !== STANDARD_INPUT);
  const real = named.map((path) => realPath(resolve(folder, String(path))).catch(() => undefined));
  return (await Promise.all(real)).filter((path) => path !== undefined);
}

async function realPath(path: string): Promise<string> {
  return pathText(await realpath(systemPath(path), { encoding: 'buffer' }));
}

export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/** Returns the error for a path that cannot be read. */
async function problemOf({ path, named, isLink }: Found, at: string, error: unknown): Promise<AortaError> {
  if (systemCode(error) !== 'ENOENT') return unreadable(path, error);
  if (!named) return leftOut(path, isLink ? 'it is a dangling link' : 'it was removed or renamed during the scan of its folder');
  const target = await readlink(systemPath(at), { encoding: 'buffer' }).catch(() => undefined);
  return target === undefined
    ? unreadable(path, error)
    : new AortaError('AORTA-FILE-NOT-FOUND', { file: `${pathText(target)}, to which the link ${path} leads,` });
}

function leftOut(file: string, problem: string): AortaError {
  return new FileError('AORTA-FILE-LEFT-OUT', { file, problem });
}

function kindOf(found: Stats): string {
  if (found.isFIFO()) return 'a named pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}
