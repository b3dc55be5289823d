import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isAortaError } from '@aorta/runtime';
import { bytes, count, duration } from '@aorta/runtime/quantity';
import type { StreamName } from '@aorta/schemas';
import { inUse, type StreamPartition } from '../../stream-log.ts';
import type { StreamListing } from '../../stream-log-adapter.ts';
import type { LocalLog } from './local-log.ts';
import { withStreams } from './looking.ts';

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

/** Lists the streams in a folder with their segments and groups. `now` is in milliseconds since 1970. */
export async function list(folder: string, now: number): Promise<StreamListing> {
  const facts = await withStreams(folder, (log) => Promise.all(inUse(log).map((of) => factsOf(log, of, folder, now))));
  const right = { align: 'right' } as const;
  return {
    facts,
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
