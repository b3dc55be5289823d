import {
  type AvroRecord,
  type AvroType,
  type FieldDeclaration,
  isRecord,
  itemsOf,
  type StreamDeclaration,
} from '../streams/declaration.ts';

/** Returns the TypeScript type that the codec uses for a field. */
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

/** Returns the types of the records that a record contains in lists, at any depth. Each of them gets its own interface. */
function listedRecords(record: AvroRecord): AvroRecord[] {
  return record.fields.flatMap((field) => {
    const items = itemsOf(field.type);
    return items !== undefined && isRecord(items) ? [...listedRecords(items), items] : [];
  });
}

/** Returns the names of the fields as a union of literal types. */
const union = (fields: readonly FieldDeclaration[]): string => fields.map(({ name }) => `'${name}'`).join(' | ') || 'never';

/** Returns the fields that a plan (`schemas/events/fields.ts`) fills: those from the event's `data`, except per-sample fields. */
const sourced = ({ fields }: AvroRecord): string =>
  union(fields.filter(({ source, per }) => typeof source === 'string' && source.startsWith('$.data') && per === undefined));

const perSample = ({ fields }: AvroRecord): string => union(fields.filter(({ per }) => per === 'sample'));

/** Returns the key fields from the event's `data`. A reader refuses an event that lacks one, unless the field has a default. */
const keys = ({ fields, aorta }: StreamDeclaration['schema']): string =>
  union(fields.filter(({ name, source, per }) => aorta.key?.includes(name) && source?.startsWith('$.data') && per === undefined));

/** Returns, for each object or list of objects in a record, the fields that a plan fills. */
function nested({ fields }: AvroRecord): string {
  const members = fields.flatMap(({ name, type }) => {
    const inner = itemsOf(type) ?? type;
    return isRecord(inner) && sourced(inner) !== 'never' ? [`${name}: ${sourced(inner)}`] : [];
  });
  return members.length === 0 ? 'Record<never, never>' : `{ ${members.join('; ')} }`;
}

function interfaceByStream(doc: string, name: string, members: readonly (readonly [string, string])[]): string {
  return `/** ${doc} */\nexport interface ${name} {\n${members.map(([member, type]) => `  ${member}: ${type};`).join('\n')}\n}\n`;
}

export function streamsModule(shared: readonly AvroRecord[], streams: readonly StreamDeclaration[]): string {
  const map = streams.map(({ stream, schema }) => `  ${stream}: ${schema.name};`).join('\n');
  const schemas = streams.map(({ stream, schema }) => `  ${stream}: ${JSON.stringify(schema)},`).join('\n');
  return `${[
    "import type { AvroRecord, StreamAttributes } from './declaration.ts';",
    ...shared.map(interfaceOf),
    ...streams.flatMap(({ schema }) => [...listedRecords(schema), schema].map(interfaceOf)),
    `export interface StreamRecords {\n${map}\n}\n`,
    'export type StreamName = keyof StreamRecords;\n',
    interfaceByStream(
      'For each stream, the fields whose `source` is in the data of the event. Readers set the other fields.',
      'SourcedFields',
      streams.map(({ stream, schema }) => [stream, sourced(schema)]),
    ),
    interfaceByStream(
      'For each object inside a record, the fields whose `source` is in the data of the event.',
      'NestedSourcedFields',
      streams.map(({ stream, schema }) => [stream, nested(schema)]),
    ),
    interfaceByStream(
      'For each timeseries stream, the fields that have a value per sample.',
      'SampleFields',
      streams
        .filter(({ schema }) => schema.aorta.shape === 'timeseries')
        .map(({ stream, schema }) => [stream, perSample(schema)]),
    ),
    interfaceByStream(
      'For each stream, the key fields whose `source` is in the data. A reader refuses an event without them.',
      'KeyFields',
      streams.map(({ stream, schema }) => [stream, keys(schema)]),
    ),
    `/** The schema of each stream with shared types inlined, as Avro tools expect it. */\nexport const streamSchemas: Readonly<Record<StreamName, AvroRecord & { readonly aorta: StreamAttributes }>> = {\n${schemas}\n};\n`,
    `export const streamNames = Object.keys(streamSchemas) as StreamName[];\n`,
  ].join('\n')}`;
}
