import { crc32 } from 'node:zlib';
import type { Message } from '../message.ts';

/**
 * The frames of an intake segment. A frame starts with 12 bytes: magic, length and CRC-32 of the payload. The payload contains
 * partition, offset, two times, the headers as JSON, and the body. Numbers are big-endian.
 */

const MAGIC = 0xa0a7_1a5e;
const START_BYTES = 12;
/** Partition (2), offset, `receivedAt`, `arrivedAt` (8 each), and the length of the headers (4). */
const FACTS_BYTES = 2 + 3 * 8 + 4;
/** Upper bound of a payload. A longer one is damage. */
const MOST_PAYLOAD_BYTES = 2 ** 31;

/** A message with its place in the log. */
export interface PlacedMessage extends Message {
  readonly partition: number;
  readonly offset: number;
}

/** Encodes a message. */
export function encodeFrame({ partition, offset, receivedAt, arrivedAt, user, headers, body }: PlacedMessage): Buffer {
  const facts = Buffer.from(JSON.stringify({ user, headers: [...headers] }), 'utf8');
  const length = FACTS_BYTES + facts.length + body.length;
  const frame = Buffer.allocUnsafe(START_BYTES + length);
  let at = frame.writeUInt32BE(MAGIC, 0);
  at = frame.writeUInt32BE(length, at);
  at += 4;
  at = frame.writeUInt16BE(partition, at);
  at = frame.writeBigUInt64BE(BigInt(offset), at);
  at = frame.writeBigUInt64BE(BigInt(receivedAt), at);
  at = frame.writeBigUInt64BE(BigInt(arrivedAt), at);
  at = frame.writeUInt32BE(facts.length, at);
  at += facts.copy(frame, at);
  body.copy(frame, at);
  frame.writeUInt32BE(crc32(frame.subarray(START_BYTES)), 8);
  return frame;
}

/** The frame at the start of some bytes: complete, longer than the bytes, or no frame. */
export type FrameAt =
  | { readonly kind: 'whole'; readonly message: PlacedMessage; readonly bytes: number }
  /** `bytes`: how many bytes are needed. */
  | { readonly kind: 'cut'; readonly bytes: number }
  | { readonly kind: 'damaged' };

/** Decodes the frame at `at`. The body of the message shares the memory of `bytes`. */
export function frameAt(bytes: Buffer, at: number): FrameAt {
  if (bytes.length - at < START_BYTES) return { kind: 'cut', bytes: START_BYTES };
  const length = bytes.readUInt32BE(at + 4);
  if (bytes.readUInt32BE(at) !== MAGIC || length < FACTS_BYTES || length > MOST_PAYLOAD_BYTES) return { kind: 'damaged' };
  const end = at + START_BYTES + length;
  if (end > bytes.length) return { kind: 'cut', bytes: START_BYTES + length };
  const payload = bytes.subarray(at + START_BYTES, end);
  if (crc32(payload) !== bytes.readUInt32BE(at + 8)) return { kind: 'damaged' };
  const facts = payload.readUInt32BE(26);
  const { user, headers } = JSON.parse(payload.toString('utf8', FACTS_BYTES, FACTS_BYTES + facts)) as {
    user: string | null;
    headers: [string, string][];
  };
  const message = {
    partition: payload.readUInt16BE(0),
    offset: Number(payload.readBigUInt64BE(2)),
    receivedAt: Number(payload.readBigUInt64BE(10)),
    arrivedAt: Number(payload.readBigUInt64BE(18)),
    user,
    headers: new Map(headers),
    body: payload.subarray(FACTS_BYTES + facts),
  };
  return { kind: 'whole', message, bytes: START_BYTES + length };
}

/** Returns the index of the next intact frame after damage, or undefined if there is none in these bytes. */
export function nextFrame(bytes: Buffer, from: number): number | undefined {
  const magic = Buffer.alloc(4);
  magic.writeUInt32BE(MAGIC);
  for (let at = bytes.indexOf(magic, from); at !== -1; at = bytes.indexOf(magic, at + 1)) {
    if (frameAt(bytes, at).kind === 'whole') return at;
  }
  return undefined;
}
