/** What is remembered, as plain JSON. */
export type Content = Readonly<Record<string, unknown>>;

/** Objects in these members stand for one thing each, and so do those that are members of `facts`. */
const DEPTH = 2;
const DEEPER: Readonly<Record<string, number>> = { facts: 3 };

/** What is remembered as entries, one for each thing that may change alone: the text of its JSON, by its path in JSON. */
export function entriesOf(content: Content): ReadonlyMap<string, string> {
  const entries = new Map<string, string>();
  const add = (path: readonly string[], value: unknown): void => {
    const depth = DEEPER[path[0] ?? ''] ?? DEPTH;
    if (path.length < depth && typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [name, one] of Object.entries(value)) add([...path, name], one);
    } else if (value !== undefined) entries.set(JSON.stringify(path), JSON.stringify(value));
  };
  add([], content);
  return entries;
}

/** What entries stand for; `empty` where there are none. What cannot be read is left out. */
export function contentOf(entries: ReadonlyMap<string, string>, empty: Content): Content {
  const content = structuredClone(empty) as Record<string, unknown>;
  for (const [name, text] of entries) {
    try {
      set(content, JSON.parse(name) as readonly string[], JSON.parse(text));
    } catch {
      // Of another version, or damaged: as if it had never been kept.
    }
  }
  return content;
}

/** What makes the kept entries the wanted ones: what is new or another comes first, then what is taken away (null). */
export function changesTo(
  wanted: ReadonlyMap<string, string>,
  kept: ReadonlyMap<string, string>,
): (readonly [name: string, text: string | null])[] {
  const changed = [...wanted].filter(([name, text]) => kept.get(name) !== text);
  const gone = [...kept.keys()].filter((name) => !wanted.has(name)).map((name) => [name, null] as const);
  return [...changed, ...gone];
}

/** What a text of JSON stands for; undefined where it is none. */
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

/** Names are ids of others, and may be those of what every object has. */
function own(at: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(at, name, { value, enumerable: true, writable: true, configurable: true });
}
