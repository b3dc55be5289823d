import { type LogBegin, LogFile, recordHead, sealRecord } from './log-file.ts';
import type { StartPosition } from './start-position.ts';
import { type SentMessage, type Stamp, storedLength, writeStored } from './stored-message.ts';

/**
 * Offsets count bytes from here, so that no offset is ever a sequence number: whoever mixes the two is refused, in both directions. The
 * service's own begin here as well.
 */
const firstOffset = 0x1_0000_0000;

/** The time of the last event where there is none: the year 1. */
const never = Date.parse('0001-01-01T00:00:00Z');
/** The replication epoch of a geo-replicated hub; no failover happens here. */
const GEO_EPOCH = 1;
const beginning: LogBegin = { sequenceNumber: 0, offset: firstOffset, lastOffset: firstOffset, lastEnqueuedTime: never };
const nothing: Stamp = { sequenceNumber: -1, offset: '-1', enqueuedTime: never };

/** Where a partition begins and ends. It is empty where `last` is `begin - 1`. */
export interface LogEnds {
  /** sequence number of the first event that is still there, or of the next one */
  readonly begin: number;
  /** the last event that was appended, whether or not it is still there; sequence number -1 where there never was one */
  readonly last: Stamp;
  readonly empty: boolean;
  /** what is held, in bytes */
  readonly bytes: number;
}

/** One partition: messages as they were sent, in the order in which they were stored. Held in memory, and in a file where there is one. */
export class PartitionLog {
  readonly id: string;
  readonly #file: LogFile | undefined;
  /** stored messages, with the head of their record in the same memory before them */
  #messages: Buffer[] = [];
  #offsets: number[] = [];
  #times: number[] = [];
  #begin = beginning.sequenceNumber;
  #nextOffset = beginning.offset;
  #last = nothing;
  #lastOffset = -1;
  readonly #offsetText: (offset: number) => string;

  /**
   * With a path, opens the partition that is there, or makes it. Offsets of a geo-replicated hub are no numbers: they name
   * the replication epoch first.
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

  /** Sequence number of the first event that is still there. */
  get begin(): number {
    return this.#begin;
  }

  /** Sequence number of the event that comes next. */
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

  /** The stored message of a sequence number from `begin` to before `next`. */
  message(sequenceNumber: number): Buffer {
    return this.#messages[sequenceNumber - this.#begin]!;
  }

  /** Stores messages, all or none; throws where the file does not take them. */
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
      // The record's head lies before its message in the same memory.
      this.#messages.map((message) => Buffer.from(message.buffer, message.byteOffset - recordHead, recordHead + message.length)),
    );
  }

  /** Empties the partition and numbers from 0 again, as a hub that was deleted and made anew. */
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
   * The sequence number of the first event that a start position asks for. A position beyond the end, or one that no offset of this
   * partition ever was, is refused as the service does, and not moved to the nearest: `refused` says so in words for a person.
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

  /** Binary search in what never decreases. */
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
