import { pathBytes } from './files/path-bytes.ts';
import { visible } from './visible.ts';

/**
 * Quotes a word for a POSIX shell if necessary. A word with a backtick or an invisible character becomes a call of printf, so
 * that the printed command is both visible and exact. Line breaks at the end of such a word are lost.
 */
export function shellWord(word: string): string {
  if (/^[\w./:@%+=-]+$/.test(word)) return word;
  // A backtick would end the command in a text.
  if (visible(word) === word && !word.includes('`')) return `'${word.replaceAll("'", "'\\''")}'`;
  const bytes = [...pathBytes(word)].map((byte) => {
    const sign = String.fromCharCode(byte);
    return /[\w./:@+= ]/.test(sign) ? sign : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `"$(printf '${bytes.join('')}')"`;
}
