import { isUtf8 } from 'node:buffer';
import { crc32, gunzipSync } from 'node:zlib';
import { looksGzipped } from '@aorta/connectors/sources';
import { isExact, type Refusal } from '@aorta/schemas';

/** Length in bytes and CRC-32 of an uncompressed body. Together with the delivery id, they identify a redelivery. */
export interface BodyMark {
  readonly bytes: number;
  readonly crc32: number;
}

/** A parsed body. It is wrapped in an object, because a body may be `null`, or a string that equals a {@link Refusal}. */
interface Parsed {
  readonly json: unknown;
}

/** Length in bytes of the smallest gzip member: a header of 10 bytes and a trailer of 8. */
const SMALLEST_GZIP = 18;
/** Bounds of the inflater's chunk size in bytes. The size comes from the gzip trailer, in which a sender can write any length. */
const SMALLEST_CHUNK = 16 * 1024;
const LARGEST_CHUNK = 1024 * 1024;

/**
 * Returns the length and the CRC-32 of the uncompressed body. For gzip, both are read from the trailer of the last member,
 * without inflating the body. A sender can claim wrong values there, but the same bytes always yield the same values.
 */
export function measureBody(body: Buffer, inline: boolean): BodyMark {
  const end = body.length;
  if (!inline && end >= SMALLEST_GZIP && looksGzipped(body)) {
    return { bytes: body.readUInt32LE(end - 4), crc32: body.readUInt32LE(end - 8) };
  }
  return { bytes: end, crc32: crc32(body) };
}

/**
 * Returns the uncompressed body, or the reason why the body is refused: `not_gzip`, or `body_too_large` if it has more
 * than `limit` bytes. Inflates every body that begins with the magic bytes of gzip, even if no header says so, because
 * no JSON begins with them.
 */
export function uncompress(body: Buffer, inline: boolean, marked: boolean, limit: number): Buffer | Refusal {
  if (inline || !(marked || looksGzipped(body))) return body.length > limit ? 'body_too_large' : body;
  if (body.length < SMALLEST_GZIP) return 'not_gzip';
  const claimed = body.readUInt32LE(body.length - 4);
  const chunkSize = Math.min(Math.max(claimed + 1, SMALLEST_CHUNK), LARGEST_CHUNK);
  try {
    return gunzipSync(body, { maxOutputLength: Math.max(limit, 1), chunkSize });
  } catch (error) {
    // zlib's error message is dropped. The error code is used only to distinguish the two reasons.
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'body_too_large' : 'not_gzip';
  }
}

/** Parses a body as JSON. Skips a byte order mark. Returns `not_utf8` or `not_json` if the body cannot be parsed. */
export function parseBody(bytes: Buffer): Parsed | Refusal {
  const text = textOf(bytes);
  // The decoder replaces invalid UTF-8 with this character. It is rare in valid text, so the full check rarely runs.
  if (text.includes('\ufffd') && !isUtf8(bytes)) return 'not_utf8';
  try {
    return { json: JSON.parse(text) };
  } catch {
    return 'not_json';
  }
}

/**
 * Parses a body again after {@link parseBody}. Numbers that a double cannot represent, such as 1e400 or integers beyond
 * 2^53, become strings with their source text. This takes five times as long and needs more memory. Returns undefined if
 * the body is nested thousands of levels deep, because a reviver makes `JSON.parse` overflow the stack at such a depth.
 */
export function parseExactly(bytes: Buffer): unknown {
  const spelled = (_: string, value: unknown, { source }: { readonly source: string }): unknown =>
    typeof value === 'number' && !isExact(value) ? source : value;
  // TypeScript's library does not declare the reviver's third argument yet.
  try {
    return JSON.parse(textOf(bytes), spelled as (name: string, value: unknown) => unknown);
  } catch {
    // {@link parseBody} has parsed the same body, so only a stack overflow can fail here.
    return undefined;
  }
}

/** Decodes UTF-8. Skips a byte order mark. */
function textOf(bytes: Buffer): string {
  return bytes.toString('utf8', bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0);
}
