/**
 * Returns the candidate with the smallest edit distance, or undefined if none is close enough to suggest. A transposition
 * counts as one edit.
 */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const folded = fold(name);
  let best: string | undefined;
  let distance = Math.max(1, Math.floor(folded.length / 3)) + 1;
  for (const candidate of candidates) {
    const steps = edits(folded, fold(candidate));
    if (steps < distance) [best, distance] = [candidate, steps];
  }
  return best;
}

/** Returns the name in lower case, without spaces, dashes or underscores. */
function fold(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '');
}

function edits(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let steps = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) steps = Math.min(steps, (before[j - 2] ?? 0) + 1);
      next.push(steps);
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}
