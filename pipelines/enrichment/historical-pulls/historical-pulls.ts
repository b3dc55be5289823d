import { partitionName, type ReadBatch } from '@aorta/connectors';
import type { ServiceClient } from '@aorta/connectors/service';
import { ReadPositions, StreamReader } from '@aorta/connectors/streams';
import { type Logger, type Metrics, type ProgressReports, silentLogger, silentMetrics, steadyNow } from '@aorta/runtime';
import type { StreamName } from '@aorta/schemas';
import type { EnrichmentMetrics } from '../metrics.ts';
import type { DurableState, OpenPart, OpenState } from '../state/durable-state.ts';
import type { Emitter, OpenEmitter } from '../workers/emitter.ts';
import type { OpenJob } from '../workers/job.ts';
import type { OpenLog, OpenStreams, StreamReading, Worker } from '../workers/worker.ts';
import { IntrospectionPoller, PART } from './introspection-poller.ts';
import type { Notices, Posted } from './notices.ts';
import { type HistoricalPullsSettings, paceOf } from './options.ts';
import { Pulls } from './pulls.ts';
import { type Positions, type SavedPulls, type Snapshot, sentPart, snapshotPart, sweepPart } from './saved-state.ts';
import { type EvidenceStream, evidenceStreams } from './tracker.ts';
import { UserSweep } from './user-sweep.ts';

/** Name of the job in receipts and in job assignments. */
export const PULLS_JOB = 'historical-pulls';
/** Group under which the tracker commits its positions in the streams. */
export const PULLS_GROUP = 'historical-pulls';

/** Maximum size of a batch. Batches are small so that other work on this thread can run between them. */
const BATCH = { records: 200, bytes: 1024 * 1024 };

/** Milliseconds between two checks for due notices. */
const LOOK_MS = 500;

/** Time limit, in milliseconds, for sending all notices in a run with `--once`. */
const ALL_MS = 60_000;

export interface HistoricalPullsOptions {
  readonly openLog: OpenStreams;
  readonly openEmitter: OpenEmitter;
  /** Client for the service; undefined if the tracker learns about pulls only from events. */
  readonly client: Pick<ServiceClient, 'historicalPulls'> | undefined;
  readonly settings: HistoricalPullsSettings;
  /** Opens the saved state of the tracker. */
  readonly state: OpenState;
  /** Whether the job ends when all evidence is read, all due users are polled, and all due notices are sent. */
  readonly once: boolean;
  readonly logger?: Logger;
  readonly metrics?: Metrics<EnrichmentMetrics>;
  readonly progress?: ProgressReports;
  /** Default: `steadyNow`. */
  readonly clock?: () => number;
}

/**
 * Opens the tracker of historical pulls with its saved state. Three workers read the streams, call the service and send
 * notices independently, so that a slow service or receiver of notices does not delay the reading of evidence.
 */
export async function openHistoricalPulls(options: HistoricalPullsOptions): Promise<OpenJob> {
  await using opening = new AsyncDisposableStack();
  const state = opening.adopt(await options.state(), (one) => one.close());
  const snapshot = state.open(snapshotPart);
  const positions = new ReadPositions(snapshot.content.positions);
  const log = await options.openLog((of) => positions.get(of), evidenceStreams);
  const opened = opening.adopt(log, (one) => one.close());
  const job = await openWorkers(options, { state, snapshot, positions, opened });
  opening.move();
  return job;
}

interface Opened {
  readonly state: DurableState;
  readonly snapshot: OpenPart<Snapshot, SavedPulls>;
  readonly positions: ReadPositions;
  readonly opened: OpenLog;
}

async function openWorkers(options: HistoricalPullsOptions, { state, snapshot, positions, opened }: Opened): Promise<OpenJob> {
  const { client, settings, once, progress, clock = steadyNow } = options;
  const { logger = silentLogger, metrics = silentMetrics } = options;
  const { log, commit } = opened;
  const sent = state.open(sentPart);
  const sweep = state.open(sweepPart);
  // Without the setting `notices`, the tracker forgets which notices were sent. If notices are enabled later, they start
  // with a summary.
  if (settings.notices === undefined && sent.content.length > 0) await sent.keep([]);
  const emitter = options.openEmitter(PULLS_JOB);
  const { owed, users } = snapshot.content;
  const pulls = new Pulls({ settings, once, logger, metrics, owed, sent: sent.content, keep: snapshot.keep, clock });
  const evidenceReader = new EvidenceReader({
    pulls,
    positions,
    emitter,
    polls: client !== undefined,
    reads: {
      reader: new StreamReader({
        log,
        streams: evidenceStreams,
        positions,
        dropped: 'skip',
        logger,
        lane: progress === undefined ? undefined : ({ of }) => laneIn(progress, partitionName(of)),
      }),
      limit: BATCH,
      commit,
    },
    onClose: async () => {
      await opened.close();
      await state.close();
    },
  });
  const userSweep = new UserSweep(pulls, sweep, logger, () => evidenceReader.sweepEnded());
  if (client !== undefined) userSweep.resume(clock(), paceOf(settings).settledMs);
  if (!state.besideStreams || fits(log, snapshot.content.positions)) pulls.restore(users);
  else {
    positions.clear();
    // The saved evidence comes from other streams. Overwrite it, so that the next restart does not restore it.
    const others = new Set(users.map(([userId]) => userId));
    await snapshot.keep({ tracker: pulls.tracker, changed: others, positions: {}, owed });
  }

  const workers: Worker[] = [evidenceReader];
  if (client !== undefined) workers.push(new IntrospectionPoller(pulls, userSweep, client, emitter, progress));
  if (pulls.notices !== undefined) workers.push(new NoticeSender(pulls, pulls.notices, sent.keep));
  return { workers, emitter, close: () => emitter.close() };
}

const laneIn = (progress: ProgressReports, of: string) =>
  progress.lane({ kind: 'stream', reader: PULLS_GROUP, of }, { part: PART });

/** Returns whether the saved positions belong to these streams. If not, all evidence is read again. */
function fits(log: OpenLog['log'], positions: Positions): boolean {
  const streams: readonly string[] = evidenceStreams;
  return log
    .assigned()
    .filter(({ stream }) => streams.includes(stream))
    .every((of) => {
      const { incarnation, position } = positions[partitionName(of)] ?? { incarnation: '', position: 0 };
      return position === 0 || (incarnation === log.incarnation(of) && position <= log.end(of));
    });
}

/** Sends the notices that are due. */
class NoticeSender implements Worker {
  readonly #pulls: Pulls;
  readonly #notices: Notices;
  readonly #keepSent: (sent: readonly string[]) => Promise<void>;
  #fails = false;
  #lookAt = Number.NEGATIVE_INFINITY;

  constructor(pulls: Pulls, notices: Notices, keepSent: (sent: readonly string[]) => Promise<void>) {
    this.#pulls = pulls;
    this.#notices = notices;
    this.#keepSent = keepSent;
    notices.onPosted = (posted, failures) => this.#posted(posted, failures);
  }

  nextAt(): number {
    return this.#lookAt;
  }

  /** Sends due notices until the receiver refuses one. */
  async work(signal: AbortSignal): Promise<void> {
    const { once, clock } = this.#pulls.options;
    // In a run with `--once`, the other workers have finished by now.
    if (once) this.#notices.gathered();
    const until = once ? AbortSignal.any([signal, AbortSignal.timeout(ALL_MS)]) : signal;
    while (!until.aborted && (await this.#notices.send(clock(), until))) {
      this.#pulls.touch();
      await this.#keepSent(this.#notices.sent());
    }
    this.#lookAt = once ? Number.POSITIVE_INFINITY : clock() + LOOK_MS;
  }

  changes(): undefined {}

  async close(): Promise<void> {}

  #posted(posted: Posted, failures: number): void {
    const { logger, metrics } = this.#pulls.options;
    metrics.count('aorta_pulls_notices_total', { outcome: posted.accepted ? 'accepted' : 'failed' });
    // Only the start and the end of a series of failures are logged.
    if (!posted.accepted && failures === 1) logger.warn('notices are not accepted', { problem: posted.problem });
    if (posted.accepted && this.#fails) logger.info('notices are accepted again');
    this.#fails = failures > 0;
  }
}

interface EvidenceReaderOptions {
  readonly pulls: Pulls;
  readonly reads: StreamReading;
  readonly positions: ReadPositions;
  readonly emitter: Pick<Emitter, 'record'>;
  /** Whether the job also calls the service. If so, the evidence is complete only after a full sweep. */
  readonly polls: boolean;
  readonly onClose: () => Promise<void>;
}

/** Reads the evidence of historical pulls from the streams, derives tracks, and saves the state periodically. */
class EvidenceReader implements Worker {
  readonly reads: StreamReading;
  readonly #options: EvidenceReaderOptions;
  #summaryDue: boolean;

  constructor(options: EvidenceReaderOptions) {
    this.#options = options;
    this.reads = options.reads;
    this.#summaryDue = !options.polls;
  }

  process({ stream, records }: ReadBatch<StreamName>): void {
    const { pulls, polls } = this.#options;
    for (const record of records) pulls.tracker.add(stream as EvidenceStream, record as never);
    pulls.touch();
    if (!polls) this.#summaryDue = true;
  }

  /** Called when all answers of a sweep are in the streams. */
  sweepEnded(): void {
    this.#summaryDue = true;
  }

  nextAt(now: number): number {
    const { pulls } = this.#options;
    // In a run with `--once`, this worker only sends its summary and saves its state at the end.
    if (pulls.options.once) return Number.POSITIVE_INFINITY;
    return this.#summaryDue && this.#isCaughtUp() ? now : pulls.snapshotAt();
  }

  async work(): Promise<void> {
    if (!this.#summaryDue) return;
    this.#summaryDue = false;
    this.#options.pulls.notices?.gathered();
  }

  changes(): (() => Promise<void>) | undefined {
    const { pulls, emitter, positions } = this.#options;
    const { once, clock } = pulls.options;
    const { tracks } = pulls.fold();
    for (const track of tracks) emitter.record('historical_pull_tracks', track);
    return !once && clock() >= pulls.snapshotAt() ? pulls.snapshot(positions.all()) : undefined;
  }

  async close(lost: boolean): Promise<void> {
    const { pulls, positions, onClose } = this.#options;
    pulls.close();
    this.reads.reader.close();
    await using closing = new AsyncDisposableStack();
    closing.defer(onClose);
    if (!lost && Number.isFinite(pulls.snapshotAt())) await pulls.snapshot(positions.all())();
  }

  #isCaughtUp(): boolean {
    return this.reads.reader.partitions().every(({ damage, position, end }) => damage !== undefined || position >= end);
  }
}
