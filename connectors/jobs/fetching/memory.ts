import { dirname } from 'node:path';
import { type KeptState, makeFolder, readIfThere, replaceFile } from '@aorta/streams';
import { AortaError } from '@aorta/telemetry';
import { z } from 'zod';
import { type Content, changesTo, contentOf, entriesOf, parsed } from './memory-entries.ts';

const FORMAT = 1;

const stored = z.object({ format: z.int(), content: z.unknown() });

/** What a fetching job remembers over restarts. */
export interface Memory<T> {
  /** Durably. Rejects with AORTA-DATA-UNWRITABLE, or as the topic does. */
  keep(content: T): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens what a job remembers, with what it holds; `empty` where there is nothing, or where it is damaged: the job then
 * begins anew, and what it fetches again changes nothing.
 */
export type OpenMemory = <T extends object>(
  shape: z.ZodType<T>,
  empty: T,
) => Promise<{ readonly memory: Memory<T>; readonly content: T }>;

/** A small file beside local streams. Opening it rejects with AORTA-DATA-NEWER and AORTA-FILE-UNREADABLE. */
export const memoryInFile =
  (path: string): OpenMemory =>
  async (shape, empty) => {
    const memory: Memory<typeof empty> = {
      keep: async (content) => {
        await makeFolder(dirname(path));
        await replaceFile(path, [JSON.stringify({ format: FORMAT, content })]);
      },
      close: async () => {},
    };
    const file = stored.safeParse(parsed((await readIfThere(path))?.toString('utf8')));
    if (!file.success) return { memory, content: empty };
    if (file.data.format > FORMAT) throw new AortaError('AORTA-DATA-NEWER', { path, found: file.data.format, known: FORMAT });
    const content = shape.safeParse(file.data.content);
    return { memory, content: content.success ? content.data : empty };
  };

/**
 * A topic, for whichever worker goes on: only what has changed is written. What is new comes before what is taken away, in
 * the order of the members, so that a job that ends in between has something to do again at most.
 */
export const memoryInTopic =
  (open: () => Promise<KeptState>): OpenMemory =>
  async (shape, empty) => {
    const state = await open();
    let kept = state.take();
    const memory: Memory<typeof empty> = {
      keep: async (content) => {
        const entries = entriesOf(content as Content);
        await state.write(changesTo(entries, kept));
        kept = entries;
      },
      close: () => state.close(),
    };
    const content = shape.safeParse(contentOf(kept, empty as Content));
    return { memory, content: content.success ? content.data : empty };
  };
