export interface Token {
  /** `word`: a keyword or a plain name; `name`: a name in backticks */
  readonly kind: 'word' | 'name' | 'string' | 'number' | 'symbol';
  /** The text of the token, without the quotes of a string or the backticks of a name. Escapes are unchanged. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const SPACE = /\s+|--[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\//y;
const STRING = /(?:[rRbB]{0,2})("""[\s\S]*?(?<!\\)"""|'''[\s\S]*?(?<!\\)'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')/y;
const NAME = /`((?:\\.|[^`\\])*)`/y;
const WORD = /[@A-Za-z_][@A-Za-z0-9_]*/y;
const NUMBER = /0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const SYMBOL = /<=|>=|<>|!=|\|\||=>|[\s\S]/y;

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/**
 * Returns the tokens of SQL text, without spaces and comments. Accepts any text. Characters that SQL does not use become symbols.
 */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const space = match(SPACE, text, at);
    if (space !== null) {
      at += space[0].length;
      continue;
    }
    const token = tokenAt(text, at);
    tokens.push(token);
    at = token.end;
  }
  return tokens;
}

function tokenAt(text: string, start: number): Token {
  const string = match(STRING, text, start);
  if (string !== null) {
    const quotes = /^("""|'''|"|')/.exec(string[1]!)![0].length;
    return { kind: 'string', text: string[1]!.slice(quotes, -quotes), start, end: start + string[0].length };
  }
  const name = match(NAME, text, start);
  if (name !== null) return { kind: 'name', text: name[1]!, start, end: start + name[0].length };
  for (const [kind, pattern] of [
    ['word', WORD],
    ['number', NUMBER],
    ['symbol', SYMBOL],
  ] as const) {
    const found = match(pattern, text, start);
    if (found !== null) return { kind, text: found[0], start, end: start + found[0].length };
  }
  throw new RangeError('the text has no token at this position');
}

/** Returns true if a token is one of these keywords, in upper or lower case. */
export function isWord(token: Token | undefined, ...words: readonly string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text.toUpperCase());
}

export function isSymbol(token: Token | undefined, symbol: string): boolean {
  return token?.kind === 'symbol' && token.text === symbol;
}

export interface Statement {
  readonly tokens: readonly Token[];
  /**
   * The position of the statement's first character in the text. `end` is the position after its last character, without the
   * semicolon.
   */
  readonly start: number;
  readonly end: number;
}

/** Splits SQL text into statements at its semicolons, including semicolons inside blocks such as `BEGIN … END` and `IF`. */
export function statementsOf(text: string): Statement[] {
  const statements: Statement[] = [];
  let tokens: Token[] = [];
  const end = (): void => {
    if (tokens.length > 0) statements.push({ tokens, start: tokens[0]!.start, end: tokens.at(-1)!.end });
    tokens = [];
  };
  for (const token of tokensOf(text)) {
    if (isSymbol(token, ';')) end();
    else tokens.push(token);
  }
  end();
  return statements;
}

/** The name of a table in a statement. */
interface TablePath {
  /** The parts of the name in order: the project and the dataset, if the name contains them, and then the table. */
  readonly parts: readonly string[];
  /** The index of the token after the name. */
  readonly next: number;
}

/** Reads a name at a token, such as `` `a.b`.c ``, `a.b` or `my-project.a.b`; returns undefined if there is none. */
export function tablePathAt(tokens: readonly Token[], at: number): TablePath | undefined {
  const parts: string[] = [];
  let next = at;
  for (;;) {
    const token = tokens[next];
    if (token?.kind === 'name') parts.push(...token.text.split('.'));
    else if (token?.kind === 'word') {
      let name = token.text;
      // The name of a project may contain hyphens without spaces around them.
      while (isSymbol(tokens[next + 1], '-') && touches(tokens, next) && touches(tokens, next + 1)) {
        name += `-${tokens[next + 2]!.text}`;
        next += 2;
      }
      parts.push(name);
    } else return undefined;
    next++;
    if (!isSymbol(tokens[next], '.')) return { parts, next };
    next++;
  }
}

function touches(tokens: readonly Token[], at: number): boolean {
  return tokens[at]!.end === tokens[at + 1]?.start;
}
