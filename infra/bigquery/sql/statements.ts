import { isSymbol, type Token, tokensOf } from './tokens.ts';

/** One statement of a text. */
export interface Statement {
  readonly tokens: readonly Token[];
  /** Where it begins in the text, and where it ends (before its semicolon). */
  readonly start: number;
  readonly end: number;
}

/** The statements of a text: what stands between its semicolons. Blocks (`BEGIN … END`, `IF`) are not told apart. */
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
