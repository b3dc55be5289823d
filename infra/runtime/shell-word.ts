/** Characters that a terminal does not show, such as control characters, and backticks, which end a command in a text. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}`]/u;

/**
 * Quotes a word for a POSIX shell if necessary. A word with a backtick or an invisible character becomes a call of printf, so
 * that the printed command is both visible and exact. Line breaks at the end of such a word are lost.
 */
export function shellWord(word: string): string {
  if (/^[\w./:@%+=-]+$/.test(word)) return word;
  if (!unseen.test(word)) return `'${word.replaceAll("'", "'\\''")}'`;
  const bytes = [...Buffer.from(word)].map((byte) => {
    const sign = String.fromCharCode(byte);
    return /[\w./:@+= ]/.test(sign) ? sign : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `"$(printf '${bytes.join('')}')"`;
}
