import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { AortaError, syncFolder } from '@aorta/runtime';

const run = promisify(execFile);
const copier = join(import.meta.dirname, 'copy-file.js');

/** Path of the published copy of the warehouse at `path`. */
export function publishedPath(path: string): string {
  return path.endsWith('.duckdb') ? `${path.slice(0, -'.duckdb'.length)}.published.duckdb` : `${path}.published`;
}

export function isPublished(path: string): boolean {
  return existsSync(publishedPath(path));
}

/**
 * Copies the checkpointed database file to a temporary file in the same folder. DuckDB locks the database file with a POSIX
 * record lock. A process loses such a lock when it closes any descriptor of the file, even one opened only for copying. A
 * separate process therefore makes the copy.
 */
export async function copyDatabase(path: string): Promise<string> {
  const copy = `${publishedPath(path)}.${process.pid}.part`;
  try {
    await run(process.execPath, [copier, path, copy]);
  } catch (error) {
    await rm(copy, { force: true });
    const told = (error as { stdout?: string }).stdout ?? '';
    throw new AortaError('AORTA-DATA-UNWRITABLE', { path: copy, code: /^E[A-Z]+$/.test(told) ? told : 'copy failed' });
  }
  return copy;
}

/** Replaces the published copy. Readers that have the old copy open keep reading it. */
export async function renameCopy(copy: string, path: string): Promise<void> {
  const published = publishedPath(path);
  await rename(copy, published);
  await syncFolder(dirname(published));
}

/** The pause after a publication is this many times its duration, so publishing takes at most 1 % of the time. */
const REST = 99;

/** Decides when the published copy is outdated and when the next one is due. */
export class PublicationPace {
  readonly #everyMs: number;
  /** Whether the copy may be outdated. Initially true, so that the first requested publication is made. */
  #behind = true;
  /**
   * Whether anything has been merged since the start, or opening the file changed tables or views. As long as this is false, a
   * copy is due only if none exists.
   */
  #news: boolean;
  #last: { readonly at: number; readonly took: number } | undefined;

  /** `everyMs`: minimum milliseconds between publications. `news`: whether opening the file changed tables or views. */
  constructor(everyMs: number, news: boolean) {
    this.#everyMs = everyMs;
    this.#news = news;
  }

  get behind(): boolean {
    return this.#behind;
  }

  merged(): void {
    this.#behind = true;
    this.#news = true;
  }

  /** Marks the copy as outdated after a change other than a merge. The caller must then publish a new copy. */
  changed(): void {
    this.#behind = true;
  }

  /** Records the start and end of a publication, in milliseconds since 1970. */
  published(begun: number, ended: number): void {
    this.#last = { at: ended, took: ended - begun };
    this.#behind = false;
  }

  /** Whether to publish at `now`. `isThere` returns whether a copy exists. */
  isDue(now: number, isThere: () => boolean): boolean {
    const dueAt = this.dueAt(isThere);
    return dueAt !== undefined && now >= dueAt;
  }

  /**
   * Returns the time of the next publication in milliseconds since 1970, or 0 if it is due now. Returns undefined if nothing has
   * changed.
   */
  dueAt(isThere: () => boolean): number | undefined {
    if (!this.#behind || (!this.#news && isThere())) return undefined;
    return this.#last === undefined ? 0 : this.#last.at + Math.max(this.#everyMs, this.#last.took * REST);
  }
}
