/**
 * Sorts the entries of a catalogue by the subject that their names start with, in the given order of subjects. Entries with
 * the same subject keep their order. If a name starts with several subjects, the longest one counts. Names without a
 * subject come last.
 */
export function bySubject<Entry>(
  catalogue: Readonly<Record<string, Entry>>,
  subjects: readonly string[],
): readonly (readonly [name: string, entry: Entry])[] {
  const rankOf = (name: string): number => {
    const own = subjects.filter((subject) => name.startsWith(subject)).sort((a, b) => b.length - a.length)[0];
    return own === undefined ? subjects.length : subjects.indexOf(own);
  };
  return Object.entries(catalogue).sort(([a], [b]) => rankOf(a) - rankOf(b));
}
