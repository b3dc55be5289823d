import type { AvroType, FieldDeclaration } from '../streams/declaration.ts';
import { type StreamName, streamSchemas } from '../streams/streams.generated.ts';

/**
 * Creates an example record of a stream from its declaration. The values depend on `seed`: an even seed sets all nullable
 * fields to null, and a multiple of 3 makes all arrays empty.
 */
export function example(stream: StreamName, seed: number): Record<string, unknown> {
  const value = (type: AvroType, name: string): unknown => {
    if (Array.isArray(type)) return seed % 2 === 0 ? null : value(type.find((branch) => branch !== 'null')!, name);
    if (typeof type === 'string') {
      return {
        string: `${name}-${seed}`,
        boolean: true,
        int: seed,
        long: seed * 1_000_003,
        double: seed + 0.5,
        bytes: Buffer.from(name),
      }[type];
    }
    const complex = type as Exclude<AvroType, string | readonly AvroType[]>;
    switch (complex.type) {
      case 'array':
        return seed % 3 === 0 ? [] : [value(complex.items, name)];
      case 'map':
        return { [name]: value(complex.values, name) };
      case 'record':
        return record(complex.fields);
      default:
        return complex.logicalType === 'date' ? 20_000 + seed : 1_774_000_000_000_000 + seed;
    }
  };
  const record = (fields: readonly FieldDeclaration[]) =>
    Object.fromEntries(fields.map((field) => [field.name, value(field.type, field.name)]));
  return record(streamSchemas[stream].fields);
}
