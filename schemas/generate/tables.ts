import {
  type AvroRecord,
  type AvroType,
  type FieldDeclaration,
  isRecord,
  itemsOf,
  type PrivacyClass,
  type StreamDeclaration,
} from '../streams/declaration.ts';
import type { Column, ColumnType, ElementField, TableDeclaration, ValueType } from '../tables/declaration.ts';
import { hasRowPerDelivery } from '../tables/deliveries.ts';

/** The parts of the receipt that every table has as columns. The other parts are only in `deliveries`. */
const versionColumns: readonly Column[] = [
  {
    name: '_received_at',
    type: 'timestamp',
    nullable: false,
    class: 'measure',
    doc: 'When the broker received the delivery.',
    path: ['receipt', 'received_at'],
  },
  { name: '_origin', type: 'int64', nullable: false, class: 'measure', doc: 'Hash of the source and the partition.', path: [] },
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

/** The same columns in tables with one row per delivery; see `deliveryPlace`. */
const identifyingColumns: readonly Column[] = versionColumns.map((column) => {
  if (column.name === '_origin')
    return { ...column, doc: 'Hash of the source and the partition. For a webhook, of the source and the message id.' };
  return column.name === '_offset'
    ? { ...column, doc: 'Offset in the partition. For a webhook, the CRC-32 of the body.' }
    : column;
});

/**
 * Further parts of the receipt, for tables with one row per delivery. The views use these columns to recognise that two
 * sources delivered the same event.
 */
const contentColumns: readonly Column[] = [
  {
    name: '_source',
    type: 'string',
    nullable: false,
    class: 'measure',
    doc: 'Configured name of the source.',
    path: ['receipt', 'source'],
  },
  {
    name: '_body_bytes',
    type: 'int64',
    nullable: false,
    class: 'measure',
    doc: 'Length of the uncompressed body.',
    unit: 'byte',
    path: ['receipt', 'body_bytes'],
  },
  {
    name: '_body_crc32',
    type: 'int64',
    nullable: false,
    class: 'measure',
    doc: 'CRC-32 of the uncompressed body.',
    path: ['receipt', 'body_crc32'],
  },
];

const valueTypes: Readonly<Record<string, ValueType>> = {
  string: 'string',
  boolean: 'bool',
  int: 'int64',
  long: 'int64',
  double: 'float64',
};

function valueType(type: AvroType, json: boolean): ValueType {
  const plain = Array.isArray(type) ? type.find((branch) => branch !== 'null')! : type;
  if (typeof plain === 'object' && 'logicalType' in plain) return plain.logicalType === 'date' ? 'date' : 'timestamp';
  const found = typeof plain === 'string' ? valueTypes[plain] : undefined;
  if (found === undefined) throw new Error(`no column type for ${JSON.stringify(plain)}`);
  return json && found === 'string' ? 'json' : found;
}

function described(field: FieldDeclaration): Pick<Column, 'class' | 'doc' | 'unit'> {
  return {
    class: field.class ?? 'measure',
    doc: field.doc,
    unit: field.unit,
  };
}

function sourced(field: FieldDeclaration): Pick<Column, 'source'> {
  return field.source ? { source: field.source } : {};
}

function elementField(field: FieldDeclaration): ElementField {
  return { name: field.name, type: valueType(field.type, field.json ?? false), ...described(field), ...sourced(field) };
}

/**
 * Privacy classes that are always landed. A column of any other class is null in rows that were landed while the class was
 * off.
 */
const alwaysLanded: ReadonlySet<PrivacyClass> = new Set(['key', 'measure']);

function columnOf(field: FieldDeclaration, path: readonly string[]): Column {
  const items = itemsOf(field.type);
  const json = field.json ?? false;
  const list = items !== undefined && field.per === undefined;
  const type: ColumnType = list
    ? { list: isRecord(items) ? items.fields.map(elementField) : valueType(items, json) }
    : valueType(items ?? field.type, json);
  const mayLack =
    items !== undefined || Array.isArray(field.type) || (field.class !== undefined && !alwaysLanded.has(field.class));
  const nullable = !list && field.name !== 'start_at' && mayLack;
  return {
    name: field.name,
    type,
    nullable,
    ...described(field),
    path,
    perSample: field.per === 'sample' ? true : undefined,
    default: nullable || field.per !== undefined ? undefined : field.default,
    ...sourced(field),
  };
}

function columnsOf(record: AvroRecord, path: readonly string[] = []): Column[] {
  return record.fields.flatMap((field) => {
    if (field.name === 'receipt' || field.name === 'reader') return [];
    const below = [...path, field.name];
    return isRecord(field.type) ? columnsOf(field.type, below) : [columnOf(field, below)];
  });
}

/** Descriptions of the tables whose rows are samples. The records of their streams are batches of samples. */
const sampleTables: Readonly<Record<string, string>> = {
  timeseries: 'One sample of a timeseries resource.',
  blood_pressure: 'One blood pressure reading, systolic and diastolic.',
  notes: 'One note that a user wrote.',
};

/** Returns the table of a stream, or undefined if the stream keeps whole deliveries. */
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
            doc: '`updated_at`. If it is missing: 1970-01-01T00:00:00Z for a `.created` event, `_received_at` for any other event.',
            path: ['updated_at'],
          },
        ]
      : [];
  return {
    name: table,
    stream,
    shape,
    doc: sampleTables[table] ?? schema.doc,
    columns: [
      ...columnsOf(schema),
      ...versionTime,
      // In some tables the position identifies a row.
      ...(hasRowPerDelivery({ key: key ?? [] }) ? [...identifyingColumns, ...contentColumns] : versionColumns),
    ],
    key: key ?? [],
    order: order ?? [],
    partition,
    cluster: cluster ?? [],
  };
}

export function tablesModule(streams: readonly StreamDeclaration[]): string {
  const tables = streams.map(tableOf).filter((table) => table !== undefined);
  const lines = tables.map((table) => {
    const { columns, ...rest } = table;
    const rows = columns.map((column) => `      ${JSON.stringify(column)},`).join('\n');
    return `  {\n    ...${JSON.stringify(rest)},\n    columns: [\n${rows}\n    ],\n  },`;
  });
  return `import type { TableDeclaration } from './declaration.ts';\n\n/** The tables of all streams, generated from their declarations. */\nexport const tables: readonly TableDeclaration[] = [\n${lines.join('\n')}\n];\n`;
}
