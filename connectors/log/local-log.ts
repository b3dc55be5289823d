import { stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import {
  AortaError,
  diskOperations,
  type FileOperations,
  lockFolder,
  makeFolder,
  readJson,
  systemCode,
  UNFINISHED,
  unreadable,
  writeDurably,
} from '@aorta/runtime';
import { z } from 'zod';
import { SegmentError } from './errors.ts';
import { type LocalLog, type LocalLogOptions, SegmentLog } from './segment-log.ts';

export type { LocalLog } from './segment-log.ts';

/** Increase this number if older versions can no longer read the folder or write to it safely. */
const FORMAT = 1;
const formatFile = z.object({ format: z.int().positive() });

/**
 * Opens the log in `options.folder`. Takes the folder's lock unless the log is read-only, and rejects with AORTA-DATA-LOCKED or
 * AORTA-DATA-LOCKED-ELSEWHERE if another process holds the lock. Rejects with AORTA-DATA-NEWER if a newer version of Aorta wrote
 * the log. If the log is read-only and the folder does not exist, rejects with AORTA-FILE-NOT-FOUND. System errors become
 * AORTA-DATA-UNWRITABLE or AORTA-FILE-UNREADABLE.
 */
export function openLocalLog(options: LocalLogOptions): Promise<LocalLog> {
  return openLocalLogOn(options, diskOperations);
}

/** Like {@link openLocalLog}, but with the given file operations. Tests use it to simulate a failing disk. */
export async function openLocalLogOn(options: LocalLogOptions, operations: FileOperations): Promise<LocalLog> {
  const { folder, readOnly = false } = options;
  if (readOnly) {
    if (!(await isFolder(folder))) throw new AortaError('AORTA-FILE-NOT-FOUND', { file: folder });
    await checkFormat(folder);
    const log = new SegmentLog(options, operations, undefined);
    await log.load();
    return log;
  }
  await makeFolder(folder);
  // Checks the format before locking, because a newer version of Aorta may use a different lock format.
  await checkFormat(folder);
  await using opening = new AsyncDisposableStack();
  const lock = opening.use(await lockFolder(folder));
  if (!(await checkFormat(folder))) await writeFormat(folder);
  await unlink(join(folder, `format.json${UNFINISHED}`)).catch(() => {});
  const log = new SegmentLog(options, operations, lock);
  await log.load();
  opening.move();
  return log;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw unreadable(path, error);
  }
}

/** Returns true if the folder has a format file. Rejects with AORTA-DATA-NEWER if a newer version of Aorta wrote it. */
async function checkFormat(folder: string): Promise<boolean> {
  const path = join(folder, 'format.json');
  const content = await readJson(path);
  if (content === undefined) return false;
  const known = formatFile.safeParse(content);
  if (!known.success) throw new SegmentError('AORTA-FORMAT-DAMAGED', { file: path });
  const found = known.data.format;
  if (found > FORMAT) throw new AortaError('AORTA-DATA-NEWER', { path, found, known: FORMAT });
  return true;
}

/** Durably writes the format file of a new folder. Rejects with AORTA-DATA-UNWRITABLE. */
function writeFormat(folder: string): Promise<void> {
  return writeDurably(join(folder, 'format.json'), { format: FORMAT });
}
