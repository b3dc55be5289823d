import { createWriteStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Content, contentOf, unreadable } from './content.ts';

/**
 * Writes a stream that can be read only once to a file of its own (0600 in a folder 0700), so that it can be read twice.
 * The file loses its name at once where the system allows it, else when it is closed. Rejects with AORTA-FILE-UNREADABLE.
 */
export async function spool(
  stream: NodeJS.ReadableStream,
  label: string,
  lineBytes: number,
  signal: AbortSignal,
): Promise<Content> {
  const folder = await mkdtemp(join(tmpdir(), 'aorta-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, 'spool');
    await pipeline(stream, createWriteStream(path, { mode: 0o600 }), { signal });
    const content = await contentOf(await open(path, 'r'), label, lineBytes);
    await remove().catch(() => {});
    return {
      ...content,
      close: async () => {
        await content.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw unreadable(label, error);
  }
}
