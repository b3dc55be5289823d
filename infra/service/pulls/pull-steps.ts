import type { Connections } from '../connections/connections.ts';
import { providerOf } from '../connections/provider-catalogue.ts';
import type { Outbox } from '../events/outbox.ts';
import type { PullPreferences } from '../teams/pull-preferences.ts';
import type { Jobs } from '../time/jobs.ts';
import type { User } from '../users/user.ts';
import type { Users } from '../users/users.ts';
import { announce } from './announcement.ts';
import { chunkOf, countChunks } from './chunks.ts';
import { type Course, errorOf, type Failure } from './outcomes.ts';
import type { Past, Range, Take } from './past-data.ts';
import { chunkPause, RETRY_QUOTA, retryPause } from './pauses.ts';
import { isOpen, isRetriable, type Pull, type PullError } from './pull.ts';
import type { PullStore } from './pull-store.ts';
import type { PullScripts } from './scripts.ts';

const STEP = 'historical pull';

export interface PullParts {
  readonly users: Users;
  readonly connections: Connections;
  readonly outbox: Outbox;
  readonly preferences: PullPreferences;
  readonly past: Past;
  readonly take: Take;
}

interface Steps extends PullParts {
  readonly jobs: Jobs;
  readonly store: PullStore;
  readonly scripts: PullScripts;
  /** Called after every step. */
  readonly changed: () => void;
}

/**
 * The steps of open pulls. Each pull is a chain of jobs, one for the begin of each attempt and one for each chunk. Each job is one
 * transaction, so after a crash the pull goes on at its chunk.
 */
export class PullSteps {
  readonly #parts: Steps;

  constructor(parts: Steps) {
    this.#parts = parts;
    parts.jobs.change<number>(STEP, (id, now) => {
      this.#step(id, now);
      parts.changed();
    });
  }

  /** Plans the next step of an open pull. */
  plan(id: number, dueAt: number): void {
    this.#parts.jobs.add({ kind: STEP, dueAt, subject: `pull ${id}`, payload: id });
  }

  /** Ends a pull for good. `result`: why its last attempt failed. */
  giveUp(pull: Pull, error: PullError, at: number, result = error): void {
    const error_details = pull.is_legacy === 1 ? null : error;
    this.#parts.store.end(pull, { status: 'failure', error_details, next_attempt_at: null, result, at });
  }

  #step(id: number, now: number): void {
    const pull = this.#parts.store.find(id);
    // The connection is gone, or it broke, or a later pull has taken the place of this one.
    if (pull === undefined || !isOpen(pull)) return;
    if (pull.status === 'in_progress') this.#goOn(pull, now);
    else this.#begin(pull, now);
  }

  #begin(pull: Pull, now: number): void {
    const { scripts, store } = this.#parts;
    const course = scripts.isOut(pull, now)
      ? { failure: 'outage' as const, afterChunks: 0, chunkMs: null }
      : scripts.draw(pull, countChunks(rangeOf(pull)) - pull.chunks_done);
    store.begin(pull, course, now);
    this.plan(pull.pull_id, now + (course.chunkMs ?? chunkPause(pull, pull.chunks_done)));
  }

  /** Returns why the attempt fails now, if it does. */
  #failureOf(pull: Pull, { failure, afterChunks }: Course, now: number): Failure | null {
    const { scripts, store } = this.#parts;
    if (scripts.isOut(pull, now)) return 'outage';
    if (failure === null) return null;
    const isWhole = pull.chunks_done === countChunks(rangeOf(pull));
    return isWhole || store.attemptsOf(pull.pull_id).at(-1)!.chunks >= afterChunks ? failure : null;
  }

  #goOn(pull: Pull, now: number): void {
    const course = JSON.parse(pull.course!) as Course;
    const failure = this.#failureOf(pull, course, now);
    if (failure === 'revoked_scope') this.#parts.connections.revoke(pull.user_id, pull.provider, pull.resource);
    if (failure === null) this.#advance(pull, course, now);
    else this.#fail(pull, errorOf(failure), now);
  }

  /** Delivers the next chunk. The last one ends the pull, unless the attempt fails after it. */
  #advance(pull: Pull, { failure, chunkMs }: Course, now: number): void {
    const { users, store, outbox } = this.#parts;
    const user = users.any(pull.user_id)!;
    const count = countChunks(rangeOf(pull));
    if (pull.chunks_done < count) this.#deliver(user, pull);
    const done = Math.min(pull.chunks_done + 1, count);
    if (failure !== null || done < count) {
      this.plan(pull.pull_id, now + (chunkMs ?? chunkPause(pull, done)));
      return;
    }
    store.end(pull, { status: 'success', error_details: null, next_attempt_at: null, result: 'success', at: now });
    if (!providerOf(pull.provider)!.pushesHistory) announce(outbox, user, pull);
  }

  #deliver(user: User, pull: Pull): void {
    const { connections, past, take, store } = this.#parts;
    const { provider, resource, chunks_done } = pull;
    const connection = connections.find(user.user_id, provider)!;
    const chunk = chunkOf(rangeOf(pull), chunks_done);
    const arrivals = past(user, connection, resource, { ...chunk, asOf: pull.scheduled_at });
    store.addChunk(pull, take(user, provider, arrivals, !providerOf(provider)!.pushesHistory));
  }

  #fail(pull: Pull, error: PullError, now: number): void {
    if (isRetriable(error) && pull.attempts <= RETRY_QUOTA) this.#retry(pull, error, now);
    else this.giveUp(pull, isRetriable(error) ? 'retry_quota_exhausted' : error, now, error);
  }

  #retry(pull: Pull, error: PullError, now: number): void {
    const next = now + retryPause(pull, pull.attempts);
    const isLegacy = pull.is_legacy === 1;
    this.#parts.store.end(pull, {
      status: isLegacy ? 'failure' : 'retrying',
      error_details: isLegacy ? null : error,
      next_attempt_at: next,
      result: error,
      at: now,
    });
    this.plan(pull.pull_id, next);
  }
}

const rangeOf = ({ range_start, range_end }: Pull): Range => ({ from: range_start, until: range_end });
