import { type Content, openContent } from './content.ts';

/** Maximum size of a file that is held in memory, in bytes. */
const SMALL = 64 * 1024;

/**
 * Opens files that are read twice: first only the beginning, later the whole file. A small file is opened only once:
 * its bytes stay in memory between the two reads.
 */
export class SmallFiles {
  readonly #most: number;
  readonly #held = new Map<string, Content>();
  #bytes = 0;

  /** `most` is the maximum total size of all held files, in bytes. */
  constructor(most = 32 * 1024 * 1024) {
    this.#most = most;
  }

  /** Opens a file to read its beginning. Rejects with AORTA-FILE-NOT-FOUND and AORTA-FILE-UNREADABLE. */
  async first(path: string, lineBytes: number): Promise<Content> {
    let holds = false;
    const content = await openContent(path, lineBytes, {
      holds: (size) => {
        // Some system files report size 0 but have content.
        holds = size > 0 && size <= SMALL && this.#bytes + size <= this.#most && !this.#held.has(path);
        return holds;
      },
    });
    if (holds) {
      this.#held.set(path, content);
      this.#bytes += content.size;
    }
    return content;
  }

  /** Opens a file to read all of it, and releases the bytes held for it. Rejects with the same errors as {@link first}. */
  async again(path: string, lineBytes: number): Promise<Content> {
    const held = this.#held.get(path);
    if (held === undefined) return openContent(path, lineBytes);
    this.#held.delete(path);
    this.#bytes -= held.size;
    return held;
  }
}
