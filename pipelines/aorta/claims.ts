import { GROUP, MERGES, mergerId } from '@aorta/loading';
import type { Setting } from './configuration/configuration.ts';
import { sourcesOf } from './configuration/configured-source.ts';
import { configuredStreams } from './configuration/configured-streams.ts';
import { configuredWarehouse } from './configuration/configured-warehouse.ts';
import { fetchingGroups } from './fetching.ts';
import { stateOf } from './sources.ts';
import { clientIdOf } from './supervision/worker-name.ts';
import { INGESTION } from './workers/ingestion-group.ts';

export interface CrashedWorker {
  readonly worker: string;
  readonly pid: number;
}

/**
 * Releases the partitions that a crashed process still owns, in sources and in stream topics. Other workers can then take
 * them over before the leases expire. Tries to release all of them, then rejects with the first error, if any.
 */
export async function releaseClaims(crashed: CrashedWorker, setting: Setting): Promise<void> {
  const tried = await Promise.allSettled([...sources(crashed, setting), streams(crashed, setting)]);
  for (const one of tried) if (one.status === 'rejected') throw one.reason;
}

function sources({ worker }: CrashedWorker, setting: Setting): Promise<void>[] {
  return sourcesOf(setting)
    .filter(({ settings, adapter }) => adapter.leavesClaims?.(settings))
    .map(async ({ settings, adapter }) => {
      const state = stateOf(setting.place.streams, settings.name);
      await (await adapter.load()).release?.(settings, { worker, state });
    });
}

async function streams({ pid }: CrashedWorker, setting: Setting): Promise<void> {
  const { adapter, at } = configuredStreams(setting);
  if (!adapter.isShared) return;
  const { configuration } = setting;
  const member = clientIdOf('loading', pid);
  const { adapter: ofWarehouse, settings } = configuredWarehouse(setting);
  const memberships = [
    { group: GROUP, member },
    { group: INGESTION, member: clientIdOf('ingestion', pid) },
    // Other workers can take over the crashed worker's merges only after it has left this group as well.
    ...(ofWarehouse.isShared?.(settings) ? [{ group: MERGES, member: mergerId(member) }] : []),
    ...(configuration.service === undefined && configuration.historical_pulls === undefined
      ? []
      : fetchingGroups.map((group) => ({ group, member: clientIdOf('enrichment', pid) }))),
  ];
  await (await adapter.load()).release?.({ ...at, clientId: clientIdOf('loading') }, memberships);
}
