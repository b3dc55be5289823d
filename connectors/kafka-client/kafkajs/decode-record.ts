import type { FetchedMessage, RecordBatchContext } from './internals.ts';

/** As a batch has it where its broker writes the times of records: all of them are the batch's. */
const LOG_APPEND_TIME = 1;

/**
 * A record out of a batch of format 2. kafkajs reckons offsets and times as objects of its own, and copies an object for
 * every header by whose name it is collected: the order of names that repeat is lost, one that looks like a number comes
 * first, and `constructor` gets a function of JavaScript as another value. Here they are a list, in their order.
 *
 * Numbers beyond 2^53 come out near what they are, and beyond 2^53: who takes an offset looks for that.
 */
export function decodeRecord({ buffer }: { readonly buffer: Buffer }, batch: RecordBatchContext): FetchedMessage {
  const from = new Bytes(buffer);
  // Attributes, of which there are none.
  from.byte();
  const timeDelta = from.long();
  const offset = Number(batch.firstOffset) + from.int();
  const time = batch.timestampType === LOG_APPEND_TIME ? batch.maxTimestamp : String(Number(batch.firstTimestamp) + timeDelta);
  const key = from.bytes();
  const value = from.bytes();
  const count = from.int();
  const headers: (readonly [name: string, value: Buffer | null])[] = [];
  for (let at = 0; at < count; at++) headers.push([from.text(), from.bytes()]);
  return {
    timestamp: time,
    offset: String(offset),
    key,
    value,
    headers,
    isControlRecord: batch.isControlBatch,
    batchContext: batch,
  };
}

/** Numbers here have seven bits in a byte, the lowest first, and their sign in the lowest bit. */
class Bytes {
  readonly #buffer: Buffer;
  #at = 0;

  constructor(buffer: Buffer) {
    this.#buffer = buffer;
  }

  byte(): number {
    return this.#buffer[this.#at++]!;
  }

  int(): number {
    let byte = this.byte();
    let bits = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = this.byte();
      bits |= (byte & 0x7f) << shift;
    }
    return (bits >>> 1) ^ -(bits & 1);
  }

  long(): number {
    let byte = this.byte();
    let bits = byte & 0x7f;
    for (let unit = 0x80; byte >= 0x80; unit *= 0x80) {
      byte = this.byte();
      bits += (byte & 0x7f) * unit;
    }
    return bits % 2 === 0 ? bits / 2 : -(bits + 1) / 2;
  }

  bytes(): Buffer | null {
    const length = this.int();
    if (length < 0) return null;
    this.#at += length;
    return this.#buffer.subarray(this.#at - length, this.#at);
  }

  text(): string {
    const length = this.int();
    if (length <= 0) return '';
    this.#at += length;
    return this.#buffer.toString('utf8', this.#at - length, this.#at);
  }
}
