import { isSymbol, type Token, tokensOf } from './tokens.ts';

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
