import { type Random, randomOf, stream } from './random.ts';

const hexadecimal = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function wordText(word: number): string {
  return (
    hexadecimal[word >>> 24]! + hexadecimal[(word >>> 16) & 255]! + hexadecimal[(word >>> 8) & 255]! + hexadecimal[word & 255]!
  );
}

function uuid(random: Random, version: 4 | 5): string {
  const [a, b, c, d] = [random.word(), random.word(), random.word(), random.word()];
  const second = wordText((b & 0xffff_0fff) | (version << 12));
  const third = wordText((c & 0x3fff_ffff) | 0x8000_0000);
  return `${wordText(a)}-${second.slice(0, 4)}-${second.slice(4)}-${third.slice(0, 4)}-${third.slice(4)}${wordText(d)}`;
}

/** Draws a version 4 UUID. Users, teams, devices and deliveries have ids of this form. */
export function freshUuid(random: Random): string {
  return uuid(random, 4);
}

/**
 * Returns a UUID in version 5 form. The same numbers always give the same UUID, so all versions of a summary have the
 * same id.
 */
export function stableUuid(...words: number[]): string {
  return uuid(randomOf(stream.identifier, ...words), 5);
}

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Generates an id like those that customers assign to their users. Customers may use any string. The published examples
 * are a UUID, a ULID and a base64 string.
 */
export function customerId(random: Random): string {
  const form = random.whole(0, 2);
  if (form === 0) return freshUuid(random);
  if (form === 1) return `01${Array.from({ length: 24 }, () => crockford[random.whole(0, 31)]).join('')}`;
  const bytes = Buffer.alloc(16);
  for (let i = 0; i < 16; i += 4) bytes.writeUInt32LE(random.word(), i);
  return bytes.toString('base64');
}

/** Hashes an id to 32 bits (FNV-1a over its characters). A user's hash determines the partition. */
export function scatter(text: string): number {
  let hash = 0x811c_9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x0100_0193);
  // The low bits determine the partition, but FNV-1a distributes them poorly for strings of equal length.
  return (hash ^ (hash >>> 15)) >>> 0;
}
