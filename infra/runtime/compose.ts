/**
 * One catalogue out of several, in their order. Throws a RangeError if two of them declare the same name. A catalogue that
 * comes twice counts once: an adapter may wrap another one, and bring what that one brings.
 */
export function compose<Entry>(catalogues: readonly Readonly<Record<string, Entry>>[]): Readonly<Record<string, Entry>> {
  const composed: Record<string, Entry> = {};
  for (const [name, entry] of [...new Set(catalogues)].flatMap((catalogue) => Object.entries(catalogue))) {
    if (Object.hasOwn(composed, name)) throw new RangeError(`${name} is declared twice`);
    composed[name] = entry;
  }
  return composed;
}
