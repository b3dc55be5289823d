const QUOTE = 34;
const BACKSLASH = 92;

/**
 * A scanner of JSON bytes that finds where values end, strings and nesting considered, without making anything of them.
 * It takes every valid value for what it is; an invalid one may pass, and is then refused by whoever parses it.
 */

/** The first position from `at` on that is not JSON white space. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  let position = at;
  for (; ; position += 1) {
    const byte = bytes[position];
    if (byte !== 32 && byte !== 9 && byte !== 10 && byte !== 13) return position;
  }
}

/** The position after the string that begins at `at` with its quote; -1 where it does not end. */
export function stringEnd(bytes: Uint8Array, at: number): number {
  for (let position = at + 1; position < bytes.length; position += 1) {
    const byte = bytes[position];
    if (byte === BACKSLASH) position += 1;
    else if (byte === QUOTE) return position + 1;
  }
  return -1;
}

/** The position after the value that begins at `at`; -1 where there is none or it does not end. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a scanner: one pass over the bytes
export function valueEnd(bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  if (first === QUOTE) return stringEnd(bytes, at);
  if (first !== 123 && first !== 91) return scalarEnd(bytes, at);
  let depth = 0;
  for (let position = at; position < bytes.length; position += 1) {
    const byte = bytes[position];
    if (byte === QUOTE) {
      const end = stringEnd(bytes, position);
      if (end < 0) return -1;
      position = end - 1;
    } else if (byte === 123 || byte === 91) depth += 1;
    else if (byte === 125 || byte === 93) {
      depth -= 1;
      if (depth === 0) return position + 1;
    }
  }
  return -1;
}

/** The values of the array that begins at `at`, as slices; undefined where it is no array that ends. */
export function elements(bytes: Buffer, at: number): Buffer[] | undefined {
  const values: Buffer[] = [];
  let position = skipSpace(bytes, at + 1);
  if (bytes[position] === 93) return values;
  while (true) {
    const end = valueEnd(bytes, position);
    if (end < 0) return undefined;
    values.push(bytes.subarray(position, end));
    position = skipSpace(bytes, end);
    if (bytes[position] === 93) return values;
    if (bytes[position] !== 44) return undefined;
    position = skipSpace(bytes, position + 1);
  }
}

/** Numbers and literals: everything up to white space, a comma or a closing bracket. */
function scalarEnd(bytes: Uint8Array, at: number): number {
  let position = at;
  for (; position < bytes.length; position += 1) {
    const byte = bytes[position]!;
    if (byte === 44 || byte === 125 || byte === 93 || byte <= 32) break;
  }
  return position === at ? -1 : position;
}
