/** A damaged content of a file, and what happened to it. */
export interface Damaged {
  readonly what: string;
  readonly content: Buffer;
}

/**
 * Yields what a failing disk may make of a file: flipped bits, a content that is cut, partly repeated or empty, and zeros.
 * `step`: only every so many bits and lengths are damaged. Default: all.
 */
export function* damagesOf(bytes: Buffer, step = 1): Generator<Damaged> {
  for (let bit = 0; bit < bytes.length * 8; bit += step) yield { what: `bit ${bit} flipped`, content: flipped(bytes, bit) };
  for (let length = 0; length < bytes.length; length += step) {
    const start = bytes.subarray(0, length);
    yield { what: `cut to ${length} bytes`, content: Buffer.from(start) };
    if (length > 0) yield { what: `the first ${length} bytes repeated`, content: Buffer.concat([start, bytes]) };
  }
  yield { what: 'repeated', content: Buffer.concat([bytes, bytes]) };
  yield { what: 'zeros', content: Buffer.alloc(bytes.length) };
}

export function flipped(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[bit >> 3]! ^= 1 << (bit & 7);
  return copy;
}
