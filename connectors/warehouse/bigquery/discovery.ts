import { type StreamName, streamNames } from '@aorta/schemas';
import { AortaError } from '@aorta/telemetry';
import type { Jobs } from './client/jobs.ts';
import { ERASED } from './erasing.ts';
import { rowsOf } from './landing/land-batch.ts';
import type { LandedAgain } from './landing/landed-again.ts';
import { describedBatch, type LandedBatch } from './landing/landed-batch.ts';
import { type Coverage, coverage, type WrittenPosition } from './landing/positions.ts';
import { forMany } from './layout.ts';
import { MergedRecord } from './merging/pending.ts';
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

/**
 * The landed batches that are there, of all workers: by the tables' names, and what each says of itself. `known` are not
 * asked again. Costs nothing but calls.
 */
async function discoverBatches(jobs: Jobs, known: ReadonlyMap<string, LandedBatch>): Promise<Discovery> {
  const { client } = jobs;
  const step = 'looking for landed batches';
  const listed = await jobs.call(step, () => client.listTables(), { of: client.dataset });
  const landing = listed.filter(({ name }) => readLandedTableName(name) !== undefined);
  const unloaded: Unloaded[] = [];
  const found = await forMany(landing, async ({ name, createdAt }) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const table = await jobs.ifThere(step, () => client.getTable(name), name);
    // Another worker has merged and dropped it since it was listed.
    if (table === undefined) return undefined;
    const batch = describedBatch(name, table.description, table.schema?.fields ?? []);
    // A load is whole or not at all. Of one from which a user was erased the number says nothing, and it was whole before.
    if (batch !== undefined && (rowsOf(table) === batch.records || table.labels?.aorta === ERASED)) return batch;
    unloaded.push({ name, createdAt });
    return undefined;
  });
  const batches = found.filter((batch) => batch !== undefined);
  const isKnown = ({ stream }: LandedBatch): boolean => streamNames.includes(stream as StreamName);
  return { batches: batches.filter(isKnown), strangers: batches.filter((batch) => !isKnown(batch)), unloaded };
}

/** What is landed, how far that is, and what of it is merged. */
interface Look {
  readonly discovery: Discovery;
  /** By partition. */
  readonly landed: Coverage['landed'];
  readonly merged: MergedRecord;
}

/**
 * Looks at a dataset beside workers who land, merge and drop. The positions come after the tables: who drops a table has
 * written the position behind it before, so that a table which is not seen any more is covered by a position which is.
 * Rejects with AORTA-BIGQUERY-BATCH-GONE where a landing table is missing that nothing says to be merged.
 */
export async function look(
  jobs: Jobs,
  dataset: Dataset,
  known: ReadonlyMap<string, LandedBatch>,
  again: LandedAgain,
): Promise<Look> {
  for (let isFirst = true; ; isFirst = false) {
    const discovery = await discoverBatches(jobs, known);
    const [positions, merged] = await Promise.all([readPositions(jobs, dataset), readMerged(jobs, dataset)]);
    const { landed, holes } = coverage(positions, [...discovery.batches, ...discovery.strangers], again);
    const [hole] = holes;
    if (hole === undefined) return { discovery, landed, merged };
    // A list of many tables comes page by page: one that was made behind the page on which it belongs is missing from it,
    // and one that followed it is not. What is gone is gone the next time, too.
    if (!isFirst)
      throw new AortaError('AORTA-BIGQUERY-BATCH-GONE', {
        batch: `aorta_landed_${hole.stream}_${hole.partition}_…_${hole.from}_${hole.to}`,
        dataset: dataset.dataset,
      });
  }
}

/** The written positions. */
export async function readPositions(jobs: Jobs, dataset: Dataset): Promise<WrittenPosition[]> {
  const rows = await jobs.rows('reading positions', readPositionsStatement(dataset));
  return rows.map(([stream, partition, incarnation, position, writtenAt]) => ({
    stream: stream as string,
    partition: Number(partition),
    incarnation: incarnation as string,
    position: Number(position),
    writtenAt: Number(writtenAt),
  }));
}

const dayOf = (date: string): number => Date.parse(date) / 86_400_000;

/** What was merged of which batch. */
export async function readMerged(jobs: Jobs, dataset: Dataset): Promise<MergedRecord> {
  const merged = new MergedRecord();
  for (const [batch, target, dates] of await jobs.rows('reading what is merged', readMergedStatement(dataset)))
    merged.add(batch as string, target as string, ((dates ?? []) as readonly string[]).map(dayOf));
  return merged;
}
