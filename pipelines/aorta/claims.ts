import { hubsOf } from '@aorta/consumers';
import type { Setting } from './configuration/configuration.ts';
import { checkpointsFolder } from './sources.ts';

/**
 * Gives free the partitions that a worker has claimed, in all sources of the configuration: for a working process that
 * crashed and cannot do it itself, so that others need not wait for the expiry. Rejects where a store cannot be reached.
 */
export async function releaseClaimsOf(worker: string, { configuration, place }: Setting): Promise<void> {
  for (const settings of configuration.sources) {
    // In files, the claims of a process that has ended are nobody's anyway.
    if (settings.type !== 'event-hubs' || settings.checkpoints.type === 'file') continue;
    const { openCheckpoints, openNamespace, releaseClaims } = await import('@aorta/consumers/event-hubs');
    const store = await openCheckpoints(settings, checkpointsFolder(place.streams, settings.name), worker);
    const { host, group } = await openNamespace(settings, worker);
    for (const hub of hubsOf(settings)) {
      await releaseClaims(store, { fullyQualifiedNamespace: host, eventHubName: hub, consumerGroup: group }, worker);
    }
  }
}
