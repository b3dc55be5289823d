/**
 * Merges several catalogues into one and keeps their order. Throws a RangeError if two of them declare the same name.
 * The same catalogue may be passed twice, because an adapter that wraps another adapter also passes on its catalogue.
 */
export function compose<Entry>(catalogues: readonly Readonly<Record<string, Entry>>[]): Readonly<Record<string, Entry>> {
  const composed: Record<string, Entry> = {};
  for (const [name, entry] of [...new Set(catalogues)].flatMap((catalogue) => Object.entries(catalogue))) {
    if (Object.hasOwn(composed, name)) throw new RangeError(`${name} is declared twice`);
    composed[name] = entry;
  }
  return composed;
}
