import { isAortaError } from '@aorta/runtime';
import { type StreamName, type TableDeclaration, tables } from '@aorta/schemas';
import type { Preferences } from '../preferences.ts';
import { landedTable, type Privacy } from '../privacy.ts';
import type { AppliedDifferences, ApplyProgress } from '../warehouse.ts';
import { TIME_ZONES } from '../warehouses/time-zones.ts';
import { isShown, type ShownView } from '../warehouses/views/dialect.ts';
import { views } from '../warehouses/views/views.ts';
import type { TableResource } from './client/client.ts';
import type { JobRunner } from './client/jobs.ts';
import { openJobs } from './client/official-client.ts';
import { forMany } from './concurrency.ts';
import { CallFailed } from './errors/call-failed.ts';
import type { BigQuerySettings } from './options.ts';
import { changedUserStatement } from './sql/changed-days.ts';
import { emptyLanding, landedView } from './sql/landed-view.ts';
import { landingSchema } from './sql/landing.ts';
import type { Dataset } from './sql/types.ts';
import { wantedTables } from './tables/declared.ts';
import type { Difference } from './tables/difference.ts';
import { planWarehouse } from './tables/plan.ts';
import { fillTimeZones, timeZoneDifferences } from './time-zones.ts';
import { bigQueryViews } from './views-dialect.ts';

export interface PlanningOptions extends Omit<BigQuerySettings, 'type'> {
  /** Decides which classes of columns are landed. */
  readonly privacy: Privacy;
  /** Default: the usual orders of sources. */
  readonly preferences?: Preferences;
  /** Default: the declarations of this version. */
  readonly tables?: readonly TableDeclaration[];
}

/** Maximum time for retries, in milliseconds. An operator is waiting at the terminal and can run the command again. */
const MOST_PATIENCE_MS = 120_000;
const lookingMs = ({ patience_s }: PlanningOptions): number => Math.min(patience_s * 1000, MOST_PATIENCE_MS);

async function differences(jobs: JobRunner, options: PlanningOptions): Promise<Difference[]> {
  const { client } = jobs;
  const dataset: Dataset = { project: client.project, dataset: client.dataset };
  const declared = options.tables ?? tables;
  const landed = declared.map((table) => landedTable(table, options.privacy));
  const schemas = landed.map((table) => landingSchema(table.stream as StreamName, table, options.summary_order));
  const wanted = [...wantedTables(landed, options.team), ...landed.map((table, index) => emptyLanding(table, schemas[index]!))];
  const shown: readonly ShownView[] = [
    ...views(bigQueryViews(dataset), landed, declared, options.preferences ?? {}).filter(isShown),
    ...landed.map((table, index) => landedView(dataset, table, schemas[index]!)),
  ];
  const foundDataset = await jobs.ifThere(
    'reading the dataset’s metadata',
    () => client.getDataset(),
    `${client.project}.${client.dataset}`,
  );
  const found = new Map<string, TableResource>();
  if (foundDataset !== undefined) {
    const listed = await jobs.call('listing tables', () => client.listTables(), { of: client.dataset });
    const there = new Set(listed.map(({ name }) => name));
    const ours = [...wanted, ...shown].map(({ name }) => name).filter((name) => there.has(name));
    await forMany(ours, async (name) => {
      const table = await jobs.table(name);
      if (table !== undefined) found.set(name, table);
    });
  }
  const planned = planWarehouse({ dataset, location: options.location, foundDataset, tables: wanted, views: shown, found });
  return [...planned, ...timeZoneDifferences(found.get(TIME_ZONES))];
}

/** Resolves one difference. If a missing object turns out to exist, the next round compares it. */
async function carryOut(jobs: JobRunner, difference: Difference): Promise<void> {
  await change(jobs, difference);
  const { name, columns } = difference;
  if (columns === undefined) return;
  const of = { of: name };
  const { schema } = await jobs.call('reading a view’s metadata', () => jobs.client.getTable(name), of);
  const fields = (schema?.fields ?? []).map((field) => ({ ...field, description: columns.get(field.name) ?? null }));
  await jobs.call(`describing ${name}`, () => jobs.client.patchTable(name, { schema: { fields } }), of);
}

async function change(jobs: JobRunner, { of, kind, name, resource, sql, fills }: Difference): Promise<void> {
  const { client } = jobs;
  if (fills) {
    return fillTimeZones(jobs, await jobs.call('reading a table’s metadata', () => client.getTable(name), { of: name }));
  }
  if (of === 'dataset') return jobs.call('creating the dataset', () => client.createDataset(resource ?? {}), { of: name });
  if (resource === undefined) {
    await jobs.query(`changing ${name}`, `aorta_apply_${crypto.randomUUID()}`, { sql: sql! });
    return;
  }
  if (kind === 'change') {
    await jobs.call(`changing ${name}`, () => client.patchTable(name, resource), { of: name });
    return;
  }
  try {
    await jobs.call(`creating ${name}`, () => client.createTable(name, resource), { of: name, except: ['exists'] });
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
  }
}

/**
 * Returns why a view cannot be created, or undefined if the error concerns more than this view. No table depends on a view, so a
 * refused view is only reported. A view may fail because a local server does not support it, or because it reads a refused
 * view, which does not exist.
 */
function viewProblem({ of }: Difference, error: unknown): string | undefined {
  if (of !== 'view' || !isAortaError(error)) return undefined;
  if (error.code === 'AORTA-BIGQUERY-REFUSED') return 'BigQuery does not accept its query';
  return error.code === 'AORTA-BIGQUERY-MISSING' ? 'its query reads a table or view that does not exist' : undefined;
}

export function planBigQuery(options: PlanningOptions): Promise<readonly Difference[]> {
  return differences(openJobs(options, { patience: { forMs: lookingMs(options) } }), options);
}

/** Creates missing datasets, tables and views, and makes changes that lose no data. Skips refused changes and never drops anything. */
export async function applyBigQuery(
  options: PlanningOptions,
  onProgress: (progress: ApplyProgress) => void = () => {},
): Promise<AppliedDifferences> {
  const jobs = openJobs(options, { patience: { forMs: lookingMs(options) } });
  const done: Difference[] = [];
  const unmade = new Map<string, string>();
  let tried = 0;
  // A new table may have an expiration from the dataset's defaults. The second round removes it.
  for (let round = 0; round < 2; round++) {
    const all = await differences(jobs, options);
    // Creates nothing in an unexpected location, because the data may not be allowed there.
    if (all.some(({ of, kind }) => of === 'dataset' && kind === 'refused')) break;
    const todo = all.filter(({ kind, name }) => kind !== 'refused' && !unmade.has(name));
    for (const [index, difference] of todo.entries()) {
      onProgress({ done: tried, total: tried + todo.length - index, next: difference });
      tried++;
      try {
        await carryOut(jobs, difference);
        done.push(difference);
      } catch (error) {
        const why = viewProblem(difference, error);
        if (why === undefined) throw error;
        unmade.set(difference.name, why);
      }
    }
    if (todo.length === 0) break;
    onProgress({ done: tried, total: tried, next: undefined });
  }
  // Rows of any day may differ by the new rules.
  if (done.some(({ of, kind }) => of === 'view' && kind === 'change'))
    await jobs.query('noting changed views', `aorta_changed_${crypto.randomUUID()}`, {
      sql: changedUserStatement(jobs.client, 'NULL'),
    });
  const left = (await differences(jobs, options)).map((difference): Difference => {
    const why = unmade.get(difference.name);
    return why === undefined ? difference : { ...difference, kind: 'refused', why, isMissing: true };
  });
  return { done, left };
}
