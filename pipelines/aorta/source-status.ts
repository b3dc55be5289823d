import { join } from 'node:path';
import { errorFields, type Logger, makeFolder, type Progress, replaceFile } from '@aorta/runtime';
import { z } from 'zod';
import type { Setting } from './configuration/configuration.ts';
import { reportsIn } from './reports-in-folder.ts';

/**
 * Where the sources of a running process are, for other processes to look at: a file a source in `sources/status` of the
 * streams' folder, replaced whole every few seconds. What it says is a report, never a position to go on from.
 */

const partitionStatus = z.object({
  partition: z.string(),
  /** Offset that is taken next. */
  position: z.int().nonnegative(),
  /** Offset after the last one known to be there. */
  end: z.int().nonnegative(),
  lag: z.int().nonnegative(),
  /** Seconds since the receipt of the last delivery taken, where more wait; null where the source does not know. */
  lag_s: z.number().nonnegative().nullable(),
  state: z.string(),
  /** When its position last changed, RFC 3339. */
  moved_at: z.string(),
});

const outage = z.object({
  /** What cannot be read: `hub health-events`. */
  of: z.string(),
  /** Why, with the condition that the broker gave. */
  reason: z.string(),
  /** When it was last read, RFC 3339. */
  since: z.string(),
});

const sourceStatus = z.object({
  source: z.string(),
  /** RFC 3339. */
  as_of: z.string(),
  pid: z.int().positive(),
  partitions: z.array(partitionStatus),
  /** What of the source cannot be read now. Absent in reports of earlier versions. */
  outages: z.array(outage).default([]),
});

export type SourceStatus = z.infer<typeof sourceStatus>;

const EVERY_MS = 5_000;

/** Until a source has partitions, and when they come or go, that is written within this time. */
const LOOK_MS = 250;

function folderOf({ place }: Pick<Setting, 'place'>): string {
  return join(place.streams, 'sources', 'status');
}

/** Writes the status of the sources every few seconds until it is closed, then once more. */
export function keepSourceStatus(
  setting: Pick<Setting, 'place'>,
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
      // A disk that is full is told by what needs it; this here is only to be looked at.
      if (!told) logger.warn('the status of the sources cannot be written', errorFields(error));
      told = true;
    }
  };
  let last = Promise.resolve();
  const again = (): Promise<void> => {
    last = last.then(write);
    return last;
  };
  // A person who has just started a process asks where it is: what it reads is written as soon as that is known.
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

/** The status of each source that reads partitions, or would if it could. */
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

/** A report that is older, in milliseconds, is of a process that has ended or stands still. */
const RECENT_MS = 3 * EVERY_MS;

/** An outage of a source, as a running process reported it a moment ago. */
export interface SourceOutage {
  readonly source: string;
  readonly of: string;
  readonly reason: string;
  readonly since: string;
}

/** What the running processes of this folder cannot read now. */
export async function sourceOutages(setting: Pick<Setting, 'place'>, now = Date.now()): Promise<readonly SourceOutage[]> {
  const recent = (await readSourceStatus(setting)).filter(({ as_of }) => now - Date.parse(as_of) < RECENT_MS);
  return recent.flatMap(({ source, outages }) => outages.map((one) => ({ source, ...one })));
}

/** What running processes last reported of their sources, by name. */
export async function readSourceStatus(setting: Pick<Setting, 'place'>): Promise<readonly SourceStatus[]> {
  return (await reportsIn(folderOf(setting), sourceStatus)).map(({ report }) => report);
}

function fileName(source: string): string {
  return `${encodeURIComponent(source)}.json`;
}
