import { join } from 'node:path';
import { type FileEntries, openKeptFile, readKeptFile } from '@aorta/runtime';
import type { StreamName } from '@aorta/schemas';
import { z } from 'zod';

/** Positions of a stream whose records are lost. */
const loss = z.object({
  from: z.int().nonnegative(),
  to: z.int().positive(),
  /** Time of receipt of the last record before the loss, in microseconds since 1970; null if unknown. */
  after: z.int().nullable(),
  /** The segment that should hold the records, relative to the log's folder. */
  segment: z.string(),
  /** The file in which the damaged segment is kept, relative to the log's folder. Until a person deletes it, the log reports the loss. */
  aside: z.string(),
});
export type Loss = z.infer<typeof loss>;

const durableEnd = z.object({
  incarnation: z.string().min(1),
  /** Position after the last record that was reported as durable. */
  end: z.int().nonnegative(),
  losses: z.array(loss),
});
export type DurableEnd = z.infer<typeof durableEnd>;

export const ENDS_FILE = 'ends.ndjson';

/**
 * The end of each stream, in one file of the log. A flush writes it after its records are on the disk, and before it reports them
 * as durable. A record that is missing before such an end is therefore lost: its source may not deliver it again.
 */
export class DurableEnds {
  /** Undefined if the log is read-only. */
  readonly #file: FileEntries | undefined;
  readonly #known: ReadonlyMap<string, DurableEnd>;

  private constructor(entries: ReadonlyMap<string, string>, file?: FileEntries) {
    this.#file = file;
    this.#known = new Map([...entries].map(([name, text]) => [name, durableEnd.parse(JSON.parse(text))]));
  }

  /** Reads the file in the log's folder, for writing. A damaged file is moved aside. Rejects with AORTA-FILE-UNREADABLE. */
  static async open(folder: string): Promise<DurableEnds> {
    const file = await openKeptFile(join(folder, ENDS_FILE));
    return new DurableEnds(file.take(), file);
  }

  /** Reads the file while another process may be writing it. A damaged file counts as missing. Rejects with AORTA-FILE-UNREADABLE. */
  static async look(folder: string): Promise<DurableEnds> {
    return new DurableEnds((await readKeptFile(join(folder, ENDS_FILE))) ?? new Map());
  }

  of(stream: StreamName): DurableEnd | undefined {
    return this.#known.get(stream);
  }

  /** Durably writes the ends of some streams. Rejects with AORTA-DATA-UNWRITABLE. */
  async record(ends: readonly (readonly [StreamName, DurableEnd])[]): Promise<void> {
    await this.#file?.write(ends.map(([name, end]) => [name, JSON.stringify(end)] as const));
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }
}
