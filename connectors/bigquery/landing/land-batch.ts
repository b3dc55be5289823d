import { createHash } from 'node:crypto';
import { AortaError, systemTime } from '@aorta/runtime';
import type { TableDeclaration } from '@aorta/schemas';
import type { LandingBatch } from '../../warehouse.ts';
import { FIRST_DAY, partitionDay, SampleDays } from '../../warehouses/merging/landed-dates.ts';
import type { TableResource } from '../client/client.ts';
import type { FinishedJob, JobRunner } from '../client/jobs.ts';
import { CallFailed, wordsOf } from '../errors/call-failed.ts';
import { type Action, actionFor } from '../errors/reasons.ts';
import { refusal } from '../errors/retries.ts';
import { BigQueryError } from '../errors.ts';
import { type LandingSchema, landedTableName } from '../sql/landing.ts';
import { describeBatch, type LandedBatch } from './landed-batch.ts';
import { Serialiser } from './serialiser.ts';

/** Lifetime of a landing table in milliseconds, long enough that the table cannot expire before it is merged. */
const KEPT_MS = 10 * 365 * 86_400_000;
/** Minimum remaining lifetime of a landing table, in milliseconds. */
const LEAST_KEPT_MS = 365 * 86_400_000;

/** Maximum number of failed attempts to land a batch whose table disappears or stays incomplete. */
const MOST_FAILURES = 8;

const STEP = 'landing a batch';

export interface SerialisedBatch {
  readonly body: readonly Uint8Array[];
  readonly bytes: number;
  /** Everything known about the batch except its name and its landing time, which depend on the attempt. */
  readonly facts: Omit<LandedBatch, 'name' | 'landedAt'>;
}

export interface SerialisingOptions {
  /** The table of the stream, if it has one. */
  readonly table: TableDeclaration | undefined;
  /** Samples that start within this many days of the last receipt in the batch count as recent. */
  readonly recentDays: number;
  /** Whether this is the partition's first batch in this incarnation of the stream. */
  readonly begins: boolean;
}

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
  readonly jobs: JobRunner;
  /** Waits until the quotas allow a load into a new table. */
  readonly ready: (table: string) => Promise<void>;
  /** Called after the rows are uploaded, before the result of the load job is known. */
  readonly onUploaded: () => void;
  readonly now: () => number;
}

/**
 * Loads a batch into its own table and returns the landed batch. If the same batch is loaded again, even by a different process,
 * the same job and table are used. A new job is submitted only if the previous job has failed permanently. If an earlier process
 * left a failed job, a new one is submitted at once, because the cause may have been fixed.
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
      // BigQuery compares the time of expiration with its own clock.
      await makeTable(jobs, batch, systemTime(now()));
      return loadInto(jobs, name, body, onUploaded);
    });
    if (loaded instanceof CallFailed) {
      if (++failures >= MOST_FAILURES) throw refusal(STEP, loaded, name);
      continue;
    }
    const { failure, found, rows } = loaded;
    if (failure === undefined && rows === batch.records) return batch;
    // Retries at once if an earlier process left a failed job or an incomplete table.
    if (found) continue;
    failures++;
    if (failure === undefined) checkHoles(name, loaded, batch, failures);
    else await jobs.pause(STEP, { action: retryOf(failure, name, failures), failures, reason: failure.reason, begun });
  }
}

interface Loaded extends Pick<FinishedJob, 'failure' | 'found'> {
  /** Number of rows in the landing table; undefined if the load failed or the table does not exist. */
  readonly rows: number | undefined;
}

/**
 * Runs a load. Returns the failure if another process dropped the landing table meanwhile. The caller then tries again. If
 * another worker has already merged the same batch, merging it again changes nothing.
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

async function loadInto(jobs: JobRunner, table: string, body: SerialisedBatch['body'], onUploaded: () => void): Promise<Loaded> {
  const { client } = jobs;
  const jobId = jobs.idOf(table);
  const { failure, found } = await jobs.finish(STEP, jobId, () => client.load({ jobId, table, body }), onUploaded);
  if (failure !== undefined) return { failure, found, rows: undefined };
  const there = await jobs.call(STEP, () => client.getTable(table), { of: table, except: ['missing'] });
  return { failure, found, rows: rowsOf(there) };
}

/** Throws after several load jobs have left a table incomplete, because the server was killed or a different program wrote to it. */
function checkHoles(name: string, { rows = 0 }: Loaded, batch: LandedBatch, failures: number): void {
  if (failures < MOST_FAILURES) return;
  const problem = `${name} has ${rows} of ${batch.records} rows, although its load job is done`;
  throw new AortaError('AORTA-BUG', { place: 'landing', problem });
}

/** Returns how to retry a failed load. Throws if it cannot be retried. */
function retryOf(failure: NonNullable<FinishedJob['failure']>, name: string, failures: number): Action {
  const action = actionFor(failure.reason, failures);
  const again = action === 'again' || action === 'later' || action === 'conflict';
  if (!again && (action !== 'exists' || failures >= MOST_FAILURES)) throw loadRefusal(STEP, failure, name);
  return action;
}

export const rowsOf = ({ numRows }: TableResource): number => Number(numRows ?? 0);

/** Returns the error for a load that cannot be retried. If BigQuery rejects the rows as invalid, the cause is a bug in Aorta. */
function loadRefusal(step: string, failure: CallFailed, name: string): AortaError {
  if (failure.reason === 'notFound') return refusal(step, failure, name);
  if (actionFor(failure.reason, 99) !== 'bug') return refusal(step, failure, name);
  return new BigQueryError('AORTA-BIGQUERY-REFUSED', { step: `${step} (${name})`, reason: wordsOf(failure.reason) });
}

/** Creates the landing table if it does not exist, and checks that it will not expire. */
async function makeTable(jobs: JobRunner, batch: LandedBatch, now: number): Promise<void> {
  const { client } = jobs;
  const step = 'creating a landing table';
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
    // Another worker may have merged the batch and dropped the table meanwhile.
    table = await jobs.call(step, () => client.getTable(batch.name), { of: batch.name, except: ['missing'] });
  }
  if (staysFor(table, now)) return;
  const patched = await jobs.call(step, () => client.patchTable(batch.name, { expirationTime: String(now + KEPT_MS) }));
  if (!staysFor(patched, now))
    throw new AortaError('AORTA-BUG', { place: 'landing', problem: `${batch.name} would expire before it is merged` });
}

const staysFor = ({ expirationTime }: TableResource, now: number): boolean =>
  expirationTime === undefined || expirationTime === '0' || Number(expirationTime) - now > LEAST_KEPT_MS;

export const hashOf = (names: readonly string[]): string =>
  createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 32);
