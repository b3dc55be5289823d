import { type Expression, type ParseResult, parseSync, Visitor } from 'oxc-parser';

/** The functions whose first argument is the name of a test or suite. */
const NAMING = new Set(['test', 'it', 'describe']);
/** Comments that tools read. */
const DIRECTIVE = /^\s*(?:biome-ignore|@ts-|v8 ignore|@type\b)/;
const HAS_TESTS = /\.test\.ts$|^test\/conformance\//;

/** Text in a source file. */
export interface Piece {
  /** Zero-based number of the first line of the text. */
  readonly line: number;
  /** Zero-based number of the line after the text. */
  readonly end: number;
  readonly text: string;
}

/**
 * Returns the comments of a TypeScript file. `//` comments on consecutive lines are one comment. Throws an `Error` if the file
 * cannot be parsed.
 */
export function commentsOf(path: string, source: string): Piece[] {
  return commentsIn(parse(path, source), source);
}

function parse(path: string, source: string): ParseResult {
  const result = parseSync(path, source);
  if (result.errors.length > 0) throw new Error(`${path}: ${result.errors[0]!.message}`);
  return result;
}

function commentsIn({ comments }: ParseResult, source: string): Piece[] {
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

/** Whether a comment is preceded only by spaces on its line. */
function isLineComment(source: string, start: number): boolean {
  return source.slice(source.lastIndexOf('\n', start - 1) + 1, start).trim() === '';
}

/** Returns the text of a block comment without its stars, tags and link markup. */
function proseOf(comment: string): string {
  return comment
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, '').replace(/^@(?:param|returns|throws|template|see|example)\b\s*(?:\w+ -)?/, ''))
    .join('\n')
    .replace(/\{@link(?:code|plain)? ([^}|]*)(?:\|([^}]*))?\}/g, (_, target: string, label?: string) => {
      return `\`${(label ?? target).replaceAll('`', '').trim()}\``;
    });
}

/** The name of a test or suite. */
export interface TestName extends Piece {
  /** Names of the suites that contain the test or suite, the outermost first. */
  readonly suites: readonly string[];
}

/**
 * Returns the names of the tests and suites of a file. A template expression in a name is replaced by a code span, or removed if
 * its value can be an empty string.
 */
export function testNamesOf(path: string, source: string): TestName[] {
  return HAS_TESTS.test(path) ? testNamesIn(parse(path, source), source) : [];
}

function testNamesIn({ program }: ParseResult, source: string): TestName[] {
  const lineOf = lines(source);
  const names: TestName[] = [];
  const enclosing: { readonly end: number; readonly text: string }[] = [];
  new Visitor({
    CallExpression({ callee, arguments: [name], start, end: after }) {
      if (name === undefined || name.type === 'SpreadElement' || !NAMING.has(functionOf(callee))) return;
      const text = textOf(name)?.trim();
      if (text === undefined) return;
      while (enclosing.length > 0 && enclosing.at(-1)!.end <= start) enclosing.pop();
      const line = lineOf(name.start);
      names.push({ line, end: line + 1, text, suites: enclosing.map((suite) => suite.text) });
      enclosing.push({ end: after, text });
    },
  }).visit(program);
  return names;
}

/** Returns the name of the function at the start of a call, such as `describe` for `describe.skipIf(…).concurrent(…)`. */
function functionOf(callee: Expression): string {
  if (callee.type === 'MemberExpression') return functionOf(callee.object);
  if (callee.type === 'CallExpression') return functionOf(callee.callee);
  return callee.type === 'Identifier' ? callee.name : '';
}

/** Returns the text of a string or template, or undefined for any other expression. */
function textOf(expression: Expression): string | undefined {
  if (expression.type === 'Literal') return typeof expression.value === 'string' ? expression.value : undefined;
  if (expression.type !== 'TemplateLiteral') return undefined;
  const { quasis, expressions } = expression;
  return quasis
    .map(({ value }, index) => value.cooked + (index < expressions.length ? standIn(expressions[index]!) : ''))
    .join('');
}

/** Returns the text that replaces a template expression. */
function standIn(expression: Expression): string {
  if (expression.type === 'Identifier') return `\`${expression.name}\``;
  const values =
    expression.type === 'ConditionalExpression'
      ? [expression.consequent, expression.alternate]
      : expression.type === 'LogicalExpression'
        ? [expression.right]
        : [];
  return values.some((value) => textOf(value) === '') ? '' : '`x`';
}

/** Returns the comments and test names of a file as Markdown, each on its original line. Other lines are empty. */
export function markdownOf(path: string, source: string): string {
  const result = source.split('\n').map(() => '');
  const put = (line: number, text: string): void => {
    result[line] = `${result[line]} ${text.trim()}`.trim();
  };
  const parsed = parse(path, source);
  for (const { line, text } of commentsIn(parsed, source))
    for (const [index, part] of text.split('\n').entries()) put(line + index, part);
  // A name becomes a heading, so that it does not continue the paragraph of a comment on the line before.
  const names = HAS_TESTS.test(path) ? testNamesIn(parsed, source) : [];
  for (const { line, text } of names) put(line, `# ${text.replaceAll('\n', ' ')}`);
  return result.join('\n');
}

/** Returns a function that maps an offset to a zero-based line number. */
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
