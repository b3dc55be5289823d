import { dirname, resolve } from 'node:path';
import { type ErrorFacts, makeFolder, readFormatted, writeDurably } from '@aorta/runtime';
import { FileError } from './errors.ts';

const FORMAT = 1;

/** How much has been read of one version of a file. Size and modification time identify the version. */
export interface FilePosition {
  readonly path: string;
  /** Size on disk in bytes. */
  readonly size: number;
  /** Modification time in microseconds since 1970. */
  readonly modifiedAt: number;
  /** Number of entries read: lines that are not blank, or elements of an array. */
  readonly taken: number;
  /** Number of the first line of the last entry read; 0 before the first entry. */
  readonly line: number;
  /** Whether the whole file has been read. */
  readonly done: boolean;
  /** Hash of the `size` bytes on disk. Absent for standard input, and for a source that stores no checkpoints. */
  readonly beginning?: string;
  /** Latest version of the file, if it has only grown since it was read. That version is not read. */
  readonly grown?: { readonly size: number; readonly modifiedAt: number };
  /** Set if this version was refused and therefore not read. */
  readonly refused?: Refusal;
}

/** Why a whole file was refused. A later scan repeats the error without reading the file again. */
interface Refusal {
  /** The rules that refused the file: {@link REFUSAL_RULES} of that version of Aorta. */
  readonly rules: number;
  /** Time of receipt that a plain event file would have had, in microseconds since 1970. */
  readonly receivedAt: number;
  readonly error: ErrorFacts;
}

/** Raise this number when a new version reads a format, or accepts a time of receipt, that Aorta refused before. */
export const REFUSAL_RULES = 1;

interface Stored {
  readonly size: number;
  readonly modified_at: number;
  readonly taken: number;
  readonly done: boolean;
  readonly line?: number;
  readonly beginning?: string;
  readonly grown?: { readonly size: number; readonly modified_at: number };
  readonly refused?: { readonly rules: number; readonly received_at: number; readonly error: ErrorFacts };
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
   * Opens the checkpoints stored at `path`. If that file is missing, there are no checkpoints, and all files are read. Rejects with
   * AORTA-FILE-CHECKPOINTS-DAMAGED if it is damaged: without checkpoints, files that have grown since they were read would
   * get new receipts. Also rejects with AORTA-DATA-NEWER and AORTA-FILE-UNREADABLE.
   */
  static async open(path: string): Promise<FilesCheckpoints> {
    const filesIn = (content: unknown) => (content as { readonly files?: Record<string, Stored> } | undefined)?.files;
    const files = await readFormatted(path, FORMAT, filesIn);
    if (files === null) throw new FileError('AORTA-FILE-CHECKPOINTS-DAMAGED', { file: path });
    return new FilesCheckpoints(path, new Map(Object.entries(files ?? {})));
  }

  /** Returns the position where the last scan of the file stopped. It may belong to an earlier version of the file. */
  positionOf(path: string): FilePosition | undefined {
    const stored = this.#files.get(resolve(path));
    if (stored === undefined) return undefined;
    const { modified_at: modifiedAt, grown, refused, ...rest } = stored;
    const later = grown === undefined ? {} : { grown: { size: grown.size, modifiedAt: grown.modified_at } };
    const refusal =
      refused === undefined ? {} : { refused: { rules: refused.rules, receivedAt: refused.received_at, error: refused.error } };
    return { path, modifiedAt, line: 0, ...rest, ...later, ...refusal };
  }

  /** Returns the position of each file that has grown since it was read. Paths are absolute. */
  grown(): readonly FilePosition[] {
    return [...this.#files.keys()].flatMap((path) => {
      const position = this.positionOf(path);
      return position?.grown === undefined ? [] : [position];
    });
  }

  /** Durably stores positions. If a file has several positions, the last is stored. Rejects with AORTA-DATA-UNWRITABLE. */
  async commit(positions: readonly FilePosition[]): Promise<void> {
    for (const { path, modifiedAt, grown, refused, ...rest } of positions) {
      const later = grown === undefined ? {} : { grown: { size: grown.size, modified_at: grown.modifiedAt } };
      const refusal =
        refused === undefined ? {} : { refused: { rules: refused.rules, received_at: refused.receivedAt, error: refused.error } };
      this.#files.set(resolve(path), { modified_at: modifiedAt, ...rest, ...later, ...refusal });
    }
    await makeFolder(dirname(this.#path));
    await writeDurably(this.#path, { format: FORMAT, files: Object.fromEntries(this.#files) });
  }
}
