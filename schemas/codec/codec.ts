import avsc from 'avsc';
import { type StreamName, type StreamRecords, streamSchemas } from '../streams/streams.generated.ts';
import { fingerprint } from './fingerprint.ts';

/**
 * The Avro codec of a stream's records, on avsc.
 *
 * Instants are longs of microseconds since 1970, dates ints of days. Longs are exact from -2^52 to 2^53-2 (instants of
 * 1827-04-16…2255-06-05); readers refuse others. The rule for unions: only `null` and one other type, so a value needs no
 * wrapping: avsc is told so (`wrapUnions: never`), and a test keeps declarations to it.
 */
export interface Codec<R> {
  readonly stream: StreamName;
  /** Schema text with its attributes and shared types inlined: what a container's header carries. */
  readonly schema: string;
  /** CRC-64-AVRO of the canonical form: 8 bytes, little endian. */
  readonly fingerprint: Buffer;
  /** Encodes into `buffer` from `position`; returns the position after it, or a negative number (how many bytes are missing) where it does not fit. Throws on a value that is not of the schema. */
  encodeInto(record: R, buffer: Buffer, position: number): number;
  /** Decodes a record of this very schema that starts at `position`; returns it and the position after it. */
  decodeAt(buffer: Buffer, position: number): { value: R; offset: number };
  /** Single-object encoding: C3 01, fingerprint, body. */
  encode(record: R): Buffer;
  /** Decodes single-object encoding of this schema or of an earlier one made known with {@link learnSchema}. Throws {@link UnknownSchema} for others. */
  decode(encoded: Buffer): R;
  /** A decoder for records that another version of the schema wrote; cached by its text. */
  decoderOf(writerSchema: string): (buffer: Buffer, position: number) => { value: R; offset: number };
}

/** A single-object encoded record names a schema that this process does not know. */
export class UnknownSchema extends Error {
  readonly fingerprint: string;
  constructor(bytes: Buffer) {
    super(`no schema is known for fingerprint ${bytes.toString('hex')}`);
    this.name = 'UnknownSchema';
    this.fingerprint = bytes.toString('hex');
  }
}

const MARK = Buffer.from([0xc3, 0x01]);
const HEADER = 10;

// avsc's declarations leave out the position arguments of `decode` and the resolver's shape; both are documented.
type AvscType = avsc.Type & {
  decode(buffer: Buffer, position: number, resolver?: unknown): { value: unknown; offset: number };
  encode(value: unknown, buffer: Buffer, position: number): number;
};

/** What reading and writing have of avsc's cursor over the bytes; private there. */
interface Tap {
  /** Node's documentation leaves out its quickest way to write a text, which avsc takes, too. */
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
 * The only kind of union that declarations have. avsc finds the branch of each value by its kind, in a table; here it is
 * null or the other one, which writes a summary a fifth faster. A value of neither is refused by the branch.
 */
class NullOrOther extends UnwrappedUnion {
  override _write(tap: Tap, value: unknown): void {
    // The number of the branch, twice: a long's lowest bit is its sign. Behind the last byte nothing is written.
    tap.buf[tap.pos] = value === null ? 0 : 2;
    tap.pos += 1;
    if (value !== null) this.types[1]!._write(tap, value);
  }

  override _read(tap: Tap): unknown {
    // Most fields of a record are null: their branch is one byte.
    if (tap.buf[tap.pos] !== 0) return super._read(tap);
    tap.pos += 1;
    return null;
  }
}

const StringType = avsc.types.StringType as unknown as new () => Branch;

/** The length of a longer text takes more than one byte. */
const SHORT = 63;
/** Of longer texts the characters one by one would take longer than a call out of JavaScript. */
const CALLED = 20;
/** Bytes of a character at most. */
const WIDEST = 3;

/**
 * Texts: most are identifiers and names, short and plain. avsc asks for the length in UTF-8 of each first, which is one more
 * call; here a text is written as if each character were a byte, and left to avsc where one is not. Many are those of the
 * record before at the same field, and are not made again when they are read.
 */
class Text extends StringType {
  /** The plain text that was read last. */
  #last = '';

  override _write(tap: Tap, value: unknown): void {
    const { buf, pos } = tap;
    // Where a text might be cut off, the bytes that fit could be as many as its characters.
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
    // A long, of which the lowest bit is the sign.
    buf[pos] = length << 1;
    tap.pos = pos + 1 + length;
  }

  override _read(tap: Tap): unknown {
    // Resolvers of avsc borrow the method, for what another version wrote.
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
    // A byte of length, and as many as characters: a short and plain one. Bytes of others may be the characters of another.
    if (typeof text === 'string' && tap.pos === pos + 1 + text.length) this.#last = text;
    return text;
  }
}

/** A map whose keys are entries whatever they are called: avsc assigns them, and loses a header of the name `__proto__`. */
class EntriesMap extends avsc.types.MapType {
  _read(tap: Tap): Record<string, unknown> {
    const values = this.valuesType as unknown as { _read(tap: Tap): unknown };
    const entries: [string, unknown][] = [];
    for (let count = tap.readLong(); count !== 0; count = tap.readLong()) {
      // A negative count is followed by the bytes of the map's block.
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
  // avsc writes its registry of names into the options, so each type gets its own; its typings leave 'never' out.
  return avsc.Type.forSchema(JSON.parse(schema), options as unknown as avsc.ForSchemaOptions) as AvscType;
}

/** Canonical form for fingerprints. avsc's `schema()` leaves out attributes, docs and defaults, in the order the specification wants. */
function canonical(type: AvscType): string {
  return JSON.stringify(type.schema());
}

const learned = new Map<string, string>();

/** Makes the text of another version's schema known to {@link Codec.decode}; returns its fingerprint as hexadecimal digits. */
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

/** The codec of a stream; one per process. */
export function codecOf<S extends StreamName>(stream: S): Codec<StreamRecords[S]> {
  const known: { [P in S]?: Codec<StreamRecords[P]> } = codecs;
  let codec = known[stream];
  if (codec === undefined) {
    codec = createCodec(stream);
    known[stream] = codec;
  }
  return codec;
}
