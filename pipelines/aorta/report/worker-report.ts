import { readdir, unlink } from 'node:fs/promises';
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
  processIdentity,
  readJson,
  systemCode,
  systemTime,
  unreadable,
  whereaboutsOf,
  writeDurably,
} from '@aorta/runtime';
import { z } from 'zod';
import type { Setting } from '../config/configuration.ts';
import type { DataLocation } from '../config/data-location.ts';
import { newestStatus, type SourceOutage, type SourceStatus, sourceStatus, statusOf } from './source-status.ts';

const time = z.iso.datetime();

const waitingMerge = z.object({
  table: z.string(),
  range: z.enum(['recent', 'old']),
  batches: z.int(),
  rows: z.int(),
  landed_at: time,
  due_at: time,
  due_at_rows: z.int(),
  held_by: z.string().nullable(),
});

const loaderReport = z.object({
  landings: z.array(z.object({ stream: z.string(), partition: z.int(), records: z.int(), due_at: time })),
  merges: z.array(waitingMerge),
  publication_due_at: time.nullable(),
});

/**
 * The report that a worker process writes for commands in other processes. It is a file in the folder `workers` inside the
 * streams folder. No process resumes its work from a report, so the file is not synced to disk.
 */
export const workerReport = z.object({
  process: processIdentity,
  /** Process id of the supervisor; null if there is none. */
  supervisor: z.int().positive().nullable(),
  parts: z.array(z.enum(['ingestion', 'enrichment', 'loading'])),
  /** Kafka client ids of the process. */
  clients: z.array(z.string()),
  sources: z.array(z.string()),
  started_at: time,
  as_of: time,
  /** Time at which the process ended; null if it is still running, or if it died without a final report. */
  ended_at: time.nullable(),
  error: z.string().nullable(),
  starting: z.boolean(),
  /** Reasons why the process is not ready; empty if it is ready. */
  not_ready: z.array(z.string()),
  waits: z.array(z.object({ part: z.string(), reason: z.string(), since: time, due_at: time.nullable() })),
  lanes: z.array(
    z.object({
      kind: z.enum(['partition', 'stream']),
      reader: z.string(),
      of: z.string(),
      lag: z.int().nonnegative(),
      state: z.string(),
    }),
  ),
  /** Null if the process does not load, or has not started to load. */
  loader: loaderReport.nullable(),
  /** The last status of each source that the process has read, and of those from earlier reports that it has replaced. */
  source_status: z.array(sourceStatus),
});

/** Milliseconds between checks whether the report has changed. An unchanged report is rewritten after {@link HEARTBEAT_MS}. */
const EVERY_MS = 1_000;

const HEARTBEAT_MS = 5_000;

/** Milliseconds between checks for newly assigned partitions, because operators check a process that has just started. */
const LOOK_MS = 250;

/** Age of a report, in milliseconds, above which its worker counts as not responding. */
const SILENT_MS = 20_000;

/** Age in milliseconds above which a status is from a process that has ended or no longer makes progress. */
const RECENT_MS = 15_000;

export type WorkerReport = z.output<typeof workerReport>;
export type WaitingMergeReport = z.output<typeof waitingMerge>;
type LoaderReport = z.output<typeof loaderReport>;

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();
/** Formats a time of `steadyNow` for commands in other processes. */
const shown = (steady: number): string => iso(systemTime(steady));

/** Converts a waiting merge to the format of worker reports and `aorta status --json`. */
export function mergeReportOf(merge: Upcoming['merges'][number]): WaitingMergeReport {
  const { landedAt, dueAt, dueAtRows, heldBy, ...rest } = merge;
  return { ...rest, landed_at: shown(landedAt), due_at: shown(dueAt), due_at_rows: dueAtRows, held_by: heldBy ?? null };
}

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

/**
 * Writes the worker report at once, and then regularly until the caller calls `close`. Never rejects, because nothing
 * depends on the report.
 */
export async function keepWorkerReport(options: KeepingOptions): Promise<KeptReport> {
  const kept = new KeptReport(options);
  await kept.begin();
  return kept;
}

/** How a process ended. `waiting`: whether merges are waiting. */
interface Ending {
  readonly error: string | null;
  readonly waiting: boolean;
}

class KeptReport {
  readonly #options: KeepingOptions;
  readonly #path: string;
  readonly #startedAt = iso(Date.now());
  #sourceStatus: SourceStatus[] = [];
  /** The last written content, and the time of {@link performance.now} at which it was written. */
  #written = { content: '', at: 0 };
  #told = false;
  /** Steps run one after another. */
  #last: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: KeepingOptions) {
    this.#options = options;
    this.#path = join(reportsFolder(options.place), `${encodeURIComponent(hostname())}-${process.pid}.json`);
  }

  async begin(): Promise<void> {
    await this.#inTurn(async () => {
      await makeFolder(reportsFolder(this.#options.place)).catch(() => {});
      const replaced = await this.#takeOverEarlier();
      await this.#write();
      await removeAll(replaced);
    });
    let assigned = '[]';
    let lookedAt = performance.now();
    this.#timer = setInterval(() => {
      const lanes = this.#options.progress.lanes().filter(({ kind }) => kind === 'partition');
      const names = JSON.stringify(lanes.map(({ reader, of }) => [reader, of]));
      if (names === assigned && performance.now() - lookedAt < EVERY_MS) return;
      assigned = names;
      lookedAt = performance.now();
      void this.#inTurn(() => this.#write());
    }, LOOK_MS);
  }

  /** Writes the final report. `error`: the error that ended the process, if any. */
  close(error?: unknown): Promise<void> {
    clearInterval(this.#timer);
    return this.#inTurn(async () => {
      const first = firstError(error);
      const code = first === undefined ? null : isAortaError(first) ? first.code : 'AORTA-BUG';
      const waiting = (this.#options.upcoming()?.merges.length ?? 0) > 0;
      const clean = code === null && !waiting;
      const replaced = clean ? await this.#takeOverEarlier() : [];
      const isWritten = await this.#write({ error: code, waiting });
      // After a stop without an error, keep the report only if merges are waiting or the status of a source is known.
      const isKept = !clean || (isWritten && this.#sourceStatus.length > 0);
      await removeAll(isKept ? replaced : [...replaced, this.#path]);
    });
  }

  #inTurn(step: () => Promise<unknown>): Promise<void> {
    this.#last = this.#last.then(async () => void (await step()));
    return this.#last;
  }

  /**
   * Takes over the status of sources from the reports of earlier processes on this machine whose work this process
   * continues. An earlier report at this process's own path counts, too. Returns the paths of the reports that are no longer
   * needed.
   */
  async #takeOverEarlier(): Promise<string[]> {
    const { place, parts } = this.#options;
    const found = await findReports(place).catch(() => []);
    const replaced = found.filter(({ path, report }) => path === this.#path || isReplaced(report, parts));
    this.#sourceStatus = newestStatus([...replaced.flatMap(({ report }) => report.source_status), ...this.#sourceStatus]);
    return replaced.map(({ path }) => path).filter((path) => path !== this.#path);
  }

  /** Writes the report if it has changed or is old. Returns whether the file is up to date. */
  async #write(ending?: Ending): Promise<boolean> {
    const { sources, progress, logger } = this.#options;
    const now = performance.now();
    const facts = this.#facts(ending);
    const content = JSON.stringify(facts);
    if (content === this.#written.content && now - this.#written.at < HEARTBEAT_MS && ending === undefined) return true;
    const asOf = new Date();
    const own = statusOf(sources, progress, asOf);
    const read = new Set(own.map(({ source }) => source));
    // This process's own status is the newest, even if the clock was set back.
    this.#sourceStatus = newestStatus([...this.#sourceStatus.filter(({ source }) => !read.has(source)), ...own]);
    const report: WorkerReport = { ...facts, as_of: asOf.toISOString(), source_status: this.#sourceStatus };
    try {
      await writeDurably(this.#path, report, { sync: false });
      this.#written = { content, at: now };
      this.#told = false;
      return true;
    } catch (error) {
      // This is only a warning, because nothing depends on the report. If the disk is full, the parts that must write to
      // it fail on their own.
      if (!this.#told) logger.warn('cannot write the worker report', errorFields(error));
      this.#told = true;
      return false;
    }
  }

  #facts(ending: Ending | undefined): Omit<WorkerReport, 'as_of' | 'source_status'> {
    const { parts, clients, sources, supervisor, progress, upcoming } = this.#options;
    const waits = progress.waits();
    const loader = upcoming();
    // A final report that is only kept for the status of its sources does not replace what the tables say about the backlog.
    const loads = ending === undefined || ending.error !== null || ending.waiting;
    return {
      process: ownIdentity(),
      supervisor,
      parts: [...parts],
      clients: [...clients],
      sources: [...sources],
      started_at: this.#startedAt,
      ended_at: ending === undefined ? null : iso(Date.now()),
      error: ending?.error ?? null,
      starting: waits.some(({ part, reason }) => part === 'run' && reason === 'starting'),
      not_ready: progress.stalls().map(({ reason }) => reason),
      waits: [...waits, ...(loader?.waits ?? []).map((wait) => ({ part: 'warehouse', ...wait }))].map(
        ({ part, reason, since, dueAt }) => ({
          part,
          reason,
          since: shown(since),
          due_at: dueAt === undefined ? null : shown(dueAt),
        }),
      ),
      lanes: progress.lanes().map(({ kind, reader, of, lag, state }) => ({ kind, reader, of, lag, state })),
      loader: loader === undefined || !loads ? null : loaderReportOf(loader),
    };
  }
}

async function removeAll(paths: readonly string[]): Promise<void> {
  for (const path of paths) await unlink(path).catch(() => {});
}

function loaderReportOf({ landings, merges, publicationDueAt }: Upcoming): LoaderReport {
  return {
    landings: landings.map(({ dueAt, ...landing }) => ({ ...landing, due_at: shown(dueAt) })),
    merges: merges.map(mergeReportOf),
    publication_due_at: publicationDueAt === null ? null : shown(publicationDueAt),
  };
}

/**
 * Returns whether a process with these parts takes over the work of an earlier process that no longer exists. If the earlier
 * process died, all its parts must be taken over. If it wrote its final report, only its loading must be.
 */
function isReplaced(report: WorkerReport, parts: WorkerReport['parts']): boolean {
  const matter = report.ended_at === null ? report.parts : report.parts.filter((part) => part === 'loading');
  return matter.every((part) => parts.includes(part)) && whereaboutsOf(report.process) === 'gone';
}

const reportsFolder = ({ streams }: Pick<DataLocation, 'streams'>): string => join(streams, 'workers');

/**
 * Reads the reports of all processes that have used these streams. Returns an empty list if the folder does not exist. Skips
 * files that a power failure has damaged, and those in an unknown format, which a different version of Aorta may have written.
 */
async function findReports(place: Pick<DataLocation, 'streams'>): Promise<{ path: string; report: WorkerReport }[]> {
  const folder = reportsFolder(place);
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw unreadable(folder, error);
  }
  const found: { path: string; report: WorkerReport }[] = [];
  for (const name of names.filter((one) => one.endsWith('.json')).sort()) {
    const path = join(folder, name);
    const report = workerReport.safeParse(await readJson(path));
    if (report.success) found.push({ path, report: report.data });
  }
  return found;
}

/** Reads the reports of all processes that have used these streams. The latest report comes first. */
export async function readReports(place: Pick<DataLocation, 'streams'>): Promise<readonly WorkerReport[]> {
  const reports = (await findReports(place)).map(({ report }) => report);
  return reports.sort((a, b) => (a.as_of < b.as_of ? 1 : -1));
}

/**
 * State of a process that has written a report. `starting`, `ready` and `not_ready` come from the report. `silent`: the
 * last report is older than {@link SILENT_MS}. `died`: the process no longer exists and wrote no final report. `ended`:
 * the process wrote its final report.
 */
export type WorkerState = 'starting' | 'ready' | 'not_ready' | 'silent' | 'died' | 'ended';

/** Derives the state of a process from its report. `whereabouts` returns whether the process still exists, if this is known. */
export function stateOfWorker(
  report: WorkerReport,
  now: number,
  whereabouts: (process: WorkerReport['process']) => ReturnType<typeof whereaboutsOf> = whereaboutsOf,
): WorkerState {
  if (report.ended_at !== null) return 'ended';
  if (whereabouts(report.process) === 'gone') return 'died';
  if (now - Date.parse(report.as_of) > SILENT_MS) return 'silent';
  if (report.starting) return 'starting';
  return report.not_ready.length === 0 ? 'ready' : 'not_ready';
}

/** Reads the last reported status of each source, sorted by name. */
export async function readSourceStatus({ place }: Pick<Setting<never>, 'place'>): Promise<readonly SourceStatus[]> {
  return newestStatus((await readReports(place)).flatMap(({ source_status }) => source_status));
}

/** Returns the outages in the recent reports in this data folder. */
export async function sourceOutages(setting: Pick<Setting<never>, 'place'>, now = Date.now()): Promise<readonly SourceOutage[]> {
  const recent = (await readSourceStatus(setting)).filter(({ as_of }) => now - Date.parse(as_of) < RECENT_MS);
  return recent.flatMap(({ source, outages }) => outages.map((one) => ({ source, ...one })));
}
