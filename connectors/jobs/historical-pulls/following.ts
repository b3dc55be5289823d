import type { CallBudget, ServiceClient } from '@aorta/service-client';
import { type StreamLog, type StreamPartition, shortPartitionName } from '@aorta/streams';
import {
  errorFields,
  isAortaError,
  type Lane,
  type Logger,
  type Metrics,
  type ProgressReports,
  pause,
  silentLogger,
  silentMetrics,
} from '@aorta/telemetry';
import { type Heard, positionIn } from '../heard.ts';
import { brokenFor } from '../jobs.ts';
import { Agenda } from './agenda.ts';
import { Notices, type Owed } from './notices.ts';
import { type HistoricalPullsSettings, paceOf } from './options.ts';
import { goneRecord, pollRecord } from './poll-record.ts';
import type { PullsMemory, Remembered } from './pulls-memory.ts';
import { type EvidenceStream, evidenceStreams, type PresentPull, Tracker, type UserStanding } from './tracker.ts';

/** Group as which the tracker reads the streams. */
export const PULLS_GROUP = 'historical-pulls';
const PART = 'historical pulls';

/** Records that are heard at a time: in between, whoever else is of this thread has its turn. */
const BATCH = { records: 200, bytes: 1024 * 1024 };
/** The streams are looked at so often while nothing is asked. */
const LOOK_MS = 500;
/** What a broker is about to send is waited for so long at a time. */
const ARRIVING_MS = 20;
/** What was heard is written down so often: nothing depends on it but the time of the next start. */
const SNAPSHOT_MS = 300_000;
/** A run that ends says so often how far it is, at least. */
const TOLD_MS = 5_000;
/** After a failed call the next one waits so long, and twice as long after each further one. */
const PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 30_000;

/** Where evidence is read, and answers are appended. */
type Evidence = Omit<StreamLog, 'close' | 'groups' | 'committed' | 'pendingBytes'>;

/** Opens it, and says how it is closed. `heard` says how far the tracker is in a partition, at any time: one that comes is read from there. */
export type OpenEvidence = (
  heard: (of: StreamPartition) => Heard | undefined,
  streams: readonly EvidenceStream[],
) => Promise<{ readonly log: Evidence; close(): Promise<void> }>;

export interface FollowingOptions {
  readonly openLog: OpenEvidence;
  /** The service; undefined where only events tell of pulls. */
  readonly client: Pick<ServiceClient, 'historicalPulls'> | undefined;
  readonly settings: HistoricalPullsSettings;
  /** Where the tracker is written down. */
  readonly memory: PullsMemory;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
  readonly progress?: ProgressReports;
  /** Milliseconds since 1970; default: the machine's clock. */
  readonly clock?: () => number;
}

/** The job that follows historical pulls. */
export interface Following {
  /** Hears everything that the streams hold now, asks for whoever is due, and folds that too. */
  once(signal?: AbortSignal): Promise<void>;
  /** Follows until the signal comes; rejects where the streams cannot be read or written. */
  run(signal: AbortSignal): Promise<void>;
  /** Writes down what is known, unless it is another worker's by now. */
  close(lost?: boolean): Promise<void>;
}

/** Opens the tracker, as it was written down last. */
export async function followHistoricalPulls(options: FollowingOptions): Promise<Following> {
  const following = new Follower(options);
  try {
    await following.open();
    return following;
  } catch (error) {
    await following.close(true);
    throw error;
  }
}

class Follower implements Following {
  readonly #options: FollowingOptions;
  readonly #logger: Logger;
  readonly #metrics: Metrics;
  readonly #clock: () => number;
  readonly #tracker = new Tracker();
  readonly #agenda: Agenda;
  /** By partition. */
  readonly #positions = new Map<string, Heard>();
  readonly #lanes = new Map<string, Lane>();
  #opened: Awaited<ReturnType<OpenEvidence>> | undefined;
  readonly #unwatch: () => void;
  #notices: Notices | undefined;
  #noticesFail = false;
  /** The list of all users has ended, and its last answers are still to be heard. */
  #sweepEnded = false;
  readonly #damaged = new Set<string>();
  #changed = false;
  #snapshotAt: number;
  /** Of the list of all users: where its next page begins, and those that were seen. */
  #cursor: string | undefined;
  #cursors = new Set<string>();
  /** The service does not know the list itself: its address is another one, and no user is gone for that. */
  #listGone = false;
  /** Ends the wait of who hears. */
  #answered: () => void = () => {};
  /** When the list was begun that an earlier process did not end, as long as this one goes on with it. */
  #resumed: number | undefined;
  /** The first page of such a list: its cursor may be of no use any more. */
  #resuming = false;
  /** Of a run that ends: calls made, answers had, and when it last said so. */
  #calls = 0;
  #answers = 0;
  #toldAt = Number.NEGATIVE_INFINITY;
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
      set('aorta_pulls_notices_waiting', {}, this.#notices?.waiting ?? 0);
      set('aorta_pulls_evidence_bytes', {}, this.#tracker.bytes());
      const oldest = this.#agenda.oldest();
      if (oldest !== undefined) set('aorta_pulls_oldest_answer_seconds', {}, Math.max(0, this.#clock() - oldest) / 1000);
    });
  }

  /** What further attempts of one call count in, beside the calls of the agenda. */
  readonly #budget: CallBudget = {
    wait: () => this.#agenda.untilNextCall(this.#clock()),
    spend: () => this.#agenda.called(this.#clock()),
  };

  get #log(): Evidence {
    return this.#opened!.log;
  }

  async open(): Promise<void> {
    const { memory, settings, openLog } = this.#options;
    const remembered = await memory.read();
    for (const [name, position] of Object.entries(remembered?.positions ?? {})) this.#positions.set(name, position);
    this.#opened = await openLog((of) => this.#positions.get(shortPartitionName(of)), evidenceStreams);
    await this.#resumeSweep();
    await this.#openNotices(settings, remembered?.owed);
    if (remembered !== undefined && this.#fits()) this.#restore(remembered);
    else this.#positions.clear();
  }

  /** Notices that are switched off forget what was told: when they are switched on again, they begin with a summary. */
  async #openNotices({ notices }: HistoricalPullsSettings, owed: Owed | undefined): Promise<void> {
    const { memory } = this.#options;
    const sent = await memory.readSent();
    if (notices === undefined) {
      if (sent.length > 0) await memory.writeSent([]);
      return;
    }
    this.#notices = new Notices(notices, owed, sent, this.#clock());
    this.#notices.onPosted = (posted, failures) => {
      this.#metrics.count('aorta_pulls_notices_total', { outcome: posted.accepted ? 'accepted' : 'failed' });
      // What lasts is said once, and when it has passed.
      if (!posted.accepted && failures === 1) this.#logger.warn('notices are not accepted', { problem: posted.problem });
      if (posted.accepted && this.#noticesFail) this.#logger.info('notices are accepted again');
      this.#noticesFail = failures > 0;
    };
  }

  /** Goes on with the list of all users that an earlier process did not end: whom it was answered for is not asked for again. */
  async #resumeSweep(): Promise<void> {
    const sweep = await this.#options.memory.readSweep();
    const { settledMs } = paceOf(this.#options.settings);
    if (sweep === undefined || this.#options.client === undefined || this.#clock() - sweep.began > settledMs) return;
    this.#cursor = sweep.cursor;
    this.#resumed = sweep.began;
    this.#resuming = true;
    this.#agenda.resumeSweep(sweep.began);
  }

  #heardOf(userId: string, standing: UserStanding, now: number): void {
    const { askedAt } = standing;
    if (askedAt !== undefined) this.#agenda.called(Math.min(askedAt, now));
    this.#agenda.heard(userId, standing, now);
    if (this.#resumed !== undefined && askedAt !== undefined && askedAt >= this.#resumed) this.#agenda.answered(userId, askedAt);
  }

  /** Of other streams than these nothing is known: where they hold all there ever was, it is heard anew. */
  #fits(): boolean {
    if (!this.#options.memory.ofTheseStreams) return true;
    return this.#partitions().every((of) => {
      const { incarnation, position } = this.#positions.get(shortPartitionName(of)) ?? { incarnation: '', position: 0 };
      return position === 0 || (incarnation === this.#log.incarnation(of) && position <= this.#log.end(of));
    });
  }

  #restore({ users }: Remembered): void {
    const now = this.#clock();
    const notices = this.#notices;
    const tell = notices?.beginning ? (one: PresentPull) => notices.look([one], now) : undefined;
    for (const [userId, gone, evidence] of users) this.#heardOf(userId, this.#tracker.restore(userId, gone, evidence, tell), now);
  }

  #partitions(): readonly StreamPartition[] {
    return this.#log.assigned().filter(({ stream }) => (evidenceStreams as readonly string[]).includes(stream));
  }

  async once(signal: AbortSignal = new AbortController().signal): Promise<void> {
    await this.#hearAll(signal);
    // Everybody who is due now, at the configured pace; who becomes due meanwhile is due the next time.
    const soon = Math.max(1000, paceOf(this.#options.settings).betweenCallsMs);
    const asked = new Set<string>();
    while (this.#options.client !== undefined && this.#failures === 0 && !signal.aborted) {
      const step = this.#agenda.next(this.#clock());
      if (step.ask === 'nothing') {
        const wait = step.at - this.#clock();
        if (wait > soon) break;
        await this.#awaitBudget(Math.max(1, wait), signal);
        continue;
      }
      if (step.ask === 'user' && asked.has(step.userId)) break;
      if (step.ask === 'user') asked.add(step.userId);
      await this.#ask(step, AbortSignal.any([signal, AbortSignal.timeout(600_000)]));
      await this.#hearAll(signal);
    }
    this.#notices?.gathered();
    await this.#notify(AbortSignal.any([signal, AbortSignal.timeout(60_000)]));
  }

  /** Waits for the next call of a run that ends, and says from time to time how far it is. */
  async #awaitBudget(milliseconds: number, signal: AbortSignal): Promise<void> {
    const now = this.#clock();
    if (milliseconds >= TOLD_MS || now - this.#toldAt >= TOLD_MS) {
      this.#toldAt = now;
      this.#logger.info('waits for its budget of calls', {
        calls: this.#calls,
        users_answered: this.#answers,
        users_due: this.#agenda.dueUsers(now),
        calls_a_minute: this.#options.settings.calls_a_minute,
        next_in_s: Math.ceil(milliseconds / 1000),
      });
    }
    const ended = this.#options.progress?.wait(PART, 'the budget of calls', {
      deadlineMs: Number.POSITIVE_INFINITY,
      dueMs: milliseconds,
    });
    await pause(milliseconds, signal);
    ended?.();
  }

  /** Sends the notices that are due, until the other side refuses one. */
  async #notify(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.#notices?.send(this.#clock(), signal)) === true) {
      this.#changed = true;
      await this.#options.memory.writeSent(this.#notices!.sent());
    }
  }

  async run(signal: AbortSignal): Promise<void> {
    const ended = new AbortController();
    const until = AbortSignal.any([signal, ended.signal]);
    // Whom to ask first, the streams say.
    await this.#hearWhatIsThere(until);
    // Beside each other: who is asked and who is told may be slow, and what comes meanwhile must be heard all the same.
    const parts = [this.#hearOn(until)];
    if (this.#options.client !== undefined) parts.push(this.#askOn(until));
    if (this.#notices !== undefined) parts.push(this.#notifyOn(until));
    const outcomes = await Promise.allSettled(parts.map((part) => part.finally(() => ended.abort())));
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
  }

  async #notifyOn(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#notify(signal);
      await pause(LOOK_MS, signal);
    }
  }

  async #hearOn(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const ended = this.#sweepEnded;
      this.#sweepEnded = false;
      await this.#hearWhatIsThere(signal);
      // Where the service is asked, all is heard once the last answers of its list are.
      if (this.#options.client === undefined || ended) this.#notices?.gathered();
      if (this.#changed && this.#clock() >= this.#snapshotAt) await this.#writeDown();
      await this.#grown(signal);
    }
  }

  async #askOn(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const wait = await this.#askNext(signal);
      if (wait > 0) await pause(Math.min(LOOK_MS, wait), signal);
    }
  }

  /** Waits until the streams are looked at again: at once after an answer, which they hold now. */
  #grown(signal: AbortSignal): Promise<void> {
    const answered = new AbortController();
    this.#answered = () => answered.abort();
    return pause(LOOK_MS, AbortSignal.any([signal, answered.signal]));
  }

  /** One call, if one is due; gives how long nothing is. */
  async #askNext(signal: AbortSignal): Promise<number> {
    const now = this.#clock();
    if (now < this.#notBefore) return this.#notBefore - now;
    const step = this.#agenda.next(now);
    if (step.ask === 'nothing') return step.at - now;
    await this.#ask(step, signal);
    this.#answered();
    return 0;
  }

  /** Hears everything that the streams hold now: of topics it may be on its way. */
  async #hearAll(signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.#hearWhatIsThere(signal);
      await this.#log.look?.();
      if (signal.aborted || !this.#partitions().some((of) => this.#isBehind(of))) return;
      await pause(ARRIVING_MS, signal);
    }
  }

  /** Hears what has come and was not heard, folds it, and appends what became of it. */
  async #hearWhatIsThere(signal: AbortSignal): Promise<void> {
    let heard = false;
    for (let more = true; more && !signal.aborted; heard ||= more) {
      more = false;
      for (const of of this.#partitions()) if (await this.#hear(of)) more = true;
      if (more) await this.#fold();
    }
    if (!heard) return;
    this.#changed = true;
    for (const of of this.#partitions()) {
      const position = this.#positionIn(of);
      if (position !== undefined && position > 0) await this.#log.commit(PULLS_GROUP, of, position);
    }
  }

  /** How far a partition was heard; undefined where it never was, or is another one since. */
  #positionIn(of: StreamPartition): number | undefined {
    return positionIn(this.#log, of, this.#positions.get(shortPartitionName(of)));
  }

  #isBehind(of: StreamPartition): boolean {
    return (this.#positionIn(of) ?? this.#log.start(of)) < this.#log.end(of) && !this.#damaged.has(shortPartitionName(of));
  }

  /** A batch of a partition; false where it has nothing new. Of one that is damaged nothing more is heard, and the others go on. */
  async #hear(of: StreamPartition): Promise<boolean> {
    const log = this.#log;
    const name = shortPartitionName(of);
    const position = this.#positionIn(of) ?? log.start(of);
    const [end, damaged] = [log.end(of), this.#damaged.has(name)];
    if (end === 0) return false;
    this.#laneOf(of)?.report({ position, end, state: damaged ? 'damaged' : 'reading' });
    if (position >= end || damaged) return false;
    try {
      const read = await log.read(of, position, BATCH);
      // Lost meanwhile: whoever has it now hears it.
      if (!log.assigned().includes(of)) return false;
      for (const record of read.records) this.#tracker.hear(of.stream as EvidenceStream, record as never);
      this.#positions.set(name, { incarnation: log.incarnation(of), position: read.to });
      this.#laneOf(of)?.report({ position: read.to, end });
      return read.to > position;
    } catch (error) {
      if (!isAortaError(error) || !brokenFor.has(error.code)) throw error;
      this.#damaged.add(name);
      this.#logger.error('stream cannot be read', { stream: of.stream, partition: of.partition, ...errorFields(error) });
      return false;
    }
  }

  #laneOf(of: StreamPartition): Lane | undefined {
    const name = shortPartitionName(of);
    let lane = this.#lanes.get(name);
    if (lane === undefined) {
      lane = this.#options.progress?.lane({ kind: 'stream', reader: PULLS_GROUP, of: name }, { part: PART });
      if (lane !== undefined) this.#lanes.set(name, lane);
    }
    return lane;
  }

  async #fold(): Promise<void> {
    const log = this.#log;
    const now = this.#clock();
    const { tracks, users, present } = this.#tracker.fold();
    for (const track of tracks) log.append('historical_pull_tracks', track);
    if (tracks.length > 0) await log.flush();
    for (const [userId, standing] of users) this.#heardOf(userId, standing, now);
    this.#notices?.look(present, now);
    this.#metrics.count('aorta_pulls_tracks_total', {}, tracks.length);
  }

  async #ask(
    step: { readonly ask: 'page' } | { readonly ask: 'user'; readonly userId: string },
    signal: AbortSignal,
  ): Promise<void> {
    const { client, settings } = this.#options;
    const log = this.#log;
    const askedAt = this.#clock();
    try {
      const page = step.ask === 'page';
      const query = page ? { userLimit: settings.page_users, cursor: this.#cursor } : { userId: step.userId };
      const { value, servedAt } = await client!.historicalPulls(query, signal, this.#budget);
      for (const answer of value.items) log.append('introspection_polls', pollRecord(answer, { askedAt, servedAt }, settings));
      // The service has nothing of this user: asked again at the pace of one who has settled.
      if (!page && value.items.length === 0)
        log.append('introspection_polls', pollRecord({ user_id: step.userId, provider: {} }, { askedAt, servedAt }, settings));
      await log.flush();
      this.#calls += 1;
      this.#answers += value.items.length;
      for (const { user_id } of value.items) this.#agenda.answered(user_id, askedAt);
      if (!page) this.#agenda.answered(step.userId, askedAt);
      if (value.misshapen > 0)
        this.#logger.warn('answers without a user id', { operation: 'introspection', count: value.misshapen });
      if (page) await this.#turn(value.next);
      if (page) this.#listGone = false;
      this.#failures = 0;
      this.#metrics.count('aorta_pulls_calls_total', { call: step.ask });
    } catch (error) {
      if (signal.aborted) return;
      if (!isAortaError(error) || !error.code.startsWith('AORTA-SERVICE-')) throw error;
      if (step.ask === 'page' && this.#resuming && error.code === 'AORTA-SERVICE-REFUSED') {
        // The service has forgotten the cursor: the list begins anew.
        this.#resuming = false;
        this.#cursor = undefined;
        return;
      }
      const gone = error.code === 'AORTA-SERVICE-GONE';
      if (step.ask === 'page') this.#listGone = gone;
      else if (gone && !this.#listGone) {
        log.append('introspection_polls', goneRecord(step.userId, { askedAt, servedAt: askedAt * 1000 }, settings));
        await log.flush();
        this.#agenda.answered(step.userId, askedAt);
        return;
      }
      this.#failures += 1;
      this.#metrics.count('aorta_pulls_calls_total', { call: 'failed' });
      if (step.ask === 'page') await this.#endSweep(false, 'keep');
      this.#notBefore = this.#clock() + Math.min(LONGEST_PAUSE_MS, PAUSE_MS * 2 ** Math.min(this.#failures - 1, 10));
      // What lasts is said once, not with every call.
      if (this.#failures === 1) this.#logger.warn('introspection failed', errorFields(error));
    }
  }

  /** Goes on to the next page; a cursor that was there already leads nowhere. */
  async #turn(next: string | undefined): Promise<void> {
    this.#resuming = false;
    if (next === undefined) await this.#endSweep(true);
    else if (this.#cursors.has(next)) {
      this.#logger.warn('the pages of all users go round in a circle', { pages: this.#cursors.size + 1 });
      await this.#endSweep(false);
    } else {
      this.#cursors.add(next);
      this.#cursor = next;
      const began = this.#agenda.sweepBegan;
      if (began !== undefined) await this.#options.memory.writeSweep({ began, cursor: next });
    }
  }

  /** `keep`: the next process goes on where this one could not. */
  async #endSweep(whole: boolean, kept: 'forget' | 'keep' = 'forget'): Promise<void> {
    const written = this.#cursor !== undefined && kept === 'forget';
    this.#sweepEnded = true;
    this.#resumed = undefined;
    this.#cursor = undefined;
    this.#cursors = new Set();
    this.#agenda.sweepEnded(this.#clock(), whole);
    if (written) await this.#options.memory.writeSweep(undefined);
  }

  async #writeDown(): Promise<void> {
    const positions = Object.fromEntries(this.#positions);
    await this.#options.memory.write(this.#tracker, this.#tracker.takeChanged(), positions, this.#notices?.owed());
    this.#changed = false;
    this.#snapshotAt = this.#clock() + SNAPSHOT_MS;
  }

  async close(lost = false): Promise<void> {
    this.#unwatch();
    for (const lane of this.#lanes.values()) lane.end();
    try {
      if (this.#changed && !lost) await this.#writeDown();
    } finally {
      await this.#opened?.close();
      await this.#options.memory.close();
    }
  }
}
