import type { Database } from '../storage/database.ts';
import type { Clock } from './clock.ts';
import { type Sequence, Sequences, turn } from './sequences.ts';

/** Something that happens at a time, such as the next attempt of a delivery. */
export interface Job {
  readonly kind: string;
  readonly dueAt: number;
  /** Names the thing that the job belongs to. {@link Jobs.cancel} removes all jobs of a subject. */
  readonly subject: string;
  /** Value that JSON can hold. */
  readonly payload: unknown;
}

/** Does a job: it only changes the state. Its changes and the end of the job are one transaction, so it is done once. */
type Handler = (payload: never, now: number) => void;

interface Row {
  readonly id: number;
  readonly due_at: number;
  readonly kind: string;
  readonly payload: string;
}

/** A running clock is asked again after this time at the latest, in milliseconds. */
const LONGEST_SLEEP_MS = 60_000;
/** Jobs are done for this long in one transaction, in milliseconds. Then requests are answered, and sequences go on. */
const SLICE_MS = 50;
/** Jobs do not wait for a step that takes longer, in milliseconds. */
const PATIENCE_MS = 5;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * The jobs of the service, in the order of their time, and the sequences of steps that wait for other systems. The jobs survive
 * a restart.
 */
export class Jobs {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #handlers = new Map<string, Handler>();
  readonly #sequences: Sequences;
  #work: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #isWaking = false;
  #isClosed = false;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#sequences = new Sequences({
      commit: (finish) => database.transaction(finish),
      now: () => clock.now(),
      rested: () => this.wake(),
    });
  }

  /** Declares what a kind of job does. `now` is the time of the clock, which is the job's time unless the job is late. */
  change<Payload>(kind: string, handler: (payload: Payload, now: number) => void): void {
    this.#handlers.set(kind, handler as Handler);
  }

  /** Adds sequences. `list` returns those that exist now. */
  follow(list: () => readonly Sequence[]): void {
    this.#sequences.add(list);
  }

  add({ kind, dueAt, subject, payload }: Job): void {
    this.#database.run(
      'insert into jobs (due_at, kind, subject, payload) values (?, ?, ?, ?)',
      dueAt,
      kind,
      subject,
      JSON.stringify(payload),
    );
    this.wake();
  }

  /** Returns the number of jobs of a subject, without the one that is being done. */
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

  /** Lets a running clock do what is due now and later. */
  wake(): void {
    if (this.#isWaking || this.#isClosed) return;
    this.#isWaking = true;
    // The caller's transaction ends first.
    setImmediate(() => {
      this.#isWaking = false;
      this.#setTimer();
    }).unref();
  }

  /**
   * Moves the clock, and does every job and every step on the way at its own time. Requests are answered meanwhile. Resolves
   * when all of them are done.
   */
  advanceTo(time: number): Promise<void> {
    const jobs = () => this.#afterOthers(() => this.#sequences.behind(() => this.#doUntil(time)));
    return this.#sequences.advance(jobs, time);
  }

  /** Does what is due now. */
  settle(): Promise<void> {
    return this.advanceTo(this.#clock.now());
  }

  /** Does something while no job is being done. */
  between<Result>(work: () => Result): Promise<Result> {
    return this.#afterOthers(async () => work());
  }

  /** Replaces the state while no job is being done. Steps that run are interrupted, and their results are ignored. */
  async replace(work: () => void): Promise<void> {
    await this.between(() => {
      this.#sequences.stop();
      work();
    });
    this.wake();
  }

  /** Ends the job that is being done, and interrupts the steps. Later jobs stay in the database. Advances reject. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#sequences.close();
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
    while (!this.#isClosed && this.#doSlice(time)) {
      this.#sequences.follow();
      await this.#letOthersWork();
    }
    if (!this.#isClosed) this.#clock.moveTo(time);
  }

  /** Does some of the jobs until a time, in one transaction. Returns whether there may be more. */
  #doSlice(time: number): boolean {
    const end = performance.now() + SLICE_MS;
    let failure: { readonly error: unknown } | undefined;
    const hasMore = this.#database.transaction(() => {
      do {
        const next = this.#next();
        if (next === undefined || next.due_at > time) return false;
        try {
          this.#database.part(() => this.#do(next));
        } catch (error) {
          // The jobs before it are done.
          failure = { error };
          return false;
        }
      } while (performance.now() < end);
      return true;
    });
    if (failure !== undefined) throw failure.error;
    return hasMore;
  }

  #do({ id, due_at, kind, payload }: Row): void {
    const handler = this.#handlers.get(kind);
    if (handler === undefined) throw new Error(`no handler for jobs of kind ${kind}`);
    this.#clock.moveTo(due_at);
    // The job ends before the handler adds others, because a new job can get the id of a deleted one.
    this.#database.run('delete from jobs where id = ?', id);
    handler(JSON.parse(payload) as never, this.#clock.now());
  }

  /** Lets requests be answered, and sequences catch up with the jobs, unless all that still move are slow. */
  async #letOthersWork(): Promise<void> {
    await turn();
    let isSlow = false;
    while (this.#sequences.areMoving && !isSlow)
      isSlow = await Promise.race([this.#sequences.stepped().then(() => false), sleep(PATIENCE_MS).then(() => true)]);
  }

  #next(): Row | undefined {
    return this.#database.get<Row>('select id, due_at, kind, payload from jobs order by due_at, id limit 1');
  }

  /** Sets the timer for the next job or step of a running clock. */
  #setTimer(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed || !this.#clock.runs) return;
    const next = Math.min(this.#next()?.due_at ?? Infinity, this.#sequences.next() ?? Infinity);
    if (next === Infinity) return;
    const ms = Math.min(Math.max(0, next - this.#clock.now()), LONGEST_SLEEP_MS);
    this.#timer = setTimeout(() => void this.#doDue().finally(() => this.wake()), ms).unref();
  }

  /** Does the jobs that are due, and begins the steps. */
  async #doDue(): Promise<void> {
    await this.#afterOthers(() => this.#doUntil(this.#clock.now()));
    this.#sequences.follow();
  }
}
