import { dirname, resolve } from 'node:path';
import { AortaError, makeFolder, readIfThere, replaceFile } from '@aorta/runtime';

const FORMAT = 1;

/** Which state of a file is meant: a file with another size or time is another one, and is read from its start. */
export interface FileIdentity {
  readonly path: string;
  /** Bytes on the disk. */
  readonly size: number;
  /** Microseconds since 1970. */
  readonly modifiedAt: number;
}

/** How far a file was taken. */
export interface FilePosition extends FileIdentity {
  /** Entries (lines that are not blank, elements of an array) taken. */
  readonly taken: number;
  /** Nothing is left in it. */
  readonly done: boolean;
}

interface Stored {
  readonly size: number;
  readonly modified_at: number;
  readonly taken: number;
  readonly done: boolean;
}

/** Which files a source has taken, and how far: a small file in the data folder, so that running again reads each file once. */
export class FilesCheckpoints {
  readonly #path: string;
  readonly #files: Map<string, Stored>;

  private constructor(path: string, files: Map<string, Stored>) {
    this.#path = path;
    this.#files = files;
  }

  /**
   * Opens the checkpoints in a file; none where there is no file. Rejects with AORTA-DATA-NEWER and
   * AORTA-FILE-UNREADABLE; a damaged file counts as none (everything is then read again, and nothing doubled).
   */
  static async open(path: string): Promise<FilesCheckpoints> {
    const bytes = await readIfThere(path);
    let stored: { format?: unknown; files?: Record<string, Stored> } = {};
    try {
      stored = JSON.parse(bytes?.toString('utf8') ?? '{}') ?? {};
    } catch {
      // Said in the docstring.
    }
    if (typeof stored.format === 'number' && stored.format > FORMAT) {
      throw new AortaError('AORTA-DATA-NEWER', { path, found: stored.format, known: FORMAT });
    }
    return new FilesCheckpoints(path, new Map(Object.entries(stored.files ?? {})));
  }

  /** How far this state of the file was taken. */
  positionOf(file: FileIdentity): { readonly taken: number; readonly done: boolean } {
    const stored = this.#files.get(resolve(file.path));
    const same = stored !== undefined && stored.size === file.size && stored.modified_at === file.modifiedAt;
    return same ? stored : { taken: 0, done: false };
  }

  /** Durably remembers positions, the last of a file counting. Rejects with AORTA-DATA-UNWRITABLE. */
  async commit(positions: readonly FilePosition[]): Promise<void> {
    for (const { path, size, modifiedAt, taken, done } of positions) {
      this.#files.set(resolve(path), { size, modified_at: modifiedAt, taken, done });
    }
    await makeFolder(dirname(this.#path));
    await replaceFile(this.#path, [JSON.stringify({ format: FORMAT, files: Object.fromEntries(this.#files) })]);
  }
}
