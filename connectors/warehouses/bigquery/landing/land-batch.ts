import { createHash } from 'node:crypto';
import { AortaError } from '@aorta/runtime';
import type { TableDeclaration } from '@aorta/schemas';
import type { LandingBatch } from '../../../warehouse.ts';
import { FIRST_DAY, partitionDay, SampleDays } from '../../merging/sample-days.ts';
import type { TableResource } from '../client/client.ts';
import type { FinishedJob, Jobs } from '../client/jobs.ts';
import { CallFailed, wordsOf } from '../errors/call-failed.ts';
import { refusal } from '../errors/persisting.ts';
import { type Action, actionFor } from '../errors/reasons.ts';
import { BigQueryError } from '../errors.ts';
import { type LandingSchema, landedTableName } from '../sql/index.ts';
import { describeBatch, type LandedBatch } from './landed-batch.ts';
import { Serialiser } from './serialiser.ts';

/** A landing table outlives its batch by far: nobody's default may take it away before it is merged. Milliseconds. */
const KEPT_MS = 10 * 365 * 86_400_000;
/** What would be refused as too short an expiry. */
const LEAST_KEPT_MS = 365 * 86_400_000;

/** Attempts of one batch that have ended in what ought not to be: a table that is gone, or is not whole. */
const MOST_FAILURES = 8;

/** A batch in the form in which it is sent. */
export interface SerialisedBatch {
  readonly body: readonly Uint8Array[];
  readonly bytes: number;
  /** Facts of the batch; its name depends on the attempt. */
  readonly facts: Omit<LandedBatch, 'name' | 'landedAt'>;
}

export interface SerialisingOptions {
  /** The table of the stream, if it has one. */
  readonly table: TableDeclaration | undefined;
  /** Days before the newest receipt whose samples are recent. */
  readonly recentDays: number;
  /** Whether it is the first batch of its partition and incarnation. */
  readonly begins: boolean;
}

/** Writes the rows of a batch, and counts on which days they lie. */
export function serialiseBatch(
  batch: LandingBatch,
  schema: LandingSchema,
  { table, recentDays, begins }: SerialisingOptions,
): SerialisedBatch {
  const serialiser = new Serialiser(schema);
  const days = new SampleDays();
  const received = new Set<number>();
  for (const record of batch.records) {
    received.add(partitionDay(record.receipt.received_at));
    if ('start_at' in record) days.add(record.start_at, ...reach(record.start_at));
    serialiser.add(record);
  }
  const receivedDays = [...received].sort((a, b) => a - b);
  const { recent, old } = days.split(receivedDays.at(-1) ?? FIRST_DAY, recentDays);
  const { body, bytes } = serialiser.take();
  const timeseries = table?.shape === 'timeseries';
  return {
    body,
    bytes,
    facts: {
      stream: batch.stream,
      partition: batch.partition ?? 0,
      incarnation: batch.incarnation,
      from: batch.from,
      to: batch.to,
      begins,
      records: batch.records.length,
      fields: schema.fields,
      receivedDays,
      recentDays: recent.days,
      recentRows: timeseries ? recent.rows : batch.records.length,
      oldDays: old.days,
      oldRows: old.rows,
    },
  };
}

function reach(starts: readonly number[]): [first: number, last: number] {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const start of starts) {
    if (start < first) first = start;
    if (start > last) last = start;
  }
  return [first, last];
}

export interface LandingOptions {
  readonly jobs: Jobs;
  /** Waits for the quota of one load into a fresh table. */
  readonly ready: (table: string) => Promise<void>;
  /** Hears that rows were sent, and nothing is known of them yet. */
  readonly onUploaded: () => void;
  readonly now: () => number;
}

/**
 * Loads a batch into a table of its own, and gives it as landed. The same batch again, in this process or another one, is
 * the same job and the same table; only a job that has failed for good is followed by another one. One that an earlier
 * process has left failed is followed at once: whatever it failed of may be mended.
 */
export async function loadBatch(
  { body, facts }: SerialisedBatch,
  schema: LandingSchema,
  { jobs, ready, onUploaded, now }: LandingOptions,
): Promise<LandedBatch> {
  const begun = jobs.now();
  let failures = 0;
  for (let attempt = 1; ; attempt++) {
    const name = landedTableName({ ...facts, revision: schema.revision, attempt });
    const batch: LandedBatch = { ...facts, name, landedAt: now() };
    const loaded = await unlessSwept(name, async () => {
      await ready(name);
      await makeTable(jobs, batch, now());
      return loadInto(jobs, name, body, onUploaded);
    });
    if (loaded instanceof CallFailed) {
      if (++failures >= MOST_FAILURES) throw refusal(STEP, loaded, name);
      continue;
    }
    const { failure, found, rows } = loaded;
    if (failure === undefined && rows === batch.records) return batch;
    // What an earlier process left failed, or not whole, is followed by another attempt at once.
    if (found) continue;
    failures++;
    if (failure === undefined) checkHoles(name, loaded, batch, failures);
    else await jobs.pause(STEP, { action: retryOf(failure, name, failures), failures, reason: failure.reason, begun });
  }
}

const STEP = 'landing a batch';

/** What a load came to. */
interface Loaded extends Pick<FinishedJob, 'failure' | 'found'> {
  /** Rows that the landing table holds; undefined if the load failed, or the table is not there. */
  readonly rows: number | undefined;
}

/**
 * A load, or that its table is not there, which was there a moment ago: a process that swept it away takes the attempt with
 * it. Another worker may have landed the same batch and merged it meanwhile; landed once more, its rows are no news to a merge.
 */
async function unlessSwept(name: string, load: () => Promise<Loaded>): Promise<Loaded | CallFailed> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    if (error.reason !== 'notFound') throw refusal(STEP, error, name);
    return error;
  }
}

async function loadInto(jobs: Jobs, table: string, body: SerialisedBatch['body'], onUploaded: () => void): Promise<Loaded> {
  const { client } = jobs;
  const jobId = jobs.idOf(table);
  const { failure, found } = await jobs.finish(STEP, jobId, () => client.load({ jobId, table, body }), onUploaded);
  if (failure !== undefined) return { failure, found, rows: undefined };
  const there = await jobs.call(STEP, () => client.getTable(table), { of: table, except: ['missing'] });
  return { failure, found, rows: rowsOf(there) };
}

/** DONE and not whole: a job that says so and has loaded nothing (a server that was killed), or a table that others wrote to. */
function checkHoles(name: string, { rows = 0 }: Loaded, batch: LandedBatch, failures: number): void {
  if (failures < MOST_FAILURES) return;
  const problem = `${name} holds ${rows} rows of ${batch.records}, and its load says that it is done`;
  throw new AortaError('AORTA-BUG', { place: 'landing', problem });
}

/** How a load that failed is tried again. Throws if it is not. */
function retryOf(failure: NonNullable<FinishedJob['failure']>, name: string, failures: number): Action {
  const action = actionFor(failure.reason, failures);
  const again = action === 'again' || action === 'later' || action === 'conflict';
  if (!again && (action !== 'exists' || failures >= MOST_FAILURES)) throw loadRefusal(STEP, failure, name);
  return action;
}

export const rowsOf = ({ numRows }: TableResource): number => Number(numRows ?? 0);

/** What was sent did not fit the table that was made for it: nobody outside can do anything about that. */
function loadRefusal(step: string, failure: CallFailed, name: string): AortaError {
  if (failure.reason === 'notFound') return refusal(step, failure, name);
  if (actionFor(failure.reason, 99) !== 'bug') return refusal(step, failure, name);
  return new BigQueryError('AORTA-BIGQUERY-REFUSED', { step: `${step} (${name})`, reason: wordsOf(failure.reason) });
}

/** Makes the landing table where it is not there, and looks that it will stay. */
async function makeTable(jobs: Jobs, batch: LandedBatch, now: number): Promise<void> {
  const { client } = jobs;
  const step = 'making a landing table';
  const resource = {
    schema: { fields: batch.fields },
    description: describeBatch(batch),
    labels: { aorta: 'landed' },
    expirationTime: String(now + KEPT_MS),
  };
  let table: TableResource;
  try {
    table = await jobs.call(step, () => client.createTable(batch.name, resource), { of: client.dataset, except: ['exists'] });
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    // Another worker may have merged and dropped it since.
    table = await jobs.call(step, () => client.getTable(batch.name), { of: batch.name, except: ['missing'] });
  }
  if (staysFor(table, now)) return;
  const patched = await jobs.call(step, () => client.patchTable(batch.name, { expirationTime: String(now + KEPT_MS) }));
  if (!staysFor(patched, now))
    throw new AortaError('AORTA-BUG', { place: 'landing', problem: `${batch.name} would expire before it is merged` });
}

const staysFor = ({ expirationTime }: TableResource, now: number): boolean =>
  expirationTime === undefined || expirationTime === '0' || Number(expirationTime) - now > LEAST_KEPT_MS;

/** A name that stands for a list of names, for ids of jobs. */
export const hashOf = (names: readonly string[]): string =>
  createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 32);
