import { readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { AortaError, makeFolder, readJson, systemCode, UNFINISHED, unreadable, writeDurably } from '@aorta/runtime';
import { z } from 'zod';

const GROUP_NAME = /^[a-z0-9-]+$/;
const GROUP_FILE = /^([a-z0-9-]+)\.json$/;
const groupFile = z.object({ position: z.int().nonnegative(), incarnation: z.string() });

/** The positions that groups have committed in one stream: a file each, below the stream's folder. */
export class GroupPositions {
  readonly #folder: string;
  readonly #positions = new Map<string, number>();
  /** The last commit of each group: commits of one group take turns. */
  readonly #commits = new Map<string, Promise<void>>();

  constructor(streamFolder: string) {
    this.#folder = join(streamFolder, 'groups');
  }

  /** Reads the commits made in this incarnation of the stream; others name records that are no more. Removes what a crash left unfinished, if `tidy`. */
  async load(incarnation: string, tidy: boolean): Promise<void> {
    let names: string[];
    try {
      names = await readdir(this.#folder);
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return;
      throw unreadable(this.#folder, error);
    }
    for (const name of names) {
      const path = join(this.#folder, name);
      if (tidy && name.endsWith(UNFINISHED)) await unlink(path);
      const group = GROUP_FILE.exec(name)?.[1];
      if (group === undefined) continue;
      const content = groupFile.safeParse(await readJson(path));
      // Written whole or not at all, so damage: starting over from 0 in silence would hide it.
      if (!content.success) throw unreadable(path, { code: 'not a position' });
      if (content.data.incarnation === incarnation) this.#positions.set(group, content.data.position);
    }
  }

  of(group: string): number | undefined {
    return this.#positions.get(group);
  }

  names(): string[] {
    return [...this.#positions.keys()].sort();
  }

  /** Durably writes a group's position, after the commits of the same group that are under way. Rejects with AORTA-DATA-UNWRITABLE. */
  async commit(group: string, position: number, incarnation: string): Promise<void> {
    checkGroupName(group);
    const before = this.#commits.get(group) ?? Promise.resolve();
    const commit = before
      .catch(() => {})
      .then(async () => {
        await makeFolder(this.#folder);
        await writeDurably(join(this.#folder, `${group}.json`), { position, incarnation });
        this.#positions.set(group, position);
      });
    this.#commits.set(group, commit);
    await commit;
  }

  /** Waits for the commits under way, failed or not. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#commits.values());
  }
}

/** Throws AORTA-BUG for a name that cannot be a file name everywhere: groups are named in code, not by people. */
export function checkGroupName(group: string): void {
  if (!GROUP_NAME.test(group))
    throw new AortaError('AORTA-BUG', { place: 'streams', problem: 'a group name is not of a-z, 0-9 and -' });
}
