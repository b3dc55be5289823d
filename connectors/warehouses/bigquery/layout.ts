import type { DatasetResource, TableResource } from './client/client.ts';
import type { Jobs } from './client/jobs.ts';
import { ACTIVITY } from './cost/activity.ts';
import { CallFailed } from './errors/call-failed.ts';
import { BigQueryError } from './errors.ts';
import { LABEL, tableResource, type WantedTable } from './tables/declared.ts';
import { type Difference, type FoundTable, tableDifferences } from './tables/difference.ts';
import type { TableField } from './tables/fields.ts';

/** Calls that run at once where many tables are looked at. */
const AT_ONCE = 8;

/** Does the same for many, some at once. */
export async function forMany<T, R>(all: readonly T[], work: (one: T) => Promise<R>, atOnce = AT_ONCE): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < all.length) {
      const index = next++;
      results[index] = await work(all[index]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, worker));
  return results;
}

/** The dataset, where it is as configured. Rejects with AORTA-BIGQUERY-DATASET or -LOCATION. */
export async function checkDataset(jobs: Jobs, location: string): Promise<DatasetResource> {
  const { client } = jobs;
  const { project, dataset } = client;
  const found = await jobs.ifThere('looking at the dataset', () => client.getDataset(), `${project}.${dataset}`);
  if (found === undefined) throw new BigQueryError('AORTA-BIGQUERY-DATASET', { dataset, project });
  if (found.location !== undefined && found.location.toLowerCase() !== location.toLowerCase())
    throw new BigQueryError('AORTA-BIGQUERY-LOCATION', { dataset, found: found.location, configured: location });
  jobs.identify(found.creationTime);
  return found;
}

/** Makes the tables that are missing. Gives what the others look like. Rejects with AORTA-BIGQUERY-TABLE where one is not ours. */
export async function prepareTables(
  jobs: Jobs,
  wanted: readonly WantedTable[],
  addColumns: boolean,
): Promise<ReadonlyMap<string, TableResource>> {
  const { client } = jobs;
  const listed = await jobs.call('looking for tables', () => client.listTables(), { of: client.dataset });
  const there = new Set(listed.map(({ name }) => name));
  // The other control tables never change their shape; they are made, and not looked at again.
  const asked = wanted.filter(({ name, labels }) => labels[LABEL] !== 'bookkeeping' || name === ACTIVITY || !there.has(name));
  const found = await forMany(asked, async (table) => [table.name, await prepareTable(jobs, table, addColumns)] as const);
  return new Map(found);
}

async function prepareTable(jobs: Jobs, wanted: WantedTable, addColumns: boolean): Promise<TableResource> {
  const { client } = jobs;
  const { name } = wanted;
  const there = await jobs.ifThere('looking at a table', () => client.getTable(name), name);
  if (there === undefined) {
    try {
      const made = await jobs.call(
        'making a table',
        () => client.createTable(name, tableResource(wanted) as Record<string, unknown>),
        { of: name, except: ['exists'] },
      );
      return await keepForEver(jobs, name, made, true);
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      // Another worker was quicker.
      return jobs.call('looking at a table', () => client.getTable(name), { of: name });
    }
  }
  const { refused, fields } = shapeOf(client, wanted, there);
  if (refused !== undefined) throw new BigQueryError('AORTA-BIGQUERY-TABLE', { table: name, problem: refused.what });
  await keepForEver(jobs, name, there, false);
  if (fields === undefined || !addColumns) return there;
  return jobs.call('adding columns', () => client.patchTable(name, { schema: { fields } }), { of: name });
}

/**
 * Takes back the expiry that a dataset gives to every new table: nobody means a warehouse by it. Where `fresh`, also that
 * of its partitions; of an older table somebody may have chosen that, and `aorta plan` says it.
 */
async function keepForEver(jobs: Jobs, name: string, table: TableResource, fresh: boolean): Promise<TableResource> {
  const { expirationTime, timePartitioning } = table;
  const expires = (expirationTime ?? '0') !== '0';
  const { expirationMs, ...partitioning } = timePartitioning ?? {};
  const dropsDays = fresh && (expirationMs ?? '0') !== '0';
  if (!expires && !dropsDays) return table;
  const resource = {
    ...(expires ? { expirationTime: null } : {}),
    ...(dropsDays ? { timePartitioning: { ...partitioning, expirationMs: null } } : {}),
  };
  return jobs.call('keeping a table for ever', () => jobs.client.patchTable(name, resource), { of: name });
}

/** What differs in a table that merges depend on: clusters and keys keep no merge. */
export function mergeDifferences(
  dataset: { readonly project: string; readonly dataset: string },
  wanted: WantedTable,
  found: TableResource,
): readonly Difference[] {
  const { primaryKey: _, ...shape } = wanted;
  const { project, dataset: name } = dataset;
  const cluster = found.clustering?.fields ?? [];
  return tableDifferences({ project, dataset: name }, { ...shape, cluster }, found as FoundTable);
}

/** What keeps merges from a table, and the columns that it ought to have where some are missing. */
export function shapeOf(
  dataset: { readonly project: string; readonly dataset: string },
  wanted: WantedTable,
  found: TableResource,
): { readonly refused: Difference | undefined; readonly fields: readonly TableField[] | undefined } {
  const differences = mergeDifferences(dataset, wanted, found);
  const schemas = differences.flatMap(
    ({ resource }) => (resource as { schema?: { fields: TableField[] } } | undefined)?.schema ?? [],
  );
  return { refused: differences.find(({ kind }) => kind === 'refused'), fields: schemas.at(-1)?.fields };
}
