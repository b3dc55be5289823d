import { join } from 'node:path';
import { readIfThere, replaceFile } from '@aorta/runtime';
import { type Head, snapshotPart } from './kept.ts';

/** Removes a user from the tracker's state files. Returns whether they contained the user. No tracker may be running. */
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
    // Unreadable content is discarded. The next run rebuilds the state from the streams.
    kept = [];
  }
  await replaceFile(join(folder, snapshotPart.inFile.name), [kept.map((line) => `${line}\n`).join('')]);
  return true;
}
