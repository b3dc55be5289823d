import { execFile } from 'node:child_process';
import { chmod, chown, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { removedAfterwards, systemCode, UNFINISHED } from '@aorta/runtime';
import { DuckDbError } from './errors.ts';
import type { OpeningOptions } from './options.ts';

const run = promisify(execFile);

/** The permissions of the published copy. */
export interface Access {
  /** Permission bits of the copy, such as 0o440. */
  readonly mode: number;
  /** Id of the copy's group. Undefined: the system's default, usually the group of the process. */
  readonly group: number | undefined;
}

/**
 * Returns who may read the published copy. If a group or all users may read it, lets them enter its folder, but not list it.
 * Otherwise, the folder stays as it is. Rejects with AORTA-COPY-GROUP if the process may not change the folder, or if the
 * change would also open other files to them.
 */
export async function shareCopy({
  path,
  published_mode,
  published_group,
}: Pick<OpeningOptions, 'path' | 'published_mode' | 'published_group'>): Promise<Access> {
  const mode = Number.parseInt(published_mode ?? (published_group === undefined ? '0400' : '0440'), 8);
  const folder = dirname(path);
  try {
    const group = published_group === undefined ? undefined : await groupId(published_group, folder);
    const access = { mode, group };
    await openFolder(folder, access);
    return access;
  } catch (error) {
    throw new DuckDbError('AORTA-COPY-GROUP', { folder, group: published_group ?? 'other users', code: systemCode(error) });
  }
}

/** Finds the id of a group by changing the group of a temporary file. Throws an object with a `code` if that fails. */
async function groupId(group: string, folder: string): Promise<number> {
  const file = join(folder, `group.${process.pid}${UNFINISHED}`);
  await using _ = removedAfterwards(file);
  await writeFile(file, '', { mode: 0o600 });
  if (/^\d+$/.test(group)) await chown(file, -1, Number(group));
  // Node cannot look up the name of a group, but the program `chgrp` can.
  else
    await run('chgrp', ['--', group, file]).catch((error: { code?: unknown; stderr?: string }) => {
      if (error.code === 'ENOENT') throw { code: 'the program chgrp is missing: use the number of the group' };
      throw { code: /invalid group|illegal group|unknown group/i.test(error.stderr ?? '') ? 'no such group' : 'EPERM' };
    });
  return (await stat(file)).gid;
}

/**
 * Lets the readers of the copy enter the folder. Does not change the folder if they already can enter it. Removes no
 * permission.
 */
async function openFolder(folder: string, { mode, group }: Access): Promise<void> {
  const enters = (mode & 0o044) >> 2;
  const found = await stat(folder);
  const isGiven = group === undefined || found.gid === group;
  const needed = isGiven || enters === 0 ? enters : 0o001;
  if ((found.mode & needed) === needed) return;
  if (!isGiven && (found.mode & 0o010) !== 0) throw { code: 'another group can enter it' };
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    if (((await stat(join(folder, entry.name))).mode & 0o077) !== 0) throw { code: `${entry.name} in it would be open, too` };
  }
  if (!isGiven) await chown(folder, -1, group);
  await chmod(folder, (found.mode & 0o7777) | enters);
}
