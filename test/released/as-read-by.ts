import type { AvroRecord, AvroType } from '../../schemas/streams/declaration.ts';

export type Fields = Record<string, unknown>;

/** Returns a record as a reader with a different schema reads it, with defaults for missing fields. Does not use avsc. */
export function asReadBy(reader: AvroRecord, writer: AvroRecord, record: Fields): Fields {
  const written = new Map(writer.fields.map((field) => [field.name, field.type]));
  return Object.fromEntries(
    reader.fields.map(({ name, type, default: fallback }) => {
      const was = written.get(name);
      return [name, was === undefined ? fallback : valueAsReadBy(type, was, record[name])];
    }),
  );
}

function valueAsReadBy(reader: AvroType, writer: AvroType, value: unknown): unknown {
  if (Array.isArray(reader))
    return value === null ? null : valueAsReadBy(reader[1]!, Array.isArray(writer) ? writer[1]! : writer, value);
  if (typeof reader === 'object' && 'fields' in reader) return asReadBy(reader, writer as AvroRecord, value as Fields);
  const { items } = reader as { items?: AvroType };
  if (items === undefined) return value;
  return (value as unknown[]).map((item) => valueAsReadBy(items, (writer as { items: AvroType }).items, item));
}
