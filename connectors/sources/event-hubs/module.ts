import type { ClaimsOfWorker, Source, SourceSurroundings } from '../../source.ts';
import { releaseClaims } from './checkpoints/checkpoints.ts';
import { openCheckpoints } from './checkpoints/open.ts';
import { openNamespace } from './namespace.ts';
import { type EventHubsSettings, hubsOf } from './options.ts';
import { EventHubsSource } from './source.ts';
import { checkpointsFolder } from './state.ts';

export { probe } from './doctor.ts';

export async function open(settings: EventHubsSettings, surroundings: SourceSurroundings): Promise<Source> {
  return new EventHubsSource({ ...surroundings, settings, folder: checkpointsFolder(surroundings.state) });
}

export async function release(settings: EventHubsSettings, { worker, state }: ClaimsOfWorker): Promise<void> {
  const store = await openCheckpoints(settings, checkpointsFolder(state), worker);
  const { host, group } = await openNamespace(settings, worker);
  for (const hub of hubsOf(settings)) {
    await releaseClaims(store, { fullyQualifiedNamespace: host, eventHubName: hub, consumerGroup: group }, worker);
  }
}
