/**
 * Whether a program printed what a document shows. The two are the same text, but for one mark: `…` stands for whatever
 * the machine or the moment decides (a duration, a folder, a time); on a line of its own, for any number of lines.
 * Blanks at the end of a line do not count, nor do lines of progress, which come every few seconds.
 */
export function prints(expected: string, actual: string): boolean {
  return linesMatch(linesOf(expected), linesOf(actual));
}

export function linesOf(text: string): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => !progress.test(line));
}

const progress = /^\S* *(Deliveries|Loading) {2}[\d,.]+.*\/s/;

function linesMatch(expected: readonly string[], actual: readonly string[]): boolean {
  const [first, ...others] = expected;
  if (first === undefined) return actual.length === 0;
  if (first === '…') return actual.some((_, index) => linesMatch(others, actual.slice(index))) || others.length === 0;
  return actual[0] !== undefined && lineMatches(first, actual[0]) && linesMatch(others, actual.slice(1));
}

/** Whether a line is the shown one, `…` standing for some of its text. */
export function lineMatches(expected: string, actual: string): boolean {
  if (expected === actual) return true;
  const parts = expected.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.+')}$`).test(actual);
}
