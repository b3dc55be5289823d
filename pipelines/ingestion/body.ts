import { isUtf8 } from 'node:buffer';
import { crc32, gunzipSync } from 'node:zlib';
import { looksGzipped } from '@aorta/connectors/sources';
import { isExact, type Refusal } from '@aorta/schemas';

/** Length and CRC-32 of an uncompressed body, in bytes: with the delivery id, what a redelivery is recognised by. */
export interface BodyMark {
  readonly bytes: number;
  readonly crc32: number;
}

/** A parsed body. Wrapped, since a body may be `null` or a string. */
export interface Parsed {
  readonly json: unknown;
}

/** Header (10 bytes) and trailer (8) of the smallest gzip member. */
const SMALLEST_GZIP = 18;
/** Growth step of the inflater's output: the length that the trailer claims, within bounds, so that a lie costs little. */
const SMALLEST_CHUNK = 16 * 1024;
const LARGEST_CHUNK = 1024 * 1024;

/**
 * Length and CRC-32 of the uncompressed body. A gzip trailer holds both, so nothing is inflated; they are then what the
 * sender claims (of the last member, if there are several), which is a function of the bytes all the same.
 */
export function measureBody(body: Buffer, inline: boolean): BodyMark {
  const end = body.length;
  if (!inline && end >= SMALLEST_GZIP && looksGzipped(body)) {
    return { bytes: body.readUInt32LE(end - 4), crc32: body.readUInt32LE(end - 8) };
  }
  return { bytes: end, crc32: crc32(body) };
}

/**
 * The uncompressed body, or why there is none: `not_gzip`, `body_too_large` (over `limit` bytes uncompressed). What
 * begins as gzip is inflated, marked or not: no JSON begins with these bytes.
 */
export function uncompress(body: Buffer, inline: boolean, marked: boolean, limit: number): Buffer | Refusal {
  if (inline || !(marked || looksGzipped(body))) return body.length > limit ? 'body_too_large' : body;
  if (body.length < SMALLEST_GZIP) return 'not_gzip';
  const claimed = body.readUInt32LE(body.length - 4);
  const chunkSize = Math.min(Math.max(claimed + 1, SMALLEST_CHUNK), LARGEST_CHUNK);
  try {
    return gunzipSync(body, { maxOutputLength: Math.max(limit, 1), chunkSize });
  } catch (error) {
    // zlib's message is not passed on; its code only tells the two reasons apart.
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'body_too_large' : 'not_gzip';
  }
}

/** Parses a body as JSON, a byte order mark aside; or says `not_utf8`, `not_json`. */
export function parseBody(bytes: Buffer): Parsed | Refusal {
  const text = textOf(bytes);
  // What is no UTF-8 is decoded into these characters, which are seldom sent; a text of one byte a character has none at once.
  if (text.includes('\ufffd') && !isUtf8(bytes)) return 'not_utf8';
  try {
    return { json: JSON.parse(text) };
  } catch {
    return 'not_json';
  }
}

/**
 * Parses a body that {@link parseBody} could parse once more, with every number that no double holds (1e400, an integer
 * beyond 2^53) as the text that it is spelled with. It takes five times as long, and more memory. Undefined where the body is nested deeper than the parser
 * then goes (some thousand levels).
 */
export function parseExactly(bytes: Buffer): unknown {
  const spelled = (_: string, value: unknown, { source }: { readonly source: string }): unknown =>
    typeof value === 'number' && !isExact(value) ? source : value;
  // TypeScript's library does not know the reviver's third argument yet.
  try {
    return JSON.parse(textOf(bytes), spelled as (name: string, value: unknown) => unknown);
  } catch {
    // What it could parse before, it fails at now only for the depth of its stack.
    return undefined;
  }
}

/** The text of UTF-8, a byte order mark aside. */
function textOf(bytes: Buffer): string {
  return bytes.toString('utf8', bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0);
}
