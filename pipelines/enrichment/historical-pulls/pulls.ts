import type { Logger, Metrics } from '@aorta/runtime';
import type { EnrichmentMetrics } from '../metrics.ts';
import { Agenda } from './agenda.ts';
import type { Positions, Remembered, Snapshot } from './kept.ts';
import { Notices, type Owed } from './notices.ts';
import { type HistoricalPullsSettings, paceOf } from './options.ts';
import { type Folded, type PresentPull, Tracker, type UserStanding } from './tracker.ts';

/** What was heard is written down so often: nothing depends on it but the time of the next start. */
const SNAPSHOT_MS = 300_000;

export interface PullsOptions {
  readonly settings: HistoricalPullsSettings;
  readonly logger: Logger;
  readonly metrics: Metrics<EnrichmentMetrics>;
  /** Notices that an earlier process did not send, and fingerprints of those that were sent. */
  readonly owed: Owed | undefined;
  readonly sent: readonly string[];
  readonly keep: (snapshot: Snapshot) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** What the workers of this job know together: the pulls of all users, who is asked for when, and who is told of what. */
export class Pulls {
  readonly tracker = new Tracker();
  readonly agenda: Agenda;
  readonly notices: Notices | undefined;
  readonly #options: PullsOptions;
  readonly #unwatch: () => void;
  /** When the list was begun that an earlier process did not end, as long as this one goes on with it. */
  #resumed: number | undefined;
  #changed = false;
  #snapshotAt: number;

  constructor(options: PullsOptions) {
    const { settings, metrics, owed, sent, clock } = options;
    this.#options = options;
    this.agenda = new Agenda(paceOf(settings));
    if (settings.notices !== undefined) this.notices = new Notices(settings.notices, owed, sent, clock());
    this.#snapshotAt = clock() + SNAPSHOT_MS;
    this.#unwatch = metrics.watch((set) => {
      set('aorta_pulls_users', {}, this.tracker.users);
      set('aorta_pulls_notices_waiting', {}, this.notices?.waiting ?? 0);
      set('aorta_pulls_evidence_bytes', {}, this.tracker.bytes());
      const oldest = this.agenda.oldest();
      if (oldest !== undefined) set('aorta_pulls_oldest_answer_seconds', {}, Math.max(0, clock() - oldest) / 1000);
    });
  }

  /** Goes on with the list of all users that an earlier process began then: whom it was answered for is not asked for again. */
  resumeSweep(began: number): void {
    this.#resumed = began;
    this.agenda.resumeSweep(began);
  }

  sweepEnded(whole: boolean): void {
    this.#resumed = undefined;
    this.agenda.sweepEnded(this.#options.clock(), whole);
  }

  /** Takes back what was written down. */
  restore(users: Remembered['users']): void {
    const now = this.#options.clock();
    const { notices } = this;
    const tell = notices?.beginning ? (one: PresentPull) => notices.look([one], now) : undefined;
    for (const [userId, gone, evidence] of users) this.#heardOf(userId, this.tracker.restore(userId, gone, evidence, tell), now);
  }

  /** Folds what was heard since the last time. */
  fold(): Folded {
    const now = this.#options.clock();
    const folded = this.tracker.fold();
    for (const [userId, standing] of folded.users) this.#heardOf(userId, standing, now);
    this.notices?.look(folded.present, now);
    this.#options.metrics.count('aorta_pulls_tracks_total', {}, folded.tracks.length);
    return folded;
  }

  /** Something is to be written down. */
  touch(): void {
    this.#changed = true;
  }

  /** When it is written down; infinite while there is nothing. */
  snapshotAt(): number {
    return this.#changed ? this.#snapshotAt : Number.POSITIVE_INFINITY;
  }

  /** Gives what writes everything down as it is now. */
  snapshot(positions: Positions): () => Promise<void> {
    const { tracker } = this;
    const owed: Owed | undefined = this.notices?.owed();
    const changed = tracker.takeChanged();
    this.#changed = false;
    this.#snapshotAt = this.#options.clock() + SNAPSHOT_MS;
    return () => this.#options.keep({ tracker, changed, positions, owed });
  }

  close(): void {
    this.#unwatch();
  }

  #heardOf(userId: string, standing: UserStanding, now: number): void {
    const { askedAt } = standing;
    if (askedAt !== undefined) this.agenda.called(Math.min(askedAt, now));
    this.agenda.heard(userId, standing, now);
    if (this.#resumed !== undefined && askedAt !== undefined && askedAt >= this.#resumed) this.agenda.answered(userId, askedAt);
  }
}
