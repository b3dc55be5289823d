import { shortPartitionName } from '@aorta/connectors';
import type { ServiceClient } from '@aorta/connectors/service';
import { ReadPositions, StreamReader } from '@aorta/connectors/streams';
import { type Logger, type Metrics, type ProgressReports, silentLogger, silentMetrics } from '@aorta/runtime';
import type { EnrichmentMetrics } from '../metrics.ts';
import type { DurableState, OpenState } from '../state/durable-state.ts';
import type { OpenEmitter } from '../workers/emitter.ts';
import type { OpenJob } from '../workers/job.ts';
import type { OpenLog, OpenStreams } from '../workers/open-streams.ts';
import type { Worker } from '../workers/worker.ts';
import { Asking, PART } from './asking.ts';
import { Hearing } from './hearing.ts';
import { type Positions, sentPart, snapshotPart, sweepPart } from './kept.ts';
import { type HistoricalPullsSettings, paceOf } from './options.ts';
import { Pulls } from './pulls.ts';
import { Telling } from './telling.ts';
import { evidenceStreams } from './tracker.ts';
import { UserList } from './user-list.ts';

/** Name of the job in receipts and in job assignments. */
export const PULLS_JOB = 'historical-pulls';
/** Group under which the tracker commits its positions in the streams. */
export const PULLS_GROUP = 'historical-pulls';

/** Maximum size of a batch. Batches are small so that other work on this thread can run between them. */
const BATCH = { records: 200, bytes: 1024 * 1024 };

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
  /** Returns the current time in milliseconds since 1970. Default: the system clock. */
  readonly clock?: () => number;
}

/**
 * Opens the tracker of historical pulls with its saved state. Three workers read the streams, call the service and send
 * notices independently, so that a slow service or receiver of notices does not delay the reading of evidence.
 */
export async function openHistoricalPulls(options: HistoricalPullsOptions): Promise<OpenJob> {
  await using opening = new AsyncDisposableStack();
  const state = opening.adopt(await options.state(), (one) => one.close());
  const snapshot = await state.open(snapshotPart);
  const positions = new ReadPositions(snapshot.content.positions);
  const log = await options.openLog((of) => positions.get(of), evidenceStreams);
  const opened = opening.adopt(log, (one) => one.close());
  const job = await openWorkers(options, { state, snapshot, positions, opened });
  opening.move();
  return job;
}

interface Opened {
  readonly state: DurableState;
  readonly snapshot: Awaited<ReturnType<typeof openSnapshot>>;
  readonly positions: ReadPositions;
  readonly opened: OpenLog;
}

const openSnapshot = (state: DurableState) => state.open(snapshotPart);

async function openWorkers(options: HistoricalPullsOptions, { state, snapshot, positions, opened }: Opened): Promise<OpenJob> {
  const { client, settings, once, progress, clock = Date.now } = options;
  const { logger = silentLogger, metrics = silentMetrics } = options;
  const { log, tell } = opened;
  const sent = await state.open(sentPart);
  const sweep = await state.open(sweepPart);
  // Without the setting `notices`, the tracker forgets which notices were sent. If notices are enabled later, they start
  // with a summary.
  if (settings.notices === undefined && sent.content.length > 0) await sent.keep([]);
  const emitter = options.openEmitter(PULLS_JOB);
  const { owed, users } = snapshot.content;
  const pulls = new Pulls({ settings, logger, metrics, owed, sent: sent.content, keep: snapshot.keep, clock });
  const hearing = new Hearing({
    pulls,
    positions,
    emitter,
    once,
    clock,
    asks: client !== undefined,
    reads: {
      reader: new StreamReader({
        log,
        streams: evidenceStreams,
        positions,
        dropped: 'skip',
        logger,
        ...(progress === undefined ? {} : { lane: ({ of }) => laneIn(progress, shortPartitionName(of)) }),
      }),
      limit: BATCH,
      ...(tell === undefined ? {} : { tell }),
    },
    onClose: async () => {
      await opened.close();
      await state.close();
    },
  });
  const list = new UserList(pulls, sweep, logger, () => hearing.sweepEnded());
  if (client !== undefined) list.resume(clock() - paceOf(settings).settledMs);
  if (!state.besideStreams || fits(log, snapshot.content.positions)) pulls.restore(users);
  else positions.clear();

  const workers: Worker[] = [hearing];
  if (client !== undefined)
    workers.push(new Asking({ pulls, list, client, emitter, settings, once, logger, metrics, progress, clock }));
  if (pulls.notices !== undefined)
    workers.push(new Telling({ pulls, notices: pulls.notices, keepSent: sent.keep, once, logger, metrics, clock }));
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
      const { incarnation, position } = positions[shortPartitionName(of)] ?? { incarnation: '', position: 0 };
      return position === 0 || (incarnation === log.incarnation(of) && position <= log.end(of));
    });
}
