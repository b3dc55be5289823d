import type { Stats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type AortaError, systemCode } from '@aorta/runtime';
import { unreadable } from './content.ts';
import { FileError } from './errors.ts';

/** Something to read: a regular file with its size, or what can be read only once (standard input, a pipe). */
export type Readable =
  | { readonly kind: 'file'; readonly path: string; readonly size: number }
  | { readonly kind: 'once'; readonly path: string }
  /** `named`: one of the paths themselves, not something in a folder. */
  | { readonly kind: 'error'; readonly error: AortaError; readonly named: boolean };

/** `-` among the paths. */
export const STANDARD_INPUT = '-';

export interface Expansion {
  /** Folder that relative paths start from. Default: the one of the process. */
  readonly folder?: string;
  /** Whether a file in a folder, or a folder in it with these names, is to be passed over without a word. */
  readonly passOver?: (path: string, names: readonly string[] | undefined) => boolean;
}

/**
 * The files that paths stand for, in order: a folder's are taken recursively, sorted by name, without those whose name
 * begins with a dot (which belong to systems, not people). A pipe, a socket or a device in a folder is an error of its own:
 * reading it might wait forever. Named by itself it is read.
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
    // A link to a folder above would never end.
    if (above.has(here)) return;
    names = await readdir(at);
    if (!named && passOver(path, names)) return;
    names = names.filter((name) => !name.startsWith('.')).sort();
  } catch (error) {
    const dangling = !named && systemCode(error) === 'ENOENT';
    yield problem(dangling ? leftOut(path, 'it is a link that leads nowhere') : unreadable(path, error));
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
