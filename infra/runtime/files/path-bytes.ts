import { isUtf8 } from 'node:buffer';

/** Added to a byte that is not UTF-8. The sum is half a surrogate pair, which no UTF-8 text contains. */
const ESCAPE = 0xdc00;

/**
 * Returns the bytes of a file name as text. A name need not be UTF-8 on POSIX systems. Each byte that is not UTF-8 becomes the
 * code unit U+DC00 + byte, as in Python's `surrogateescape`. So different names have different texts.
 */
export function pathText(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find((size) => at + size <= bytes.length && isUtf8(bytes.subarray(at, at + size)));
    text += length === undefined ? String.fromCharCode(ESCAPE + bytes[at]!) : bytes.toString('utf8', at, at + length);
    at += length ?? 1;
  }
  return text;
}

/** Returns the bytes of a path: the inverse of {@link pathText}. */
export function pathBytes(text: string): Buffer {
  const parts = text.split(/([\udc80-\udcff])/u);
  return Buffer.concat(
    parts.map((part, index) => (index % 2 === 0 ? Buffer.from(part) : Buffer.from([part.charCodeAt(0) - ESCAPE]))),
  );
}

/** Returns a path for the functions of `node:fs`. */
export function systemPath(text: string): string | Buffer {
  return text.isWellFormed() ? text : pathBytes(text);
}
