import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * Returns the folder for files that can be made again: `AORTA_CACHE`, or `aorta` in the user's cache folder. Throws an error of the
 * system if the user has no home folder.
 */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { AORTA_CACHE: own, XDG_CACHE_HOME: xdg } = environment;
  if (own) return own;
  // The specification of the variable says that a relative path is ignored.
  return join(xdg !== undefined && isAbsolute(xdg) ? xdg : join(homedir(), '.cache'), 'aorta');
}
