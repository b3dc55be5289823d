import { mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { FILE_MODE, FOLDER_MODE, syncFolder, systemCode, unreadable, unwritable } from './file-operations.ts';

/** Ending of a file that is being written and has not got its name yet. */
export const UNFINISHED = '.unfinished';

/**
 * Replaces a file by new content so that after a crash either the old or the new content is there, whole: a temporary
 * file, fsync, rename, fsync of the folder. Rejects with AORTA-DATA-UNWRITABLE. Writers of one path must take turns.
 * `sync: false` leaves both fsyncs out, for reports that a power cut may take: other processes see whole files all the same.
 */
export async function replaceFile(
  path: string,
  parts: readonly (string | Buffer)[],
  { sync = true }: { readonly sync?: boolean } = {},
): Promise<void> {
  const unfinished = `${path}${UNFINISHED}`;
  try {
    await writeParts(unfinished, parts, sync);
    await rename(unfinished, path);
    if (sync) await syncFolder(dirname(path));
  } catch (error) {
    await unlink(unfinished).catch(() => {});
    throw unwritable(path, error);
  }
}

/** Resolves when the file is closed: only then may it be renamed. */
async function writeParts(path: string, parts: readonly (string | Buffer)[], sync: boolean): Promise<void> {
  await using handle = await open(path, 'w', FILE_MODE);
  for (const part of parts) await handle.writeFile(part);
  if (sync) await handle.sync();
}

/** Replaces a small JSON file, as {@link replaceFile} does. */
export function writeDurably(path: string, content: unknown): Promise<void> {
  return replaceFile(path, [`${JSON.stringify(content)}\n`]);
}

/** The content of a file; undefined where there is none. Rejects with AORTA-FILE-UNREADABLE. */
export async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw unreadable(path, error);
  }
}

/** The content of a small JSON file; undefined where there is none. Rejects with AORTA-FILE-UNREADABLE, for a file that is no JSON too. */
export async function readJson(path: string): Promise<unknown> {
  const text = (await readIfThere(path))?.toString('utf8');
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable(path, { code: 'not JSON' });
  }
}

/** Makes a folder and those above it, owner only, durably; those that are there stay as they are. Rejects with AORTA-DATA-UNWRITABLE. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await makeFolders(resolve(path));
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Node's own recursive mkdir never ends where a folder that is there takes no other (/proc). */
async function makeFolders(path: string): Promise<void> {
  const there = await stat(path).catch((error: unknown) => {
    if (systemCode(error) !== 'ENOENT') throw error;
    return undefined;
  });
  if (there?.isDirectory()) return;
  if (there !== undefined) throw { code: 'ENOTDIR' };
  await makeFolders(dirname(path));
  await mkdir(path, { mode: FOLDER_MODE }).catch((error: unknown) => {
    // Somebody else was quicker.
    if (systemCode(error) !== 'EEXIST') throw error;
  });
  // A new folder is an entry of the one above it.
  await syncFolder(dirname(path));
}
