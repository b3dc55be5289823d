import { type Progress, systemTime } from '@aorta/runtime';
import { duration } from '@aorta/runtime/quantity';
import { z } from 'zod';

const partitionStatus = z.object({
  partition: z.string(),
  /** Offset of the next delivery to read. */
  position: z.int().nonnegative(),
  /** Offset after the last delivery that the broker is known to have. */
  end: z.int().nonnegative(),
  lag: z.int().nonnegative(),
  /** Age of the last delivery that was read, in seconds; 0 if no more are waiting, null if the source does not know. */
  lag_s: z.number().nonnegative().nullable(),
  state: z.string(),
  /** Time at which the position last changed, in RFC 3339. */
  moved_at: z.string(),
});

const outage = z.object({
  /** Part of the source that cannot be read, such as `hub health-events`. */
  of: z.string(),
  /** Reason, including the error condition that the broker reported. */
  reason: z.string(),
  /** Time at which this part was last read, in RFC 3339. */
  since: z.string(),
});

/** How far a process has read a source. It is only a report, never a checkpoint. */
export const sourceStatus = z.object({
  source: z.string(),
  /** Time of this status, in RFC 3339. */
  as_of: z.string(),
  pid: z.int().positive(),
  partitions: z.array(partitionStatus),
  /** Current outages of the source. */
  outages: z.array(outage),
});

export type SourceStatus = z.infer<typeof sourceStatus>;

/** Returns the status of each of this process's sources that has assigned partitions or outages. */
export function statusOf(sources: readonly string[], progress: Progress, now: Date): SourceStatus[] {
  const lanes = progress.lanes().filter(({ kind }) => kind === 'partition');
  const outages = progress.outages();
  const reported = new Set([...lanes, ...outages].map(({ reader }) => reader));
  return sources
    .filter((source) => reported.has(source))
    .map((source) => ({
      source,
      as_of: now.toISOString(),
      pid: process.pid,
      partitions: lanes
        .filter(({ reader }) => reader === source)
        .map(({ of, position, end, lag, lagMs, state, movedAt }) => ({
          partition: of,
          position,
          end,
          lag,
          lag_s: lagMs === undefined ? null : lagMs / 1000,
          state,
          moved_at: new Date(systemTime(movedAt)).toISOString(),
        }))
        .sort((a, b) => a.partition.localeCompare(b.partition, 'en', { numeric: true })),
      outages: outages
        .filter(({ reader }) => reader === source)
        .map(({ of, reason, since }) => ({ of, reason, since: new Date(systemTime(since)).toISOString() })),
    }));
}

/** Returns the newest status of each source, sorted by the name of the source. */
export function newestStatus(statuses: readonly SourceStatus[]): SourceStatus[] {
  const newest = new Map<string, SourceStatus>();
  for (const status of statuses) if (status.as_of >= (newest.get(status.source)?.as_of ?? '')) newest.set(status.source, status);
  return [...newest.values()].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

// With the dot, `hub-2` comes before `hub`, as it always has in `aorta streams --sources`.
const sortKey = ({ source }: SourceStatus): string => `${encodeURIComponent(source)}.`;

/** An outage of a source, from a recent report of a process. */
export interface SourceOutage {
  readonly source: string;
  readonly of: string;
  readonly reason: string;
  readonly since: string;
}

/** Formats one line for each outage. */
export function outageLines(outages: readonly SourceOutage[], now: number): string[] {
  return outages.map(
    ({ source, of, reason, since }) =>
      `Source ${source}: ${of} has not been read for ${duration(Math.max(0, now - Date.parse(since)))}: ${reason}.`,
  );
}
