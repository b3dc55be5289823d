import { type StreamName, streamNames } from '@aorta/schemas';
import { type JobRunner, listedRows, type TextRow } from './client/jobs.ts';
import { forMany } from './concurrency.ts';
import { BigQueryError } from './errors.ts';
import { rowsOf } from './landing/land-batch.ts';
import { describedBatch, ERASED, type LandedBatch } from './landing/landed-batch.ts';
import { type Coverage, coverage, type Hole, isPassed, lineKey, type WrittenPosition } from './landing/positions.ts';
import { MergedRecord } from './merging/merged-record.ts';
import { millisecondsOf } from './reading/query-value.ts';
import { readMergedStatement, readPositionsStatement } from './sql/control.ts';
import { incarnationHash, landedTableName, readLandedTableName } from './sql/landing.ts';

/** Number of lookups before a missing batch counts as lost. The increasing pauses between them take one minute in total. */
export const LOOKS_FOR_MISSING = 8;

/** Number of load attempts whose table names are looked up. More than one attempt is rare. */
const ATTEMPTS = 3;

/**
 * Age in milliseconds at which an obsolete position may be deleted. Younger positions are kept, in case another worker is still
 * writing.
 */
const YOUNG_POSITION_MS = 86_400_000;

/** A landing table that is not completely loaded. This or another process may still be loading it. */
interface Unloaded {
  readonly name: string;
  readonly createdAt: number;
}

interface Discovery {
  readonly batches: readonly LandedBatch[];
  /** Batches of streams that this version does not know. They wait for a newer version. */
  readonly unknownStreams: readonly LandedBatch[];
  readonly unloaded: readonly Unloaded[];
}

const step = 'listing landed batches';

/** Reads the metadata of a landing table. Returns undefined if the table does not exist. */
async function describe(jobs: JobRunner, name: string, createdAt: number): Promise<LandedBatch | Unloaded | undefined> {
  const table = await jobs.table(name, step);
  if (table === undefined) return undefined;
  const batch = describedBatch(name, table.description, table.schema?.fields ?? []);
  // A load job writes all of its rows or none. After an erasure, the row count is lower, but the batch had been complete.
  if (batch !== undefined && (rowsOf(table) === batch.records || table.labels?.aorta === ERASED)) return batch;
  return { name, createdAt };
}

const isBatch = (found: LandedBatch | Unloaded | undefined): found is LandedBatch => found !== undefined && 'stream' in found;

/**
 * Lists the landed batches of all workers, from the names and descriptions of the landing tables. Batches in `known` are not
 * read again. Runs no query, so it costs nothing.
 */
async function discoverBatches(jobs: JobRunner, known: ReadonlyMap<string, LandedBatch>): Promise<Discovery> {
  const { client } = jobs;
  const listed = await jobs.call(step, () => client.listTables(), { of: client.dataset });
  const landing = listed.filter(({ name }) => readLandedTableName(name) !== undefined);
  // `describe` returns undefined if another worker has merged and dropped the table since it was listed.
  const found = await forMany(landing, async ({ name, createdAt }) => known.get(name) ?? (await describe(jobs, name, createdAt)));
  const unloaded = found.filter((one) => one !== undefined && !isBatch(one)) as Unloaded[];
  return withBatches({ batches: [], unknownStreams: [], unloaded }, found.filter(isBatch));
}

function withBatches({ batches, unknownStreams, unloaded }: Discovery, more: readonly LandedBatch[]): Discovery {
  const isKnown = ({ stream }: LandedBatch): boolean => streamNames.includes(stream as StreamName);
  return {
    batches: [...batches, ...more.filter(isKnown)],
    unknownStreams: [...unknownStreams, ...more.filter((batch) => !isKnown(batch))],
    unloaded,
  };
}

/** The landed batches, the landed positions and the merge records. */
interface Look {
  readonly discovery: Discovery;
  readonly landed: Coverage['landed'];
  readonly merged: MergedRecord;
  /** Number of rows of `aorta_positions` that may be deleted. */
  readonly needlessPositions: number;
}

/** Returns known batches that were not found and that no stored position covers. A worker that dropped them would have stored a position. */
function lostBatches(
  known: Iterable<LandedBatch>,
  seen: readonly LandedBatch[],
  positions: readonly WrittenPosition[],
): LandedBatch[] {
  const names = new Set(seen.map(({ name }) => name));
  return [...known].filter((batch) => !names.has(batch.name) && !isPassed(batch, positions));
}

interface MissingBatches {
  /** Ranges of positions that neither a batch nor a stored position covers. */
  readonly holes: readonly Hole[];
  readonly lost: readonly LandedBatch[];
  readonly seen: readonly LandedBatch[];
  readonly merged: { batches(): Iterable<string> };
}

/** Returns the possible names of missing batches: known names, names in merge records, and names of batches that exactly fill a gap. */
function namesToAsk({ holes, lost, seen, merged }: MissingBatches): string[] {
  const names = new Set(lost.map(({ name }) => name));
  const recorded = [...merged.batches()].map((name) => ({ name, facts: readLandedTableName(name) }));
  for (const hole of holes) {
    const { stream, partition, incarnation, from, to } = hole;
    for (const { name, facts } of recorded) {
      const isOfLine =
        facts?.stream === stream && facts.partition === partition && facts.incarnationHash === incarnationHash(incarnation);
      if (isOfLine && facts.from < to && facts.to > from) names.add(name);
    }
    // Workers that run different versions of Aorta use different landing schemas.
    const ofStream = seen.filter((batch) => batch.stream === stream).map(({ name }) => readLandedTableName(name)?.revision);
    for (const revision of new Set(ofStream))
      for (let attempt = 1; attempt <= ATTEMPTS && revision !== undefined; attempt++)
        names.add(landedTableName({ stream, partition, incarnation, from, to, revision, attempt }));
  }
  const there = new Set(seen.map(({ name }) => name));
  return [...names].filter((name) => !there.has(name));
}

/**
 * Reads the state of a dataset while other workers land, merge and drop batches. A worker stores the position of a batch before
 * it drops the landing table. Positions are read after the list of tables, so they cover every table that has left the list.
 * The list may be out of date, because it is only eventually consistent. If a table is missing and its name is known, the table
 * is looked up by name. If it is still missing, the list is read again after a pause. Rejects with AORTA-BIGQUERY-BATCH-GONE if a
 * batch cannot be found.
 */
export async function look(jobs: JobRunner, known: ReadonlyMap<string, LandedBatch>): Promise<Look> {
  for (let looks = 1; ; looks++) {
    const listed = await discoverBatches(jobs, known);
    const [{ found: positions, needless }, merged] = await Promise.all([readPositions(jobs), readMerged(jobs)]);
    const seen = [...listed.batches, ...listed.unknownStreams];
    const { holes } = coverage(positions, seen);
    const lost = lostBatches(known.values(), seen, positions);
    if (holes.length === 0 && lost.length === 0) return lookOf(listed, positions, merged, needless);
    const names = namesToAsk({ holes, lost, seen, merged });
    const found = await forMany(names, (name) => describe(jobs, name, 0));
    const discovery = withBatches(listed, found.filter(isBatch));
    const all = [...discovery.batches, ...discovery.unknownStreams];
    const [hole] = coverage(positions, all).holes;
    const [batch] = lostBatches(known.values(), all, positions);
    if (hole === undefined && batch === undefined) return lookOf(discovery, positions, merged, needless);
    if (looks >= LOOKS_FOR_MISSING)
      throw new BigQueryError('AORTA-BIGQUERY-BATCH-GONE', {
        batch: batch?.name ?? `aorta_landed_${hole!.stream}_${hole!.partition}_…_${hole!.from}_${hole!.to}`,
        dataset: jobs.client.dataset,
      });
    await jobs.rest(looks);
  }
}

function lookOf(
  discovery: Discovery,
  positions: readonly WrittenPosition[],
  merged: MergedRecord,
  needlessPositions: number,
): Look {
  const { landed } = coverage(positions, [...discovery.batches, ...discovery.unknownStreams]);
  return { discovery, landed, merged, needlessPositions };
}

/** Content of a control table, and the number of its obsolete rows. */
export interface ReadControl<T> {
  readonly found: T;
  readonly needless: number;
}

/** Reads the highest stored position of each incarnation of a partition. */
export async function readPositions(jobs: JobRunner): Promise<ReadControl<readonly WrittenPosition[]>> {
  const step = 'reading positions';
  const listed = await listedRows(jobs, step, 'aorta_positions');
  if (listed === undefined) {
    const rows = await jobs.rows(step, readPositionsStatement(jobs.client));
    return { found: rows.map(([...row]) => positionOf(row, Number(row[4]))), needless: Number.POSITIVE_INFINITY };
  }
  const furthest = new Map<string, WrittenPosition>();
  let old = 0;
  for (const row of listed) {
    const one = positionOf(row, millisecondsOf(String(row[4])));
    if (jobs.now() - one.writtenAt > YOUNG_POSITION_MS) old++;
    const key = lineKey(one);
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

/** Reads the merge records, including those of dropped batches. */
export async function readMerged(jobs: JobRunner): Promise<MergedRecord> {
  const step = 'reading merge records';
  const merged = new MergedRecord();
  const listed = await listedRows(jobs, step, 'aorta_merged');
  const rows =
    listed?.map(([batch = null, target = null, , dates = null]): TextRow => [batch, target, dates]) ??
    (await jobs.rows(step, readMergedStatement(jobs.client)));
  for (const [batch, target, dates] of rows)
    merged.add(batch as string, target as string, ((dates ?? []) as readonly string[]).map(dayOf));
  return merged;
}
