import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheFolder } from '@aorta/runtime';

const REFRESH_EVERY_MS = 1000;
const ABANDONED_AFTER_MS = 10_000;
const CHECK_EVERY_MS = 50;

/**
 * Returns the cache folder with this name. If the folder does not exist, `make` fills a temporary folder, which is
 * renamed when it is complete. Only one process at a time runs `make`, and other processes wait for it.
 */
export async function cached(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(cacheFolder(), name);
  await mkdir(dirname(folder), { recursive: true });
  while (!existsSync(folder)) {
    if (await withLock(`${folder}.lock`, () => (existsSync(folder) ? Promise.resolve() : makeComplete(folder, make)))) break;
    await sleep(CHECK_EVERY_MS);
  }
  return folder;
}

async function makeComplete(folder: string, make: (folder: string) => Promise<void>): Promise<void> {
  await using made = new AsyncDisposableStack();
  const making = made.adopt(await mkdtemp(`${folder}.making-`), remove);
  try {
    await make(making);
    await rename(making, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

/**
 * Runs `work` while holding the lock, which is a folder. Returns false without running `work` if the lock is taken.
 * Removes a lock that its owner has not refreshed for 10 s. If two processes remove such a lock at the same moment, both
 * run `work`, and the cache keeps one of the results.
 */
async function withLock(lock: string, work: () => Promise<void>): Promise<boolean> {
  try {
    await mkdir(lock);
  } catch {
    const owned = await stat(lock).catch(() => undefined);
    // A time in the future means that the clock was set back, and that the owner has not refreshed the lock since then.
    if (owned !== undefined && Math.abs(Date.now() - owned.mtimeMs) > ABANDONED_AFTER_MS)
      await rm(lock, { recursive: true, force: true });
    return false;
  }
  await using held = new AsyncDisposableStack();
  held.adopt(lock, remove);
  const refresh = (): void => {
    const now = new Date();
    utimes(lock, now, now).catch(() => {});
  };
  held.adopt(setInterval(refresh, REFRESH_EVERY_MS), clearInterval);
  await work();
  return true;
}

const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });
