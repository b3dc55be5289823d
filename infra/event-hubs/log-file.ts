import { closeSync, ftruncateSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/*
 * A partition on disk: a head, then records, both in big-endian.
 *
 *   head    8 bytes of magic, u64 next sequence number, u64 next offset, u64 offset and i64 enqueued time (ms) of the event before
 *   record  u32 length of the message, u32 CRC-32 of all that follows, u64 sequence number, u64 offset, i64 enqueued time (ms), message
 *
 * The head says where the records begin, and matters only while there is none. It is written without fsync: what counts here is a killed process, not a lost machine.
 */
const magic = Buffer.from('AORTAEH1', 'latin1');
const headLength = 40;
/** Bytes before the message in a record. */
export const recordHead = 32;
const checkedFrom = 8;

/** Where a record stands in its partition. */
export interface RecordPlace {
  readonly sequenceNumber: number;
  readonly offset: number;
  /** milliseconds since 1970 */
  readonly enqueuedTime: number;
}

export interface LogRecord extends RecordPlace {
  readonly message: Buffer;
}

/** Writes a record's head before its message, which stands at `at + recordHead` already. */
export function sealRecord(target: Buffer, at: number, length: number, place: RecordPlace): void {
  target.writeUInt32BE(length, at);
  target.writeBigUInt64BE(BigInt(place.sequenceNumber), at + 8);
  target.writeBigUInt64BE(BigInt(place.offset), at + 16);
  target.writeBigInt64BE(BigInt(place.enqueuedTime), at + 24);
  target.writeUInt32BE(crc32(target.subarray(at + checkedFrom, at + recordHead + length)), at + 4);
}

/** The records of a file's content, and how many of its bytes are whole. A torn or altered record ends it. */
function readRecords(content: Buffer): { records: LogRecord[]; whole: number } {
  const records: LogRecord[] = [];
  let at = headLength;
  while (at + recordHead <= content.length) {
    const end = at + recordHead + content.readUInt32BE(at);
    if (end > content.length || crc32(content.subarray(at + checkedFrom, end)) !== content.readUInt32BE(at + 4)) break;
    records.push({
      sequenceNumber: Number(content.readBigUInt64BE(at + 8)),
      offset: Number(content.readBigUInt64BE(at + 16)),
      enqueuedTime: Number(content.readBigInt64BE(at + 24)),
      message: content.subarray(at + recordHead, end),
    });
    at = end;
  }
  return { records, whole: at };
}

/** Where a file's records begin: what was trimmed is before that. */
export interface LogBegin {
  readonly sequenceNumber: number;
  readonly offset: number;
  /** of the event before; of no meaning at sequence number 0 */
  readonly lastOffset: number;
  readonly lastEnqueuedTime: number;
}

function head(begin: LogBegin): Buffer {
  const bytes = Buffer.alloc(headLength);
  magic.copy(bytes);
  bytes.writeBigUInt64BE(BigInt(begin.sequenceNumber), 8);
  bytes.writeBigUInt64BE(BigInt(begin.offset), 16);
  bytes.writeBigUInt64BE(BigInt(begin.lastOffset), 24);
  bytes.writeBigInt64BE(BigInt(begin.lastEnqueuedTime), 32);
  return bytes;
}

function beginOf(bytes: Buffer): LogBegin {
  return {
    sequenceNumber: Number(bytes.readBigUInt64BE(8)),
    offset: Number(bytes.readBigUInt64BE(16)),
    lastOffset: Number(bytes.readBigUInt64BE(24)),
    lastEnqueuedTime: Number(bytes.readBigInt64BE(32)),
  };
}

/** The file of a partition, open to be appended to. */
export class LogFile {
  readonly #path: string;
  #descriptor: number;
  #length: number;

  private constructor(path: string, descriptor: number, length: number) {
    this.#path = path;
    this.#descriptor = descriptor;
    this.#length = length;
  }

  /** Opens or makes the file and cuts a torn tail off. Throws where the file is something else. */
  static open(path: string, first: LogBegin): { file: LogFile; begin: LogBegin; records: LogRecord[] } {
    using opening = new DisposableStack();
    const descriptor = opening.adopt(openSync(path, 'a+', 0o600), closeSync);
    const content = readFileSync(descriptor);
    // Killed while the head was written: there is no record yet.
    if (content.length < headLength) {
      ftruncateSync(descriptor, 0);
      writeSync(descriptor, head(first));
      opening.move();
      return { file: new LogFile(path, descriptor, headLength), begin: first, records: [] };
    }
    if (!content.subarray(0, magic.length).equals(magic)) throw new Error(`${path} is no partition of this server`);
    const { records, whole } = readRecords(content);
    if (whole < content.length) ftruncateSync(descriptor, whole);
    opening.move();
    return { file: new LogFile(path, descriptor, whole), begin: beginOf(content), records };
  }

  /** Appends sealed records, all of them or none. */
  append(bytes: Buffer): void {
    try {
      let written = 0;
      while (written < bytes.length) written += writeSync(this.#descriptor, bytes, written);
      this.#length += written;
    } catch (error) {
      ftruncateSync(this.#descriptor, this.#length);
      throw error;
    }
  }

  /** Puts a file with these sealed records into the place of this one. */
  replace(begin: LogBegin, records: readonly Buffer[]): void {
    const beside = `${this.#path}.new`;
    const bytes = Buffer.concat([head(begin), ...records]);
    writeFileSync(beside, bytes, { mode: 0o600 });
    renameSync(beside, this.#path);
    closeSync(this.#descriptor);
    this.#descriptor = openSync(this.#path, 'a+', 0o600);
    this.#length = bytes.length;
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
