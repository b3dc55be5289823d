import type { CallBudget, ServiceClient, UserHistoricalPulls } from '@aorta/connectors/service';
import { type AortaError, backoff, errorFields, isAortaError, type ProgressReports, pause, systemTime } from '@aorta/runtime';
import { type IntrospectionPoll, parseInstant, pathName } from '@aorta/schemas';
import type { Emitter } from '../workers/emitter.ts';
import type { Worker } from '../workers/worker.ts';
import type { NextCall } from './call-schedule.ts';
import { type HistoricalPullsSettings, paceOf, stalledAfterS } from './options.ts';
import type { Pulls } from './pulls.ts';
import type { UserSweep } from './user-sweep.ts';

/** Name under which this job reports waits and progress. */
export const PART = 'historical pulls';

/** Interval, in milliseconds, at which a run with `--once` logs its progress. */
const LOG_MS = 5_000;
/** Milliseconds to pause after a failed call. The pause doubles with each further failure. */
const PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 30_000;
/** Timeout of a call in a run with `--once`, in milliseconds. */
const CALL_MS = 600_000;

/**
 * Times of an answer. `askedAt`: when Aorta requested the answer, by `steadyNow`. `servedAt`: the time that
 * the service reported in the answer, in microseconds since 1970.
 */
interface Asked {
  readonly askedAt: number;
  readonly servedAt: number;
}

const HOUR_US = 3_600_000_000;

function envelope(
  userId: string,
  { askedAt, servedAt }: Asked,
  settings: HistoricalPullsSettings,
): Omit<IntrospectionPoll, 'gone' | 'pulls' | 'not_pulled'> {
  return {
    receipt: {
      source: 'introspection',
      partition: '',
      offset: askedAt,
      received_at: servedAt,
      delivery_id: null,
      header_facts: 0,
      body_bytes: 0,
      body_crc32: 0,
      arrived_at: null,
    },
    reader: 1,
    user_id: userId,
    stale_at: servedAt + Math.round(settings.stale_after_h * HOUR_US),
    stalled_after_s: stalledAfterS(settings),
  };
}

/** Returns a record of the service's answer for a user. */
export function pollRecord(answer: UserHistoricalPulls, asked: Asked, settings: HistoricalPullsSettings): IntrospectionPoll {
  const providers = Object.entries(answer.provider);
  return {
    ...envelope(answer.user_id, asked, settings),
    gone: false,
    pulls: providers.flatMap(([provider, { pulled }]) =>
      Object.entries(pulled).map(([resource, pull]) => {
        const { status, range_start, range_end, timeline, days_with_data, release, trace_id, error_details, ...rest } = pull;
        const { scheduled_at, started_at, ended_at, ...moreTimes } = timeline;
        const own = { range_start, range_end };
        const ofTimeline = { scheduled_at, started_at, ended_at };
        const times = { ...own, ...ofTimeline };
        const read = Object.fromEntries(Object.entries(times).map(([name, text]) => [name, instantOf(text)])) as {
          [name in keyof typeof times]: number | null;
        };
        const extra = Object.fromEntries([
          ...Object.entries({ ...rest, ...illegible(own) }).map(([name, value]) => [pathName(name), value]),
          ...Object.entries({ ...moreTimes, ...illegible(ofTimeline) }).map(([name, value]) => [
            `timeline.${pathName(name)}`,
            value,
          ]),
        ]);
        const days = days_with_data !== null && Number.isSafeInteger(days_with_data) ? days_with_data : null;
        return {
          provider,
          resource,
          status: status ?? '',
          ...read,
          days_with_data: days,
          error_details,
          release,
          trace_id,
          extra: Object.keys(extra).length === 0 ? null : JSON.stringify(extra),
        };
      }),
    ),
    not_pulled: providers.flatMap(([provider, { not_pulled }]) => not_pulled.map((resource) => ({ provider, resource }))),
  };
}

/** Returns a record stating that the service no longer has the user. */
function goneRecord(userId: string, asked: Asked, settings: HistoricalPullsSettings): IntrospectionPoll {
  return { ...envelope(userId, asked, settings), gone: true, pulls: [], not_pulled: [] };
}

const instantOf = (text: string | null): number | null => {
  const at = text === null ? Number.NaN : parseInstant(text);
  return Number.isNaN(at) ? null : at;
};

/** Returns the times that cannot be parsed. */
function illegible(times: Readonly<Record<string, string | null>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(times).filter(([, text]) => text !== null && instantOf(text) === null));
}

type Call = Exclude<NextCall, { ask: 'nothing' }>;

/** Calls introspection for the users who are due, within the configured limits. */
export class IntrospectionPoller implements Worker {
  readonly #pulls: Pulls;
  readonly #sweep: UserSweep;
  readonly #client: Pick<ServiceClient, 'historicalPulls'>;
  readonly #emitter: Pick<Emitter, 'record' | 'durable'>;
  readonly #progress: ProgressReports | undefined;
  /**
   * Whether the service answered that the list of all users does not exist. If so, the URL is probably wrong, and users
   * who are reported as not found may still exist.
   */
  #listGone = false;
  #failures = 0;
  #notBefore = Number.NEGATIVE_INFINITY;
  /** Progress of a run with `--once`: users polled, calls, answers, and the time of the last log line. */
  readonly #asked = new Set<string>();
  #done = false;
  #calls = 0;
  #answers = 0;
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(
    pulls: Pulls,
    sweep: UserSweep,
    client: Pick<ServiceClient, 'historicalPulls'>,
    emitter: Pick<Emitter, 'record' | 'durable'>,
    progress: ProgressReports | undefined,
  ) {
    this.#pulls = pulls;
    this.#sweep = sweep;
    this.#client = client;
    this.#emitter = emitter;
    this.#progress = progress;
  }

  /** Makes the client's retries count against the rate limit. */
  readonly #budget: CallBudget = {
    wait: () => this.#pulls.schedule.untilNextCall(this.#pulls.options.clock()),
    spend: () => this.#pulls.schedule.called(this.#pulls.options.clock()),
  };

  nextAt(now: number): number {
    const { settings, once } = this.#pulls.options;
    const at = this.#pulls.schedule.nextAt(now);
    if (!once) return Math.max(this.#notBefore, at);
    // Continues until all users who are due now are polled. The next run polls users who become due later.
    const soon = Math.max(1000, paceOf(settings).betweenCallsMs);
    return this.#done || this.#failures > 0 || at - now > soon ? Number.POSITIVE_INFINITY : now;
  }

  async work(signal: AbortSignal): Promise<void> {
    const { once, clock } = this.#pulls.options;
    const now = clock();
    const step = this.#pulls.schedule.next(now);
    if (step.ask === 'nothing') {
      if (once) await this.#awaitBudget(Math.max(1, step.at - now), signal);
      return;
    }
    if (once && step.ask === 'user') {
      this.#done = this.#asked.has(step.userId);
      this.#asked.add(step.userId);
    }
    if (!this.#done) await this.#ask(step, once ? AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]) : signal);
  }

  changes(): undefined {}

  async close(): Promise<void> {}

  /** In a run with `--once`, waits until the rate limit allows the next call. Logs progress from time to time. */
  async #awaitBudget(milliseconds: number, signal: AbortSignal): Promise<void> {
    const { settings, logger, clock } = this.#pulls.options;
    const now = clock();
    if (milliseconds >= LOG_MS || now - this.#loggedAt >= LOG_MS) {
      this.#loggedAt = now;
      logger.info('waiting for the rate limit', {
        calls: this.#calls,
        users_answered: this.#answers,
        users_due: this.#pulls.schedule.dueUsers(now),
        calls_a_minute: settings.calls_a_minute,
        next_in_s: Math.ceil(milliseconds / 1000),
      });
    }
    const ended = this.#progress?.wait(PART, 'the budget of calls', {
      deadlineMs: Number.POSITIVE_INFINITY,
      dueMs: milliseconds,
    });
    await pause(milliseconds, signal);
    ended?.();
  }

  async #ask(step: Call, signal: AbortSignal): Promise<void> {
    const askedAt = this.#pulls.options.clock();
    try {
      await this.#call(step, askedAt, signal);
      this.#failures = 0;
      this.#pulls.options.metrics.count('aorta_pulls_calls_total', { call: step.ask });
    } catch (error) {
      if (signal.aborted) return;
      if (!isAortaError(error) || !error.code.startsWith('AORTA-SERVICE-')) throw error;
      if (!(await this.#isAnswer(step, askedAt, error))) this.#failed(step, error);
    }
  }

  async #call(step: Call, askedAt: number, signal: AbortSignal): Promise<void> {
    const { settings, logger } = this.#pulls.options;
    const page = step.ask === 'page';
    const query = page ? { userLimit: settings.page_users, cursor: this.#sweep.cursor } : { userId: step.userId };
    const { value, servedAt } = await this.#client.historicalPulls(query, signal, this.#budget);
    const asked = { askedAt, servedAt };
    for (const answer of value.items) this.#emitter.record('introspection_polls', pollRecord(answer, asked, settings));
    // The service has no pulls for this user, so an empty answer is recorded and the user counts as settled.
    if (!page && value.items.length === 0)
      this.#emitter.record('introspection_polls', pollRecord({ user_id: step.userId, provider: {} }, asked, settings));
    await this.#emitter.durable();
    this.#calls += 1;
    this.#answers += value.items.length;
    for (const { user_id } of value.items) this.#pulls.schedule.answered(user_id, askedAt);
    if (!page) this.#pulls.schedule.answered(step.userId, askedAt);
    if (value.misshapen > 0) logger.warn('answers without a user id', { operation: 'introspection', count: value.misshapen });
    if (page) await this.#sweep.advance(value.next);
    if (page) this.#listGone = false;
  }

  /**
   * Handles two errors that count as answers: the service no longer accepts the cursor, or it no longer has the user.
   * Returns false for any other error.
   */
  async #isAnswer(step: Call, askedAt: number, { code }: AortaError): Promise<boolean> {
    const { settings } = this.#pulls.options;
    const gone = code === 'AORTA-SERVICE-GONE';
    if (step.ask === 'page') {
      if (code === 'AORTA-SERVICE-REFUSED' && this.#sweep.forgotten()) return true;
      this.#listGone = gone;
      return false;
    }
    if (!gone || this.#listGone) return false;
    this.#emitter.record(
      'introspection_polls',
      goneRecord(step.userId, { askedAt, servedAt: systemTime(askedAt) * 1000 }, settings),
    );
    await this.#emitter.durable();
    this.#pulls.schedule.answered(step.userId, askedAt);
    return true;
  }

  #failed(step: Call, error: AortaError): void {
    const { logger, metrics, clock } = this.#pulls.options;
    this.#failures += 1;
    metrics.count('aorta_pulls_calls_total', { call: 'failed' });
    if (step.ask === 'page') this.#sweep.failed();
    this.#notBefore = clock() + backoff(this.#failures, PAUSE_MS, LONGEST_PAUSE_MS);
    // Only the first of several consecutive failures is logged.
    if (this.#failures === 1) logger.warn('introspection failed', errorFields(error));
  }
}
