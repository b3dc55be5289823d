import { type FileHandle, open } from 'node:fs/promises';
import { unreadable } from '@aorta/runtime';

const MOST_OPEN = 16;

interface OpenFile {
  readonly handle: Promise<FileHandle>;
  users: number;
  /** Set when the file is removed from the map. The last user of the file then closes it. */
  dropped: boolean;
}

/** A cache of segment files that are open for reading. The most recently used files stay open between reads. */
export class SegmentFiles {
  readonly #open = new Map<string, OpenFile>();

  /** Runs `work` with the file open for reading. Rejects with AORTA-FILE-UNREADABLE if the file cannot be opened. */
  async with<T>(path: string, work: (handle: FileHandle) => Promise<T>): Promise<T> {
    const file = this.#open.get(path) ?? { handle: open(path, 'r'), users: 0, dropped: false };
    // Moves the file to the end of the map, which is ordered by last use.
    this.#open.delete(path);
    this.#open.set(path, file);
    file.users += 1;
    try {
      return await work(await file.handle);
    } catch (error) {
      this.#drop(path, file);
      throw unreadable(path, error);
    } finally {
      file.users -= 1;
      if (file.dropped && file.users === 0) await closeQuietly(file);
      for (const [other, unused] of this.#open) {
        if (this.#open.size <= MOST_OPEN) break;
        if (unused.users > 0) continue;
        this.#drop(other, unused);
        await closeQuietly(unused);
      }
    }
  }

  async close(): Promise<void> {
    for (const [path, file] of this.#open) {
      this.#drop(path, file);
      if (file.users === 0) await closeQuietly(file);
    }
  }

  #drop(path: string, file: OpenFile): void {
    file.dropped = true;
    if (this.#open.get(path) === file) this.#open.delete(path);
  }
}

async function closeQuietly(file: OpenFile): Promise<void> {
  // A failed open was already reported. A failed close loses nothing, because the file was only read.
  await file.handle.then((handle) => handle.close()).catch(() => {});
}
