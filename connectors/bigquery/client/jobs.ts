import { createHash, randomUUID } from 'node:crypto';
import { backoff } from '@aorta/runtime';
import { CallFailed, failureOf } from '../errors/call-failed.ts';
import { type Action, actionFor } from '../errors/reasons.ts';
import {
  outOfPatience,
  type Patience,
  type Persisting,
  pauseAfter,
  persist,
  refusal,
  type Surroundings,
} from '../errors/retries.ts';
import { BigQueryError } from '../errors.ts';
import type { BigQueryClient, JobState, QueryRequest, ResultPage, TableResource } from './client.ts';

/** Page size, and the maximum number of rows that are read without a query. */
const ROWS_AT_ONCE = 10_000;

const MOST_ROWS = 50_000;

export interface JobsOptions {
  readonly client: BigQueryClient;
  readonly patience: Patience;
  readonly surroundings: Surroundings;
  readonly onPause?: (step: string, reason: string, milliseconds: number) => void;
  /** Called when a query finishes, because BigQuery may bill it. */
  readonly onBilled?: (job: JobState) => void;
}

/** Shortest and longest pause between two polls of a job, in milliseconds. */
const FIRST_LOOK = 100;
const LAST_LOOK = 5_000;

export interface FinishedJob extends JobState {
  /** Whether an earlier process or another worker had already submitted the job. */
  readonly found: boolean;
}

/** Maximum bytes billed for a statement on control tables, which are small. Such statements run even if the budget is used up. */
const MOST_BOOKKEEPING = 10 * 2 ** 30;

/** If BigQuery does not find a new job in this many polls, the job counts as missing. */
const LOOKS_FOR_NEW = 6;

export type TextRow = readonly (string | readonly string[] | null)[];

/** Converts the values of a row from the REST API to strings, lists of strings, or null. */
function textRow({ f }: ResultPage['rows'][number]): TextRow {
  return f.map(({ v }) => {
    if (v === null || v === undefined) return null;
    if (Array.isArray(v)) return v.map((one: { readonly v: unknown }) => String(one.v));
    return String(v);
  });
}

/** Runs jobs to completion, with retries. */
export class JobRunner {
  readonly #options: JobsOptions;
  #dataset = '';

  constructor(options: JobsOptions) {
    this.#options = options;
  }

  /**
   * Returns the id of a job that changes the dataset. Job ids are unique in a project and can never be used again. They contain
   * a hash of the dataset, so that a dataset created again under the same name gets different ids.
   */
  idOf(name: string): string {
    return `aorta_${this.#dataset}_${name}`;
  }

  /** Sets the identity of the dataset, which combines its name and its creation time. */
  identify(creationTime: string | undefined): void {
    const { dataset } = this.#options.client;
    this.#dataset = createHash('sha256').update(`${dataset} ${creationTime}`).digest('hex').slice(0, 12);
  }

  get client(): BigQueryClient {
    return this.#options.client;
  }

  /** Retries a call until it succeeds, see {@link persist}. */
  call<T>(step: string, attempt: () => Promise<T>, options: Pick<Persisting, 'of' | 'except'> = {}): Promise<T> {
    const { patience, surroundings, onPause } = this.#options;
    return persist(step, attempt, { patience, surroundings, onPause, ...options });
  }

  /** Returns the result of a call; undefined if the requested object does not exist. */
  async ifThere<T>(step: string, attempt: () => Promise<T>, of?: string): Promise<T | undefined> {
    try {
      return await this.call(step, attempt, { except: ['missing'], of });
    } catch (error) {
      if (error instanceof CallFailed) return undefined;
      throw error;
    }
  }

  /** Returns the metadata of a table; undefined if the table does not exist. */
  table(name: string, step = 'reading a table’s metadata'): Promise<TableResource | undefined> {
    return this.ifThere(step, () => this.client.getTable(name), name);
  }

  /** The time by `steadyNow`. */
  now(): number {
    return this.#options.surroundings.now();
  }

  /** Pauses before the next attempt of a job. Rejects with AORTA-BIGQUERY-QUOTA or -UNAVAILABLE if the retries took too long. */
  async pause(
    step: string,
    { action, failures, reason, begun }: { action: Action; failures: number; reason: string; begun: number },
  ): Promise<void> {
    const { patience, surroundings, onPause } = this.#options;
    const milliseconds = pauseAfter(action, failures - 1, patience, surroundings.random);
    const tried = surroundings.now() - begun;
    if (tried + milliseconds > patience.forMs) throw outOfPatience(step, reason, action, tried);
    onPause?.(step, reason, milliseconds);
    await surroundings.sleep(milliseconds);
  }

  /** Pauses before the next lookup of a missing object. */
  async rest(looks: number): Promise<void> {
    const { patience, surroundings } = this.#options;
    await surroundings.sleep(pauseAfter('again', looks - 1, patience, surroundings.random));
  }

  /**
   * Submits a job with the given id and waits until the job ends. If the job already exists, because a response was lost or an
   * earlier process submitted it, waits for the existing job. The caller handles a failed job.
   */
  async finish(step: string, id: string, submit: () => Promise<JobState>, onSubmitted = () => {}): Promise<FinishedJob> {
    const { client } = this.#options;
    let submitted = 0;
    let found = false;
    for (let lost = 0; ; lost++) {
      const state = await this.call(
        step,
        async () => {
          submitted++;
          try {
            found = false;
            return await submit();
          } catch (error) {
            const failure = failureOf(error);
            if (failure.reason !== 'duplicate') throw failure;
            // On a retry, the existing job is the one that this process submitted.
            found = submitted === 1;
            return await client.getJob(id);
          }
        },
        { except: ['missing', 'split'] },
      ).catch((error: unknown) => {
        // Either BigQuery cannot find the new job yet, or the job needs a missing object, which the caller handles.
        if (error instanceof CallFailed && error.reason === 'notFound' && lost < LOOKS_FOR_NEW) return undefined;
        throw error;
      });
      onSubmitted();
      const ended = state === undefined ? await this.#look(step, id, lost) : await this.#wait(step, id, state);
      if (ended !== undefined) return { ...ended, found };
    }
  }

  /** Waits until a job ends and returns its state; undefined if BigQuery cannot find the job after several polls. */
  async #wait(step: string, id: string, submitted: JobState): Promise<JobState | undefined> {
    const { surroundings } = this.#options;
    let state: JobState | undefined = submitted;
    let pause = FIRST_LOOK;
    const begun = surroundings.now();
    while (state !== undefined && !state.done) {
      await surroundings.sleep(pause / 2 + (pause / 2) * surroundings.random());
      pause = Math.min(pause * 1.5, LAST_LOOK);
      state = await this.#look(step, id, 0);
      if (surroundings.now() - begun > this.#options.patience.forMs * 4) {
        const seconds = Math.round((surroundings.now() - begun) / 1000);
        throw new BigQueryError('AORTA-BIGQUERY-UNAVAILABLE', { step, seconds, reason: 'the job does not end' });
      }
    }
    return state;
  }

  async #look(step: string, id: string, lost: number): Promise<JobState | undefined> {
    const { client, surroundings } = this.#options;
    for (let looks = lost; ; looks++) {
      const state = await this.ifThere(step, () => client.getJob(id));
      if (state !== undefined || looks >= LOOKS_FOR_NEW) return state;
      await surroundings.sleep(backoff(looks + 1, FIRST_LOOK, LAST_LOOK));
    }
  }

  /**
   * Runs a statement to completion. The job id is derived from `name`, so that a restarted process finds the same job. After a
   * failed job, the attempt number in the id increases.
   */
  async query(
    step: string,
    name: string,
    request: Omit<QueryRequest, 'jobId'>,
    options: { readonly onSubmitted?: () => void; readonly pass?: readonly string[] } = {},
  ): Promise<JobState> {
    const { client, onBilled } = this.#options;
    const begun = this.now();
    let failures = 0;
    for (let attempt = 1; ; attempt++) {
      const id = `${name}_${attempt}`;
      const state = await this.finish(step, id, () => client.query({ ...request, jobId: id }), options.onSubmitted).catch(
        (error: unknown) => {
          throw error instanceof CallFailed && options.pass?.includes(error.reason) !== true ? refusal(step, error) : error;
        },
      );
      onBilled?.(state);
      const { failure } = state;
      if (failure === undefined) return state;
      // A job that failed before this process started is submitted again, because the operator may have fixed the cause.
      if (state.found) continue;
      failures++;
      if (options.pass?.includes(failure.reason)) throw failure;
      const action = actionFor(failure.reason, failures);
      if (action !== 'again' && action !== 'later' && action !== 'conflict') throw refusal(step, failure);
      await this.pause(step, { action, failures, reason: failure.reason, begun });
    }
  }

  async bookkeep(step: string, sql: string): Promise<void> {
    await this.query(step, `aorta_run_${randomUUID()}`, { sql, mostBytes: MOST_BOOKKEEPING });
  }

  /** Returns the rows of a query, each value as a string, a list of strings, or null. Reading large tables needs a higher `mostBytes`. */
  async rows(
    step: string,
    sql: string,
    {
      parameters,
      mostBytes = MOST_BOOKKEEPING,
    }: { readonly parameters?: Readonly<Record<string, string>>; readonly mostBytes?: number } = {},
  ): Promise<readonly TextRow[]> {
    const name = `aorta_read_${randomUUID()}`;
    const bound = Number.isFinite(mostBytes) ? { mostBytes } : {};
    const { id } = await this.query(step, name, { sql, parameters, ...bound });
    const rows: TextRow[] = [];
    for await (const page of this.pages(step, id)) rows.push(...page.rows.map(textRow));
    return rows;
  }

  async *pages(step: string, id: string): AsyncGenerator<ResultPage> {
    let next: string | undefined;
    do {
      const page: ResultPage = await this.#page(step, id, next);
      yield page;
      next = page.next;
    } while (next !== undefined);
  }

  /** Returns one page of a job's results. Retries briefly, because BigQuery may not find a job that was just created. */
  async #page(step: string, id: string, next: string | undefined): Promise<ResultPage> {
    const ask = (): Promise<ResultPage> => this.client.results(id, next, 0);
    for (let looks = 0; looks < LOOKS_FOR_NEW; looks++) {
      const page = await this.ifThere(step, ask);
      if (page !== undefined) return page;
      await this.#options.surroundings.sleep(backoff(looks + 1, FIRST_LOOK, LAST_LOOK));
    }
    return this.call(step, ask);
  }
}

/** Returns the rows of a control table without a query, which would be billed at least 10 MB. Returns undefined if there are too many rows. */
export async function listedRows(jobs: JobRunner, step: string, table: string): Promise<readonly TextRow[] | undefined> {
  const rows: TextRow[] = [];
  let page: string | undefined;
  do {
    const answer = await jobs.call(step, () => jobs.client.listRows(table, page, ROWS_AT_ONCE), { of: table });
    rows.push(...answer.rows.map(textRow));
    page = answer.next;
    if (page !== undefined && rows.length >= MOST_ROWS) return undefined;
  } while (page !== undefined);
  return rows;
}
