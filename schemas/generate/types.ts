import { type AvroRecord, type AvroType, isRecord, itemsOf, type StreamDeclaration } from '../streams/declaration.ts';

/** TypeScript of a field's type, as the codec reads and writes it. */
function typeOf(type: AvroType): string {
  if (typeof type === 'string') {
    return (
      { string: 'string', boolean: 'boolean', int: 'number', long: 'number', double: 'number', bytes: 'Buffer', null: 'null' }[
        type
      ] ?? type
    );
  }
  if (Array.isArray(type)) return type.map(typeOf).reverse().join(' | ');
  const complex = type as Exclude<AvroType, string | readonly AvroType[]>;
  switch (complex.type) {
    case 'array': {
      const items = typeOf(complex.items);
      return items.includes('|') ? `(${items})[]` : `${items}[]`;
    }
    case 'map':
      return `Record<string, ${typeOf(complex.values)}>`;
    case 'record':
      return complex.name;
    default:
      return 'number';
  }
}

function interfaceOf(record: AvroRecord): string {
  const fields = record.fields.map((field) => {
    const unit = field.unit === undefined ? '' : ` (${field.unit})`;
    return `  /** ${field.doc}${unit} */\n  ${field.name}: ${typeOf(field.type)};`;
  });
  return `/** ${record.doc} */\nexport interface ${record.name} {\n${fields.join('\n')}\n}\n`;
}

/** The records that a schema's lists hold: they get interfaces of their own. */
function listedRecords(record: AvroRecord): AvroRecord[] {
  return record.fields.flatMap((field) => {
    const items = itemsOf(field.type);
    return items !== undefined && isRecord(items) ? [...listedRecords(items), items] : [];
  });
}

/** The module of record types and inlined schemas. */
export function streamsModule(shared: readonly AvroRecord[], streams: readonly StreamDeclaration[]): string {
  const map = streams.map(({ stream, schema }) => `  ${stream}: ${schema.name};`).join('\n');
  const schemas = streams.map(({ stream, schema }) => `  ${stream}: ${JSON.stringify(schema)},`).join('\n');
  return `${[
    "import type { AvroRecord, StreamAttributes } from './declaration.ts';",
    ...shared.map(interfaceOf),
    ...streams.flatMap(({ schema }) => [...listedRecords(schema), schema].map(interfaceOf)),
    `/** The record type of each stream. */\nexport interface StreamRecords {\n${map}\n}\n`,
    'export type StreamName = keyof StreamRecords;\n',
    `/** The schema of each stream, shared types inlined: what Avro tools are given. */\nexport const streamSchemas: Readonly<Record<StreamName, AvroRecord & { readonly aorta: StreamAttributes }>> = {\n${schemas}\n};\n`,
    `export const streamNames = Object.keys(streamSchemas) as StreamName[];\n`,
  ].join('\n')}`;
}
