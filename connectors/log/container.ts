import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * Framing of Avro Object Container Files (Avro specification 1.11, "Object Container Files"). A file starts with a
 * header, which contains magic bytes, a metadata map and a sync marker. Blocks follow the header. Each block contains a record
 * count, a byte size, the records and the same sync marker.
 *
 * The codec is `snappy`, because it is the codec with a checksum. The records of a block are a single Snappy literal, that is,
 * they are not compressed and lie in the file as they are in memory.
 *
 * All sizes are in bytes. This module depends neither on files nor on streams.
 */

const MAGIC = Buffer.from('Obj\x01', 'latin1');

export const SYNC_BYTES = 16;
/** The maximum size of an encoded long, in bytes. */
const LONG_BYTES = 10;
/** The maximum size of the start of a Snappy literal, in bytes: the length of the data, the tag and the length of the literal. */
const LITERAL_START_BYTES = 5 + 1 + 4;
/** The maximum size of the start of a block, in bytes: its record count, its byte size and the start of the literal. */
export const BLOCK_START_BYTES = 2 * LONG_BYTES + LITERAL_START_BYTES;
const CHECKSUM_BYTES = 4;
/** The size of the end of a block, in bytes: the checksum of its records and the sync marker. */
export const BLOCK_END_BYTES = CHECKSUM_BYTES + SYNC_BYTES;
/** Maximum size of a header, in bytes. A header contains a schema and a few short entries, so a larger header is damaged. */
export const MOST_HEADER_BYTES = 16 * 1024 * 1024;

const CHECKSUM_TEXT = 8;

export interface ContainerHeader {
  /** `avro.schema`: the text of the schema that the records were written with. */
  readonly schema: string;
  readonly sync: Buffer;
  /** Length of the header in bytes. The first block starts at this offset. */
  readonly bytes: number;
}

export interface StoredHeader extends ContainerHeader {
  readonly metadata: ReadonlyMap<string, string>;
}

/** Name of the last entry of a header: the CRC-32 of all bytes before its value and of the sync marker, as 8 hex digits. */
const CHECKSUM = 'aorta.crc32';

/**
 * Encodes a header. Its metadata map contains `avro.schema`, `avro.codec`, the entries of `metadata` and a checksum. The sync
 * marker is random unless it is given.
 */
export function encodeHeader(
  schema: string,
  metadata: Readonly<Record<string, string>>,
  sync: Buffer = randomBytes(SYNC_BYTES),
): { bytes: Buffer; sync: Buffer } {
  const entries = Object.entries({ 'avro.schema': schema, 'avro.codec': 'snappy', ...metadata });
  const parts: Buffer[] = [MAGIC, encodeLong(entries.length + 1)];
  for (const entry of entries) parts.push(...entry.map(encodeText));
  parts.push(encodeText(CHECKSUM), encodeLong(CHECKSUM_TEXT));
  const before = Buffer.concat(parts);
  return { bytes: Buffer.concat([before, Buffer.from(checksumOf(before, sync), 'latin1'), encodeLong(0), sync]), sync };
}

function checksumOf(before: Buffer, sync: Buffer): string {
  return crc32(sync, crc32(before)).toString(16).padStart(CHECKSUM_TEXT, '0');
}

/**
 * Decodes a header at the start of a file. Returns 'incomplete' if `bytes` ends before the header does, and 'invalid' if the
 * header is not valid.
 */
export function decodeHeader(bytes: Buffer): StoredHeader | 'incomplete' | 'invalid' {
  const magic = bytes.subarray(0, MAGIC.length);
  if (!magic.equals(MAGIC.subarray(0, magic.length))) return 'invalid';
  if (magic.length < MAGIC.length) return 'incomplete';

  const metadata = new Map<string, string>();
  let checksumAt = 0;
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
        metadata.set(key, text().toString('utf8'));
        checksumAt = at - CHECKSUM_TEXT;
      }
    }
  } catch (problem) {
    if (problem === 'incomplete' || problem === 'invalid') return problem;
    throw problem;
  }
  if (at + SYNC_BYTES > bytes.length) return 'incomplete';
  const schema = metadata.get('avro.schema');
  const sync = Buffer.from(bytes.subarray(at, at + SYNC_BYTES));
  const isIntact = metadata.get(CHECKSUM) === checksumOf(bytes.subarray(0, checksumAt), sync);
  if (schema === undefined || !isIntact || metadata.get('avro.codec') !== 'snappy') return 'invalid';
  return { schema, sync, metadata, bytes: at + SYNC_BYTES };
}

function isTextByte(byte: number): boolean {
  return byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

/** The start of a block: its record count, its byte size and the start of the literal. */
export interface BlockStart {
  readonly count: number;
  /** Length of the encoded start in bytes. The records follow it. */
  readonly bytes: number;
  /** Size of the encoded records, in bytes. */
  readonly size: number;
  /** Size of the whole block, in bytes. */
  readonly whole: number;
}

/** Decodes the start of the block that begins at index `at`. Returns undefined if it is truncated or not valid. */
export function decodeBlockStart(buffer: Buffer, at: number): BlockStart | undefined {
  const count = decodeLong(buffer, at);
  if (typeof count === 'string' || count.value <= 0) return undefined;
  const stored = decodeLong(buffer, count.end);
  if (typeof stored === 'string') return undefined;
  const size = literalSize(stored.value);
  if (size <= 0) return undefined;
  const end = stored.end + literalStartBytes(size);
  if (end > buffer.length) return undefined;
  const start = Buffer.allocUnsafe(LITERAL_START_BYTES);
  if (buffer.compare(start, 0, writeLiteralStart(start, 0, size), stored.end, end) !== 0) return undefined;
  return { count: count.value, size, bytes: end - at, whole: end - at + size + BLOCK_END_BYTES };
}

/** Writes the start of a block so that it ends at `end`. Returns the index of its first byte. */
export function writeBlockStart(buffer: Buffer, end: number, count: number, size: number): number {
  const literalAt = end - literalStartBytes(size);
  const stored = end - literalAt + size + CHECKSUM_BYTES;
  const start = literalAt - longBytes(count) - longBytes(stored);
  writeLong(buffer, writeLong(buffer, start, count), stored);
  writeLiteralStart(buffer, literalAt, size);
  return start;
}

/** Writes the checksum of the records from `start` to `end` behind them. */
export function writeChecksum(buffer: Buffer, start: number, end: number): void {
  buffer.writeUInt32BE(crc32(buffer.subarray(start, end)), end);
}

/** Returns whether the records from `start` to `end` have the checksum that follows them. */
export function hasChecksum(buffer: Buffer, start: number, end: number): boolean {
  return buffer.readUInt32BE(end) === crc32(buffer.subarray(start, end));
}

/**
 * Writes the start of a Snappy literal of `size` bytes, and returns the index after it. The length of the data comes first, with
 * 7 bits per byte, low bits first. A tag with the length of the literal minus one follows.
 */
function writeLiteralStart(buffer: Buffer, at: number, size: number): number {
  let end = at;
  let rest = size;
  for (; rest >= 128; rest = Math.floor(rest / 128)) buffer[end++] = (rest % 128) + 128;
  buffer[end++] = rest;
  const bytes = lengthBytes(size);
  buffer[end++] = bytes === 0 ? (size - 1) * 4 : (59 + bytes) * 4;
  return bytes === 0 ? end : buffer.writeUIntLE(size - 1, end, bytes);
}

/** Number of bytes after the tag of a literal that hold its length; 0 if the tag itself holds it. */
function lengthBytes(size: number): number {
  if (size <= 60) return 0;
  let bytes = 1;
  for (let rest = size - 1; rest >= 256; rest = Math.floor(rest / 256)) bytes += 1;
  return bytes;
}

function literalStartBytes(size: number): number {
  let bytes = 2 + lengthBytes(size);
  for (let rest = size; rest >= 128; rest = Math.floor(rest / 128)) bytes += 1;
  return bytes;
}

/** Returns the size of the records in a block that stores `stored` bytes, or a number below 1 if there is none. */
function literalSize(stored: number): number {
  const most = stored - CHECKSUM_BYTES;
  for (let start = 2; start <= LITERAL_START_BYTES; start += 1) {
    if (most > start && literalStartBytes(most - start) === start) return most - start;
  }
  return 0;
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

function encodeText(text: string): Buffer {
  const encoded = Buffer.from(text, 'utf8');
  return Buffer.concat([encodeLong(encoded.length), encoded]);
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
