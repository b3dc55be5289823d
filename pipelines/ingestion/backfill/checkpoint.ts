import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DAMAGED, errorFields, type Logger, makeFolder, readFormatted, setAside, writeDurably } from '@aorta/runtime';
import { z } from 'zod';
import type { Objects } from './object-counts.ts';

const FORMAT = 1;

export interface BackfillPosition {
  /** Index of the next step. If the backfill is complete, the number of steps. */
  readonly step: number;
  /** Cursor of the next page within the step. */
  readonly cursor: string | undefined;
  /** Number of objects fetched so far for the step's resource; null if some may be missing or counted twice. */
  readonly objects: Objects | null;
  /** Offset of the next delivery. */
  readonly offset: number;
}

const stored = z.object({
  /** The request as text. Step indexes are valid only for the same request. */
  asked: z.string(),
  step: z.int().min(0),
  cursor: z.string().nullable(),
  objects: z.record(z.string(), z.int().min(0)).nullable().default(null),
  offset: z.int().min(0),
});

/** The committed position of one backfill, in a small file. An interrupted backfill resumes from it. */
export class BackfillCheckpoint {
  readonly #path: string;
  readonly #asked: string;
  #position: BackfillPosition | undefined;

  private constructor(path: string, asked: string, position: BackfillPosition | undefined) {
    this.#path = path;
    this.#asked = asked;
    this.#position = position;
  }

  /**
   * Opens the checkpoint. `asked` is the request as text. If it differs from the stored one, the backfill starts at the
   * first step. If the file is damaged, the backfill also starts there. Rejects with AORTA-DATA-NEWER, AORTA-FILE-UNREADABLE or
   * AORTA-DATA-UNWRITABLE.
   */
  static async open(path: string, asked: string, logger: Logger): Promise<BackfillCheckpoint> {
    const found = await readFormatted(path, FORMAT, (content) => stored.safeParse(content).data);
    if (found === undefined) return new BackfillCheckpoint(path, asked, undefined);
    if (found === null) {
      const damage = await setAside(path, 'the backfill of its user fetches all data again');
      logger.warn('backfill starts over', errorFields(damage));
      // An offset must not be used twice. Offsets count deliveries, so earlier ones are lower than a time in milliseconds.
      return new BackfillCheckpoint(path, asked, { step: 0, cursor: undefined, objects: {}, offset: Date.now() });
    }
    const { step, cursor, objects, offset } = found;
    const same = found.asked === asked;
    return new BackfillCheckpoint(path, asked, {
      step: same ? step : 0,
      cursor: same ? (cursor ?? undefined) : undefined,
      objects: same ? objects : {},
      offset,
    });
  }

  /** The committed position; undefined before the first commit. */
  get position(): BackfillPosition | undefined {
    return this.#position;
  }

  /** Writes the position durably. Rejects with AORTA-DATA-UNWRITABLE. */
  async commit(position: BackfillPosition): Promise<void> {
    this.#position = position;
    const content = { format: FORMAT, asked: this.#asked, ...position, cursor: position.cursor ?? null };
    await makeFolder(dirname(this.#path));
    await writeDurably(this.#path, content);
  }
}

/** Returns the partition of a user's backfill. It is a hash, so that the names of partitions and files do not reveal the user id. */
export function partitionOf(userId: string): string {
  return createHash('sha256').update(`aorta backfill ${userId}`).digest('hex').slice(0, 16);
}

/** Returns the path of a user's backfill checkpoint. `folder` is the state folder of enrichment. */
export function checkpointFile(folder: string, userId: string): string {
  return join(folder, `backfill-${partitionOf(userId)}.json`);
}

/** Deletes the checkpoint of a user's backfill, if there is one. Called during an erasure, when no backfill is running. */
export async function forgetBackfill(folder: string, userId: string): Promise<void> {
  const path = checkpointFile(folder, userId);
  for (const one of [path, `${path}${DAMAGED}`]) await rm(one, { force: true });
}
