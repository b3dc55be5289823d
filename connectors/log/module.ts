import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isAortaError, openKeptFile } from '@aorta/runtime';
import { bytes, count, counted, duration } from '@aorta/runtime/quantity';
import type { StreamName } from '@aorta/schemas';
import { type Finding, failure } from '../adapter.ts';
import {
  inUse,
  type LoadedRecords,
  type ProbeOfStreams,
  partitionName,
  type Reach,
  type StreamListing,
  type StreamLogModule,
  type StreamLogState,
  type StreamPartition,
  type StreamsView,
} from '../stream-log.ts';
import { SegmentError } from './errors.ts';
import { FollowedLog } from './followed-log.ts';
import { type LocalLog, openLocalLog } from './local-log.ts';
import { findReceipts } from './newest-receipts.ts';
import type { LocalStreamsSettings } from './options.ts';

interface StreamFacts {
  readonly stream: StreamName;
  readonly records: number;
  readonly segments: number;
  readonly bytes: number;
  readonly groups: readonly GroupFacts[];
  readonly lag: number;
  /**
   * Seconds since the receipt of the oldest record that at least one group has not read, or of the first record if there are no
   * groups. 0 if there is no such record, null if the record is unreadable.
   */
  readonly lag_s: number | null;
}

interface GroupFacts {
  readonly group: string;
  readonly position: number;
  readonly lag: number;
  readonly lag_s: number | null;
}

/**
 * Opens the streams in a folder read-only, because another process may be writing to them. Rejects with AORTA-STREAMS-MISSING if
 * the folder does not exist.
 */
async function openToLook(folder: string): Promise<LocalLog> {
  if (!existsSync(folder)) throw new SegmentError('AORTA-STREAMS-MISSING', { folder });
  return await openLocalLog({ folder, readOnly: true });
}

async function withStreams<T>(folder: string, look: (streams: LocalLog) => Promise<T>): Promise<T> {
  await using streams = await openToLook(folder);
  return await look(streams);
}

/** Opens a view of the streams in a folder. Each call of `look` reopens the streams, because another process may have replaced them. */
async function openLocalView(folder: string): Promise<StreamsView> {
  let log = await openToLook(folder);
  return {
    assigned: () => log.assigned(),
    start: (of) => log.start(of),
    end: (of) => log.end(of),
    read: (of, from, limit) => log.read(of, from, limit),
    groups: (of) => log.groups(of),
    committed: (group, of) => log.committed(group, of),
    look: async () => {
      await log.close();
      log = await openToLook(folder);
    },
    [Symbol.asyncDispose]: () => log.close(),
  };
}

function behindOf(streams: LocalLog, of: StreamPartition, reach: Reach): number {
  const at = reach.get(partitionName(of));
  return Math.max(0, streams.end(of) - (at?.incarnation === streams.incarnation(of) ? at.position : streams.start(of)));
}

/** Counts how many records of all streams are not in the tables yet. */
function behind(folder: string, reach: Reach): Promise<number> {
  return withStreams(folder, async (log) => inUse(log).reduce((sum, of) => sum + behindOf(log, of, reach), 0));
}

/** Lists the streams and how many records of each are already in the tables. The list is empty if there are no streams. */
async function loadedStreams(folder: string, reach: Reach): Promise<Pick<StreamLogState<never>, 'streams' | 'losses'>> {
  try {
    return await withStreams(folder, async (log) => ({
      streams: inUse(log).map((of) => {
        const [records, lag] = [log.end(of) - log.start(of), behindOf(log, of, reach)];
        return { stream: of.stream, records, landed: records - lag, lag };
      }),
      losses: log.losses(),
    }));
  } catch (error) {
    if (isMissing(error)) return { streams: [], losses: [] };
    throw error;
  }
}

const isMissing = (error: unknown): boolean => isAortaError(error) && error.code === 'AORTA-STREAMS-MISSING';

/** Checks that the streams are readable and complete, and counts the records that are not in the tables yet. */
async function probe(folder: string, { reach }: LoadedRecords, { isWritten, deep, repair }: ProbeOfStreams): Promise<Finding> {
  const check = 'streams';
  try {
    // If the warehouse does not answer, the warehouse check reports the reason.
    const reached = reach().catch(() => undefined);
    if (repair && existsSync(folder)) await repairStreams(folder);
    const [names, records] = await withStreams(folder, async (log) => {
      const [loss] = log.losses();
      if (loss !== undefined) throw loss;
      const present = inUse(log);
      for (const of of present) await (deep ? readEverything(log, of) : readEnd(log, of));
      const at = await reached;
      return [present, at && present.reduce((sum, of) => sum + behindOf(log, of, at), 0)] as const;
    });
    const found = `${counted(names.length, 'stream')} can be read`;
    if (records === undefined) return { check, state: 'ok', found: `${found}; the lag of the tables is unknown` };
    if (records === 0 || isWritten()) return { check, state: 'ok', found };
    return {
      check,
      state: 'warn',
      found: `${found}; ${counted(records, 'record')} not in the tables yet`,
      remedy: 'Load them with `aorta run --only loading --once`.',
    };
  } catch (error) {
    if (isMissing(error)) return { check, state: 'ok', found: 'none yet' };
    return failure(check, error);
  }
}

/** Reads the last record of a partition, which shows that the end of the stream is there. */
async function readEnd(log: LocalLog, of: StreamPartition): Promise<void> {
  await log.read(of, Math.max(log.start(of), log.end(of) - 1), { records: 1, bytes: 1 });
}

/** Reads every record as the writer of the log, which replaces damaged segments. Rejects if another process writes the log. */
async function repairStreams(folder: string): Promise<void> {
  await using log = await openLocalLog({ folder });
  for (const of of inUse(log)) await readEverything(log, of);
}

async function readEverything(log: LocalLog, of: StreamPartition): Promise<void> {
  const limit = { records: 10_000, bytes: 8 * 1024 * 1024 };
  for (let at = log.start(of); at < log.end(of); ) at = (await log.read(of, at, limit)).to;
}

/** Lists the streams in a folder with their segments and groups. `now` is in milliseconds since 1970. */
async function list(folder: string, now: number): Promise<StreamListing> {
  const [facts, losses] = await withStreams(folder, async (log) => [
    await Promise.all(inUse(log).map((of) => factsOf(log, of, folder, now))),
    log.losses(),
  ]);
  const right = { align: 'right' } as const;
  return {
    facts,
    losses,
    columns: [
      { name: 'stream' },
      { name: 'records', ...right },
      { name: 'segments', ...right },
      { name: 'size', ...right },
      { name: 'groups' },
      { name: 'lag', ...right },
      { name: 'since', ...right },
    ],
    rows: facts.map((one) => [
      one.stream,
      count(one.records),
      count(one.segments),
      bytes(one.bytes),
      one.groups.map(({ group, position }) => `${group} at ${count(position)}`).join(', ') || '–',
      count(one.lag),
      age(one.lag_s),
    ]),
  };
}

async function factsOf(streams: LocalLog, of: StreamPartition, folder: string, now: number): Promise<StreamFacts> {
  const { stream } = of;
  const [start, end] = [streams.start(of), streams.end(of)];
  const groups: GroupFacts[] = [];
  for (const group of streams.groups(of)) {
    const position = streams.committed(group, of) ?? 0;
    groups.push({ group, position, lag: end - position, lag_s: await lagSeconds(streams, of, position, now) });
  }
  const landed = groups.length === 0 ? start : Math.min(...groups.map(({ position }) => position));
  const lagS = await lagSeconds(streams, of, landed, now);
  return { stream, records: end - start, ...(await sizeOf(join(folder, stream))), groups, lag: end - landed, lag_s: lagS };
}

/**
 * Returns the seconds since the record at a position was received, which is the lag of a reader at that position. Returns 0 at
 * the end of the partition, and null if the record is unreadable.
 */
async function lagSeconds(streams: LocalLog, of: StreamPartition, position: number, now: number): Promise<number | null> {
  if (position >= streams.end(of)) return 0;
  try {
    const { records } = await streams.read(of, position, { records: 1, bytes: 1 });
    return records[0] === undefined ? null : Math.max(0, now - records[0].receipt.received_at / 1000) / 1000;
  } catch (error) {
    // The jobs that read this stream report the damage, so the listing only leaves out the lag.
    if (isAortaError(error)) return null;
    throw error;
  }
}

/**
 * Returns how many segments a stream has and their total size in bytes. Segments are the Avro files in the stream's folder. A
 * file that is deleted in the meantime counts as 0 bytes.
 */
async function sizeOf(folder: string): Promise<{ segments: number; bytes: number }> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.avro'));
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return { segments: names.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

function age(seconds: number | null): string {
  return seconds === null ? 'unknown' : seconds === 0 ? '–' : duration(seconds * 1000);
}

export const localStreams: StreamLogModule<LocalStreamsSettings> = {
  open: ({ folder, logger, metrics, progress, onStep }) => openLocalLog({ folder, logger, metrics, progress, onStep }),
  openReader: async ({ folder, replaceDamaged }) => new FollowedLog(folder, replaceDamaged),
  openView: ({ folder }) => openLocalView(folder),
  openKept: ({ folder }, owner) => openKeptFile(join(folder, 'state', `${owner}.ndjson`)),
  state: async ({ folder }, { reach }) => ({ ...(await loadedStreams(folder, await reach())), members: [] }),
  list: ({ folder }, _, now) => list(folder, now),
  behind: ({ folder }, reach) => behind(folder, reach),
  receipts: ({ folder }, wanted, { deep }) => findReceipts(() => openToLook(folder), wanted, deep),
  probe: ({ folder }, loaded, how) => probe(folder, loaded, how),
};
