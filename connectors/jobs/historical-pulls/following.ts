import type { ServiceClient } from '@aorta/service-client';
import { partitionOf, type StreamLog } from '@aorta/streams';
import {
  errorFields,
  isAortaError,
  type Lane,
  type Logger,
  type Metrics,
  type ProgressReports,
  silentLogger,
  silentMetrics,
} from '@aorta/telemetry';
import { Agenda } from './agenda.ts';
import { Notices } from './notices.ts';
import { type HistoricalPullsSettings, paceOf } from './options.ts';
import { goneRecord, pollRecord } from './poll-record.ts';
import { type Positions, readSent, readSnapshot, writeSent, writeSnapshot } from './snapshot.ts';
import { type EvidenceStream, evidenceStreams, Tracker } from './tracker.ts';

/** Group as which the tracker reads the streams. */
const GROUP = 'historical-pulls';
const PART = 'historical pulls';

/** Records that are heard at a time: in between, whoever else is of this thread has its turn. */
const BATCH = { records: 200, bytes: 1024 * 1024 };
/** The streams are looked at so often while nothing is asked. */
const LOOK_MS = 500;
/** What was heard is written down so often: nothing depends on it but the time of the next start. */
const SNAPSHOT_MS = 300_000;
/** After a failed call the next one waits so long, and twice as long after each further one. */
const PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 30_000;

export interface FollowingOptions {
  /** The streams, which are read and appended to. */
  readonly log: StreamLog;
  /** The service; undefined where only events tell of pulls. */
  readonly client: Pick<ServiceClient, 'historicalPulls'> | undefined;
  readonly settings: HistoricalPullsSettings;
  /** Folder in which the tracker is written down. */
  readonly folder: string;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
  readonly progress?: ProgressReports;
  /** Milliseconds since 1970; default: the machine's clock. */
  readonly clock?: () => number;
}

/** The job that follows historical pulls. */
export interface Following {
  /** Hears everything that the streams hold now, asks for whoever is due, and folds that too. */
  once(): Promise<void>;
  /** Follows until the signal comes; rejects where the streams cannot be read or written. */
  run(signal: AbortSignal): Promise<void>;
  /** Writes down what is known. */
  close(): Promise<void>;
}

/** Opens the tracker, as it was written down last. */
export async function followHistoricalPulls(options: FollowingOptions): Promise<Following> {
  const following = new Follower(options);
  await following.open();
  return following;
}

class Follower implements Following {
  readonly #options: FollowingOptions;
  readonly #logger: Logger;
  readonly #metrics: Metrics;
  readonly #clock: () => number;
  readonly #tracker = new Tracker();
  readonly #agenda: Agenda;
  readonly #positions = Object.fromEntries(
    evidenceStreams.map((stream) => [stream, { incarnation: '', position: 0 }]),
  ) as Positions;
  readonly #lanes = new Map<EvidenceStream, Lane>();
  readonly #unwatch: () => void;
  #notices: Notices | undefined;
  readonly #damaged = new Set<EvidenceStream>();
  #changed = false;
  #snapshotAt: number;
  /** Of the list of all users: where its next page begins, and those that were seen. */
  #cursor: string | undefined;
  #cursors = new Set<string>();
  #failures = 0;
  #notBefore = Number.NEGATIVE_INFINITY;

  constructor(options: FollowingOptions) {
    this.#options = options;
    this.#logger = options.logger ?? silentLogger;
    this.#metrics = options.metrics ?? silentMetrics;
    this.#clock = options.clock ?? Date.now;
    this.#agenda = new Agenda(paceOf(options.settings));
    this.#snapshotAt = this.#clock() + SNAPSHOT_MS;
    this.#unwatch = this.#metrics.watch((set) => {
      set('aorta_pulls_users', {}, this.#tracker.users);
      set('aorta_pulls_evidence_bytes', {}, this.#tracker.bytes());
      const oldest = this.#agenda.oldest();
      if (oldest !== undefined) set('aorta_pulls_oldest_answer_seconds', {}, Math.max(0, this.#clock() - oldest) / 1000);
    });
  }

  async open(): Promise<void> {
    const { folder, log, settings } = this.#options;
    const remembered = await readSnapshot(folder, log);
    const now = this.#clock();
    for (const [userId, gone, evidence] of remembered?.users ?? [])
      this.#agenda.heard(userId, this.#tracker.restore(userId, gone, evidence), now);
    Object.assign(this.#positions, remembered?.positions);
    if (settings.notices !== undefined) this.#notices = new Notices(settings.notices, remembered?.owed, await readSent(folder));
    for (const stream of evidenceStreams) {
      const lane = this.#options.progress?.lane({ kind: 'stream', reader: GROUP, of: stream }, { part: PART });
      if (lane !== undefined) this.#lanes.set(stream, lane);
    }
  }

  async once(): Promise<void> {
    await this.#hearAll();
    // Everybody who is due now, at the configured pace; who becomes due meanwhile is due the next time.
    const soon = Math.max(1000, paceOf(this.#options.settings).betweenCallsMs);
    const asked = new Set<string>();
    while (this.#options.client !== undefined && this.#failures === 0) {
      const step = this.#agenda.next(this.#clock());
      if (step.ask === 'nothing') {
        const wait = step.at - this.#clock();
        if (wait > soon) break;
        await pause(Math.max(1, wait), undefined);
        continue;
      }
      if (step.ask === 'user' && asked.has(step.userId)) break;
      if (step.ask === 'user') asked.add(step.userId);
      await this.#ask(step, AbortSignal.timeout(600_000));
      await this.#hearAll();
    }
    await this.#notify(AbortSignal.timeout(60_000));
  }

  async #notify(signal: AbortSignal): Promise<void> {
    if (this.#notices === undefined || !(await this.#notices.send(this.#clock(), signal))) return;
    this.#changed = true;
    await writeSent(this.#options.folder, this.#notices.sent());
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#hearAll(signal);
      await this.#notify(signal);
      if (this.#changed && this.#clock() >= this.#snapshotAt) await this.#writeDown();
      const wait = this.#options.client === undefined ? LOOK_MS : await this.#askNext(signal);
      if (wait > 0) await pause(Math.min(LOOK_MS, wait), signal);
    }
  }

  /** One call, if one is due; gives how long nothing is. */
  async #askNext(signal: AbortSignal): Promise<number> {
    const now = this.#clock();
    if (now < this.#notBefore) return this.#notBefore - now;
    const step = this.#agenda.next(now);
    if (step.ask === 'nothing') return step.at - now;
    await this.#ask(step, signal);
    return 0;
  }

  /** Hears what the streams hold that was not heard, folds it, and appends what became of it. */
  async #hearAll(signal?: AbortSignal): Promise<void> {
    const { log } = this.#options;
    let heard = false;
    for (let more = true; more && signal?.aborted !== true; heard ||= more) {
      more = false;
      for (const stream of evidenceStreams) if (await this.#hear(stream)) more = true;
      if (more) await this.#fold();
    }
    if (!heard) return;
    this.#changed = true;
    for (const stream of evidenceStreams) {
      const { position } = this.#positions[stream];
      if (position > 0) await log.commit(GROUP, partitionOf(stream), position);
    }
  }

  /** A batch of a stream; false where it has nothing new. Of a stream that is damaged nothing more is heard, and the others go on. */
  async #hear(stream: EvidenceStream): Promise<boolean> {
    const { log } = this.#options;
    const of = partitionOf(stream);
    const { position } = this.#positions[stream];
    const end = log.end(of);
    this.#lanes.get(stream)?.report({ position, end, state: this.#damaged.has(stream) ? 'damaged' : 'reading' });
    if (position >= end || this.#damaged.has(stream)) return false;
    try {
      const read = await log.read(of, position, BATCH);
      for (const record of read.records) this.#tracker.hear(stream, record as never);
      this.#positions[stream] = { incarnation: log.incarnation(of), position: read.to };
      this.#lanes.get(stream)?.report({ position: read.to, end });
      return read.to > position;
    } catch (error) {
      if (!isAortaError(error) || error.code !== 'AORTA-SEGMENT-CORRUPT') throw error;
      this.#damaged.add(stream);
      this.#logger.error('stream cannot be read', { stream, ...errorFields(error) });
      return false;
    }
  }

  async #fold(): Promise<void> {
    const { log } = this.#options;
    const now = this.#clock();
    const { tracks, users, present } = this.#tracker.fold();
    for (const track of tracks) log.append('historical_pull_tracks', track);
    if (tracks.length > 0) await log.flush();
    for (const [userId, standing] of users) this.#agenda.heard(userId, standing, now);
    this.#notices?.look(present, now);
    this.#metrics.count('aorta_pulls_tracks_total', {}, tracks.length);
  }

  async #ask(
    step: { readonly ask: 'page' } | { readonly ask: 'user'; readonly userId: string },
    signal: AbortSignal,
  ): Promise<void> {
    const { client, log, settings } = this.#options;
    const askedAt = this.#clock();
    try {
      const page = step.ask === 'page';
      const query = page ? { userLimit: settings.page_users, cursor: this.#cursor } : { userId: step.userId };
      const { value, servedAt } = await client!.historicalPulls(query, signal);
      for (const answer of value.items) log.append('introspection_polls', pollRecord(answer, { askedAt, servedAt }, settings));
      // The service has nothing of this user: asked again at the pace of one who has settled.
      if (!page && value.items.length === 0)
        log.append('introspection_polls', pollRecord({ user_id: step.userId, provider: {} }, { askedAt, servedAt }, settings));
      await log.flush();
      for (const { user_id } of value.items) this.#agenda.answered(user_id, askedAt);
      if (!page) this.#agenda.answered(step.userId, askedAt);
      if (value.misshapen > 0)
        this.#logger.warn('answers without a user id', { operation: 'introspection', count: value.misshapen });
      if (page) this.#turn(value.next);
      this.#failures = 0;
      this.#metrics.count('aorta_pulls_calls_total', { call: step.ask });
    } catch (error) {
      if (signal.aborted) return;
      if (!isAortaError(error) || !error.code.startsWith('AORTA-SERVICE-')) throw error;
      if (error.code === 'AORTA-SERVICE-GONE' && step.ask === 'user') {
        log.append('introspection_polls', goneRecord(step.userId, { askedAt, servedAt: askedAt * 1000 }, settings));
        await log.flush();
        this.#agenda.answered(step.userId, askedAt);
        return;
      }
      this.#failures += 1;
      this.#metrics.count('aorta_pulls_calls_total', { call: 'failed' });
      if (step.ask === 'page') this.#endSweep(false);
      this.#notBefore = this.#clock() + Math.min(LONGEST_PAUSE_MS, PAUSE_MS * 2 ** Math.min(this.#failures - 1, 10));
      // What lasts is said once, not with every call.
      if (this.#failures === 1) this.#logger.warn('introspection failed', errorFields(error));
    }
  }

  /** Goes on to the next page; a cursor that was there already leads nowhere. */
  #turn(next: string | undefined): void {
    if (next === undefined) this.#endSweep(true);
    else if (this.#cursors.has(next)) {
      this.#logger.warn('the pages of all users go round in a circle', { pages: this.#cursors.size + 1 });
      this.#endSweep(false);
    } else {
      this.#cursors.add(next);
      this.#cursor = next;
    }
  }

  #endSweep(whole: boolean): void {
    this.#cursor = undefined;
    this.#cursors = new Set();
    this.#agenda.sweepEnded(this.#clock(), whole);
  }

  async #writeDown(): Promise<void> {
    await writeSnapshot(this.#options.folder, this.#tracker, this.#positions, this.#notices?.owed());
    this.#changed = false;
    this.#snapshotAt = this.#clock() + SNAPSHOT_MS;
  }

  async close(): Promise<void> {
    this.#unwatch();
    for (const lane of this.#lanes.values()) lane.end();
    if (this.#changed) await this.#writeDown();
  }
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((done) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      done();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
  });
}
