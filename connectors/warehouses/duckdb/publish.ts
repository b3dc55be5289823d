import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { AortaError, syncFolder } from '@aorta/runtime';

const run = promisify(execFile);
const copier = join(import.meta.dirname, 'copy-file.js');

/** Path of the published copy of the warehouse at `path`. */
export function publishedPath(path: string): string {
  return path.endsWith('.duckdb') ? `${path.slice(0, -'.duckdb'.length)}.published.duckdb` : `${path}.published`;
}

export function isPublished(path: string): boolean {
  return existsSync(publishedPath(path));
}

/**
 * Copies the checkpointed database file to a temporary file in the same folder. DuckDB locks the database file with a POSIX
 * record lock. A process loses such a lock when it closes any descriptor of the file, even one opened only for copying. A
 * separate process therefore makes the copy.
 */
export async function copyDatabase(path: string): Promise<string> {
  const copy = `${publishedPath(path)}.${process.pid}.part`;
  try {
    await run(process.execPath, [copier, path, copy]);
  } catch (error) {
    await rm(copy, { force: true });
    const told = (error as { stdout?: string }).stdout ?? '';
    throw new AortaError('AORTA-DATA-UNWRITABLE', { path: copy, code: /^E[A-Z]+$/.test(told) ? told : 'copy failed' });
  }
  return copy;
}

/** Replaces the published copy. Readers that have the old copy open keep reading it. */
export async function renameCopy(copy: string, path: string): Promise<void> {
  const published = publishedPath(path);
  await rename(copy, published);
  await syncFolder(dirname(published));
}
