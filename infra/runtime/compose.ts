/**
 * Merges several catalogues into one, in the given order. Throws a RangeError if two different catalogues declare the
 * same name. The same catalogue may be passed twice, because an adapter that wraps another adapter declares the catalogue
 * of that adapter too.
 */
export function compose<Entry>(catalogues: readonly Readonly<Record<string, Entry>>[]): Readonly<Record<string, Entry>> {
  const composed: Record<string, Entry> = {};
  for (const [name, entry] of [...new Set(catalogues)].flatMap((catalogue) => Object.entries(catalogue))) {
    if (Object.hasOwn(composed, name)) throw new RangeError(`${name} is declared twice`);
    composed[name] = entry;
  }
  return composed;
}
