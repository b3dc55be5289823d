import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { AortaError, sealJson, unreadable, unsealJson } from '@aorta/runtime';
import type { Message } from '../message.ts';

const FORMAT = 1;
const NAME = /^([0-9]{10})\.intake$/;
const HEADER_END = 0x0a;
/** Maximum bytes of the header line. It holds one offset for each partition. */
const MOST_HEADER_BYTES = 64 * 1024;
const CHUNK_BYTES = 1024 * 1024;
const START_BYTES = 12;

/** Partition (2), offset, `receivedAt`, `arrivedAt` (8 each), and the length of the headers (4). */
const FACTS_BYTES = 2 + 3 * 8 + 4;

/** Upper bound of a payload. A longer one is damage. */
const MOST_PAYLOAD_BYTES = 2 ** 31;

/** Maximum number of messages in a part. */
const PART_MESSAGES = 500;

const MAGIC = 0xa0a7_1a5e;

/** A file of the log: a header line in JSON, and frames. */
export interface Segment {
  /** Segments are numbered from 0 in the order in which they are written. */
  readonly number: number;
  readonly path: string;
  /** By partition: the offset of the first message in this or a later segment. */
  readonly first: readonly number[];
  /**
   * By partition: the offset after the last durable message, so the segment has all offsets from `first` to here. Undefined if
   * this is unknown.
   */
  next: readonly number[] | undefined;
  /** Byte offset of the first frame. */
  readonly start: number;
  /** Bytes that readers may see: complete and durable frames. */
  end: number;
  /** When the last message was appended, in milliseconds since 1970; the modification time of a file from an earlier process. */
  lastAt: number;
}

export function segmentPath(folder: string, number: number): string {
  return join(folder, `${String(number).padStart(10, '0')}.intake`);
}

/** Returns the numbers of the segments in the folder, in order. */
export async function segmentNumbers(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  return names
    .flatMap((name) => NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

export function encodeHeader(first: readonly number[]): Buffer {
  return Buffer.from(`${sealJson(JSON.stringify({ format: FORMAT, first })).text}\n`, 'utf8');
}

/** A segment that an earlier process wrote. */
export interface FoundSegment extends Pick<Segment, 'path' | 'start' | 'end' | 'lastAt'> {
  /** {@link Segment.first}. Undefined if the header is incomplete or damaged; `start` is then 0. */
  readonly first: readonly number[] | undefined;
}

/** Opens a segment that an earlier process wrote. Rejects with AORTA-DATA-NEWER and AORTA-FILE-UNREADABLE. */
export async function openSegment(folder: string, number: number): Promise<FoundSegment> {
  const path = segmentPath(folder, number);
  try {
    await using file = await open(path, 'r');
    const { size, mtimeMs } = await file.stat();
    const bytes = Buffer.alloc(Math.min(size, MOST_HEADER_BYTES));
    await file.read(bytes, 0, bytes.length, 0);
    const line = bytes.indexOf(HEADER_END);
    const sealed = unsealJson(bytes.subarray(0, Math.max(0, line)));
    if (sealed === undefined) return { path, first: undefined, start: 0, end: size, lastAt: mtimeMs };
    const { format, first } = JSON.parse(sealed.json) as { readonly format: number; readonly first: readonly number[] };
    if (format > FORMAT) throw new AortaError('AORTA-DATA-NEWER', { path, found: format, known: FORMAT });
    return { path, first, start: line + 1, end: size, lastAt: mtimeMs };
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** A message with its place in the log. */
export interface PlacedMessage extends Message {
  readonly partition: number;
  readonly offset: number;
}

/**
 * Encodes a message as a frame. A frame starts with 12 bytes: magic, length and CRC-32 of the payload. The payload contains
 * partition, offset, two times, the headers as JSON, and the body. Numbers are big-endian.
 */
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
type FrameAt =
  | { readonly kind: 'whole'; readonly message: PlacedMessage; readonly bytes: number }
  /** `bytes`: how many bytes are needed. */
  | { readonly kind: 'cut'; readonly bytes: number }
  | { readonly kind: 'damaged' };

/** Decodes the frame at `at`. The body of the message shares the memory of `bytes`. */
function frameAt(bytes: Buffer, at: number): FrameAt {
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
function nextFrame(bytes: Buffer, from: number): number | undefined {
  const magic = Buffer.alloc(4);
  magic.writeUInt32BE(MAGIC);
  for (let at = bytes.indexOf(magic, from); at !== -1; at = bytes.indexOf(magic, at + 1)) {
    if (frameAt(bytes, at).kind === 'whole') return at;
  }
  return undefined;
}

/** A part of a segment, as {@link readFrames} reads it: messages, or damage. */
export interface ReadPart {
  readonly messages: readonly PlacedMessage[];
  /** Byte offset after the messages or the damage. */
  readonly to: number;
  /** Bytes that cannot be read. */
  readonly damaged?: number;
  /** Set if no intact frame follows the damage. A crash that interrupted an append leaves such an end. */
  readonly torn?: true;
}

/**
 * Reads the frames of a segment in the bytes [from, to). Yields parts of at most 500 messages and about 1 MiB. Rejects with
 * AORTA-FILE-UNREADABLE.
 */
export async function* readFrames(path: string, from: number, to: number): AsyncGenerator<ReadPart> {
  if (from >= to) return;
  await using file = await open(path, 'r').catch((error: unknown) => {
    throw unreadable(path, error);
  });
  let at = from;
  let wanted = CHUNK_BYTES;
  while (at < to) {
    const bytes = await readAt(file, path, at, Math.min(wanted, to - at));
    wanted = CHUNK_BYTES;
    let used = 0;
    for (const { messages, end } of partsIn(bytes)) {
      used = end;
      yield { messages, to: at + used };
    }
    at += used;
    // The bytes after the last whole frame are examined in the next round, at the start of a chunk.
    if (used > 0) continue;
    const stop = frameAt(bytes, 0);
    if (stop.kind === 'cut' && stop.bytes > bytes.length && stop.bytes <= to - at) {
      wanted = Math.max(stop.bytes, CHUNK_BYTES);
      continue;
    }
    const intact = await intactAfter(file, path, at + 1, to);
    const end = intact ?? to;
    yield { messages: [], to: end, damaged: end - at, torn: intact === undefined ? true : undefined };
    at = end;
  }
}

interface PartOfChunk {
  readonly messages: readonly PlacedMessage[];
  /** Index after the last message. */
  readonly end: number;
}

/** Decodes the whole frames at the start of some bytes, in parts of at most {@link PART_MESSAGES}. */
function* partsIn(bytes: Buffer): Generator<PartOfChunk> {
  let messages: PlacedMessage[] = [];
  let end = 0;
  for (let frame = frameAt(bytes, 0); frame.kind === 'whole'; frame = frameAt(bytes, end)) {
    messages.push(frame.message);
    end += frame.bytes;
    if (messages.length < PART_MESSAGES) continue;
    yield { messages, end };
    messages = [];
  }
  if (messages.length > 0) yield { messages, end };
}

async function readAt(file: FileHandle, path: string, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  try {
    const { bytesRead } = await file.read(bytes, 0, length, position);
    return bytes.subarray(0, bytesRead);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Returns the byte offset of the next intact frame in [from, to). Reads the rest of the segment at once, since damage is rare. */
async function intactAfter(file: FileHandle, path: string, from: number, to: number): Promise<number | undefined> {
  const found = nextFrame(await readAt(file, path, from, Math.max(0, to - from)), 0);
  return found === undefined ? undefined : from + found;
}
