import { createHash, randomUUID } from 'node:crypto';
import { link, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { AortaError } from '../errors/aorta-error.ts';
import { ownIdentity, type ProcessIdentity, processIdentity, whereaboutsOf } from '../process-identity.ts';
import { FILE_MODE, removedAfterwards, systemCode, unreadable, unwritable } from './file-operations.ts';

/** The right to write in a folder, held by one process. `await using` gives the folder free. */
export interface FolderLock extends AsyncDisposable {
  readonly folder: string;
  /** The lock's file. */
  readonly path: string;
  /** Gives the folder free. Once is enough; again does nothing. */
  release(): Promise<void>;
}

const LOCK = 'lock';
const lockFile = z.object({ id: z.string().min(1), ...processIdentity.shape });

interface FoundLock {
  /** Names this very act of locking, never another one. */
  readonly id: string;
  /** Undefined where the content names none. */
  readonly owner: ProcessIdentity | undefined;
}

/**
 * Takes the folder for this process. Rejects with AORTA-DATA-LOCKED where another live process (or this one) holds it,
 * and with AORTA-DATA-LOCKED-ELSEWHERE where a process of another host name does, about which nothing can be known here.
 *
 * The lock is `<folder>/lock`. It appears with its content in one step (link(2)), so it is never seen half written. The
 * lock of a process that has ended is replaced at once. Replacing is a right that is taken in turn by link(2): the file
 * `lock.after-<id>` belongs to the one successor of the lock `<id>`. Its owner looks whether `lock` still is the one with
 * that id, and moves the claim into its place (rename(2)): who comes late finds the claim taken, or finds another id in
 * `lock`. Should a successor end in the middle, its claim is itself such a lock of an ended
 * process, and is succeeded to in the same way. So nobody waits, and nobody removes what he has not judged.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const path = join(folder, LOCK);
  const id = randomUUID();
  const content = `${JSON.stringify({ id, ...ownIdentity() })}\n`;
  const draft = join(folder, `${LOCK}.${id}.draft`);
  try {
    await using _draft = removedAfterwards(draft);
    await writeFile(draft, content, { mode: FILE_MODE, flag: 'wx' });
    await takeLock(folder, path, draft);
    await sweep(folder, id);
  } catch (error) {
    throw unwritable(path, error);
  }

  let released: Promise<void> | undefined;
  const release = (): Promise<void> => {
    released ??= unlink(path).catch((error: unknown) => {
      if (systemCode(error) !== 'ENOENT') throw unwritable(path, error);
    });
    return released;
  };
  return { folder, path, release, [Symbol.asyncDispose]: release };
}

async function takeLock(folder: string, path: string, draft: string): Promise<void> {
  for (;;) {
    if (await appears(draft, path)) return;
    const found = await readLock(path);
    // Given free meanwhile.
    if (found === undefined) continue;
    refuseIfHeld(folder, path, found);
    if (await succeed(folder, path, draft, found)) return;
  }
}

/** Replaces the lock `ended`; false where it is no longer there. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: every step has to be undone in the same place when another process is quicker
async function succeed(folder: string, path: string, draft: string, ended: FoundLock): Promise<boolean> {
  // Each is the claim on the one before it; the first is the lock itself.
  const chain: { readonly path: string; readonly id: string }[] = [{ path, id: ended.id }];
  for (;;) {
    const claim = join(folder, `${LOCK}.after-${chain.at(-1)!.id}`);
    if (await appears(draft, claim)) {
      try {
        for (const link of chain) {
          if ((await readLock(link.path))?.id === link.id) continue;
          // Whoever has the lock now may have swept it away already.
          await unlink(claim).catch(() => {});
          return false;
        }
        // The claim itself becomes the lock: the one is gone in the very moment the other has changed.
        await rename(claim, path);
        return true;
      } catch (error) {
        await unlink(claim).catch(() => {});
        throw error;
      }
    }
    const found = await readLock(claim);
    if (found === undefined) return false;
    // Whoever holds the claim on the lock that is still there is about to have the lock.
    if ((await readLock(path))?.id !== ended.id) return false;
    refuseIfHeld(folder, path, found);
    chain.push({ path: claim, id: found.id });
  }
}

/** Gives `draft` another name in one step; false where something has that name. */
async function appears(draft: string, name: string): Promise<boolean> {
  try {
    await link(draft, name);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

async function readLock(path: string): Promise<FoundLock | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw unreadable(path, error);
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // A power cut may leave an empty file. No living process ever has such a lock.
    return { id: `unreadable-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`, owner: undefined };
  }
  const lock = lockFile.safeParse(json);
  if (!lock.success) throw new AortaError('AORTA-DATA-NEWER', { path, found: 'unknown', known: 1 });
  return { id: lock.data.id, owner: lock.data };
}

function refuseIfHeld(folder: string, path: string, found: FoundLock): void {
  if (found.owner === undefined) return;
  const { pid, host } = found.owner;
  const whereabouts = whereaboutsOf(found.owner);
  if (whereabouts === 'alive') throw new AortaError('AORTA-DATA-LOCKED', { folder, pid });
  if (whereabouts === 'elsewhere') {
    throw new AortaError('AORTA-DATA-LOCKED-ELSEWHERE', { folder, pid, host, path: resolve(path) });
  }
}

/** Removes what ended processes left beside the lock. Claims on locks that are no more mean nothing, whoever made them. */
async function sweep(folder: string, id: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${LOCK}.`)) continue;
    const path = join(folder, name);
    const claimed = name.startsWith(`${LOCK}.after-`) && name !== `${LOCK}.after-${id}`;
    const draft = name.endsWith('.draft') ? await readLock(path).catch(() => undefined) : undefined;
    // One that cannot be read is being written.
    const abandoned = draft?.owner !== undefined && whereaboutsOf(draft.owner) === 'gone';
    if (claimed || abandoned) await unlink(path).catch(() => {});
  }
}
