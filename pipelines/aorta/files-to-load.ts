import { readdir, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AortaError } from '@aorta/telemetry';

/** Something that a load would read. */
export interface FileToLoad {
  readonly path: string;
  /** Null where that is not known before: standard input, a pipe. */
  readonly bytes: number | null;
}

/** `-` among the files. */
export const standardInput = '-';

/**
 * The files that the words of a command line stand for, those of folders included, in the order of their names and
 * without hidden ones. Aorta's own streams and DuckDB files in a folder are no events, and are left out. Throws
 * AORTA-FILE-NOT-FOUND before anything is read; what goes wrong in reading later is told file by file.
 */
export async function filesToLoad(words: readonly string[], folder: string): Promise<readonly FileToLoad[]> {
  const files: FileToLoad[] = [];
  for (const word of words) {
    if (word === standardInput) files.push({ path: word, bytes: null });
    else await add({ path: resolve(folder, word), shown: word, named: true, above: new Set() }, files);
  }
  return files;
}

interface Found {
  readonly path: string;
  /** The path as errors and lists show it. */
  readonly shown: string;
  /** Named by a person, not found in a folder. */
  readonly named: boolean;
  /** Folders that it is in: a link to one of them would never end. */
  readonly above: ReadonlySet<string>;
}

async function add({ path, shown, named, above }: Found, files: FileToLoad[]): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (named && error.code === 'ENOENT') throw new AortaError('AORTA-FILE-NOT-FOUND', { file: shown });
    if (named) throw unreadable(shown, error);
    return undefined;
  });
  if (found === undefined) return;
  if (found.isFile()) {
    if (named || !isDatabase(path)) files.push({ path: shown, bytes: found.size });
  } else if (!found.isDirectory()) {
    if (named) files.push({ path: shown, bytes: null });
  } else {
    const names = await readdir(path).catch((error: NodeJS.ErrnoException) => {
      throw unreadable(shown, error);
    });
    const here = await realpath(path);
    if (above.has(here) || (!named && holdsStreams(names))) return;
    for (const name of names.filter((one) => !one.startsWith('.')).toSorted())
      await add({ path: join(path, name), shown: join(shown, name), named: false, above: new Set(above).add(here) }, files);
  }
}

function unreadable(file: string, error: NodeJS.ErrnoException): AortaError {
  return new AortaError('AORTA-FILE-UNREADABLE', { file, code: error.code ?? 'unknown' });
}

function isDatabase(path: string): boolean {
  return /\.duckdb(\.|$)/.test(path.slice(path.lastIndexOf('/') + 1));
}

function holdsStreams(names: readonly string[]): boolean {
  return names.includes('format.json') && names.some((name) => name === 'lock' || name === 'redelivery-window');
}
