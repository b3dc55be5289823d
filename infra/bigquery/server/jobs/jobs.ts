import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../../faults/fault.ts';
import type { Holding } from '../holding.ts';
import { duplicate, invalid, notFound, ServiceError } from '../service-error.ts';
import { errorOf, type Json } from '../upstream.ts';
import { Job } from './job.ts';
import { BadRows, runLoad } from './load.ts';
import { runQuery } from './query.ts';
import { datasetsOf, mutationsOf, planOf } from './query-plan.ts';

/** Maximum time, in milliseconds, that a call waits for its job to end. After that, the call reports the state RUNNING. */
const PATIENCE_MS = 10_000;
/** The locations whose jobs can be found even if the client names no location. */
const EVERYWHERE = /^(us|eu)$/i;
/** For this many milliseconds, jobs.query calls with the same request id return the job of the first such call. */
const REQUEST_MS = 15 * 60_000;

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
    const configuration = { query, ...(labels === undefined ? {} : { labels }), ...(dryRun === true ? { dryRun } : {}) };
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
    await Promise.race([job.done.then(() => sleep(Math.max(0, job.runsUntil - Date.now()), undefined, { ref: false })), over]);
    const base = { kind: 'bigquery#getQueryResultsResponse', jobReference: job.reference };
    if (job.state !== 'DONE') return { ...base, jobComplete: false };
    if (job.errorResult !== undefined) throw new ServiceError(job.errorResult.reason, job.errorResult.message);
    const { totalBytesProcessed, query = {} } = job.statistics;
    const { numDmlAffectedRows, schema } = query;
    const facts = { totalBytesProcessed, cacheHit: false, ...(numDmlAffectedRows === undefined ? {} : { numDmlAffectedRows }) };
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
    if (fault?.kind === 'job-runs') job.runsUntil = Date.now() + fault.forMs;
    job.done = this.#carriedOut(job, data);
    return job;
  }

  async #carriedOut(job: Job, data: Buffer | undefined): Promise<void> {
    const { clock, quotas, upstream } = this.#holding;
    const ends: (() => void)[] = [];
    try {
      if (job.type === 'QUERY' && job.configuration.dryRun !== true) {
        const { query } = job.configuration;
        for (const { name, kind } of mutationsOf(planOf(query)))
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
