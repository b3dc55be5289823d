import type { FetchedMessage, RecordBatchContext } from './internals.ts';

/** Timestamp type of a batch if the broker sets its timestamp. All records of such a batch have the batch's timestamp. */
const LOG_APPEND_TIME = 1;

/**
 * Decodes a record of a batch in format 2, with headers as a list in their original order. The library's decoder collects headers
 * by name instead. It therefore loses the order of repeated names, puts numeric names first, and adds a JavaScript function as a
 * value of a header named `constructor`. It is also slow, because it creates objects for 64-bit integers, and copies an object
 * for each header.
 *
 * Numbers above 2^53 are inexact but stay above 2^53; callers reject such offsets.
 */
export function decodeRecord({ buffer }: { readonly buffer: Buffer }, batch: RecordBatchContext): FetchedMessage {
  const from = new Bytes(buffer);
  // Skips the attributes, which are unused.
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

/** Reads Kafka's variable-length integers: seven bits per byte, low bits first, with the sign in the lowest bit. */
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
