import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../../fault-rules.ts';
import { checkedRows } from '../rows/checked-rows.ts';
import { duplicate, type ErrorProto, invalid, notFound, ServiceError } from '../service-error.ts';
import type { Field } from '../tables/field.ts';
import { schemaChange } from '../tables/schema-change.ts';
import type { TableName } from '../tables/table-sizes.ts';
import { keyOf } from '../tables/tables.ts';
import { errorOf, type Json } from '../upstream.ts';
import { type Holding, Job } from './job.ts';
import { datasetsOf, mutationsOf, planOf, runQuery } from './query.ts';

/** Maximum time, in milliseconds, that a call waits for its job to end. After that, the call reports the state RUNNING. */
const PATIENCE_MS = 10_000;
/** The locations whose jobs can be found even if the client names no location. */
const EVERYWHERE = /^(us|eu)$/i;
/** For this many milliseconds, jobs.query calls with the same request id return the job of the first such call. */
const REQUEST_MS = 15 * 60_000;

/**
 * Loads data into a table and fills in the job's results. If the load fails, no row is loaded, and the call rejects with {@link
 * ServiceError}.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one load job from end to end, checked in BigQuery's order
async function runLoad(holding: Holding, job: Job, data: Buffer): Promise<void> {
  const { tables, clock, quotas } = holding;
  const load = job.configuration.load as Json;
  const name = destinationOf(load.destinationTable);
  quotas.loadOfTable(keyOf(name), clock.now);
  quotas.metadataUpdate(keyOf(name), clock.now, true);
  holding.datasets.get(name.dataset, job.location);
  const wanted: readonly Field[] | undefined = load.schema?.fields;
  const before = tables.kept(name);
  if (before === undefined && load.createDisposition === 'CREATE_NEVER') throw notFound(`Table ${tables.full(name)}`);
  const fields = before === undefined ? wanted : allowedFields(tables.full(name), before.schema?.fields ?? [], load);
  if (load.writeDisposition === 'WRITE_EMPTY' && before !== undefined && (await tables.sizes.of(name, before)).rows > 0)
    throw new ServiceError('duplicate', `Already Exists: Table ${tables.full(name)}`);
  const json = load.sourceFormat === 'NEWLINE_DELIMITED_JSON';
  const checked = json && fields !== undefined ? checkedRows(data, fields, load.ignoreUnknownValues === true) : undefined;
  job.errors = checked?.errors ?? [];
  if (checked !== undefined && checked.bad > Number(load.maxBadRecords ?? 0)) throw new BadRows(checked.bad, checked.errors);
  // From here on, only the emulator can refuse the load. If it does, a table created for the load is deleted again.
  if (before === undefined && fields !== undefined) await tables.insert(name.dataset, ofLoad(load, name, fields));
  try {
    if (before !== undefined && wanted !== undefined) await tables.changeSchema(name, wanted, true);
    const rows = await put(holding, job, checked?.data ?? data);
    const kept = tables.kept(name);
    if (checked !== undefined && load.writeDisposition !== 'WRITE_TRUNCATE')
      tables.sizes.loaded(name, kept, checked.rows, checked.data.length);
    else tables.sizes.changed(name);
    job.statistics = {
      load: {
        inputFiles: '1',
        inputFileBytes: String(data.length),
        outputRows: String(checked?.rows ?? rows),
        outputBytes: String(checked?.data.length ?? data.length),
        badRecords: String(checked?.bad ?? 0),
      },
    };
  } catch (error) {
    if (before === undefined && tables.kept(name) !== undefined) await tables.delete(name);
    throw error;
  }
}

/** The error for a load with more bad rows than the load allows. */
class BadRows extends ServiceError {
  readonly details: readonly ErrorProto[];

  constructor(bad: number, details: readonly ErrorProto[]) {
    super(
      'invalid',
      `Error while reading data, error message: JSON table encountered too many errors, giving up. Rows: ${bad}; errors: ${bad}. Please look into the errors[] collection for more details.`,
    );
    this.details = details;
  }
}

function destinationOf(reference: Json): TableName {
  const { datasetId: dataset, tableId: table } = reference ?? {};
  if (typeof dataset !== 'string' || typeof table !== 'string') throw invalid('Required parameter is missing: destinationTable');
  if (table.includes('$')) throw new ServiceError('notImplemented', 'The local server does not support partition decorators.');
  return { dataset, table };
}

/** Returns the columns that rows may have: the table's columns, and the load's new columns if its options allow them. */
function allowedFields(table: string, is: readonly Field[], load: Json): readonly Field[] {
  const { schema, schemaUpdateOptions: options = [], writeDisposition } = load;
  if (schema?.fields === undefined) return is;
  if (options.length > 0 && writeDisposition === 'WRITE_EMPTY')
    throw invalid(
      'Schema update options should only be specified with WRITE_APPEND disposition, or with WRITE_TRUNCATE disposition on a table partition.',
    );
  const { fields, added, relaxed } = schemaChange(table, is, schema.fields, true);
  if (added.length > 0 && !options.includes('ALLOW_FIELD_ADDITION'))
    throw invalid(`Provided Schema does not match Table ${table}. Cannot add fields (field: ${added[0]})`);
  if (relaxed.length > 0 && !options.includes('ALLOW_FIELD_RELAXATION'))
    throw invalid(
      `Provided Schema does not match Table ${table}. Field ${relaxed[0]} has changed mode from REQUIRED to NULLABLE`,
    );
  return fields;
}

/** Returns the resource of a table that a load creates. */
function ofLoad(load: Json, { dataset, table }: TableName, fields: readonly Field[]): Json {
  const { timePartitioning, clustering, destinationTableProperties = {} } = load;
  const { friendlyName, description, labels } = destinationTableProperties;
  const tableReference = { datasetId: dataset, tableId: table };
  return { tableReference, schema: { fields }, timePartitioning, clustering, friendlyName, description, labels };
}

/** Writes the data to a file and has the emulator load the file. Resolves with the number of loaded rows. */
async function put({ upstream, tables, place }: Holding, job: Job, data: Buffer): Promise<number> {
  await using written = new AsyncDisposableStack();
  const file = written.adopt(join(place, `${job.id}.data`), (one) => rm(one, { force: true }));
  await writeFile(file, data, { mode: 0o600 });
  const load = { ...job.configuration.load, sourceUris: [`file://${file}`] };
  const jobReference = { jobId: job.id };
  const answer = await upstream.ask('POST', '/jobs', { jobReference, configuration: { load } });
  const error: ErrorProto | undefined = answer.status >= 300 ? errorOf(answer) : answer.body.status?.errorResult;
  if (error !== undefined) throw new ServiceError('invalid', error.message.replaceAll(file, 'the data'));
  const name = destinationOf(load.destinationTable);
  if (tables.kept(name) === undefined) await tables.adopt(name);
  return Number(answer.body.statistics?.load?.outputRows ?? 0);
}

/** The BigQuery jobs of the server, which are carried out one after the other. */
export class JobQueue {
  readonly #holding: Holding;
  readonly #jobs = new Map<string, Job>();
  readonly #requests = new Map<string, Job>();

  constructor(holding: Holding) {
    this.#holding = holding;
  }

  get(id: string, location: string | null): Job {
    const job = this.#jobs.get(id);
    const found = job !== undefined && (location === null ? EVERYWHERE.test(job.location) : same(location, job.location));
    if (!found) throw notFound(`Job ${this.#holding.project}:${location === null ? '' : `${location}.`}${id}`);
    return job;
  }

  list(parameters: URLSearchParams): Json {
    const states = parameters.getAll('stateFilter').map((one) => one.toUpperCase());
    const jobs = [...this.#jobs.values()].reverse().filter(({ state }) => states.length === 0 || states.includes(state));
    const count = Number(parameters.get('maxResults') ?? 1000);
    return {
      kind: 'bigquery#jobList',
      jobs: jobs
        .slice(0, count)
        .map(({ resource }) => ({ ...resource, state: resource.status.state, errorResult: resource.status.errorResult })),
    };
  }

  /**
   * Accepts a job, waits up to `PATIENCE_MS` for the job to end, and resolves with the job's resource. The fault applies to the
   * job.
   */
  async insert(body: Json, data: Buffer | undefined, fault: Fault | undefined): Promise<Json> {
    const job = this.#accepted(body, data, fault);
    await Promise.race([job.done, sleep(PATIENCE_MS, undefined, { ref: false })]);
    if (job.configuration.dryRun === true && job.errorResult !== undefined)
      throw new ServiceError(job.errorResult.reason, job.errorResult.message);
    return job.resource;
  }

  /** Carries out jobs.query: runs a query, and resolves with its first rows. */
  async query(body: Json, fault: Fault | undefined): Promise<Json> {
    const {
      requestId,
      location,
      labels,
      dryRun,
      maxResults,
      timeoutMs,
      kind: _,
      formatOptions: _options,
      jobTimeoutMs: _timeout,
      ...query
    } = body;
    const known = requestId === undefined ? undefined : this.#requests.get(requestId);
    const jobReference = location === undefined ? {} : { location };
    const configuration = { query, labels, dryRun: dryRun || undefined };
    const job =
      known !== undefined && this.#holding.clock.now - known.created < REQUEST_MS
        ? known
        : this.#accepted({ jobReference, configuration }, undefined, fault);
    if (requestId !== undefined) this.#requests.set(requestId, job);
    const parameters = new URLSearchParams();
    if (maxResults !== undefined) parameters.set('maxResults', String(maxResults));
    if (timeoutMs !== undefined) parameters.set('timeoutMs', String(timeoutMs));
    const results = await this.#results(job, parameters);
    return { ...results, kind: 'bigquery#queryResponse' };
  }

  async results(id: string, parameters: URLSearchParams): Promise<Json> {
    return this.#results(this.get(id, parameters.get('location')), parameters);
  }

  async #results(job: Job, parameters: URLSearchParams): Promise<Json> {
    const { upstream } = this.#holding;
    const patience = Number(parameters.get('timeoutMs') ?? PATIENCE_MS);
    const over = sleep(patience, undefined, { ref: false });
    await Promise.race([
      job.done.then(() => sleep(Math.max(0, job.runsUntil - performance.now()), undefined, { ref: false })),
      over,
    ]);
    const base = { kind: 'bigquery#getQueryResultsResponse', jobReference: job.reference };
    if (job.state !== 'DONE') return { ...base, jobComplete: false };
    if (job.errorResult !== undefined) throw new ServiceError(job.errorResult.reason, job.errorResult.message);
    const { totalBytesProcessed, query = {} } = job.statistics;
    const { numDmlAffectedRows, schema } = query;
    const facts = { totalBytesProcessed, cacheHit: false, numDmlAffectedRows };
    if (job.results === undefined)
      return { ...base, jobComplete: true, totalRows: '0', ...(schema === undefined ? {} : { schema }), ...facts };
    const asked = new URLSearchParams(
      [...parameters].filter(([name]) => ['maxResults', 'startIndex', 'pageToken'].includes(name)),
    );
    const rows = await upstream.done('GET', `/queries/${job.results}?${asked}`);
    return { ...rows, ...base, ...facts };
  }

  #accepted(body: Json, data: Buffer | undefined, fault: Fault | undefined): Job {
    const { project, clock, quotas } = this.#holding;
    const { configuration = {}, jobReference = {} } = body;
    const { jobId = `job_${randomUUID()}` } = jobReference;
    if (!/^[\w-]{1,1024}$/.test(jobId)) throw invalid(`Invalid job ID "${jobId}".`);
    const location = jobReference.location ?? this.#locationOf(configuration);
    if (this.#jobs.has(jobId)) throw duplicate(`Job ${project}:${location}.${jobId}`);
    const job = new Job({ project, id: jobId, location, configuration, created: clock.now });
    if (job.type === 'LOAD' && configuration.dryRun !== true) quotas.loadOfProject(clock.now);
    // The real service does not store dry runs.
    if (configuration.dryRun !== true) this.#jobs.set(jobId, job);
    if (fault?.kind === 'job-fails') {
      job.fail({ reason: fault.reason, message: fault.message ?? `An injected fault made the job fail: ${fault.reason}.` });
      if (fault.inTransaction) job.statistics = { numChildJobs: '3', transactionInfo: { transactionId: randomUUID() } };
      job.ended = clock.now;
      return job;
    }
    if (fault?.kind === 'job-runs') job.runsUntil = performance.now() + fault.forMs;
    job.done = this.#carriedOut(job, data);
    return job;
  }

  async #carriedOut(job: Job, data: Buffer | undefined): Promise<void> {
    const { clock, quotas, upstream } = this.#holding;
    const ends: (() => void)[] = [];
    try {
      if (job.type === 'QUERY' && job.configuration.dryRun !== true) {
        for (const { name, kind } of mutationsOf(planOf(job.configuration.query)))
          if (kind === 'update' || kind === 'delete' || kind === 'merge')
            ends.push(quotas.mutation(`${name.dataset}.${name.table}`));
      }
      await upstream.alone(async () => {
        await this.#holding.tables.expire();
        if (job.type === 'LOAD') await runLoad(this.#holding, job, data ?? Buffer.alloc(0));
        else if (job.type === 'QUERY') await runQuery(this.#holding, job);
        else await this.#other(job);
      });
    } catch (error) {
      const known =
        error instanceof ServiceError
          ? error
          : new ServiceError('internalError', `The local server failed: ${(error as Error).message}`);
      job.fail(known.proto, known instanceof BadRows ? known.details : []);
    }
    for (const end of ends) end();
    job.ended = clock.now;
  }

  /** Passes a copy or an export on to the emulator. */
  async #other(job: Job): Promise<void> {
    const answer = await this.#holding.upstream.ask('POST', '/jobs', {
      jobReference: { jobId: job.id },
      configuration: job.configuration,
    });
    const error = answer.status >= 300 ? errorOf(answer) : answer.body.status?.errorResult;
    if (error !== undefined) throw new ServiceError(error.reason, error.message);
    job.statistics = answer.body.statistics ?? {};
    const { datasetId: dataset, tableId: table } = job.configuration.copy?.destinationTable ?? {};
    if (dataset !== undefined) await this.#holding.tables.adopt({ dataset, table });
  }

  /** Returns the location for a job that does not specify one: the location of the first existing dataset that the job names. */
  #locationOf(configuration: Json): string {
    const { datasets } = this.#holding;
    const loaded = configuration.load?.destinationTable?.datasetId;
    const named = configuration.query === undefined ? [] : datasetsOf(planOf(configuration.query));
    const found = [loaded, ...named].find((one) => one !== undefined && datasets.has(one));
    return found === undefined ? 'US' : datasets.get(found).location;
  }
}

const same = (a: string, b: string): boolean => a.toUpperCase() === b.toUpperCase();
