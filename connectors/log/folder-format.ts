import { join } from 'node:path';
import { AortaError, readJson, writeDurably } from '@aorta/runtime';
import { z } from 'zod';
import { SegmentError } from './errors.ts';

/** Increase this number if older versions can no longer read the folder or write to it safely. */
const FORMAT = 1;
const formatFile = z.object({ format: z.int().positive() });

/** Returns true if the folder has a format file. Rejects with AORTA-DATA-NEWER if a newer version of Aorta wrote it. */
export async function checkFormat(folder: string): Promise<boolean> {
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
export function writeFormat(folder: string): Promise<void> {
  return writeDurably(join(folder, 'format.json'), { format: FORMAT });
}
