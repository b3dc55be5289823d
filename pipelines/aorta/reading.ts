import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { StreamName } from '@aorta/schemas';
import { inUse, type LocalLog, openLocalLog, openTopicsView, partitionName, type StreamPartition } from '@aorta/streams';
import { AortaError, isAortaError } from '@aorta/telemetry';
import type { WarehouseReader } from '@aorta/warehouse';
import { z } from 'zod';
import type { Setting } from './configuration/configuration.ts';
import { count } from './printing/quantity.ts';
import type { ReadableStreams } from './records.ts';

/** Opens the published tables. Rejects with AORTA-WAREHOUSE-MISSING where there are none yet. */
export async function openReader(
  { place, configuration: { warehouse } }: Pick<Setting, 'place' | 'configuration'>,
  bounds: { readonly memory?: string } = {},
): Promise<WarehouseReader> {
  if (warehouse.type === 'bigquery') {
    const { openBigQueryReader } = await import('@aorta/warehouse/bigquery');
    return openBigQueryReader(warehouse);
  }
  const { openDuckDbReader } = await import('@aorta/warehouse/duckdb');
  return openDuckDbReader({ path: place.warehouse, pace: warehouse, ...bounds });
}

/** Opens local streams for looking, beside whoever writes them. Rejects with AORTA-STREAMS-MISSING where there are none yet, and with AORTA-USAGE where they are topics. */
export async function openStreams({ place, configuration }: Setting): Promise<LocalLog> {
  if (configuration.streams.type !== 'local')
    throw new AortaError('AORTA-USAGE', {
      problem: 'this looks into local streams, and those of this configuration are topics',
      hint: '`aorta streams` and `aorta status` say how far they are; the tables hold what came through them.',
    });
  if (!existsSync(place.streams)) throw new AortaError('AORTA-STREAMS-MISSING', { folder: place.streams });
  return await openLocalLog({ folder: place.streams, readOnly: true });
}

/** Looks into the records of some streams, wherever they are kept, and closes them again. */
export async function withRecords<T>(
  setting: Setting,
  names: readonly StreamName[],
  look: (streams: ReadableStreams) => Promise<T>,
): Promise<T> {
  const { streams: kept } = setting.configuration;
  if (kept.type === 'local') return withStreams(setting, look);
  const view = await openTopicsView({ settings: kept, clientId: lookerName(), streams: names });
  try {
    return await look(view);
  } finally {
    await view.close();
  }
}

/** As which a process that only looks is known to the brokers. */
export function lookerName(): string {
  return `aorta-look-${hostname()}-${process.pid}`;
}

/** Looks into the streams and closes them again. */
export async function withStreams<T>(setting: Setting, look: (streams: LocalLog) => Promise<T>): Promise<T> {
  const streams = await openStreams(setting);
  try {
    return await look(streams);
  } finally {
    await streams.close();
  }
}

/** The process that writes in the data folder. */
export interface Writer {
  readonly pid: number;
  readonly host: string;
  /** False where it has ended without giving the folder free: the next one takes over by itself. Of another host that is not known. */
  readonly running: boolean;
}

const lockFile = z.object({ pid: z.int().positive(), host: z.string() });

/** Who has the lock of the streams; undefined where nobody has. */
export function writerOf({ place }: Pick<Setting, 'place'>): Writer | undefined {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(join(place.streams, 'lock'), 'utf8'));
  } catch {
    return undefined;
  }
  const lock = lockFile.safeParse(content);
  return lock.success ? { ...lock.data, running: lock.data.host !== hostname() || isRunning(lock.data.pid) } : undefined;
}

/** Throws AORTA-DATA-LOCKED where another process writes: before something is taken away from it. */
export function refuseWhereWritten(setting: Pick<Setting, 'place'>): void {
  const writer = writerOf(setting);
  if (writer?.running) throw new AortaError('AORTA-DATA-LOCKED', { folder: setting.place.streams, pid: writer.pid });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Records of a partition that the jobs have not carried into the tables. */
export function lagOf(streams: ReadableStreams, of: StreamPartition): number {
  return streams.end(of) - (landedOf(streams, of) ?? streams.start(of));
}

/**
 * Seconds since the record at a position was received: the age of the oldest that waits for a reader who stands there. 0
 * at the end of the partition; null where the record cannot be read.
 */
export async function lagSeconds(
  streams: ReadableStreams,
  of: StreamPartition,
  position: number,
  now: number,
): Promise<number | null> {
  if (position >= streams.end(of)) return 0;
  try {
    const { records } = await streams.read(of, position, { records: 1, bytes: 1 });
    return records[0] === undefined ? null : Math.max(0, now - records[0].receipt.received_at / 1000) / 1000;
  } catch (error) {
    // Damage is said by who has to read on; here it only hides an age.
    if (isAortaError(error)) return null;
    throw error;
  }
}

/** The position up to which every group has carried the partition; undefined where none has begun. */
function landedOf(streams: ReadableStreams, of: StreamPartition): number | undefined {
  const positions = streams.groups(of).map((group) => streams.committed(group, of) ?? 0);
  return positions.length === 0 ? undefined : Math.min(...positions);
}

/** How far the streams are in the published tables. By the partition's name. The copy itself says it: after a crash it may be older than what was landed. */
export type Reach = ReadonlyMap<string, { readonly incarnation: string; readonly position: number }>;

/** Whether there are no tables to read yet. */
export function isUnpublished(error: unknown): boolean {
  return isAortaError(error) && (error.code === 'AORTA-WAREHOUSE-MISSING' || error.code === 'AORTA-WAREHOUSE-UNPUBLISHED');
}

/** The reach of the published tables; of none where there are no tables yet. */
export async function reachOf(setting: Pick<Setting, 'place' | 'configuration'>): Promise<Reach> {
  let reader: WarehouseReader;
  try {
    reader = await openReader(setting);
  } catch (error) {
    if (isUnpublished(error)) return new Map();
    throw error;
  }
  try {
    return await reachIn(reader);
  } finally {
    await reader.close();
  }
}

async function reachIn(reader: Pick<WarehouseReader, 'merged'>): Promise<Reach> {
  return new Map((await reader.merged()).map((merged) => [partitionName(merged), merged]));
}

/** Records of a partition that are not in tables of that reach. */
export function behindOf(streams: Pick<LocalLog, 'start' | 'end' | 'incarnation'>, of: StreamPartition, reach: Reach): number {
  const at = reach.get(partitionName(of));
  return Math.max(0, streams.end(of) - (at?.incarnation === streams.incarnation(of) ? at.position : streams.start(of)));
}

/** A sentence about tables that are older than the streams; undefined where they are not. */
export async function staleness(
  setting: Setting,
  reader: Pick<WarehouseReader, 'publishedAt' | 'merged'>,
): Promise<string | undefined> {
  const since = reader.publishedAt === undefined ? '' : ` of ${reader.publishedAt}`;
  const writer = writerOf(setting);
  if (writer?.running) return `Process ${writer.pid} is writing; these are the tables${since}.`;
  try {
    const reach = await reachIn(reader);
    const behind = await withStreams(setting, async (streams) =>
      inUse(streams).reduce((sum, of) => sum + behindOf(streams, of, reach), 0),
    );
    return behind === 0
      ? undefined
      : `${count(behind)} records in the streams are not in these tables${since} yet: aorta run --only jobs --once brings them there.`;
  } catch (error) {
    // The answer does not depend on the streams; whatever is wrong with them, `aorta doctor` says it.
    if (isAortaError(error)) return undefined;
    throw error;
  }
}
