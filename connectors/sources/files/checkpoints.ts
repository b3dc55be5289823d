import { dirname, resolve } from 'node:path';
import { AortaError, makeFolder, readIfThere, replaceFile } from '@aorta/runtime';

const FORMAT = 1;

/** Identifies a version of a file. If the file's size or modification time changes, it is read again from the start. */
export interface FileIdentity {
  readonly path: string;
  /** Size on disk in bytes. */
  readonly size: number;
  /** Modification time in microseconds since 1970. */
  readonly modifiedAt: number;
}

/** How much of a file has been read. */
export interface FilePosition extends FileIdentity {
  /** Number of entries read: lines that are not blank, or elements of an array. */
  readonly taken: number;
  /** Whether the whole file has been read. */
  readonly done: boolean;
}

interface Stored {
  readonly size: number;
  readonly modified_at: number;
  readonly taken: number;
  readonly done: boolean;
}

/** Stores in a small file how far a source has read each of its files, so that the next run does not read them again. */
export class FilesCheckpoints {
  readonly #path: string;
  readonly #files: Map<string, Stored>;

  private constructor(path: string, files: Map<string, Stored>) {
    this.#path = path;
    this.#files = files;
  }

  /**
   * Opens the checkpoints stored at `path`. If that file is missing or damaged, there are no checkpoints: all files are
   * read again, and the redelivery window drops the duplicates. Rejects with AORTA-DATA-NEWER and
   * AORTA-FILE-UNREADABLE.
   */
  static async open(path: string): Promise<FilesCheckpoints> {
    const bytes = await readIfThere(path);
    let stored: { format?: unknown; files?: Record<string, Stored> } = {};
    try {
      stored = JSON.parse(bytes?.toString('utf8') ?? '{}') ?? {};
    } catch {
      // A damaged checkpoint file counts as missing.
    }
    if (typeof stored.format === 'number' && stored.format > FORMAT) {
      throw new AortaError('AORTA-DATA-NEWER', { path, found: stored.format, known: FORMAT });
    }
    return new FilesCheckpoints(path, new Map(Object.entries(stored.files ?? {})));
  }

  /** Returns how far this version of the file has been read. */
  positionOf(file: FileIdentity): { readonly taken: number; readonly done: boolean } {
    const stored = this.#files.get(resolve(file.path));
    const same = stored !== undefined && stored.size === file.size && stored.modified_at === file.modifiedAt;
    return same ? stored : { taken: 0, done: false };
  }

  /** Durably stores positions. If a file has several positions, the last is stored. Rejects with AORTA-DATA-UNWRITABLE. */
  async commit(positions: readonly FilePosition[]): Promise<void> {
    for (const { path, size, modifiedAt, taken, done } of positions) {
      this.#files.set(resolve(path), { size, modified_at: modifiedAt, taken, done });
    }
    await makeFolder(dirname(this.#path));
    await replaceFile(this.#path, [JSON.stringify({ format: FORMAT, files: Object.fromEntries(this.#files) })]);
  }
}
