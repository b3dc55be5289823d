import { isObject } from '@aorta/schemas';
import type { z } from 'zod';
import type { StatePart } from './durable-state.ts';

/** State that can be written as JSON. */
type Content = Readonly<Record<string, unknown>>;

/** Maximum number of names in the path of an entry. The limit for `facts` is in `DEEPER`. */
const DEPTH = 2;
const DEEPER: Readonly<Record<string, number>> = { facts: 3 };

/**
 * Splits the content into one entry per item that can change independently. Each entry maps an item's path to its
 * value, both as JSON.
 */
function entriesOf(content: Content): ReadonlyMap<string, string> {
  const entries = new Map<string, string>();
  const add = (path: readonly string[], value: unknown): void => {
    const depth = DEEPER[path[0] ?? ''] ?? DEPTH;
    if (path.length < depth && isObject(value)) {
      for (const [name, one] of Object.entries(value)) add([...path, name], one);
    } else if (value !== undefined) entries.set(JSON.stringify(path), JSON.stringify(value));
  };
  add([], content);
  return entries;
}

/** Builds content from entries, starting with `empty`. Skips unreadable entries. */
function contentOf(entries: ReadonlyMap<string, string>, empty: Content): Content {
  const content = structuredClone(empty) as Record<string, unknown>;
  for (const [name, text] of entries) {
    try {
      set(content, JSON.parse(name) as readonly string[], JSON.parse(text));
    } catch {
      // Skips entries that are damaged or were written by a different version of Aorta.
    }
  }
  return content;
}

/**
 * Returns the changes that turn the stored entries into the desired ones. Inserts and updates come before deletions, whose
 * text is null.
 */
export function changesTo(
  wanted: ReadonlyMap<string, string>,
  kept: ReadonlyMap<string, string>,
): (readonly [name: string, text: string | null])[] {
  const changed = [...wanted].filter(([name, text]) => kept.get(name) !== text);
  const gone = [...kept.keys()].filter((name) => !wanted.has(name)).map((name) => [name, null] as const);
  return [...changed, ...gone];
}

/** Parses JSON. Returns undefined if the text is not JSON. */
export function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function set(content: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let at = content;
  for (const name of path.slice(0, -1)) {
    if (!Object.hasOwn(at, name)) own(at, name, {});
    at = at[name] as Record<string, unknown>;
  }
  own(at, path.at(-1)!, value);
}

/** Defines a property instead of assigning it, because an id in the data may equal the name of an inherited property. */
function own(at: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(at, name, { value, enumerable: true, writable: true, configurable: true });
}

/**
 * Describes a part of the state that is plain JSON. If the part is damaged, the worker starts over with `empty`. This is
 * safe, because fetching the same data again changes nothing. Each item that can change independently is one entry. An update
 * writes new entries before it removes old ones. After a crash in between, a worker only repeats some work.
 */
export function documentPart<T extends object>(shape: z.ZodType<T>, empty: T): StatePart<T> {
  return {
    empty,
    owns: () => true,
    read: (entries) => shape.safeParse(contentOf(entries, empty as Content)).data,
    changes: (content, kept) => changesTo(entriesOf(content as Content), kept),
  };
}
