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
