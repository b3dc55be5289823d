import { parseSync } from 'oxc-parser';

/** Calls whose first argument is the name of a test: `test('…')`, `describe.skipIf(…)('…')`, `test.each(…)('…')`. */
const TITLED =
  /\b(?:test|it|describe)(?:\.\w+(?:\([^()]*\))?)*\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g;
/** Comments that tools read. */
const DIRECTIVE = /^\s*(?:biome-ignore|@ts-|v8 ignore|@type\b)/;
const HAS_TESTS = /\.test\.ts$|^test\/conformance\//;

/** Text in a source file. */
export interface Piece {
  /** Zero-based line that the text begins in, and the line after its last one. */
  readonly line: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Returns the comments of a TypeScript file; `//` comments in consecutive lines are one comment. Throws an `Error` if the
 * file cannot be parsed.
 */
export function commentsOf(path: string, source: string): Piece[] {
  const { comments, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`);
  const lineOf = lines(source);
  const found: Piece[] = [];
  for (const { type, start, end, value } of comments) {
    if (DIRECTIVE.test(value)) continue;
    const [first, after] = [lineOf(start), lineOf(end) + 1];
    const previous = found.at(-1);
    if (type === 'Line' && previous?.end === first && !previous.text.includes('\n\n') && isLineComment(source, start)) {
      found[found.length - 1] = { line: previous.line, end: after, text: `${previous.text}\n${value}` };
    } else {
      found.push({ line: first, end: after, text: type === 'Line' ? value : proseOf(value) });
    }
  }
  return found;
}

/** Whether nothing but spaces precedes a comment in its line. */
function isLineComment(source: string, start: number): boolean {
  return source.slice(source.lastIndexOf('\n', start - 1) + 1, start).trim() === '';
}

/** Returns the text of a block comment without its stars, tags and link marks. */
function proseOf(comment: string): string {
  return comment
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, '').replace(/^@(?:param|returns|throws|template|see|example)\b\s*(?:\w+ -)?/, ''))
    .join('\n')
    .replace(/\{@link(?:code|plain)? ([^}|]*)(?:\|([^}]*))?\}/g, (_, target: string, label?: string) => {
      return `\`${(label ?? target).replaceAll('`', '').trim()}\``;
    });
}

/** Returns the names of the tests and suites of a file. Expressions in a name become code. */
export function testNamesOf(path: string, source: string): Piece[] {
  if (!HAS_TESTS.test(path)) return [];
  const lineOf = lines(source);
  return [...source.matchAll(TITLED)].map((match) => {
    const name = (match[1] ?? match[2] ?? match[3])!;
    const line = lineOf(match.index + match[0].length - 1);
    return { line, end: line + 1, text: name.replace(/\$\{[^}]*\}/g, '`x`').replace(/\\(.)/g, '$1') };
  });
}

/**
 * Returns the comments and test names of a file as Markdown, each in the line that it has in the file. Other lines are empty.
 */
export function markdownOf(path: string, source: string): string {
  const result = source.split('\n').map(() => '');
  const put = (line: number, text: string): void => {
    result[line] = `${result[line]} ${text.trim()}`.trim();
  };
  for (const { line, text } of commentsOf(path, source))
    for (const [index, part] of text.split('\n').entries()) put(line + index, part);
  // As a heading, a name ends the paragraph of a comment in the line before.
  for (const { line, text } of testNamesOf(path, source)) put(line, `# ${text.replaceAll('\n', ' ')}`);
  return result.join('\n');
}

/** Returns a function from offset to zero-based line. */
function lines(source: string): (offset: number) => number {
  const starts = [0];
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
}
