import { readdir, rm, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { removedAfterwards, systemCode } from '@aorta/runtime';
import type { Access } from './copy-access.ts';
import { FileCopier } from './file-copier.ts';
import type { OpeningOptions } from './options.ts';
import { isPublished, publishedPath, replaceCopy, walPath } from './published-copy.ts';

/** A file with fewer bytes is small. */
const SMALL = 200e6;

/**
 * Longest time in milliseconds between the starts of two publications of a small file, whatever a publication costs. Readers then
 * see an event within 5 seconds.
 */
const SMALL_EVERY_MS = 2_900;

/** Removes unfinished copies that killed writers left behind. Only the writer of the warehouse may call this. */
export async function removeUnfinishedCopies(path: string): Promise<void> {
  const name = `${basename(publishedPath(path))}.`;
  const folder = dirname(path);
  const unfinished = (await readdir(folder)).filter(
    (entry) => entry.startsWith(name) && /^\d+\.part$/.test(entry.slice(name.length)),
  );
  await Promise.all(unfinished.map((entry) => rm(join(folder, entry), { force: true })));
}

type PublicationOptions = Pick<
  OpeningOptions,
  'path' | 'publish_every_s' | 'publish_core_percent' | 'logger' | 'clock' | 'onStep'
>;

/** Decides when the published copy is outdated and when the next one is due, and makes it. */
export class Publication {
  readonly #options: PublicationOptions;
  readonly #access: Access;
  /** Whether the copy may be outdated. Initially true, so that the first requested publication is made. */
  #behind = true;
  /**
   * Whether anything has been merged since the start, or opening the file changed tables or views. As long as this is false, a
   * copy is due only if none exists.
   */
  #news: boolean;
  readonly #copier: FileCopier;
  /** When the last publication ended, its processor time in milliseconds, and whether the file is small. */
  #last: { readonly at: number; readonly cpuMs: number; readonly isSmall: boolean } | undefined;

  /** `news`: whether opening the file changed tables or views, or another program changed the copy. */
  constructor(options: PublicationOptions, access: Access, news: boolean) {
    this.#options = options;
    this.#access = access;
    this.#copier = new FileCopier(options.path, access);
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
   * Returns the time of the next publication by `steadyNow`, or 0 if it is due now. Returns undefined if nothing has
   * changed.
   */
  dueAt(): number | undefined {
    const { path, publish_every_s, publish_core_percent: percent } = this.#options;
    if (!this.#behind || (!this.#news && isPublished(path))) return undefined;
    if (this.#last === undefined) return 0;
    const { at, cpuMs, isSmall } = this.#last;
    const rest = Math.min(cpuMs * (100 / percent - 1), isSmall ? SMALL_EVERY_MS - cpuMs : Number.POSITIVE_INFINITY);
    return at + Math.max(publish_every_s * 1000, rest);
  }

  /** Prepares {@link copy}. */
  start(): void {
    this.#copier.start();
  }

  close(): void {
    this.#copier.close();
  }

  /**
   * Replaces the published copy. Readers that have the old copy open keep reading it. `cpuMs` is the processor time that the
   * publication has taken before, in milliseconds.
   */
  async copy(cpuMs: number): Promise<void> {
    const { path, clock, onStep } = this.#options;
    const made = await this.#copier.copy();
    await using _ = removedAfterwards(made.path);
    onStep('publish:copied');
    await this.#removeWal();
    await replaceCopy(path, made.path, made.crc32, this.#access);
    // A program that had the old copy open may have written in the meantime.
    await this.#removeWal();
    this.#last = { at: clock(), cpuMs: cpuMs + made.cpuMs, isSmall: (await stat(publishedPath(path))).size < SMALL };
    this.#behind = false;
    onStep('publish:renamed');
  }

  /** Removes the write-ahead log of another program. DuckDB would replay it into the copy each time a reader opens the copy. */
  async #removeWal(): Promise<void> {
    const { path, logger } = this.#options;
    const wal = walPath(path);
    try {
      await unlink(wal);
    } catch (error) {
      // The entry harms no tables, so publishing continues.
      if (systemCode(error) !== 'ENOENT')
        logger.warn('cannot remove an entry beside the published copy; readers refuse the copy until it is gone', {
          path: wal,
          code: systemCode(error),
        });
      return;
    }
    logger.warn('another program wrote to the published copy; its write-ahead log was removed', { path: wal });
  }
}
