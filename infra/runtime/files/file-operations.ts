import { open, unlink } from 'node:fs/promises';
import { AortaError, firstError, isAortaError } from '../errors/aorta-error.ts';

/** An open file for writing. `await using` closes it. Positions and lengths are in bytes. */
export interface WritableFile extends AsyncDisposable {
  /**
   * Writes up to `length` bytes of `buffer`, starting at `offset`, to the given `position` in the file. `bytesWritten` is
   * the number of bytes that were actually written.
   */
  write(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesWritten: number }>;
  datasync(): Promise<void>;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

/** The file operations on segments. Tests replace them to simulate a full disk. */
export interface FileOperations {
  /** `flags` are as in Node's `open`: 'wx' creates a new file, and 'r+' opens an existing file. */
  openSegment(path: string, flags: 'wx' | 'r+'): Promise<WritableFile>;
  syncFolder(path: string): Promise<void>;
}

/** Only the owner has access, because segments contain health data. */
export const FILE_MODE = 0o600;
export const FOLDER_MODE = 0o700;

/** Syncs a folder, so that a crash cannot undo the creation, renaming or removal of a file in it. */
export async function syncFolder(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  await handle.sync();
}

export const diskOperations: FileOperations = {
  openSegment: (path, flags) => open(path, flags, FILE_MODE),
  syncFolder,
};

/** Writes all bytes at a position in the file. Rejects with the error of the system, and with ENOSPC if a write accepts nothing. */
export async function writeFully(file: WritableFile, bytes: Buffer, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at);
    // A disk may accept part of a write. If it accepts nothing and reports no error, this loop must still end.
    if (bytesWritten === 0) throw { code: 'ENOSPC' };
    at += bytesWritten;
  }
}

/** When an `await using` block ends, removes the file if it exists. Never rejects. */
export function removedAfterwards(path: string): AsyncDisposable {
  return { [Symbol.asyncDispose]: () => unlink(path).catch(() => {}) };
}

export function systemCode(error: unknown): string {
  const code = (firstError(error) as NodeJS.ErrnoException | undefined)?.code;
  return typeof code === 'string' ? code : 'unknown';
}

/**
 * Converts the error of a failed write into AORTA-DATA-UNWRITABLE. Returns an AortaError unchanged. Converts a TypeError
 * or RangeError into AORTA-BUG.
 */
export function unwritable(path: string, error: unknown): AortaError {
  return ours(error) ?? new AortaError('AORTA-DATA-UNWRITABLE', { path, code: systemCode(error) });
}

/**
 * Converts the error of a failed read into AORTA-FILE-UNREADABLE. Returns an AortaError unchanged. Converts a TypeError
 * or RangeError into AORTA-BUG.
 */
export function unreadable(file: string, error: unknown): AortaError {
  return ours(error) ?? new AortaError('AORTA-FILE-UNREADABLE', { file, code: systemCode(error) });
}

function ours(thrown: unknown): AortaError | undefined {
  const error = firstError(thrown);
  if (isAortaError(error)) return error;
  // Node reports failed file operations as plain Errors, so a TypeError or RangeError comes from our own code.
  if (error instanceof TypeError || error instanceof RangeError) {
    return new AortaError('AORTA-BUG', { place: 'streams', problem: `${error.name} in a file operation` });
  }
  return undefined;
}
