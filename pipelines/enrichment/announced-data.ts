import type { ReadBatch } from '@aorta/connectors';
import type { Answer, ServiceClient } from '@aorta/connectors/service';
import { ReadPositions, StreamReader } from '@aorta/connectors/streams';
import {
  type AortaError,
  backoff,
  errorFields,
  isAortaError,
  type Logger,
  type Metrics,
  steadyNow,
  systemTime,
} from '@aorta/runtime';
import type { StreamName, StreamRecords } from '@aorta/schemas';
import { z } from 'zod';
import type { EnrichmentMetrics } from './metrics.ts';
import { documentPart } from './state/document.ts';
import type { DurableState, OpenPart, OpenState } from './state/durable-state.ts';
import type { Emitter, FetchedEvent, OpenEmitter } from './workers/emitter.ts';
import type { OpenJob } from './workers/job.ts';
import type { OpenLog, OpenStreams, StreamReading, Worker } from './workers/worker.ts';

/** Errors that affect every call. They count as failed attempts only if the service answered another call in the batch. */
const ofAll: ReadonlySet<string> = new Set(['AORTA-SERVICE-KEY', 'AORTA-SERVICE-FORBIDDEN', 'AORTA-SERVICE-NOT-ENABLED']);

/** Suffix of an event type that the service no longer sends. Such an event reports that a workout has no stream. */
const UNAVAILABLE = '.unavailable';

interface AnnouncedOptions<S extends StreamName> {
  /** Name of the job in receipts, metrics and logs. */
  readonly name: string;
  /** Stream with events that announce data to fetch. */
  readonly stream: S;
  /** Returns the key and the user of the announced data; undefined if the record announces no data. */
  readonly announces: (record: StreamRecords[S]) => { readonly key: string; readonly userId: string } | undefined;
  readonly fetch: (key: string, signal: AbortSignal) => Promise<Answer<unknown>>;
  /** Event type without its suffix, which is `.fetched` if the data was fetched and `.not_fetched` if the job gave up. */
  readonly event: string;
  /** Returns the event's data. `answer` is undefined if the job has given up. */
  readonly data: (key: string, answer: unknown) => unknown;
  readonly openLog: OpenStreams;
  readonly openEmitter: OpenEmitter;
  /** Opens the durable state of the job. */
  readonly state: OpenState;
  readonly logger: Logger;
  readonly metrics: Metrics<EnrichmentMetrics>;
  /** Default: `steadyNow`. */
  readonly now?: () => number;
}

/** Maximum number of keys that wait to be fetched. When it is reached, the job stops reading announcements for a while. */
const MOST_OWED = 10_000;
/** Maximum number of keys that are fetched at the same time. */
const TOGETHER = 8;
const READ = { records: 2_000, bytes: 4 * 1024 * 1024 };
/** Milliseconds to pause after an error that affects every call, such as an unknown API key. */
const REST_MS = 60_000;

/** Data that an event announced and the job has not fetched yet. */
interface Owed {
  /** Identifies the data. Repeated announcements before the fetch cause a single fetch. */
  readonly key: string;
  readonly userId: string;
  /** Time of the last announcement, by `steadyNow`. */
  readonly since: number;
  /** Number of failed attempts. Attempts do not count while the service is unavailable. */
  readonly attempts: number;
  /** Earliest time of the next attempt, by `steadyNow`. */
  readonly dueAt: number;
}

const owedShape = z.object({
  key: z.string(),
  userId: z.string(),
  since: z.number().default(0),
  attempts: z.int().min(0),
  dueAt: z.number(),
});

const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 6 * 3_600_000;

/** Number of failed attempts after which the job gives up. The last one is about three days after the first one. */
export const QUOTA = 20;

/** The keys that the job must still fetch. Methods receive the current time as `now`. */
class OwedSet {
  readonly #all: Map<string, Owed>;

  constructor(all: readonly Owed[], now: number) {
    // If a key occurs twice, the entry with the latest announcement is kept.
    const latest = new Map([...all].sort((a, b) => a.since - b.since).map((one) => [one.key, one]));
    // If a key would wait for longer than its pause, the clock was set back after an earlier process stored the key. The key
    // is then due at once.
    const isLate = ({ dueAt, attempts }: Owed): boolean => dueAt > now + backoff(attempts, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
    this.#all = new Map([...latest].map(([key, one]) => [key, isLate(one) ? { ...one, dueAt: now } : one]));
  }

  get size(): number {
    return this.#all.size;
  }

  get all(): readonly Owed[] {
    return [...this.#all.values()];
  }

  /**
   * Adds an announcement. It replaces an earlier announcement of the same key and clears its failed attempts, because the
   * data may have changed.
   */
  announce(key: string, userId: string, now: number): void {
    this.#all.set(key, { key, userId, since: now, attempts: 0, dueAt: now });
  }

  /** Returns at most `most` due keys, longest overdue first. */
  due(now: number, most: number): readonly Owed[] {
    return this.all
      .filter(({ dueAt }) => dueAt <= now)
      .sort((a, b) => a.dueAt - b.dueAt)
      .slice(0, most);
  }

  /** Returns the time at which the next key is due; Infinity if there are no keys. */
  nextAt(): number {
    return this.all.reduce((earliest, { dueAt }) => Math.min(earliest, dueAt), Number.POSITIVE_INFINITY);
  }

  settle(key: string): void {
    this.#all.delete(key);
  }

  /** Records a failed attempt. After {@link QUOTA} attempts that count, the key is removed. */
  failed(key: string, now: number, counts: boolean): 'again' | 'given up' {
    const { attempts, ...one } = this.#all.get(key)!;
    const failures = attempts + (counts ? 1 : 0);
    if (failures >= QUOTA) {
      this.#all.delete(key);
      return 'given up';
    }
    this.#all.set(key, { ...one, attempts: failures, dueAt: now + backoff(failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS) });
    return 'again';
  }
}

const remembered = z.object({
  /**
   * Declared before `read`, because the entries are written in this order. If only the first part of an
   * update is written, the read positions stay the same, and the job reads the announcements again.
   */
  owed: z.record(z.string(), owedShape),
  /** Position up to which each partition was read. */
  read: z.record(z.string(), z.object({ incarnation: z.string(), position: z.number() })),
  offset: z.number(),
});
type Remembered = z.output<typeof remembered>;

/**
 * Opens a job that fetches data announced by the events of a stream. Once the answers are durable, the job saves its
 * read positions and the keys that it must still fetch. After a crash, it therefore repeats at most the last calls. If
 * the service no longer has the data, the job drops the key. After {@link QUOTA} failed attempts, a key becomes a dead
 * letter. Attempts do not count while the service is unreachable or rejects the API key.
 */
export async function openAnnounced<S extends StreamName>(options: AnnouncedOptions<S>): Promise<OpenJob> {
  const empty: Remembered = { owed: {}, read: {}, offset: 0 };
  await using opening = new AsyncDisposableStack();
  const state = opening.adopt(await options.state(), (one) => one.close());
  const part = state.open(documentPart(remembered, empty));
  const positions = new ReadPositions(part.content.read, ({ partition }) => String(partition));
  const opened = await options.openLog((of) => positions.get(of), [options.stream]);
  const emitter = options.openEmitter(options.name);
  const worker = new Announced(options, { opened, state, part, positions, emitter });
  opening.move();
  return { workers: [worker], emitter, close: () => emitter.close() };
}

interface Opened {
  readonly opened: OpenLog;
  readonly state: DurableState;
  readonly part: OpenPart<Remembered>;
  readonly positions: ReadPositions;
  readonly emitter: Emitter;
}

interface Outcome {
  /** Whether the service answered, even if it no longer has the data. */
  readonly answered: boolean;
  readonly events: readonly FetchedEvent[];
  readonly refused?: { readonly key: string; readonly userId: string; readonly error: AortaError };
}

class Announced<S extends StreamName> implements Worker {
  readonly reads: StreamReading;
  readonly #options: AnnouncedOptions<S>;
  readonly #opened: Opened;
  readonly #owed: OwedSet;
  readonly #now: () => number;
  readonly #unwatch: () => void;
  #restUntil = 0;
  #loggedError: string | undefined;

  constructor(options: AnnouncedOptions<S>, opened: Opened) {
    const { name, stream, logger, metrics, now = steadyNow } = options;
    const { part, positions } = opened;
    const { log, commit } = opened.opened;
    this.#options = options;
    this.#opened = opened;
    this.#now = now;
    this.#owed = new OwedSet(Object.values(part.content.owed), now());
    opened.emitter.resume(part.content.offset);
    this.reads = {
      reader: new StreamReader({ log, streams: [stream], positions, dropped: 'skip', logger }),
      limit: READ,
      hasRoom: () => this.#owed.size < MOST_OWED,
      commit,
    };
    this.#unwatch = metrics.watch((set) => set('aorta_fetch_owed', { source: name }, this.#owed.size));
  }

  /** Adds the keys that the records announce. */
  process({ records }: ReadBatch<StreamName>): void {
    for (const record of records) {
      const announced = this.#options.announces(record as StreamRecords[S]);
      if (announced !== undefined) this.#owed.announce(announced.key, announced.userId, this.#now());
    }
  }

  nextAt(): number {
    return Math.max(this.#restUntil, this.#owed.nextAt());
  }

  async work(signal: AbortSignal): Promise<void> {
    const due = this.#owed.due(this.#now(), TOGETHER);
    const outcomes = await Promise.all(due.map((one) => this.#fetch(one, signal)));
    if (signal.aborted) return;
    await this.#opened.emitter.event(...outcomes.flatMap(({ events }) => events), ...this.#refused(outcomes));
  }

  changes(): () => Promise<void> {
    const content: Remembered = {
      owed: Object.fromEntries(this.#owed.all.map((one) => [`${one.key} ${one.since}`, one])),
      read: this.#opened.positions.all(),
      offset: this.#opened.emitter.offset,
    };
    return () => this.#opened.part.keep(content);
  }

  async close(): Promise<void> {
    this.#unwatch();
    this.reads.reader.close();
    await this.#opened.opened.close();
    await this.#opened.state.close();
  }

  /** Tries once to fetch the data of a key. */
  async #fetch({ key, userId }: Owed, signal: AbortSignal): Promise<Outcome> {
    const { fetch } = this.#options;
    try {
      const { value, servedAt } = await fetch(key, signal);
      this.#owed.settle(key);
      this.#count('fetched');
      this.#loggedError = undefined;
      return { answered: true, events: [this.#make('fetched', { key, userId }, value, servedAt)] };
    } catch (error) {
      if (signal.aborted) return { answered: false, events: [] };
      if (!isAortaError(error)) throw error;
      if (error.code === 'AORTA-SERVICE-GONE') {
        this.#owed.settle(key);
        this.#count('gone');
        return { answered: true, events: [] };
      }
      this.#logOnce(error);
      if (ofAll.has(error.code)) return { answered: false, events: [], refused: { key, userId, error } };
      const givenUp = error.code === 'AORTA-SERVICE-TOO-LARGE' || this.#failed(key, error, true) === 'given up';
      return { answered: false, events: this.#notFetched(key, userId, givenUp) };
    }
  }

  /**
   * Handles errors in {@link ofAll}. If the service answered other calls in the batch, the errors count as failed
   * attempts. Otherwise the job pauses.
   */
  #refused(outcomes: readonly Outcome[]): FetchedEvent[] {
    const refused = outcomes.flatMap((outcome) => (outcome.refused === undefined ? [] : [outcome.refused]));
    const ofThese = outcomes.some(({ answered }) => answered);
    if (refused.length > 0 && !ofThese) this.#restUntil = this.#now() + REST_MS;
    return refused.flatMap(({ key, userId, error }) =>
      this.#notFetched(key, userId, this.#failed(key, error, ofThese) === 'given up'),
    );
  }

  #notFetched(key: string, userId: string, givenUp: boolean): FetchedEvent[] {
    this.#count(givenUp ? 'given_up' : 'failed');
    if (!givenUp) return [];
    this.#owed.settle(key);
    return [this.#make('not_fetched', { key, userId }, undefined, systemTime(this.#now()) * 1000)];
  }

  #make(ending: string, { key, userId }: Pick<Owed, 'key' | 'userId'>, content: unknown, servedAt: number): FetchedEvent {
    const { event, data } = this.#options;
    return { eventType: `${event}.${ending}`, userId, data: data(key, content), servedAt };
  }

  /** Records a failed attempt. `ofThis`: whether the error affects only this key. */
  #failed(key: string, { code, details }: AortaError, ofThis: boolean): 'again' | 'given up' {
    const away = code === 'AORTA-SERVICE-UNREACHABLE' || details.status === 429 || details.status === 503;
    return this.#owed.failed(key, this.#now(), !away && ofThis);
  }

  #count(outcome: 'fetched' | 'gone' | 'failed' | 'given_up'): void {
    this.#options.metrics.count('aorta_fetches_total', { source: this.#options.name, outcome });
  }

  /** Logs an error only if its code differs from the previous one, so that an outage causes a single log line. */
  #logOnce(error: AortaError): void {
    if (this.#loggedError === error.code) return;
    this.#loggedError = error.code;
    this.#options.logger.warn('fetch failed', { source: this.#options.name, ...errorFields(error) });
  }
}

/** Options that all jobs have in common if they fetch data after an event has announced it. */
type AnnouncedJobOptions = Pick<
  AnnouncedOptions<'workout_stream'>,
  'openLog' | 'openEmitter' | 'state' | 'logger' | 'metrics' | 'now'
> & {
  readonly client: ServiceClient;
};

/** Opens a job that fetches the data points of a workout after an event has announced that they are available. */
export function openWorkoutStreams({ client, ...surrounding }: AnnouncedJobOptions): Promise<OpenJob> {
  return openAnnounced({
    ...surrounding,
    name: 'service-workout-streams',
    stream: 'workout_stream',
    announces: ({ event, workout_id: key }) =>
      event.event_type.endsWith(UNAVAILABLE) ? undefined : { key, userId: event.user_id },
    fetch: (workoutId, signal) => client.workoutStream(workoutId, signal),
    event: 'service.workout_stream',
    data: (workout_id, stream) => ({ workout_id, stream }),
  });
}

/** Returns whether an order in this status has results. The results may be complete, corrected or partial. */
function hasResults(status: string | null): boolean {
  return status !== null && (/^completed(\.|$)/.test(status) || status.endsWith('.partial_results'));
}

/** Opens a job that fetches the results of an order when an event reports that some or all of them are available. */
export function openLabResults({ client, ...surrounding }: AnnouncedJobOptions): Promise<OpenJob> {
  return openAnnounced({
    ...surrounding,
    name: 'service-lab-results',
    stream: 'lab_orders',
    announces: ({ event, id: key, last_event_status: last, status }) =>
      hasResults(last ?? status) ? { key, userId: event.user_id } : undefined,
    fetch: (orderId, signal) => client.orderResult(orderId, signal),
    event: 'service.lab_result',
    data: (order_id, result) => ({ ...(result as object | undefined), order_id }),
  });
}
