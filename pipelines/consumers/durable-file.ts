import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AortaError } from '@aorta/telemetry';

/**
 * Replaces a file by new content so that a crash leaves the old or the new one, whole: written beside it, synced,
 * renamed, and the folder synced. Files are 0600 in 0700 folders. Rejects with AORTA-DATA-UNWRITABLE.
 */
export async function replaceFile(path: string, parts: readonly (string | Buffer)[]): Promise<void> {
  const beside = `${path}.new`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(beside, 'w', 0o600);
    try {
      for (const part of parts) await file.writeFile(part);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
    await syncFolder(dirname(path));
  } catch (error) {
    throw new AortaError('AORTA-DATA-UNWRITABLE', { path, code: errnoOf(error) });
  }
}

/** The content of a file, or undefined where there is none. Rejects with AORTA-FILE-UNREADABLE. */
export async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT') return undefined;
    throw new AortaError('AORTA-FILE-UNREADABLE', { file: path, code });
  }
}

/** The code of a system error, the only part of it that may be shown. */
export function errnoOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | null)?.code ?? 'unknown';
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
