import { readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { AortaError, makeFolder, readJson, systemCode, UNFINISHED, unreadable, writeDurably } from '@aorta/runtime';
import { z } from 'zod';
import { SegmentError } from './errors.ts';

const GROUP_NAME = /^[a-z0-9-]+$/;
const GROUP_FILE = /^([a-z0-9-]+)\.json$/;
const groupFile = z.object({ position: z.int().nonnegative(), incarnation: z.string() });

/** The committed positions of all groups in one stream. Each group has its own file in the stream's folder. */
export class GroupPositions {
  readonly #folder: string;
  readonly #positions = new Map<string, number>();
  /** The last commit of each group. Commits of one group run one after another. */
  readonly #commits = new Map<string, Promise<void>>();

  constructor(streamFolder: string) {
    this.#folder = join(streamFolder, 'groups');
  }

  /**
   * Reads the positions that were committed in this incarnation of the stream, and ignores positions of other incarnations. If
   * `tidy` is true, also removes unfinished files that a crash left behind.
   */
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
      if (!content.success) throw new SegmentError('AORTA-POSITION-DAMAGED', { file: path, group });
      if (content.data.incarnation === incarnation) this.#positions.set(group, content.data.position);
    }
  }

  of(group: string): number | undefined {
    return this.#positions.get(group);
  }

  names(): string[] {
    return [...this.#positions.keys()].sort();
  }

  /**
   * Waits for earlier commits of the same group, then durably writes the group's position. Rejects with AORTA-DATA-UNWRITABLE if
   * the write fails.
   */
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

  /** Waits for the running commits to succeed or fail. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#commits.values());
  }
}

/** Throws AORTA-BUG if a group name is not valid as a file name on every system. Group names come from code, not from users. */
export function checkGroupName(group: string): void {
  if (!GROUP_NAME.test(group))
    throw new AortaError('AORTA-BUG', { place: 'streams', problem: 'a group name has characters other than a-z, 0-9 and -' });
}
