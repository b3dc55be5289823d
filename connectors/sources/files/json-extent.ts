const QUOTE = 34;
const BACKSLASH = 92;

// Scans JSON bytes for the ends of values, respecting strings and nesting, without decoding them. Every valid value is
// measured correctly. An invalid value may pass; the parser rejects it later.

/** Returns the first position at or after `at` that is not JSON white space. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  let position = at;
  for (; ; position += 1) {
    const byte = bytes[position];
    if (byte !== 32 && byte !== 9 && byte !== 10 && byte !== 13) return position;
  }
}

/** Returns the position after the string whose opening quote is at `at`; -1 if it does not end. */
export function stringEnd(bytes: Uint8Array, at: number): number {
  for (let position = at + 1; position < bytes.length; position += 1) {
    const byte = bytes[position];
    if (byte === BACKSLASH) position += 1;
    else if (byte === QUOTE) return position + 1;
  }
  return -1;
}

/** Returns the position after the value that starts at `at`; -1 if there is no value or it does not end. */
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

/**
 * Returns slices for the elements of the array that starts at `at`, and the position after its closing bracket. Returns
 * undefined if the array is incomplete.
 */
export function elements(bytes: Buffer, at: number): { readonly values: Buffer[]; readonly end: number } | undefined {
  const values: Buffer[] = [];
  let position = skipSpace(bytes, at + 1);
  if (bytes[position] === 93) return { values, end: position + 1 };
  while (true) {
    const end = valueEnd(bytes, position);
    if (end < 0) return undefined;
    values.push(bytes.subarray(position, end));
    position = skipSpace(bytes, end);
    if (bytes[position] === 93) return { values, end: position + 1 };
    if (bytes[position] !== 44) return undefined;
    position = skipSpace(bytes, position + 1);
  }
}

/** Returns the end of a number or literal: the next white space, comma or closing bracket. */
function scalarEnd(bytes: Uint8Array, at: number): number {
  let position = at;
  for (; position < bytes.length; position += 1) {
    const byte = bytes[position]!;
    if (byte === 44 || byte === 125 || byte === 93 || byte <= 32) break;
  }
  return position === at ? -1 : position;
}
