import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Where what was fetched or made once is kept between runs: `AORTA_CACHE`, else the user's cache. */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { AORTA_CACHE: own, XDG_CACHE_HOME: xdg } = environment;
  return own ?? join(xdg ?? join(homedir(), '.cache'), 'aorta');
}

/**
 * The folder `name` of the cache, made by `make` where it is not there: in a folder of its own, which gets the name only
 * when it is whole. Of two processes that make it at the same time one throws its own away.
 */
export async function cached(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(cacheFolder(), name);
  if (existsSync(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  const making = await mkdtemp(`${folder}.making-`);
  try {
    await make(making);
    await rename(making, folder);
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}
