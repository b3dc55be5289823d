import type { WarehouseDifference } from '../../warehouse.ts';
import type { TableResource } from '../client/client.ts';
import { column, type Dataset, sqlType, tableName, text } from '../sql/types.ts';
import { columnDefinition, createTable, LABEL, labelList, tableResource, type WantedTable } from './declared.ts';
import type { TableField } from './fields.ts';

/** The description of each column by name. */
export type ColumnDescriptions = ReadonlyMap<string, string>;

/**
 * A difference between a declaration and the dataset. Unless the change is refused, `apply` makes it. If there is a
 * `resource`, it calls `tables.insert` or `tables.patch`. Otherwise it runs the statement in `sql`. For a refused change,
 * `sql` is a statement that the operator could run after reading `why`.
 */
export interface Difference extends WarehouseDifference {
  /** Body of `tables.insert`, or of `tables.patch` if the table exists. */
  readonly resource?: object;
  /** The descriptions of a view's columns. BigQuery takes them only for a view that exists. */
  readonly columns?: ColumnDescriptions;
  /** Set if `apply` writes the rows of the table of time zones. */
  readonly fills?: true;
}

/** Returns all columns that the table has after a change of its columns; undefined for any other difference. */
export function changedFields({ resource }: Difference): readonly TableField[] | undefined {
  return (resource as TableResource | undefined)?.schema?.fields;
}

const sameList = (a: readonly string[] = [], b: readonly string[] = []): boolean =>
  a.length === b.length && a.every((one, index) => one.toLowerCase() === b[index]!.toLowerCase());

const names = (list: readonly string[] | undefined): string =>
  list === undefined || list.length === 0 ? 'nothing' : list.join(', ');

/** Returns statements that create the table as declared and copy the old rows into it. The old table is renamed. */
function copyStatements(dataset: Dataset, wanted: WantedTable, found: TableResource): string {
  const { name } = wanted;
  const replacement = `${name}_new`;
  // Columns are copied by name, because columns added later may be in a different position. A copy by position would then mix up
  // columns of the same type.
  const there = new Set((found.schema?.fields ?? []).map((field) => field.name.toLowerCase()));
  const columns = wanted.fields.filter((field) => there.has(field.name.toLowerCase())).map((field) => column(field.name));
  return [
    createTable(dataset, { ...wanted, name: replacement }),
    `INSERT INTO ${tableName(dataset, replacement)} (${columns.join(', ')})\nSELECT ${columns.join(', ')} FROM ${tableName(dataset, name)}`,
    `ALTER TABLE ${tableName(dataset, name)} RENAME TO ${column(`${name}_before`)}`,
    `ALTER TABLE ${tableName(dataset, replacement)} RENAME TO ${column(name)}`,
  ].join(';\n');
}

interface Compared {
  readonly dataset: Dataset;
  readonly wanted: WantedTable;
  readonly found: TableResource;
  readonly of: string;
}

const change = ({ wanted }: Pick<Compared, 'wanted'>, what: string, sql: string, resource?: object): Difference => ({
  kind: 'change',
  of: 'table',
  name: wanted.name,
  what,
  sql,
  resource,
});

const refused = ({ wanted }: Pick<Compared, 'wanted'>, what: string, why: string, sql?: string): Difference => ({
  kind: 'refused',
  of: 'table',
  name: wanted.name,
  what,
  why,
  sql,
});

/** For each type, the wider types to which a column may be changed. */
const wider: Readonly<Record<string, readonly string[]>> = {
  INTEGER: ['NUMERIC', 'BIGNUMERIC', 'FLOAT'],
  NUMERIC: ['BIGNUMERIC', 'FLOAT'],
  BIGNUMERIC: ['FLOAT'],
};

const apiNames: Readonly<Record<string, string>> = {
  INT64: 'INTEGER',
  FLOAT64: 'FLOAT',
  BOOL: 'BOOLEAN',
  STRUCT: 'RECORD',
};

/** Returns a type under its API name. Statements and some responses use a different name. */
const typeOf = ({ type }: TableField): string => apiNames[type] ?? type;
const modeOf = ({ mode }: TableField): string => mode ?? 'NULLABLE';
const sameType = (a: TableField, b: TableField): boolean => typeOf(a) === typeOf(b);
const said = (field: TableField): string => sqlType({ ...field, type: typeOf(field), fields: field.fields ?? [] });

interface ColumnChanges {
  /** The fields after all additions and relaxations. */
  readonly fields: TableField[];
  readonly statements: { readonly what: string; readonly sql: string }[];
  /** Statements that widen a type. They run after the schema is patched, because the patch still names the narrower type. */
  readonly widened: { readonly what: string; readonly sql: string }[];
  readonly refused: { readonly what: string; readonly why: string; readonly sql?: string }[];
}

/** Compares the declared columns with the existing ones. Existing columns that are not declared are kept. */
function columnChanges(of: string, { fields: wanted, withheld = [] }: WantedTable, found: readonly TableField[]): ColumnChanges {
  const changes: ColumnChanges = { fields: [...found], statements: [], widened: [], refused: [] };
  // Column names are case-insensitive.
  const place = (name: string): number => found.findIndex((field) => field.name.toLowerCase() === name.toLowerCase());
  for (const field of wanted) {
    const at = place(field.name);
    if (at < 0) added(changes, of, field);
    else altered(changes, of, field, at);
  }
  for (const [at, field] of found.entries()) {
    const declared = wanted.some(({ name }) => name.toLowerCase() === field.name.toLowerCase());
    if (!declared && modeOf(field) === 'REQUIRED') undeclared(changes, of, at, withheld);
  }
  return changes;
}

function added(changes: ColumnChanges, of: string, field: TableField): void {
  // BigQuery cannot add a REQUIRED column, so the new column is nullable. Merges fill it, but existing rows have no value.
  const relaxed = { ...field, mode: modeOf(field) === 'REQUIRED' ? 'NULLABLE' : modeOf(field) };
  changes.fields.push(relaxed);
  changes.statements.push({
    what: `column ${field.name} is missing`,
    sql: `ALTER TABLE ${of} ADD COLUMN IF NOT EXISTS ${columnDefinition(relaxed)}`,
  });
}

function altered(changes: ColumnChanges, of: string, field: TableField, at: number): void {
  const there = changes.fields[at]!;
  const name = column(there.name);
  const what = `column ${field.name} is ${said(there)} instead of ${said(field)}`;
  if (hasAnotherMeaning(field, there)) {
    changes.refused.push({
      what,
      why: 'the types are incompatible: a replay must fill the column again, in this table or in a new one',
      sql: `ALTER TABLE ${of} RENAME COLUMN ${name} TO ${column(`${there.name}_before`)}`,
    });
    return;
  }
  // If the table's type is already wider, it is kept, and merges insert the narrower values.
  if (!sameType(field, there) && wider[typeOf(there)]?.includes(typeOf(field)))
    changes.widened.push({ what, sql: `ALTER TABLE ${of} ALTER COLUMN ${name} SET DATA TYPE ${sqlType(field)}` });
  if (modeOf(there) === 'REQUIRED' && modeOf(field) === 'NULLABLE') {
    changes.fields[at] = { ...there, mode: 'NULLABLE' };
    changes.statements.push({
      what: `column ${field.name} is required but declared as nullable`,
      sql: `ALTER TABLE ${of} ALTER COLUMN ${name} DROP NOT NULL`,
    });
  }
  if (field.fields !== undefined) nested(changes, of, field, at);
}

function hasAnotherMeaning(field: TableField, there: TableField): boolean {
  const isList = (one: TableField): boolean => modeOf(one) === 'REPEATED';
  return isList(field) !== isList(there) || (!sameType(field, there) && !mayWiden(field, there));
}

/** Handles the required column at index `at`, which no merge fills. */
function undeclared(changes: ColumnChanges, of: string, at: number, withheld: readonly string[]): void {
  const field = changes.fields[at]!;
  const sql = `ALTER TABLE ${of} ALTER COLUMN ${column(field.name)} DROP NOT NULL`;
  if (withheld.includes(field.name)) {
    changes.fields[at] = { ...field, mode: 'NULLABLE' };
    changes.statements.push({ what: `column ${field.name} is required but no longer landed`, sql });
    return;
  }
  changes.refused.push({
    what: `column ${field.name} is required but not declared`,
    why: 'merges cannot insert rows, because no record has a value for this column',
    sql,
  });
}

const mayWiden = (field: TableField, there: TableField): boolean =>
  wider[typeOf(there)]?.includes(typeOf(field)) === true || wider[typeOf(field)]?.includes(typeOf(there)) === true;

/** Compares the fields of the objects in a list. BigQuery has no statement to add such a field, so the schema is patched. */
function nested(changes: ColumnChanges, of: string, field: TableField, at: number): void {
  const there = changes.fields[at]!;
  const known = new Map((there.fields ?? []).map((one) => [one.name.toLowerCase(), one]));
  const missing = field.fields!.filter(({ name }) => !known.has(name.toLowerCase()));
  const other = field.fields!.filter((one) => {
    const found = known.get(one.name.toLowerCase());
    return found !== undefined && !sameType(one, found);
  });
  for (const one of other)
    changes.refused.push({
      what: `field ${field.name}[].${one.name} is ${said(known.get(one.name.toLowerCase())!)} instead of ${said(one)}`,
      why: 'the type of a field in a list of objects cannot be changed',
    });
  if (missing.length === 0) return;
  const fields = [...(there.fields ?? []), ...missing.map((one) => ({ ...one, mode: 'NULLABLE' }))];
  changes.fields[at] = { ...changes.fields[at]!, fields };
  changes.statements.push({
    what: `${missing.length === 1 ? 'field' : 'fields'} ${missing.map(({ name }) => `${field.name}[].${name}`).join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`,
    sql: `ALTER TABLE ${of} ALTER COLUMN ${column(there.name)} SET DATA TYPE ${sqlType({ ...there, fields })}`,
  });
}

/** Returns the differences of one table. `found` is undefined if the table does not exist. */
export function tableDifferences(dataset: Dataset, wanted: WantedTable, found: TableResource | undefined): Difference[] {
  if (found === undefined) return [missingTable(dataset, wanted)];
  const compared: Compared = { dataset, wanted, found, of: tableName(dataset, wanted.name) };
  if (found.type !== undefined && found.type !== 'TABLE') return [noTable(compared, found.type)];
  const columns = columnChanges(compared.of, wanted, found.schema?.fields ?? []);
  // A table without Aorta's label and with incompatible columns belongs to someone else, so it is not changed.
  if (found.labels?.[LABEL] === undefined && columns.refused.length > 0) return [foreignTable(compared, columns)];
  return [
    ...columnDifferences(compared, columns),
    ...partitionDifferences(compared),
    ...expiryDifferences(compared),
    ...clusterDifferences(compared),
    ...keyDifferences(compared),
    ...labelDifferences(compared),
  ];
}

function missingTable(dataset: Dataset, wanted: WantedTable): Difference {
  const sql = createTable(dataset, wanted);
  return { kind: 'create', of: 'table', name: wanted.name, what: 'is missing', sql, resource: tableResource(wanted) };
}

function noTable(compared: Compared, type: string): Difference {
  const what = `is a ${type.toLowerCase().replaceAll('_', ' ')}`;
  return { ...refused(compared, what, 'the name of this table is taken by something else'), isMissing: true };
}

function foreignTable(compared: Compared, columns: ColumnChanges): Difference {
  return refused(
    compared,
    `was not created by Aorta and has incompatible columns: ${columns.refused.map(({ what }) => what).join('; ')}`,
    'use a different dataset, or rename that table',
    `ALTER TABLE ${compared.of} RENAME TO ${column(`${compared.wanted.name}_before`)}`,
  );
}

function columnDifferences(compared: Compared, columns: ColumnChanges): Difference[] {
  const schema = { fields: columns.fields };
  return [
    ...columns.statements.map(({ what, sql }) => change(compared, what, sql, { schema })),
    ...columns.widened.map(({ what, sql }) => change(compared, what, sql)),
    ...columns.refused.map(({ what, why, sql }) => refused(compared, what, why, sql)),
  ];
}

function partitionDifferences(compared: Compared): Difference[] {
  const { dataset, wanted, found } = compared;
  const partition = found.timePartitioning?.field;
  const byDay = (found.timePartitioning?.type ?? 'DAY') === 'DAY' && found.rangePartitioning === undefined;
  if (partition === wanted.partition && byDay) return [];
  return [
    refused(
      compared,
      `is partitioned by ${partition ?? 'nothing'}${byDay ? '' : ` (${found.timePartitioning?.type ?? 'a range'})`} instead of ${wanted.partition ?? 'nothing'}`,
      'partitioning cannot be changed: the rows must be copied into a new table',
      copyStatements(dataset, wanted, found),
    ),
  ];
}

function expiryDifferences(compared: Compared): Difference[] {
  const { found, of, wanted } = compared;
  const differences: Difference[] = [];
  if (found.expirationTime !== undefined)
    differences.push(
      change(compared, 'expires together with its rows', `ALTER TABLE ${of} SET OPTIONS (expiration_timestamp = NULL)`, {
        expirationTime: null,
      }),
    );
  const expires = found.timePartitioning?.expirationMs;
  if (wanted.partitionDays === undefined && expires !== undefined && Number(expires) !== 0)
    differences.push(
      change(compared, 'has partitions that expire', `ALTER TABLE ${of} SET OPTIONS (partition_expiration_days = NULL)`, {
        timePartitioning: { type: 'DAY', field: found.timePartitioning?.field, expirationMs: null },
      }),
    );
  return differences;
}

function clusterDifferences(compared: Compared): Difference[] {
  const { wanted, found } = compared;
  const there = found.clustering?.fields;
  if (sameList(wanted.cluster, there)) return [];
  if (there !== undefined && there.length > 0)
    return [
      refused(
        compared,
        `is clustered by ${names(there)} instead of ${names(wanted.cluster)}`,
        'someone may have chosen it for their queries; it does not affect results',
      ),
    ];
  return [
    change(
      compared,
      `is not clustered by ${names(wanted.cluster)}`,
      // No statement changes the clustering, so the metadata is patched. BigQuery sorts rows when it rewrites them.
      `-- tables.patch: clustering.fields = ${names(wanted.cluster)}`,
      { clustering: { fields: wanted.cluster } },
    ),
  ];
}

function keyDifferences(compared: Compared): Difference[] {
  const { wanted, found, of } = compared;
  const { primaryKey } = wanted;
  const key = found.tableConstraints?.primaryKey?.columns;
  if (primaryKey === undefined || sameList(primaryKey, key)) return [];
  const add = `ADD PRIMARY KEY (${primaryKey.map(column).join(', ')}) NOT ENFORCED`;
  if (key === undefined || key.length === 0)
    return [
      change(compared, 'has no primary key', `ALTER TABLE ${of} ${add}`, {
        tableConstraints: { primaryKey: { columns: primaryKey } },
      }),
    ];
  return [
    refused(
      compared,
      `has the primary key ${names(key)} instead of ${names(primaryKey)}`,
      'queries may rely on the existing key',
      `ALTER TABLE ${of} DROP PRIMARY KEY, ${add}`,
    ),
  ];
}

function labelDifferences(compared: Compared): Difference[] {
  const { wanted, found, of } = compared;
  const labels = Object.entries(wanted.labels).filter(([label, value]) => found.labels?.[label] !== value);
  if (labels.length === 0 && found.description === wanted.description) return [];
  const all = { ...found.labels, ...wanted.labels };
  return [
    change(
      compared,
      'has a different description or lacks labels',
      `ALTER TABLE ${of} SET OPTIONS (description = ${text(wanted.description)}, labels = ${labelList(all)})`,
      { description: wanted.description, labels: all },
    ),
  ];
}
