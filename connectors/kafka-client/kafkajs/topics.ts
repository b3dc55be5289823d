/** Topics to read, in alphabetical order: those that are named, and those there are that match a pattern. */
export function matching(names: readonly string[], patterns: readonly RegExp[], topics: readonly string[]): readonly string[] {
  const found = topics.filter((topic) =>
    patterns.some((pattern) => {
      // One with the flag g or y begins where it ended the last time.
      pattern.lastIndex = 0;
      return pattern.test(topic);
    }),
  );
  return [...new Set([...names, ...found])].sort();
}
