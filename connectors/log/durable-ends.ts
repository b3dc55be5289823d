import { join } from 'node:path';
import type { StreamName } from '@aorta/schemas';
import { z } from 'zod';
import type { KeptEntries } from '../ownership.ts';
import { openKeptFile } from './kept-file.ts';

/** Positions of a stream whose records are lost. */
const loss = z.object({
  from: z.int().nonnegative(),
  to: z.int().positive(),
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

/**
 * The end of each stream, in one file of the log. A flush writes it after its records are on the disk, and before it reports them
 * as durable. What is missing before such an end was therefore there, and its source may not deliver it again.
 */
export class DurableEnds {
  readonly #file: KeptEntries;
  readonly #known = new Map<string, DurableEnd>();

  private constructor(file: KeptEntries) {
    this.#file = file;
    for (const [name, text] of file.take()) this.#known.set(name, durableEnd.parse(JSON.parse(text)));
  }

  /** Reads the file in the log's folder. The first {@link record} creates it. Rejects with AORTA-FILE-UNREADABLE. */
  static async open(folder: string): Promise<DurableEnds> {
    return new DurableEnds(await openKeptFile(join(folder, 'ends.ndjson')));
  }

  of(stream: StreamName): DurableEnd | undefined {
    return this.#known.get(stream);
  }

  /** Durably writes the ends of some streams. Rejects with AORTA-DATA-UNWRITABLE. */
  async record(ends: readonly (readonly [StreamName, DurableEnd])[]): Promise<void> {
    await this.#file.write(ends.map(([name, end]) => [name, JSON.stringify(end)] as const));
    for (const [name, end] of ends) this.#known.set(name, end);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
