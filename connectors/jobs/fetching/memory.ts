import { dirname } from 'node:path';
import { makeFolder, readIfThere, replaceFile } from '@aorta/streams';
import { AortaError } from '@aorta/telemetry';
import { z } from 'zod';

const FORMAT = 1;

const stored = z.object({ format: z.int(), content: z.unknown() });

/** What a fetching job remembers over restarts: a small file beside the streams. */
export class Memory<T> {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /**
   * Opens it, with what it holds; `empty` where there is none, or where it is damaged: the job then begins anew, and what
   * it fetches again changes nothing. Rejects with AORTA-DATA-NEWER and AORTA-FILE-UNREADABLE.
   */
  static async open<T>(path: string, shape: z.ZodType<T>, empty: T): Promise<{ memory: Memory<T>; content: T }> {
    const memory = new Memory<T>(path);
    const file = stored.safeParse(parsed(await readIfThere(path)));
    if (!file.success) return { memory, content: empty };
    if (file.data.format > FORMAT) throw new AortaError('AORTA-DATA-NEWER', { path, found: file.data.format, known: FORMAT });
    const content = shape.safeParse(file.data.content);
    return { memory, content: content.success ? content.data : empty };
  }

  /** Durably. Rejects with AORTA-DATA-UNWRITABLE. */
  async keep(content: T): Promise<void> {
    await makeFolder(dirname(this.#path));
    await replaceFile(this.#path, [JSON.stringify({ format: FORMAT, content })]);
  }
}

function parsed(bytes: Buffer | undefined): unknown {
  try {
    return JSON.parse(bytes?.toString('utf8') ?? 'null');
  } catch {
    return undefined;
  }
}
