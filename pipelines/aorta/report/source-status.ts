import { join } from 'node:path';
import { errorFields, type Logger, makeFolder, type Progress, replaceFile } from '@aorta/runtime';
import { duration } from '@aorta/runtime/quantity';
import { z } from 'zod';
import type { Setting } from '../config/configuration.ts';
import { reportsIn } from './reports-in-folder.ts';

/**
 * Reports how far a running process has read its sources, for other processes to display. Each source has one file in the
 * folder `sources/status` of the streams. The file is replaced every few seconds. It is only a report, never a checkpoint.
 */

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

const sourceStatus = z.object({
  source: z.string(),
  /** Time of this report, in RFC 3339. */
  as_of: z.string(),
  pid: z.int().positive(),
  partitions: z.array(partitionStatus),
  /** Current outages of the source. Absent from reports of earlier versions. */
  outages: z.array(outage).default([]),
});

export type SourceStatus = z.infer<typeof sourceStatus>;

const EVERY_MS = 5_000;

/** Interval, in milliseconds, between checks for newly assigned partitions. */
const LOOK_MS = 250;

function folderOf({ place }: Pick<Setting<never>, 'place'>): string {
  return join(place.streams, 'sources', 'status');
}

/** Writes the status of the sources every few seconds, and one last time in `close()`. */
export function keepSourceStatus(
  setting: Pick<Setting<never>, 'place'>,
  progress: Progress,
  logger: Logger,
  everyMs = EVERY_MS,
): { close(): Promise<void> } {
  const folder = folderOf(setting);
  let told = false;
  const write = async (): Promise<void> => {
    try {
      for (const status of statusOf(progress, new Date())) {
        await makeFolder(folder);
        await replaceFile(join(folder, fileName(status.source)), [`${JSON.stringify(status)}\n`]);
      }
      told = false;
    } catch (error) {
      // Logged as a warning, because nothing depends on the status. If the disk is full, the parts that need disk space fail
      // anyway.
      if (!told) logger.warn('cannot write the status of the sources', errorFields(error));
      told = true;
    }
  };
  let last = Promise.resolve();
  const again = (): Promise<void> => {
    last = last.then(write);
    return last;
  };
  // Write as soon as the partitions are known, because operators check the status of a process that has just started.
  let known = '';
  let writtenAt = performance.now();
  const timer = setInterval(
    () => {
      const lanes = progress.lanes().filter(({ kind }) => kind === 'partition');
      const names = JSON.stringify(lanes.map(({ reader, of }) => [reader, of]));
      if (names === known && performance.now() - writtenAt < everyMs) return;
      known = names;
      writtenAt = performance.now();
      void again();
    },
    Math.min(everyMs, LOOK_MS),
  );
  return {
    close: () => {
      clearInterval(timer);
      return again();
    },
  };
}

/** Returns the status of each source that has assigned partitions or outages. */
function statusOf(progress: Progress, now: Date): SourceStatus[] {
  const lanes = progress.lanes().filter(({ kind }) => kind === 'partition');
  const outages = progress.outages();
  const sources = new Set([...lanes, ...outages].map(({ reader }) => reader));
  return [...sources].map((source) => ({
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
        moved_at: new Date(movedAt).toISOString(),
      }))
      .sort((a, b) => a.partition.localeCompare(b.partition, 'en', { numeric: true })),
    outages: outages
      .filter(({ reader }) => reader === source)
      .map(({ of, reason, since }) => ({ of, reason, since: new Date(since).toISOString() })),
  }));
}

/** Age in milliseconds above which a report is from a process that has ended or no longer makes progress. */
const RECENT_MS = 3 * EVERY_MS;

/** An outage of a source, from a recent report of a process. */
export interface SourceOutage {
  readonly source: string;
  readonly of: string;
  readonly reason: string;
  readonly since: string;
}

/** Returns the outages in the recent reports in this data folder. */
export async function sourceOutages(setting: Pick<Setting<never>, 'place'>, now = Date.now()): Promise<readonly SourceOutage[]> {
  const recent = (await readSourceStatus(setting)).filter(({ as_of }) => now - Date.parse(as_of) < RECENT_MS);
  return recent.flatMap(({ source, outages }) => outages.map((one) => ({ source, ...one })));
}

/** Formats one line for each outage. */
export function outageLines(outages: readonly SourceOutage[], now: number): string[] {
  return outages.map(
    ({ source, of, reason, since }) =>
      `Source ${source}: ${of} has not been read for ${duration(Math.max(0, now - Date.parse(since)))}: ${reason}.`,
  );
}

/** Reads the last reported status of each source, sorted by name. */
export async function readSourceStatus(setting: Pick<Setting<never>, 'place'>): Promise<readonly SourceStatus[]> {
  return (await reportsIn(folderOf(setting), sourceStatus)).map(({ report }) => report);
}

function fileName(source: string): string {
  return `${encodeURIComponent(source)}.json`;
}
