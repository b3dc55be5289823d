import { closeSync, ftruncateSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { type SentMessage, type Stamp, storedLength, writeStored } from './stored-message.ts';

/**
 * The offset of the first event in a partition. The real service starts at the same offset. Offsets count bytes. Every
 * offset is larger than any sequence number, so code that confuses the two gets an error.
 */
const firstOffset = 0x1_0000_0000;

/** The time that a partition without events reports as the enqueued time of its last event: the year 1. */
const never = Date.parse('0001-01-01T00:00:00Z');
/** The replication epoch of a geo-replicated hub. The epoch never changes, because this server does not fail over. */
const GEO_EPOCH = 1;
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
const recordHead = 32;
const checkedFrom = 8;
const beginning: LogBegin = { sequenceNumber: 0, offset: firstOffset, lastOffset: firstOffset, lastEnqueuedTime: never };
const nothing: Stamp = { sequenceNumber: -1, offset: '-1', enqueuedTime: never };

/** The position of a record in its partition. */
interface RecordPlace {
  readonly sequenceNumber: number;
  readonly offset: number;
  /** milliseconds since 1970 */
  readonly enqueuedTime: number;
}

interface LogRecord extends RecordPlace {
  readonly message: Buffer;
}

/** Writes a record's header at `at`, before the record's message, which must already be at `at + recordHead`. */
function sealRecord(target: Buffer, at: number, length: number, place: RecordPlace): void {
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
interface LogBegin {
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
class LogFile {
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

/** The first and last event of a partition. The partition is empty if `last.sequenceNumber` is `begin - 1`. */
export interface LogEnds {
  /** sequence number of the first remaining event, or of the next event if no event remains */
  readonly begin: number;
  /** the last event ever appended, even if it has been trimmed. The sequence number is -1 if no event was ever appended */
  readonly last: Stamp;
  readonly empty: boolean;
  /** total size of all stored messages, in bytes */
  readonly bytes: number;
}

/** The position in a partition from which a reader wants to start. */
export type StartPosition =
  | { readonly from: 'earliest' | 'latest' }
  | { readonly from: 'offset' | 'sequence-number' | 'enqueued-time'; readonly value: number; readonly inclusive: boolean };

const selector = /^\s*amqp\.annotation\.x-opt-(offset|sequence-number|enqueued-time)\s*(>=?)\s*'([^']*)'\s*$/;

/**
 * Parses the selector of a receiving link. Returns undefined if the selector is invalid. Without a selector, a reader
 * gets only new events.
 */
export function startPosition(expression: string | undefined): StartPosition | undefined {
  if (expression === undefined) return { from: 'latest' };
  const match = selector.exec(expression);
  if (match === null) return undefined;
  const from = match[1] as 'offset' | 'sequence-number' | 'enqueued-time';
  const text = match[3]!;
  if (from === 'offset' && text === '@latest') return { from: 'latest' };
  if (from === 'offset' && text === '-1') return { from: 'earliest' };
  // The offset of a geo-replicated hub begins with the replication epoch and a colon.
  const number = /^(?:\d+:)?(-?\d+)$/.exec(text)?.[1];
  if (number === undefined) return undefined;
  return { from, value: Number(number), inclusive: match[2] === '>=' };
}

/**
 * The messages of a partition, in the order in which they were stored. They are kept in memory. If a path is given, they
 * are also kept in a file.
 */
export class PartitionLog {
  readonly id: string;
  readonly #file: LogFile | undefined;
  /** the stored messages. Each message is part of a larger buffer, in which the record's header directly precedes it */
  #messages: Buffer[] = [];
  #offsets: number[] = [];
  #times: number[] = [];
  #begin = beginning.sequenceNumber;
  #nextOffset = beginning.offset;
  #last = nothing;
  #lastOffset = -1;
  readonly #offsetText: (offset: number) => string;

  /**
   * If a path is given, opens the partition that is stored there, or creates it. The offsets of a geo-replicated hub
   * begin with the replication epoch, so they are not numbers.
   */
  constructor(id: string, path?: string, geoReplicated = false) {
    this.id = id;
    this.#offsetText = geoReplicated ? (offset) => `${GEO_EPOCH}:${offset}` : String;
    if (path === undefined) return;
    const { file, begin, records } = LogFile.open(path, beginning);
    this.#file = file;
    this.#begin = begin.sequenceNumber;
    this.#nextOffset = begin.offset;
    if (begin.sequenceNumber > 0) {
      const { sequenceNumber, lastOffset, lastEnqueuedTime } = begin;
      this.#last = { sequenceNumber: sequenceNumber - 1, offset: this.#offsetText(lastOffset), enqueuedTime: lastEnqueuedTime };
      this.#lastOffset = lastOffset;
    }
    for (const { message, offset, enqueuedTime } of records) this.#take(message, offset, enqueuedTime);
  }

  #take(message: Buffer, offset: number, enqueuedTime: number): void {
    this.#last = { sequenceNumber: this.next, offset: this.#offsetText(offset), enqueuedTime };
    this.#lastOffset = offset;
    this.#messages.push(message);
    this.#offsets.push(offset);
    this.#times.push(enqueuedTime);
    this.#nextOffset = offset + recordHead + message.length;
  }

  /** Sequence number of the first remaining event. */
  get begin(): number {
    return this.#begin;
  }

  /** Sequence number of the next event. */
  get next(): number {
    return this.#begin + this.#messages.length;
  }

  get last(): Stamp {
    return this.#last;
  }

  get ends(): LogEnds {
    const bytes = this.#messages.reduce((sum, message) => sum + message.length, 0);
    return { begin: this.begin, last: this.last, empty: this.#messages.length === 0, bytes };
  }

  /** Returns the stored message with a sequence number in [begin, next). */
  message(sequenceNumber: number): Buffer {
    return this.#messages[sequenceNumber - this.#begin]!;
  }

  /**
   * Stores all messages. A time that the sender chose replaces `enqueuedTime`, but is never before the last one. If the file
   * cannot be written, throws and stores none of the messages.
   */
  append(messages: readonly SentMessage[], enqueuedTime = Date.now()): void {
    const stamps: Stamp[] = [];
    const lengths: number[] = [];
    const offsets: number[] = [];
    let offset = this.#nextOffset;
    let sequenceNumber = this.next;
    let latest = this.#last.enqueuedTime;
    for (const message of messages) {
      latest = message.chosenTime === undefined ? enqueuedTime : Math.max(latest, message.chosenTime);
      const stamp = { sequenceNumber: sequenceNumber++, offset: this.#offsetText(offset), enqueuedTime: latest };
      const length = storedLength(message, stamp.offset.length);
      stamps.push(stamp);
      lengths.push(length);
      offsets.push(offset);
      offset += recordHead + length;
    }
    const bytes = Buffer.allocUnsafeSlow(offset - this.#nextOffset);
    let at = 0;
    for (const [index, message] of messages.entries()) {
      const stamp = stamps[index]!;
      const length = lengths[index]!;
      writeStored(bytes, at + recordHead, message, stamp);
      if (this.#file !== undefined) sealRecord(bytes, at, length, { ...stamp, offset: offsets[index]! });
      at += recordHead + length;
    }
    this.#file?.append(bytes);
    at = 0;
    for (const [index, taken] of offsets.entries()) {
      at += recordHead;
      this.#take(bytes.subarray(at, at + lengths[index]!), taken, stamps[index]!.enqueuedTime);
      at += lengths[index]!;
    }
  }

  /** Drops the events before a sequence number, as retention does. */
  trim(before: number): void {
    const dropped = Math.min(Math.max(before - this.#begin, 0), this.#messages.length);
    if (dropped === 0) return;
    const [lastOffset, lastEnqueuedTime] = [this.#offsets[dropped - 1]!, this.#times[dropped - 1]!];
    this.#messages = this.#messages.slice(dropped);
    this.#offsets = this.#offsets.slice(dropped);
    this.#times = this.#times.slice(dropped);
    this.#begin += dropped;
    this.#file?.replace(
      { sequenceNumber: this.#begin, offset: this.#offsets[0] ?? this.#nextOffset, lastOffset, lastEnqueuedTime },
      // The record's header precedes its message in the same buffer.
      this.#messages.map((message) => Buffer.from(message.buffer, message.byteOffset - recordHead, recordHead + message.length)),
    );
  }

  /** Empties the partition and starts its sequence numbers at 0 again, as if the hub had been deleted and created again. */
  recreate(): void {
    this.#messages = [];
    this.#offsets = [];
    this.#times = [];
    this.#begin = beginning.sequenceNumber;
    this.#nextOffset = beginning.offset;
    this.#last = nothing;
    this.#lastOffset = -1;
    this.#file?.replace(beginning, []);
  }

  /**
   * Returns the sequence number of the first event at a start position. Like the real service, refuses a position beyond
   * the end instead of moving to the nearest event. Also refuses an offset that is too small for any event. `refused` is
   * the error message.
   */
  seek(position: StartPosition): { next: number } | { refused: string } {
    switch (position.from) {
      case 'earliest':
        return { next: this.#begin };
      case 'latest':
        return { next: this.next };
      case 'enqueued-time':
        return { next: this.#firstAt(this.#times, position) };
      case 'sequence-number':
        if (position.value > this.#last.sequenceNumber) {
          const { sequenceNumber } = this.#last;
          return { refused: invalidPosition('sequence number', position.value, String(sequenceNumber)) };
        }
        return { next: Math.max(this.#begin, position.inclusive ? position.value : position.value + 1) };
      case 'offset':
        if (position.value < firstOffset || position.value > this.#lastOffset)
          return { refused: invalidPosition('offset', position.value, this.#last.offset) };
        return { next: this.#firstAt(this.#offsets, position) };
    }
  }

  /**
   * Returns the sequence number of the first event whose entry in `values` is above `value`, or equal to it if `inclusive`
   * is true. `values` has one entry for each event and is sorted.
   */
  #firstAt(values: readonly number[], { value, inclusive }: { value: number; inclusive: boolean }): number {
    let low = 0;
    let high = values.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (inclusive ? values[middle]! >= value : values[middle]! > value) high = middle;
      else low = middle + 1;
    }
    return this.#begin + low;
  }

  close(): void {
    this.#file?.close();
  }
}

function invalidPosition(kind: string, value: number, last: string): string {
  return `The supplied ${kind} '${value}' is invalid. The last ${kind} in the system is '${last}'`;
}
