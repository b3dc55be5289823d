import avsc from 'avsc';
import { type StreamName, type StreamRecords, streamSchemas } from '../streams/streams.generated.ts';

const EMPTY_HIGH = 0xc15d213a;
const EMPTY_LOW = 0xa4d7a795;

const tableHigh = new Uint32Array(256);
const tableLow = new Uint32Array(256);
const MARK = Buffer.from([0xc3, 0x01]);
const HEADER = 10;

/** Length of the longest string whose length is encoded in one byte. */
const SHORT = 63;

/** For strings longer than this, `utf8Write` is faster than writing the characters one by one. */
const CALLED = 20;

/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const WIDEST = 3;

const learned = new Map<string, string>();
for (let byte = 0; byte < 256; byte++) {
  let high = 0;
  let low = byte;
  for (let bit = 0; bit < 8; bit++) {
    const odd = low & 1;
    low = ((low >>> 1) | (high << 31)) >>> 0;
    high >>>= 1;
    if (odd === 1) {
      high = (high ^ EMPTY_HIGH) >>> 0;
      low = (low ^ EMPTY_LOW) >>> 0;
    }
  }
  tableHigh[byte] = high;
  tableLow[byte] = low;
}

/**
 * Returns the fingerprint of a schema in canonical form: 8 bytes, little endian, as in the single-object encoding. It is a
 * CRC-64-AVRO (Rabin), as in "Schema Fingerprints" in the Avro specification. The CRC is computed in two halves because
 * JavaScript's bitwise operators work on 32 bits.
 */
export function fingerprint(canonical: string): Buffer {
  let high = EMPTY_HIGH;
  let low = EMPTY_LOW;
  for (const byte of Buffer.from(canonical, 'utf8')) {
    const index = (low ^ byte) & 0xff;
    low = (((low >>> 8) | (high << 24)) ^ tableLow[index]!) >>> 0;
    high = ((high >>> 8) ^ tableHigh[index]!) >>> 0;
  }
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(low, 0);
  bytes.writeUInt32LE(high, 4);
  return bytes;
}

/**
 * Encodes and decodes the records of a stream as Avro, with the library avsc.
 *
 * Instants are longs, in microseconds since 1970. Dates are ints, in days since 1970. Longs are exact from -2^52 to
 * 2^53-2 (1827-04-16…2255-06-05 for instants). The event readers never put values outside this range into a record. A
 * union consists of `null` and exactly one other type, so its values need no wrapping (avsc's option `wrapUnions: never`).
 * A test checks the unions of all declarations.
 */
export interface Codec<R> {
  readonly stream: StreamName;
  /** The schema as JSON, including custom attributes, with shared types inlined. The headers of Avro container files contain it. */
  readonly schema: string;
  /** CRC-64-AVRO of the schema's canonical form: 8 bytes, little endian. */
  readonly fingerprint: Buffer;
  /** Encodes a record at `position`. Returns the next position or minus the number of missing bytes. Throws on invalid values. */
  encodeInto(record: R, buffer: Buffer, position: number): number;
  /** Decodes a record that was written with this schema. Returns the record and the position after it. */
  decodeAt(buffer: Buffer, position: number): { value: R; offset: number };
  /** Returns the single-object encoding: C3 01, fingerprint, body. */
  encode(record: R): Buffer;
  /** Decodes a record written with this schema or one passed to {@link learnSchema}. Otherwise, throws {@link UnknownSchema}. */
  decode(encoded: Buffer): R;
  /** Returns a decoder for records written with a different version of the schema. Decoders are cached by schema. */
  decoderOf(writerSchema: string): (buffer: Buffer, position: number) => { value: R; offset: number };
}

/** Thrown if the fingerprint of a single-object encoding does not match any known schema. */
export class UnknownSchema extends Error {
  readonly fingerprint: string;
  constructor(bytes: Buffer) {
    super(`No known schema has the fingerprint ${bytes.toString('hex')}.`);
    this.name = 'UnknownSchema';
    this.fingerprint = bytes.toString('hex');
  }
}

// avsc's type declarations omit the documented position arguments of `decode` and `encode`, and the resolver.
type AvscType = avsc.Type & {
  decode(buffer: Buffer, position: number, resolver?: unknown): { value: unknown; offset: number };
  encode(value: unknown, buffer: Buffer, position: number): number;
};

/** The part of avsc's internal byte cursor that this file uses. */
interface Tap {
  /** `utf8Write` is Node's fastest way to write a string. It is undocumented, but avsc uses it too. */
  readonly buf: Buffer & { utf8Write(text: string, offset: number, length: number): number };
  pos: number;
  writeLong(value: number): void;
  readLong(): number;
  readString(): string;
}

interface Branch {
  _write(tap: Tap, value: unknown): void;
  _read(tap: Tap): unknown;
}

const UnwrappedUnion = avsc.types.UnwrappedUnionType as unknown as new (
  schema: unknown,
  options: unknown,
) => Branch & { readonly types: readonly Branch[] };

/**
 * A union of null and one other type, the only kind in our declarations. avsc looks up the branch of each value in a
 * table. This class only compares the value with null, which makes writing a summary 20 % faster. The type of the other
 * branch still throws for wrong values.
 */
class NullOrOther extends UnwrappedUnion {
  override _write(tap: Tap, value: unknown): void {
    // The branch index is a zigzag long, so it is doubled. A write past the end of the buffer has no effect.
    tap.buf[tap.pos] = value === null ? 0 : 2;
    tap.pos += 1;
    if (value !== null) this.types[1]!._write(tap, value);
  }

  override _read(tap: Tap): unknown {
    // Fast path: most fields of a record are null.
    if (tap.buf[tap.pos] !== 0) return super._read(tap);
    tap.pos += 1;
    return null;
  }
}

const StringType = avsc.types.StringType as unknown as new () => Branch;

/**
 * A string type that is fast for short ASCII strings, which most identifiers and names are. avsc first computes the
 * length in UTF-8. This class writes one byte per character, and falls back to avsc if the string is not ASCII. When
 * reading, it returns the field's previous string again if the bytes are the same, because many records repeat a value.
 */
class Text extends StringType {
  #last = '';

  override _write(tap: Tap, value: unknown): void {
    const { buf, pos } = tap;
    // Near the end of the buffer, `utf8Write` may truncate the string without reporting it.
    if (typeof value !== 'string' || value.length > SHORT || pos + 1 + WIDEST * value.length > buf.length) {
      super._write(tap, value);
      return;
    }
    const { length } = value;
    if (length > CALLED) {
      if (buf.utf8Write(value, pos + 1, WIDEST * length) !== length) {
        super._write(tap, value);
        return;
      }
    } else {
      for (let index = 0; index < length; index++) {
        const code = value.charCodeAt(index);
        if (code >= 0x80) {
          super._write(tap, value);
          return;
        }
        buf[pos + 1 + index] = code;
      }
    }
    // The length is a zigzag long, so it is doubled.
    buf[pos] = length << 1;
    tap.pos = pos + 1 + length;
  }

  override _read(tap: Tap): unknown {
    // avsc's resolvers call this method on their own objects, which have no private fields.
    if (!(#last in this)) return super._read(tap);
    const last = this.#last;
    const { buf, pos } = tap;
    if (buf[pos] === last.length << 1) {
      let index = 0;
      while (index < last.length && buf[pos + 1 + index] === last.charCodeAt(index)) index++;
      if (index === last.length) {
        tap.pos += 1 + index;
        return last;
      }
    }
    const text = super._read(tap);
    // Keep the string only if it is ASCII. Other strings cannot be compared byte by byte.
    if (typeof text === 'string' && tap.pos === pos + 1 + text.length) this.#last = text;
    return text;
  }
}

/** A map type that preserves a key named `__proto__`. avsc loses that key because it assigns keys to a plain object. */
class EntriesMap extends avsc.types.MapType {
  _read(tap: Tap): Record<string, unknown> {
    const values = this.valuesType as unknown as { _read(tap: Tap): unknown };
    const entries: [string, unknown][] = [];
    for (let count = tap.readLong(); count !== 0; count = tap.readLong()) {
      // A negative count is followed by the size of the block in bytes.
      if (count < 0) tap.readLong();
      for (let left = Math.abs(count); left > 0; left -= 1) entries.push([tap.readString(), values._read(tap)]);
    }
    return Object.fromEntries(entries);
  }
}

function typeOf(schema: string): AvscType {
  const options = {
    wrapUnions: 'never',
    typeHook: (part: unknown, own: unknown) => {
      if (part === 'string') return new Text();
      if (Array.isArray(part)) return part.length === 2 && part[0] === 'null' ? new NullOrOther(part, own) : undefined;
      return (part as { readonly type?: unknown }).type === 'map' ? new EntriesMap(part as never, own as never) : undefined;
    },
  };
  // avsc stores its registry of names in the options, so each type needs its own options. avsc's typings omit 'never'.
  return avsc.Type.forSchema(JSON.parse(schema), options as unknown as avsc.ForSchemaOptions) as AvscType;
}

/**
 * Returns the Parsing Canonical Form of a schema. avsc's `schema()` omits attributes, docs and defaults, and orders the
 * members as the specification requires.
 */
function canonical(type: AvscType): string {
  return JSON.stringify(type.schema());
}

/** Registers an additional version of a schema for {@link Codec.decode}. Returns the fingerprint of that version in hexadecimal. */
export function learnSchema(schema: string): string {
  const name = fingerprint(canonical(typeOf(schema))).toString('hex');
  learned.set(name, schema);
  return name;
}

function createCodec<S extends StreamName>(stream: S): Codec<StreamRecords[S]> {
  type R = StreamRecords[S];
  const schema = JSON.stringify(streamSchemas[stream]);
  const type = typeOf(schema);
  const own = fingerprint(canonical(type));
  const decoders = new Map<string, (buffer: Buffer, position: number) => { value: R; offset: number }>();
  const decodeAt = (buffer: Buffer, position: number) => type.decode(buffer, position) as { value: R; offset: number };

  const decoderOf = (writerSchema: string) => {
    if (writerSchema === schema) return decodeAt;
    let decoder = decoders.get(writerSchema);
    if (decoder === undefined) {
      const writer = typeOf(writerSchema);
      const resolver = type.createResolver(writer);
      decoder = (buffer, position) => type.decode(buffer, position, resolver) as { value: R; offset: number };
      decoders.set(writerSchema, decoder);
    }
    return decoder;
  };

  return {
    stream,
    schema,
    fingerprint: own,
    encodeInto: (record, buffer, position) => type.encode(record, buffer, position),
    decodeAt,
    encode: (record) => Buffer.concat([MARK, own, type.toBuffer(record)]),
    decode: (encoded) => {
      if (encoded.length < HEADER || !encoded.subarray(0, 2).equals(MARK)) throw new UnknownSchema(encoded.subarray(0, HEADER));
      const name = encoded.subarray(2, HEADER);
      if (name.equals(own)) return decodeAt(encoded, HEADER).value;
      const writer = learned.get(name.toString('hex'));
      if (writer === undefined) throw new UnknownSchema(name);
      return decoderOf(writer)(encoded, HEADER).value;
    },
    decoderOf,
  };
}

const codecs: { [S in StreamName]?: Codec<StreamRecords[S]> } = {};

/** Returns the codec of a stream. Each process has one codec per stream. */
export function codecOf<S extends StreamName>(stream: S): Codec<StreamRecords[S]> {
  const known: { [P in S]?: Codec<StreamRecords[P]> } = codecs;
  let codec = known[stream];
  if (codec === undefined) {
    codec = createCodec(stream);
    known[stream] = codec;
  }
  return codec;
}
