import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Upcoming } from '@aorta/loading';
import { processIdentity, whereaboutsOf } from '@aorta/runtime';
import { z } from 'zod';
import type { DataLocation } from '../../config/data-location.ts';
import { reportsIn } from '../reports-in-folder.ts';

/**
 * The report that a worker process writes for `aorta status`. It is a file in the folder `workers` inside the streams
 * folder. No process resumes its work from a report, so the file is not synced to disk.
 */

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
});

export type WorkerReport = z.output<typeof workerReport>;
export type WaitingMergeReport = z.output<typeof waitingMerge>;
export type LoaderReport = z.output<typeof loaderReport>;

/** Age of a report, in milliseconds, above which its worker counts as not responding. */
const SILENT_MS = 20_000;

export const reportsFolder = ({ streams }: Pick<DataLocation, 'streams'>): string => join(streams, 'workers');

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Converts a waiting merge to the format of worker reports and `aorta status --json`. */
export function mergeReportOf(merge: Upcoming['merges'][number]): WaitingMergeReport {
  const { landedAt, dueAt, dueAtRows, heldBy, ...rest } = merge;
  return { ...rest, landed_at: iso(landedAt), due_at: iso(dueAt), due_at_rows: dueAtRows, held_by: heldBy ?? null };
}

/**
 * State of a process that has written a report. `starting`, `ready` and `not_ready` come from the report. `silent`: the
 * last report is older than {@link SILENT_MS}. `died`: the process no longer exists and wrote no final report. `ended`:
 * the process wrote its final report.
 */
export type WorkerState = 'starting' | 'ready' | 'not_ready' | 'silent' | 'died' | 'ended';

interface FoundReport {
  readonly path: string;
  readonly report: WorkerReport;
}

/** Reads the reports of all processes that have used these streams. The latest report comes first. */
export async function readReports(place: Pick<DataLocation, 'streams'>): Promise<readonly WorkerReport[]> {
  const reports = (await findReports(place)).map(({ report }) => report);
  return reports.sort((a, b) => (a.as_of < b.as_of ? 1 : -1));
}

/** Derives the state of a process from its report. `whereabouts` returns whether the process still exists, if this is known. */
export function stateOf(
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

/**
 * Removes the report at the path `own`. Also removes the reports of earlier processes on this machine whose work `parts`
 * takes over. The parts of a process that died must all be in `parts`. If a process wrote its final report, only its
 * loading must be taken over. Never rejects.
 */
export async function sweepReports(
  place: Pick<DataLocation, 'streams'>,
  parts: WorkerReport['parts'],
  own?: string,
): Promise<void> {
  for (const { path, report } of await findReports(place).catch(() => [])) {
    const matter = report.ended_at === null ? report.parts : report.parts.filter((part) => part === 'loading');
    const replaced = matter.every((part) => parts.includes(part));
    if (path === own || (replaced && whereaboutsOf(report.process) === 'gone')) await unlink(path).catch(() => {});
  }
}

const findReports = (place: Pick<DataLocation, 'streams'>): Promise<FoundReport[]> =>
  reportsIn(reportsFolder(place), workerReport);
