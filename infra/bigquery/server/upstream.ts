import { type ErrorProto, ServiceError } from './service-error.ts';

export interface Answer {
  readonly status: number;
  readonly body: Json;
}

/** JSON whose shape the caller knows. */
// biome-ignore lint/suspicious/noExplicitAny: each caller knows the resource of BigQuery that it reads
export type Json = any;

/** The emulator behind the server. It has one database connection, so statements run one after the other. */
export class Upstream {
  readonly #address: string;
  readonly #project: string;
  #last: Promise<unknown> = Promise.resolve();
  #statements = 0;

  constructor(address: string, project: string) {
    this.#address = address;
    this.#project = project;
  }

  /** Calls `work` after the functions from all earlier calls have ended, so that only one function runs at a time. */
  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work, work);
    this.#last = done.catch(() => {});
    return done;
  }

  /** Sends a call to the emulator and resolves with its answer. `path` is the part of the URL's path after the project. */
  async ask(method: string, path: string, body?: Json): Promise<Answer> {
    const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const answer = await fetch(`${this.#address}/bigquery/v2/projects/${this.#project}${path}`, { method, ...init });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? {} : JSON.parse(text) };
  }

  /** Sends a call to the emulator. Rejects with {@link ServiceError} if the emulator refuses it. */
  async done(method: string, path: string, body?: Json): Promise<Json> {
    const answer = await this.ask(method, path, body);
    if (answer.status < 300) return answer.body;
    const { reason, message } = errorOf(answer);
    throw new ServiceError(reason, message, answer.status);
  }

  /** Passes a call on to the emulator unchanged. */
  async pass(method: string, path: string, body: Buffer): Promise<{ status: number; type: string; body: Buffer }> {
    const init = body.length === 0 ? {} : { body: new Uint8Array(body), headers: { 'content-type': 'application/json' } };
    const answer = await fetch(`${this.#address}${path}`, { method, ...init });
    const type = answer.headers.get('content-type') ?? 'application/json';
    return { status: answer.status, type, body: Buffer.from(await answer.arrayBuffer()) };
  }

  /**
   * Runs a statement for the server's own use, not for a client. Resolves with the rows. Each row is a list of strings and nulls.
   */
  async rows(query: string): Promise<(string | null)[][]> {
    const jobId = `server_${++this.#statements}`;
    const body = { jobReference: { jobId }, configuration: { query: { query, useLegacySql: false } } };
    const job = await this.done('POST', '/jobs', body);
    const error = job.status?.errorResult as ErrorProto | undefined;
    if (error !== undefined) throw new ServiceError(error.reason, error.message);
    const { rows = [] } = await this.done('GET', `/queries/${jobId}?maxResults=100000`);
    await this.ask('DELETE', `/jobs/${jobId}/delete`);
    return rows.map((row: { f: { v: string | null }[] }) => row.f.map(({ v }) => v));
  }
}

/** Returns the error in the emulator's answer. */
export function errorOf({ status, body }: Answer): ErrorProto {
  const { message = `The emulator answered ${status}.`, errors } = body.error ?? {};
  return { reason: errors?.[0]?.reason ?? (status === 404 ? 'notFound' : 'internalError'), message };
}
