import { type StreamName, streamNames } from '@aorta/schemas';
import type { Jobs } from './client/jobs.ts';
import { listedRows } from './client/listed-rows.ts';
import type { TextRow } from './client/rows.ts';
import { ERASED } from './erasing.ts';
import { BigQueryError } from './errors.ts';
import { rowsOf } from './landing/land-batch.ts';
import type { LandedAgain } from './landing/landed-again.ts';
import { describedBatch, type LandedBatch } from './landing/landed-batch.ts';
import { lostBatches, namesToAsk } from './landing/missing-batches.ts';
import { type Coverage, coverage, type WrittenPosition } from './landing/positions.ts';
import { forMany } from './layout.ts';
import { MergedRecord } from './merging/merged-record.ts';
import { millisecondsOf } from './reading/query-value.ts';
import { type Dataset, readLandedTableName, readMergedStatement, readPositionsStatement } from './sql/index.ts';

/** A landing table that nothing was loaded into: its load may be under way, in this process or in another one. */
interface Unloaded {
  readonly name: string;
  readonly createdAt: number;
}

interface Discovery {
  readonly batches: readonly LandedBatch[];
  /** Batches of streams that this version does not know: they wait for one that does. */
  readonly strangers: readonly LandedBatch[];
  readonly unloaded: readonly Unloaded[];
}

const step = 'looking for landed batches';

/** What the table of this name says of itself; undefined where there is none. */
async function describe(jobs: Jobs, name: string, createdAt: number): Promise<LandedBatch | Unloaded | undefined> {
  const table = await jobs.ifThere(step, () => jobs.client.getTable(name), name);
  if (table === undefined) return undefined;
  const batch = describedBatch(name, table.description, table.schema?.fields ?? []);
  // A load is whole or not at all. Of one from which a user was erased the number says nothing, and it was whole before.
  if (batch !== undefined && (rowsOf(table) === batch.records || table.labels?.aorta === ERASED)) return batch;
  return { name, createdAt };
}

const isBatch = (found: LandedBatch | Unloaded | undefined): found is LandedBatch => found !== undefined && 'stream' in found;

/**
 * The landed batches that a listing has, of all workers: by the tables' names, and what each says of itself. `known` are
 * not asked again. Costs nothing but calls.
 */
async function discoverBatches(jobs: Jobs, known: ReadonlyMap<string, LandedBatch>): Promise<Discovery> {
  const { client } = jobs;
  const listed = await jobs.call(step, () => client.listTables(), { of: client.dataset });
  const landing = listed.filter(({ name }) => readLandedTableName(name) !== undefined);
  // One that another worker has merged and dropped since it was listed is undefined.
  const found = await forMany(landing, async ({ name, createdAt }) => known.get(name) ?? (await describe(jobs, name, createdAt)));
  const unloaded = found.filter((one) => one !== undefined && !isBatch(one)) as Unloaded[];
  return withBatches({ batches: [], strangers: [], unloaded }, found.filter(isBatch));
}

/** A discovery with more batches, each where it belongs. */
function withBatches({ batches, strangers, unloaded }: Discovery, more: readonly LandedBatch[]): Discovery {
  const isKnown = ({ stream }: LandedBatch): boolean => streamNames.includes(stream as StreamName);
  return {
    batches: [...batches, ...more.filter(isKnown)],
    strangers: [...strangers, ...more.filter((batch) => !isKnown(batch))],
    unloaded,
  };
}

/** What is landed, how far that is, and what of it is merged. */
interface Look {
  readonly discovery: Discovery;
  /** By partition. */
  readonly landed: Coverage['landed'];
  readonly merged: MergedRecord;
  /** Rows of `aorta_positions` that may be deleted. */
  readonly needlessPositions: number;
}

/** A landed batch that is missing counts as gone after so many looks, with growing pauses between them: a minute in all. */
export const LOOKS_FOR_MISSING = 8;

/**
 * Looks at a dataset beside workers who land, merge and drop. The positions come after the tables: who drops a table has
 * written the position behind it before, so that a table which is not seen any more is covered by a position which is.
 * A listing is eventually consistent. A table that it lacks is asked for by its name, as far as that is known, and listed
 * again with patience. Rejects with AORTA-BIGQUERY-BATCH-GONE where it is not there in the end.
 */
export async function look(
  jobs: Jobs,
  dataset: Dataset,
  known: ReadonlyMap<string, LandedBatch>,
  again: LandedAgain,
): Promise<Look> {
  for (let looks = 1; ; looks++) {
    const listed = await discoverBatches(jobs, known);
    const [{ found: positions, needless }, merged] = await Promise.all([readPositions(jobs, dataset), readMerged(jobs, dataset)]);
    const seen = [...listed.batches, ...listed.strangers];
    const { holes } = coverage(positions, seen);
    const lost = lostBatches(known.values(), seen, positions);
    if (holes.length === 0 && lost.length === 0) return lookOf(listed, positions, merged, { again, needless });
    const names = namesToAsk({ holes, lost, seen, merged });
    const found = await forMany(names, (name) => describe(jobs, name, 0));
    const discovery = withBatches(listed, found.filter(isBatch));
    const all = [...discovery.batches, ...discovery.strangers];
    const [hole] = coverage(positions, all).holes;
    const [batch] = lostBatches(known.values(), all, positions);
    if (hole === undefined && batch === undefined) return lookOf(discovery, positions, merged, { again, needless });
    if (looks >= LOOKS_FOR_MISSING)
      throw new BigQueryError('AORTA-BIGQUERY-BATCH-GONE', {
        batch: batch?.name ?? `aorta_landed_${hole!.stream}_${hole!.partition}_…_${hole!.from}_${hole!.to}`,
        dataset: dataset.dataset,
      });
    await jobs.rest(looks);
  }
}

function lookOf(
  discovery: Discovery,
  positions: readonly WrittenPosition[],
  merged: MergedRecord,
  { again, needless }: { readonly again: LandedAgain; readonly needless: number },
): Look {
  const { landed } = coverage(positions, [...discovery.batches, ...discovery.strangers], again);
  return { discovery, landed, merged, needlessPositions: needless };
}

/** Rows of a control table, and how many of them nobody needs any more. */
export interface ReadControl<T> {
  readonly found: T;
  readonly needless: number;
}

/** Positions younger than that are not needless: somebody may be writing beside. */
const YOUNG_POSITION_MS = 86_400_000;

/** The written positions: of each incarnation of a partition the furthest. */
export async function readPositions(jobs: Jobs, dataset: Dataset): Promise<ReadControl<readonly WrittenPosition[]>> {
  const step = 'reading positions';
  const listed = await listedRows(jobs, step, 'aorta_positions');
  if (listed === undefined) {
    const rows = await jobs.rows(step, readPositionsStatement(dataset));
    return { found: rows.map(([...row]) => positionOf(row, Number(row[4]))), needless: Number.POSITIVE_INFINITY };
  }
  const furthest = new Map<string, WrittenPosition>();
  let old = 0;
  for (const row of listed) {
    const one = positionOf(row, millisecondsOf(String(row[4])));
    if (jobs.now() - one.writtenAt > YOUNG_POSITION_MS) old++;
    const key = JSON.stringify([one.stream, one.partition, one.incarnation]);
    const known = furthest.get(key);
    const writtenAt = Math.max(one.writtenAt, known?.writtenAt ?? 0);
    furthest.set(key, { ...one, position: Math.max(one.position, known?.position ?? 0), writtenAt });
  }
  return { found: [...furthest.values()], needless: Math.max(0, old - furthest.size) };
}

function positionOf([stream, partition, incarnation, position]: TextRow, writtenAt: number): WrittenPosition {
  return {
    stream: stream as string,
    partition: Number(partition),
    incarnation: incarnation as string,
    position: Number(position),
    writtenAt,
  };
}

const dayOf = (date: string): number => Date.parse(date) / 86_400_000;

/** What was merged of which batch, of batches that are dropped, too. */
export async function readMerged(jobs: Jobs, dataset: Dataset): Promise<MergedRecord> {
  const step = 'reading what is merged';
  const merged = new MergedRecord();
  const listed = await listedRows(jobs, step, 'aorta_merged');
  const rows =
    listed?.map(([batch = null, target = null, , dates = null]): TextRow => [batch, target, dates]) ??
    (await jobs.rows(step, readMergedStatement(dataset)));
  for (const [batch, target, dates] of rows)
    merged.add(batch as string, target as string, ((dates ?? []) as readonly string[]).map(dayOf));
  return merged;
}
