import { isUtf8 } from 'node:buffer';
import { crc32, gunzipSync } from 'node:zlib';
import { looksGzipped } from '@aorta/connectors/sources';
import { isExact, type Refusal } from '@aorta/schemas';

/** Length in bytes and CRC-32 of an uncompressed body. Together with the delivery id, they identify a redelivery. */
export interface BodyMark {
  readonly bytes: number;
  readonly crc32: number;
}

/** A parsed body. It is wrapped because a body may be `null`, or a string like a {@link Refusal}. */
export interface Parsed {
  readonly json: unknown;
}

/** Bytes of the smallest gzip member: a header of 10 and a trailer of 8. */
const SMALLEST_GZIP = 18;
/** Bounds of the inflater's chunk size in bytes. The length in the trailer sets the size, but the sender may claim any length. */
const SMALLEST_CHUNK = 16 * 1024;
const LARGEST_CHUNK = 1024 * 1024;

/**
 * Returns length and CRC-32 of the uncompressed body. For gzip it reads both from the trailer of the last member and inflates
 * nothing. The sender may claim wrong values there, but the same bytes always give the same mark.
 */
export function measureBody(body: Buffer, inline: boolean): BodyMark {
  const end = body.length;
  if (!inline && end >= SMALLEST_GZIP && looksGzipped(body)) {
    return { bytes: body.readUInt32LE(end - 4), crc32: body.readUInt32LE(end - 8) };
  }
  return { bytes: end, crc32: crc32(body) };
}

/**
 * Returns the uncompressed body, or the reason for refusing it: `not_gzip`, or `body_too_large` for more than `limit` bytes. It
 * inflates every body with the magic bytes of gzip, marked or not, because no JSON begins with them.
 */
export function uncompress(body: Buffer, inline: boolean, marked: boolean, limit: number): Buffer | Refusal {
  if (inline || !(marked || looksGzipped(body))) return body.length > limit ? 'body_too_large' : body;
  if (body.length < SMALLEST_GZIP) return 'not_gzip';
  const claimed = body.readUInt32LE(body.length - 4);
  const chunkSize = Math.min(Math.max(claimed + 1, SMALLEST_CHUNK), LARGEST_CHUNK);
  try {
    return gunzipSync(body, { maxOutputLength: Math.max(limit, 1), chunkSize });
  } catch (error) {
    // Drops zlib's message and uses its code only to tell the two reasons apart.
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'body_too_large' : 'not_gzip';
  }
}

/** Parses a body as JSON and ignores a byte order mark. Returns `not_utf8` or `not_json` if it cannot. */
export function parseBody(bytes: Buffer): Parsed | Refusal {
  const text = textOf(bytes);
  // The decoder replaces invalid UTF-8 with this character, which valid text seldom contains, so the full check is rare.
  if (text.includes('\ufffd') && !isUtf8(bytes)) return 'not_utf8';
  try {
    return { json: JSON.parse(text) };
  } catch {
    return 'not_json';
  }
}

/**
 * Parses a body again after {@link parseBody}, and returns every number that no double holds (1e400, an integer beyond 2^53) as
 * its source text. This takes five times as long, and more memory. Returns undefined if the body is nested some thousand levels
 * deep, because a parser with a reviver overflows its stack earlier.
 */
export function parseExactly(bytes: Buffer): unknown {
  const spelled = (_: string, value: unknown, { source }: { readonly source: string }): unknown =>
    typeof value === 'number' && !isExact(value) ? source : value;
  // TypeScript's library does not know the reviver's third argument yet.
  try {
    return JSON.parse(textOf(bytes), spelled as (name: string, value: unknown) => unknown);
  } catch {
    // {@link parseBody} parsed the same body, so only the depth of the stack can fail here.
    return undefined;
  }
}

/** Decodes UTF-8 without a byte order mark. */
function textOf(bytes: Buffer): string {
  return bytes.toString('utf8', bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0);
}
