import { createWriteStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Content, contentOf, unreadable } from './content.ts';

/**
 * Copies a stream that can be read only once to a temporary file, so that it can be read twice. The file is private
 * (mode 0600 in a folder of mode 0700). It is unlinked at once if the system allows that, otherwise when it is closed.
 * Rejects with AORTA-FILE-UNREADABLE.
 */
export async function spool(
  stream: NodeJS.ReadableStream,
  label: string,
  lineBytes: number,
  signal: AbortSignal,
): Promise<Content> {
  await using opening = new AsyncDisposableStack();
  const folder = opening.adopt(await mkdtemp(join(tmpdir(), 'aorta-')), remove);
  try {
    const path = join(folder, 'spool');
    await pipeline(stream, createWriteStream(path, { mode: 0o600 }), { signal });
    const content = opening.use(await contentOf(await open(path, 'r'), label, lineBytes));
    await remove(folder).catch(() => {});
    const opened = opening.move();
    return { ...content, [Symbol.asyncDispose]: () => opened.disposeAsync() };
  } catch (error) {
    throw unreadable(label, error);
  }
}

const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });
