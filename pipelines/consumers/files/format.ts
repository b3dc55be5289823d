import type { Content } from './content.ts';
import { elements, skipSpace, valueEnd } from './json-extent.ts';
import { isBlank, LineSplitter } from './lines.ts';

/**
 * How a file is cut into events: `lines`, one a line; `document`, one JSON value, whose elements (or itself) they are;
 * `too-large`, one JSON value that is larger than may be held.
 */
export type Format =
  | { readonly kind: 'lines' }
  | { readonly kind: 'document'; readonly elements: readonly Buffer[] }
  | { readonly kind: 'too-large' };

/** Lines behind the first are tried only so far into the file. */
const PROBED = 4 * 1024 * 1024;

const LEFT_BRACE = 123;
const LEFT_BRACKET = 91;

const LINES: Format = { kind: 'lines' };

/**
 * Detects the format by content. A file whose first line is a JSON object is read by lines; otherwise it is read whole,
 * up to `limit` bytes, and is a document if it is one JSON value. What is neither is read by lines too, so that each line
 * that can be understood is, and each other becomes a dead letter of its own.
 */
export async function detectFormat(content: Content, limit: number): Promise<Format> {
  const splitter = new LineSplitter(limit);
  const held: Buffer[] = [];
  let size = 0;
  let decided = false;
  let holdsObjectLine = false;
  for await (const chunk of content.chunks()) {
    for (const { bytes, number } of splitter.push(chunk)) {
      if (bytes === null || isBlank(bytes)) continue;
      if (!decided && isJsonObject(number === 1 ? withoutMark(bytes) : bytes)) return LINES;
      // Looked for only to tell lines with a broken first one from a document that is too large.
      if (decided && !holdsObjectLine && size < PROBED) holdsObjectLine = bytes[0] === LEFT_BRACE && isJsonObject(bytes);
      decided = true;
    }
    held.push(chunk);
    size += chunk.length;
    if (size > limit) return holdsObjectLine ? LINES : { kind: 'too-large' };
  }
  return documentOf(withoutMark(Buffer.concat(held))) ?? LINES;
}

/** The bytes without a byte order mark before them. */
export function withoutMark(bytes: Buffer): Buffer {
  return bytes.length > 2 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

function documentOf(bytes: Buffer): Format | undefined {
  const start = skipSpace(bytes, 0);
  const first = bytes[start];
  if ((first !== LEFT_BRACKET && first !== LEFT_BRACE) || parsed(bytes) === undefined) return undefined;
  const values = first === LEFT_BRACKET ? elements(bytes, start) : [bytes.subarray(start, valueEnd(bytes, start))];
  return values === undefined ? undefined : { kind: 'document', elements: values };
}

function isJsonObject(bytes: Buffer): boolean {
  if (bytes[skipSpace(bytes, 0)] !== LEFT_BRACE) return false;
  return parsed(bytes) !== undefined;
}

/** The JSON value of the bytes, or undefined: no JSON value is that. */
export function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
