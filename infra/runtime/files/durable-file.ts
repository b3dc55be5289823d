import { mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { AortaError } from '../errors/aorta-error.ts';
import { FILE_MODE, FOLDER_MODE, syncFolder, systemCode, unreadable, unwritable } from './file-operations.ts';
import { sealJson, unsealJson } from './sealed-json.ts';

/** Suffix of a temporary file that is still being written. */
export const UNFINISHED = '.unfinished';
const LINE_END = 0x0a;

/**
 * Replaces a file atomically: after a crash, the file has either the old or the new content. Writes a temporary file,
 * syncs it, renames it and syncs the folder. Rejects with AORTA-DATA-UNWRITABLE. Do not call this function concurrently
 * for the same path. `sync: false` skips both fsyncs. Other processes still see only complete files, but a power failure
 * may lose the content.
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

/** Resolves after the file is closed. The caller must not rename the file before that. */
async function writeParts(path: string, parts: readonly (string | Buffer)[], sync: boolean): Promise<void> {
  await using handle = await open(path, 'w', FILE_MODE);
  for (const part of parts) await handle.writeFile(part);
  if (sync) await handle.sync();
}

/**
 * Replaces a small JSON file with {@link replaceFile}. The last member of the file is its CRC-32, so that {@link readJson} notices
 * damage. `content` has at least one member.
 */
export function writeDurably(path: string, content: object, options?: { readonly sync?: boolean }): Promise<void> {
  return replaceFile(path, [`${sealJson(JSON.stringify(content)).text}\n`], options);
}

/** Returns the content of a file, or undefined if it does not exist. Rejects with AORTA-FILE-UNREADABLE. */
export async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw unreadable(path, error);
  }
}

/**
 * Reads a file that {@link writeDurably} wrote. Returns undefined if it does not exist, and null if any byte of it is damaged.
 * Rejects with AORTA-FILE-UNREADABLE.
 */
export async function readJson(path: string): Promise<unknown> {
  const bytes = await readIfThere(path);
  if (bytes === undefined) return undefined;
  const read = bytes.at(-1) === LINE_END ? unsealJson(bytes.subarray(0, -1)) : undefined;
  return read === undefined ? null : JSON.parse(read.json);
}

/**
 * Reads a small JSON file whose member `format` is the version of the file's format. Returns the result of `parse`.
 * Returns undefined if the file does not exist, and null if it is damaged or `parse` returns undefined. Rejects with
 * AORTA-DATA-NEWER if the format is above `known`, and with AORTA-FILE-UNREADABLE.
 */
export async function readFormatted<T>(
  path: string,
  known: number,
  parse: (content: unknown) => T | undefined,
): Promise<T | null | undefined> {
  const content = await readJson(path);
  if (content === undefined || content === null) return content;
  const { format: found } = content as { readonly format?: unknown };
  if (typeof found === 'number' && found > known) throw new AortaError('AORTA-DATA-NEWER', { path, found, known });
  return parse(content) ?? null;
}

/**
 * Creates a folder and its parents durably, with access for the owner only. Existing folders keep their permissions.
 * Rejects with AORTA-DATA-UNWRITABLE.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await makeFolders(resolve(path));
  } catch (error) {
    throw unwritable(path, error);
  }
}

/**
 * Creates folders recursively. Does not use Node's recursive mkdir, which never returns if an existing folder, such as
 * /proc, refuses new entries.
 */
async function makeFolders(path: string): Promise<void> {
  const there = await stat(path).catch((error: unknown) => {
    if (systemCode(error) !== 'ENOENT') throw error;
    return undefined;
  });
  if (there?.isDirectory()) return;
  if (there !== undefined) throw { code: 'ENOTDIR' };
  await makeFolders(dirname(path));
  await mkdir(path, { mode: FOLDER_MODE }).catch((error: unknown) => {
    // EEXIST: a different process has just created the folder.
    if (systemCode(error) === 'EEXIST') return;
    // The parent exists, but a file system such as /proc does not accept new folders.
    throw systemCode(error) === 'ENOENT' ? { code: 'EPERM' } : error;
  });
  // Syncs the parent folder, which stores the entry for the new folder.
  await syncFolder(dirname(path));
}
