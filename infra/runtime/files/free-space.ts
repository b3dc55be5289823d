import { randomUUID } from 'node:crypto';
import { open, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { AortaError, firstError, isAortaError } from '../errors/aorta-error.ts';
import { FILE_MODE, systemCode } from './file-operations.ts';

/** The system error codes of a full disk and of an exhausted disk quota. */
const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

/** Bytes that must fit on a disk. A run needs some space to open its files again. */
const PROBE_BYTES = 8 * 1024 * 1024;

/** Returns AORTA-DATA-UNWRITABLE if the error says that a disk is full. */
export function fullDiskIn(thrown: unknown): AortaError | undefined {
  const error = firstError(thrown);
  if (isAortaError(error)) return error.code === 'AORTA-DATA-UNWRITABLE' && FULL.has(error.details.code) ? error : undefined;
  const { code, path } = (error ?? {}) as NodeJS.ErrnoException;
  return FULL.has(code) && path !== undefined ? new AortaError('AORTA-DATA-UNWRITABLE', { path, code: code! }) : undefined;
}

/**
 * Writes some megabytes to the disk of a file or folder, which may not exist, and removes them. Returns AORTA-DATA-UNWRITABLE if
 * they do not fit. Ignores any other problem, because the code that needs the file reports it.
 */
export async function fullDiskAt(path: string): Promise<AortaError | undefined> {
  try {
    const probe = join(await folderOf(resolve(path)), `.space-${randomUUID()}`);
    await using file = await open(probe, 'wx', FILE_MODE);
    // Without a name, the bytes are gone even if this process is killed.
    await unlink(probe);
    await file.writeFile(Buffer.alloc(PROBE_BYTES, 1));
    await file.sync();
    return undefined;
  } catch (error) {
    const code = systemCode(error);
    return FULL.has(code) ? new AortaError('AORTA-DATA-UNWRITABLE', { path, code }) : undefined;
  }
}

/** Returns the nearest folder that exists. */
async function folderOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true || dirname(path) === path ? path : folderOf(dirname(path));
}
