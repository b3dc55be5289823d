import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cached } from './cache.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aorta-cache-'));
  vi.stubEnv('AORTA_CACHE', folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

test('cached() creates an entry only once if several callers request it at the same time', async () => {
  let made = 0;
  const get = () =>
    cached('thing', async (to) => {
      made++;
      await new Promise((resolve) => setTimeout(resolve, 100));
      await writeFile(join(to, 'whole'), 'yes');
    });
  const got = await Promise.all([get(), get(), get()]);
  expect(new Set(got)).toEqual(new Set([join(folder, 'thing')]));
  expect(existsSync(join(folder, 'thing', 'whole'))).toBe(true);
  expect(made).toBe(1);
  expect(await readdir(folder)).toEqual(['thing']);
});

test('if `make` fails, cached() leaves no files behind and the next call tries again', async () => {
  await expect(
    cached('thing', async (to) => {
      await writeFile(join(to, 'half'), 'no');
      throw new Error('no network');
    }),
  ).rejects.toThrow('no network');
  expect(await readdir(folder)).toEqual([]);
  await cached('thing', (to) => writeFile(join(to, 'whole'), 'yes'));
  expect(await readdir(join(folder, 'thing'))).toEqual(['whole']);
});

test.each([
  ['in 1970', 0],
  ['before the clock was set back', 33_000_000_000],
])('cached() takes over the lock of a process that was killed and last refreshed its lock %s', async (_, refreshed) => {
  const lock = join(folder, 'thing.lock');
  await mkdir(lock);
  await utimes(lock, refreshed, refreshed);
  await cached('thing', (to) => writeFile(join(to, 'whole'), 'yes'));
  expect(await readdir(folder)).toEqual(['thing']);
});
