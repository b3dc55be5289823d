import { isUtf8 } from 'node:buffer';
import { isObject } from '@aorta/schemas';
import type { Delivery, FoundAt } from '../source.ts';
import { parseReceivedAt } from '../sources/delivery.ts';
import { skipSpace, stringEnd, valueEnd } from './json-extent.ts';

/** The largest number that the codec of the streams encodes. */
const MOST_OFFSET = Number.MAX_SAFE_INTEGER - 1;

const LEFT_BRACE = 123;
const RIGHT_BRACE = 125;
const COLON = 58;
const COMMA = 44;
const QUOTE = 34;
const BACKSLASH = 92;

/** Number of bytes at the start of a line that are decoded together. The members before the body usually need fewer. */
const HEAD_BYTES = 1024;

const MOST_CACHED = 32;
const headerNames: NameCache = { names: [], nameOf: (spelled) => spelled.toLowerCase() };
const noHeaders: ReadonlyMap<string, string | Buffer> = new Map();

/** Why a line is not a delivery. The text names members, but contains none of their values. */
export class LineProblem {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/**
 * The names seen at each position in earlier lines. Most lines have the same names in the same order. Comparing a name
 * with the cached one avoids slicing, hashing and lower-casing it.
 */
interface NameCache {
  readonly names: { readonly spelled: string; readonly name: string }[];
  nameOf(spelled: string): string;
}

const knownMembers = ['source', 'partition', 'offset', 'received_at', 'headers', 'key', 'body', 'body_base64'];
// Returns the string from `knownMembers`, so that later comparisons with literals are cheap.
const memberNames: NameCache = { names: [], nameOf: (spelled) => knownMembers.find((name) => name === spelled) ?? spelled };

/**
 * Reads a line of a delivery file, or an element of an array of deliveries. The body is the exact bytes of its JSON
 * value in the line, which is not parsed here.
 */
export function readDeliveryLine(line: Buffer, found?: FoundAt): Delivery | LineProblem {
  return new LineReader(line, found).read();
}

/**
 * Whether a parsed line is meant as a delivery: it has all five members of a delivery, or at least three of them and
 * neither `event_type` nor `data`.
 */
export function isMeantAsDelivery(value: unknown): boolean {
  if (!isObject(value)) return false;
  const has = (name: string) => Object.hasOwn(value, name);
  const members =
    ['source', 'partition', 'offset', 'received_at'].filter(has).length + (has('body') || has('body_base64') ? 1 : 0);
  return members === 5 || (members >= 3 && !has('event_type') && !has('data'));
}

/** The content of a file: deliveries or events. The first JSON object of the file decides. */
export type Holds = 'deliveries' | 'events';

/** Returns what a file holds if this parsed entry is its first JSON object. Returns undefined if it is not an object. */
export function heldBy(value: unknown): Holds | undefined {
  if (!isObject(value)) return undefined;
  return isMeantAsDelivery(value) ? 'deliveries' : 'events';
}

const absent = (name: string) => new LineProblem(`${name} is missing`);
const wrong = (name: string, what: string) => new LineProblem(`${name} is not ${what}`);
const notOneObject = new LineProblem('the line is not one JSON object');
const twice = (what: string) => new LineProblem(`${what} appears twice`);

class LineReader {
  readonly #line: Buffer;
  readonly #found: FoundAt | undefined;
  /** The first bytes decoded as Latin-1: slicing this string is cheaper than decoding each name. */
  readonly #head: string;
  #at = 0;
  #source: string | undefined;
  #partition: string | undefined;
  #offset: number | undefined;
  #receivedAt: number | undefined;
  #headers: Map<string, string | Buffer> | undefined;
  #key: Buffer | null | undefined;
  #body: Buffer | undefined;
  #inline = true;
  #others: Set<string> | undefined;

  constructor(line: Buffer, found: FoundAt | undefined) {
    this.#line = line;
    this.#found = found;
    this.#head = line.toString('latin1', 0, HEAD_BYTES);
  }

  read(): Delivery | LineProblem {
    const line = this.#line;
    this.#at = skipSpace(line, 0);
    if (line[this.#at] !== LEFT_BRACE) return notOneObject;
    this.#at = skipSpace(line, this.#at + 1);
    if (line[this.#at] === RIGHT_BRACE) this.#at += 1;
    else
      for (let place = 0; ; place += 1) {
        const name = this.#nameBeforeValue(memberNames, place);
        if (name === undefined) return notOneObject;
        const problem = this.#member(name);
        if (problem !== undefined) return problem;
        this.#at = skipSpace(line, this.#at);
        const separator = line[this.#at];
        this.#at += 1;
        if (separator === RIGHT_BRACE) break;
        if (separator !== COMMA) return notOneObject;
        this.#at = skipSpace(line, this.#at);
      }
    if (skipSpace(line, this.#at) < line.length) return notOneObject;
    return this.#delivery();
  }

  #delivery(): Delivery | LineProblem {
    if (this.#source === undefined) return absent('source');
    if (this.#partition === undefined) return absent('partition');
    if (this.#offset === undefined) return absent('offset');
    if (this.#receivedAt === undefined) return absent('received_at');
    if (this.#body === undefined) return absent('body');
    return {
      source: this.#source,
      partition: this.#partition,
      offset: this.#offset,
      receivedAt: this.#receivedAt,
      headers: this.#headers ?? noHeaders,
      key: this.#key ?? null,
      body: this.#body,
      inline: this.#inline,
      ...(this.#found === undefined ? undefined : { found: this.#found }),
    };
  }

  /** Reads the value of a member and advances past it. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one case for each member of the format
  #member(name: string): LineProblem | undefined {
    switch (name) {
      case 'source': {
        if (this.#source !== undefined) return twice('source');
        this.#source = this.#text();
        return this.#source ? undefined : wrong('source', 'a string');
      }
      case 'partition': {
        if (this.#partition !== undefined) return twice('partition');
        this.#partition = this.#line[this.#at] === QUOTE ? this.#text() : this.#wholeNumber();
        return this.#partition ? undefined : wrong('partition', 'a whole number or a string');
      }
      case 'offset': {
        if (this.#offset !== undefined) return twice('offset');
        const digits = this.#wholeNumber();
        if (digits === undefined || Number(digits) > MOST_OFFSET) return wrong('offset', 'a whole number below 2^53 - 1');
        this.#offset = Number(digits);
        return undefined;
      }
      case 'received_at': {
        if (this.#receivedAt !== undefined) return twice('received_at');
        const instant = parseReceivedAt(this.#text() ?? '');
        if (Number.isNaN(instant)) return wrong('received_at', 'an RFC 3339 date-time');
        this.#receivedAt = instant;
        return undefined;
      }
      case 'headers':
        return this.#headers === undefined ? this.#readHeaders() : twice('headers');
      case 'key': {
        if (this.#key !== undefined) return twice('key');
        const value = this.#bytesOrText();
        if (value === undefined) return wrong('key', 'a string or {"base64": string}');
        this.#key = typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
        return undefined;
      }
      case 'body': {
        if (this.#body !== undefined) return twice('body or body_base64');
        const start = this.#at;
        const end = valueEnd(this.#line, start);
        // Bytes with balanced braces may still be invalid JSON, which the parser detects later.
        if (end < 0) return wrong('body', 'JSON');
        this.#body = this.#line.subarray(start, end);
        this.#at = end;
        return undefined;
      }
      case 'body_base64': {
        if (this.#body !== undefined) return twice('body or body_base64');
        const text = this.#text();
        this.#body = text === undefined ? undefined : decodeBase64(text);
        this.#inline = false;
        return this.#body === undefined ? wrong('body_base64', 'base64') : undefined;
      }
      default: {
        this.#others ??= new Set();
        if (this.#others.has(name)) return twice('an unknown member');
        this.#others.add(name);
        const end = valueEnd(this.#line, this.#at);
        if (end < 0) return notOneObject;
        this.#at = end;
        return undefined;
      }
    }
  }

  #readHeaders(): LineProblem | undefined {
    const line = this.#line;
    const headers = new Map<string, string | Buffer>();
    let nulls: Set<string> | undefined;
    this.#headers = headers;
    if (line[this.#at] !== LEFT_BRACE) return wrong('headers', 'an object');
    this.#at = skipSpace(line, this.#at + 1);
    if (line[this.#at] === RIGHT_BRACE) {
      this.#at += 1;
      return undefined;
    }
    for (let place = 0; ; place += 1) {
      const name = this.#nameBeforeValue(headerNames, place);
      if (name === undefined) return notOneObject;
      if (headers.has(name) || nulls?.has(name)) return twice('a header name');
      const value = this.#bytesOrText();
      if (value === undefined) return wrong('a header value', 'a string, a number, true, false, null or {"base64": string}');
      // Some of the brokers that the service uses send null for headers that do not apply.
      if (value !== null) headers.set(name, value);
      else {
        nulls ??= new Set();
        nulls.add(name);
      }
      this.#at = skipSpace(line, this.#at);
      const separator = line[this.#at];
      this.#at += 1;
      if (separator === RIGHT_BRACE) return undefined;
      if (separator !== COMMA) return notOneObject;
      this.#at = skipSpace(line, this.#at);
    }
  }

  /** Reads a name and its colon, and advances to the value. */
  #nameBeforeValue(cache: NameCache, place: number): string | undefined {
    const name = this.#name(cache, place);
    this.#at = skipSpace(this.#line, this.#at);
    if (this.#line[this.#at] !== COLON) return undefined;
    this.#at = skipSpace(this.#line, this.#at + 1);
    return name;
  }

  /** Reads a member name or header name and advances past it. `place` is the name's index among the names of its object. */
  #name(cache: NameCache, place: number): string | undefined {
    const start = this.#at + 1;
    const known = cache.names[place];
    if (
      known !== undefined &&
      this.#line[this.#at] === QUOTE &&
      this.#line[start + known.spelled.length] === QUOTE &&
      this.#head.startsWith(known.spelled, start)
    ) {
      this.#at = start + known.spelled.length + 1;
      return known.name;
    }
    const spelled = this.#text();
    if (spelled === undefined) return undefined;
    const name = cache.nameOf(spelled);
    // A name with escapes or non-ASCII characters cannot be compared by its bytes, so it is not cached.
    if (place < MOST_CACHED && this.#at === start + spelled.length + 1 && this.#head.startsWith(spelled, start))
      cache.names[place] = { spelled, name };
    return name;
  }

  /** Reads a string, null, a scalar with its original spelling, or the bytes of `{"base64": string}`. Returns undefined if the value is invalid. */
  #bytesOrText(): string | Buffer | null | undefined {
    if (this.#line[this.#at] === QUOTE) return this.#text();
    const start = this.#at;
    const end = valueEnd(this.#line, start);
    if (end < 0) return undefined;
    this.#at = end;
    const spelled = this.#line.toString('utf8', start, end);
    let value: unknown;
    try {
      value = JSON.parse(spelled);
    } catch {
      return undefined;
    }
    if (value === null) return null;
    if (typeof value !== 'object') return spelled;
    const { base64 } = value as { base64?: unknown };
    return typeof base64 === 'string' ? decodeBase64(base64) : undefined;
  }

  #wholeNumber(): string | undefined {
    const end = valueEnd(this.#line, this.#at);
    if (end < 0 || end - this.#at > 16) return undefined;
    const spelled = this.#line.toString('latin1', this.#at, end);
    this.#at = end;
    return /^(?:0|[1-9]\d*)$/.test(spelled) ? spelled : undefined;
  }

  /** Reads the JSON string at the current position and advances past it. Plain ASCII, the usual case, is sliced; JSON.parse decodes anything else. */
  #text(): string | undefined {
    const line = this.#line;
    const start = this.#at;
    if (line[start] !== QUOTE) return undefined;
    let position = start + 1;
    for (; position < line.length; position += 1) {
      const byte = line[position]!;
      if (byte === QUOTE) {
        this.#at = position + 1;
        return position <= this.#head.length
          ? this.#head.slice(start + 1, position)
          : line.toString('latin1', start + 1, position);
      }
      if (byte === BACKSLASH || byte < 32 || byte > 126) break;
    }
    const end = stringEnd(line, start);
    if (end < 0 || !isUtf8(line.subarray(start, end))) return undefined;
    this.#at = end;
    try {
      const text = JSON.parse(line.toString('utf8', start, end)) as string;
      // Half a surrogate pair cannot be encoded as UTF-8, in which all strings are stored.
      return text.isWellFormed() ? text : undefined;
    } catch {
      return undefined;
    }
  }
}

/** The receipt that identifies an entry in a file. `receivedAt` is in microseconds since 1970. */
export type FileReceipt = Pick<Delivery, 'source' | 'partition' | 'offset' | 'receivedAt'>;

/** Returns the delivery for an event from a plain event file, which contains no receipts. */
export function plainEvent({ source, partition, offset, receivedAt }: FileReceipt, body: Buffer, found?: FoundAt): Delivery {
  const event: Delivery = { source, partition, offset, receivedAt, headers: noHeaders, key: null, body, inline: true };
  return found === undefined ? event : { ...event, found };
}

/** Returns a malformed delivery, which becomes a dead letter, for bytes that could not be read as a delivery. */
export function malformedAt(receipt: FileReceipt, bytes: Buffer, found?: FoundAt): Delivery {
  return { ...plainEvent(receipt, bytes, found), malformed: true };
}

/**
 * Decodes base64 in either alphabet, with or without padding; returns undefined if it is invalid. Node skips invalid
 * characters, so the decoded length is checked.
 */
function decodeBase64(text: string): Buffer | undefined {
  let digits = text.length;
  while (digits > 0 && text.length - digits < 2 && text.charCodeAt(digits - 1) === 61) digits -= 1;
  if (digits !== text.length && text.length % 4 !== 0) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === Math.floor((digits * 3) / 4) && digits % 4 !== 1 ? bytes : undefined;
}
