import { open, unlink } from 'node:fs/promises';
import { AortaError, isAortaError } from '../errors/aorta-error.ts';
import { firstError } from '../first-error.ts';

/** What the writing side needs of an open file, which `await using` closes. Positions and lengths are bytes. */
export interface WritableFile extends AsyncDisposable {
  /** Writes a part of `buffer` at a position of the file; returns how many bytes were taken, which may be fewer. */
  write(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesWritten: number }>;
  datasync(): Promise<void>;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

/** How segments are opened for writing: the place where tests put a disk that is full. */
export interface FileOperations {
  /** `flags` as in open(2) of Node: 'wx' for a new file, 'r+' for one that is there. */
  openSegment(path: string, flags: 'wx' | 'r+'): Promise<WritableFile>;
  syncFolder(path: string): Promise<void>;
}

/** Owner only: segments hold health data. */
export const FILE_MODE = 0o600;
export const FOLDER_MODE = 0o700;

/** Makes the entries of a folder durable: a file that was created, renamed or removed in it. */
export async function syncFolder(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  await handle.sync();
}

export const diskOperations: FileOperations = {
  openSegment: (path, flags) => open(path, flags, FILE_MODE),
  syncFolder,
};

/** Removes a file at the end of an `await using` block, if it is there. Disposing of it never rejects. */
export function removedAfterwards(path: string): AsyncDisposable {
  return { [Symbol.asyncDispose]: () => unlink(path).catch(() => {}) };
}

/** The system's code of a failed file operation (`ENOSPC`); its message is not passed on. */
export function systemCode(error: unknown): string {
  const code = (firstError(error) as NodeJS.ErrnoException | undefined)?.code;
  return typeof code === 'string' ? code : 'unknown';
}

/** AORTA-DATA-UNWRITABLE for a failed operation on `path`; errors that are already ours stay as they are, and mistakes of ours are AORTA-BUG. */
export function unwritable(path: string, error: unknown): AortaError {
  return ours(error) ?? new AortaError('AORTA-DATA-UNWRITABLE', { path, code: systemCode(error) });
}

/** AORTA-FILE-UNREADABLE for a failed operation on `file`; errors that are already ours stay as they are, and mistakes of ours are AORTA-BUG. */
export function unreadable(file: string, error: unknown): AortaError {
  return ours(error) ?? new AortaError('AORTA-FILE-UNREADABLE', { file, code: systemCode(error) });
}

function ours(thrown: unknown): AortaError | undefined {
  const error = firstError(thrown);
  if (isAortaError(error)) return error;
  // A file operation that fails is a plain Error. A TypeError or RangeError is no fault of the disk.
  if (error instanceof TypeError || error instanceof RangeError) {
    return new AortaError('AORTA-BUG', { place: 'streams', problem: `${error.name} at a file` });
  }
  return undefined;
}
