import { gunzipSync } from 'node:zlib';
import type { Fault } from '../fault-rules.ts';
import type { Call } from './call.ts';
import { Datasets } from './datasets.ts';
import type { Holding } from './jobs/job.ts';
import { JobQueue } from './jobs/jobs.ts';
import { Clock, QuotaCount } from './quotas.ts';
import { invalid, ServiceError } from './service-error.ts';
import { Tables } from './tables/tables.ts';
import { type Json, Upstream } from './upstream.ts';

export interface Reply {
  readonly status: number;
  readonly type?: string;
  readonly body: Buffer | Json;
}

export interface Request extends Call {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** The content of a multipart upload. */
interface Upload {
  /** The resource of the BigQuery job. */
  readonly job: unknown;
  /** The data, decompressed if it was gzipped. */
  readonly data: Buffer;
}

const LINE = Buffer.from('\r\n');
const HEAD_END = Buffer.from('\r\n\r\n');

/** Reads the body of an upload, which has two parts: the job's resource and the data. */
function readUpload(contentType: string, body: Buffer): Upload {
  const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw invalid('The upload has no boundary.');
  const [job, data] = parts(body, Buffer.from(`--${boundary}`));
  if (job === undefined || data === undefined) throw invalid('The upload does not have two parts.');
  return { job: JSON.parse(job.toString('utf8')), data: data[0] === 0x1f && data[1] === 0x8b ? gunzipSync(data) : data };
}

function parts(body: Buffer, boundary: Buffer): Buffer[] {
  const found: Buffer[] = [];
  let at = body.indexOf(boundary);
  while (at >= 0) {
    const start = body.indexOf(HEAD_END, at);
    const next = body.indexOf(Buffer.concat([LINE, boundary]), start);
    if (start < 0 || next < 0) break;
    found.push(body.subarray(start + HEAD_END.length, next));
    at = next + LINE.length;
  }
  return found;
}

/** The service in front of the emulator. It implements the calls for jobs, tables and datasets in BigQuery's REST API. */
export class Service implements Holding {
  readonly project: string;
  readonly place: string;
  readonly upstream: Upstream;
  readonly clock = new Clock();
  readonly quotas = new QuotaCount();
  readonly billed = new Map<string, number>();
  slotMsPerMib: number | undefined;
  readonly datasets: Datasets;
  readonly tables: Tables;
  readonly jobs: JobQueue;

  constructor(address: string, project: string, place: string) {
    this.project = project;
    this.place = place;
    this.upstream = new Upstream(address, project);
    this.datasets = new Datasets(this.upstream, project);
    this.tables = new Tables(this);
    this.jobs = new JobQueue(this);
  }

  /** Carries out a call. The fault applies to the job that the call inserts, or to the list that the call returns. */
  async answer(request: Request, fault: Fault | undefined): Promise<Reply> {
    try {
      if (request.project !== this.project && request.project !== '')
        throw new ServiceError(
          'accessDenied',
          `Access Denied: Project ${request.project}: User does not have bigquery.jobs.create permission in project ${request.project}.`,
        );
      return await this.#carriedOut(request, fault);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { status: error.status, body: error.body };
    }
  }

  async adoptDatasets(): Promise<void> {
    const { datasets = [] } = await this.upstream.done('GET', '/datasets?maxResults=10000');
    const there = new Set<string>(datasets.map((one: Json) => one.datasetReference.datasetId));
    for (const dataset of there)
      if (!this.datasets.has(dataset) && !dataset.startsWith('_')) this.datasets.adopt(dataset, this.clock.now);
    for (const { datasetReference } of this.datasets.list().datasets)
      if (!there.has(datasetReference.datasetId)) this.datasets.forget(datasetReference.datasetId);
  }

  async #carriedOut(request: Request, fault: Fault | undefined): Promise<Reply> {
    const { kind, dataset, table, job, parameters } = request;
    const { tables, datasets, jobs, upstream, clock } = this;
    const name = { dataset, table };
    const ok = (body: Json): Reply => ({ status: 200, body });
    switch (kind) {
      case 'upload': {
        const upload = readUpload(String(request.headers['content-type'] ?? ''), request.body);
        return ok(await jobs.insert(upload.job, upload.data, fault));
      }
      case 'job-insert':
        return ok(await jobs.insert(jsonOf(request), undefined, fault));
      case 'query':
        return ok(await jobs.query(jsonOf(request), fault));
      case 'job-get':
        return ok(jobs.get(job, parameters.get('location')).resource);
      case 'job-cancel':
        return ok({ kind: 'bigquery#jobCancelResponse', job: jobs.get(job, parameters.get('location')).resource });
      case 'job-list':
        return ok(jobs.list(parameters));
      case 'query-results':
        return ok(await jobs.results(job, parameters));
      case 'datasets-list':
        return ok(datasets.list());
      case 'datasets-get':
        return ok(datasets.get(dataset));
      case 'datasets-insert':
        return ok(await upstream.alone(() => datasets.insert(jsonOf(request), clock.now)));
      case 'datasets-patch':
        return ok(datasets.patch(dataset, jsonOf(request), clock.now));
      case 'datasets-delete': {
        const all = tables.list(dataset, new URLSearchParams('maxResults=100000')).tables;
        await upstream.alone(() => datasets.delete(dataset, parameters.get('deleteContents') === 'true', all.length));
        for (const { tableReference } of all) tables.forget({ dataset, table: tableReference.tableId });
        return { status: 204, body: Buffer.alloc(0) };
      }
      case 'tables-list':
        await upstream.alone(() => tables.expire());
        return ok(listed(tables.list(dataset, parameters), fault));
      case 'tables-get':
        return ok(await upstream.alone(() => tables.expire().then(() => tables.get(name))));
      case 'tables-insert':
        return ok(await upstream.alone(() => tables.insert(dataset, jsonOf(request))));
      case 'tables-patch':
        return ok(await upstream.alone(() => tables.patch(name, jsonOf(request), etagIn(request), request.method === 'PUT')));
      case 'tables-delete':
        await upstream.alone(() => tables.delete(name));
        return { status: 204, body: Buffer.alloc(0) };
      case 'table-data': {
        const passed = await upstream.alone(() => upstream.pass(request.method, request.path, request.body));
        if (request.method === 'POST') tables.sizes.changed(name);
        return passed;
      }
      case 'other':
        return upstream.alone(() => upstream.pass(request.method, request.path, request.body));
    }
  }
}

/** Returns a list of tables without those that a fault omits. */
function listed(page: Json, fault: Fault | undefined): Json {
  if (fault?.kind !== 'omits') return page;
  const isLeft = (one: Json): boolean => !fault.tables.some((text) => one.tableReference.tableId.includes(text));
  return { ...page, tables: page.tables?.filter(isLeft) };
}

function jsonOf({ body }: Request): Json {
  try {
    return body.length === 0 ? {} : JSON.parse(body.toString('utf8'));
  } catch {
    throw new ServiceError('parseError', 'Parse Error');
  }
}

function etagIn({ headers }: Request): string | undefined {
  const value = headers['if-match'];
  return typeof value === 'string' ? value : undefined;
}
