/**
 * Entries of a composed catalogue as its page lists them: by the subjects that their names begin with, in the order given, and
 * within a subject as they are declared. Of several subjects the longest counts; a name without one comes last.
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
