import { isObject } from '@aorta/schemas';
import type { Content } from './content.ts';
import { type Holds, heldBy, isMeantAsDelivery } from './delivery-line.ts';
import { binaryData, type ForeignFormat, foreignFormatOf, START_BYTES, textWithoutJson, webPage } from './foreign.ts';
import { elements, isCutOff, skipSpace, trimEnd, valueEnd } from './json-extent.ts';
import { isBlank, LineSplitter } from './lines.ts';
import { ownFormatOf } from './own-files.ts';

const MARKUP = /^(?:\xef\xbb\xbf)?\s*<[!?a-z]/i;

/** A link or an image in Markdown, which begins with a bracket as an array does. */
const MARKDOWN_LINK = /^\s*\[[^{"]*\][([:]/;

/**
 * How a file is split into events. `lines`: one event per line; `holds` is known if the first line is a JSON object.
 * `document`: one JSON value, which is an event or an array of events. `incomplete`: the beginning of one JSON value, which
 * ends on `line`. `foreign`: a format that Aorta does not read. `too-large`: one JSON value that exceeds the limit.
 */
export type Format =
  | { readonly kind: 'lines'; readonly holds?: Holds }
  | { readonly kind: 'document'; readonly elements: readonly DocumentElement[]; readonly array: boolean }
  | { readonly kind: 'incomplete'; readonly line: number }
  | { readonly kind: 'foreign'; readonly format: ForeignFormat }
  | { readonly kind: 'too-large' };

/** A format whose entries can be read. */
export type ReadableFormat = Exclude<Format, { kind: 'too-large' | 'foreign' }>;

/** A value in a document, with the number of its first line, counted from 1. */
interface DocumentElement {
  readonly bytes: Buffer;
  readonly line: number;
}

/** Format detection parses later lines only within this many bytes of the start of the file. */
const PROBED = 4 * 1024 * 1024;

/** Number of bytes from the start of the file that are examined to tell binary data from text. */
const TASTED = 8 * 1024;

const NEWLINE = 10;
const LEFT_BRACE = 123;
const LEFT_BRACKET = 91;

const LINES: Format = { kind: 'lines' };

/**
 * Detects the format from the content. If the first line is a JSON object, the file is read line by line. Otherwise, up
 * to `limit` bytes are read. If they are one JSON value, the file is a document. Any other text is also read line by
 * line, and unreadable lines become dead letters. A file in which no line can be meant as JSON is foreign.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the file, which ends at the first line that decides
export async function detectFormat(content: Pick<Content, 'chunks'>, limit: number): Promise<Format> {
  const splitter = new LineSplitter(limit);
  const held: Buffer[] = [];
  let size = 0;
  let decided = false;
  let holdsObjectLine = false;
  let start: Buffer | undefined;
  for await (const chunk of content.chunks()) {
    for (const { bytes, number } of splitter.push(chunk)) {
      if (bytes === null || isBlank(bytes)) continue;
      const first = decided ? undefined : jsonObject(number === 1 ? withoutMark(bytes) : bytes);
      if (first !== undefined) {
        const format = ownFormatOf(bytes, first);
        return format === undefined ? { kind: 'lines', holds: heldBy(first)! } : { kind: 'foreign', format };
      }
      // If a later line is a JSON object, the file is not a large document. Only its first line is broken, as in a log that was cut.
      if (decided && !holdsObjectLine && size < PROBED) {
        const object = jsonObject(bytes);
        const format = object === undefined ? undefined : ownFormatOf(bytes, object);
        if (format !== undefined) return { kind: 'foreign', format };
        holdsObjectLine = object !== undefined;
      }
      decided = true;
    }
    held.push(chunk);
    size += chunk.length;
    if (start === undefined && size >= START_BYTES) {
      start = Buffer.concat(held, START_BYTES);
      const format = foreignFormatOf(start);
      if (format !== undefined) return { kind: 'foreign', format };
    }
    if (size > limit) return holdsObjectLine ? LINES : { kind: 'too-large' };
  }
  const bytes = Buffer.concat(held);
  held.length = 0;
  const format = foreignFormatOf(bytes.subarray(0, START_BYTES));
  if (format !== undefined) return { kind: 'foreign', format };
  return documentOf(bytes) ?? incompleteOf(bytes) ?? foreignOf(bytes) ?? LINES;
}

/** Returns the foreign format of a file whose first bytes match no known format. */
function foreignOf(bytes: Buffer): Format | undefined {
  const format = isBinary(bytes) ? binaryData : MARKUP.test(bytes.toString('latin1', 0, START_BYTES)) ? webPage : textWithoutJson;
  // The line ends of binary data mean nothing, and a page may contain JSON that is not an event.
  const isMeant = format === binaryData ? isJsonObject : format === webPage ? isEvent : beginsAsJson;
  let isBlankSoFar = true;
  for (const line of linesOf(bytes)) {
    if (isMeant(line)) return undefined;
    isBlankSoFar &&= isBlank(line);
  }
  return isBlankSoFar ? undefined : { kind: 'foreign', format };
}

function beginsAsJson(line: Buffer): boolean {
  const bytes = withoutMark(line);
  const first = bytes[skipSpace(bytes, 0)];
  if (first === LEFT_BRACKET) return !MARKDOWN_LINK.test(bytes.toString('latin1', 0, START_BYTES));
  return first === LEFT_BRACE;
}

function isEvent(line: Buffer): boolean {
  const value = beginsAsJson(line) ? parsed(withoutMark(line)) : undefined;
  return isObject(value) && ('event_type' in value || isMeantAsDelivery(value));
}

/** Returns the bytes without a leading byte order mark. */
export function withoutMark(bytes: Buffer): Buffer {
  return bytes.length > 2 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

function documentOf(marked: Buffer): Format | undefined {
  const bytes = withoutMark(marked);
  const start = skipSpace(bytes, 0);
  const array = bytes[start] === LEFT_BRACKET;
  const values = array ? arrayOf(bytes, start) : objectOf(bytes, start);
  return values === undefined ? undefined : { kind: 'document', elements: withLines(bytes, values), array };
}

/**
 * Returns the format of a text that ends in the middle of a JSON value. A single line with a line end is a broken line
 * instead, unless it holds only the first bracket.
 */
function incompleteOf(marked: Buffer): Format | undefined {
  const bytes = withoutMark(marked);
  if (!isCutOff(bytes, 0)) return undefined;
  const text = bytes.subarray(0, trimEnd(bytes, bytes.length));
  let line = 1;
  for (let end = text.indexOf(NEWLINE); end >= 0; end = text.indexOf(NEWLINE, end + 1)) line += 1;
  const start = skipSpace(bytes, 0);
  const isBrokenLine = text.length > start + 1 && text.indexOf(NEWLINE, start) < 0 && bytes.indexOf(NEWLINE, text.length) >= 0;
  return isBrokenLine ? undefined : { kind: 'incomplete', line };
}

/** Returns the elements if the bytes from `start` on are exactly one valid array, and undefined otherwise. */
function arrayOf(bytes: Buffer, start: number): Buffer[] | undefined {
  const found = elements(bytes, start);
  if (found === undefined || skipSpace(bytes, found.end) < bytes.length) return undefined;
  // Parsing the whole document would hold every element in memory at once.
  return found.values.every((value) => parsed(value) !== undefined) ? found.values : undefined;
}

function objectOf(bytes: Buffer, start: number): Buffer[] | undefined {
  if (bytes[start] !== LEFT_BRACE || parsed(bytes) === undefined) return undefined;
  return [bytes.subarray(start, valueEnd(bytes, start))];
}

/** Adds to each value the number of its first line. The values must be slices of `bytes`, in order. */
function withLines(bytes: Buffer, values: readonly Buffer[]): DocumentElement[] {
  let line = 1;
  let end = bytes.indexOf(NEWLINE);
  return values.map((value) => {
    for (const start = value.byteOffset - bytes.byteOffset; end >= 0 && end < start; line += 1)
      end = bytes.indexOf(NEWLINE, end + 1);
    return { bytes: value, line };
  });
}

/** Whether the first bytes contain a control character that does not occur in text. */
function isBinary(bytes: Buffer): boolean {
  for (const byte of bytes.subarray(0, TASTED)) {
    if (byte < 32 && (byte < 8 || byte > 13) && byte !== 27) return true;
  }
  return false;
}

function* linesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(NEWLINE, start);
    const end = found < 0 ? bytes.length : found;
    yield bytes.subarray(start, end);
    start = end + 1;
  }
}

/** Whether the bytes are one whole JSON object. */
export function isJsonObject(bytes: Buffer): boolean {
  return jsonObject(bytes) !== undefined;
}

function jsonObject(bytes: Buffer): unknown {
  return bytes[skipSpace(bytes, 0)] === LEFT_BRACE ? parsed(bytes) : undefined;
}

/** Parses JSON. Returns undefined, which is not a JSON value, if the bytes are invalid. */
export function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
