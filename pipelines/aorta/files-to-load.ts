import { expand } from '@aorta/connectors/registry';
import type { AortaError } from '@aorta/runtime';

/** Something that a load would read. */
interface FileToLoad {
  readonly path: string;
  /** Null where that is not known before: standard input, a pipe. */
  readonly bytes: number | null;
}

export interface FilesToLoad {
  readonly files: readonly FileToLoad[];
  /** What stands in a folder and cannot be read: a link that leads nowhere, a pipe, a folder without permission. */
  readonly problems: readonly AortaError[];
}

/** `-` among the files. */
export const standardInput = '-';

/**
 * The files that the words of a command line stand for, those of folders included, in the order of their names and
 * without hidden ones. Aorta's own streams and DuckDB files in a folder are no events, and are left out. Throws
 * AORTA-FILE-NOT-FOUND and AORTA-FILE-UNREADABLE if a word itself cannot be read, before anything is read.
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

/** Whether a file, or a folder with these names in it, is one that Aorta itself keeps. */
function isOurs(path: string, names: readonly string[] | undefined): boolean {
  return names === undefined ? isDatabase(path) : holdsStreams(names);
}

function isDatabase(path: string): boolean {
  return /\.duckdb(\.|$)/.test(path.slice(path.lastIndexOf('/') + 1));
}

function holdsStreams(names: readonly string[]): boolean {
  return names.includes('format.json') && names.some((name) => name === 'lock' || name === 'redelivery-window');
}
