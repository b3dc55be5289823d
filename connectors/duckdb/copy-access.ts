import { execFile } from 'node:child_process';
import { chmod, chown, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { systemCode } from '@aorta/runtime';
import { DuckDbError } from './errors.ts';
import type { OpeningOptions } from './options.ts';

const run = promisify(execFile);

/** The permissions of the published copy. */
export interface Access {
  /** Permission bits of the copy, such as 0o440. */
  readonly mode: number;
  /** Id of the copy's group. Undefined: the group of the process. */
  readonly group: number | undefined;
}

/**
 * Returns who may read the published copy. If a group or all users may read it, lets them enter its folder, but not list it:
 * 0710 or 0711. Otherwise, the folder stays as it is. Rejects with AORTA-COPY-GROUP if the process may not do that.
 */
export async function shareCopy({
  path,
  published_mode,
  published_group: group,
}: Pick<OpeningOptions, 'path' | 'published_mode' | 'published_group'>): Promise<Access> {
  const mode = Number.parseInt(published_mode ?? (group === undefined ? '0400' : '0440'), 8);
  const enters = (mode & 0o044) >> 2;
  if (group === undefined && enters === 0) return { mode, group };
  const folder = dirname(path);
  try {
    if (group !== undefined) await giveTo(group, folder);
    if (enters !== 0) await chmod(folder, 0o700 | enters);
    return { mode, group: group === undefined ? undefined : (await stat(folder)).gid };
  } catch (error) {
    throw new DuckDbError('AORTA-COPY-GROUP', { path, folder, group: group ?? 'all users', code: systemCode(error) });
  }
}

async function giveTo(group: string, folder: string): Promise<void> {
  if (/^\d+$/.test(group)) return chown(folder, -1, Number(group));
  // The program `chgrp` knows all sources of groups of the system. Node knows no names of groups.
  await run('chgrp', ['--', group, folder]).catch((error: { code?: unknown; stderr?: string }) => {
    if (error.code === 'ENOENT') throw { code: 'the program chgrp is missing: use the number of the group' };
    throw { code: /invalid group|illegal group|unknown group/i.test(error.stderr ?? '') ? 'no such group' : 'EPERM' };
  });
}
