import { type Codec, codecOf, learnSchema, type StreamName, type StreamRecords, UnknownSchema } from '@aorta/schemas';
import { NotEncodable } from '../not-encodable.ts';

/** How a record is written into the value of a topic's record. Two forms stand behind it: Avro single-object encoding, and Confluent's where a registry is configured. */
export interface RecordForm {
  /** Readies a stream to be written: whatever readers need to know of its schema is kept where they find it. */
  declare(stream: StreamName): Promise<void>;
  /** The record, in memory that nothing else writes to. Throws NotEncodable. */
  encode<S extends StreamName>(stream: S, record: StreamRecords[S]): Buffer;
  /** The record in the present shape of the declaration. Rejects with {@link Unreadable} for bytes that are none of the stream. */
  decode<S extends StreamName>(stream: S, value: Buffer): StreamRecords[S] | Promise<StreamRecords[S]>;
}

/** Bytes that are no record of the stream, or whose schema nobody knows. */
export class Unreadable extends Error {
  /** In words, without a value. */
  readonly problem: string;
  constructor(problem: string) {
    super(problem);
    this.name = 'Unreadable';
    this.problem = problem;
  }
}

const CHUNK = 256 * 1024;

/**
 * Encodes records one after another into the same memory: a buffer for each would be a third of the work. What was handed
 * out is never written again.
 */
export class Encoding {
  #buffer = Buffer.allocUnsafeSlow(CHUNK);
  #at = 0;

  /** `before` and then the record. Throws NotEncodable. */
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

  /** How many bytes were missing; 0 where it is written. */
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

/** Where schemas of earlier and later versions are kept, by their fingerprint in hexadecimal digits. */
export interface KnownSchemas {
  /** Keeps the schema that records are about to be written with. */
  keep(fingerprint: string, schema: string): Promise<void>;
  /** The text of a schema, looked for again where it is not known yet; undefined where it is not kept. */
  find(fingerprint: string): Promise<string | undefined>;
}

const MARK = Buffer.from([0xc3, 0x01]);

/** Avro's single-object encoding: C3 01, the fingerprint of the schema, the record. */
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
      throw new Unreadable('the bytes are no record of the stream');
    }
  }

  async #decodeLearned<S extends StreamName>(stream: S, value: Buffer): Promise<StreamRecords[S]> {
    const fingerprint = value.subarray(2, 10).toString('hex');
    const schema = await this.#schemas.find(fingerprint);
    if (schema === undefined) throw new Unreadable(`nobody knows the schema ${fingerprint}`);
    try {
      learnSchema(schema);
      return whole(codecOf(stream).decode(value));
    } catch {
      throw new Unreadable('the bytes are no record of the stream');
    }
  }
}

/** Of bytes that end too early the codec makes nothing, and says nothing. */
export function whole<R>(record: R): R {
  if (record === undefined) throw new Unreadable('the bytes are no record of the stream');
  return record;
}
