import { instant } from '../api/times.ts';
import { availableResources, type Connection, type Connections } from '../connections/connections.ts';
import { providerOf } from '../connections/providers.ts';
import type { Outbox } from '../events/outbox.ts';
import type { State } from '../state.ts';
import { daysOf, type PullPreferences } from '../teams/pull-preferences.ts';
import type { Jobs } from '../time/jobs.ts';
import type { User, Users } from '../users/users.ts';
import { type Course, errorOf, type Failure, PullScripts } from './outcomes.ts';
import {
  chunkPause,
  isOpen,
  isRetriable,
  type Past,
  type Pull,
  type PullError,
  type Range,
  RETRY_QUOTA,
  retryPause,
  startPause,
  type Take,
} from './pull.ts';
import { PullStore } from './pull-store.ts';

const STEP = 'historical pull';

interface PullParts {
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

/** Adds the event about the end of a pull. */
function announce(outbox: Outbox, user: User, { provider, resource, range_start, range_end }: Pull): void {
  outbox.add(user, `historical.data.${resource}.created`, {
    user_id: user.user_id,
    start_date: instant(range_start),
    end_date: instant(range_end),
    is_final: true,
    provider,
  });
}

const DAY_MS = 86_400_000;
const CHUNK_MS = 10 * DAY_MS;

/** The only resources with a history, for providers that do not have one for all. */
const historyOnlyOf: Readonly<Record<string, readonly string[]>> = { polar: ['sleep', 'sleep_stream'] };

function hasHistory(provider: string, resource: string): boolean {
  return historyOnlyOf[provider]?.includes(resource) ?? true;
}

/**
 * Returns the range of a pull that is planned now: the last days within the user's bounds of ingestion. The range is empty if the
 * bounds exclude all of these days.
 */
function rangeOf({ ingestion_start, ingestion_end }: User, days: number, now: number): Range {
  const first = now - days * DAY_MS;
  const until = Math.min(now, ingestion_end === null ? now : Date.parse(ingestion_end) + DAY_MS);
  const from = Math.max(first, ingestion_start === null ? first : Date.parse(ingestion_start));
  return from < until ? { from, until } : { from: until, until };
}

function countChunks({ from, until }: Range): number {
  return Math.ceil((until - from) / CHUNK_MS);
}

/** Returns a chunk of at most ten days. Chunk 0 is the newest. */
function chunkOf({ from, until }: Range, index: number): Range {
  const end = until - index * CHUNK_MS;
  return { from: Math.max(from, end - CHUNK_MS), until: end };
}

/**
 * The steps of open pulls. Each pull is a chain of jobs, one for the begin of each attempt and one for each chunk. Each job is one
 * transaction, so after a crash the pull goes on at its chunk.
 */
class PullSteps {
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
      : scripts.draw(pull, countChunks(rangeOfPull(pull)) - pull.chunks_done);
    store.begin(pull, course, now);
    this.plan(pull.pull_id, now + (course.chunkMs ?? chunkPause(pull, pull.chunks_done)));
  }

  /** Returns why the attempt fails now, if it does. */
  #failureOf(pull: Pull, { failure, afterChunks }: Course, now: number): Failure | null {
    const { scripts, store } = this.#parts;
    if (scripts.isOut(pull, now)) return 'outage';
    if (failure === null) return null;
    const isWhole = pull.chunks_done === countChunks(rangeOfPull(pull));
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
    const count = countChunks(rangeOfPull(pull));
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
    const chunk = chunkOf(rangeOfPull(pull), chunks_done);
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

const rangeOfPull = ({ range_start, range_end }: Pull): Range => ({ from: range_start, until: range_end });

/** The historical pulls of all users. Each pull imports what a provider has of one resource from before the connection. */
export class HistoricalPulls {
  readonly store: PullStore;
  readonly scripts: PullScripts;
  readonly #state: State;
  readonly #parts: PullParts;
  readonly #steps: PullSteps;
  /** Called after every change of a pull. */
  readonly #watchers = new Set<() => void>();

  constructor(state: State, parts: PullParts) {
    this.store = new PullStore(state.database);
    this.scripts = new PullScripts(state.database);
    this.#state = state;
    this.#parts = parts;
    const { jobs } = state;
    const { store, scripts } = this;
    this.#steps = new PullSteps({ ...parts, jobs, store, scripts, changed: () => this.#changed() });
  }

  /** Plans the pulls of a connection that the user has made, or made again. Garmin pulls each resource only once. */
  connected(user: User, connection: Connection): void {
    const known = new Set(this.store.of(user.user_id, connection.provider).map(({ resource }) => resource));
    const isOnce = providerOf(connection.provider)!.pushesHistory;
    this.#plan(user, connection, (resource) => !(isOnce && known.has(resource)));
  }

  /** Ends the pulls of a connection that broke. */
  broken({ user_id, provider }: Connection): void {
    const now = this.#state.clock.now();
    for (const pull of this.store.of(user_id, provider).filter(isOpen)) this.#steps.giveUp(pull, 'non_retriable_error', now);
    this.#changed();
  }

  /** Plans the pulls of users again. Users without a working connection to the provider are ignored. Returns ids of pulls. */
  trigger(team: string, userIds: readonly string[], provider: string): number[] {
    const { users, connections } = this.#parts;
    return this.#state.database.transaction(() =>
      [...new Set(userIds)].flatMap((id) => {
        const user = users.find(team, id);
        const connection = user && connections.find(id, provider);
        return connection?.error_type === null ? this.#plan(user!, connection, () => true) : [];
      }),
    );
  }

  /** Returns whether the pull of a resource has not ended. */
  isRunning(user: string, provider: string, resource: string): boolean {
    return this.store.of(user, provider).some((pull) => pull.resource === resource && isOpen(pull));
  }

  /** Resolves to whether these pulls have ended, after at most `limit` milliseconds of real time. */
  whenEnded(ids: readonly number[], limit: number): Promise<boolean> {
    return new Promise((resolve) => {
      const stop = (isEnded: boolean): void => {
        clearTimeout(timer);
        this.#watchers.delete(look);
        resolve(isEnded);
      };
      const look = (): void => {
        if (!this.store.isAnyOpen(ids)) stop(true);
      };
      const timer = setTimeout(() => stop(false), limit).unref();
      this.#watchers.add(look);
      look();
    });
  }

  /** Plans the chosen pulls in place of earlier ones. A resource that the user's permission no longer covers loses its pull. */
  #plan(user: User, connection: Connection, isChosen: (resource: string) => boolean): number[] {
    const { provider } = connection;
    for (const { pull_id, resource } of this.store.of(user.user_id, provider)) if (isChosen(resource)) this.store.remove(pull_id);
    return availableResources(connection)
      .filter((resource) => hasHistory(provider, resource) && isChosen(resource))
      .map((resource) => this.#add(user, connection, resource));
  }

  #add(user: User, connection: Connection, resource: string): number {
    const { provider, since } = connection;
    const { preferences, outbox } = this.#parts;
    const scheduled_at = this.#state.clock.now();
    const planned = { user_id: user.user_id, provider, resource, scheduled_at };
    const firstAttemptAt = scheduled_at + startPause(planned);
    const id = this.store.add({
      ...planned,
      range: rangeOf(user, daysOf(connection, resource, preferences.of(user.team_id, provider)), scheduled_at),
      isLegacy: !this.#state.versions.has('retrying pulls', user.team_id, since),
      firstAttemptAt,
    });
    if (providerOf(provider)!.pushesHistory) announce(outbox, user, this.store.find(id)!);
    this.#steps.plan(id, firstAttemptAt);
    return id;
  }

  #changed(): void {
    for (const look of [...this.#watchers]) look();
  }
}
