import { deliveries, type TableDeclaration } from '@aorta/schemas';
import { type ControlTable, controlTables, fenceTables } from '../sql/control.ts';
import { OWN } from '../sql/landing.ts';
import { column, type Dataset, sqlType, tableName, text } from '../sql/types.ts';
import { type TableField, tableFields } from './fields.ts';

/**
 * How teams share the tables: not at all, or by their column `team_id`, which then comes first in the order of the rows.
 * A dataset per team is a configuration per team.
 */
export type TeamSeparation = 'none' | 'column';

/** A table of the warehouse, as it ought to be: the members of `tables.insert`, under the names that the service has. */
export interface WantedTable {
  readonly name: string;
  readonly description: string;
  readonly fields: readonly TableField[];
  /** Column by whose date the table is partitioned. */
  readonly partition?: string;
  readonly cluster: readonly string[];
  /** Never enforced by the service: merges keep keys unique, and queries may count on it. */
  readonly primaryKey?: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  /** Columns that a privacy setting withholds: the table may have them, from when it did not. */
  readonly withheld?: readonly string[];
}

/** The label by which our tables are known among others in a dataset. */
export const LABEL = 'aorta';

/** The service takes four columns; of a key of timeseries the first are the ones that people filter by. */
const MOST_CLUSTERED = 4;

function clusterOf(table: TableDeclaration, team: TeamSeparation): string[] {
  const byTeam = team !== 'none' && table.columns.some(({ name }) => name === 'team_id') ? ['team_id'] : [];
  return [...byTeam, ...table.cluster].slice(0, MOST_CLUSTERED);
}

function wantedTable(table: TableDeclaration, team: TeamSeparation): WantedTable {
  return {
    name: table.name,
    description: table.doc,
    fields: tableFields(table),
    ...(table.partition === undefined ? {} : { partition: table.partition }),
    cluster: clusterOf(table, team),
    primaryKey: table.key,
    labels: { [LABEL]: 'table', aorta_shape: table.shape },
    ...(table.withheld === undefined ? {} : { withheld: table.withheld }),
  };
}

const wantedControl = ({ name, doc, fields, cluster, partition }: ControlTable): WantedTable => ({
  name,
  description: doc,
  fields,
  ...(partition === undefined ? {} : { partition }),
  cluster,
  labels: { [LABEL]: 'bookkeeping' },
});

/** Every table of the warehouse under the landed columns of its declarations. */
export function wantedTables(tables: readonly TableDeclaration[], team: TeamSeparation = 'none'): WantedTable[] {
  for (const { name } of tables) if (name.startsWith(OWN)) throw new Error(`${name}: ${OWN}… is the bookkeeping's`);
  const all = [...tables, deliveries];
  const bookkeeping = [...controlTables, ...fenceTables(all.map(({ name }) => name))];
  return [...bookkeeping.map(wantedControl), ...all.map((table) => wantedTable(table, team))];
}

/** What `tables.insert` is sent. */
export function tableResource(wanted: WantedTable): object {
  const { description, fields, partition, cluster, primaryKey, labels } = wanted;
  return {
    description,
    schema: { fields },
    labels,
    ...(partition === undefined ? {} : { timePartitioning: { type: 'DAY', field: partition } }),
    ...(cluster.length === 0 ? {} : { clustering: { fields: cluster } }),
    ...(primaryKey === undefined ? {} : { tableConstraints: { primaryKey: { columns: primaryKey } } }),
  };
}

const labelList = (labels: Readonly<Record<string, string>>): string =>
  `[${Object.entries(labels)
    .map(([key, value]) => `(${text(key)}, ${text(value)})`)
    .join(', ')}]`;

/** A column as `CREATE TABLE` has it. Lists cannot be NOT NULL: they never are null. */
export function columnDefinition(field: TableField): string {
  const required = field.mode === 'REQUIRED' ? ' NOT NULL' : '';
  const described = field.description === undefined ? '' : ` OPTIONS (description = ${text(field.description)})`;
  return `${column(field.name)} ${sqlType(field)}${required}${described}`;
}

/** A column of dates stands for itself, one of instants for its date. */
function partitionExpression(fields: readonly TableField[], partition: string): string {
  const isInstant = fields.some(({ name, type }) => name === partition && type === 'TIMESTAMP');
  return isInstant ? `DATE(${column(partition)})` : column(partition);
}

/** The same as a statement: what `plan` shows. */
export function createTable(dataset: Dataset, wanted: WantedTable): string {
  const { name, description, fields, partition, cluster, primaryKey, labels } = wanted;
  const lines = fields.map(columnDefinition);
  if (primaryKey !== undefined) lines.push(`PRIMARY KEY (${primaryKey.map(column).join(', ')}) NOT ENFORCED`);
  return [
    `CREATE TABLE IF NOT EXISTS ${tableName(dataset, name)} (\n  ${lines.join(',\n  ')}\n)`,
    ...(partition === undefined ? [] : [`PARTITION BY ${partitionExpression(fields, partition)}`]),
    ...(cluster.length === 0 ? [] : [`CLUSTER BY ${cluster.map(column).join(', ')}`]),
    `OPTIONS (description = ${text(description)}, labels = ${labelList(labels)})`,
  ].join('\n');
}
