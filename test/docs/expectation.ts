/**
 * Whether a program printed the text that a document shows. In the document, `…` stands for text that varies, such as a
 * duration or a folder. An ellipsis alone on a line stands for any number of lines. Trailing spaces and progress lines are
 * ignored.
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

/** Whether a printed line matches a line of a document. In the document, `…` matches any text. */
export function lineMatches(expected: string, actual: string): boolean {
  if (expected === actual) return true;
  const parts = expected.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.+')}$`).test(actual);
}
