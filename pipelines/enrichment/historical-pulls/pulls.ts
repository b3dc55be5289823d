import type { Logger, Metrics } from '@aorta/runtime';
import type { EnrichmentMetrics } from '../metrics.ts';
import { CallSchedule } from './call-schedule.ts';
import { Notices, type Owed } from './notices.ts';
import { type HistoricalPullsSettings, paceOf, stalledAfterS } from './options.ts';
import type { Positions, SavedPulls, Snapshot } from './saved-state.ts';
import { type Folded, type PresentPull, Tracker, type UserStanding } from './tracker.ts';

/** Milliseconds between two saves of the evidence. A save only makes the next start faster. */
const SNAPSHOT_MS = 300_000;

export interface PullsOptions {
  readonly settings: HistoricalPullsSettings;
  /** Whether the job ends when no work is due. */
  readonly once: boolean;
  readonly logger: Logger;
  readonly metrics: Metrics<EnrichmentMetrics>;
  /** Unsent notices of an earlier process. `sent`: fingerprints of the notices that the process has sent. */
  readonly owed: Owed | undefined;
  readonly sent: readonly string[];
  readonly keep: (snapshot: Snapshot) => Promise<void>;
  /** Returns the time by `steadyNow`. */
  readonly clock: () => number;
}

/** State that the workers of this job share: the pulls of all users, the schedule and the notices. */
export class Pulls {
  readonly tracker: Tracker;
  readonly schedule: CallSchedule;
  readonly notices: Notices | undefined;
  readonly options: PullsOptions;
  readonly #unwatch: () => void;
  /** Start time of the resumed sweep; undefined if no resumed sweep is running. */
  #resumed: number | undefined;
  #changed = false;
  #snapshotAt: number;

  constructor(options: PullsOptions) {
    const { settings, metrics, owed, sent, clock } = options;
    this.options = options;
    this.tracker = new Tracker(stalledAfterS(settings));
    this.schedule = new CallSchedule(paceOf(settings));
    if (settings.notices !== undefined) this.notices = new Notices(settings.notices, owed, sent, clock());
    this.#snapshotAt = clock() + SNAPSHOT_MS;
    this.#unwatch = metrics.watch((set) => {
      set('aorta_pulls_users', {}, this.tracker.users);
      set('aorta_pulls_notices_waiting', {}, this.notices?.waiting ?? 0);
      set('aorta_pulls_evidence_bytes', {}, this.tracker.bytes());
      const oldest = this.schedule.oldest();
      if (oldest !== undefined) set('aorta_pulls_oldest_answer_seconds', {}, Math.max(0, clock() - oldest) / 1000);
    });
  }

  /** Resumes the sweep of an earlier process. Users whose answers have arrived are not polled again. */
  resumeSweep(began: number): void {
    this.#resumed = began;
    this.schedule.resumeSweep(began);
  }

  sweepEnded(whole: boolean): void {
    this.#resumed = undefined;
    this.schedule.sweepEnded(this.options.clock(), whole);
  }

  restore(users: SavedPulls['users']): void {
    const now = this.options.clock();
    const { notices } = this;
    const look = notices?.beginning ? (one: PresentPull) => notices.look([one], now) : undefined;
    for (const [userId, gone, evidence] of users)
      this.#reschedule(userId, this.tracker.restore(userId, gone, evidence, look), now);
  }

  /** Derives the tracks of all users with new evidence. */
  fold(): Folded {
    const now = this.options.clock();
    const folded = this.tracker.fold();
    for (const [userId, standing] of folded.users) this.#reschedule(userId, standing, now);
    this.notices?.look(folded.present, now);
    this.options.metrics.count('aorta_pulls_tracks_total', {}, folded.tracks.length);
    return folded;
  }

  /** Records that the state has changed and must be saved. */
  touch(): void {
    this.#changed = true;
  }

  /** Returns the time at which the next save is due; Infinity if nothing has changed. */
  snapshotAt(): number {
    return this.#changed ? this.#snapshotAt : Number.POSITIVE_INFINITY;
  }

  /** Returns a function that saves the current state. */
  snapshot(positions: Positions): () => Promise<void> {
    const { tracker } = this;
    const owed: Owed | undefined = this.notices?.owed();
    const changed = tracker.takeChanged();
    this.#changed = false;
    this.#snapshotAt = this.options.clock() + SNAPSHOT_MS;
    return () => this.options.keep({ tracker, changed, positions, owed });
  }

  close(): void {
    this.#unwatch();
  }

  #reschedule(userId: string, standing: UserStanding, now: number): void {
    // A later time means that the clock was set back since an earlier process made the call.
    const askedAt = standing.askedAt === undefined ? undefined : Math.min(standing.askedAt, now);
    if (askedAt !== undefined) this.schedule.called(askedAt);
    this.schedule.update(userId, standing, now);
    if (this.#resumed !== undefined && askedAt !== undefined && askedAt >= this.#resumed) this.schedule.answered(userId, askedAt);
  }
}
