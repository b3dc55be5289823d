/** The descriptor codes of a message's sections (AMQP 1.0, part 3.2). */
export const section = {
  header: 0x70,
  deliveryAnnotations: 0x71,
  messageAnnotations: 0x72,
  data: 0x75,
} as const;

/** A section of an encoded message, from `start` to `end`. Its value follows the descriptor and begins at `value`. */
export interface Section {
  readonly code: number;
  readonly start: number;
  readonly value: number;
  readonly end: number;
}

/** Thrown if the bytes are not an AMQP message. The error contains the position, but never the content. */
export class MalformedMessage extends Error {
  constructor(at: number) {
    super(`not an AMQP message: no value begins at byte ${at}`);
    this.name = 'MalformedMessage';
  }
}

/** Width of a value, in bytes, if the upper four bits of its constructor byte are 4, 5, 6, 7, 8 or 9. */
const fixedWidths = [0, 1, 2, 4, 8, 16] as const;

/** Returns the position after the value at `at`, without decoding the value. */
function afterValue(bytes: Buffer, at: number): number {
  if (at >= bytes.length) throw new MalformedMessage(at);
  const code = bytes[at]!;
  if (code === 0) return afterValue(bytes, afterValue(bytes, at + 1));
  const family = code >> 4;
  const end = family >= 0xa ? afterSized(bytes, at, family % 2 === 0) : at + 1 + (fixedWidths[family - 4] ?? Number.NaN);
  if (!(end <= bytes.length)) throw new MalformedMessage(at);
  return end;
}

/** Returns the end of a value that begins with its size, stored in one byte if `short` is true, else in four. */
function afterSized(bytes: Buffer, at: number, short: boolean): number {
  if (at + (short ? 2 : 5) > bytes.length) throw new MalformedMessage(at);
  return short ? at + 2 + bytes[at + 1]! : at + 5 + bytes.readUInt32BE(at + 1);
}

/** Yields the sections of an encoded message. Throws {@link MalformedMessage} if the bytes are not a message. */
export function* sectionsOf(bytes: Buffer): Generator<Section, void, undefined> {
  for (let at = 0; at < bytes.length; ) {
    if (bytes[at] !== 0) throw new MalformedMessage(at);
    const value = afterValue(bytes, at + 1);
    const end = afterValue(bytes, value);
    yield { code: descriptorCode(bytes, at + 1), start: at, value, end };
    at = end;
  }
}

/** Reads the descriptor code of a section. Most clients encode the code as `smallulong`, but some encode it as `ulong`. */
function descriptorCode(bytes: Buffer, at: number): number {
  if (bytes[at] === 0x53) return bytes[at + 1]!;
  if (bytes[at] === 0x80) return Number(bytes.readBigUInt64BE(at + 1));
  throw new MalformedMessage(at);
}

/** Returns the content of the binary value at `at`. Throws {@link MalformedMessage} if the value has a different type. */
export function binaryAt(bytes: Buffer, at: number): Buffer {
  if (bytes[at] === 0xa0) return bytes.subarray(at + 2, afterValue(bytes, at));
  if (bytes[at] === 0xb0) return bytes.subarray(at + 5, afterValue(bytes, at));
  throw new MalformedMessage(at);
}

/** Returns the string or symbol at `at`. Returns undefined if the value has a different type. */
function textAt(bytes: Buffer, at: number): string | undefined {
  switch (bytes[at]) {
    case 0xa1:
    case 0xa3:
      return bytes.toString('utf8', at + 2, afterValue(bytes, at));
    case 0xb1:
    case 0xb3:
      return bytes.toString('utf8', at + 5, afterValue(bytes, at));
    default:
      return undefined;
  }
}

/** An entry of a map: its name and its value (if they are strings or symbols), and the original bytes of both. */
export interface MapEntry {
  readonly name: string | undefined;
  readonly text: string | undefined;
  readonly bytes: Buffer;
}

/** Yields the entries of the map at `at`. Yields no entries if the value is null. */
export function* entriesOf(bytes: Buffer, at: number): Generator<MapEntry, void, undefined> {
  const code = bytes[at];
  if (code === 0x40) return;
  if (code !== 0xc1 && code !== 0xd1) throw new MalformedMessage(at);
  const end = afterValue(bytes, at);
  let next = code === 0xc1 ? at + 3 : at + 9;
  if (next > end) throw new MalformedMessage(at);
  while (next < end) {
    const value = afterValue(bytes, next);
    const after = afterValue(bytes, value);
    yield { name: textAt(bytes, next), text: textAt(bytes, value), bytes: bytes.subarray(next, after) };
    next = after;
  }
}
