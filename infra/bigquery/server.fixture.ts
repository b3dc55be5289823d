import type { BigQuery, Table } from '@google-cloud/bigquery';
import { until } from '../machine/waiting.fixture.ts';
import { type ProvidedBigQuery, provideBigQuery } from './provide.ts';
import type { ErrorProto } from './server/service-error.ts';
import type { Json } from './server/upstream.ts';

/** A local server with a dataset, and helpers for calling the server. */
export interface ServerWithDataset {
  readonly provided: ProvidedBigQuery;
  readonly client: BigQuery;
  /** Creates a table with these columns. */
  table(columns: Json, metadata?: Json): Promise<Table>;
  /** Loads rows as NDJSON in one multipart upload, as the official client does. Resolves with the finished job. */
  load(table: Table, rows: readonly object[] | Buffer, settings?: Json): Promise<Json>;
  /** Runs a query job and resolves with the finished job. */
  job(query: string, settings?: Json): Promise<Json>;
  rows(query: string, settings?: Json): Promise<Json[]>;
  stop(): Promise<void>;
}

export const DATASET = 'health';

export async function startServerWithDataset(): Promise<ServerWithDataset> {
  const provided = await provideBigQuery({ own: true });
  const client = provided.client({ autoRetry: false });
  await client.createDataset(DATASET);
  let made = 0;
  const finished = (id: string): Promise<Json> =>
    until(
      `the end of job ${id}`,
      async () => (await client.job(id, { location: 'US' }).getMetadata())[0] as Json,
      ({ status }) => status.state === 'DONE',
    );
  return {
    provided,
    client,
    async table(columns, metadata = {}) {
      const [table] = await client.dataset(DATASET).createTable(`t${++made}`, { schema: { fields: columns }, ...metadata });
      return table;
    },
    async load(table, rows, settings = {}) {
      const { jobId = `load_${crypto.randomUUID()}`, ...load } = settings;
      await upload(
        provided,
        jobId,
        {
          destinationTable: { projectId: provided.project, datasetId: DATASET, tableId: table.id },
          sourceFormat: 'NEWLINE_DELIMITED_JSON',
          ...load,
        },
        Buffer.isBuffer(rows) ? rows : ndjson(rows),
      );
      return finished(jobId);
    },
    async job(query, settings = {}) {
      const { jobId = `query_${crypto.randomUUID()}` } = settings;
      // The client throws if the job has already failed when the server answers.
      await client.createQueryJob({ query, ...settings, jobId }).catch((error) => {
        if (error.code !== undefined) throw error;
      });
      return finished(jobId);
    },
    async rows(query, settings = {}) {
      const [rows] = await client.query({ query, ...settings });
      return rows;
    },
    stop: () => provided.stop(),
  };
}

export const ndjson = (rows: readonly object[]): Buffer => Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));

/** The error in the response to a refused call. */
interface Refusal {
  readonly code: number;
  readonly errors: readonly ErrorProto[];
}

/**
 * Sends one upload as the official client does. Rejects with {@link Refusal} if the server refuses the upload, or with a network
 * error if the connection is cut.
 */
export async function upload({ apiEndpoint, project }: ProvidedBigQuery, jobId: string, load: Json, data: Buffer): Promise<Json> {
  const job = { jobReference: { projectId: project, jobId, location: 'US' }, configuration: { load } };
  const part = (type: string): string => `--edge\r\nContent-Type: ${type}\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(`${part('application/json')}${JSON.stringify(job)}\r\n${part('application/octet-stream')}`),
    data,
    Buffer.from('\r\n--edge--\r\n'),
  ]);
  const response = await fetch(`${apiEndpoint}/upload/bigquery/v2/projects/${project}/jobs?uploadType=multipart`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/related; boundary=edge' },
    body: new Uint8Array(body),
  });
  const answer = (await response.json()) as Json;
  if (!response.ok) throw answer.error as Refusal;
  return answer;
}
