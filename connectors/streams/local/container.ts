import { randomBytes } from 'node:crypto';

/**
 * Framing of Avro Object Container Files (Avro specification 1.11, "Object Container Files"): a header of magic, metadata
 * map and sync marker, then blocks of record count, byte size, records and the sync marker again.
 *
 * All sizes are bytes. Nothing here knows files or streams.
 */

const MAGIC = Buffer.from('Obj\x01', 'latin1');

/** Length of a sync marker. */
export const SYNC_BYTES = 16;
/** The longest encoding of a long. */
const LONG_BYTES = 10;
/** The longest start of a block: its record count and its byte size. */
export const BLOCK_START_BYTES = 2 * LONG_BYTES;
/** Headers hold a schema and a few words. What claims to be longer is damage, not a header. */
export const MOST_HEADER_BYTES = 16 * 1024 * 1024;

export interface ContainerHeader {
  /** `avro.schema`: the text of the schema that the records were written with. */
  readonly schema: string;
  readonly sync: Buffer;
  /** Length of the header: where the first block starts. */
  readonly bytes: number;
}

/** Encodes a header with a fresh sync marker. `metadata` goes beside `avro.schema` and `avro.codec` (always null: records are stored as they are). */
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

/** Reads a header from the beginning of a file: 'incomplete' where `bytes` end before it does, 'invalid' where they are no header of ours. */
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
      // A header that was cut off ends within text. Where a damaged length reaches into blocks there is more than text.
      throw bytes.subarray(at).every(isTextByte) ? 'incomplete' : 'invalid';
    }
    at += length;
    return bytes.subarray(at - length, at);
  };
  try {
    for (let entries = long(); entries !== 0; entries = long()) {
      // A negative count is followed by the byte size of the map's block.
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

/** The start of a block. */
export interface BlockStart {
  /** Records in the block. */
  readonly count: number;
  /** Bytes of the encoded records. */
  readonly size: number;
  /** Length of this start: where the records begin, from the block's first byte. */
  readonly bytes: number;
}

/** Reads the start of a block at `at`; undefined where there is none (cut off, or not plausible). */
export function decodeBlockStart(buffer: Buffer, at: number): BlockStart | undefined {
  const count = decodeLong(buffer, at);
  if (typeof count === 'string' || count.value <= 0) return undefined;
  const size = decodeLong(buffer, count.end);
  if (typeof size === 'string' || size.value < 0) return undefined;
  return { count: count.value, size: size.value, bytes: size.end - at };
}

/** Writes the start of a block so that it ends at `end`; returns where it begins. */
export function writeBlockStart(buffer: Buffer, end: number, count: number, size: number): number {
  const start = end - longBytes(count) - longBytes(size);
  writeLong(buffer, writeLong(buffer, start, count), size);
  return start;
}

/** Zig-zag, seven bits a byte, low bits first. Only values from 0 are ever written here. */
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
      // Counts and sizes beyond 2^52 are damage; below, a number holds the long exactly.
      if (zigzag > Number.MAX_SAFE_INTEGER) return 'invalid';
      return { value: zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2, end: index + 1 };
    }
    factor *= 128;
  }
  return 'invalid';
}
