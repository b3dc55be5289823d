/** Returns the topics to read, in alphabetical order: the named topics, and the existing topics that match a pattern. */
export function matching(names: readonly string[], patterns: readonly RegExp[], topics: readonly string[]): readonly string[] {
  const found = topics.filter((topic) =>
    patterns.some((pattern) => {
      // A pattern with the flag g or y would continue after its last match.
      pattern.lastIndex = 0;
      return pattern.test(topic);
    }),
  );
  return [...new Set([...names, ...found])].sort();
}
