import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DAMAGED } from './damaged-file.ts';
import { readJson } from './durable-file.ts';
import { systemCode, unreadable } from './file-operations.ts';
import { readKeptFile } from './kept-file.ts';

/** Sorted paths of files, relative to the folder that was searched. */
interface DamageInFolder {
  /** The JSON and NDJSON files with a wrong checksum. */
  readonly damaged: readonly string[];
  /** The damaged files that were moved or kept. */
  readonly aside: readonly string[];
}

/**
 * Looks for damage to the small files in a folder and its subfolders, even while another process writes them. All `.json`
 * files must have been written by `writeDurably`, and all `.ndjson` files by `openKeptFile`. Rejects with
 * AORTA-FILE-UNREADABLE and AORTA-DATA-NEWER.
 */
export async function damageInFolder(folder: string): Promise<DamageInFolder> {
  const names = await readdir(folder, { recursive: true }).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return [];
    throw unreadable(folder, error);
  });
  const damaged: string[] = [];
  for (const name of names.sort()) if (await isDamaged(join(folder, name))) damaged.push(name);
  return { damaged, aside: names.filter((name) => name.endsWith(DAMAGED)) };
}

async function isDamaged(path: string): Promise<boolean> {
  if (path.endsWith('.json')) return (await readJson(path)) === null;
  return path.endsWith('.ndjson') && (await readKeptFile(path)) === undefined;
}
