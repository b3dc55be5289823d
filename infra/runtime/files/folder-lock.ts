import { createHash, randomUUID } from 'node:crypto';
import { link, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { AortaError } from '../errors/aorta-error.ts';
import { ownIdentity, type ProcessIdentity, processIdentity, whereaboutsOf } from '../process-identity.ts';
import { FILE_MODE, removedAfterwards, systemCode, unreadable, unwritable } from './file-operations.ts';

/** An exclusive lock on a folder, held by one process. `await using` releases it. */
export interface FolderLock extends AsyncDisposable {
  readonly folder: string;
  readonly path: string;
  /** Releases the lock. A second call does nothing. */
  release(): Promise<void>;
}

const LOCK = 'lock';
const lockFile = z.object({ id: z.string().min(1), ...processIdentity.shape });

interface FoundLock {
  /** Identifies one acquisition of the lock. */
  readonly id: string;
  /** Undefined if the lock file does not name an owner. */
  readonly owner: ProcessIdentity | undefined;
}

/**
 * Locks the folder for this process. Rejects with AORTA-DATA-LOCKED if a live process, including this process, holds the
 * lock. Rejects with AORTA-DATA-LOCKED-ELSEWHERE if a process on a different host holds the lock, because the pid of that
 * process cannot be checked here.
 *
 * The lock is the file `<folder>/lock`. It is written under a temporary name and then linked to its final name with
 * link(2), so no reader sees a half-written lock.
 *
 * The lock of a process that has ended can be replaced immediately. To replace the lock with the id `<id>`, a process
 * first creates the claim `lock.after-<id>` with link(2), which succeeds for only one process. The owner of the claim
 * checks that `lock` still has that id, and then renames the claim to `lock`. Any later process finds either the claim or
 * a lock with a new id.
 *
 * If the owner of a claim ends before the rename, the claim counts as the lock of an ended process and is replaced in the
 * same way. So no process waits for another process, and no process removes a lock that it has not checked.
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
    // The owner has released the lock in the meantime.
    if (found === undefined) continue;
    refuseIfHeld(folder, path, found);
    if (await succeed(folder, path, draft, found)) return;
  }
}

/** Replaces the lock `ended`. Returns false if that lock no longer exists. */
async function succeed(folder: string, path: string, draft: string, ended: FoundLock): Promise<boolean> {
  // The first entry is the lock itself. Each later entry is the claim to replace the entry before it.
  const chain: { readonly path: string; readonly id: string }[] = [{ path, id: ended.id }];
  for (;;) {
    const claim = join(folder, `${LOCK}.after-${chain.at(-1)!.id}`);
    if (await appears(draft, claim)) {
      try {
        for (const link of chain) {
          if ((await readLock(link.path))?.id === link.id) continue;
          // The new owner of the lock may already have removed this claim in `sweep`.
          await unlink(claim).catch(() => {});
          return false;
        }
        // A rename is atomic: the claim disappears at the moment when the lock changes.
        await rename(claim, path);
        return true;
      } catch (error) {
        await unlink(claim).catch(() => {});
        throw error;
      }
    }
    const found = await readLock(claim);
    if (found === undefined) return false;
    // If the ended lock still exists, the owner of the claim may be about to replace it. So check whether that owner is
    // still alive.
    if ((await readLock(path))?.id !== ended.id) return false;
    refuseIfHeld(folder, path, found);
    chain.push({ path: claim, id: found.id });
  }
}

/** Gives the file `draft` a second name, atomically. Returns false if that name already exists. */
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
    // A power failure may leave an empty file. It can be replaced, because the lock of a live process is always complete.
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

/** Removes the files that ended processes left next to the lock, including claims to earlier locks, which have no effect. */
async function sweep(folder: string, id: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${LOCK}.`)) continue;
    const path = join(folder, name);
    const claimed = name.startsWith(`${LOCK}.after-`) && name !== `${LOCK}.after-${id}`;
    const draft = name.endsWith('.draft') ? await readLock(path).catch(() => undefined) : undefined;
    // Keep an unreadable draft, because its owner may still be writing it.
    const abandoned = draft?.owner !== undefined && whereaboutsOf(draft.owner) === 'gone';
    if (claimed || abandoned) await unlink(path).catch(() => {});
  }
}
