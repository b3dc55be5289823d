import { type Column, type ColumnType, elementFields, type TableDeclaration, type ValueType } from '@aorta/schemas';
import { loadedAt, tableColumns } from '../../warehouses/table-rows.ts';
import { descriptionOf } from '../../warehouses/views/columns.ts';

type FieldType = 'STRING' | 'INTEGER' | 'FLOAT' | 'BOOLEAN' | 'TIMESTAMP' | 'DATE' | 'JSON' | 'NUMERIC' | 'BIGNUMERIC' | 'RECORD';

/** A column of a table, or a field of a record, as in `schema.fields` of `tables.get`. */
export interface TableField {
  readonly name: string;
  /** In Aorta's tables, always a {@link FieldType}. Other tables may have any type. */
  readonly type: string;
  /** Default: NULLABLE. */
  readonly mode?: string;
  readonly description?: string;
  readonly fields?: readonly TableField[];
}

const fieldTypes: Readonly<Record<ValueType, FieldType>> = {
  string: 'STRING',
  int64: 'INTEGER',
  float64: 'FLOAT',
  bool: 'BOOLEAN',
  timestamp: 'TIMESTAMP',
  date: 'DATE',
  json: 'JSON',
};

/** BigQuery refuses longer descriptions. */
const LONGEST_DESCRIPTION = 1024;

/** Returns the description of a column: its meaning and its unit. */
export function columnDescription(doc: string, unit: string | undefined): string {
  return descriptionOf({ doc, unit }).slice(0, LONGEST_DESCRIPTION);
}

interface DeclaredField {
  readonly name: string;
  readonly type: ColumnType;
  /** Default: false, so the column may be NULL. */
  readonly required?: boolean;
  readonly doc?: string | undefined;
  readonly unit?: string | undefined;
}

/** Returns a field with its mode. Lists are REPEATED and never NULL. */
export function fieldOf({ name, type, required = false, doc, unit }: DeclaredField): TableField {
  const described = doc === undefined ? {} : { description: columnDescription(doc, unit) };
  if (typeof type === 'string') return { name, type: fieldTypes[type], mode: required ? 'REQUIRED' : 'NULLABLE', ...described };
  const fields = elementFields(type);
  if (fields === undefined) return { name, type: fieldTypes[type.list as ValueType], mode: 'REPEATED', ...described };
  const elements = fields.map((field) => fieldOf({ name: field.name, type: field.type, doc: field.doc, unit: field.unit }));
  return { name, type: 'RECORD', mode: 'REPEATED', ...described, fields: elements };
}

/** Key columns are never NULL. If a sample has no value for a key column, the column is an empty string. */
const required = (table: TableDeclaration, column: Column): boolean => !column.nullable || table.key.includes(column.name);

/**
 * Returns the columns of a declared table, in the order in which DuckDB shows them. Each sample is one row that contains its
 * strings instead of references to them. Columnar storage keeps such rows small, and merges prune by partition and cluster.
 */
export function tableFields(table: TableDeclaration): TableField[] {
  const of = (column: Column): TableField => {
    const { name, type, doc, unit } = column;
    return fieldOf({ name, type, required: required(table, column), doc, unit });
  };
  const isVersion = ({ name }: Column): boolean => table.shape === 'timeseries' && table.order.includes(name);
  return [
    ...table.columns.filter((column) => !isVersion(column)).map(of),
    ...tableColumns(table).slice(table.columns.length).map(of),
    ...table.columns.filter(isVersion).map(of),
    of(loadedAt),
  ];
}
