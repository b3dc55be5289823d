import type { Outbox } from '../events/outbox.ts';
import type { State } from '../state.ts';
import type { User, Users } from '../users/users.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import type { ParsingJob } from './report-form.ts';

/** Parsing takes between one and two minutes. */
const SHORTEST_MS = 60_000;
const LONGEST_MS = 120_000;
/** A person reviews a result an hour after the parsing. */
const REVIEW_MS = 3_600_000;
const FINISH = 'finish parsing job';
const REVIEW = 'review parsing job';

interface Row {
  readonly job_id: string;
  readonly user_id: string;
  readonly status: 'started' | 'completed' | 'failed';
  readonly needs_human_review: number;
  readonly is_reviewed: number;
  readonly outcome: string;
}

interface JobId {
  readonly job_id: string;
}

/** The jobs that parse uploaded lab reports. */
export class ParsingJobs {
  readonly #state: State;
  readonly #users: Users;
  readonly #outbox: Outbox;

  constructor(state: State, { users, outbox }: { readonly users: Users; readonly outbox: Outbox }) {
    this.#state = state;
    this.#users = users;
    this.#outbox = outbox;
    state.jobs.change<JobId>(FINISH, ({ job_id }, now) => this.#finish(job_id, now));
    state.jobs.change<JobId>(REVIEW, ({ job_id }) => this.#review(job_id));
  }

  /** Sets how the next job of a user ends, whatever its files are. */
  script(user: string, outcome: Outcome): void {
    this.#state.database.run(
      'insert into report_scripts values (?, ?) on conflict do update set outcome = excluded.outcome',
      user,
      JSON.stringify(outcome),
    );
  }

  /** Starts a job. The files themselves are not kept. */
  create(user: User, files: readonly Uint8Array[], needsHumanReview: boolean): ParsingJob {
    const { database, clock, draws, jobs } = this.#state;
    return database.transaction(() => {
      const now = clock.now();
      const scripted = database.get<{ outcome: string }>(
        'delete from report_scripts where user_id = ? returning outcome',
        user.user_id,
      );
      const job_id = draws.uuid('parsing job');
      const row = database.get<Row>(
        `insert into report_jobs (job_id, user_id, status, needs_human_review, is_reviewed, outcome)
         values (?, ?, 'started', ?, 0, ?) returning *`,
        job_id,
        user.user_id,
        needsHumanReview ? 1 : 0,
        scripted?.outcome ?? JSON.stringify(outcomeOf(files, now)),
      )!;
      const share = draws.bytes('duration of a parsing job', 2).readUInt16BE() / 2 ** 16;
      const dueAt = now + SHORTEST_MS + Math.floor(share * (LONGEST_MS - SHORTEST_MS));
      jobs.add({ kind: FINISH, dueAt, subject: subjectOf(job_id), payload: { job_id } satisfies JobId });
      const job = formOf(row);
      this.#outbox.add(user, 'lab_report.parsing_job.created', job);
      return job;
    });
  }

  /** Returns a job of a user of the team. */
  find(team: string, id: string): ParsingJob | undefined {
    const row = this.#row(id);
    return row === undefined || this.#users.find(team, row.user_id) === undefined ? undefined : formOf(row);
  }

  #finish(id: string, now: number): void {
    const row = this.#row(id);
    if (row === undefined) return;
    const { kind } = JSON.parse(row.outcome) as Outcome;
    this.#state.database.run('update report_jobs set status = ? where job_id = ?', kind, id);
    this.#tell(id);
    // A failed job has nothing to review.
    if (kind === 'completed' && row.needs_human_review === 1)
      this.#state.jobs.add({ kind: REVIEW, dueAt: now + REVIEW_MS, subject: subjectOf(id), payload: { job_id: id } });
  }

  #review(id: string): void {
    this.#state.database.run('update report_jobs set is_reviewed = 1 where job_id = ?', id);
    this.#tell(id);
  }

  /** Sends the changed job, unless its user is deleted. */
  #tell(id: string): void {
    const row = this.#row(id);
    const user = row === undefined ? undefined : this.#users.any(row.user_id);
    if (user !== undefined) this.#outbox.add(user, 'lab_report.parsing_job.updated', formOf(row!));
  }

  #row(id: string): Row | undefined {
    return this.#state.database.get('select * from report_jobs where job_id = ?', id);
  }
}

const subjectOf = (id: string): string => `parsing job ${id}`;

/** Returns a job as the API and the events show it. The outcome is hidden until the parsing ends. */
function formOf({ job_id, status, needs_human_review, is_reviewed, outcome }: Row): ParsingJob {
  const ended = status === 'started' ? undefined : (JSON.parse(outcome) as Outcome);
  return {
    id: job_id,
    status,
    needs_human_review: needs_human_review === 1,
    is_reviewed: is_reviewed === 1,
    failure_reason: ended?.kind === 'failed' ? ended.failure_reason : null,
    data: ended?.kind === 'completed' ? ended.data : null,
  };
}
