import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, stat, utimes } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** How often one who makes something says that it still does, and after how long a silence nobody waits for it: milliseconds. */
const SIGN_EVERY_MS = 1000;
const SILENT_MS = 10_000;
const LOOK_EVERY_MS = 50;

/** Where what was fetched or made once is kept between runs: `AORTA_CACHE`, else the user's cache. */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { AORTA_CACHE: own, XDG_CACHE_HOME: xdg } = environment;
  return own ?? join(xdg ?? join(homedir(), '.cache'), 'aorta');
}

/**
 * What the cache has under a name, made by `make` where it is not there: under a name of its own in the folder that it is
 * given, which gets the right name only when it is whole. One process at a time makes it, the others wait for it.
 */
export async function cached(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(cacheFolder(), name);
  await mkdir(dirname(folder), { recursive: true });
  while (!existsSync(folder)) {
    if (await alone(`${folder}.lock`, () => (existsSync(folder) ? Promise.resolve() : makeWhole(folder, make)))) break;
    await sleep(LOOK_EVERY_MS);
  }
  return folder;
}

async function makeWhole(folder: string, make: (folder: string) => Promise<void>): Promise<void> {
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
 * Does something while it has the lock, a folder; gives false where somebody else has it. A lock whose owner was killed is
 * taken over when it has been silent for long. Should two take it over in the same moment, both work, and the cache gets
 * what one of them made.
 */
async function alone(lock: string, work: () => Promise<void>): Promise<boolean> {
  try {
    await mkdir(lock);
  } catch {
    const sign = await stat(lock).catch(() => undefined);
    if (sign !== undefined && Date.now() - sign.mtimeMs > SILENT_MS) await rm(lock, { recursive: true, force: true });
    return false;
  }
  await using held = new AsyncDisposableStack();
  held.adopt(lock, remove);
  const sign = (): void => {
    const now = new Date();
    utimes(lock, now, now).catch(() => {});
  };
  held.adopt(setInterval(sign, SIGN_EVERY_MS), clearInterval);
  await work();
  return true;
}

const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });
