import type { Encoder, EncoderClass } from './internals.ts';

type Header = readonly [name: string, value: Buffer | null];

/** A record as kafkajs gives it to be written. Ours have their headers in a list, in their order. */
export interface RecordToEncode {
  readonly offsetDelta: number;
  readonly timestampDelta: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: readonly Header[] | object;
}

/** Bytes of a record in a batch of format 2, with headers in any order, and without values. */
export function encodeRecord(Bytes: EncoderClass, record: RecordToEncode): Encoder {
  const { offsetDelta, timestampDelta, key, value } = record;
  const headers = record.headers as readonly Header[];
  let size = 1 + Bytes.sizeOfVarLong(timestampDelta) + Bytes.sizeOfVarInt(offsetDelta) + Bytes.sizeOfVarInt(headers.length);
  size += sizeOfBytes(Bytes, key) + sizeOfBytes(Bytes, value);
  for (const [name, content] of headers) {
    const nameBytes = Buffer.byteLength(name);
    size += Bytes.sizeOfVarInt(nameBytes) + nameBytes + sizeOfBytes(Bytes, content);
  }
  // Of its size from the beginning: the library would double it a few times, and copy.
  const written = new Bytes(size + Bytes.sizeOfVarInt(size))
    .writeVarInt(size)
    .writeInt8(0)
    .writeVarLong(timestampDelta)
    .writeVarInt(offsetDelta)
    .writeVarIntBytes(key)
    .writeVarIntBytes(value)
    .writeVarInt(headers.length);
  for (const [name, content] of headers) written.writeVarIntString(name).writeVarIntBytes(content);
  return written;
}

function sizeOfBytes(Bytes: EncoderClass, bytes: Buffer | null): number {
  return bytes === null ? Bytes.sizeOfVarInt(-1) : Bytes.sizeOfVarInt(bytes.length) + bytes.length;
}
