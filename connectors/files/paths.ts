import type { Stats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type AortaError, systemCode } from '@aorta/runtime';
import { unreadable } from './content.ts';
import { FileError } from './errors.ts';

/** An input: a regular file with its size, or an input that can be read only once (standard input, a pipe). */
export type Readable =
  | { readonly kind: 'file'; readonly path: string; readonly size: number }
  | { readonly kind: 'once'; readonly path: string }
  /** `named`: the path was given by the caller, not found in a folder. */
  | { readonly kind: 'error'; readonly error: AortaError; readonly named: boolean };

/** The path that stands for standard input. */
export const STANDARD_INPUT = '-';

export interface Expansion {
  /** Base folder for relative paths. Default: the working directory of the process. */
  readonly folder?: string;
  /** Whether to skip a file or subfolder without reporting it. `names` contains the subfolder's entries, and is undefined for a file. */
  readonly passOver?: (path: string, names: readonly string[] | undefined) => boolean;
}

/**
 * Yields the files for the given paths, in order. Folders are read recursively, sorted by name, and entries whose name
 * starts with a dot are skipped. A pipe, socket or device that the caller names is read. If one is found in a folder,
 * it is reported as an error, because reading it could block forever.
 */
export async function* expand(paths: readonly string[], expansion: Expansion = {}): AsyncGenerator<Readable> {
  for (const path of paths) {
    if (path === STANDARD_INPUT) yield { kind: 'once', path };
    else yield* expandOne(path, true, new Set(), expansion);
  }
}

async function* expandOne(
  path: string,
  named: boolean,
  above: ReadonlySet<string>,
  expansion: Expansion,
): AsyncGenerator<Readable> {
  const { folder = '', passOver = () => false } = expansion;
  const problem = (error: AortaError): Readable => ({ kind: 'error', error, named });
  let names: string[];
  let here: string;
  try {
    const at = resolve(folder, path);
    const found = await stat(at);
    if (found.isFile()) {
      if (named || !passOver(path, undefined)) yield { kind: 'file', path, size: found.size };
      return;
    }
    if (!found.isDirectory()) {
      yield named ? { kind: 'once', path } : problem(leftOut(path, `it is ${kindOf(found)}`));
      return;
    }
    here = await realpath(at);
    // Following a link to a parent folder would loop forever.
    if (above.has(here)) return;
    names = await readdir(at);
    if (!named && passOver(path, names)) return;
    names = names.filter((name) => !name.startsWith('.')).sort();
  } catch (error) {
    const dangling = !named && systemCode(error) === 'ENOENT';
    yield problem(dangling ? leftOut(path, 'it is a dangling link') : unreadable(path, error));
    return;
  }
  for (const name of names) yield* expandOne(join(path, name), false, new Set([...above, here]), expansion);
}

function leftOut(file: string, problem: string): AortaError {
  return new FileError('AORTA-FILE-LEFT-OUT', { file, problem });
}

function kindOf(found: Stats): string {
  if (found.isFIFO()) return 'a named pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}
