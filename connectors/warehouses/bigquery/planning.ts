import { isAortaError } from '@aorta/runtime';
import { type StreamName, type TableDeclaration, tables } from '@aorta/schemas';
import { landedTable, type Privacy } from '../../privacy.ts';
import type { AppliedDifferences, ApplyProgress } from '../../warehouse-adapter.ts';
import { views } from '../views/views.ts';
import type { Jobs } from './client/jobs.ts';
import { openJobs } from './client/open-jobs.ts';
import { CallFailed } from './errors/call-failed.ts';
import { forMany } from './layout.ts';
import type { BigQuerySettings } from './options.ts';
import { type Dataset, emptyLanding, landedView, landingSchema } from './sql/index.ts';
import { wantedTables } from './tables/declared.ts';
import type { Difference, FoundTable } from './tables/difference.ts';
import { planWarehouse, type WantedView } from './tables/plan.ts';
import { bigQueryViews } from './views-dialect.ts';

export interface PlanningOptions extends Omit<BigQuerySettings, 'type'> {
  /** Which classes of columns are landed. */
  readonly privacy: Privacy;
  /** Declarations of the tables; the default is those of this version. */
  readonly tables?: readonly TableDeclaration[];
}

/** Somebody sits before the screen, and starts it again: nobody waits a quarter of an hour for a service that is away. */
const MOST_PATIENCE_MS = 120_000;
const lookingMs = ({ patience_s }: PlanningOptions): number => Math.min(patience_s * 1000, MOST_PATIENCE_MS);

async function differences(jobs: Jobs, options: PlanningOptions): Promise<Difference[]> {
  const { client } = jobs;
  const dataset: Dataset = { project: client.project, dataset: client.dataset };
  const declared = options.tables ?? tables;
  const landed = declared.map((table) => landedTable(table, options.privacy));
  const schemas = landed.map((table) => landingSchema(table.stream as StreamName, table, options.summary_order));
  const wanted = [...wantedTables(landed, options.team), ...landed.map((table, index) => emptyLanding(table, schemas[index]!))];
  const shown = views(bigQueryViews(dataset), landed, declared).filter((view): view is WantedView => view.query !== undefined);
  shown.push(...landed.map((table, index) => landedView(dataset, table, schemas[index]!)));
  const foundDataset = await jobs.ifThere(
    'looking at the dataset',
    () => client.getDataset(),
    `${client.project}.${client.dataset}`,
  );
  const found = new Map<string, FoundTable>();
  if (foundDataset !== undefined) {
    const listed = await jobs.call('looking for tables', () => client.listTables(), { of: client.dataset });
    const there = new Set(listed.map(({ name }) => name));
    const ours = [...wanted, ...shown].map(({ name }) => name).filter((name) => there.has(name));
    await forMany(ours, async (name) => {
      const table = await jobs.ifThere('looking at a table', () => client.getTable(name), name);
      if (table !== undefined) found.set(name, table as FoundTable);
    });
  }
  return planWarehouse({ dataset, location: options.location, foundDataset, tables: wanted, views: shown, found });
}

/** Does what a difference asks for. What is there already, although a listing lacked it, is looked at in the next round. */
async function carryOut(jobs: Jobs, { of, kind, name, resource, sql }: Difference): Promise<void> {
  const { client } = jobs;
  const body = resource as Record<string, unknown> | undefined;
  if (of === 'dataset') return jobs.call('making the dataset', () => client.createDataset(body ?? {}), { of: name });
  if (body === undefined) {
    await jobs.query(`changing ${name}`, `aorta_apply_${crypto.randomUUID()}`, { sql: sql! });
    return;
  }
  if (kind === 'change') {
    await jobs.call(`changing ${name}`, () => client.patchTable(name, body), { of: name });
    return;
  }
  try {
    await jobs.call(`making ${name}`, () => client.createTable(name, body), { of: name, except: ['exists'] });
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
  }
}

/** What differs between the declarations and the dataset. Changes nothing. */
export function planBigQuery(options: PlanningOptions): Promise<readonly Difference[]> {
  return differences(openJobs(options, { patience: { forMs: lookingMs(options) } }), options);
}

/**
 * Makes datasets, tables and views that are missing, and changes what can be changed without losing anything; what is
 * refused is left. Nothing is ever taken away.
 */
export async function applyBigQuery(
  options: PlanningOptions,
  onProgress: (progress: ApplyProgress) => void = () => {},
): Promise<AppliedDifferences> {
  const jobs = openJobs(options, { patience: { forMs: lookingMs(options) } });
  const done: Difference[] = [];
  const unmade = new Map<string, string>();
  let tried = 0;
  // A table that was just made may have an expiry from its dataset: what is seen of it then is changed in a second round.
  for (let round = 0; round < 2; round++) {
    const all = await differences(jobs, options);
    // In another place than somebody meant nothing is made: data may be kept out of there for good reasons.
    if (all.some(({ of, kind }) => of === 'dataset' && kind === 'refused')) break;
    const todo = all.filter(({ kind, name }) => kind !== 'refused' && !unmade.has(name));
    for (const [index, difference] of todo.entries()) {
      onProgress({ done: tried, total: tried + todo.length - index, next: difference });
      tried++;
      try {
        await carryOut(jobs, difference);
        done.push(difference);
      } catch (error) {
        // No table waits for a view. One that the service does not take (a local server, mostly) is said, with its text.
        if (difference.of !== 'view' || !isAortaError(error) || error.code !== 'AORTA-BIGQUERY-REFUSED') throw error;
        unmade.set(difference.name, 'the service does not take its text');
      }
    }
    if (todo.length === 0) break;
    onProgress({ done: tried, total: tried, next: undefined });
  }
  const left = (await differences(jobs, options)).map((difference): Difference => {
    const why = unmade.get(difference.name);
    return why === undefined ? difference : { ...difference, kind: 'refused', why, isMissing: true };
  });
  return { done, left };
}
