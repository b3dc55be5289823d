import { spawn } from 'node:child_process';
import { readdir, rm, unlink } from 'node:fs/promises';
import { getCompileCacheDir } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { AortaError, removedAfterwards, systemCode } from '@aorta/runtime';
import type { Access } from './copy-access.ts';
import type { OpeningOptions } from './options.ts';
import { isPublished, publishedPath, replaceCopy, walPath } from './published-copy.ts';

const copier = join(import.meta.dirname, 'copy-file.ts');

/** The pause after a publication is this many times its duration, so publishing takes at most 1 % of the time. */
const REST = 99;

/** The copy of a database file that a separate process is about to make. If it is disposed before {@link finish}, nothing is copied. */
export interface Copying extends Disposable {
  /** Copies the checkpointed file. Rejects with AORTA-DATA-UNWRITABLE. */
  finish(): Promise<{ readonly copy: string; readonly crc32: number }>;
}

/**
 * Starts the process that copies the database file to a temporary file in the same folder. It loads its program during the
 * checkpoint.
 *
 * DuckDB locks the database file with a POSIX record lock. A process loses such a lock when it closes any descriptor of the file,
 * even one opened only for copying. A separate process therefore makes the copy.
 */
function startCopying(path: string, { mode, group }: Access): Copying {
  const copy = `${publishedPath(path)}.${process.pid}.part`;
  const child = spawn(process.execPath, [copier, path, copy, String(mode), String(group ?? -1)], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, NODE_COMPILE_CACHE: getCompileCacheDir() },
  });
  const printed = text(child.stdout);
  // A process that could not be started prints nothing, so its copy fails below.
  for (const part of [child, child.stdin]) part.on('error', () => {});
  return {
    async finish() {
      child.stdin.end('\n');
      const told = await printed.catch(() => '');
      if (/^\d+$/.test(told)) return { copy, crc32: Number(told) };
      await rm(copy, { force: true });
      throw new AortaError('AORTA-DATA-UNWRITABLE', { path: copy, code: /^E[A-Z]+$/.test(told) ? told : 'copy failed' });
    },
    [Symbol.dispose]: () => void child.stdin.end(),
  };
}

/** Removes unfinished copies that killed writers left behind. Only the writer of the warehouse may call this. */
export async function removeUnfinishedCopies(path: string): Promise<void> {
  const name = `${basename(publishedPath(path))}.`;
  const folder = dirname(path);
  const unfinished = (await readdir(folder)).filter(
    (entry) => entry.startsWith(name) && /^\d+\.part$/.test(entry.slice(name.length)),
  );
  await Promise.all(unfinished.map((entry) => rm(join(folder, entry), { force: true })));
}

type PublicationOptions = Pick<OpeningOptions, 'path' | 'publish_every_s' | 'logger' | 'clock' | 'onStep'>;

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
  #last: { readonly at: number; readonly took: number } | undefined;

  /** `news`: whether opening the file changed tables or views, or another program changed the copy. */
  constructor(options: PublicationOptions, access: Access, news: boolean) {
    this.#options = options;
    this.#access = access;
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
    const { path, publish_every_s } = this.#options;
    if (!this.#behind || (!this.#news && isPublished(path))) return undefined;
    return this.#last === undefined ? 0 : this.#last.at + Math.max(publish_every_s * 1000, this.#last.took * REST);
  }

  /** Prepares {@link copy}. */
  start(): Copying {
    return startCopying(this.#options.path, this.#access);
  }

  /**
   * Replaces the published copy. Readers that have the old copy open keep reading it. `begun` is when the publication began, by
   * `steadyNow`.
   */
  async copy(copying: Copying, begun: number): Promise<void> {
    const { path, clock, onStep } = this.#options;
    const { copy, crc32 } = await copying.finish();
    await using _ = removedAfterwards(copy);
    onStep('publish:copied');
    await this.#removeWal();
    await replaceCopy(path, copy, crc32, this.#access);
    // A program that had the old copy open may have written in the meantime.
    await this.#removeWal();
    const ended = clock();
    this.#last = { at: ended, took: ended - begun };
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
