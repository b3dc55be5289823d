import { hostname } from 'node:os';
import { adapterOf } from '@aorta/connectors/registry';
import { ownIdentity } from '@aorta/runtime';
import type { Surroundings } from '../../cli/surroundings.ts';
import type { Setting } from '../../config/configuration.ts';
import { sourcesOf } from '../../config/configured-adapters.ts';
import type { PartName } from '../parts.ts';

/**
 * Returns the name under which this process claims partitions. All workers of a supervisor have the same name, so that a
 * restarted worker owns the crashed worker's claims. The boot id distinguishes machines with the same host name.
 */
export function workerName({ restarts, supervised }: Pick<Surroundings, 'restarts' | 'supervised'>): string {
  const supervisor = supervised === undefined && restarts !== undefined ? process.ppid : process.pid;
  const { boot } = ownIdentity();
  return `${hostname()}-${boot?.slice(0, 8) ?? 'unknown'}-${supervisor}`;
}

/** Names of the parts in client ids. Brokers and `aorta status` print them, so they must stay the same as in released versions. */
const clientWords = { ingestion: 'consumers', enrichment: 'fetching', loading: 'jobs' } as const satisfies Record<
  PartName,
  string
>;

/** Returns the client id with which a part of a process reads and writes topics. `aorta streams` prints it. */
export function clientIdOf(part: PartName, pid = process.pid): string {
  return `aorta-${clientWords[part]}-${hostname()}-${pid}`;
}

/** Returns all client ids of this process: those of its parts, and those of its sources if the ids are unique to this worker. */
export function clientNames(
  setting: Pick<Setting<'streams', 'sources'>, 'configuration' | 'registry'>,
  worker: string,
): string[] {
  const { isShared } = adapterOf(setting.registry.streamLogs, setting.configuration.streams);
  const parts = isShared ? (['ingestion', 'loading', 'enrichment'] as const) : [];
  const ofSources = sourcesOf(setting).map(({ settings, adapter }) => adapter.clientName?.(settings, worker));
  return [...new Set([...parts.map((part) => clientIdOf(part)), ...ofSources.filter((name) => name !== undefined)])];
}
