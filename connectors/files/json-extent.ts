const QUOTE = 34;
const BACKSLASH = 92;
const SCALAR = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

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

/** Returns the position after the last byte before `end` that is not JSON white space. */
export function trimEnd(bytes: Uint8Array, end: number): number {
  let position = end;
  while (position > 0) {
    const byte = bytes[position - 1];
    if (byte !== 32 && byte !== 9 && byte !== 10 && byte !== 13) return position;
    position -= 1;
  }
  return position;
}

/** Returns the position after the string whose opening quote is at `at`; -1 if it does not end. */
export function stringEnd(bytes: Uint8Array, at: number): number {
  let position = at + 1;
  let byte = bytes[position++];
  while (byte !== QUOTE) {
    if (byte === undefined) return -1;
    if (byte === BACKSLASH) position += 1;
    byte = bytes[position++];
  }
  return position;
}

/** Returns the position after the value that starts at `at`; -1 if there is no value or it does not end. */
export function valueEnd(bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  if (first === QUOTE) return stringEnd(bytes, at);
  if (first !== 123 && first !== 91) return scalarEnd(bytes, at);
  const { length } = bytes;
  let depth = 0;
  let position = at;
  while (position < length) {
    const byte = bytes[position]!;
    if (byte === QUOTE) {
      position = stringEnd(bytes, position);
      if (position < 0) return -1;
      continue;
    }
    position += 1;
    if (byte === 123 || byte === 91) depth += 1;
    else if (byte === 125 || byte === 93) {
      depth -= 1;
      if (depth === 0) return position;
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

/**
 * Whether the bytes from `at` on are the beginning of one JSON object or array that does not end. Returns false at the
 * first byte that cannot continue the value.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a scanner: one pass over the bytes
export function isCutOff(bytes: Buffer, at: number): boolean {
  /** The closing brackets of the open objects and arrays. */
  const closing: number[] = [];
  let next: 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'comma' = 'value';
  for (let position = skipSpace(bytes, at); position < bytes.length; position = skipSpace(bytes, position)) {
    const byte = bytes[position]!;
    if (byte === closing.at(-1) && (next === 'comma' || next.startsWith('first'))) {
      closing.pop();
      position += 1;
      next = 'comma';
      if (closing.length === 0) return false;
    } else if (next === 'comma' || next === 'colon') {
      if (byte !== (next === 'comma' ? 44 : 58)) return false;
      position += 1;
      next = next === 'colon' || closing.at(-1) === 93 ? 'value' : 'name';
    } else if (byte === QUOTE) {
      const end = stringEnd(bytes, position);
      if (bytes.subarray(position, end < 0 ? bytes.length : end).some((one) => one < 32)) return false;
      if (end < 0) return true;
      position = end;
      next = next.endsWith('name') ? 'colon' : 'comma';
    } else if (next.endsWith('name')) return false;
    else if (byte === 123 || byte === 91) {
      closing.push(byte + 2);
      position += 1;
      next = byte === 123 ? 'first name' : 'first value';
    } else {
      const end = scalarEnd(bytes, position);
      if (closing.length === 0 || end < 0) return false;
      if (end < bytes.length && !SCALAR.test(bytes.toString('latin1', position, end))) return false;
      position = end;
      next = 'comma';
    }
  }
  return closing.length > 0;
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
