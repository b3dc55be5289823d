import { hostname } from 'node:os';
import { adapterOf } from '@aorta/connectors/registry';
import { ownIdentity } from '@aorta/runtime';
import type { Setting } from '../configuration/configuration.ts';
import { sourcesOf } from '../configuration/configured-source.ts';
import type { PartName } from '../parts.ts';
import type { Surroundings } from '../surroundings.ts';

/**
 * The name by which this process claims partitions. All working processes of one supervisor have the same, one after the
 * other: so the next one has the claims of the one that crashed. Host and boot tell machines apart, also where many have one name.
 */
export function workerName({ restarts, supervised }: Pick<Surroundings, 'restarts' | 'supervised'>): string {
  const supervisor = supervised === undefined && restarts !== undefined ? process.ppid : process.pid;
  const { boot } = ownIdentity();
  return `${hostname()}-${boot?.slice(0, 8) ?? 'unknown'}-${supervisor}`;
}

/** What the client ids of the parts begin with. Brokers and `aorta status` show them, so they stay as they were released. */
const clientWords = { ingestion: 'consumers', enrichment: 'fetching', loading: 'jobs' } as const satisfies Record<
  PartName,
  string
>;

/** The name by which brokers know the part of a process that uses topics of streams. `aorta streams` shows it. */
export function clientIdOf(part: PartName, pid = process.pid): string {
  return `aorta-${clientWords[part]}-${hostname()}-${pid}`;
}

/** Every name by which brokers know this process: of its parts, and of its sources if that name is of one worker alone. */
export function clientNames(setting: Pick<Setting, 'configuration' | 'registry'>, worker: string): string[] {
  const { isShared } = adapterOf(setting.registry.streamLogs, setting.configuration.streams);
  const parts = isShared ? (['ingestion', 'loading', 'enrichment'] as const) : [];
  const ofSources = sourcesOf(setting).map(({ settings, adapter }) => adapter.clientName?.(settings, worker));
  return [...new Set([...parts.map((part) => clientIdOf(part)), ...ofSources.filter((name) => name !== undefined)])];
}
