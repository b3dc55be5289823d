import { errorFields, type Logger, readFormatted, setAside, writeDurably } from '@aorta/runtime';
import { z } from 'zod';

const FORMAT = 1;
const stored = z.object({
  segment: z.int().min(0),
  byte: z.int().min(0),
  next: z.array(z.int().min(0)),
});

/** A position in a local intake log, between two messages. */
export interface LocalPosition {
  readonly segment: number;
  /** Byte offset in the segment's file. */
  readonly byte: number;
  /** By partition: the next offset. */
  readonly next: readonly number[];
}

/**
 * Milliseconds between two writes. After a crash, ingestion again reads the messages that it took after the last write, with
 * the same offsets.
 */
const WRITE_EVERY_MS = 1000;

/** The position up to which the streams hold the messages, in a small file next to the segments. */
export class Checkpoint {
  readonly #path: string;
  #position: LocalPosition | undefined;
  #written: LocalPosition | undefined;
  #writtenAt = 0;

  private constructor(path: string, position: LocalPosition | undefined) {
    this.#path = path;
    this.#position = position;
    this.#written = position;
  }

  /**
   * Rejects with AORTA-DATA-NEWER, AORTA-FILE-UNREADABLE and AORTA-DATA-UNWRITABLE. If the file is damaged, all kept messages are
   * read again, with the same offsets.
   */
  static async open(path: string, logger: Logger): Promise<Checkpoint> {
    const position = await readFormatted(path, FORMAT, (content) => stored.safeParse(content).data);
    if (position === null) {
      const damage = await setAside(path, 'all messages that the intake log still has are read again, and no row is duplicated');
      logger.warn('intake checkpoint damaged', errorFields(damage));
    }
    return new Checkpoint(path, position ?? undefined);
  }

  /** The committed position; undefined if nothing was committed yet. */
  get position(): LocalPosition | undefined {
    return this.#position;
  }

  /** The position that a later process would find. */
  get written(): LocalPosition | undefined {
    return this.#written;
  }

  /**
   * Moves the position, and writes it if {@link WRITE_EVERY_MS} have passed since the last write. Rejects with
   * AORTA-DATA-UNWRITABLE.
   */
  async move(position: LocalPosition, now = performance.now()): Promise<void> {
    this.#position = position;
    if (now - this.#writtenAt < WRITE_EVERY_MS && this.#writtenAt > 0) return;
    await this.write();
    this.#writtenAt = now;
  }

  async write(): Promise<void> {
    const position = this.#position;
    if (position === undefined || position === this.#written) return;
    await writeDurably(this.#path, { format: FORMAT, ...position });
    this.#written = position;
  }
}
