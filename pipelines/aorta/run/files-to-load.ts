import { expand } from '@aorta/connectors/registry';
import type { AortaError } from '@aorta/runtime';

interface FileToLoad {
  readonly path: string;
  /** Null for standard input and for pipes, because their size is unknown. */
  readonly bytes: number | null;
}

export interface FilesToLoad {
  readonly files: readonly FileToLoad[];
  /** One error for each folder entry that cannot be read: a broken link, a pipe, or a folder without permission. */
  readonly problems: readonly AortaError[];
}

export const standardInput = '-';

/**
 * Expands paths given on the command line into files. A folder is replaced with its files, sorted by name. Hidden files and
 * Aorta's own streams and DuckDB files are left out. Throws AORTA-FILE-NOT-FOUND or AORTA-FILE-UNREADABLE if a given path
 * cannot be read.
 */
export async function filesToLoad(words: readonly string[], folder: string): Promise<FilesToLoad> {
  const files: FileToLoad[] = [];
  const problems: AortaError[] = [];
  for await (const readable of expand(words, { folder, passOver: isOurs })) {
    if (readable.kind === 'file') files.push({ path: readable.path, bytes: readable.size });
    else if (readable.kind === 'once') files.push({ path: readable.path, bytes: null });
    else if (readable.named) throw readable.error;
    else problems.push(readable.error);
  }
  return { files, problems };
}

/** Returns whether Aorta wrote the file at `path`, or the folder at `path` with the entries `names`. */
function isOurs(path: string, names: readonly string[] | undefined): boolean {
  return names === undefined ? isDatabase(path) : holdsStreams(names);
}

function isDatabase(path: string): boolean {
  return /\.duckdb(\.|$)/.test(path.slice(path.lastIndexOf('/') + 1));
}

function holdsStreams(names: readonly string[]): boolean {
  return names.includes('format.json') && names.some((name) => name === 'lock' || name === 'redelivery-window');
}
