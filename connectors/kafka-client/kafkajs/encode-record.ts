import type { Encoder, EncoderClass } from './internals.ts';

type Header = readonly [name: string, value: Buffer | null];

/** A record to encode, as kafkajs passes it. Our producer passes headers as an ordered list. */
export interface RecordToEncode {
  readonly offsetDelta: number;
  readonly timestampDelta: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: readonly Header[] | object;
}

/** Encodes a record of a batch in format 2. Unlike the library, it keeps the order of headers and allows null values. */
export function encodeRecord(Bytes: EncoderClass, record: RecordToEncode): Encoder {
  const { offsetDelta, timestampDelta, key, value } = record;
  const headers = record.headers as readonly Header[];
  let size = 1 + Bytes.sizeOfVarLong(timestampDelta) + Bytes.sizeOfVarInt(offsetDelta) + Bytes.sizeOfVarInt(headers.length);
  size += sizeOfBytes(Bytes, key) + sizeOfBytes(Bytes, value);
  for (const [name, content] of headers) {
    const nameBytes = Buffer.byteLength(name);
    size += Bytes.sizeOfVarInt(nameBytes) + nameBytes + sizeOfBytes(Bytes, content);
  }
  // Allocated at full size, because the library would grow and copy the buffer several times.
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
