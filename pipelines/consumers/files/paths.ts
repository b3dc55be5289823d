import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AortaError } from '@aorta/telemetry';
import { unreadable } from './content.ts';

/** Something to read: a regular file with its size, or what can be read only once (standard input, a pipe). */
export type Readable =
  | { readonly kind: 'file'; readonly path: string; readonly size: number }
  | { readonly kind: 'once'; readonly path: string }
  | { readonly kind: 'error'; readonly error: AortaError };

/** `-` among the paths. */
export const STANDARD_INPUT = '-';

/**
 * The files that paths stand for, in order: a folder's are taken recursively, sorted by name, without those whose name
 * begins with a dot (which belong to systems, not people) and without what is neither file nor folder.
 */
export async function* expand(paths: readonly string[]): AsyncGenerator<Readable> {
  for (const path of paths) {
    if (path === STANDARD_INPUT) yield { kind: 'once', path };
    else yield* expandOne(path, true, new Set());
  }
}

async function* expandOne(path: string, named: boolean, above: ReadonlySet<string>): AsyncGenerator<Readable> {
  let names: string[];
  let here: string;
  try {
    const found = await stat(path);
    if (found.isFile()) {
      yield { kind: 'file', path, size: found.size };
      return;
    }
    if (!found.isDirectory()) {
      if (named) yield { kind: 'once', path };
      return;
    }
    here = await realpath(path);
    // A link to a folder above would never end.
    if (above.has(here)) return;
    names = (await readdir(path)).filter((name) => !name.startsWith('.')).sort();
  } catch (error) {
    yield { kind: 'error', error: unreadable(path, error) };
    return;
  }
  for (const name of names) yield* expandOne(join(path, name), false, new Set([...above, here]));
}
