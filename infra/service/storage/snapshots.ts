import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FILE_MODE, FOLDER_MODE } from '@aorta/runtime';
import type { State } from '../state.ts';

const SUFFIX = '.snapshot';

/** Copies of the whole state, each under a name. */
export class Snapshots {
  readonly #state: State;
  readonly #given: string | undefined;
  #temporary: string | undefined;

  /** `folder` holds the copies. Without a folder, they exist until {@link Snapshots.close}. */
  constructor(state: State, folder: string | undefined) {
    this.#state = state;
    this.#given = folder;
    if (folder !== undefined && existsSync(folder)) keepPrivate(folder);
  }

  /** Copies the state after the job that is being done. A snapshot with the same name is replaced. */
  save(name: string): Promise<void> {
    const { database, clock, jobs } = this.#state;
    return jobs.between(() => {
      const file = this.#file(name);
      const unfinished = `${file}.unfinished`;
      rmSync(unfinished, { force: true });
      clock.note();
      database.copyTo(unfinished);
      renameSync(unfinished, file);
    });
  }

  /**
   * Returns to a snapshot, after the job that is being done: all data, the jobs, and the virtual time. Returns whether there is
   * a snapshot with this name. Rejects with a {@link StateError} if another version of the service wrote it, or with another secret key.
   */
  async restore(name: string): Promise<boolean> {
    if (!existsSync(this.#file(name))) return false;
    const { database, clock, jobs, secrets } = this.#state;
    const resume = () => {
      secrets.check(database);
      clock.resume();
    };
    await jobs.replace(() => database.replaceWith(this.#file(name), `The snapshot ${name}`, resume));
    return true;
  }

  /** Returns the names of all snapshots in their order. */
  names(): string[] {
    return readdirSync(this.#folder)
      .filter((file) => file.endsWith(SUFFIX))
      .map((file) => file.slice(0, -SUFFIX.length))
      .sort();
  }

  /** Removes the snapshots that have no folder. */
  close(): void {
    if (this.#temporary !== undefined) rmSync(this.#temporary, { recursive: true, force: true });
  }

  get #folder(): string {
    if (this.#given === undefined) {
      this.#temporary ??= mkdtempSync(join(tmpdir(), 'aorta-snapshots-'));
      return this.#temporary;
    }
    mkdirSync(this.#given, { recursive: true, mode: FOLDER_MODE });
    return this.#given;
  }

  #file(name: string): string {
    return join(this.#folder, `${name}${SUFFIX}`);
  }
}

/** Makes the snapshots in a folder readable only by their owner. */
function keepPrivate(folder: string): void {
  chmodSync(folder, FOLDER_MODE);
  for (const file of readdirSync(folder)) if (file.endsWith(SUFFIX)) chmodSync(join(folder, file), FILE_MODE);
}
