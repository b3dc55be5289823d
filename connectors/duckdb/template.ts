import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import {
  cacheFolder,
  FILE_MODE,
  type Logger,
  makeFolder,
  removedAfterwards,
  syncFolder,
  systemCode,
  UNFINISHED,
} from '@aorta/runtime';
import { renewIdentifier } from './database-identifier.ts';
import { unfinishedPath } from './published-copy.ts';

/** Maximum number of templates, of 2.4 MB each. Each version of Aorta and each set of preferences and privacy classes needs its own. */
const MOST_TEMPLATES = 10;

const SUFFIX = '.duckdb';

/** An unfinished template that is older than this many milliseconds was left by a process that was killed. */
const ABANDONED_MS = 3_600_000;

export interface Template {
  /** Hash of everything in the template, and of its format. */
  readonly hash: string;
  /** Makes the template in a new file. */
  readonly make: (path: string) => Promise<void>;
}

/**
 * Creates the file as a copy of its template, which has the tables, views and comments but no rows. If the cache has no template, makes
 * it first. Creates nothing if the file exists, or if the cache or the file system does not allow it: DuckDB then creates the file. Returns
 * whether it created the file.
 */
export async function createFromTemplate(path: string, template: Template, logger: Logger): Promise<boolean> {
  if (existsSync(path) || existsSync(`${path}.wal`)) return false;
  try {
    const folder = join(cacheFolder(), 'warehouses');
    const content = (await cachedTemplate(folder, template.hash)) ?? (await makeTemplate(folder, template));
    renewIdentifier(content);
    await createFile(path, content);
    return true;
  } catch (error) {
    logger.debug('the warehouse file is created without a template', { code: systemCode(error) });
    return false;
  }
}

/** The name of a template has the hash and the CRC-32 of its content, so that damage to it is noticed. */
const nameOf = (hash: string, content: Buffer): string => `${hash}-${crc32(content).toString(16).padStart(8, '0')}${SUFFIX}`;

/** Returns the content of a template. Returns undefined if the cache has none, or a damaged one. */
async function cachedTemplate(folder: string, hash: string): Promise<Buffer | undefined> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(`${hash}-`) && one.endsWith(SUFFIX))) {
    const file = join(folder, name);
    // Another process may remove the template at any time.
    const content = await readFile(file).catch(() => undefined);
    if (content === undefined) continue;
    if (name === nameOf(hash, content)) {
      const now = new Date();
      await utimes(file, now, now).catch(() => {});
      return content;
    }
    await rm(file, { force: true });
  }
  return undefined;
}

async function makeTemplate(folder: string, { hash, make }: Template): Promise<Buffer> {
  await makeFolder(folder);
  const making = join(folder, `${randomUUID()}${UNFINISHED}`);
  await using _ = removedAfterwards(making);
  await make(making);
  const content = await readFile(making);
  await rename(making, join(folder, nameOf(hash, content)));
  await removeOldTemplates(folder);
  return content;
}

/** Removes the least recently used templates, and unfinished ones of processes that were killed. */
async function removeOldTemplates(folder: string): Promise<void> {
  const files = (await readdir(folder)).map((name) => join(folder, name));
  const aged = await Promise.all(
    files.map(async (file) => ({ file, usedAt: (await stat(file).catch(() => undefined))?.mtimeMs ?? 0 })),
  );
  const templates = aged.filter(({ file }) => file.endsWith(SUFFIX)).sort((a, b) => b.usedAt - a.usedAt);
  const abandoned = aged.filter(({ file, usedAt }) => !file.endsWith(SUFFIX) && Date.now() - usedAt > ABANDONED_MS);
  for (const { file } of [...templates.slice(MOST_TEMPLATES), ...abandoned]) await rm(file, { force: true });
}

/**
 * Creates the file with its whole content durably, or not at all. Never replaces a file: another process may have created it and
 * opened it in the meantime.
 */
async function createFile(path: string, content: Buffer): Promise<void> {
  const unfinished = unfinishedPath(path);
  await using _ = removedAfterwards(unfinished);
  {
    await using file = await open(unfinished, 'w', FILE_MODE);
    await file.writeFile(content);
    await file.sync();
  }
  await link(unfinished, path);
  await syncFolder(dirname(path));
}
