import type { Database } from '../storage/database.ts';
import type { Clock } from './clock.ts';

/** Something that happens at a time, such as the next attempt of a delivery. */
export interface Job {
  readonly kind: string;
  readonly dueAt: number;
  /** Names the thing that the job belongs to. {@link Jobs.cancel} removes all jobs of a subject. */
  readonly subject: string;
  /** Value that JSON can hold. */
  readonly payload: unknown;
}

/** Changes the state at the end of a job. It must not wait for anything. */
type Finish = () => void;

type Outcome = void | Finish | Promise<void> | Promise<Finish | undefined>;

/**
 * Does a job. It must be safe to do a job again: a job that is interrupted is done again after a restart. `now` is the time
 * of the clock, which is the job's time unless the job is late. The {@link Finish} that a handler returns is part of the
 * transaction that removes the job. It does not run if the job was cancelled meanwhile. Jobs that are done at once finish in
 * their order and in one transaction, whichever is done first.
 */
type Handler = (payload: never, now: number) => Outcome;

interface Kind {
  readonly handler: Handler;
  readonly atOnce: number;
  /** Whether the handler only changes the state. */
  readonly isChange: boolean;
}

interface Row {
  readonly id: number;
  readonly due_at: number;
  readonly kind: string;
  readonly payload: string;
}

/** A running clock is asked again after this time at the latest, in milliseconds. */
const LONGEST_SLEEP_MS = 60_000;

/** The jobs of the service, in the order of their time. They survive a restart. */
export class Jobs {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #kinds = new Map<string, Kind>();
  #work: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Declares what a kind of job does, and how many jobs of this kind that are due at the same time are done at once. */
  handle<Payload>(kind: string, handler: (payload: Payload, now: number) => Outcome, atOnce = 1): void {
    this.#kinds.set(kind, { handler: handler as Handler, atOnce, isChange: false });
  }

  /** Declares a kind of job that only changes the state. Its changes and its end are one transaction, so it is done once. */
  change<Payload>(kind: string, handler: (payload: Payload, now: number) => void): void {
    this.#kinds.set(kind, { handler: handler as Handler, atOnce: 1, isChange: true });
  }

  add({ kind, dueAt, subject, payload }: Job): void {
    this.#database.run(
      'insert into jobs (due_at, kind, subject, payload) values (?, ?, ?, ?)',
      dueAt,
      kind,
      subject,
      JSON.stringify(payload),
    );
    this.#wake();
  }

  /** Returns the number of jobs of a subject. One of them may be the job that is being done. */
  count(subject: string): number {
    return this.#database.get<{ n: number }>('select count(*) as n from jobs where subject = ?', subject)!.n;
  }

  /** Returns the payloads of the jobs of a subject, in the order of their time. */
  payloads(subject: string): unknown[] {
    return this.#database
      .all<Row>('select payload from jobs where subject = ? order by due_at, id', subject)
      .map(({ payload }) => JSON.parse(payload) as unknown);
  }

  cancel(subject: string): void {
    this.#database.run('delete from jobs where subject = ?', subject);
  }

  /** Does what is due, and lets a running clock do the rest in time. */
  start(): void {
    this.#wake();
  }

  /** Moves the clock, and does every job on the way at its own time. Resolves when all of them are done. */
  advanceTo(time: number): Promise<void> {
    return this.#afterOthers(() => this.#doUntil(time));
  }

  /** Does what is due now. */
  settle(): Promise<void> {
    return this.advanceTo(this.#clock.now());
  }

  /** Does something while no job is being done, such as replacing the state. */
  between<Result>(work: () => Result): Promise<Result> {
    return this.#afterOthers(async () => work());
  }

  /** Waits for the job that runs. Later jobs stay in the database. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#work;
  }

  #afterOthers<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#work.then(work);
    this.#work = done.then(
      () => {},
      () => {},
    );
    return done;
  }

  async #doUntil(time: number): Promise<void> {
    for (let due = this.#due(time); due.length > 0 && !this.#isClosed; due = this.#due(time)) {
      const { handler, isChange } = this.#kinds.get(due[0]!.kind)!;
      if (isChange) {
        this.#change(due[0]!, handler);
        continue;
      }
      this.#clock.moveTo(due[0]!.due_at);
      const now = this.#clock.now();
      const ends = await Promise.all(due.map(async ({ payload }) => handler(JSON.parse(payload) as never, now)));
      // One transaction ends all of these jobs, because a commit takes longer than ending a job.
      this.#database.transaction(() => {
        for (const [index, { id }] of due.entries()) {
          const finish = ends[index];
          this.#end(id, typeof finish === 'function' ? finish : undefined);
        }
      });
    }
    if (!this.#isClosed) this.#clock.moveTo(time);
  }

  /** Moves the clock to a job that only changes the state, and does the job, in one transaction. */
  #change({ id, due_at, payload }: Row, handler: Handler): void {
    this.#database.transaction(() => {
      this.#clock.moveTo(due_at);
      handler(JSON.parse(payload) as never, this.#clock.now());
      this.#database.run('delete from jobs where id = ?', id);
    });
  }

  #end(id: number, finish: Finish | undefined): void {
    const isCancelled = this.#database.run('delete from jobs where id = ?', id) === 0;
    if (!isCancelled) finish?.();
  }

  /** Returns the next job, and those that are done at once with it. */
  #due(until: number): Row[] {
    const next = this.#next();
    if (next === undefined || next.due_at > until) return [];
    const kind = this.#kinds.get(next.kind);
    if (kind === undefined) throw new Error(`no handler for jobs of kind ${next.kind}`);
    const rows = this.#database.all<Row>(
      'select id, due_at, kind, payload from jobs where due_at <= ? order by due_at, id limit ?',
      Math.max(next.due_at, Math.min(this.#clock.now(), until)),
      kind.atOnce,
    );
    const other = rows.findIndex((row) => row.kind !== next.kind);
    return other === -1 ? rows : rows.slice(0, other);
  }

  #next(): Row | undefined {
    return this.#database.get<Row>('select id, due_at, kind, payload from jobs order by due_at, id limit 1');
  }

  /** Sets the timer for the next job of a running clock. */
  #wake(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed || !this.#clock.runs) return;
    const next = this.#next();
    if (next === undefined) return;
    const sleep = Math.min(Math.max(0, next.due_at - this.#clock.now()), LONGEST_SLEEP_MS);
    this.#timer = setTimeout(() => {
      void this.settle().finally(() => this.#wake());
    }, sleep).unref();
  }
}
