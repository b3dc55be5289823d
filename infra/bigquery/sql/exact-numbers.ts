import { isSymbol, isWord, statementsOf, type Token } from './tokens.ts';

/** The emulator's type for all exact numeric types. In the real service, BIGNUMERIC has more digits. */
const EXACT = 'NUMERIC(38, 9)';

/**
 * Returns the SQL text with an explicit precision and scale for its exact numeric types. Without them, the emulator silently
 * keeps only three decimal places.
 */
export function withExactNumbers(text: string): string {
  let written = '';
  let at = 0;
  for (const { tokens } of statementsOf(text)) {
    const defines = isWord(tokens[0], 'CREATE', 'ALTER');
    for (const [index, token] of tokens.entries()) {
      if (!isWord(token, 'NUMERIC', 'DECIMAL', 'BIGNUMERIC', 'BIGDECIMAL') || !isType(tokens, index, defines)) continue;
      written += text.slice(at, token.start) + EXACT;
      at = token.end;
    }
  }
  return written + text.slice(at);
}

function isType(tokens: readonly Token[], index: number, defines: boolean): boolean {
  const [before, after] = [tokens[index - 1], tokens[index + 1]];
  if (isSymbol(after, '(') || after?.kind === 'string') return false;
  if (isWord(before, 'AS')) return isSymbol(after, ')');
  if (isSymbol(before, '<')) return isSymbol(after, '>');
  return defines && (before?.kind === 'word' || before?.kind === 'name');
}
