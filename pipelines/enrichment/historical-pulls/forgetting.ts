import { join } from 'node:path';
import { readIfThere, replaceFile } from '@aorta/runtime';
import { type Head, snapshotPart } from './kept.ts';

/**
 * Takes a user out of what the tracker has written down in a folder, and says whether anything was there. For erasure,
 * while nobody writes there.
 */
export async function forgetPullsOf(folder: string, userId: string): Promise<boolean> {
  const content = (await readIfThere(join(folder, snapshotPart.inFile.name)))?.toString('utf8');
  if (content === undefined) return false;
  let kept: string[];
  try {
    const [first, ...lines] = content.trimEnd().split('\n');
    const head = JSON.parse(first!) as Head;
    const owed = head.owed?.filter(([pull]) => (JSON.parse(pull) as readonly string[])[0] !== userId) ?? null;
    const others = lines.filter((line) => (JSON.parse(line) as readonly unknown[])[0] !== userId);
    if (others.length === lines.length && owed?.length === head.owed?.length) return false;
    kept = [JSON.stringify({ ...head, owed }), ...others];
  } catch {
    // It cannot be read, so it is made anew by the next run: until then it is not kept.
    kept = [];
  }
  await replaceFile(join(folder, snapshotPart.inFile.name), [kept.map((line) => `${line}\n`).join('')]);
  return true;
}
