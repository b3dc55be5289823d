import { closeSync, ftruncateSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/*
 * The file of a partition contains a header, followed by records. All numbers are big-endian:
 *
 * - Header: 8 bytes of magic, u64 next sequence number, u64 next offset, u64 last offset, i64 last enqueued time (ms).
 * - Record: u32 length of the message, u32 CRC-32 of the rest, u64 sequence number, u64 offset, i64 enqueued time (ms),
 *   message.
 *
 * The header gives the position of the first record in the partition. The file is written without fsync, so its
 * content survives if the process is killed, but may be lost in a power failure.
 */
const magic = Buffer.from('AORTAEH1', 'latin1');
const headLength = 40;
/** Number of bytes before the message in a record. */
export const recordHead = 32;
const checkedFrom = 8;

/** The position of a record in its partition. */
export interface RecordPlace {
  readonly sequenceNumber: number;
  readonly offset: number;
  /** milliseconds since 1970 */
  readonly enqueuedTime: number;
}

export interface LogRecord extends RecordPlace {
  readonly message: Buffer;
}

/** Writes a record's header at `at`, before the record's message, which must already be at `at + recordHead`. */
export function sealRecord(target: Buffer, at: number, length: number, place: RecordPlace): void {
  target.writeUInt32BE(length, at);
  target.writeBigUInt64BE(BigInt(place.sequenceNumber), at + 8);
  target.writeBigUInt64BE(BigInt(place.offset), at + 16);
  target.writeBigInt64BE(BigInt(place.enqueuedTime), at + 24);
  target.writeUInt32BE(crc32(target.subarray(at + checkedFrom, at + recordHead + length)), at + 4);
}

/** Returns a file's records and the number of intact bytes. Stops at the first incomplete or corrupt record. */
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

/** The position of the first record in a file. The events before this record were trimmed. */
export interface LogBegin {
  readonly sequenceNumber: number;
  readonly offset: number;
  /** offset of the event before the first record; meaningless if the sequence number is 0 */
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

/** The file of a partition, open for appending. */
export class LogFile {
  readonly #path: string;
  #descriptor: number;
  #length: number;

  private constructor(path: string, descriptor: number, length: number) {
    this.#path = path;
    this.#descriptor = descriptor;
    this.#length = length;
  }

  /** Opens or creates the file, and cuts off an incomplete record at the end. Throws if the file is not a partition file. */
  static open(path: string, first: LogBegin): { file: LogFile; begin: LogBegin; records: LogRecord[] } {
    using opening = new DisposableStack();
    const descriptor = opening.adopt(openSync(path, 'a+', 0o600), closeSync);
    const content = readFileSync(descriptor);
    // The file is new, or a process was killed while it wrote the header. There are no records yet.
    if (content.length < headLength) {
      ftruncateSync(descriptor, 0);
      writeSync(descriptor, head(first));
      opening.move();
      return { file: new LogFile(path, descriptor, headLength), begin: first, records: [] };
    }
    if (!content.subarray(0, magic.length).equals(magic)) throw new Error(`${path} is not a partition file of this server`);
    const { records, whole } = readRecords(content);
    if (whole < content.length) ftruncateSync(descriptor, whole);
    opening.move();
    return { file: new LogFile(path, descriptor, whole), begin: beginOf(content), records };
  }

  /** Appends complete records. If writing fails, throws and leaves the file as it was. */
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

  /** Replaces the content of the file with a header and the given complete records. */
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
