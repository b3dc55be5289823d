import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { AortaError, syncFolder } from '@aorta/runtime';
import type { OpeningOptions } from './options.ts';

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
async function copyDatabase(path: string): Promise<string> {
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

/** The pause after a publication is this many times its duration, so publishing takes at most 1 % of the time. */
const REST = 99;

/** Decides when the published copy is outdated and when the next one is due, and makes it. */
export class Publication {
  readonly #options: Pick<OpeningOptions, 'path' | 'publish_every_s' | 'clock' | 'onStep'>;
  /** Whether the copy may be outdated. Initially true, so that the first requested publication is made. */
  #behind = true;
  /**
   * Whether anything has been merged since the start, or opening the file changed tables or views. As long as this is false, a
   * copy is due only if none exists.
   */
  #news: boolean;
  #last: { readonly at: number; readonly took: number } | undefined;

  /** `news`: whether opening the file changed tables or views. */
  constructor(options: Pick<OpeningOptions, 'path' | 'publish_every_s' | 'clock' | 'onStep'>, news: boolean) {
    this.#options = options;
    this.#news = news;
  }

  merged(): void {
    this.#behind = true;
    this.#news = true;
  }

  /** Marks the copy as outdated after a change other than a merge. The caller must then publish a new copy. */
  changed(): void {
    this.#behind = true;
  }

  /** Whether to publish: with `due` only if a copy is due, with `now` if the copy may be outdated. */
  isWanted(when: 'due' | 'now'): boolean {
    if (when === 'now') return this.#behind;
    const dueAt = this.dueAt();
    return dueAt !== undefined && this.#options.clock() >= dueAt;
  }

  /**
   * Returns the time of the next publication in milliseconds since 1970, or 0 if it is due now. Returns undefined if nothing has
   * changed.
   */
  dueAt(): number | undefined {
    const { path, publish_every_s } = this.#options;
    if (!this.#behind || (!this.#news && isPublished(path))) return undefined;
    return this.#last === undefined ? 0 : this.#last.at + Math.max(publish_every_s * 1000, this.#last.took * REST);
  }

  /**
   * Replaces the published copy. Readers that have the old copy open keep reading it. `begun` is when the publication began, in
   * milliseconds since 1970.
   */
  async copy(begun: number): Promise<void> {
    const { path, clock, onStep } = this.#options;
    const copy = await copyDatabase(path);
    onStep('publish:copied');
    const published = publishedPath(path);
    await rename(copy, published);
    await syncFolder(dirname(published));
    const ended = clock();
    this.#last = { at: ended, took: ended - begun };
    this.#behind = false;
    onStep('publish:renamed');
  }
}
