import { createHash } from 'node:crypto';

const known = new Map<string, bigint>();

/** `_origin` of a row: the first 64 bits, signed, of the SHA-256 of source and partition (a NUL between them). */
export function originOf(source: string, partition: string): bigint {
  const name = `${source}\0${partition}`;
  let origin = known.get(name);
  if (origin === undefined) {
    origin = createHash('sha256').update(name).digest().readBigInt64BE(0);
    // A plain event file is a partition of its own, so the names are many; starting over costs only hashes.
    if (known.size >= 10_000) known.clear();
    known.set(name, origin);
  }
  return origin;
}
