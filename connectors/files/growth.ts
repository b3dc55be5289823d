import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { AortaError, systemPath } from '@aorta/runtime';
import { instant } from '@aorta/runtime/quantity';
import { shellWord } from '@aorta/runtime/shell-word';
import { type FilePosition, REFUSAL_RULES } from './checkpoints.ts';
import { type Content, unreadable } from './content.ts';
import type { Compression } from './decompress.ts';
import { FileError } from './errors.ts';
import { trimEnd } from './json-extent.ts';

/**
 * What to do with a file that an earlier scan may have read:
 * - `read`: read it from its start, because it is new, or its content has been replaced.
 * - `resume`: read the rest of the version that was read in part. `grown` is the position to store afterwards if the file
 *   has grown since.
 * - `refuse`: an earlier scan has refused this version and time of receipt, and nothing of it has been read.
 * - `pass`: read nothing. Store `position` if it is set. `grows`: whether the file has grown for the first time.
 */
export type Step =
  | { readonly kind: 'read' }
  | { readonly kind: 'refuse'; readonly error: AortaError }
  | { readonly kind: 'resume'; readonly from: FilePosition; readonly grown: FilePosition | undefined }
  | { readonly kind: 'pass'; readonly position?: FilePosition; readonly grows: boolean };

type Version = Pick<FilePosition, 'size' | 'modifiedAt'>;

/**
 * Decides what to do with a file, given the position where earlier scans stopped. `receivedAt` is the time of receipt that a
 * plain event file would have. Rejects with AORTA-FILE-UNREADABLE.
 */
export async function nextStep(
  { label, size, modifiedAt }: Content,
  before: FilePosition | undefined,
  receivedAt: number,
): Promise<Step> {
  if (before === undefined) return { kind: 'read' };
  const { done, beginning, refused } = before;
  const version = { size, modifiedAt };
  if (refused !== undefined) {
    const isKnown = isSame(before, version) && refused.receivedAt === receivedAt && refused.rules === REFUSAL_RULES;
    return isKnown ? { kind: 'refuse', error: new AortaError(refused.error) } : { kind: 'read' };
  }
  const pass: Step = { kind: 'pass', grows: false };
  const resume: Step = { kind: 'resume', from: before, grown: undefined };
  if (before.grown !== undefined && isSame(before.grown, version)) return pass;
  if (isSame(before, version)) return done ? pass : resume;
  if (beginning === undefined || size < before.size) return { kind: 'read' };
  const found = await beginningOf(label, before.size);
  if (found.hash !== beginning) return { kind: 'read' };
  if (!found.hasMore) {
    if (!done) return resume;
    return { ...pass, position: { ...before, ...version, beginning: await hashOfBeginning(label, size) } };
  }
  // No event of the file has been loaded, so reading the whole file loads none twice.
  if (before.taken === 0) return { kind: 'read' };
  const grown = { ...before, grown: version };
  const isKnown = before.grown !== undefined;
  return done || isKnown ? { kind: 'pass', position: grown, grows: !isKnown } : { ...resume, grown };
}

/**
 * Returns the error for a file that has grown since it was read up to `line`, with the command that loads the rest.
 * `compression` is that of the file.
 */
export function grownError(
  { path: file, line, modifiedAt, grown }: FilePosition,
  compression: Compression | undefined,
): AortaError {
  // With these options, gzip copies a file that is not compressed.
  const rest = `${compression ?? 'gzip'} -cdf ${shellWord(file)} | tail -n +${line + 1}`;
  const receivedAt = instant(grown?.modifiedAt ?? modifiedAt);
  return new FileError('AORTA-FILE-GROWN', { file, line, command: `${rest} | aorta load - --received-at ${receivedAt}` });
}

/** Returns the hash of the first `size` bytes on disk. A later scan compares it to find out whether the file has only grown. */
export async function hashOfBeginning(path: string, size: number): Promise<string> {
  return (await beginningOf(path, size)).hash;
}

/** `hasMore`: whether anything but white space follows the first `size` bytes. */
async function beginningOf(path: string, size: number): Promise<{ readonly hash: string; readonly hasMore: boolean }> {
  const hash = createHash('sha256');
  let position = 0;
  let hasMore = false;
  try {
    for await (const chunk of createReadStream(systemPath(path), { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
      const end = Math.max(0, size - position);
      hash.update(chunk.subarray(0, end));
      position += chunk.length;
      const rest = chunk.subarray(end);
      hasMore = trimEnd(rest, rest.length) > 0;
      if (hasMore) break;
    }
  } catch (error) {
    throw unreadable(path, error);
  }
  return { hash: hash.digest('hex').slice(0, 32), hasMore };
}

function isSame(a: Version, b: Version): boolean {
  return a.size === b.size && a.modifiedAt === b.modifiedAt;
}
