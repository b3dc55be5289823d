import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { AortaError, isAortaError, type Logger } from '@aorta/runtime';
import { Database } from './database.ts';
import { isPublished } from './publish.ts';

/** A reader of tables that were never published is waited for so long. */
const READERS_MS = 10_000;

/**
 * Opens the file as its one writer. Before there is a published copy, readers open the very same file, and whoever looks
 * at that moment would keep a run from starting: they are soon gone. Where there is a copy nobody but a writer has the file.
 */
async function openPatiently(path: string, settings: Record<string, string>, logger: Logger): Promise<Database> {
  const patience = performance.now() + READERS_MS;
  for (let tries = 0; ; tries++) {
    try {
      return await Database.open(path, settings);
    } catch (error) {
      const read = isAortaError(error) && error.code === 'AORTA-WAREHOUSE-LOCKED' && !isPublished(path);
      if (!read || performance.now() >= patience) throw error;
      if (tries === 0) logger.info('the tables are read, and not published yet: waiting for the reader', { path });
      await new Promise((done) => setTimeout(done, 100));
    }
  }
}

/**
 * Opens the file, or makes it, as its one writer, for nobody else's eyes. Rejects with AORTA-WAREHOUSE-LOCKED or
 * -UNREADABLE, or AORTA-DATA-UNWRITABLE where its folder cannot be made.
 */
export async function openForWriting(path: string, settings: Record<string, string>, logger: Logger): Promise<Database> {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new AortaError('AORTA-DATA-UNWRITABLE', {
      path: dirname(path),
      code: (error as NodeJS.ErrnoException).code ?? 'unknown',
    });
  }
  // DuckDB makes its write-ahead log and temporary files by the mask of the process.
  if (isMainThread) process.umask(0o077);
  using opening = new DisposableStack();
  const database = opening.use(await openPatiently(path, settings, logger));
  chmodSync(path, 0o600);
  opening.move();
  return database;
}
