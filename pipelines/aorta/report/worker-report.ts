import { join } from 'node:path';
import type { Upcoming } from '@aorta/loading';
import { processIdentity } from '@aorta/runtime';
import { z } from 'zod';
import type { DataLocation } from '../config/data-location.ts';

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
export const SILENT_MS = 20_000;

export const reportsFolder = ({ streams }: Pick<DataLocation, 'streams'>): string => join(streams, 'workers');

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Converts a waiting merge to the format of worker reports and `aorta status --json`. */
export function mergeReportOf(merge: Upcoming['merges'][number]): WaitingMergeReport {
  const { landedAt, dueAt, dueAtRows, heldBy, ...rest } = merge;
  return { ...rest, landed_at: iso(landedAt), due_at: iso(dueAt), due_at_rows: dueAtRows, held_by: heldBy ?? null };
}
