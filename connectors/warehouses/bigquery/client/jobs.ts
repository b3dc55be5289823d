import { createHash, randomUUID } from 'node:crypto';
import { CallFailed, failureOf, wordsOf } from '../errors/call-failed.ts';
import { type Patience, type Persisting, pauseAfter, persist, refusal, type Surroundings } from '../errors/persisting.ts';
import { type Action, actionFor } from '../errors/reasons.ts';
import { BigQueryError } from '../errors.ts';
import type { BigQueryClient, JobState, QueryRequest, ResultPage } from './client.ts';
import { type TextRow, textRow } from './rows.ts';

export interface JobsOptions {
  readonly client: BigQueryClient;
  readonly patience: Patience;
  readonly surroundings: Surroundings;
  /** Hears of every pause: what waits, and for what. */
  readonly onPause?: (step: string, reason: string, milliseconds: number) => void;
  /** Hears of every finished query: it may have cost something. */
  readonly onBilled?: (job: JobState) => void;
}

/** First and longest pause between two looks at a job, in milliseconds. */
const FIRST_LOOK = 100;
const LAST_LOOK = 5_000;

/** A job at its end. */
export interface FinishedJob extends JobState {
  /** It was there before it was submitted here: an earlier process made it, or a worker beside this one. */
  readonly found: boolean;
}

/** Most that a statement about the bookkeeping may be billed for: it is small, and goes on whatever merges have cost. */
const MOST_BOOKKEEPING = 10 * 2 ** 30;

/** Looks for a job that was just made, before it counts as not made. */
const LOOKS_FOR_NEW = 6;

/** Query jobs to their end, whatever happens on the way. */
export class Jobs {
  readonly #options: JobsOptions;
  #dataset = '';

  constructor(options: JobsOptions) {
    this.#options = options;
  }

  /**
   * The id of a job that does something to the dataset. Ids are the project's, and are never free again: a dataset beside
   * this one, or one that had its name before, has jobs of its own.
   */
  idOf(name: string): string {
    return `aorta_${this.#dataset}_${name}`;
  }

  /** Says which dataset it is, once it was looked at. */
  identify(creationTime: string | undefined): void {
    const { dataset } = this.#options.client;
    this.#dataset = createHash('sha256').update(`${dataset} ${creationTime}`).digest('hex').slice(0, 12);
  }

  get client(): BigQueryClient {
    return this.#options.client;
  }

  /** Tries a call again until it succeeds, see {@link persist}. */
  call<T>(step: string, attempt: () => Promise<T>, options: Pick<Persisting, 'of' | 'except'> = {}): Promise<T> {
    const { patience, surroundings, onPause } = this.#options;
    return persist(step, attempt, { patience, surroundings, onPause, ...options });
  }

  /** What a call gives, or undefined where what it asks for is not there. */
  async ifThere<T>(step: string, attempt: () => Promise<T>, of?: string): Promise<T | undefined> {
    try {
      return await this.call(step, attempt, { except: ['missing'], ...(of === undefined ? {} : { of }) });
    } catch (error) {
      if (error instanceof CallFailed) return undefined;
      throw error;
    }
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#options.surroundings.now();
  }

  /**
   * Pauses before the next attempt of a job that has failed so often since the step began. Rejects with
   * AORTA-BIGQUERY-QUOTA or -UNAVAILABLE where the step's patience ends before.
   */
  async pause(
    step: string,
    { action, failures, reason, begun }: { action: Action; failures: number; reason: string; begun: number },
  ): Promise<void> {
    const { patience, surroundings, onPause } = this.#options;
    const milliseconds = pauseAfter(action, failures - 1, patience, surroundings.random);
    if (surroundings.now() + milliseconds - begun > patience.forMs) {
      const seconds = Math.round((surroundings.now() - begun) / 1000);
      const code = action === 'later' ? 'AORTA-BIGQUERY-QUOTA' : 'AORTA-BIGQUERY-UNAVAILABLE';
      throw new BigQueryError(code, { step, seconds, reason: wordsOf(reason) });
    }
    onPause?.(step, reason, milliseconds);
    await surroundings.sleep(milliseconds);
  }

  /** Pauses before something that was not there is looked for again, after so many looks. */
  async rest(looks: number): Promise<void> {
    const { patience, surroundings } = this.#options;
    await surroundings.sleep(pauseAfter('again', looks - 1, patience, surroundings.random));
  }

  /**
   * Submits a job under its own id and waits for its end. Where the service has a job of that id already (an answer that
   * was lost, an earlier process) it is that one that is waited for. The state may be a failure; the caller decides.
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
            // After an answer that was lost it is the one that was submitted here.
            found = submitted === 1;
            return await client.getJob(id);
          }
        },
        { except: ['missing'] },
      ).catch((error: unknown) => {
        // A job that is there by its id, and is not found yet; or what it works on is not there, which the caller knows.
        if (error instanceof CallFailed && error.reason === 'notFound' && lost < LOOKS_FOR_NEW) return undefined;
        throw error;
      });
      onSubmitted();
      const ended = state === undefined ? await this.#look(step, id, lost) : await this.#wait(step, id, state);
      if (ended !== undefined) return { ...ended, found };
    }
  }

  /** Waits for the end of a job that is there; undefined where it is not, after some looks. */
  async #wait(step: string, id: string, submitted: JobState): Promise<JobState | undefined> {
    const { surroundings } = this.#options;
    let state: JobState | undefined = submitted;
    let pause = FIRST_LOOK;
    const begun = surroundings.now();
    while (state !== undefined && !state.done) {
      // A merge that has to queue may take hours; that it goes on is seen by its answers.
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
      await surroundings.sleep(Math.min(FIRST_LOOK * 2 ** looks, LAST_LOOK));
    }
  }

  /**
   * Runs a statement to its end. `name` stands for what it does: the same statement again, after a crash, is the same job.
   * A job that failed is never the same again: the next attempt has the next number.
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
      // What failed before this process asked says nothing of now: a permission was given since, a table made, a day begun.
      if (state.found) continue;
      failures++;
      if (options.pass?.includes(failure.reason)) throw failure;
      const action = actionFor(failure.reason, failures);
      if (action !== 'again' && action !== 'later' && action !== 'conflict') throw refusal(step, failure);
      await this.pause(step, { action, failures, reason: failure.reason, begun });
    }
  }

  /** Runs a statement of the bookkeeping. */
  async bookkeep(step: string, sql: string): Promise<void> {
    await this.query(step, `aorta_run_${randomUUID()}`, { sql, mostBytes: MOST_BOOKKEEPING });
  }

  /** The rows of a statement that reads the bookkeeping, or something larger by `mostBytes`: each value as text, a list of texts, or null. */
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

  /** The pages of a finished job's rows. */
  async *pages(step: string, id: string): AsyncGenerator<ResultPage> {
    let next: string | undefined;
    do {
      const page: ResultPage = await this.#page(step, id, next);
      yield page;
      next = page.next;
    } while (next !== undefined);
  }

  /** A page. A job that was just made may not be found yet: it is asked for some more times. */
  async #page(step: string, id: string, next: string | undefined): Promise<ResultPage> {
    const ask = (): Promise<ResultPage> => this.client.results(id, next, 0);
    for (let looks = 0; looks < LOOKS_FOR_NEW; looks++) {
      const page = await this.ifThere(step, ask);
      if (page !== undefined) return page;
      await this.#options.surroundings.sleep(Math.min(FIRST_LOOK * 2 ** looks, LAST_LOOK));
    }
    return this.call(step, ask);
  }
}
