import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { within } from '@aorta/runtime';
import { BigQuery } from '@google-cloud/bigquery';
import { CallFailed, failureOf, failureOfAnswer } from '../errors/call-failed.ts';
import { type Patience, realSurroundings, type Surroundings, usualPatience } from '../errors/retries.ts';
import type { BigQuerySettings } from '../options.ts';
import type {
  BigQueryClient,
  DatasetResource,
  JobState,
  LoadRequest,
  QueryRequest,
  ResultPage,
  TableResource,
} from './client.ts';
import { Credentials } from './credentials.ts';
import { JobRunner, type JobsOptions } from './jobs.ts';

type ClientSettings = Pick<
  BigQuerySettings,
  'project' | 'dataset' | 'location' | 'key_file' | 'api_endpoint' | 'call_s' | 'gzip'
>;

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

interface Request {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly uri: string;
  readonly qs?: Query;
  readonly json?: unknown;
}

interface JobResource {
  readonly jobReference?: { readonly jobId?: string };
  readonly status?: { readonly state?: string; readonly errorResult?: { readonly reason?: string; readonly message?: string } };
  readonly statistics?: {
    readonly totalBytesProcessed?: string;
    readonly totalSlotMs?: string;
    readonly reservation_id?: string;
    /** Present if the job is a script that began a transaction. */
    readonly transactionInfo?: { readonly transactionId?: string };
    readonly load?: { readonly outputRows?: string };
    readonly query?: {
      readonly totalBytesProcessed?: string;
      readonly totalBytesBilled?: string;
      readonly numDmlAffectedRows?: string;
      readonly statementType?: string;
    };
  };
}

const number = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

function jobState(job: JobResource, id: string): JobState {
  const { status, statistics } = job;
  const done = status?.state === 'DONE';
  return {
    id: job.jobReference?.jobId ?? id,
    done,
    failure:
      done && status?.errorResult !== undefined
        ? failureOfAnswer(status.errorResult, undefined, { inTransaction: statistics?.transactionInfo !== undefined })
        : undefined,
    outputRows: number(statistics?.load?.outputRows),
    processedBytes: Number(statistics?.query?.totalBytesProcessed ?? statistics?.totalBytesProcessed ?? 0),
    billedBytes: Number(statistics?.query?.totalBytesBilled ?? 0),
    slotMs: Number(statistics?.totalSlotMs ?? 0),
    isReserved: statistics?.reservation_id !== undefined,
    changedRows: number(statistics?.query?.numDmlAffectedRows),
  };
}

const textParameter = ([name, value]: readonly [string, string]): object => ({
  name,
  parameterType: { type: 'STRING' },
  parameterValue: { value },
});

/** Whether an endpoint is a local server. A local server has no TLS and needs no credentials. */
const isLocal = (endpoint: string | undefined): boolean => endpoint?.startsWith('http://') === true;

/** An auth client without credentials. It has only the members that the official client uses. */
const withoutCredentials = {
  getRequestHeaders: () => Promise.resolve(new Headers()),
  eagerRefreshThresholdMillis: 0,
  forceRefreshOnFailure: false,
};

const compressed = promisify(gzip);

interface Upload {
  readonly headers: Headers;
  readonly job: unknown;
  readonly body: readonly Uint8Array[];
}

interface UploadOptions {
  readonly deadlineMs: number;
  readonly gzip: boolean;
}

/**
 * Sends a job with its data in one multipart request and returns the job. The official client cannot cancel an upload, so an
 * upload that hangs would hold its connection and data forever.
 */
async function upload<Job>(
  url: string,
  { headers, job, body }: Upload,
  { deadlineMs, gzip: compress }: UploadOptions,
): Promise<Job> {
  const boundary = randomUUID();
  const data = compress ? [await compressed(Buffer.concat(body))] : body;
  const head = `--${boundary}\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(job)}\r\n--${boundary}\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const parts = [Buffer.from(head), ...data, Buffer.from(`\r\n--${boundary}--\r\n`)];
  headers.set('content-type', `multipart/related; boundary=${boundary}`);
  const response = await fetch(url, {
    method: 'POST',
    headers,
    // Streams the chunks without copying them. Several uploads may hang for a long time, and each copy would take memory.
    body: Readable.from(parts, { objectMode: false }),
    duplex: 'half',
    signal: AbortSignal.timeout(deadlineMs),
  } as RequestInit);
  const text = await response.text();
  let answer: {
    readonly error?: {
      readonly errors?: readonly { reason?: string; message?: string }[];
      readonly message?: string;
      readonly status?: string;
    };
  };
  try {
    answer = JSON.parse(text) as typeof answer;
  } catch {
    throw response.ok ? new CallFailed('garbled') : failureOfAnswer({}, response.status);
  }
  if (!response.ok || answer.error !== undefined) {
    const [first] = answer.error?.errors ?? [];
    throw failureOfAnswer({ message: answer.error?.message, status: answer.error?.status, ...first }, response.status);
  }
  return answer as Job;
}

/**
 * Implements {@link BigQueryClient} with the official client. The official client's retries and timeouts are unreliable, so
 * retries are disabled and this class enforces its own deadlines.
 */
export class OfficialClient implements BigQueryClient {
  readonly project: string;
  readonly dataset: string;
  readonly #location: string;
  readonly #gzip: boolean;
  /** Deadline of a call in milliseconds. The deadline of an upload is four times as long. */
  readonly #callMs: number;
  readonly #big: BigQuery;
  readonly #endpoint: string;
  /** Undefined for a local server. */
  readonly #credentials: Credentials | undefined;

  constructor({ project, dataset, location, key_file: keyFile, api_endpoint: apiEndpoint, call_s, gzip }: ClientSettings) {
    this.project = project;
    this.dataset = dataset;
    this.#location = location;
    this.#gzip = gzip;
    this.#callMs = call_s * 1000;
    const settings = {
      projectId: project,
      location,
      retryOptions: { autoRetry: false, maxRetries: 0 },
      // The transport closes the connection after this time.
      timeout: this.#callMs,
      ...(apiEndpoint === undefined ? {} : { apiEndpoint }),
      ...(isLocal(apiEndpoint) ? { authClient: withoutCredentials } : {}),
    };
    this.#big = new BigQuery(settings as unknown as ConstructorParameters<typeof BigQuery>[0]);
    this.#endpoint = apiEndpoint?.replace(/\/$/, '') ?? 'https://bigquery.googleapis.com';
    // Otherwise an unrelated BIGQUERY_EMULATOR_HOST would redirect the calls, but not the uploads.
    this.#big.baseUrl = `${this.#endpoint}/bigquery/v2`;
    this.#credentials = isLocal(apiEndpoint)
      ? undefined
      : new Credentials({ auth: this.#big.authClient, keyFile, deadlineMs: this.#callMs });
  }

  async #ask<T>(request: Request, callMs = this.#callMs): Promise<T> {
    // The official client reads the credentials that this call stores.
    await this.#credentials?.headers(this.#endpoint);
    const asked = new Promise<T>((done, failed) => {
      this.#big.request(request, (error, body) => {
        if (error) failed(error);
        else done(body as T);
      });
    });
    try {
      return await within(callMs, asked);
    } catch (error) {
      throw failureOf(error);
    }
  }

  #table(table: string): string {
    return `/datasets/${this.dataset}/tables/${table}`;
  }

  getDataset(): Promise<DatasetResource> {
    return this.#ask({ uri: `/datasets/${this.dataset}` });
  }

  async createDataset(resource: object): Promise<void> {
    const datasetReference = { projectId: this.project, datasetId: this.dataset };
    const json = { ...resource, datasetReference, location: this.#location };
    await this.#ask({ method: 'POST', uri: '/datasets', json });
  }

  getTable(table: string): Promise<TableResource> {
    return this.#ask({ uri: this.#table(table) });
  }

  createTable(table: string, resource: object): Promise<TableResource> {
    const tableReference = { projectId: this.project, datasetId: this.dataset, tableId: table };
    return this.#ask({ method: 'POST', uri: `/datasets/${this.dataset}/tables`, json: { ...resource, tableReference } });
  }

  patchTable(table: string, resource: object): Promise<TableResource> {
    return this.#ask({ method: 'PATCH', uri: this.#table(table), json: resource });
  }

  async deleteTable(table: string): Promise<void> {
    await this.#ask({ method: 'DELETE', uri: this.#table(table) });
  }

  async listTables(): Promise<readonly { readonly name: string; readonly createdAt: number }[]> {
    interface Page {
      readonly tables?: readonly { readonly tableReference: { readonly tableId: string }; readonly creationTime?: string }[];
      readonly nextPageToken?: string;
    }
    const found: { name: string; createdAt: number }[] = [];
    let pageToken: string | undefined;
    do {
      const qs = { maxResults: 1000, ...(pageToken === undefined ? {} : { pageToken }) };
      const page: Page = await this.#ask({ uri: `/datasets/${this.dataset}/tables`, qs });
      for (const { tableReference, creationTime } of page.tables ?? [])
        found.push({ name: tableReference.tableId, createdAt: Number(creationTime ?? 0) });
      pageToken = page.nextPageToken;
    } while (pageToken !== undefined);
    return found;
  }

  #job(jobId: string): { projectId: string; location: string; jobId: string } {
    return { projectId: this.project, location: this.#location, jobId };
  }

  async load({ jobId, table, body }: LoadRequest): Promise<JobState> {
    const configuration = {
      load: {
        destinationTable: { projectId: this.project, datasetId: this.dataset, tableId: table },
        sourceFormat: 'NEWLINE_DELIMITED_JSON',
        // The table already exists, with an expiration. If the load job starts after the table was dropped, the job must fail
        // instead of creating the table again.
        createDisposition: 'CREATE_NEVER',
        writeDisposition: 'WRITE_EMPTY',
        maxBadRecords: 0,
        ignoreUnknownValues: false,
      },
    };
    const url = `${this.#endpoint}/upload/bigquery/v2/projects/${this.project}/jobs?uploadType=multipart`;
    try {
      const headers = (await this.#credentials?.headers(url)) ?? new Headers();
      const sent = { headers, job: { jobReference: this.#job(jobId), configuration }, body };
      const options = { deadlineMs: 4 * this.#callMs, gzip: this.#gzip };
      return jobState(await upload<JobResource>(url, sent, options), jobId);
    } catch (error) {
      throw failureOf(error);
    }
  }

  async query({ jobId, sql, parameters, mostBytes, labels }: QueryRequest): Promise<JobState> {
    const query = {
      query: sql,
      useLegacySql: false,
      defaultDataset: { projectId: this.project, datasetId: this.dataset },
      ...(parameters === undefined
        ? {}
        : { parameterMode: 'NAMED', queryParameters: Object.entries(parameters).map(textParameter) }),
      maximumBytesBilled: mostBytes === undefined ? undefined : String(Math.max(1, Math.floor(mostBytes))),
    };
    const configuration = { query, labels };
    const json = { jobReference: this.#job(jobId), configuration };
    return jobState(await this.#ask<JobResource>({ method: 'POST', uri: '/jobs', json }), jobId);
  }

  async getJob(jobId: string): Promise<JobState> {
    return jobState(await this.#ask<JobResource>({ uri: `/jobs/${jobId}`, qs: { location: this.#location } }), jobId);
  }

  async results(jobId: string, page: string | undefined, waitMs: number): Promise<ResultPage> {
    interface Answer {
      readonly jobComplete?: boolean;
      readonly schema?: { readonly fields?: ResultPage['fields'] };
      readonly rows?: ResultPage['rows'];
      readonly pageToken?: string;
    }
    const qs = {
      location: this.#location,
      maxResults: 10_000,
      timeoutMs: waitMs,
      'formatOptions.useInt64Timestamp': true,
      ...(page === undefined ? {} : { pageToken: page }),
    };
    const answer: Answer = await this.#ask({ uri: `/queries/${jobId}`, qs }, this.#callMs + waitMs);
    if (answer.jobComplete === false) throw failureOfAnswer({ reason: 'timeout' });
    return { fields: answer.schema?.fields ?? [], rows: answer.rows ?? [], next: answer.pageToken };
  }

  async listRows(table: string, page: string | undefined, most: number): Promise<Omit<ResultPage, 'fields'>> {
    interface Answer {
      readonly rows?: ResultPage['rows'];
      readonly pageToken?: string;
    }
    const qs = {
      maxResults: most,
      'formatOptions.useInt64Timestamp': true,
      ...(page === undefined ? {} : { pageToken: page }),
    };
    const { rows = [], pageToken }: Answer = await this.#ask({ uri: `${this.#table(table)}/data`, qs });
    return { rows, next: pageToken };
  }

  async estimate(sql: string): ReturnType<BigQueryClient['estimate']> {
    const query = { query: sql, useLegacySql: false, defaultDataset: { projectId: this.project, datasetId: this.dataset } };
    const json = { jobReference: { projectId: this.project, location: this.#location }, configuration: { dryRun: true, query } };
    const job = await this.#ask<JobResource>({ method: 'POST', uri: '/jobs', json });
    return { bytes: jobState(job, '').processedBytes, statementType: job.statistics?.query?.statementType };
  }
}

interface OpenJobsOptions extends Pick<JobsOptions, 'onPause' | 'onBilled'> {
  readonly patience?: Partial<Patience> | undefined;
  readonly surroundings?: Surroundings | undefined;
}

export function openJobs(
  settings: ClientSettings & Pick<BigQuerySettings, 'patience_s'>,
  { patience, surroundings = realSurroundings, ...heard }: OpenJobsOptions = {},
): JobRunner {
  const client = new OfficialClient(settings);
  return new JobRunner({
    client,
    patience: { ...usualPatience, forMs: settings.patience_s * 1000, ...patience },
    surroundings,
    ...heard,
  });
}
