import { GROUP, MERGES, mergerId } from '@aorta/loading/groups';
import { configuredStreams, configuredWarehouse, sourcesOf } from '../config/adapters.ts';
import type { Setting } from '../config/configuration.ts';
import { enrichmentGroups } from './enrichment.ts';
import { INGESTION } from './ingestion-group.ts';
import { clientIdOf, type RunParts } from './parts.ts';
import { stateOf } from './sources.ts';

export interface CrashedWorker {
  readonly worker: string;
  readonly pid: number;
}

/**
 * Releases the partitions that a crashed process with these parts still owns, in sources and in stream topics. Other workers
 * can then take them over before the leases expire. Tries to release all of them, then rejects with the first error, if any.
 */
export async function releaseClaims(crashed: CrashedWorker, setting: Setting, parts: RunParts): Promise<void> {
  const ofSources = parts.ingestion ? sources(crashed, setting) : [];
  const tried = await Promise.allSettled([...ofSources, streams(crashed, setting, parts)]);
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

async function streams({ pid }: CrashedWorker, setting: Setting, parts: RunParts): Promise<void> {
  const { adapter, at } = configuredStreams(setting);
  if (!adapter.isShared) return;
  const member = clientIdOf('loading', pid);
  const memberships = [
    { group: GROUP, member },
    { group: INGESTION, member: clientIdOf('ingestion', pid) },
    // Other workers can take over the crashed worker's merges only after it has left this group as well.
    ...(parts.loading && isSharedWarehouse(setting) ? [{ group: MERGES, member: mergerId(member) }] : []),
    ...(parts.enrichment && hasJobs(setting)
      ? enrichmentGroups.map((group) => ({ group, member: clientIdOf('enrichment', pid) }))
      : []),
  ];
  await (await adapter.load()).release?.({ ...at, clientId: clientIdOf('loading') }, memberships);
}

function isSharedWarehouse(setting: Setting): boolean {
  const { adapter, settings } = configuredWarehouse(setting);
  return adapter.isShared?.(settings) === true;
}

const hasJobs = ({ configuration }: Setting): boolean =>
  configuration.service !== undefined || configuration.historical_pulls !== undefined;
