import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { AortaError, isAortaError, type Logger } from '@aorta/runtime';
import { Database } from './database.ts';
import { isPublished } from './publish.ts';

/** Maximum milliseconds to wait until readers of an unpublished file have finished. */
const READERS_MS = 10_000;

/**
 * Opens the file as its only writer. Before the first publication, readers open the same file and prevent the writer from
 * opening it. They finish soon, so the writer waits for them. After the first publication, only writers open the file.
 */
async function openPatiently(path: string, settings: Record<string, string>, logger: Logger): Promise<Database> {
  const patience = performance.now() + READERS_MS;
  for (let tries = 0; ; tries++) {
    try {
      return await Database.open(path, settings);
    } catch (error) {
      const read = isAortaError(error) && error.code === 'AORTA-WAREHOUSE-LOCKED' && !isPublished(path);
      if (!read || performance.now() >= patience) throw error;
      if (tries === 0) logger.info('waiting for a reader of the unpublished tables', { path });
      await new Promise((done) => setTimeout(done, 100));
    }
  }
}

/**
 * Opens or creates the file as its only writer, and allows only the owner of the file to read it. Rejects with
 * AORTA-WAREHOUSE-LOCKED or -UNREADABLE, or with AORTA-DATA-UNWRITABLE if the folder cannot be created.
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
  // DuckDB creates its write-ahead log and temporary files with the umask of the process.
  if (isMainThread) process.umask(0o077);
  using opening = new DisposableStack();
  const database = opening.use(await openPatiently(path, settings, logger));
  chmodSync(path, 0o600);
  opening.move();
  return database;
}
