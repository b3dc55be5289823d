import { randomBytes } from 'node:crypto';

/**
 * Framing of Avro Object Container Files (Avro specification 1.11, "Object Container Files"). A file starts with a
 * header, which contains magic bytes, a metadata map and a sync marker. Blocks follow the header. Each block contains a record
 * count, a byte size, the records and the same sync marker.
 *
 * All sizes are in bytes. This module depends neither on files nor on streams.
 */

const MAGIC = Buffer.from('Obj\x01', 'latin1');

export const SYNC_BYTES = 16;
/** The maximum size of an encoded long, in bytes. */
const LONG_BYTES = 10;
/** The maximum size of the start of a block, in bytes: its record count and its byte size. */
export const BLOCK_START_BYTES = 2 * LONG_BYTES;
/** Maximum size of a header, in bytes. A header contains a schema and a few short entries, so a larger header is damaged. */
export const MOST_HEADER_BYTES = 16 * 1024 * 1024;

export interface ContainerHeader {
  /** `avro.schema`: the text of the schema that the records were written with. */
  readonly schema: string;
  readonly sync: Buffer;
  /** Length of the header in bytes. The first block starts at this offset. */
  readonly bytes: number;
}

/**
 * Encodes a header with a new random sync marker. Its metadata map contains `avro.schema`, `avro.codec` and the entries of
 * `metadata`. The codec is always null (no compression).
 */
export function encodeHeader(schema: string, metadata: Readonly<Record<string, string>>): { bytes: Buffer; sync: Buffer } {
  const entries = Object.entries({ 'avro.schema': schema, 'avro.codec': 'null', ...metadata });
  const parts: Buffer[] = [MAGIC, encodeLong(entries.length)];
  for (const [key, value] of entries) {
    for (const text of [key, value]) {
      const encoded = Buffer.from(text, 'utf8');
      parts.push(encodeLong(encoded.length), encoded);
    }
  }
  const sync = randomBytes(SYNC_BYTES);
  parts.push(encodeLong(0), sync);
  return { bytes: Buffer.concat(parts), sync };
}

/**
 * Decodes a header at the start of a file. Returns 'incomplete' if `bytes` ends before the header does, and 'invalid' if the
 * header is not valid.
 */
export function decodeHeader(bytes: Buffer): ContainerHeader | 'incomplete' | 'invalid' {
  const magic = bytes.subarray(0, MAGIC.length);
  if (!magic.equals(MAGIC.subarray(0, magic.length))) return 'invalid';
  if (magic.length < MAGIC.length) return 'incomplete';

  const metadata = new Map<string, Buffer>();
  let at = MAGIC.length;
  const long = (): number => {
    const read = decodeLong(bytes, at);
    if (typeof read === 'string') throw read;
    at = read.end;
    return read.value;
  };
  const text = (): Buffer => {
    const length = long();
    if (length < 0 || length > MOST_HEADER_BYTES) throw 'invalid';
    if (at + length > bytes.length) {
      // If only text follows, the header was truncated within this text. If other bytes follow, the length is damaged, because it
      // extends into the blocks.
      throw bytes.subarray(at).every(isTextByte) ? 'incomplete' : 'invalid';
    }
    at += length;
    return bytes.subarray(at - length, at);
  };
  try {
    for (let entries = long(); entries !== 0; entries = long()) {
      // In Avro, a negative count is followed by the byte size of the map's block.
      if (entries < 0) long();
      for (let left = Math.abs(entries); left > 0; left -= 1) {
        const key = text().toString('utf8');
        metadata.set(key, text());
      }
    }
  } catch (problem) {
    if (problem === 'incomplete' || problem === 'invalid') return problem;
    throw problem;
  }
  if (at + SYNC_BYTES > bytes.length) return 'incomplete';
  const schema = metadata.get('avro.schema')?.toString('utf8');
  if (schema === undefined || (metadata.get('avro.codec') ?? 'null').toString() !== 'null') return 'invalid';
  return { schema, sync: Buffer.from(bytes.subarray(at, at + SYNC_BYTES)), bytes: at + SYNC_BYTES };
}

function isTextByte(byte: number): boolean {
  return byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

/** The start of a block: its record count and its byte size. */
export interface BlockStart {
  readonly count: number;
  /** Size of the encoded records, in bytes. */
  readonly size: number;
  /** Length of the encoded start in bytes. The records follow it. */
  readonly bytes: number;
}

/** Decodes the start of the block that begins at index `at`. Returns undefined if it is truncated or implausible. */
export function decodeBlockStart(buffer: Buffer, at: number): BlockStart | undefined {
  const count = decodeLong(buffer, at);
  if (typeof count === 'string' || count.value <= 0) return undefined;
  const size = decodeLong(buffer, count.end);
  if (typeof size === 'string' || size.value < 0) return undefined;
  return { count: count.value, size: size.value, bytes: size.end - at };
}

/** Writes the start of a block so that it ends at `end`. Returns the index of its first byte. */
export function writeBlockStart(buffer: Buffer, end: number, count: number, size: number): number {
  const start = end - longBytes(count) - longBytes(size);
  writeLong(buffer, writeLong(buffer, start, count), size);
  return start;
}

/** Writes a non-negative integer in Avro's zig-zag encoding: seven bits per byte, low bits first. */
function writeLong(buffer: Buffer, at: number, value: number): number {
  let rest = value * 2;
  let end = at;
  for (; rest >= 128; rest = Math.floor(rest / 128)) buffer[end++] = (rest % 128) + 128;
  buffer[end++] = rest;
  return end;
}

function longBytes(value: number): number {
  let bytes = 1;
  for (let rest = value * 2; rest >= 128; rest = Math.floor(rest / 128)) bytes += 1;
  return bytes;
}

function encodeLong(value: number): Buffer {
  const bytes = Buffer.alloc(longBytes(value));
  writeLong(bytes, 0, value);
  return bytes;
}

function decodeLong(buffer: Buffer, at: number): { value: number; end: number } | 'incomplete' | 'invalid' {
  let zigzag = 0;
  let factor = 1;
  for (let index = at; index < at + LONG_BYTES; index += 1) {
    const byte = buffer[index];
    if (byte === undefined) return 'incomplete';
    zigzag += (byte & 0x7f) * factor;
    if (byte < 0x80) {
      // A count or size of 2^52 or more is a sign of damage. Below 2^52, a JavaScript number represents the long exactly.
      if (zigzag > Number.MAX_SAFE_INTEGER) return 'invalid';
      return { value: zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2, end: index + 1 };
    }
    factor *= 128;
  }
  return 'invalid';
}
