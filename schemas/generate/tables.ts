import type { AvroRecord, AvroType, FieldDeclaration, StreamDeclaration } from '../streams/declaration.ts';
import type { Column, ColumnType, TableDeclaration } from '../tables/declaration.ts';

/** Parts of the receipt that are columns of every table; the rest stands in `deliveries`. */
const versionColumns: readonly Column[] = [
  {
    name: '_received_at',
    type: 'timestamp',
    nullable: false,
    class: 'measure',
    doc: 'When the broker had the delivery.',
    path: ['receipt', 'received_at'],
  },
  { name: '_origin', type: 'int64', nullable: false, class: 'measure', doc: 'Hash of source and partition.', path: [] },
  {
    name: '_offset',
    type: 'int64',
    nullable: false,
    class: 'measure',
    doc: 'Offset in the partition.',
    path: ['receipt', 'offset'],
  },
  { name: '_reader', type: 'int64', nullable: false, class: 'measure', doc: 'Revision of the reader.', path: ['reader'] },
];

function columnType(type: AvroType, json: boolean): { type: ColumnType; nullable: boolean } {
  if (Array.isArray(type)) {
    const inner = type.find((branch) => branch !== 'null')!;
    return { ...columnType(inner, json), nullable: true };
  }
  if (typeof type === 'string') {
    const names: Record<string, ColumnType> = {
      string: json ? 'json' : 'string',
      boolean: 'bool',
      int: 'int64',
      long: 'int64',
      double: 'float64',
    };
    return { type: names[type]!, nullable: false };
  }
  const complex = type as Exclude<AvroType, string | readonly AvroType[]>;
  if (complex.type === 'array') return { ...columnType(complex.items, json), nullable: true };
  if ('logicalType' in complex) return { type: complex.logicalType === 'date' ? 'date' : 'timestamp', nullable: false };
  throw new Error(`no column type for ${complex.type}`);
}

function columnOf(field: FieldDeclaration, path: readonly string[]): Column {
  const { type, nullable } = columnType(field.type, field.json ?? false);
  return {
    name: field.name,
    type,
    nullable: nullable && field.name !== 'start_at',
    class: field.class ?? 'measure',
    doc: field.doc,
    ...(field.unit === undefined ? {} : { unit: field.unit }),
    path,
    ...(field.per === 'sample' ? { perSample: true as const } : {}),
    ...(field.source ? { source: field.source } : {}),
  };
}

function columnsOf(record: AvroRecord, path: readonly string[] = []): Column[] {
  return record.fields.flatMap((field) => {
    const type = field.type as AvroRecord;
    if (field.name === 'receipt' || field.name === 'reader') return [];
    return type.type === 'record' ? columnsOf(type, [...path, field.name]) : [columnOf(field, [...path, field.name])];
  });
}

/** The table of a stream; undefined where the stream keeps deliveries whole. */
export function tableOf({ stream, schema }: StreamDeclaration): TableDeclaration | undefined {
  const { shape, table, key, order, partition, cluster } = schema.aorta;
  if (shape === 'whole' || table === null) return undefined;
  const versionTime: Column[] =
    shape === 'summary'
      ? [
          {
            name: '_version_time',
            type: 'timestamp',
            nullable: false,
            class: 'measure',
            doc: '`updated_at`, or `_received_at` where there is none.',
            path: ['updated_at'],
          },
        ]
      : [];
  return {
    name: table,
    stream,
    shape,
    doc: schema.doc,
    columns: [...columnsOf(schema), ...versionTime, ...versionColumns],
    key: key ?? [],
    order: order ?? [],
    ...(partition === undefined ? {} : { partition }),
    cluster: cluster ?? [],
  };
}

/** The module of table declarations. */
export function tablesModule(streams: readonly StreamDeclaration[]): string {
  const tables = streams.map(tableOf).filter((table) => table !== undefined);
  const lines = tables.map((table) => {
    const { columns, ...rest } = table;
    const rows = columns.map((column) => `      ${JSON.stringify(column)},`).join('\n');
    return `  {\n    ...${JSON.stringify(rest)},\n    columns: [\n${rows}\n    ],\n  },`;
  });
  return `import type { TableDeclaration } from './declaration.ts';\n\n/** The table of each stream that has one, generated from its declaration. */\nexport const tables: readonly TableDeclaration[] = [\n${lines.join('\n')}\n];\n`;
}
