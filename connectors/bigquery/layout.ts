import { AortaError } from '@aorta/runtime';
import { deliveries, tables } from '@aorta/schemas';
import type { DatasetResource, TableResource } from './client/client.ts';
import type { JobRunner } from './client/jobs.ts';
import { forMany } from './concurrency.ts';
import { ACTIVITY } from './cost/activity.ts';
import { CallFailed } from './errors/call-failed.ts';
import { BigQueryError } from './errors.ts';
import { LABEL, tableResource, type WantedTable } from './tables/declared.ts';
import { changedFields, type Difference, tableDifferences } from './tables/difference.ts';
import type { TableField } from './tables/fields.ts';

/** Returns the dataset if it matches the configuration. Rejects with AORTA-BIGQUERY-DATASET or -LOCATION. */
export async function checkDataset(jobs: JobRunner, location: string): Promise<DatasetResource> {
  const { client } = jobs;
  const { project, dataset } = client;
  const found = await jobs.ifThere('reading the dataset’s metadata', () => client.getDataset(), `${project}.${dataset}`);
  if (found === undefined) throw new BigQueryError('AORTA-BIGQUERY-DATASET', { dataset, project });
  if (found.location !== undefined && found.location.toLowerCase() !== location.toLowerCase())
    throw new BigQueryError('AORTA-BIGQUERY-LOCATION', { dataset, found: found.location, configured: location });
  jobs.identify(found.creationTime);
  return found;
}

/** Creates missing tables and returns the metadata of all wanted tables. Rejects with AORTA-BIGQUERY-TABLE if a table does not match. */
export async function prepareTables(
  jobs: JobRunner,
  wanted: readonly WantedTable[],
  addColumns: boolean,
): Promise<ReadonlyMap<string, TableResource>> {
  const { client } = jobs;
  const listed = await jobs.call('listing tables', () => client.listTables(), { of: client.dataset });
  const there = new Set(listed.map(({ name }) => name));
  // The other control tables never change, so existing ones are not read.
  const asked = wanted.filter(({ name, labels }) => labels[LABEL] !== 'bookkeeping' || name === ACTIVITY || !there.has(name));
  const found = await forMany(asked, async (table) => [table.name, await prepareTable(jobs, table, addColumns)] as const);
  return new Map(found);
}

async function prepareTable(jobs: JobRunner, wanted: WantedTable, addColumns: boolean): Promise<TableResource> {
  const { client } = jobs;
  const { name } = wanted;
  const there = await jobs.table(name);
  if (there === undefined) {
    try {
      const made = await jobs.call('creating a table', () => client.createTable(name, tableResource(wanted)), {
        of: name,
        except: ['exists'],
      });
      return await keepForEver(jobs, name, made, wanted.partitionDays === undefined);
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      return jobs.call('reading a table’s metadata', () => client.getTable(name), { of: name });
    }
  }
  const fields = lackingFields(jobs, wanted, there);
  if (fields instanceof AortaError) throw fields;
  await keepForEver(jobs, name, there, false);
  return fields === undefined || !addColumns ? there : addFields(jobs, name, fields);
}

/**
 * Removes the expiration that the dataset's defaults give to every new table. In a `fresh` table, also removes the expiration
 * of partitions. In an older table, the operator may have configured that expiration, so only `aorta plan` reports it.
 */
async function keepForEver(jobs: JobRunner, name: string, table: TableResource, fresh: boolean): Promise<TableResource> {
  const { expirationTime, timePartitioning } = table;
  const expires = (expirationTime ?? '0') !== '0';
  const { expirationMs, ...partitioning } = timePartitioning ?? {};
  const dropsDays = fresh && (expirationMs ?? '0') !== '0';
  if (!expires && !dropsDays) return table;
  const resource = {
    expirationTime: expires ? null : undefined,
    timePartitioning: dropsDays ? { ...partitioning, expirationMs: null } : undefined,
  };
  return jobs.call('removing the expiration of a table', () => jobs.client.patchTable(name, resource), { of: name });
}

/** Returns the differences in a table that affect merges. Differences in clustering and keys do not. */
export function mergeDifferences({ client }: JobRunner, wanted: WantedTable, found: TableResource): readonly Difference[] {
  const { primaryKey: _, ...shape } = wanted;
  const { project, dataset } = client;
  return tableDifferences({ project, dataset }, { ...shape, cluster: found.clustering?.fields ?? [] }, found);
}

/**
 * If a table lacks fields, returns all fields that it should have. If it lacks none, returns undefined. Returns
 * AORTA-BIGQUERY-TABLE if a difference prevents merges into the table.
 */
export function lackingFields(
  jobs: JobRunner,
  wanted: WantedTable,
  found: TableResource,
): readonly TableField[] | AortaError | undefined {
  const differences = mergeDifferences(jobs, wanted, found);
  const refused = differences.find(({ kind }) => kind === 'refused');
  if (refused !== undefined) return new BigQueryError('AORTA-BIGQUERY-TABLE', { table: wanted.name, problem: refused.what });
  return differences.map(changedFields).findLast((fields) => fields !== undefined);
}

export function addFields(jobs: JobRunner, name: string, fields: readonly TableField[]): Promise<TableResource> {
  return jobs.call('adding columns', () => jobs.client.patchTable(name, { schema: { fields } }), { of: name });
}

/** Returns the number of rows by table; 0 if the table does not exist. The numbers are part of the metadata, so no query is billed. */
export async function countRows(jobs: JobRunner): Promise<Record<string, number>> {
  const names = [...tables, deliveries].map(({ name }) => name).sort((a, b) => a.localeCompare(b, 'en'));
  const rows = await forMany(names, async (name) => {
    const table = await jobs.table(name, 'counting rows');
    return [name, Number(table?.numRows ?? 0)] as const;
  });
  return Object.fromEntries(rows);
}
