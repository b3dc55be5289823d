import { deliveries, type TableDeclaration } from '@aorta/schemas';
import { TIME_ZONES, timeZoneColumns, timeZonesDoc } from '../../warehouses/time-zones.ts';
import type { TableResource } from '../client/client.ts';
import { type ControlTable, controlTables, fenceTables } from '../sql/control.ts';
import { OWN } from '../sql/landing.ts';
import { column, type Dataset, sqlType, tableName, text } from '../sql/types.ts';
import { fieldOf, type TableField, tableFields } from './fields.ts';

/**
 * How teams share the tables. With `column`, the tables are clustered by `team_id` first. If each team needs its own dataset,
 * use one configuration per team.
 */
export type TeamSeparation = 'none' | 'column';

/** A table that the warehouse should have, described in the terms of BigQuery's `tables.insert`. */
export interface WantedTable {
  readonly name: string;
  readonly description: string;
  readonly fields: readonly TableField[];
  /** Date or timestamp column. The table is partitioned by its day. */
  readonly partition?: string;
  /** Number of days after which a partition is deleted. Default: never. */
  readonly partitionDays?: number | undefined;
  readonly cluster: readonly string[];
  /** BigQuery does not enforce the key. Merges keep it unique, so queries may rely on it. */
  readonly primaryKey?: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  /** Columns that a privacy setting withholds. An existing table may still have them. */
  readonly withheld?: readonly string[];
}

const DAY_MS = 86_400_000;

/** Label that identifies Aorta's tables in a dataset that has other tables too. */
export const LABEL = 'aorta';

/** BigQuery's limit on clustering columns. Most queries of timeseries filter by the first key columns. */
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
    partition: table.partition,
    cluster: clusterOf(table, team),
    primaryKey: table.key,
    labels: { [LABEL]: 'table', aorta_shape: table.shape },
    withheld: table.withheld,
  };
}

const wantedControl = ({ name, doc, fields, cluster, partition, partitionDays }: ControlTable): WantedTable => ({
  name,
  description: doc,
  fields,
  partition,
  partitionDays,
  cluster,
  labels: { [LABEL]: 'bookkeeping' },
});

/** The table of time zones. `fillTimeZones` fills it. */
export const timeZoneTable: WantedTable = {
  name: TIME_ZONES,
  description: timeZonesDoc,
  fields: timeZoneColumns.map((column) => fieldOf({ ...column, required: true })),
  cluster: [],
  labels: { [LABEL]: 'reference' },
};

/**
 * Returns every table of the warehouse, including control tables. `tables` contains the declarations with only their landed
 * columns.
 */
export function wantedTables(tables: readonly TableDeclaration[], team: TeamSeparation = 'none'): WantedTable[] {
  for (const { name } of tables)
    if (name.startsWith(OWN)) throw new Error(`${name}: names that begin with ${OWN} are reserved for control tables`);
  const all = [...tables, deliveries];
  const bookkeeping = [...controlTables, ...fenceTables(all.map(({ name }) => name))];
  return [...bookkeeping.map(wantedControl), timeZoneTable, ...all.map((table) => wantedTable(table, team))];
}

export function tableResource(wanted: WantedTable): TableResource {
  const { description, fields, partition, partitionDays, cluster, primaryKey, labels } = wanted;
  const expires = partitionDays === undefined ? {} : { expirationMs: String(partitionDays * DAY_MS) };
  return {
    description,
    schema: { fields },
    labels,
    timePartitioning: partition === undefined ? undefined : { type: 'DAY', field: partition, ...expires },
    clustering: cluster.length === 0 ? undefined : { fields: cluster },
    tableConstraints: primaryKey === undefined ? undefined : { primaryKey: { columns: primaryKey } },
  };
}

/** Returns labels as the value of an option in a statement. */
export const labelList = (labels: Readonly<Record<string, string>>): string =>
  `[${Object.entries(labels)
    .map(([key, value]) => `(${text(key)}, ${text(value)})`)
    .join(', ')}]`;

/** Returns a column definition for `CREATE TABLE`. BigQuery rejects NOT NULL for lists, which are never null. */
export function columnDefinition(field: TableField): string {
  const required = field.mode === 'REQUIRED' ? ' NOT NULL' : '';
  const described = field.description === undefined ? '' : ` OPTIONS (description = ${text(field.description)})`;
  return `${column(field.name)} ${sqlType(field)}${required}${described}`;
}

/** Partitions by a date column directly, or by the date of a timestamp column. */
function partitionExpression(fields: readonly TableField[], partition: string): string {
  const isInstant = fields.some(({ name, type }) => name === partition && type === 'TIMESTAMP');
  return isInstant ? `DATE(${column(partition)})` : column(partition);
}

/** Returns the table as a CREATE statement, for `aorta plan`. */
export function createTable(dataset: Dataset, wanted: WantedTable): string {
  const { name, description, fields, partition, partitionDays, cluster, primaryKey, labels } = wanted;
  const expires = partitionDays === undefined ? '' : `, partition_expiration_days = ${partitionDays}`;
  const lines = fields.map(columnDefinition);
  if (primaryKey !== undefined) lines.push(`PRIMARY KEY (${primaryKey.map(column).join(', ')}) NOT ENFORCED`);
  return [
    `CREATE TABLE IF NOT EXISTS ${tableName(dataset, name)} (\n  ${lines.join(',\n  ')}\n)`,
    ...(partition === undefined ? [] : [`PARTITION BY ${partitionExpression(fields, partition)}`]),
    ...(cluster.length === 0 ? [] : [`CLUSTER BY ${cluster.map(column).join(', ')}`]),
    `OPTIONS (description = ${text(description)}, labels = ${labelList(labels)}${expires})`,
  ].join('\n');
}
