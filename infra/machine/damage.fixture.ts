/** The damaged content of a file, and how it was damaged. */
export interface Damaged {
  readonly what: string;
  readonly content: Buffer;
}

/**
 * Yields the damage that a failing disk may do to a file: flipped bits, zeros, and content that is cut, empty or partly
 * repeated. With `step` n, yields only the damage at every n-th bit and length. Default: all.
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
