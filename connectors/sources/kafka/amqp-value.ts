import { isUtf8 } from 'node:buffer';

/** A decoded AMQP value, wrapped in an object so that a decoded null differs from a failure to decode. */
export interface AmqpValue {
  readonly value: string | number | boolean | Buffer | Date | null;
}

type Read = (bytes: Buffer, at: number) => AmqpValue['value'];

/** Types of fixed width, by type code: the number of bytes and how to decode them (AMQP 1.0, part 1.6). */
const fixed: ReadonlyMap<number, readonly [width: number, read: Read]> = new Map<number, readonly [number, Read]>([
  [0x40, [0, () => null]],
  [0x41, [0, () => true]],
  [0x42, [0, () => false]],
  [0x43, [0, () => 0]],
  [0x44, [0, () => 0]],
  [0x50, [1, (bytes, at) => bytes.readUInt8(at)]],
  [0x51, [1, (bytes, at) => bytes.readInt8(at)]],
  [0x52, [1, (bytes, at) => bytes.readUInt8(at)]],
  [0x53, [1, (bytes, at) => bytes.readUInt8(at)]],
  [0x54, [1, (bytes, at) => bytes.readInt8(at)]],
  [0x55, [1, (bytes, at) => bytes.readInt8(at)]],
  [0x56, [1, (bytes, at) => bytes.readUInt8(at) !== 0]],
  [0x60, [2, (bytes, at) => bytes.readUInt16BE(at)]],
  [0x61, [2, (bytes, at) => bytes.readInt16BE(at)]],
  [0x70, [4, (bytes, at) => bytes.readUInt32BE(at)]],
  [0x71, [4, (bytes, at) => bytes.readInt32BE(at)]],
  [0x72, [4, (bytes, at) => bytes.readFloatBE(at)]],
  [0x73, [4, (bytes, at) => bytes.readUInt32BE(at)]],
  [0x80, [8, (bytes, at) => wholeNumber(bytes, at, bytes.readBigUInt64BE(at))]],
  [0x81, [8, (bytes, at) => wholeNumber(bytes, at, bytes.readBigInt64BE(at))]],
  [0x82, [8, (bytes, at) => bytes.readDoubleBE(at)]],
  [0x83, [8, (bytes, at) => new Date(Number(bytes.readBigInt64BE(at)))]],
  [0x98, [16, (bytes, at) => uuid(bytes.subarray(at, at + 16))]],
]);

/** Types with a length prefix, by type code. */
const variable: ReadonlyMap<number, { readonly lengthBytes: 1 | 4; readonly holds: 'bytes' | 'text' }> = new Map([
  [0xa0, { lengthBytes: 1, holds: 'bytes' }],
  [0xa1, { lengthBytes: 1, holds: 'text' }],
  [0xa3, { lengthBytes: 1, holds: 'text' }],
  [0xb0, { lengthBytes: 4, holds: 'bytes' }],
  [0xb1, { lengthBytes: 4, holds: 'text' }],
  [0xb3, { lengthBytes: 4, holds: 'text' }],
]);

/**
 * Decodes a single primitive AMQP value. Returns undefined if the bytes are not exactly one value, or if its type is a
 * decimal, list, map or array: application properties use none of these. Never throws.
 */
export function readAmqpValue(bytes: Buffer): AmqpValue | undefined {
  const type = bytes[0];
  if (type === undefined) return undefined;
  const known = fixed.get(type);
  if (known !== undefined) {
    const [width, read] = known;
    return bytes.length === 1 + width ? { value: read(bytes, 1) } : undefined;
  }
  const form = variable.get(type);
  if (form === undefined) return undefined;
  const { lengthBytes, holds } = form;
  const from = 1 + lengthBytes;
  if (bytes.length < from || bytes.readUIntBE(1, lengthBytes) !== bytes.length - from) return undefined;
  const content = bytes.subarray(from);
  if (holds === 'bytes') return { value: content };
  return isUtf8(content) ? { value: content.toString('utf8') } : undefined;
}

/** Returns the number if a double can represent it exactly, otherwise its bytes, as AMQP client libraries do. */
function wholeNumber(bytes: Buffer, at: number, value: bigint): number | Buffer {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : bytes.subarray(at, at + 8);
}

function uuid(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
