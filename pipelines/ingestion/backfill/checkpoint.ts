import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AortaError, makeFolder, readIfThere, replaceFile } from '@aorta/runtime';
import { z } from 'zod';
import type { Objects } from './objects.ts';

const FORMAT = 1;

/** How far a backfill is. */
export interface BackfillPosition {
  /** Number of the step that is next; as many as there are steps where it is done. */
  readonly step: number;
  /** Where within the step its next page is. */
  readonly cursor: string | undefined;
  /** Objects of the step's resource so far; null where something of it was missed, or may have been counted twice. */
  readonly objects: Objects | null;
  /** Offset of the next delivery. */
  readonly offset: number;
}

const stored = z.object({
  format: z.int(),
  /** What was asked for: of another question the numbers of steps mean nothing. */
  asked: z.string(),
  step: z.int().min(0),
  cursor: z.string().nullable(),
  objects: z.record(z.string(), z.int().min(0)).nullable().default(null),
  offset: z.int().min(0),
});

/** The position of one backfill, in a small file: an interrupted one goes on where it was. */
export class BackfillCheckpoint {
  readonly #path: string;
  readonly #asked: string;
  #position: BackfillPosition | undefined;

  private constructor(path: string, asked: string, position: BackfillPosition | undefined) {
    this.#path = path;
    this.#asked = asked;
    this.#position = position;
  }

  /** Opens it; `asked` is the question in words of its own. Rejects with AORTA-DATA-NEWER and AORTA-FILE-UNREADABLE; a damaged file counts as none. */
  static async open(path: string, asked: string): Promise<BackfillCheckpoint> {
    const bytes = await readIfThere(path);
    const parsed = stored.safeParse(contentOf(bytes));
    if (!parsed.success) return new BackfillCheckpoint(path, asked, undefined);
    const { format, step, cursor, objects, offset } = parsed.data;
    if (format > FORMAT) throw new AortaError('AORTA-DATA-NEWER', { path, found: format, known: FORMAT });
    const same = parsed.data.asked === asked;
    return new BackfillCheckpoint(path, asked, {
      step: same ? step : 0,
      cursor: same ? (cursor ?? undefined) : undefined,
      objects: same ? objects : {},
      offset,
    });
  }

  /** Where it stands; undefined where it has not begun. */
  get position(): BackfillPosition | undefined {
    return this.#position;
  }

  /** Durably. Rejects with AORTA-DATA-UNWRITABLE. */
  async commit(position: BackfillPosition): Promise<void> {
    this.#position = position;
    const content = { format: FORMAT, asked: this.#asked, ...position, cursor: position.cursor ?? null };
    await makeFolder(dirname(this.#path));
    await replaceFile(this.#path, [JSON.stringify(content)]);
  }
}

/** One partition a user, by a name that is not the user's id: names of partitions, and of files, are seen by those who operate it. */
export function partitionOf(userId: string): string {
  return createHash('sha256').update(`aorta backfill ${userId}`).digest('hex').slice(0, 16);
}

/** The file of a user's backfill, in the folder of what fetching remembers. */
export function checkpointFile(folder: string, userId: string): string {
  return join(folder, `backfill-${partitionOf(userId)}.json`);
}

/** Takes away what is remembered of a user's backfill. For erasure, while none runs; it need not be there. */
export async function forgetBackfill(folder: string, userId: string): Promise<void> {
  await rm(checkpointFile(folder, userId), { force: true });
}

function contentOf(bytes: Buffer | undefined): unknown {
  try {
    return JSON.parse(bytes?.toString('utf8') ?? 'null');
  } catch {
    return undefined;
  }
}
