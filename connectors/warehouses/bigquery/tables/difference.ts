import type { WarehouseDifference } from '../../../warehouse-adapter.ts';
import { column, type Dataset, tableName, text } from '../sql/types.ts';
import { type ColumnChanges, columnChanges } from './column-changes.ts';
import { createTable, LABEL, tableResource, type WantedTable } from './declared.ts';
import type { TableField } from './fields.ts';

/** A table or view as the service describes it (`tables.get`), as far as it is looked at. */
export interface FoundTable {
  readonly type?: string;
  readonly description?: string;
  readonly schema?: { readonly fields?: readonly TableField[] };
  readonly labels?: Readonly<Record<string, string>>;
  readonly timePartitioning?: {
    readonly type?: string;
    readonly field?: string;
    readonly expirationMs?: string | number | null;
    readonly requirePartitionFilter?: boolean;
  };
  readonly rangePartitioning?: unknown;
  readonly clustering?: { readonly fields?: readonly string[] };
  readonly tableConstraints?: { readonly primaryKey?: { readonly columns?: readonly string[] } };
  /** Milliseconds since 1970. */
  readonly expirationTime?: string | number | null;
  readonly requirePartitionFilter?: boolean;
  readonly view?: { readonly query?: string };
}

/**
 * A difference between declared and real. What is not refused, `apply` carries out: where there is a `resource` by
 * `tables.insert` or `tables.patch` of it, else by the statement. What is refused it leaves: there `sql` is what a person
 * could run, where there is such a statement, after reading `why`.
 */
export interface Difference extends WarehouseDifference {
  /** Body of `tables.insert`, and of `tables.patch` where the table is there. */
  readonly resource?: object;
}

const sameList = (a: readonly string[] = [], b: readonly string[] = []): boolean =>
  a.length === b.length && a.every((one, index) => one.toLowerCase() === b[index]!.toLowerCase());

const names = (list: readonly string[] | undefined): string =>
  list === undefined || list.length === 0 ? 'nothing' : list.join(', ');

/** What makes a table anew as it is declared, with the rows of the old one, which keeps another name. */
function copyStatements(dataset: Dataset, wanted: WantedTable, found: FoundTable): string {
  const { name } = wanted;
  const anew = `${name}_new`;
  // By name: columns that were added later stand in another order, and a type may fit where a meaning does not.
  const there = new Set((found.schema?.fields ?? []).map((field) => field.name.toLowerCase()));
  const columns = wanted.fields.filter((field) => there.has(field.name.toLowerCase())).map((field) => column(field.name));
  return [
    createTable(dataset, { ...wanted, name: anew }),
    `INSERT INTO ${tableName(dataset, anew)} (${columns.join(', ')})\nSELECT ${columns.join(', ')} FROM ${tableName(dataset, name)}`,
    `ALTER TABLE ${tableName(dataset, name)} RENAME TO ${column(`${name}_before`)}`,
    `ALTER TABLE ${tableName(dataset, anew)} RENAME TO ${column(name)}`,
  ].join(';\n');
}

/** A table as it is declared and as it is. */
interface Compared {
  readonly dataset: Dataset;
  readonly wanted: WantedTable;
  readonly found: FoundTable;
  /** Its name in statements. */
  readonly of: string;
}

const change = ({ wanted }: Pick<Compared, 'wanted'>, what: string, sql: string, resource?: object): Difference => ({
  kind: 'change',
  of: 'table',
  name: wanted.name,
  what,
  sql,
  ...(resource === undefined ? {} : { resource }),
});

const refused = ({ wanted }: Pick<Compared, 'wanted'>, what: string, why: string, sql?: string): Difference => ({
  kind: 'refused',
  of: 'table',
  name: wanted.name,
  what,
  why,
  ...(sql === undefined ? {} : { sql }),
});

/** The differences of one table; `found` is undefined where it is not there. */
export function tableDifferences(dataset: Dataset, wanted: WantedTable, found: FoundTable | undefined): Difference[] {
  if (found === undefined) return [missingTable(dataset, wanted)];
  const compared: Compared = { dataset, wanted, found, of: tableName(dataset, wanted.name) };
  if (found.type !== undefined && found.type !== 'TABLE') return [noTable(compared, found.type)];
  const columns = columnChanges(compared.of, wanted, found.schema?.fields ?? []);
  // Without our label and of another shape it is somebody’s, under the same name: nothing of it is changed.
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
  return { ...refused(compared, what, 'something else has the name of this table'), isMissing: true };
}

function foreignTable(compared: Compared, columns: ColumnChanges): Difference {
  return refused(
    compared,
    `is not of this warehouse, and has another shape: ${columns.refused.map(({ what }) => what).join('; ')}`,
    'another dataset, or another name for that table',
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
      `is partitioned by ${partition ?? 'nothing'}${byDay ? '' : ` (${found.timePartitioning?.type ?? 'a range'})`}; declared is ${wanted.partition ?? 'nothing'}`,
      'a table keeps its partitions: it can only be made anew, as a copy',
      copyStatements(dataset, wanted, found),
    ),
  ];
}

function expiryDifferences(compared: Compared): Difference[] {
  const { found, of } = compared;
  const differences: Difference[] = [];
  if (found.expirationTime !== undefined && found.expirationTime !== null)
    differences.push(
      change(compared, 'expires, and its rows with it', `ALTER TABLE ${of} SET OPTIONS (expiration_timestamp = NULL)`, {
        expirationTime: null,
      }),
    );
  const expires = found.timePartitioning?.expirationMs;
  if (expires !== undefined && expires !== null && Number(expires) !== 0)
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
        `is clustered by ${names(there)}; declared is ${names(wanted.cluster)}`,
        'somebody may have chosen it for their queries; results do not depend on it',
      ),
    ];
  return [
    change(
      compared,
      `is clustered by nothing; declared is ${names(wanted.cluster)}`,
      // There is no statement for it: the metadata is patched, and rows are put in order as they are rewritten.
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
      `has the primary key ${names(key)}; declared is ${names(primaryKey)}`,
      'queries count on a key that is declared',
      `ALTER TABLE ${of} DROP PRIMARY KEY, ${add}`,
    ),
  ];
}

function labelDifferences(compared: Compared): Difference[] {
  const { wanted, found, of } = compared;
  const labels = Object.entries(wanted.labels).filter(([label, value]) => found.labels?.[label] !== value);
  if (labels.length === 0 && found.description === wanted.description) return [];
  const all = { ...found.labels, ...wanted.labels };
  const list = Object.entries(all)
    .map(([label, value]) => `(${text(label)}, ${text(value)})`)
    .join(', ');
  return [
    change(
      compared,
      'has another description, or lacks labels',
      `ALTER TABLE ${of} SET OPTIONS (description = ${text(wanted.description)}, labels = [${list}])`,
      { description: wanted.description, labels: all },
    ),
  ];
}
