import { type Codec, codecOf, learnSchema, type StreamName, type StreamRecords, UnknownSchema } from '@aorta/schemas';
import { NotEncodable } from '../../stream-log.ts';
import type { SchemaRegistry } from './schema-registry.ts';

const MARK = Buffer.from([0xc3, 0x01]);
const MAGIC = 0;
const HEADER = 5;
const BEFORE = Buffer.alloc(HEADER);
const CHUNK = 256 * 1024;

/** Encodes stream records as values of Kafka records: in Avro single-object encoding, or in Confluent's wire format if a registry is configured. */
export interface RecordForm {
  /** Stores the schema of a stream so that readers can find it. Must be called before the first write to the stream. */
  declare(stream: StreamName): Promise<void>;
  /** Encodes a record into memory that is never reused. Throws NotEncodable. */
  encode<S extends StreamName>(stream: S, record: StreamRecords[S]): Buffer;
  /** Decodes a record into the stream's current type. Rejects with {@link Unreadable} if the bytes are not a valid record of the stream. */
  decode<S extends StreamName>(stream: S, value: Buffer): StreamRecords[S] | Promise<StreamRecords[S]>;
}

/** Thrown if bytes are not a valid record of the stream, or if their schema is unknown. */
export class Unreadable extends Error {
  /** Describes the problem without quoting any value of the record. */
  readonly problem: string;
  constructor(problem: string) {
    super(problem);
    this.name = 'Unreadable';
    this.problem = problem;
  }
}

/** Schemas of records that earlier or later versions of the program wrote, by hexadecimal fingerprint. */
export interface KnownSchemas {
  /** Stores the schema of records that are about to be written. */
  keep(fingerprint: string, schema: string): Promise<void>;
  /** Returns the text of a schema; undefined if it is not stored. Reads the store again if the schema is not known yet. */
  find(fingerprint: string): Promise<string | undefined>;
}

/** Avro's single-object encoding: C3 01, the fingerprint of the schema, and the record. */
export class SingleObject implements RecordForm {
  readonly #schemas: KnownSchemas;
  readonly #encoding = new Encoding();
  readonly #before = new Map<StreamName, Buffer>();

  constructor(schemas: KnownSchemas) {
    this.#schemas = schemas;
  }

  async declare(stream: StreamName): Promise<void> {
    const { fingerprint, schema } = codecOf(stream);
    await this.#schemas.keep(fingerprint.toString('hex'), schema);
  }

  encode<S extends StreamName>(stream: S, record: StreamRecords[S]): Buffer {
    const codec = codecOf(stream);
    let before = this.#before.get(stream);
    if (before === undefined) {
      before = Buffer.concat([MARK, codec.fingerprint]);
      this.#before.set(stream, before);
    }
    return this.#encoding.encode(codec, before, record);
  }

  decode<S extends StreamName>(stream: S, value: Buffer): StreamRecords[S] | Promise<StreamRecords[S]> {
    try {
      return whole(codecOf(stream).decode(value));
    } catch (error) {
      if (error instanceof UnknownSchema && value.subarray(0, 2).equals(MARK)) return this.#decodeLearned(stream, value);
      throw new Unreadable('the bytes are not a record of the stream');
    }
  }

  async #decodeLearned<S extends StreamName>(stream: S, value: Buffer): Promise<StreamRecords[S]> {
    const fingerprint = value.subarray(2, 10).toString('hex');
    const schema = await this.#schemas.find(fingerprint);
    if (schema === undefined) throw new Unreadable(`the schema ${fingerprint} is unknown`);
    try {
      learnSchema(schema);
      return whole(codecOf(stream).decode(value));
    } catch {
      throw new Unreadable('the bytes are not a record of the stream');
    }
  }
}

/**
 * Confluent's wire format: a zero byte, the schema's id in the registry, and the record. Also decodes records in single-object
 * encoding, which were written before the registry was configured.
 */
export class RegisteredForm implements RecordForm {
  readonly #registry: SchemaRegistry;
  readonly #subjectOf: (stream: StreamName) => string;
  readonly #before: RecordForm;
  readonly #encoding = new Encoding();
  readonly #ids = new Map<StreamName, number>();
  readonly #schemas = new Map<number, Promise<string | undefined>>();
  /** Values that were encoded before the schema's id was known. {@link declare} writes the id into them. */
  readonly #unnumbered = new Map<StreamName, Buffer[]>();

  /** `subjectOf` returns a stream's subject in the registry. `before` decodes records in single-object encoding. */
  constructor(registry: SchemaRegistry, subjectOf: (stream: StreamName) => string, before: RecordForm) {
    this.#registry = registry;
    this.#subjectOf = subjectOf;
    this.#before = before;
  }

  async declare(stream: StreamName): Promise<void> {
    const id = await this.#registry.register(this.#subjectOf(stream), codecOf(stream).schema);
    this.#ids.set(stream, id);
    for (const value of this.#unnumbered.get(stream) ?? []) value.writeUInt32BE(id, 1);
    this.#unnumbered.delete(stream);
  }

  encode<S extends StreamName>(stream: S, record: StreamRecords[S]): Buffer {
    const value = this.#encoding.encode(codecOf(stream), BEFORE, record);
    const id = this.#ids.get(stream);
    if (id !== undefined) value.writeUInt32BE(id, 1);
    else {
      const others = this.#unnumbered.get(stream);
      if (others === undefined) this.#unnumbered.set(stream, [value]);
      else others.push(value);
    }
    return value;
  }

  async decode<S extends StreamName>(stream: S, value: Buffer): Promise<StreamRecords[S]> {
    if (value[0] !== MAGIC || value.length < HEADER) return this.#before.decode(stream, value);
    const id = value.readUInt32BE(1);
    let schema = this.#schemas.get(id);
    if (schema === undefined) {
      schema = this.#registry.schema(id);
      this.#schemas.set(id, schema);
      // Forget a failed lookup, so that the next record triggers a new one.
      schema.catch(() => this.#schemas.delete(id));
    }
    const text = await schema;
    if (text === undefined) throw new Unreadable(`the registry has no schema ${id}`);
    try {
      return whole(codecOf(stream).decoderOf(text)(value, HEADER).value);
    } catch {
      throw new Unreadable('the bytes are not a record of the stream');
    }
  }
}

/**
 * Encodes many records into one buffer, because allocating a buffer for each record would take a third of the encoding time.
 * Bytes that were returned are never overwritten.
 */
class Encoding {
  #buffer = Buffer.allocUnsafeSlow(CHUNK);
  #at = 0;

  /** Returns the bytes of `before` followed by the encoded record. Throws NotEncodable. */
  encode<R>(codec: Codec<R>, before: Buffer, record: R): Buffer {
    for (;;) {
      const start = this.#at;
      if (this.#buffer.length - start > before.length) {
        const missing = this.#encodeAt(codec, before, record, start);
        if (missing === 0) return this.#buffer.subarray(start, this.#at);
        this.#buffer = Buffer.allocUnsafeSlow(Math.max(CHUNK, this.#buffer.length - start + missing));
      } else this.#buffer = Buffer.allocUnsafeSlow(CHUNK);
      this.#at = 0;
    }
  }

  /** Writes the record into the buffer and returns 0, or returns the number of missing bytes if the buffer is too small. */
  #encodeAt<R>(codec: Codec<R>, before: Buffer, record: R, start: number): number {
    let end: number;
    try {
      end = codec.encodeInto(record, this.#buffer, start + before.length);
    } catch {
      throw new NotEncodable(codec.stream);
    }
    if (end < 0) return -end;
    before.copy(this.#buffer, start);
    this.#at = end;
    return 0;
  }
}

/** Returns the record. If it is undefined, the codec found the bytes truncated, and this function throws {@link Unreadable}. */
function whole<R>(record: R): R {
  if (record === undefined) throw new Unreadable('the bytes are not a record of the stream');
  return record;
}
