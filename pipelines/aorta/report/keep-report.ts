import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Upcoming } from '@aorta/loading';
import {
  errorFields,
  firstError,
  isAortaError,
  type Logger,
  makeFolder,
  ownIdentity,
  type Progress,
  replaceFile,
} from '@aorta/runtime';
import type { DataLocation } from '../config/data-location.ts';
import { sweepReports } from './read-reports.ts';
import { type LoaderReport, mergeReportOf, reportsFolder, type WorkerReport } from './worker-report.ts';

/** Milliseconds between checks whether the report has changed. An unchanged report is rewritten after {@link HEARTBEAT_MS}. */
const EVERY_MS = 1_000;
const HEARTBEAT_MS = 5_000;

export interface KeepingOptions {
  readonly place: DataLocation;
  readonly parts: WorkerReport['parts'];
  readonly clients: readonly string[];
  readonly sources: readonly string[];
  readonly supervisor: number | null;
  readonly progress: Progress;
  /** Returns the upcoming work of this process's loader; undefined if there is no loader or it has not reported yet. */
  readonly upcoming: () => Upcoming | undefined;
  readonly logger: Logger;
}

export interface KeptReport {
  /** Writes the final report. `error`: the error that ended the process, if any. */
  close(error?: unknown): Promise<void>;
}

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

/**
 * Writes the worker report at once, and then regularly until the caller calls `close`. Never rejects, because nothing
 * depends on the report.
 */
export async function keepWorkerReport(options: KeepingOptions): Promise<KeptReport> {
  const { place, logger } = options;
  const folder = reportsFolder(place);
  const path = join(folder, `${encodeURIComponent(hostname())}-${process.pid}.json`);
  const startedAt = iso(Date.now());
  let written = { content: '', at: 0 };
  let told = false;

  const write = async (ending: { readonly error: string | null } | undefined): Promise<void> => {
    const facts = factsOf(options, startedAt, ending);
    const content = JSON.stringify(facts);
    const now = Date.now();
    if (content === written.content && now - written.at < HEARTBEAT_MS && ending === undefined) return;
    try {
      await replaceFile(path, [`${JSON.stringify({ ...facts, as_of: iso(now) })}\n`], { sync: false });
      written = { content, at: now };
      told = false;
    } catch (error) {
      // This is only a warning, because nothing depends on the report. If the disk is full, the parts that must write to
      // it fail on their own.
      if (!told) logger.warn('cannot write the worker report', errorFields(error));
      told = true;
    }
  };
  let last: Promise<void> = Promise.resolve();
  const inTurn = (step: () => Promise<void>): Promise<void> => {
    last = last.then(step);
    return last;
  };

  await inTurn(async () => {
    await makeFolder(folder).catch(() => {});
    await sweepReports(place, options.parts);
    await write(undefined);
  });
  const timer = setInterval(() => void inTurn(() => write(undefined)), EVERY_MS);
  return {
    close: (error) => {
      clearInterval(timer);
      return inTurn(async () => {
        const first = firstError(error);
        const code = first === undefined ? null : isAortaError(first) ? first.code : 'AORTA-BUG';
        await write({ error: code });
        // After a stop without an error, keep the report only if merges are waiting.
        if (code === null && (options.upcoming()?.merges.length ?? 0) === 0) await sweepReports(place, options.parts, path);
      });
    },
  };
}

function factsOf(
  { parts, clients, sources, supervisor, progress, upcoming }: KeepingOptions,
  startedAt: string,
  ending: { readonly error: string | null } | undefined,
): Omit<WorkerReport, 'as_of'> {
  const waits = progress.waits();
  const loader = upcoming();
  return {
    process: ownIdentity(),
    supervisor,
    parts: [...parts],
    clients: [...clients],
    sources: [...sources],
    started_at: startedAt,
    ended_at: ending === undefined ? null : iso(Date.now()),
    error: ending?.error ?? null,
    starting: waits.some(({ part, reason }) => part === 'run' && reason === 'starting'),
    not_ready: progress.stalls().map(({ reason }) => reason),
    waits: [...waits, ...(loader?.waits ?? []).map((wait) => ({ part: 'warehouse', ...wait }))].map(
      ({ part, reason, since, dueAt }) => ({
        part,
        reason,
        since: iso(since),
        due_at: dueAt === undefined ? null : iso(dueAt),
      }),
    ),
    lanes: progress.lanes().map(({ kind, reader, of, lag, state }) => ({ kind, reader, of, lag, state })),
    loader: loader === undefined ? null : loaderReportOf(loader),
  };
}

function loaderReportOf({ landings, merges, publicationDueAt }: Upcoming): LoaderReport {
  return {
    landings: landings.map(({ dueAt, ...landing }) => ({ ...landing, due_at: iso(dueAt) })),
    merges: merges.map(mergeReportOf),
    publication_due_at: publicationDueAt === null ? null : iso(publicationDueAt),
  };
}
