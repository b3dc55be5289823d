import { AortaError } from '@aorta/runtime';
import { z } from 'zod';
import type { StatePart } from './durable-state.ts';
import { type Content, changesTo, contentOf, entriesOf, parsed } from './entries.ts';

const FORMAT = 1;

const stored = z.object({ format: z.int(), content: z.unknown() });

/**
 * Describes a part of the state that is plain JSON. If the part is damaged, the worker starts over with `empty`. This is
 * safe, because fetching the same data again changes nothing. In a topic, each item that can change independently is one
 * entry. An update writes new entries before it removes old ones. After a crash in between, a worker only repeats some work.
 */
export function documentPart<T extends object>(name: string, shape: z.ZodType<T>, empty: T): StatePart<T> {
  return {
    empty,
    inFile: {
      name,
      text: (content) => [JSON.stringify({ format: FORMAT, content })],
      read: (text, path) => {
        const file = stored.safeParse(parsed(text));
        if (!file.success) return undefined;
        const { format, content } = file.data;
        if (format > FORMAT) throw new AortaError('AORTA-DATA-NEWER', { path, found: format, known: FORMAT });
        return shape.safeParse(content).data;
      },
    },
    inTopic: {
      owns: () => true,
      read: (entries) => shape.safeParse(contentOf(entries, empty as Content)).data,
      changes: (content, kept) => changesTo(entriesOf(content as Content), kept),
    },
  };
}
