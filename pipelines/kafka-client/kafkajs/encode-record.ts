import type { Encoder } from './internals.ts';

/** A record as kafkajs gives it to be written. Ours have their headers in a list, in their order. */
export interface RecordToEncode {
  readonly offsetDelta: number;
  readonly timestampDelta: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: readonly (readonly [name: string, value: Buffer | null])[] | object;
}

/** Bytes of a record in a batch of format 2, with headers in any order, and without values. */
export function encodeRecord(newEncoder: () => Encoder, record: RecordToEncode): Encoder {
  const headers = record.headers as readonly (readonly [name: string, value: Buffer | null])[];
  const body = newEncoder()
    .writeInt8(0)
    .writeVarLong(record.timestampDelta)
    .writeVarInt(record.offsetDelta)
    .writeVarIntBytes(record.key)
    .writeVarIntBytes(record.value)
    .writeVarInt(headers.length);
  for (const [name, value] of headers) body.writeVarIntString(name).writeVarIntBytes(value);
  return newEncoder().writeVarInt(body.buffer.length).writeEncoder(body);
}
