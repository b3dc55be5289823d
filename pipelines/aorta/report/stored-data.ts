import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type CopyDifference, partitionName, type Reach, type WarehouseReader } from '@aorta/connectors';
import { AortaError, firstError, isAortaError } from '@aorta/runtime';
import { count } from '@aorta/runtime/quantity';
import type { StreamName } from '@aorta/schemas';
import { z } from 'zod';
import { commandLine } from '../cli/printing/command-lines.ts';
import { configuredStreams, configuredWarehouse, type StreamsSetting, type WarehouseSetting } from '../config/adapters.ts';
import type { Setting } from '../config/configuration.ts';
import type { ReadableStreams } from './records.ts';

/** Opens the published tables. Rejects with AORTA-WAREHOUSE-MISSING if there are none. */
export async function openReader(setting: WarehouseSetting, bounds: { readonly memory?: string } = {}): Promise<WarehouseReader> {
  const { adapter, settings } = configuredWarehouse(setting);
  return (await adapter.load()).openReader(settings, bounds);
}

/** Opens the given local or shared streams for reading, passes them to `look`, and then closes them. */
export async function withRecords<T>(
  setting: StreamsSetting,
  names: readonly StreamName[],
  look: (streams: ReadableStreams) => Promise<T>,
): Promise<T> {
  const { adapter, at } = configuredStreams(setting);
  await using view = await (await adapter.load()).openView(at, { streams: names });
  return await look(view);
}

/** The process that holds the lock of the data folder. */
export interface Writer {
  readonly pid: number;
  readonly host: string;
  /**
   * False if the process ended without releasing the lock. In that case, the next run takes over the lock. Always true for
   * processes on other hosts.
   */
  readonly running: boolean;
}

const lockFile = z.object({ pid: z.int().positive(), host: z.string() });

/** Returns the process that holds the lock of the streams, or undefined if the lock is free. */
export function writerOf({ place }: Pick<Setting<never>, 'place'>): Writer | undefined {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(join(place.streams, 'lock'), 'utf8'));
  } catch {
    return undefined;
  }
  const lock = lockFile.safeParse(content);
  return lock.success ? { ...lock.data, running: lock.data.host !== hostname() || isRunning(lock.data.pid) } : undefined;
}

/** Throws AORTA-DATA-LOCKED if another process writes to the data folder. Must be called before anything is deleted there. */
export function refuseWhereWritten(setting: Pick<Setting<never>, 'place'>): void {
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

/** Returns whether an error means that there are no published tables yet. */
export function isUnpublished(thrown: unknown): boolean {
  const error = firstError(thrown);
  return isAortaError(error) && (error.code === 'AORTA-WAREHOUSE-MISSING' || error.code === 'AORTA-WAREHOUSE-UNPUBLISHED');
}

/** Returns the stream positions that the published tables have reached. The map is empty if there are no tables yet. */
export async function reachOf(setting: WarehouseSetting): Promise<Reach> {
  await using reader = await openReader(setting).catch((error: unknown) => {
    if (isUnpublished(error)) return undefined;
    throw error;
  });
  return reader === undefined ? new Map() : await reachIn(reader);
}

async function reachIn(reader: Pick<WarehouseReader, 'merged'>): Promise<Reach> {
  return new Map((await reader.merged()).map((merged) => [partitionName(merged), merged]));
}

/** Returns a sentence if the content of the published copy may differ from what Aorta published; otherwise undefined. */
export function copyText(difference: CopyDifference | undefined): string | undefined {
  if (difference === undefined || difference.kind === 'replaced') return undefined;
  return difference.kind === 'changed'
    ? `Another program changed the published copy (${difference.what}). See \`aorta doctor\`.`
    : `Nothing shows whether another program changed the published copy: ${difference.what} cannot be read. See \`aorta doctor\`.`;
}

/** Returns a sentence for the operator if the tables were changed by another program, or may lag behind the streams; otherwise undefined. */
export async function staleness(
  setting: Setting<never>,
  reader: Pick<WarehouseReader, 'publishedAt' | 'merged' | 'copyDifference'>,
): Promise<string | undefined> {
  const changed = copyText(await reader.copyDifference?.(false));
  if (changed !== undefined) return changed;
  const writer = writerOf(setting);
  if (writer?.running) {
    const published = reader.publishedAt === undefined ? '' : `; these tables were published at ${reader.publishedAt}`;
    return `Process ${writer.pid} is writing${published}.`;
  }
  const { streams } = setting.readable;
  if (streams === undefined) return undefined;
  try {
    const reach = await reachIn(reader);
    const { adapter, at } = configuredStreams({ ...setting, configuration: { streams } });
    const behind = (await (await adapter.load()).behind?.(at, reach)) ?? 0;
    return behind === 0
      ? undefined
      : `Records in the streams that are not in these tables yet: ${count(behind)}. To load them, run: ${commandLine('aorta run --only loading --once', setting.call)}`;
  } catch (error) {
    // An error in the streams does not affect the query result. `aorta doctor` reports it.
    if (isAortaError(firstError(error))) return undefined;
    throw error;
  }
}
