import { homedir } from 'node:os';
import { expect, test } from 'vitest';
import { cacheFolder } from './cache-folder.ts';

test.each([
  [{ AORTA_CACHE: '/own', XDG_CACHE_HOME: '/home/x/cache' }, '/own'],
  [{ XDG_CACHE_HOME: '/home/x/cache' }, '/home/x/cache/aorta'],
  [{ XDG_CACHE_HOME: 'relative', AORTA_CACHE: '' }, `${homedir()}/.cache/aorta`],
  [{}, `${homedir()}/.cache/aorta`],
])('the cache folder with %o is %s', (environment, folder) => {
  expect(cacheFolder(environment)).toBe(folder);
});
