import { type Content, openContent } from './content.ts';

/** Most bytes of a file that is held. */
const SMALL = 64 * 1024;

/**
 * Files that are read twice: their beginnings first, and later all of them whole. A small file is opened once. Its bytes
 * are held from the first reading to the second.
 */
export class SmallFiles {
  readonly #most: number;
  readonly #held = new Map<string, Content>();
  #bytes = 0;

  /** `most`: bytes that all held files may have together. */
  constructor(most = 32 * 1024 * 1024) {
    this.#most = most;
  }

  /** Opens a file for its beginning. Rejects with AORTA-FILE-NOT-FOUND and AORTA-FILE-UNREADABLE. */
  async first(path: string, lineBytes: number): Promise<Content> {
    let holds = false;
    const content = await openContent(path, lineBytes, (size) => {
      // A file without a size may hold something all the same: those of the system do.
      holds = size > 0 && size <= SMALL && this.#bytes + size <= this.#most && !this.#held.has(path);
      return holds;
    });
    if (holds) {
      this.#held.set(path, content);
      this.#bytes += content.size;
    }
    return content;
  }

  /** Opens a file to read it whole. What was held of it is given up. Rejects as {@link first} does. */
  async again(path: string, lineBytes: number): Promise<Content> {
    const held = this.#held.get(path);
    if (held === undefined) return openContent(path, lineBytes);
    this.#held.delete(path);
    this.#bytes -= held.size;
    return held;
  }
}
