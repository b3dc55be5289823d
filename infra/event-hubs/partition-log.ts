import { type LogBegin, LogFile, recordHead, sealRecord } from './log-file.ts';
import type { StartPosition } from './start-position.ts';
import { type SentMessage, type Stamp, storedLength, writeStored } from './stored-message.ts';

/**
 * The first offset; offsets count bytes, and the service's own begin here as well. An offset can therefore never be a sequence number,
 * and code that confuses the two is refused.
 */
const firstOffset = 0x1_0000_0000;

/** The time of the last event if there is none: the year 1. */
const never = Date.parse('0001-01-01T00:00:00Z');
/** The replication epoch of a geo-replicated hub. It never changes, because this server has no failover. */
const GEO_EPOCH = 1;
const beginning: LogBegin = { sequenceNumber: 0, offset: firstOffset, lastOffset: firstOffset, lastEnqueuedTime: never };
const nothing: Stamp = { sequenceNumber: -1, offset: '-1', enqueuedTime: never };

/** The first and last event of a partition. The partition is empty if `last` is `begin - 1`. */
export interface LogEnds {
  /** sequence number of the first remaining event; if there is none, of the next event */
  readonly begin: number;
  /** the last event ever appended, even if it was trimmed; sequence number -1 if there was none */
  readonly last: Stamp;
  readonly empty: boolean;
  /** bytes of all stored messages */
  readonly bytes: number;
}

/** A partition: its messages as sent, in the order in which they were stored. It is in memory, and in a file if there is one. */
export class PartitionLog {
  readonly id: string;
  readonly #file: LogFile | undefined;
  /** stored messages; the head of its record precedes each message in the same buffer */
  #messages: Buffer[] = [];
  #offsets: number[] = [];
  #times: number[] = [];
  #begin = beginning.sequenceNumber;
  #nextOffset = beginning.offset;
  #last = nothing;
  #lastOffset = -1;
  readonly #offsetText: (offset: number) => string;

  /**
   * With a path, opens the partition that is stored there, or creates it. The offsets of a geo-replicated hub are not numbers, because
   * they begin with the replication epoch.
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

  /** Stores all messages or none. Throws if the file cannot be written. */
  append(messages: readonly SentMessage[], enqueuedTime = Date.now()): void {
    const stamps: Stamp[] = [];
    const lengths: number[] = [];
    const offsets: number[] = [];
    let offset = this.#nextOffset;
    let sequenceNumber = this.next;
    for (const message of messages) {
      const stamp = { sequenceNumber: sequenceNumber++, offset: this.#offsetText(offset), enqueuedTime };
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
      this.#take(bytes.subarray(at, at + lengths[index]!), taken, enqueuedTime);
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
      // The record's head precedes its message in the same buffer.
      this.#messages.map((message) => Buffer.from(message.buffer, message.byteOffset - recordHead, recordHead + message.length)),
    );
  }

  /** Empties the partition and counts from 0 again, as if the hub had been deleted and created again. */
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
   * Returns the sequence number of the first event at a start position. As the service does, it refuses a position beyond the end, and
   * an offset that the partition cannot have had, instead of moving to the nearest event. `refused` is the error message.
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

  /** Binary search in values that never decrease. */
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
