const rotate = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

/**
 * Hashes a partition key to a signed 16-bit number. Computes Jenkins' lookup3 hash of the UTF-8 bytes, XORs its two
 * halves, and truncates the result. The official buffered producer selects partitions itself, so both must compute the
 * same hash. Otherwise, events with the same key could go to different partitions.
 */
function partitionKeyHash(key: string): number {
  const bytes = Buffer.from(key, 'utf8');
  if (bytes.length === 0) return 0;
  const words = Buffer.alloc(Math.ceil(bytes.length / 12) * 12);
  bytes.copy(words);
  let a = (0xdeadbeef + bytes.length) | 0;
  let b = a;
  let c = a;
  let at = 0;
  const take = () => {
    a = (a + words.readInt32LE(at)) | 0;
    b = (b + words.readInt32LE(at + 4)) | 0;
    c = (c + words.readInt32LE(at + 8)) | 0;
    at += 12;
  };
  while (bytes.length - at > 12) {
    take();
    a = (a - c) ^ rotate(c, 4);
    c = (c + b) | 0;
    b = (b - a) ^ rotate(a, 6);
    a = (a + c) | 0;
    c = (c - b) ^ rotate(b, 8);
    b = (b + a) | 0;
    a = (a - c) ^ rotate(c, 16);
    c = (c + b) | 0;
    b = (b - a) ^ rotate(a, 19);
    a = (a + c) | 0;
    c = (c - b) ^ rotate(b, 4);
    b = (b + a) | 0;
  }
  take();
  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  c = ((c ^ b) - rotate(b, 24)) | 0;
  return ((c ^ b) << 16) >> 16;
}

/** Returns the partition of a key, from 0 to `partitions` - 1. */
export function partitionOfKey(key: string, partitions: number): number {
  return Math.abs(partitionKeyHash(key) % partitions);
}
