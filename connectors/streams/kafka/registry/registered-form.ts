import { codecOf, type StreamName, type StreamRecords } from '@aorta/schemas';
import { Encoding, type RecordForm, Unreadable, whole } from '../record-form.ts';
import type { SchemaRegistry } from './schema-registry.ts';

const MAGIC = 0;
const HEADER = 5;
const BEFORE = Buffer.alloc(HEADER);

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
